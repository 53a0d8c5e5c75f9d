/** One piece of advice: on what, what it would save, and what that costs; null where the cost is not known. Whole units of one currency. */
export interface Advice {
  readonly on: string;
  readonly saving: bigint;
  readonly cost: bigint | null;
}

/**
 * What advice would save in all: on each thing the largest only, since a machine that is switched off cannot be made smaller as well, and never
 * more than the thing costs. Advice that saves nothing, or less, counts nothing.
 */
export function identifiedSavings(advice: readonly Advice[]): bigint {
  let total = 0n;
  for (const own of Map.groupBy(advice, ({ on }) => on).values()) {
    const largest = own.reduce((most, { saving }) => (saving > most ? saving : most), 0n);
    const costs = own.flatMap(({ cost }) => (cost === null ? [] : [cost]));
    const cost = costs.length === 0 ? largest : costs.reduce((most, each) => (each > most ? each : most));
    total += largest > cost ? (cost > 0n ? cost : 0n) : largest;
  }
  return total;
}
