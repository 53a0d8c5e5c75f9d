import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sniff } from "../../main/engine/import/sniff.ts";
import { openMemoryLedger } from "../../main/engine/store/open.ts";
import type { ReadDevice } from "../main/engine/import/read-log.ts";
import { devicesOf, readPath } from "../main/engine/import/read-log.ts";

/** Real logs, where they are at hand: `../shared/samples/telemetry` beside the project. */
const samples = join(import.meta.dirname, "../../../shared/samples/telemetry");
const isPresent = existsSync(samples);

describe.skipIf(!isPresent)("real nvidia-smi logs (skipped where ../shared/samples is absent)", () => {
  const folder = join(samples, "nvidia-smi-csv");

  it.each(isPresent ? readdirSync(folder) : [])("%s is read without a row set aside", async (file) => {
    const { reading } = await read(file);
    expect(reading).toMatchObject({ rowsSetAside: 0, hasGpuSeries: true });
    expect(reading.rowsRead).toBe(reading.devices);
  });

  it("a T4 has no average power: the cell is unknown, the instant is read; utilization is 2", async () => {
    const { devices } = await read("virtualclient-query-gpu-1xT4-NA.csv");
    expect(devices).toMatchObject([{ name: "Tesla T4", accelerator: "nvidia-t4", memoryTotalMiB: 15_360 }]);
    expect(values(devices[0])).toEqual({ utilization: 2, "memory-used": 100, power: Math.fround(9.31) });
  });

  it("an H100 with MIG on has 212 columns, draws 433.78 W, and its utilization is unknown, not idle", async () => {
    const sniffed = await sniff(join(folder, "nge-h100-mig-load-query-gpu.csv"));
    expect(sniffed.ok && sniffed.value.header.length).toBe(212);
    const { devices, reading } = await read("nge-h100-mig-load-query-gpu.csv");
    expect(values(devices[0])).toEqual({ "memory-used": 11_125, power: Math.fround(433.78) });
    expect(reading.repairs).toEqual({ "mig-utilization-unknown": 1 });
  });

  it("the first query of an idle L40S is not trusted: 100 % with no memory held", async () => {
    const { devices, reading } = await read("nge-l40s-idle-query-gpu.csv");
    expect(reading.telemetry.lowTrustSamples).toBe(1);
    expect(values(devices[0])).toEqual({ "memory-used": 0 });
  });

  it("sixteen V100 in one poll without a time, bare numbers", async () => {
    const { devices, reading } = await read("slurm-monitor-v100x16-nounits.csv");
    expect(reading).toMatchObject({ devices: 16, rowsRead: 16, repairs: { "assumed-time": 16 } });
    const busy = devices.find(({ key }) => key === "3410aa41-502b-5cf1-d8c4-58dc1c22fbc9");
    expect(values(busy)).toEqual({ utilization: 98, "memory-used": 11_149, power: Math.fround(383.55) });
  });

  it.each([
    ["nge-h100-load-query-gpu.csv", { utilization: 100, "memory-used": 19_818, power: Math.fround(631.95) }],
    ["nge-h200-load-query-gpu.csv", { utilization: 100, "memory-used": 32_362, power: Math.fround(627.4) }],
    ["nge-l40s-load-query-gpu.csv", { utilization: 9, "memory-used": 1235, power: Math.fround(110.23) }],
    ["nge-win-2080s-idle-query-gpu.csv", { utilization: 0, "memory-used": 797, power: 39.25 }],
    ["virtualclient-query-gpu-1xH100.csv", { utilization: 1, "memory-used": 3, power: Math.fround(70.89) }],
  ])("%s says what its cells say", async (file, expected) => {
    expect(values((await read(file)).devices[0])).toEqual(expected);
  });

  const read = (file: string) => readSample(join(folder, file));
});

describe.skipIf(!isPresent)("real dmon logs and Prometheus answers (skipped where ../shared/samples is absent)", () => {
  const folder = join(samples, "nvidia-smi-dmon");

  it.each(isPresent ? readdirSync(folder) : [])("%s is read without a row set aside, its times assumed", async (file) => {
    const { reading, devices } = await readSample(join(folder, file));
    expect(reading).toMatchObject({ rowsSetAside: 0, devices: 1, repairs: { "assumed-time": reading.rowsRead } });
    expect(devices[0]?.traces["utilization"] === undefined).toBe(file.includes("mig"));
    expect(devices[0]?.traces["power"]).toBeDefined();
  });

  it("the example of the Prometheus manual is read and holds no GPU", async () => {
    const { reading } = await readSample(join(samples, "prometheus-api", "query_range-doc-example.json"));
    expect(reading).toMatchObject({ rowsRead: 6, rowsPosted: 0, devices: 0, hasGpuSeries: false });
  });
});

async function readSample(path: string) {
  const ledger = openMemoryLedger();
  const result = await readPath(ledger, path, { timezone: "UTC" });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  const devices = devicesOf(ledger);
  ledger.close();
  return { reading: result.value, devices };
}

/** The one value of each metric of a single poll. */
function values(device: ReadDevice | undefined): Record<string, number> {
  return Object.fromEntries(Object.entries(device?.traces ?? {}).map(([metric, segments]) => [metric, segments[0]?.[2] ?? Number.NaN]));
}
