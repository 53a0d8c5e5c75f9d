/** Stored values as the fold adds them up: whole 1e-9 and the attos below, worked out once a value and, where that is exact, without their text. */
import type { DecodedArray, SchemaElement } from "hyparquet";
import { createDecimalReader, READ } from "../decimal.ts";
import type { Stored } from "./parquet-values.ts";

/** By number of a value, 0 being null: what the kernel says of a cell (0 empty, 1 read, 2 not plain), and the two counters of one that was read. */
export interface Amounts {
  readonly states: Uint8Array;
  readonly nanos: Float64Array;
  readonly rests: Float64Array;
}
const NOT_PLAIN = 2;

/** Beyond four million units the counters take it no more, as in the kernel. */
const MOST_UNITS = 4_503_598;
/** Any two decimals of at most fifteen digits are different doubles, and 1e22 is the largest power of ten that is a double exactly. */
const MOST_MANTISSA = 1e15;
const MOST_DECIMALS = 22;
const USUAL_DECIMALS = 12;
const powers = Float64Array.from({ length: MOST_DECIMALS + 1 }, (_none, power) => Number(`1e${power}`));

export function amountsOf(stored: Stored, isQuantity: boolean): Amounts {
  const keeper = isQuantity ? quantities : costs;
  let amounts = stored.kept.get(keeper) as Amounts | undefined;
  if (amounts === undefined) stored.kept.set(keeper, (amounts = readAmounts(stored, isQuantity)));
  return amounts;
}
const costs = Symbol();
const quantities = Symbol();

function readAmounts(stored: Stored, isQuantity: boolean): Amounts {
  const size = stored.count + 1;
  const amounts: Amounts = { states: new Uint8Array(size), nanos: new Float64Array(size), rests: new Float64Array(size) };
  const lay = layerOf(stored, amounts, isQuantity);
  for (let number = 1; number < size; number += 1) {
    if (lay(number)) amounts.states[number] = READ;
    else readText(stored, number, amounts, isQuantity);
  }
  return amounts;
}

const decimals = createDecimalReader({ slots: 1, mark: ".", nullTexts: [] });
let text = Buffer.alloc(256);

/** By its text, as the fold reads a cell; what it makes of signs and words is left to it. */
function readText(stored: Stored, number: number, { states, nanos, rests }: Amounts, isQuantity: boolean): void {
  if (stored.longest > text.length) text = Buffer.alloc(stored.longest * 2);
  const end = stored.copy(number, text, 0);
  if (end === 0) return;
  decimals.countSignsFrom(0);
  const state = isQuantity ? decimals.quantity(text, 0, end, 0) : decimals.money(text, 0, end, 0);
  if (state !== READ || decimals.currencySigns() > 0) {
    states[number] = NOT_PLAIN;
    return;
  }
  states[number] = READ;
  nanos[number] = decimals.nanos[0] as number;
  rests[number] = isQuantity ? 0 : (decimals.rest[0] as number);
}

/** Lays a value down as a number; false where its text must be asked. */
type Layer = (number: number) => boolean;
const never: Layer = () => false;

function layerOf({ raw, leaf: { stated } }: Stored, amounts: Amounts, isQuantity: boolean): Layer {
  const { converted_type: converted, logical_type: logical } = stated;
  if (raw instanceof Float64Array) return (number) => layDouble(raw[number - 1] as number, number, amounts, isQuantity);
  const scale = scaleOf(stated);
  if (scale === null && (converted !== undefined || logical !== undefined) && !(logical?.type === "INTEGER" && logical.isSigned)) return never;
  const places = scale ?? 0;
  if (places < 0 || places > MOST_DECIMALS) return never;
  if (raw instanceof Int32Array) return (number) => layDecimal(raw[number - 1] as number, places, number, amounts, isQuantity);
  if (raw instanceof BigInt64Array) return layerOfWords(raw, places, amounts, isQuantity);
  return scale === null ? never : layerOfBytes(raw, scale, amounts, isQuantity);
}

/** Decimals of a DECIMAL; null for what is none. */
function scaleOf({ scale, converted_type: converted, logical_type: logical }: SchemaElement): number | null {
  if (logical?.type === "DECIMAL") return scale ?? logical.scale;
  return converted === "DECIMAL" ? (scale ?? 0) : null;
}

/** Whole numbers of 64 bits that a double holds. */
function layerOfWords(raw: BigInt64Array, places: number, amounts: Amounts, isQuantity: boolean): Layer {
  const words = new Int32Array(raw.buffer, raw.byteOffset, raw.length * 2);
  return (number) => {
    const high = words[number * 2 - 1] as number;
    if (high < -(2 ** 20) || high >= 2 ** 20) return false;
    return layDecimal(high * 2 ** 32 + ((words[number * 2 - 2] as number) >>> 0), places, number, amounts, isQuantity);
  };
}

/** Whole numbers as big-endian bytes, in two's complement: divided by a power of ten, sixteen bits at a time. */
function layerOfBytes(raw: DecodedArray, scale: number, amounts: Amounts, isQuantity: boolean): Layer {
  if (scale > 18) return never;
  const divisor = scale > 9 ? (powers[scale - 9] as number) : 1;
  return (number) => {
    const bytes = raw[number - 1] as Uint8Array;
    const isNegative = bytes.length > 0 && (bytes[0] as number) > 127;
    let whole = 0;
    let rest = 0;
    // The magnitude of a negative one is its complement plus one, and that one is added at the end: -(~x) - 1 = x.
    for (let at = -(bytes.length % 2); at < bytes.length; at += 2) {
      const pair = (at < 0 ? 0 : (isNegative ? 255 - (bytes[at] as number) : (bytes[at] as number)) * 256) + (isNegative ? 255 - (bytes[at + 1] as number) : (bytes[at + 1] as number));
      const left = rest * 65_536 + pair;
      const quotient = Math.floor(left / divisor);
      rest = left - quotient * divisor;
      whole = whole * 65_536 + quotient;
      if (whole >= MOST_MANTISSA * 4) return false;
    }
    if (isNegative) rest += 1;
    if (rest === divisor) [whole, rest] = [whole + 1, 0];
    if (scale <= 9) return layDecimal(isNegative ? -whole : whole, scale, number, amounts, isQuantity);
    return laid(whole, rest * (powers[18 - scale] as number), isNegative, number, amounts, isQuantity);
  };
}

/**
 * A double as the shortest decimal that means it. Its first fifteen digits, as a whole number over a power of ten, are that decimal where
 * their quotient is the double itself: both are doubles, so the quotient is the double next to the decimal, and no other decimal of so few
 * digits has the same. Where it is not, there are more digits.
 */
function layDouble(value: number, number: number, amounts: Amounts, isQuantity: boolean): boolean {
  const size = Math.abs(value);
  if (!(size < MOST_UNITS)) return false;
  // Few are written with more than twelve decimals.
  let places = size < 1000 ? USUAL_DECIMALS : 8;
  if (places === USUAL_DECIMALS) {
    const usual = Math.round(size * 1e12);
    if (usual / 1e12 === size) return layDecimal(value < 0 ? -usual : usual, places, number, amounts, isQuantity);
  }
  while (places < MOST_DECIMALS && size * (powers[places + 1] as number) < MOST_MANTISSA) places += 1;
  const mantissa = Math.round(size * (powers[places] as number));
  if (mantissa / (powers[places] as number) !== size) return false;
  return layDecimal(value < 0 ? -mantissa : mantissa, places, number, amounts, isQuantity);
}

/** A whole number of at most 2^53 over a power of ten. */
function layDecimal(mantissa: number, places: number, number: number, amounts: Amounts, isQuantity: boolean): boolean {
  const isNegative = mantissa < 0;
  let digits = Math.abs(mantissa);
  let decimals = places;
  if (decimals > 18) {
    const finer = powers[decimals - 18] as number;
    // Finer than an atto.
    if (digits % finer !== 0) return false;
    digits /= finer;
    decimals = 18;
  }
  if (decimals <= 9) return laid(digits * (powers[9 - decimals] as number), 0, isNegative, number, amounts, isQuantity);
  const step = powers[decimals - 9] as number;
  let whole = Math.floor(digits / step);
  if (whole * step > digits) whole -= 1;
  return laid(whole, (digits - whole * step) * (powers[18 - decimals] as number), isNegative, number, amounts, isQuantity);
}

/** A quantity is rounded half to even to 1e-9. */
function laid(whole: number, below: number, isNegative: boolean, number: number, { nanos, rests }: Amounts, isQuantity: boolean): boolean {
  if (whole >= MOST_UNITS * 1e9) return false;
  const isUp = isQuantity && (below > 500_000_000 || (below === 500_000_000 && whole % 2 === 1));
  const rounded = isUp ? whole + 1 : whole;
  const rest = isQuantity ? 0 : below;
  // 0 less the value, so that nothing becomes minus zero.
  nanos[number] = isNegative ? 0 - rounded : rounded;
  rests[number] = isNegative ? 0 - rest : rest;
  return true;
}
