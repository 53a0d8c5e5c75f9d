import { describe, expect, it } from "vitest";
import { openMemoryLedger } from "../../../../main/engine/store/open.ts";
import { devicesOf, readFresh, readText } from "./read-log.ts";

const uuid = (digit: number) => `0000000${digit}-0000-0000-0000-000000000001`;
const named = (digits: readonly number[]) =>
  `timestamp, index, uuid, name, utilization.gpu [%]\n${digits.map((digit) => `2026/09/01 10:0${digit}:00.000, ${digit - 1}, GPU-${uuid(digit)}, NVIDIA L4, 50 %`).join("\n")}\n`;
const byIndex = "timestamp, index, name, utilization.gpu [%]\n2026/09/01 11:00:00.000, 0, NVIDIA L4, 80 %\n2026/09/01 11:00:00.010, 1, NVIDIA L4, 90 %\n";
const options = { timezone: "UTC", host: "node-a" };

async function keysAfter(...logs: readonly (readonly [string, string?])[]): Promise<readonly (readonly [string, number])[]> {
  const ledger = openMemoryLedger();
  for (const [text, host = "node-a"] of logs) expect((await readText(ledger, text, { ...options, host })).ok).toBe(true);
  const devices = devicesOf(ledger).map(({ key, traces }) => [key, traces["utilization"]?.length ?? 0] as const);
  ledger.close();
  return devices;
}

describe("one GPU under two names", () => {
  it("is one device where a log of its host ties UUID and index, whichever came first", async () => {
    const both = [[uuid(1), 2], [uuid(2), 2]];
    expect(await keysAfter([named([1, 2])], [byIndex])).toEqual(both);
    expect(await keysAfter([byIndex], [named([1, 2])])).toEqual(both);
  });

  it("stays two where the host is another, or two cards had that place", async () => {
    expect((await keysAfter([named([1])], [byIndex, "node-b"])).map(([key]) => key)).toEqual([uuid(1), "node-b/index/0", "node-b/index/1"]);
    const swapped = named([1]).replace(/GPU-0{7}1/, "GPU-0000000f");
    expect((await keysAfter([named([1])], [swapped], [byIndex])).map(([key]) => key)).toContain("node-a/index/0");
  });
});

const scrape = (lines: readonly string[]) => `# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n${lines.join("\n")}\n`;
const labels = (more: string) => `{gpu="0",UUID="GPU-${uuid(1)}",modelName="NVIDIA A100-SXM4-80GB",Hostname="node-a"${more}}`;

describe("parts of a GPU", () => {
  it("MIG instances are devices of their own with their share of the card; GPU-Util is none of theirs", async () => {
    const slice = (id: number) => labels(`,GPU_I_ID="${id}",GPU_I_PROFILE="1g.10gb"`);
    const { reading, devices } = await readFresh(
      scrape([1, 2].flatMap((id) => [`DCGM_FI_DEV_GPU_UTIL${slice(id)} 99`, `DCGM_FI_PROF_GR_ENGINE_ACTIVE${slice(id)} 0.${id}`, `DCGM_FI_DEV_FB_USED${slice(id)} ${id * 1000}`, `DCGM_FI_DEV_POWER_USAGE${slice(id)} 300`])),
      {}, "metrics.prom",
    );
    expect(reading.repairs["mig-utilization-unknown"]).toBe(2);
    expect(devices.map(({ key, name, accelerator, traces }) => [key, name, accelerator, Object.fromEntries(Object.entries(traces).map(([metric, [first]]) => [metric, Math.round(first?.[2] ?? -1)]))])).toEqual([
      [uuid(1), "NVIDIA A100-SXM4-80GB", "nvidia-a100-sxm4-80gb", { power: 300 }],
      [`mig-gpu-${uuid(1)}/1/0`, "NVIDIA A100-SXM4-80GB MIG 1g.10gb", "nvidia-a100-sxm4-80gb", { "engine-active": 10, "memory-used": 1000 }],
      [`mig-gpu-${uuid(1)}/2/0`, "NVIDIA A100-SXM4-80GB MIG 1g.10gb", "nvidia-a100-sxm4-80gb", { "engine-active": 20, "memory-used": 2000 }],
    ]);
  });

  it("a GPU that several pods share keeps one value, and says so; pods one after another do not", async () => {
    const json = (pods: readonly (readonly [string, number])[]) => pods.map(([pod, from]) => JSON.stringify({ metric: { __name__: "DCGM_FI_DEV_GPU_UTIL", UUID: `GPU-${uuid(1)}`, gpu: "0", Hostname: "node-a", exported_pod: pod }, values: [50, 50, 50], timestamps: [0, 1, 2].map((minute) => Date.parse("2026-09-01T10:00:00Z") + (from + minute) * 60_000) })).join("\n");
    const together = await readFresh(json([["a", 0], ["b", 0]]), {}, "metrics.jsonl");
    expect([together.reading.repairs["shared-gpu"], together.devices.length]).toEqual([1, 1]);
    expect((await readFresh(json([["a", 0], ["b", 3]]), {}, "metrics.jsonl")).reading.repairs["shared-gpu"]).toBeUndefined();
  });
});
