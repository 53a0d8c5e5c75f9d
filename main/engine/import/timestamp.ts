/**
 * Timestamps as logs write them, read from bytes, the usual ones without making a string: `2024/03/15 13:57:59.791`, ISO 8601 with or
 * without offset, `20240315T135759`, `Fri Mar 15 13:57:59 2024` and what else names its month (spelled-time.ts), `2024年3月15日 13:57:59`, and
 * Unix time in seconds to nanoseconds, told apart by magnitude (below 1e11 s, 1e14 ms, 1e17 µs, else ns). `15.03.2024 13:57:59` begins with
 * the day, as everywhere where dates have points. `3/15/2024, 1:57:59 PM` is read only where the file shows which of the two is the month
 * (log-dates.ts): nothing says it otherwise. Brackets around a time are none of it.
 */
import type { DateOrder } from "../formats/format.ts";
import { afternoonOf, plainDate, spelledTime, zoneOfWord } from "./spelled-time.ts";

export interface TimestampReading {
  /** Unix milliseconds if `isInstant`, else the wall clock as if it were UTC; finer digits are cut. */
  ms: number;
  isInstant: boolean;
}

/** Reads bytes[start, end) into `out`; false if it is no timestamp. `order`: of dates that end with the year and have slashes. */
export function readTimestamp(bytes: Uint8Array, start: number, end: number, out: TimestampReading, order: DateOrder | null = null): boolean {
  let from = start;
  let to = end;
  while (from < to && (bytes[from] as number) <= space) from++;
  while (to > from && (bytes[to - 1] as number) <= space) to--;
  if (bytes[from] === openBracket && bytes[to - 1] === closeBracket) return readTimestamp(bytes, from + 1, to - 1, out, order);
  if (to - from < 10) return false;
  const first = bytes[from] as number;
  const fourth = bytes[from + 4] as number;
  if (!isDigit(first)) return readSpelled(bytes, from, to, out);
  if (isDayOrMonth(bytes, from)) return readYearLast(bytes, from, to, out, order);
  if (fourth === slash || fourth === dash || (fourth === dot && bytes[from + 7] === dot)) return readDateFirst(bytes, from, to, out);
  if (isSpelled(bytes, from, to)) return readSpelled(bytes, from, to, out);
  return readCompact(bytes, from, to, out) || readEpoch(bytes, from, to, out);
}

/** A letter before the time of day, or one of no alphabet: the month has a name. */
function isSpelled(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from + 1; at < Math.min(to, from + 5); at++) if ((bytes[at] as number) >= 65 && bytes[at] !== capitalT) return true;
  return false;
}

const space = 32;
const plus = 43;
const dash = 45;
const dot = 46;
const slash = 47;
const colon = 58;
const comma = 44;
const capitalT = 84;
const openBracket = 91;
const closeBracket = 93;
const underscore = 95;

/** The last date read and its midnight: consecutive rows share their date. */
let cachedDate = -1;
let cachedMidnight = 0;

function midnight(year: number, month: number, day: number): number {
  const key = (year * 13 + month) * 32 + day;
  if (key !== cachedDate) {
    if (month < 1 || month > 12 || day < 1 || year < 1990 || year > 2200) return Number.NaN;
    const ms = Date.UTC(year, month - 1, day);
    if (new Date(ms).getUTCMonth() !== month - 1) return Number.NaN; // 30 February
    cachedDate = key;
    cachedMidnight = ms;
  }
  return cachedMidnight;
}

/** Where the last number that `digits` read ended. */
let after = 0;
function digits(bytes: Uint8Array, from: number, to: number, most: number): number {
  let number = 0;
  let at = from;
  const stop = Math.min(to, from + most);
  while (at < stop) {
    const digit = (bytes[at] as number) - 48;
    if (digit < 0 || digit > 9) break;
    number = number * 10 + digit;
    at++;
  }
  after = at;
  return at === from ? -1 : number;
}

function readDateFirst(bytes: Uint8Array, from: number, to: number, out: TimestampReading): boolean {
  const separator = bytes[from + 4] as number;
  const year = digits(bytes, from, to, 4);
  if (after !== from + 4) return false;
  const month = digits(bytes, from + 5, to, 2);
  if (month < 0 || bytes[after] !== separator) return false;
  const day = digits(bytes, after + 1, to, 2);
  if (day < 0 || after >= to) return false;
  const between = bytes[after] as number;
  if (between !== space && between !== comma && between !== capitalT && between !== 116 && between !== underscore) return (between & 128) !== 0 && readSpelled(bytes, from, to, out);
  let at = after + 1;
  while (at < to && bytes[at] === space) at++;
  const ms = midnight(year, month, day);
  if (Number.isNaN(ms)) return false;
  if (at < to && ((bytes[at] as number) & 128) !== 0) return readSpelled(bytes, from, to, out);
  return readClock(bytes, at, to, ms, out);
}

/** A time of day, perhaps with the half of the day behind it, and its zone. */
function readClock(bytes: Uint8Array, at: number, to: number, dayStart: number, out: TimestampReading): boolean {
  const time = timeOfDay(bytes, at, to);
  if (time < 0) return false;
  const clockEnd = after;
  if (clockEnd === to) return withZone(bytes, to, to, dayStart + time, out);
  const half = halfOfDay.exec(latin1(bytes, clockEnd, to));
  if (half === null) return withZone(bytes, clockEnd, to, dayStart + time, out);
  const shifted = afternoonOf(time, half[1] ?? "");
  return shifted !== null && withZone(bytes, clockEnd + half[0].length, to, dayStart + shifted, out);
}

/** `20240315T135759`, `20240315 13:57:59`, `20240315-135759`, `20240315135759`: as Unix milliseconds such a number would be of the year 2612. */
function readCompact(bytes: Uint8Array, from: number, to: number, out: TimestampReading): boolean {
  const date = digits(bytes, from, to, 8);
  if (after !== from + 8 || after >= to) return false;
  const ms = midnight(Math.floor(date / 10_000), Math.floor(date / 100) % 100, date % 100);
  if (Number.isNaN(ms)) return false;
  let at = after;
  const between = bytes[at] as number;
  if (between === space || between === capitalT || between === dash || between === underscore) at++;
  while (at < to && bytes[at] === space) at++;
  if (at + 2 < to && bytes[at + 2] === colon) return at > from + 8 && readClock(bytes, at, to, ms, out);
  const clock = digits(bytes, at, to, 6);
  if (after !== at + 6) return false;
  const [hour, minute, second] = [Math.floor(clock / 10_000), Math.floor(clock / 100) % 100, clock % 100];
  if (hour > 23 || minute > 59 || second > 59) return false;
  let fraction = 0;
  const isPointed = after < to && bytes[after] === dot;
  const fractionAt = isPointed ? after + 1 : after;
  if (isPointed || (after < to && isDigit(bytes[after] as number))) {
    const written = digits(bytes, fractionAt, to, 3);
    if (written < 0 || after !== fractionAt + 3) return false;
    fraction = written;
    while (isPointed && after < to && isDigit(bytes[after] as number)) after++;
  }
  return withZone(bytes, after, to, ms + ((hour * 60 + minute) * 60 + second) * 1000 + fraction, out);
}

/** One or two digits and then a slash or a point: no Unix time is that small. */
function isDayOrMonth(bytes: Uint8Array, from: number): boolean {
  const second = bytes[from + 1] as number;
  const separator = isDigit(second) ? (bytes[from + 2] as number) : second;
  return separator === slash || separator === dot;
}

/** `15.03.2024 13:57:59`, `3/15/2024, 1:57:59 PM`, `15/03/2024 13:57`: a comma or blanks before the time, a half of the day behind it. */
function readYearLast(bytes: Uint8Array, from: number, to: number, out: TimestampReading, order: DateOrder | null): boolean {
  const first = digits(bytes, from, to, 2);
  const separator = bytes[after] as number;
  if (!isDigit(bytes[after + 1] as number)) return readSpelled(bytes, from, to, out);
  if (separator === slash && order === null) return false;
  const second = digits(bytes, after + 1, to, 2);
  if (second < 0 || bytes[after] !== separator) return false;
  const yearAt = after + 1;
  const year = digits(bytes, yearAt, to, 4);
  if (after !== yearAt + 4) return false;
  const isMonthFirst = separator === slash && order === "month-first";
  const ms = isMonthFirst ? midnight(year, first, second) : midnight(year, second, first);
  if (Number.isNaN(ms)) return false;
  let at = after;
  while (at < to && (bytes[at] === space || bytes[at] === comma)) at++;
  return at > after && readClock(bytes, at, to, ms, out);
}
/** ` AM`, ` p.m.`; newer browsers put a narrow no-break space before it, three bytes of UTF-8. */
const halfOfDay = /^(?: |\u00c2\u00a0|\u00e2\u0080\u00af)*([ap])\.? ?m\.?(?=$|[^a-z]|z$)/i;

/** `HH:MM[:SS[.fff]]` in milliseconds, -1 if it is none; `after` is left behind it. 24:00:00 and leap seconds are not read. */
function timeOfDay(bytes: Uint8Array, from: number, to: number): number {
  const hour = digits(bytes, from, to, 2);
  if (hour < 0 || hour > 23 || after >= to || bytes[after] !== colon) return -1;
  const minuteAt = after + 1;
  const minute = digits(bytes, minuteAt, to, 2);
  if (minute < 0 || minute > 59 || after !== minuteAt + 2) return -1;
  let ms = hour * 3_600_000 + minute * 60_000;
  if (after < to && bytes[after] === colon) {
    const secondAt = after + 1;
    const second = digits(bytes, secondAt, to, 2);
    if (second < 0 || second > 59 || after !== secondAt + 2) return -1;
    ms += second * 1000;
    if (after < to && (bytes[after] === dot || bytes[after] === comma)) {
      const fractionAt = after + 1;
      const fraction = digits(bytes, fractionAt, to, 3);
      if (fraction < 0) return -1;
      const written = after - fractionAt;
      ms += written === 3 ? fraction : written === 2 ? fraction * 10 : fraction * 100;
      while (after < to && isDigit(bytes[after] as number)) after++;
    }
  }
  return ms;
}

/** What may follow the time: nothing, an offset, or a zone's name, perhaps with its offset behind it (spelled-time.ts). */
function withZone(bytes: Uint8Array, from: number, to: number, wall: number, out: TimestampReading): boolean {
  let at = from;
  while (at < to && bytes[at] === space) at++;
  if (at === to) {
    out.ms = wall;
    out.isInstant = false;
    return true;
  }
  const first = bytes[at] as number;
  if (first === plus || first === dash) {
    const hours = digits(bytes, at + 1, to, 2);
    if (hours < 0 || hours > 18 || after !== at + 3) return false;
    let minutes = 0;
    if (after < to) {
      if (bytes[after] === colon) after++;
      const minutesAt = after;
      minutes = digits(bytes, minutesAt, to, 2);
      if (minutes < 0 || minutes > 59 || after !== minutesAt + 2 || after !== to) return false;
    }
    const offset = (hours * 60 + minutes) * 60_000;
    out.ms = first === plus ? wall - offset : wall + offset;
    out.isInstant = true;
    return true;
  }
  const zone = to - at > 60 ? null : zoneOfWord(latin1(bytes, at, to));
  if (zone === null) return false;
  out.ms = zone.offsetMinutes === null ? wall : wall - zone.offsetMinutes * 60_000;
  out.isInstant = zone.offsetMinutes !== null;
  return true;
}

function readEpoch(bytes: Uint8Array, from: number, to: number, out: TimestampReading): boolean {
  let at = from;
  while (at < to && isDigit(bytes[at] as number)) at++;
  if (at < to) {
    if (bytes[at] !== dot) return false;
    for (let index = at + 1; index < to; index++) if (!isDigit(bytes[index] as number)) return false;
  }
  if (at - from > 19) return false;
  const number = Number(latin1(bytes, from, to));
  // Nine digits of seconds are 1973: less is a counter or a relative time.
  if (number < 1e8) return false;
  const ms = Math.floor(number < 1e11 ? Math.round(number * 1e6) / 1000 : number < 1e14 ? number : number < 1e17 ? number / 1e3 : number / 1e6);
  if (ms >= endOfTime) return false;
  out.ms = ms;
  out.isInstant = true;
  return true;
}
/** The year 2200 in Unix milliseconds: what is beyond is no time. */
const endOfTime = Date.UTC(2200, 0, 1);

/** `Fri Aug  4 11:44:30 2023`, what ctime and `date` print, and others that name their month. */
function readSpelled(bytes: Uint8Array, from: number, to: number, out: TimestampReading): boolean {
  if (to - from > 90) return false;
  const stated = decoder.decode(bytes.subarray(from, to));
  const plain = plainDate(stated);
  if (plain !== null) {
    const again = encoder.encode(plain);
    return readTimestamp(again, 0, again.length, out);
  }
  const found = spelledTime(stated);
  if (found === null) return false;
  const ms = midnight(found.year, found.month, found.day);
  if (Number.isNaN(ms)) return false;
  const rest = encoder.encode(found.clock);
  return readClock(rest, 0, rest.length, ms, out);
}
const decoder = new TextDecoder();
const encoder = new TextEncoder();

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

/** A character a byte. */
function latin1(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at] as number);
  return text;
}
