import { findAlias } from "./alias.ts";
import { type Accelerator, migProfile, type Reference } from "./catalog.ts";

export interface DeviceName {
  /** As telemetry prints it: "NVIDIA A100-SXM4-40GB", "GRID A100-10C", "Arcturus GL-XL [Instinct MI100]". */
  readonly name: string;
  readonly memoryTotalMiB: number | null;
}

export interface DeviceRecognition {
  /** Null when the name fits several parts and the memory does not decide. */
  readonly acceleratorId: string | null;
  /** The accelerator's family, the label reports group by. Null when the name is none we know. */
  readonly model: string | null;
  /** Part of one accelerator that this device is: 1, a MIG or vGPU share, 0.5 for one die of two. Null when unknown. */
  readonly share: number | null;
  readonly reason: DeviceReason;
}

export type DeviceReason = "name" | "name-and-memory" | "ambiguous" | "vgpu" | "mig" | "unknown";

/**
 * Which accelerator a telemetry device name means: the longest known name that stands in it as whole words, ties broken by total memory.
 * Rules and names: NVIDIA's device tables, AMD's pci.ids texts in brackets, Kubernetes labels.
 */
export function recognizeDevice(reference: Reference, device: DeviceName): DeviceRecognition {
  const name = partInBrackets(device.name.trim());
  const mig = /^(.*?)[ _-]*MIG[ _-]+(\d+g[._-]\d+gb[+a-z.-]*)/i.exec(name);
  if (mig !== null) return migDevice(reference, mig[1] ?? "", (mig[2] ?? "").toLowerCase().replace(/^(\d+g)[_-]/, "$1."));
  const virtual = /^(?:NVIDIA[ _-]+)?(?:GRID[ _-]+)?(.+?)-(?:(\d)-)?(\d+)[ABCQ](?:_?ME)?$/i.exec(name);
  if (virtual !== null) {
    const recognized = virtualDevice(reference, virtual[1] ?? "", virtual[2] === undefined ? null : Number(virtual[2]), Number(virtual[3]));
    if (recognized !== null) return recognized;
  }
  return wholeDevice(reference, name, device.memoryTotalMiB);
}

function wholeDevice(reference: Reference, name: string, memoryTotalMiB: number | null): DeviceRecognition {
  const { candidates, preferred } = candidatesFor(reference, name);
  if (candidates.length === 0) return { acceleratorId: null, model: null, share: null, reason: "unknown" };
  const only = candidates.length === 1 ? candidates[0] : undefined;
  if (only !== undefined) return { acceleratorId: only.id, model: only.family, share: dieShare(only, memoryTotalMiB), reason: "name" };
  const byMemory = memoryTotalMiB === null ? null : nearestByMemory(candidates, preferred, memoryTotalMiB);
  if (byMemory !== null) return { acceleratorId: byMemory.id, model: byMemory.family, share: dieShare(byMemory, memoryTotalMiB), reason: "name-and-memory" };
  const byName = preferred.length === 1 ? preferred[0] : undefined;
  if (byName !== undefined) return { acceleratorId: byName.id, model: byName.family, share: dieShare(byName, memoryTotalMiB), reason: "name" };
  return { acceleratorId: null, model: candidates[0]?.family ?? null, share: 1, reason: "ambiguous" };
}

/** The parts that a name may mean, and those whose full name it holds. A memory figure in the name ("64GB") narrows both. */
function candidatesFor(reference: Reference, name: string): { candidates: readonly Accelerator[]; preferred: readonly Accelerator[] } {
  const match = findAlias(reference.lookups.aliases, name);
  if (match === null) return { candidates: [], preferred: [] };
  const part = (id: string): Accelerator[] => {
    const accelerator = reference.lookups.acceleratorById.get(id);
    return accelerator === undefined ? [] : [accelerator];
  };
  const candidates = match.ids.flatMap(part);
  const gigabytes = /(?<![A-Za-z0-9])(\d+)\s?GB?(?![A-Za-z0-9])/i.exec(name)?.[1];
  const fitting = gigabytes === undefined ? [] : candidates.filter(({ memoryGb }) => memoryGb === Number(gigabytes));
  return { candidates: fitting.length > 0 ? fitting : candidates, preferred: match.exact.flatMap(part) };
}

/**
 * The candidate whose memory is nearest and within 8 %: GDDR boards with ECC show 1/16 less than the vendor's GB, and the vendor's
 * GB are sometimes GiB. Parts that differ only in form (PCIe, SXM) have the same memory and stay undecided, unless the full name prefers one.
 */
function nearestByMemory(candidates: readonly Accelerator[], preferred: readonly Accelerator[], memoryTotalMiB: number): Accelerator | null {
  const gibibytes = memoryTotalMiB / 1024;
  const distance = (part: Accelerator): number => {
    const expected = part.memoryUsableGib ?? part.memoryGb;
    return expected === null ? Infinity : Math.abs(gibibytes / (expected / part.devicesPerUnit) - 1);
  };
  const least = Math.min(...candidates.map(distance));
  if (least > 0.08) return null;
  const nearest = candidates.filter((part) => distance(part) === least);
  const favorite = nearest.filter((part) => preferred.includes(part));
  return nearest.length === 1 ? (nearest[0] ?? null) : favorite.length === 1 ? (favorite[0] ?? null) : null;
}

/** Drivers show one device per die of a two-die module. */
function dieShare(part: Accelerator, memoryTotalMiB: number | null): number {
  if (part.devicesPerUnit === 1) return 1;
  const seesWholeModule = memoryTotalMiB !== null && part.memoryGb !== null && memoryTotalMiB / 1024 > part.memoryGb * 0.75;
  return seesWholeModule ? 1 : 1 / part.devicesPerUnit;
}

function migDevice(reference: Reference, board: string, profile: string): DeviceRecognition {
  const { candidates, preferred } = candidatesFor(reference, board);
  // Of the cards that go by this name, those that have such a profile: "NVIDIA A100" with 3g.40gb can only be an 80 GB card.
  const able = candidates.filter(({ id }) => migProfile(reference, profile, id) !== null);
  const open = able.length > 0 ? able : candidates;
  const favorite = open.filter((part) => preferred.includes(part));
  const card = open.length === 1 ? open[0] : favorite.length === 1 ? favorite[0] : undefined;
  const shares = new Set(able.map(({ id }) => migProfile(reference, profile, id)?.share ?? null));
  const share = card !== undefined ? (migProfile(reference, profile, card.id)?.share ?? null) : shares.size === 1 ? ([...shares][0] ?? null) : null;
  return { acceleratorId: card?.id ?? null, model: open[0]?.family ?? null, share, reason: "mig" };
}

/** GB of the boards that vGPU names tell apart by a letter: `D` is the doubled board, `L` the 94 GB H100. */
const virtualBoardGb: Readonly<Record<string, number>> = { V100: 16, V100D: 32, P100: 16, A100: 40, A100D: 80, H100: 80, H100L: 94, H200: 141 };

/** `GRID A100D-1-20C`: board A100 80 GB, one MIG slice, 20 GB. The share is the larger of memory and slices. Null: not a board we know. */
function virtualDevice(reference: Reference, board: string, slices: number | null, gigabytes: number): DeviceRecognition | null {
  const letters = /^(V100|P100|A100|H100|H200)(D|L)?(?:X|XM|S)?$/i.exec(board);
  const boardGb = letters === null ? undefined : virtualBoardGb[`${letters[1] ?? ""}${letters[2] ?? ""}`.toUpperCase()];
  const { candidates } = candidatesFor(reference, letters?.[1] ?? board);
  const fitting = boardGb === undefined ? candidates : candidates.filter(({ memoryGb }) => memoryGb === boardGb);
  const first = fitting[0];
  if (first === undefined) return null;
  const wholeGb = boardGb ?? first.memoryGb;
  const sameMemory = fitting.every(({ memoryGb }) => memoryGb === first.memoryGb);
  const memoryShare = wholeGb === null || !sameMemory ? null : Math.min(1, gigabytes / wholeGb);
  const share = memoryShare === null ? null : slices === null ? memoryShare : Math.max(memoryShare, slices / 7);
  return { acceleratorId: fitting.length === 1 ? first.id : null, model: first.family, share, reason: "vgpu" };
}

/** AMD tools print the chip and, in brackets, the product: only the product is looked up. */
function partInBrackets(name: string): string {
  return /\[([^\]]+)\]\s*$/.exec(name)?.[1] ?? name;
}
