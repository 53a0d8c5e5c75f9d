import { expect, it } from "vitest";
import { refusal } from "../../import/read-log.ts";

/** Logs of which a format would read half, or nothing: they are left to a column mapping, which reads all of them. */
it.each([
  ["a collector's own counters beside utilization", "timestamp,gpu_id,model,gpu_util_pct,mem_used_mib,real_util_pct,sm_active_pct,tensor_active_pct,dram_active_pct\n1788256800,0,H100,50,1000,30,40,20,10\n"],
  ["a column a GPU and metric, whose names no exporter has", "Time,GPU0_util,GPU0_mem,GPU1_util,GPU1_mem\n2026/09/01 10:00:00,50,600,60,700\n"],
  ["numbers in rows that count no GPUs", "  1  2  3\n  4  5  6\n"],
])("%s", async (_, content) => {
  expect(await refusal(content, { timezone: "UTC" })).toMatchObject({ code: "import.unrecognized" });
});
