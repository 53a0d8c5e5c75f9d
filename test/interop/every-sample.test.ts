import { existsSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { recognize } from "../../main/engine/import/recognize.ts";
import { sniff } from "../../main/engine/import/sniff.ts";
import { openMemoryLedger } from "../../main/engine/store/open.ts";
import type { ReadDevice } from "../main/engine/import/read-log.ts";
import { devicesOf, readPath } from "../main/engine/import/read-log.ts";

/** Every log sample beside the project, `../shared/samples/telemetry`, by what its list of sources calls it. */
const samples = join(import.meta.dirname, "../../../shared/samples/telemetry");
const isPresent = existsSync(samples);
const files = isPresent
  ? readdirSync(samples, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "SOURCES.md")
      .map((entry) => relative(samples, join(entry.parentPath, entry.name)).split(sep).join("/"))
      .sort()
  : [];
const isNoLog = (file: string): boolean => /^cluster-traces\/|^opencost\/swagger|^dcgm-prometheus\/.*\.csv$/.test(file);
/** Its series are none of a GPU, or state no metric that is kept; or it tells of processes and allocations. */
const hasNoGpu = (file: string): boolean => /^prometheus-dump\/|^prometheus-api\/|readme-sentinel|^slurm\/(?!sonar-newfmt)/.test(file);

describe.skipIf(!isPresent)("samples of every kind (skipped where ../shared/samples is absent)", () => {
  it.each(files.filter(isNoLog))("%s is no log and refused by name", async (file) => {
    const sniffed = await sniff(join(samples, file));
    if (!sniffed.ok) throw new Error(JSON.stringify(sniffed.error));
    expect(recognize(sniffed.value, {})).toMatchObject({ ok: false, error: { code: "import.no-log" } });
  });

  it.each(files.filter((file) => hasNoGpu(file) && !isNoLog(file)))("%s is read and holds no GPU series", async (file) => {
    expect((await read(file)).reading).toMatchObject({ hasGpuSeries: false, rowsPosted: 0, rowsSetAside: 0 });
  });

  it.each(files.filter((file) => !hasNoGpu(file) && !isNoLog(file)))("%s is read without a row set aside", async (file) => {
    const { reading, devices } = await read(file);
    expect(reading).toMatchObject({ hasGpuSeries: true, rowsSetAside: 0 });
    expect(devices.every(({ traces }) => Object.keys(traces).length > 0)).toBe(true);
  });

  it("a busy T4: 20 series without help lines, GPU-Util 91 beside an engine active 0.156205 of the time", async () => {
    const { reading, devices } = await read("dcgm-prometheus/cncf-ericsson-T4-busy.prom");
    expect(reading.rowsRead).toBe(20);
    expect(devices).toMatchObject([{ name: "Tesla T4", accelerator: "nvidia-t4" }]);
    expect(values(devices[0])).toMatchObject({ utilization: 91, "engine-active": Math.fround(15.6205) });
  });

  it("an L4 on AWS: its host is the instance, its memory the three parts together", async () => {
    const { devices } = await read("dcgm-prometheus/cncf-kops-aws-L4.prom");
    expect(devices).toMatchObject([{ host: "i-030791dc5a37cd257", name: "NVIDIA L4", memoryTotalMiB: 23_033 }]);
  });

  it("a sentinel of 19 digits is no value, and a blank may follow the comma between labels", async () => {
    const { reading } = await read("dcgm-prometheus/dcgm-exporter-readme-sentinel.prom");
    expect(reading).toMatchObject({ rowsRead: 6, repairs: { "value-sentinel": 2 } });
  });

  it("XML reports hold one idle GPU each; the oldest states no time", async () => {
    for (const file of files.filter((each) => each.startsWith("nvidia-smi-xml/") && each.endsWith(".xml"))) {
      const { reading, devices } = await read(file);
      expect(devices).toHaveLength(1);
      expect(values(devices[0])["utilization"]).toBe(0);
      expect(reading.repairs["assumed-time"]).toBe(file.includes("1070") ? 1 : undefined);
    }
  });

  it("an exporter's scrape says what the log of the same moment says", async () => {
    for (const [scrape, log] of [["nvidia-h100-80gb-hbm3__590.48.01__load.prom", "nge-h100-load-query-gpu.csv"], ["nvidia-l40s__595.80__load.prom", "nge-l40s-load-query-gpu.csv"]] as const) {
      const [one] = (await read(`nvidia-gpu-exporter-prometheus/${scrape}`)).devices;
      const [other] = (await read(`nvidia-smi-csv/${log}`)).devices;
      expect(values(one)).toEqual(values(other));
      expect(one).toMatchObject({ name: other?.name, memoryTotalMiB: other?.memoryTotalMiB });
    }
  });

  it("an MI210 behind a warning, eight Gaudi that look idle, and a job list without header", async () => {
    const amd = await read("amd/slurm-monitor-rocm-smi-mi210-warning-line.csv");
    expect(amd.devices.map(({ accelerator }) => accelerator)).toEqual(["amd-mi210", "amd-mi210"]);
    const gaudi = await read("intel-habana/slurm-monitor-hl-smi.csv");
    expect(gaudi.devices.map((device) => values(device)["utilization"])).toEqual(expect.arrayContaining([12, 13, 14, 15]));
    expect(gaudi.devices).toHaveLength(8);
    const jobs = await read("slurm/sonar-tests-sacct_output.txt");
    expect(jobs.reading).toMatchObject({ format: "slurm-sacct", rowsRead: 301 });
  });
});

async function read(file: string) {
  const ledger = openMemoryLedger();
  const result = await readPath(ledger, join(samples, file), { timezone: "UTC" });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  const devices = devicesOf(ledger);
  ledger.close();
  return { reading: result.value, devices };
}

/** The one value of each metric of a single poll. */
function values(device: ReadDevice | undefined): Record<string, number> {
  return Object.fromEntries(Object.entries(device?.traces ?? {}).map(([metric, segments]) => [metric, segments[0]?.[2] ?? Number.NaN]));
}
