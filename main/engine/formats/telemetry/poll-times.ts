/**
 * Times of polls that a log states badly or not at all (field notes 2.3): samples wait, packed, until the end of the file says when the
 * last poll was. What is assumed then is counted.
 */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { readTimestamp } from "../../import/timestamp.ts";
import type { TimestampReading } from "../../import/timestamp.ts";
import { dayMs } from "../../store/traces.ts";
import type { DateOrder } from "../format.ts";
import type { DeviceSeries, LogFormatJob, LogSink } from "./format.ts";

export interface PollTimes {
  /** A sample at the time that the log states: date and time, an instant, or a time of day alone. */
  readonly stated: (time: string, series: DeviceSeries, values: Float64Array) => "added" | "waits" | "zone-needed" | "hour-skipped" | "no-time";
  /** A sample so many milliseconds after the log began. */
  readonly since: (ms: number, series: DeviceSeries, values: Float64Array) => void;
  /** A sample of the current poll, which states no time. `isCounted`: false for the further samples of one row. */
  readonly timeless: (series: DeviceSeries, values: Float64Array, isCounted?: boolean) => void;
  /** What follows belongs to the next poll. */
  readonly nextPoll: () => void;
  /** Puts all that waits in its place. */
  readonly end: () => LedgerError | null;
}

/** `everyMs`: how far the tool's polls lie apart unless it is told otherwise. */
export function pollTimes(job: LogFormatJob, sink: LogSink, everyMs: number): PollTimes {
  const reading: TimestampReading = { ms: 0, isInstant: true };
  const timelessSamples = waiting();
  const sinceStart = waiting();
  const ofDay = waiting();
  let poll = 0;
  let timelessRows = 0;
  let lastTimeOfDay: number | null = null;
  let day = 0;

  function stated(time: string, series: DeviceSeries, values: Float64Array): ReturnType<PollTimes["stated"]> {
    const bytes = encoder.encode(time);
    if (readTimestamp(bytes, 0, bytes.length, reading, job.dateOrder)) return series.add(reading, values);
    const timeOfDay = millisecondsOfDay(time);
    if (timeOfDay === null) return "no-time";
    if (!job.isTimeStated && job.modifiedWallMs === null) return "zone-needed";
    // Rows of one poll may step back a little, and a clock that leaves summer time an hour; more is a new day.
    if (lastTimeOfDay !== null && timeOfDay < lastTimeOfDay - 61 * 60_000) day += 1;
    lastTimeOfDay = timeOfDay;
    ofDay.add(day * dayMs + timeOfDay, series, values);
    return "waits";
  }

  function end(): LedgerError | null {
    const isSpacingStated = poll === 0 || job.everyMs !== null;
    const spacing = job.everyMs ?? everyMs;
    reading.isInstant = true;
    timelessSamples.each((at, series, values) => {
      reading.ms = job.modifiedMs - (poll - at) * spacing;
      series.add(reading, values);
    });
    sinceStart.each((at, series, values) => {
      reading.ms = Math.round(job.modifiedMs - (sinceStart.latest() - at));
      series.add(reading, values);
    });
    sink.repaired(job.isTimeStated && isSpacingStated ? "stated-time" : "assumed-time", timelessRows);
    sink.repaired(job.isTimeStated ? "stated-time" : "assumed-time", sinceStart.count() + ofDay.count());
    return endOfDays();
  }

  function endOfDays(): LedgerError | null {
    if (ofDay.count() === 0) return null;
    const wall = job.modifiedWallMs;
    const lastOfDay = lastTimeOfDay ?? 0;
    // The last row was written before the file was, by its clock: that says which day it was. A minute is granted to clocks apart.
    const lastWall = wall === null || job.isTimeStated ? null : Math.floor((wall + 60_000 - lastOfDay) / dayMs) * dayMs + lastOfDay;
    let isZoneNeeded = false;
    ofDay.each((at, series, values) => {
      const before = day * dayMs + lastOfDay - at;
      reading.isInstant = lastWall === null;
      reading.ms = (lastWall ?? job.modifiedMs) - before;
      if (series.add(reading, values) === "zone-needed") isZoneNeeded = true;
    });
    return isZoneNeeded ? ledgerError("import.zone-needed", { file: job.sniffed.name }) : null;
  }

  return {
    stated,
    since: (ms, series, values) => sinceStart.add(ms, series, values),
    timeless: (series, values, isCounted = true) => {
      timelessSamples.add(poll, series, values);
      if (isCounted) timelessRows += 1;
    },
    nextPoll: () => {
      poll += 1;
    },
    end,
  };
}

const encoder = new TextEncoder();

/** The time that a line of its own states before the rows of a poll, as scripts print it: alone, in a frame of dashes, behind `Timestamp:`. Null for any other line. */
export function timeOfLine(line: string, order: DateOrder | null): TimestampReading | null {
  if (line.length > 120) return null;
  const stated = /^[-=#*\s]*(?:(?:time ?stamp|date|time)\s*[:=]\s*)?(.*?)[-=#*\s]*$/i.exec(line)?.[1] ?? "";
  const bytes = encoder.encode(stated);
  const reading: TimestampReading = { ms: 0, isInstant: true };
  return readTimestamp(bytes, 0, bytes.length, reading, order) ? reading : null;
}

/** `20260801`, as dmon and scripts write a date, with its parts told apart; any other as it stands. */
export function dashedDate(date: string): string {
  return date.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1/$2/$3");
}

/** `HH:MM:SS` with or without a fraction, in milliseconds. */
function millisecondsOfDay(time: string): number | null {
  const found = /^(\d{1,2}):([0-5]\d):([0-5]\d)(?:[.,](\d{1,9}))?$/.exec(time.trim());
  if (found === null || Number(found[1]) > 23) return null;
  const [, hour, minute, second, fraction = "0"] = found;
  return ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Math.floor(Number(`0.${fraction}`) * 1000);
}

/** Samples in the order they came: some 12 bytes and 4 a value. */
function waiting() {
  const known = new Map<DeviceSeries, number>();
  const inOrder: DeviceSeries[] = [];
  let at = new Float64Array(64);
  let device = new Uint32Array(64);
  let start = new Uint32Array(65);
  let values = new Float32Array(256);
  let count = 0;
  let latest = -Infinity;

  return {
    add(when: number, series: DeviceSeries, stated: Float64Array): void {
      let number = known.get(series);
      if (number === undefined) {
        number = inOrder.length;
        known.set(series, number);
        inOrder.push(series);
      }
      if (count === at.length) {
        at = grown(at, new Float64Array(count * 2));
        device = grown(device, new Uint32Array(count * 2));
        start = grown(start, new Uint32Array(count * 2 + 1));
      }
      const from = start[count] as number;
      if (from + stated.length > values.length) values = grown(values, new Float32Array(values.length * 2 + stated.length));
      values.set(stated, from);
      at[count] = when;
      device[count] = number;
      count += 1;
      start[count] = from + stated.length;
      if (when > latest) latest = when;
    },
    each(take: (at: number, series: DeviceSeries, values: Float64Array) => void): void {
      for (let index = 0; index < count; index++) {
        take(at[index] as number, inOrder[device[index] as number] as DeviceSeries, Float64Array.from(values.subarray(start[index], start[index + 1])));
      }
    },
    count: () => count,
    latest: () => latest,
  };
}

function grown<T extends Float64Array | Float32Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
