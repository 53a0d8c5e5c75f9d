/** Whether what a device needs fits a slice of its card, or a smaller card. For findings, and for whoever plans actions. */
import { peakTflops, type Accelerator, type MigProfile, type Reference } from "../reference/catalog.ts";
import { providerOf } from "../reference/type-names.ts";

export interface DeviceNeed {
  readonly acceleratorId: string;
  /** The most memory that was in use. */
  readonly memoryPeakMiB: number;
  /** Share of the card's compute that was in use 95 % of the time: of SM activity, or of an upper bound of it. */
  readonly computeShare: number;
  /** Who rents it out: only cards of theirs are proposed. null: any. */
  readonly provider: string | null;
}
export interface SmallerFit {
  readonly needGb: number;
  readonly slice: MigProfile | null;
  readonly card: Accelerator | null;
}

/** Room above the highest peak: a peak that nobody saw must fit too. */
const HEADROOM = 1.1;
/** A slice or card is worth the change only from so much less on. */
const WORTH_UP_TO = 0.75;
/** Older cards lack what today's software needs. */
const FROM_YEAR = 2018;

/** The smallest MIG slice and the smallest card that hold the memory with a tenth to spare and have the compute. null: the card is not known. */
export function smallerFit(reference: Reference, { acceleratorId, memoryPeakMiB, computeShare, provider }: DeviceNeed): SmallerFit | null {
  const own = reference.lookups.acceleratorById.get(acceleratorId);
  if (own === undefined || own.memoryGb === null) return null;
  const needGb = (memoryPeakMiB * 1_048_576 * HEADROOM) / 1e9;
  const [slice = null] = reference.migProfiles
    .filter((profile) => profile.acceleratorId === acceleratorId && profile.memoryGb >= needGb && profile.computeShare >= computeShare && profile.share <= WORTH_UP_TO)
    .sort((a, b) => a.share - b.share || a.memoryGb - b.memoryGb);
  const peak = rateOf(own);
  const rentedBy = providerOf(provider);
  const offered = rentedBy === null ? null : (reference.lookups.acceleratorsOfProvider.get(rentedBy) ?? null);
  const ownMemory = own.memoryGb;
  const [card = null] = peak === null ? [] : reference.accelerators
    .filter((other) => {
      const rate = rateOf(other);
      return other.vendor === own.vendor && other.family !== own.family && (other.releaseYear ?? 0) >= FROM_YEAR && (offered === null || offered.has(other.id)) &&
        other.memoryGb !== null && other.memoryGb >= needGb && other.memoryGb <= ownMemory * WORTH_UP_TO && rate !== null && rate >= computeShare * peak && rate <= peak * WORTH_UP_TO;
    })
    .sort((a, b) => (rateOf(a) ?? 0) - (rateOf(b) ?? 0) || (a.memoryGb ?? 0) - (b.memoryGb ?? 0) || (a.id < b.id ? -1 : 1));
  return { needGb, slice, card };
}

function rateOf(accelerator: Accelerator): number | null {
  return peakTflops(accelerator, "bf16") ?? peakTflops(accelerator, "fp16");
}
