import { divideHalfEven, multiply as multiplyExactly, type Rational } from "./rational.ts";

export { divideHalfEven } from "./rational.ts";

/** An ISO 4217 code, or a virtual currency as FOCUS allows it. */
export type Currency = string;

/** An exact amount: whole attos (1e-18) of one currency. */
export interface Money {
  readonly attos: bigint;
  readonly currency: Currency;
}

export const ATTOS_PER_UNIT = 10n ** 18n;

/** Decimals an amount keeps: 18 in the ledger, 9 where others reckon in nano-units. The functions here are the same at both. */
export type Scale = 9 | 18;
export const LEDGER_SCALE: Scale = 18;

/** How a source writes amounts: `1234.5`, `1,234.5` or `1.234,5`. Asked for once a file, never guessed row by row. */
export type AmountFormat = "plain" | "comma_thousands" | "euro";

export interface ParsedAmount {
  /** Whole units of 10^-scale, half-even. */
  readonly value: bigint;
  /** The text had digits finer than the scale. */
  readonly rounded: boolean;
  /** Stated minus kept, in units of 1e-36: what rounding took away (or, below 0, added). */
  readonly remainder: bigint;
}

/** Adds two amounts of one currency. Two currencies have no sum: meeting them here is a bug. */
export function addMoney(a: Money, b: Money): Money {
  if (a.currency !== b.currency) throw new TypeError(`an amount in ${a.currency} cannot be added to one in ${b.currency}`);
  return { attos: a.attos + b.attos, currency: a.currency };
}

/** The sum of amounts that are all in `currency`; 0 of it for none. */
export function sumMoney(amounts: Iterable<Money>, currency: Currency): Money {
  let total: Money = { attos: 0n, currency };
  for (const amount of amounts) total = addMoney(total, amount);
  return total;
}

export function sumAttos(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const attos of amounts) total += attos;
  return total;
}

/**
 * Reads an amount exactly (model i.3).
 *
 * accepts   a decimal or E notation, a leading plus or minus, or parentheses for minus; thousands separators only in the
 *           format that has them, and only in whole groups of three
 * rounds    what is finer than the scale, half-even, and says so; `remainder` is what was lost
 * null      anything else: an empty text, a stray separator, digits finer than 1e-36, or an amount whose nano-units do not
 *           fit 64 bits. Never 0 for what could not be read.
 */
export function parseAmount(text: string, { scale = LEDGER_SCALE, format = "plain" }: { readonly scale?: Scale; readonly format?: AmountFormat } = {}): ParsedAmount | null {
  const match = amountPatterns[format].exec(text);
  if (match === null) return null;
  const [, opening, sign, digits = "", exponentText, closing] = match;
  const isInParentheses = opening === "(";
  if (isInParentheses !== (closing === ")") || (isInParentheses && sign !== "")) return null;

  const plain = format === "comma_thousands" ? digits.replaceAll(",", "") : format === "euro" ? digits.replaceAll(".", "").replace(",", ".") : digits;
  const point = plain.indexOf(".");
  const decimals = point === -1 ? 0 : plain.length - point - 1;
  const significant = (point === -1 ? plain : plain.slice(0, point) + plain.slice(point + 1)).replace(/^0+/, "");
  if (significant === "") return { value: 0n, rounded: false, remainder: 0n };

  const exponent = (exponentText === undefined ? 0 : Number(exponentText)) - decimals;
  // Longer than any amount that fits: refused before it is built, so that 1E999999999 costs nothing.
  if (exponent + significant.length > 12) return null;
  const magnitude = atPowerOfTen(significant, exponent + FINEST_DECIMALS);
  if (magnitude === null) return null;
  const exact = isInParentheses || sign === "-" ? -magnitude : magnitude;
  const step = finestPerUnit[scale];
  const value = divideHalfEven(exact, step);
  const nanos = value / nanoSteps[scale];
  if (nanos > INT64_MAX || nanos < INT64_MIN) return null;
  const remainder = exact - value * step;
  return { value, rounded: remainder !== 0n, remainder };
}

/** The exact amount in plain decimal text: no trailing zeros, no exponent, no minus before a zero. */
export function formatAttos(attos: bigint, scale: number = LEDGER_SCALE): string {
  return formatFixed(attos, scale).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

/** Whole units of 10^-decimals as text with exactly that many decimals: `formatFixed(-5n, 2)` is "-0.05". */
export function formatFixed(units: bigint, decimals: number): string {
  const magnitude = units < 0n ? -units : units;
  const sign = units < 0n ? "-" : "";
  if (decimals === 0) return sign + magnitude.toString();
  const digits = magnitude.toString().padStart(decimals + 1, "0");
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * Quantity × unit price, exact, rounded half-even once at the end to the scale (model i.4). Neither factor is rounded before.
 */
export function multiply(quantity: Rational, unitPrice: Rational, scale: Scale = LEDGER_SCALE): bigint {
  const product = multiplyExactly(quantity, unitPrice);
  return divideHalfEven(product.numerator * 10n ** BigInt(scale), product.denominator);
}

/** An amount rounded half-even to a currency's minor digits (JPY 0, USD 2, KWD 3), still in whole units of the scale. */
export function roundHalfEven(amount: bigint, minorDigits: number, scale: Scale = LEDGER_SCALE): bigint {
  const step = minorStep(minorDigits, scale);
  return divideHalfEven(amount, step) * step;
}

export interface DisplayRow {
  readonly id: string;
  readonly amount: bigint;
}

/**
 * Rounds the rows of a table so that what is shown adds to the total shown (model i.6).
 *
 * total   the exact sum, half-even to the minor digits; another where the page already shows it so (off by less than the number of rows)
 * rows    each rounded down; the units still missing from the total go one by one to the largest remainder, then to the
 *         larger absolute amount, then by id
 * unit    whole minor units (cents, yen); `formatFixed(units, minorDigits)` writes them
 */
export function displayRound(
  rows: readonly DisplayRow[],
  minorDigits: number,
  scale: Scale = LEDGER_SCALE,
  shownTotal: bigint | null = null,
): { readonly rows: readonly { readonly id: string; readonly minorUnits: bigint }[]; readonly totalMinorUnits: bigint } {
  const step = minorStep(minorDigits, scale);
  const totalMinorUnits = shownTotal ?? divideHalfEven(sumAttos(rows.map(({ amount }) => amount)), step);
  const floors = rows.map(({ id, amount }, index) => {
    const remainder = ((amount % step) + step) % step;
    return { index, id, amount: amount < 0n ? -amount : amount, remainder, minorUnits: (amount - remainder) / step };
  });
  const missing = Number(totalMinorUnits - sumAttos(floors.map(({ minorUnits }) => minorUnits)));
  const lifted = new Set(
    [...floors]
      .sort((a, b) => descending(a.remainder, b.remainder) || descending(a.amount, b.amount) || compareIds(a.id, b.id))
      .slice(0, missing)
      .map(({ index }) => index),
  );
  return {
    rows: floors.map(({ id, index, minorUnits }) => ({ id, minorUnits: lifted.has(index) ? minorUnits + 1n : minorUnits })),
    totalMinorUnits,
  };
}

/** Ids in the order of their characters, the same in every language. */
export function compareIds(a: string, b: string): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Decimals of the finest part of an amount that is still kept, as the sum of what rounding took away. */
const FINEST_DECIMALS = 36;
const finestPerUnit: Record<Scale, bigint> = { 9: 10n ** 27n, 18: 10n ** 18n };
const nanoSteps: Record<Scale, bigint> = { 9: 1n, 18: 10n ** 9n };
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

const amountPatterns: Record<AmountFormat, RegExp> = {
  plain: /^(\(?)([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d+))?(\)?)$/,
  // A group cannot start with 0: "0,123" is a decimal comma in the wrong file, not a hundred and twenty-three.
  comma_thousands: /^(\(?)([+-]?)(\d+(?:\.\d*)?|[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d+))?(\)?)$/,
  euro: /^(\(?)([+-]?)(\d+(?:,\d*)?|[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?|,\d+)(?:[eE]([+-]?\d+))?(\)?)$/,
};

/** digits × 10^power as a whole number, or null if that has a fraction. */
function atPowerOfTen(digits: string, power: number): bigint | null {
  if (power >= 0) return BigInt(digits) * 10n ** BigInt(power);
  const kept = digits.length + power;
  const isWhole = kept > 0 && /^0*$/.test(digits.slice(kept));
  return isWhole ? BigInt(digits.slice(0, kept)) : null;
}

function minorStep(minorDigits: number, scale: Scale): bigint {
  return 10n ** BigInt(scale - minorDigits);
}

function descending(a: bigint, b: bigint): number {
  return a > b ? -1 : a < b ? 1 : 0;
}
