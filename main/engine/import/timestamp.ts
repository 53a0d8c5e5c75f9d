/**
 * Timestamps as logs write them, read from bytes without making a string: `2024/03/15 13:57:59.791`, ISO 8601 with or without offset,
 * `Fri Mar 15 13:57:59 2024`, and Unix time in seconds to nanoseconds, told apart by magnitude (below 1e11 s, 1e14 ms, 1e17 µs, else ns).
 * `15.03.2024 13:57:59` begins with the day, as everywhere where dates have points. `3/15/2024, 1:57:59 PM` is read only where the file
 * shows which of the two is the month (log-dates.ts): nothing says it otherwise.
 */
import type { DateOrder } from "../formats/format.ts";

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
  if (to - from < 10) return false;
  const first = bytes[from] as number;
  if (!isDigit(first)) return readSpelled(bytes, from, to, out);
  if (isDayOrMonth(bytes, from)) return readYearLast(bytes, from, to, out, order);
  const fourth = bytes[from + 4] as number;
  const isDated = fourth === slash || fourth === dash || (fourth === dot && bytes[from + 7] === dot);
  return isDated ? readDateFirst(bytes, from, to, out) : readEpoch(bytes, from, to, out);
}

const space = 32;
const plus = 43;
const dash = 45;
const dot = 46;
const slash = 47;
const colon = 58;
const comma = 44;
const dayMs = 86_400_000;

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
  if (between !== space && between !== 84 && between !== 116) return false;
  let at = after + 1;
  while (at < to && bytes[at] === space) at++;
  const ms = midnight(year, month, day);
  if (Number.isNaN(ms)) return false;
  const time = timeOfDay(bytes, at, to);
  if (time < 0) return false;
  return withZone(bytes, after, to, ms + time, out);
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
  if (at === after) return false;
  const time = timeOfDay(bytes, at, to);
  if (time < 0) return false;
  const clockEnd = after;
  const half = halfOfDay.exec(latin1(bytes, clockEnd, to));
  if (half === null) return withZone(bytes, clockEnd, to, ms + time, out);
  const hour = Math.floor(time / 3_600_000);
  if (hour < 1 || hour > 12) return false;
  const isAfternoon = half[1] === "p" || half[1] === "P";
  const shift = isAfternoon && hour < 12 ? 12 : !isAfternoon && hour === 12 ? -12 : 0;
  return withZone(bytes, clockEnd + half[0].length, to, ms + time + shift * 3_600_000, out);
}
/** ` AM`, ` p.m.`; newer browsers put a narrow no-break space before it, three bytes of UTF-8. */
const halfOfDay = /^(?: |\u00c2\u00a0|\u00e2\u0080\u00af)*([ap])\.? ?m\.?/i;

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

/** What may follow the time: nothing, `Z`, `UTC`, `GMT` or an offset. */
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
  const word = latin1(bytes, at, to).toUpperCase();
  if (word !== "Z" && word !== "UTC" && word !== "GMT") return false;
  out.ms = wall;
  out.isInstant = true;
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
  out.ms = Math.floor(number < 1e11 ? Math.round(number * 1e6) / 1000 : number < 1e14 ? number : number < 1e17 ? number / 1e3 : number / 1e6);
  out.isInstant = true;
  return true;
}

const spelled = /^(?:[A-Z][a-z]{2},? +)?([A-Z][a-z]{2}) +(\d{1,2}) +(\d{2}:\d{2}:\d{2})(?: +(UTC|GMT))? +(\d{4})$/;
const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Fri Aug  4 11:44:30 2023`, what ctime and `date` print. */
function readSpelled(bytes: Uint8Array, from: number, to: number, out: TimestampReading): boolean {
  if (to - from > 40) return false;
  const found = spelled.exec(latin1(bytes, from, to));
  if (found === null) return false;
  const [, monthName = "", day = "", time = "", zone, year = ""] = found;
  const ms = midnight(Number(year), monthNames.indexOf(monthName) + 1, Number(day));
  const [hour = 99, minute = 99, second = 99] = time.split(":").map(Number);
  if (Number.isNaN(ms) || hour > 23 || minute > 59 || second > 59) return false;
  out.ms = ms + ((hour * 60 + minute) * 60 + second) * 1000;
  out.isInstant = zone !== undefined;
  return out.ms < ms + dayMs;
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

/** A character a byte. */
function latin1(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at] as number);
  return text;
}
