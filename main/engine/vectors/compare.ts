import { compare, decimal, larger, multiply, negate, parseDecimal, subtract } from "../../../shared/domain/rational.ts";

/**
 * What differs between an answer and the expected one, one line each; nothing if they match.
 *
 * A decimal text matches within 1e-9, or one part in 1e9 of the expected value if that is more, unless its key is listed in
 * `exact` ("*" for all): then it matches character by character. Everything else matches exactly: truth values, null,
 * whole numbers, texts, the order of lists, the set of keys.
 */
export function differences(actual: unknown, expected: unknown, exact: readonly string[] = [], path: readonly string[] = []): readonly string[] {
  const say = (): readonly string[] => [`${path.join(".") || "answer"}: got ${show(actual)}, want ${show(expected)}`];
  if (typeof expected === "string") {
    const isStrict = exact.includes("*") || (path[0] !== undefined && exact.includes(path[0]));
    const text = typeof actual === "number" || typeof actual === "bigint" ? String(actual) : actual;
    if (text === expected) return [];
    return typeof text === "string" && !isStrict && isClose(text, expected) ? [] : say();
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return say();
    return expected.flatMap((value, index) => differences(actual[index], value, exact, [...path, String(index)]));
  }
  if (isRecord(expected)) {
    if (!isRecord(actual)) return say();
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    return keys.flatMap((key) => {
      if (!Object.hasOwn(expected, key)) return [`${[...path, key].join(".")}: not expected, got ${show(actual[key])}`];
      if (!Object.hasOwn(actual, key)) return [`${[...path, key].join(".")}: missing, want ${show(expected[key])}`];
      return differences(actual[key], expected[key], exact, [...path, key]);
    });
  }
  return actual === expected ? [] : say();
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isClose(got: string, want: string): boolean {
  // Only a plain decimal has a tolerance: "1e5", an id or a date is text.
  if (!/^-?\d+(\.\d+)?$/.test(want)) return false;
  const [actual, expected] = [parseDecimal(got), parseDecimal(want)];
  if (actual === null || expected === null) return false;
  const difference = magnitude(subtract(actual, expected));
  return compare(difference, larger(TOLERANCE, multiply(TOLERANCE, magnitude(expected)))) <= 0;
}

function magnitude(value: ReturnType<typeof decimal>): ReturnType<typeof decimal> {
  return value.numerator < 0n ? negate(value) : value;
}

const TOLERANCE = decimal("0.000000001");

function show(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  return JSON.stringify(value) ?? String(value);
}
