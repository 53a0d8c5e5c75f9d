import { divideHalfEven } from "../../../shared/domain/money.ts";

/** What a cell of decimals turned out to be. */
export const EMPTY = 0;
/** In the counters. */
export const READ = 1;
/** Exact, but too large for the counters, or finer than an atto: in `big` (attos, or 1e-9 of a quantity) and `residue`. */
export const WIDE = 2;
/** A word that means nothing was stated. */
export const NULL_TEXT = 3;
export const NO_DECIMAL = -1;
export const OUT_OF_RANGE = -2;

/** A counter stays below this, so that adding two never loses a digit of a double. */
export const COUNTER_LIMIT = 2 ** 52;
const LARGEST_WHOLE = Math.floor(COUNTER_LIMIT / 1e9) - 1;
const NANOS = 1e9;

/**
 * Reads decimals straight from bytes into integers, without floats in between (maths i.3).
 *
 * accepts   a decimal or E notation, a leading plus or minus, quotes and blanks around it
 * counters  `nanos[slot]` whole 1e-9 and `rest[slot]` the attos below, of the same sign; together exactly what is stated
 * wide      `big[slot]` holds attos, half-even where the text is finer, and `residue[slot]` what that took away, in 1e-36
 */
export interface DecimalReader {
  readonly nanos: Float64Array;
  readonly rest: Float64Array;
  readonly big: bigint[];
  readonly residue: bigint[];
  /** Reads bytes [start, end) as an amount of money into a slot; the answer is one of the codes above. */
  money(bytes: Uint8Array, start: number, end: number, slot: number): number;
  /** The same for a quantity: 1e-9, half-even; `big` then holds 1e-9s. */
  quantity(bytes: Uint8Array, start: number, end: number, slot: number): number;
  /** Cells so far that had a sign of currency before or behind their amount. */
  currencySigns(): number;
  /** Counts on from so many: what was read since will be read again. */
  countSignsFrom(signs: number): void;
}

const QUOTE = 34;
const BLANK = 32;
/** Some exporters put one beside a number so that no spreadsheet rounds it. */
const TAB = 9;
const PLUS = 43;
const MINUS = 45;
const ZERO = 48;
const powers = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

export function createDecimalReader({ slots, mark, nullTexts }: { readonly slots: number; readonly mark: "." | ","; readonly nullTexts: readonly string[] }): DecimalReader {
  const nanos = new Float64Array(slots);
  const rest = new Float64Array(slots);
  const big: bigint[] = new Array<bigint>(slots).fill(0n);
  const residue: bigint[] = new Array<bigint>(slots).fill(0n);
  const markByte = mark.charCodeAt(0);
  const nulls = new Set(nullTexts.map((text) => text.toLowerCase()));
  let sign: string | null = null;
  let signs = 0;

  function read(bytes: Uint8Array, from: number, to: number, slot: number, isQuantity: boolean): number {
    let start = from;
    let end = to;
    if (start < end && bytes[start] === QUOTE && end - start > 1 && bytes[end - 1] === QUOTE) {
      start += 1;
      end -= 1;
    }
    while (start < end && (bytes[start] === BLANK || bytes[start] === TAB)) start += 1;
    while (end > start && (bytes[end - 1] === BLANK || bytes[end - 1] === TAB)) end -= 1;
    if (start === end) return EMPTY;

    let at = start;
    const first = bytes[at];
    const isNegative = first === MINUS;
    if (isNegative || first === PLUS) at += 1;
    const wholeStart = at;
    let whole = 0;
    while (at < end) {
      const digit = (bytes[at] as number) - ZERO;
      if (digit < 0 || digit > 9) break;
      whole = whole * 10 + digit;
      at += 1;
    }
    let digits = at - wholeStart;
    let upper = 0;
    let lower = 0;
    if (at < end && bytes[at] === markByte) {
      at += 1;
      const upperStart = at;
      const upperEnd = end < at + 9 ? end : at + 9;
      while (at < upperEnd) {
        const digit = (bytes[at] as number) - ZERO;
        if (digit < 0 || digit > 9) break;
        upper = upper * 10 + digit;
        at += 1;
      }
      const upperDigits = at - upperStart;
      digits += upperDigits;
      upper *= powers[9 - upperDigits] as number;
      if (upperDigits === 9 && at < end) {
        const lowerStart = at;
        const lowerEnd = end < at + 9 ? end : at + 9;
        while (at < lowerEnd) {
          const digit = (bytes[at] as number) - ZERO;
          if (digit < 0 || digit > 9) break;
          lower = lower * 10 + digit;
          at += 1;
        }
        const lowerDigits = at - lowerStart;
        lower *= powers[9 - lowerDigits] as number;
        if (lowerDigits === 9) while (at < end && bytes[at] === ZERO) at += 1;
      }
    }
    if (at === end && digits > 0 && whole <= LARGEST_WHOLE) {
      let value = whole * NANOS + upper;
      if (isQuantity) {
        if (lower > 500_000_000 || (lower === 500_000_000 && value % 2 === 1)) value += 1;
        nanos[slot] = isNegative ? 0 - value : value;
      } else {
        nanos[slot] = isNegative ? 0 - value : value;
        rest[slot] = isNegative ? 0 - lower : lower;
      }
      return READ;
    }
    return readTiny(bytes, start, end, slot, isQuantity) ? READ : readText(bytes, start, end, slot, isQuantity);
  }

  /** E notation with at most 15 digits, which is how exporters write tiny amounts; false for everything else. */
  function readTiny(bytes: Uint8Array, start: number, end: number, slot: number, isQuantity: boolean): boolean {
    let at = start;
    const isNegative = bytes[at] === MINUS;
    if (isNegative || bytes[at] === PLUS) at += 1;
    let mantissa = 0;
    let digits = 0;
    let decimals = -1;
    for (; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte === markByte && decimals === -1) {
        decimals = 0;
        continue;
      }
      const digit = byte - ZERO;
      if (digit < 0 || digit > 9) break;
      mantissa = mantissa * 10 + digit;
      digits += 1;
      if (decimals >= 0) decimals += 1;
    }
    if (digits === 0 || digits > 15 || at >= end || ((bytes[at] as number) | 32) !== 101) return false;
    at += 1;
    const isSmall = bytes[at] === MINUS;
    if (isSmall || bytes[at] === PLUS) at += 1;
    if (at === end || end - at > 2) return false;
    let exponent = 0;
    for (; at < end; at += 1) {
      const digit = (bytes[at] as number) - ZERO;
      if (digit < 0 || digit > 9) return false;
      exponent = exponent * 10 + digit;
    }
    if (isSmall) exponent = -exponent;
    if (decimals > 0) exponent -= decimals;
    // The amount is mantissa × 10^exponent: whole nanos, and below them mantissa's last digits.
    const shift = -(exponent + 9);
    let value: number;
    let below: number;
    if (shift <= 0) {
      if (shift < -15) return false;
      value = mantissa * (powers[-shift] as number);
      below = 0;
      if (value >= COUNTER_LIMIT) return false;
    } else {
      if (shift > 18) return false;
      const divisor = powers[shift] as number;
      value = Math.floor(mantissa / divisor);
      let remainder = mantissa - value * divisor;
      if (remainder < 0) {
        value -= 1;
        remainder += divisor;
      }
      if (shift <= 9) below = remainder * (powers[9 - shift] as number);
      else {
        const step = powers[shift - 9] as number;
        below = Math.floor(remainder / step);
        if (below * step !== remainder) return false;
      }
      if (value >= COUNTER_LIMIT) return false;
    }
    if (isQuantity) {
      if (below > 500_000_000 || (below === 500_000_000 && value % 2 === 1)) value += 1;
    } else rest[slot] = isNegative ? 0 - below : below;
    nanos[slot] = isNegative ? 0 - value : value;
    return true;
  }

  /** Everything the two quick ways leave: exact by BigInt, or nothing. */
  function readText(bytes: Uint8Array, start: number, end: number, slot: number, isQuantity: boolean): number {
    if (end - start > 400) return NO_DECIMAL;
    let text = "";
    for (let at = start; at < end; at += 1) text += String.fromCharCode(bytes[at] as number);
    if (nulls.has(text.toLowerCase())) return NULL_TEXT;
    const dressed = undressed(bytes, start, end, text);
    const signed = dressed?.sign === "" ? null : dressed;
    // Another sign than the first may be of another currency: those are never added.
    if (signed !== null && sign !== null && signed.sign !== sign) return NO_DECIMAL;
    const exact = readExact(dressed === null ? text : dressed.amount, mark);
    if (signed !== null && typeof exact === "bigint") {
      sign = signed.sign;
      signs += 1;
    }
    if (exact === "no-decimal") return NO_DECIMAL;
    if (exact === "out-of-range") return OUT_OF_RANGE;
    if (isQuantity) {
      big[slot] = divideHalfEven(exact, 10n ** 27n);
      residue[slot] = 0n;
      return WIDE;
    }
    const attos = divideHalfEven(exact, 10n ** 18n);
    if (attos >= ATTOS_LIMIT || attos < -ATTOS_LIMIT) return OUT_OF_RANGE;
    big[slot] = attos;
    residue[slot] = exact - attos * 10n ** 18n;
    return WIDE;
  }

  return {
    nanos,
    rest,
    big,
    residue,
    money: (bytes, start, end, slot) => read(bytes, start, end, slot, false),
    quantity: (bytes, start, end, slot) => read(bytes, start, end, slot, true),
    currencySigns: () => signs,
    countSignsFrom: (counted) => {
      signs = counted;
    },
  };
}

/**
 * An amount out of what people and programs put around it: a sign of currency on either side (`-$12.50`, `12,50 €`, `HK$5`), accountants'
 * brackets for a minus (maths i.3, `($12.50)`), a minus behind it or of its own character, and what keeps a spreadsheet from rounding it
 * (`="12.50"`, `'12.50`). Its sign of currency is "" where it has none; null where the amount stands alone, or is none.
 */
function undressed(bytes: Uint8Array, start: number, end: number, text: string): { readonly sign: string; readonly amount: string } | null {
  if (/^[+-]?[\d.,]+(?:[eE][+-]?\d+)?$/.test(text)) return null;
  const written = letters(bytes.subarray(start, end));
  const match = dressedAmount.exec(written.replace(/^="{1,2}(.*?)"{1,2}$/, "$1").replace(/^'/, "").replaceAll(/[\u2212\uFE63\uFF0D]/g, "-"));
  if (match === null) return null;
  const [, outer = "", before = "", open = "", inner = "", within = "", number = "", behind = "", trailing = "", close = "", after = ""] = match;
  const signs = [before, within, behind, after].filter((sign) => sign !== "");
  const marks = [outer, inner, trailing, open].filter((minus) => minus !== "");
  if ((open === "") !== (close === "") || signs.length > 1 || marks.length > 1) return null;
  return { sign: signs[0] ?? "", amount: marks.length === 1 && marks[0] !== "+" ? `-${number}` : number };
}

/** The scanner's text is UTF-8, or else GB18030. */
function letters(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}

const currencySign = "([A-Z]{0,3}\\p{Sc}|元|)";
const dressedAmount = new RegExp(`^([+-]?)\\s*${currencySign}\\s*(\\(?)\\s*([+-]?)\\s*${currencySign}\\s*([\\d.,]*\\d[\\d.,]*(?:[eE][+-]?\\d+)?)\\s*${currencySign}\\s*(-?)\\s*(\\)?)\\s*${currencySign}$`, "u");

/** Nanos of an amount must fit 64 bits (maths i.2). */
export const ATTOS_LIMIT = 2n ** 63n * 10n ** 9n;

/** The exact value of a decimal text in 1e-36. Digits finer than that are no amount. */
export function readExact(text: string, mark: "." | ","): bigint | "no-decimal" | "out-of-range" {
  const match = patterns[mark].exec(text);
  if (match === null) return "no-decimal";
  const sign = match[1] === "-" ? -1n : 1n;
  const whole = match[2] ?? "";
  const decimals = match[3] ?? "";
  if (whole === "" && decimals === "") return "no-decimal";
  const digits = (whole + decimals).replace(/^0+/, "");
  if (digits === "") return 0n;
  const power = Number(match[4] ?? "0") - decimals.length + 36;
  if (digits.length + power > 36 + 40) return "out-of-range";
  if (power >= 0) return sign * BigInt(digits) * 10n ** BigInt(power);
  const kept = digits.length + power;
  if (kept <= 0 || !/^0*$/.test(digits.slice(kept))) return "no-decimal";
  return sign * BigInt(digits.slice(0, kept));
}

const patterns = {
  ".": /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/,
  ",": /^([+-]?)(\d*)(?:,(\d*))?(?:[eE]([+-]?\d{1,9}))?$/,
};
