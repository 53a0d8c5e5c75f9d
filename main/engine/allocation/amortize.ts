/**
 * What period `k` of `periods` bears of an upfront fee (model h.4): ⌊fee·k/periods⌋ − ⌊fee·(k−1)/periods⌋, the sign taken out.
 * Periods are the hours of the term, counted from 1. The parts differ by at most one unit and add to the fee.
 */
export function amortizedPart(fee: bigint, periods: number, k: number): bigint {
  if (!Number.isInteger(periods) || !Number.isInteger(k) || k < 1 || k > periods) throw new RangeError(`period ${k} of ${periods}`);
  const magnitude = fee < 0n ? -fee : fee;
  const part = (magnitude * BigInt(k)) / BigInt(periods) - (magnitude * BigInt(k - 1)) / BigInt(periods);
  return fee < 0n ? -part : part;
}

/** The smallest and the largest of all parts of an amortized fee, without listing them. */
export function amortizedRange(fee: bigint, periods: number): { readonly smallest: bigint; readonly largest: bigint } {
  if (!Number.isInteger(periods) || periods < 1) throw new RangeError(`${periods} periods`);
  const rest = fee % BigInt(periods);
  const near = (fee - rest) / BigInt(periods);
  return { smallest: rest < 0n ? near - 1n : near, largest: rest > 0n ? near + 1n : near };
}
