/** Stored values as the seconds that the fold goes by, worked out once a value. */
import type { SchemaElement } from "hyparquet";
import { createUtcTimeReader, TIME_READ } from "../utc-time.ts";
import type { Stored } from "./parquet-values.ts";

/** By number of a value, 0 being null: what it is, and the seconds since 1970 of one that was read. */
export interface TimeValues {
  readonly kinds: Uint8Array;
  readonly seconds: Float64Array;
}
export const TIME_EMPTY = 0;
export const TIME_IN_UTC = 1;
export const TIME_ZONELESS = 2;
/** Its text is for the fold to read. */
export const TIME_NOT_PLAIN = 3;

const DAY_SECONDS = 86_400;
/** The end of the year 9999. */
const CALENDAR_SECONDS = 253_402_300_800;
const LONGEST_TEXT = 48;

export function timesOf(stored: Stored): TimeValues {
  let times = stored.kept.get(timesOf) as TimeValues | undefined;
  if (times === undefined) stored.kept.set(timesOf, (times = readTimes(stored)));
  return times;
}

function readTimes(stored: Stored): TimeValues {
  const times = { kinds: new Uint8Array(stored.count + 1), seconds: new Float64Array(stored.count + 1) };
  const unit = unitOf(stored.leaf.stated);
  for (let number = 1; number <= stored.count; number += 1) {
    const [seconds, kind] = readTime(stored, number, unit);
    const isRead = seconds >= 0 && seconds < CALENDAR_SECONDS;
    times.kinds[number] = isRead || kind === TIME_EMPTY ? kind : TIME_NOT_PLAIN;
    times.seconds[number] = isRead ? seconds : 0;
  }
  return times;
}

function readTime(stored: Stored, number: number, unit: bigint | "day" | null): readonly [seconds: number, kind: number] {
  const value = stored.raw[number - 1] as unknown;
  if (unit === "day" && typeof value === "number") return [value * DAY_SECONDS, TIME_ZONELESS];
  if (unit !== "day" && unit !== null && typeof value === "bigint") return [wholeSeconds(value, unit), TIME_IN_UTC];
  return secondsOfText(stored, number);
}

/** What of it makes a second, or that it counts days; null where neither. */
function unitOf({ converted_type: converted, logical_type: logical }: SchemaElement): bigint | "day" | null {
  if (converted === "DATE" || logical?.type === "DATE") return "day";
  if (logical?.type === "TIMESTAMP") return logical.unit === "NANOS" ? 1_000_000_000n : logical.unit === "MICROS" ? 1_000_000n : 1000n;
  return converted === "TIMESTAMP_MICROS" ? 1_000_000n : converted === "TIMESTAMP_MILLIS" ? 1000n : null;
}

/** Fractions are cut off, as of a text; what lies before 1970 is left to that. */
function wholeSeconds(value: bigint, unit: bigint): number {
  return value < 0n ? NaN : Number(value / unit);
}

const reader = createUtcTimeReader([]);
const text = Buffer.alloc(LONGEST_TEXT * 4);

function secondsOfText(stored: Stored, number: number): [seconds: number, kind: number] {
  const { starts } = stored.cells();
  const size = (starts[number + 1] as number) - (starts[number] as number);
  if (size === 0) return [NaN, TIME_EMPTY];
  if (size > LONGEST_TEXT || reader.read(text, 0, stored.copy(number, text, 0)) !== TIME_READ) return [NaN, TIME_NOT_PLAIN];
  return [reader.seconds, reader.isZoneless ? TIME_ZONELESS : TIME_IN_UTC];
}
