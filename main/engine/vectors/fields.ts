import { parseDecimal, toDecimal, type Rational } from "../../../shared/domain/rational.ts";
import { isRecord } from "./compare.ts";

/** One vector's inputs: decimals as text, counts and seconds as whole numbers. */
export type Fields = Readonly<Record<string, unknown>>;

/** Turns one vector's inputs into a call of the product and its answer into the vector's words. */
export type Adapter = (input: Fields) => unknown;

/** The input is not in the form the vectors document: reported as a failure of that vector. */
export class UnreadableInput extends Error {}

export function isAbsent(fields: Fields, key: string): boolean {
  return fields[key] === undefined || fields[key] === null;
}

export function asDecimal(value: unknown, what = "value"): Rational {
  const parsed = typeof value === "string" || typeof value === "number" ? parseDecimal(String(value)) : null;
  if (parsed === null) throw new UnreadableInput(`${what} is ${JSON.stringify(value)}, not a decimal`);
  return parsed;
}

export function asNumber(value: unknown, what = "value"): number {
  const number = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  if (!Number.isFinite(number) || value === "") throw new UnreadableInput(`${what} is ${JSON.stringify(value)}, not a number`);
  return number;
}

export function asText(value: unknown, what = "value"): string {
  if (typeof value !== "string") throw new UnreadableInput(`${what} is ${JSON.stringify(value)}, not a text`);
  return value;
}

export function asWhole(value: unknown, what = "value"): bigint {
  if ((typeof value !== "string" && typeof value !== "number") || !/^[+-]?\d+$/.test(String(value))) throw new UnreadableInput(`${what} is ${JSON.stringify(value)}, not a whole number`);
  return BigInt(String(value).replace(/^\+/, ""));
}

export function asList(value: unknown, what = "value"): readonly unknown[] {
  if (!Array.isArray(value)) throw new UnreadableInput(`${what} is ${JSON.stringify(value)}, not a list`);
  return value as readonly unknown[];
}

export function asFields(value: unknown, what = "value"): Fields {
  if (!isRecord(value)) throw new UnreadableInput(`${what} is ${JSON.stringify(value)}, not an object`);
  return value;
}

export function decimalAt(fields: Fields, key: string): Rational {
  return asDecimal(fields[key], key);
}

/** The decimal at the key, or what stands for it when the vector leaves it out. */
export function decimalOr<T>(fields: Fields, key: string, otherwise: T): Rational | T {
  return isAbsent(fields, key) ? otherwise : asDecimal(fields[key], key);
}

export function numberAt(fields: Fields, key: string): number {
  return asNumber(fields[key], key);
}

export function numberOr<T>(fields: Fields, key: string, otherwise: T): number | T {
  return isAbsent(fields, key) ? otherwise : asNumber(fields[key], key);
}

export function textAt(fields: Fields, key: string): string {
  return asText(fields[key], key);
}

export function textOr<T>(fields: Fields, key: string, otherwise: T): string | T {
  return isAbsent(fields, key) ? otherwise : asText(fields[key], key);
}

export function listAt(fields: Fields, key: string): readonly unknown[] {
  return asList(fields[key], key);
}

export function listOr(fields: Fields, key: string): readonly unknown[] {
  return isAbsent(fields, key) ? [] : asList(fields[key], key);
}

export function rowsAt(fields: Fields, key: string): readonly Fields[] {
  return listAt(fields, key).map((row) => asFields(row, key));
}

export function fieldsAt(fields: Fields, key: string): Fields {
  return asFields(fields[key], key);
}

/** [name, value] pairs of an object of decimals, without those that are null; an absent object has none. */
export function decimalsAt(fields: Fields, key: string): readonly (readonly [string, Rational])[] {
  if (isAbsent(fields, key)) return [];
  return Object.entries(fieldsAt(fields, key)).flatMap(([name, value]) => (value === null ? [] : [[name, asDecimal(value, name)] as const]));
}

/** A vector's decimal; null for what is undefined. */
export function textOf(value: Rational | null | undefined): string | null {
  return value === null || value === undefined ? null : toDecimal(value);
}

/** A vector's decimal from a double; null for what is undefined. */
export function numberText(value: number | null | undefined): string | null {
  return value === null || value === undefined || !Number.isFinite(value) ? null : String(value);
}
