import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LogMapping } from "../../../../../shared/contract/log-mapping.ts";
import { guessLogMapping } from "../../../../../main/engine/formats/index.ts";
import { recognize } from "../../../../../main/engine/import/recognize.ts";
import { sniff } from "../../../../../main/engine/import/sniff.ts";
import { readFresh } from "../../import/read-log.ts";

const header = ["collected_at", "server", "gpu_id", "model", "gpu_util_pct", "sm_active", "mem_used_gib", "power_mw", "note"];
const rows = [
  "2026-09-01T10:00:00Z,node-7,0,NVIDIA H100 80GB HBM3,90,0.5,40,350000,x",
  "2026-09-01T10:01:00Z,node-7,0,NVIDIA H100 80GB HBM3,n/a,0.4,41.5,351000,x",
  "2026-09-01T10:00:00Z,node-7,1,NVIDIA H100 80GB HBM3,101,0.1,2,-5,x",
];
const text = `${header.join(",")}\n${rows.join("\n")}\n`;
const mapping: LogMapping = {
  kind: "log", name: "in-house", header, isMeanUpTo: false,
  columns: { time: "collected_at", host: "server", index: "gpu_id", name: "model", utilization: "gpu_util_pct", smActive: "sm_active", memoryUsed: "mem_used_gib", power: "power_mw" },
  units: { utilization: "percent", smActive: "ratio", memoryUsed: "GiB", power: "mW" },
};
const shown = (traces: Record<string, readonly (readonly [string, number, number])[]>) => Object.fromEntries(Object.entries(traces).map(([metric, segments]) => [metric, segments.map(([at, , value]) => [at.slice(11, 16), Math.round(value * 10) / 10])]));

describe("a log by its columns", () => {
  it("is read into the ledger's units, each counter apart, and what is no value is counted and unknown", async () => {
    const { reading, devices } = await readFresh(text, { logMapping: mapping }, "in-house.csv");
    expect(devices.map(({ key, accelerator, traces }) => [key, accelerator, shown(traces)])).toEqual([
      ["node-7/index/0", "nvidia-h100-sxm5-80gb", { "memory-used": [["10:00", 40_960], ["10:01", 42_496]], power: [["10:00", 350], ["10:01", 351]], "sm-active": [["10:00", 50], ["10:01", 40]], utilization: [["10:00", 90]] }],
      ["node-7/index/1", "nvidia-h100-sxm5-80gb", { "memory-used": [["10:00", 2048]], "sm-active": [["10:00", 10]] }],
    ]);
    expect(reading.repairs).toMatchObject({ "value-not-available": 1, "percent-out-of-range": 1, "power-out-of-range": 1 });
  });

  it("sets a row without a GPU aside, drops a last line that was cut, and refuses a mapping that fits no column", async () => {
    const { reading } = await readFresh(`${text}2026-09-01T10:02:00Z,node-7,none,H100,1,0.1,2,3,x\n2026-09-01T10:03:00Z,node-7,0,H1`, { logMapping: mapping }, "in-house.csv");
    expect(reading.setAside).toMatchObject([{ column: "gpu_id", reason: "gpu-identity" }]);
    expect(reading.repairs["truncated-last-line"]).toBe(1);
    const recognized = async (columns: LogMapping["columns"]) => {
      const path = join(mkdtempSync(join(tmpdir(), "gpu-ledger-mapped-")), "in-house.csv");
      writeFileSync(path, text);
      const sniffed = await sniff(path);
      rmSync(dirname(path), { recursive: true });
      if (!sniffed.ok) throw new Error(sniffed.error.code);
      return recognize(sniffed.value, { logMapping: { ...mapping, columns } });
    };
    expect(await recognized({ ...mapping.columns, power: "wattage" })).toMatchObject({ error: { code: "import.column-missing", params: { columns: "wattage" } } });
    expect(await recognized({ time: "collected_at" })).toMatchObject({ error: { code: "import.mapping-incomplete" } });
    expect(await recognized(mapping.columns)).toMatchObject({ ok: true, value: { kind: "telemetry", recognition: { formatId: "mapped-log" } } });
  });

  it("holds backward where its activities are means, and takes memory as a share of the card", async () => {
    const shares = "time,gpu,util,mem,total\n2026-09-01T10:00:00Z,0,50,0.5,80\n2026-09-01T10:01:00Z,0,60,0.25,80\n";
    const { devices } = await readFresh(shares, { logMapping: { ...mapping, header: ["time", "gpu", "util", "mem", "total"], isMeanUpTo: true, columns: { time: "time", index: "gpu", utilization: "util", memoryUsed: "mem", memoryTotal: "total" }, units: { memoryUsed: "share", memoryTotal: "GiB" } } }, "node-9.csv");
    expect(devices[0]).toMatchObject({ key: "node-9/index/0", memoryTotalMiB: 81_920 });
    expect(shown(devices[0]?.traces ?? {})).toEqual({ "memory-used": [["10:00", 40_960], ["10:01", 20_480]], utilization: [["09:59", 50], ["10:00", 60]] });
  });
});

describe("a guess at the columns", () => {
  const guess = (names: readonly string[], sample: readonly (readonly string[])[] = []) => guessLogMapping({ file: "x.csv", header: names, sample });

  it("goes by names and the units in them", () => {
    expect(guess(header, rows.map((row) => row.split(",")))).toMatchObject({
      mapping: { columns: { ...mapping.columns }, units: { utilization: "percent", memoryUsed: "GiB", power: "mW" } },
      unsure: [{ field: "smActive", columns: ["sm_active"] }],
    });
    expect(guess(["Timestamp", "GPU", "Utilization [%]", "Memory Used (MiB)", "Power Draw [W]"]).mapping).toMatchObject({ columns: { time: "Timestamp", index: "GPU", utilization: "Utilization [%]", memoryUsed: "Memory Used (MiB)", power: "Power Draw [W]" }, units: { utilization: "percent", memoryUsed: "MiB", power: "W" } });
  });

  it("leaves open what two columns may be, and a scale that nothing proves", () => {
    expect(guess(["time", "gpu_util", "gpu_usage"], [["t", "0", "1"]])).toMatchObject({ unsure: [{ field: "utilization", columns: ["gpu_util", "gpu_usage"] }] });
    expect(guess(["time", "gpu", "util"], [["t", "0", "0.4"], ["t", "0", "1"]]).unsure).toEqual([{ field: "utilization", columns: ["util"] }]);
    expect(guess(["time", "gpu", "util"], [["t", "0", "0.4"], ["t", "0", "37"]])).toMatchObject({ unsure: [], mapping: { units: { utilization: "percent" } } });
  });
});
