/** What `nvidia-smi -q` says of one GPU, as XML or as text, under one set of names, and how it becomes a sample. */
import { readQuantityText, scaledColumn } from "./cells.ts";
import type { LogSink } from "./format.ts";
import { missingReason } from "./cells.ts";
import { normalizedPciBusId, normalizedUuid } from "./identity.ts";
import { isLowTrust } from "./polled-devices.ts";
import type { PolledDevice } from "./polled-devices.ts";

export const gpuFacts = ["name", "uuid", "persistence", "mig", "memory-total", "memory-used", "utilization", "power", "power-average", "power-instant"] as const;
export type GpuFact = (typeof gpuFacts)[number];

const percent = scaledColumn("percent");
const mebibytes = scaledColumn("memory");
const watts = scaledColumn("power");

/** `pciId` stands at the head of the GPU's part. `isFirst`: nothing of the GPU came before. */
export function deviceOfFacts(facts: ReadonlyMap<GpuFact, string>, { pciId, time, isFirst }: { readonly pciId: string; readonly time: string | null; readonly isFirst: boolean }, sink: LogSink): PolledDevice {
  const stated = (...names: readonly GpuFact[]): string | null => {
    const present = names.map((name) => facts.get(name)).filter((text) => text !== undefined);
    // The first that states a value; where none does, the reason is that of the last.
    return present.find((text) => missingReason(text) === null) ?? present.at(-1) ?? null;
  };
  const read = (column: typeof percent, text: string | null): number => (text === null ? Number.NaN : readQuantityText(column, text, sink));
  const isSplit = /^enabled$/i.test(stated("mig") ?? "");
  const memoryUsed = read(mebibytes, stated("memory-used"));
  let power = read(watts, stated("power-average", "power", "power-instant"));
  let utilization = Number.NaN;
  if (isSplit) sink.repaired("mig-utilization-unknown");
  else utilization = read(percent, stated("utilization"));
  if (isFirst && isLowTrust(utilization, memoryUsed, stated("persistence")?.toLowerCase() ?? null)) {
    sink.repaired("low-trust-sample");
    utilization = Number.NaN;
    power = Number.NaN;
  }
  const total = facts.get("memory-total");
  const memoryTotalMiB = total === undefined || missingReason(total) !== null ? Number.NaN : read(mebibytes, total);
  return {
    time,
    host: null,
    uuid: normalizedUuid(stated("uuid") ?? ""),
    pciBusId: normalizedPciBusId(pciId),
    index: null,
    name: facts.get("name") ?? "",
    memoryTotalMiB,
    values: [Float64Array.of(utilization, memoryUsed, power)],
  };
}
