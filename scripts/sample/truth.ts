/**
 * What the sample says, known before any importer reads it: sums of the rows as they were written. All money exact decimals, whole
 * GPU-seconds of states by their own arithmetic on the written samples.
 */
import { text, type Attos } from "./money.ts";

export const costNames = ["BilledCost", "EffectiveCost", "ListCost", "ContractedCost"] as const;
export type CostName = (typeof costNames)[number];
/** null where the row states no such cost. */
export type Costs = Readonly<Record<CostName, Attos | null>>;

export interface FileTruth {
  readonly path: string;
  readonly kind: "billing" | "telemetry" | "jobs";
  readonly provider: string | null;
  readonly month: string | null;
  readonly rowsRead: number;
  readonly rowsSetAside: number;
  /** A later file says the same anew. */
  readonly isRestated: boolean;
  readonly totals: Readonly<Record<CostName, string | null>> | null;
  readonly effectiveCorrection: string | null;
}

/** Sums of one group: null as long as no row stated the cost. */
export interface Sums {
  rows: number;
  BilledCost: Attos | null;
  EffectiveCost: Attos | null;
  ListCost: Attos | null;
  ContractedCost: Attos | null;
}

export function emptySums(): Sums {
  return { rows: 0, BilledCost: null, EffectiveCost: null, ListCost: null, ContractedCost: null };
}

export function addTo(sums: Sums, costs: Costs): void {
  sums.rows += 1;
  for (const name of costNames) {
    const cost = costs[name];
    if (cost !== null) sums[name] = (sums[name] ?? 0n) + cost;
  }
}

export function worded(sums: Sums): Readonly<Record<CostName, string | null>> & { readonly rows: number } {
  const word = (attos: Attos | null): string | null => (attos === null ? null : text(attos));
  return { rows: sums.rows, BilledCost: word(sums.BilledCost), EffectiveCost: word(sums.EffectiveCost), ListCost: word(sums.ListCost), ContractedCost: word(sums.ContractedCost) };
}

/** Groups by a key, in the order of their keys. */
export function groupedSums(): { add(key: string, costs: Costs): void; worded(): Record<string, ReturnType<typeof worded>> } {
  const groups = new Map<string, Sums>();
  return {
    add(key, costs) {
      let sums = groups.get(key);
      if (sums === undefined) groups.set(key, (sums = emptySums()));
      addTo(sums, costs);
    },
    worded: () => Object.fromEntries([...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, sums]) => [key, worded(sums)])),
  };
}

/** One machine's cards in one hour, in GPU-seconds. */
export interface ObservedHour {
  known: number;
  useful: number;
  active: number;
  activeUseful: number;
  held: number;
  dead: number;
}

/** A card's samples as written, ascending. */
export interface WrittenSamples {
  readonly count: number;
  readonly ms: Float64Array;
  readonly percent: Float32Array;
  readonly memoryMiB: Float32Array;
}

const longestHoldMs = 900_000;
const shortestIdleMs = 900_000;

/**
 * Adds one card's time to the hours of its machine. A sample holds until the next, at most 15 minutes; idle begins at or under 5 %, ends at
 * or over 10 %, and counts from 15 minutes of known idle time on; idle with a tenth or more of the memory in use is held.
 */
export function observe(samples: WrittenSamples, memoryTotalMiB: number, firstMs: number, hours: Map<number, ObservedHour>): void {
  const { count, ms, percent, memoryMiB } = samples;
  const endOf = (index: number): number => {
    const start = ms[index] as number;
    return index + 1 < count ? Math.min(ms[index + 1] as number, start + longestHoldMs) : start + longestHoldMs;
  };
  const isIdle = new Uint8Array(count);
  for (let from = 0; from < count; ) {
    if ((percent[from] as number) > 5) {
      from += 1;
      continue;
    }
    let to = from;
    let idleMs = 0;
    while (to < count && (percent[to] as number) < 10 && (to === from || ms[to] === endOf(to - 1))) {
      idleMs += endOf(to) - (ms[to] as number);
      to += 1;
    }
    if (idleMs >= shortestIdleMs) isIdle.fill(1, from, to);
    from = to;
  }
  for (let index = 0; index < count; index += 1) {
    const end = endOf(index);
    for (let start = ms[index] as number; start < end; ) {
      const hour = Math.floor((start - firstMs) / 3_600_000);
      const cut = Math.min(end, firstMs + (hour + 1) * 3_600_000);
      const seconds = (cut - start) / 1000;
      const useful = (seconds * (percent[index] as number)) / 100;
      let sum = hours.get(hour);
      if (sum === undefined) hours.set(hour, (sum = { known: 0, useful: 0, active: 0, activeUseful: 0, held: 0, dead: 0 }));
      sum.known += seconds;
      sum.useful += useful;
      if (isIdle[index] === 0) {
        sum.active += seconds;
        sum.activeUseful += useful;
      } else if ((memoryMiB[index] as number) / memoryTotalMiB >= 0.1) sum.held += seconds;
      else sum.dead += seconds;
      start = cut;
    }
  }
}
