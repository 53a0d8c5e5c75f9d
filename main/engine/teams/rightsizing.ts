/** Machines whose cards are larger than what runs on them: a slice or a smaller card of the same cloud would do. */
import { ATTOS_PER_UNIT, multiply, sumAttos } from "../../../shared/domain/money.ts";
import { fromNumber, rational } from "../../../shared/domain/rational.ts";
import { smallerFit } from "../findings/smaller-fit.ts";
import type { GpuHourRow } from "../metrics/gpu-hours-where-met.ts";
import { attosPerHour, coverageOf, sumHours } from "../metrics/metric.ts";
import { acceleratorById } from "../reference/catalog.ts";
import { deviceMonth, type UtilizationLevel } from "../reports/device-month.ts";
import type { Gathered } from "../reports/gather.ts";

/** One machine that could be smaller. Attos of the period. */
export interface Rightsizing {
  readonly resource: string;
  readonly host: string | null;
  readonly team: string | null;
  readonly gpuModel: string | null;
  /** What would do: a MIG profile of its card, or another card. */
  readonly to: string;
  readonly saving: bigint;
  readonly cost: bigint;
}

/** What is not observed may have been at work. */
const LEAST_COVERAGE = 0.8;

/**
 * What each machine could be instead, from the memory its cards had in use at most and the utilisation they stayed under 95 % of the time.
 *
 * slice    saving = cost × (1 − the slice's share of the card): true where others use the rest
 * card     saving = cost − GPU-hours × what the ledger pays an hour for that card, bought the same way, in the same period; not said without
 * counts   what was bought on demand or as spot: what is committed costs the same whatever runs on it
 */
export function rightsizings(gathered: Gathered): Rightsizing[] {
  const { context, months } = gathered;
  const rows = gathered.gpuHours();
  const hosts = new Map(gathered.hosts().map(({ resource, host }) => [resource.toLowerCase(), host]));
  const levels = Map.groupBy(months.flatMap((month) => deviceMonth(context, month).levels), ({ host }) => host);
  return [...Map.groupBy(rows.filter(({ resource }) => resource !== null), ({ resource }) => resource ?? "")].flatMap(([resource, own]): Rightsizing[] => {
    const host = hosts.get(resource.toLowerCase());
    const seen = host === undefined ? [] : (levels.get(host) ?? []);
    const stoppable = own.filter(({ purchaseOption }) => purchaseOption === "on-demand" || purchaseOption === "spot");
    const [sample] = stoppable;
    const accelerator = acceleratorById(context.reference, sample?.acceleratorId ?? null);
    const peak = seen.reduce<number | null>((most, { memoryPeak }) => (memoryPeak === null ? most : Math.max(most ?? 0, memoryPeak)), null);
    const covered = coverageOf(sumHours(own.map(({ knownGpuHours }) => knownGpuHours)), sumHours(own.map(({ gpuHours }) => gpuHours)));
    if (sample === undefined || accelerator === null || accelerator.memoryGb === null || peak === null || covered < LEAST_COVERAGE) return [];
    const cost = sumAttos(stoppable.map(({ costAttos }) => costAttos));
    const fit = smallerFit(context.reference, { acceleratorId: accelerator.id, memoryPeakMiB: (peak * accelerator.memoryGb * 1e9) / 1_048_576, computeShare: highest(seen), provider: sample.provider });
    if (fit === null) return [];
    const { slice, card } = fit;
    const options: { readonly to: string; readonly saving: bigint }[] = [];
    if (slice !== null) options.push({ to: `MIG ${slice.profile}`, saving: cost - (cost * BigInt(Math.round(slice.share * 1e6))) / 1_000_000n });
    const price = card === null ? null : pricePerHour(rows, card.id, sample);
    if (card !== null && price !== null) options.push({ to: card.label, saving: cost - multiply(fromNumber(sumHours(stoppable.map(({ pricedGpuHours }) => pricedGpuHours))), rational(price, ATTOS_PER_UNIT)) });
    const best = options.reduce<(typeof options)[number] | null>((most, option) => (most === null || option.saving > most.saving ? option : most), null);
    return best === null || best.saving <= 0n ? [] : [{ resource, host: host ?? null, team: sample.team, gpuModel: sample.gpuModel, to: best.to, saving: best.saving, cost }];
  });
}

/** The utilisation that is not exceeded 95 % of the time, by the hours' means. */
function highest(levels: readonly UtilizationLevel[]): number {
  const ordered = levels.toSorted((a, b) => a.level - b.level);
  let left = 0.95 * ordered.reduce((total, { seconds }) => total + seconds, 0);
  for (const { level, seconds } of ordered) {
    left -= seconds;
    if (left <= 0) return level;
  }
  return ordered.at(-1)?.level ?? 0;
}

/** What an hour of another card costs that was bought the same way from the same provider, in attos; null where none was. */
function pricePerHour(rows: readonly GpuHourRow[], acceleratorId: string, { provider, purchaseOption }: GpuHourRow): bigint | null {
  const same = rows.filter((row) => row.acceleratorId === acceleratorId && row.provider === provider && row.purchaseOption === purchaseOption);
  return attosPerHour(sumAttos(same.map(({ costAttos }) => costAttos)), sumHours(same.map(({ pricedGpuHours }) => pricedGpuHours)));
}
