/** Money as the fold holds it: whole nanos and attos below in doubles that stay exact, and a bigint of attos for what they cannot hold. */

export const NANO = 1_000_000_000n;
export const ATTO_DECIMALS = 18;
/** Sums of what is below an atto are kept in 1e-36. */
export const RESIDUE_DECIMALS = 36;

/** An amount of one cell does not fit the store: 9.2 billion units of currency. */
export class CellOutOfRange extends Error {}

export function attosOf(nanos: number, rest: number): bigint {
  return BigInt(nanos) * NANO + BigInt(rest);
}

/** Nanos and a rest of 0 to below a nano. */
export function joined(nanos: number, rest: number): { nanos: number | bigint; rest: number } {
  if (rest === 0) return { nanos, rest: 0 };
  const carry = Math.floor(rest / 1e9);
  return { nanos: nanos + carry, rest: rest - carry * 1e9 };
}

/** The same of attos. Throws `CellOutOfRange` beyond what the store holds. */
export function split(attos: bigint): { nanos: bigint; rest: number } {
  const nanos = floorDivide(attos, NANO);
  if (nanos > 2n ** 63n - 1n || nanos < -(2n ** 63n)) throw new CellOutOfRange();
  return { nanos, rest: Number(attos - nanos * NANO) };
}

export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}
