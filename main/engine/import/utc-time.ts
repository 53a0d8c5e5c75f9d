import type { DateOrder } from "../formats/format.ts";

export const NO_TIME_STATED = 0;
export const TIME_READ = 1;
export const NO_TIME = -1;

/** Reads UTC instants from bytes, to the second. */
export interface UtcTimeReader {
  /** Of the last instant read: seconds since 1970-01-01T00:00Z. */
  seconds: number;
  /** It stated no zone, so UTC was assumed. */
  isZoneless: boolean;
  isNullText: boolean;
  read(bytes: Uint8Array, start: number, end: number): number;
}

const QUOTE = 34;
const BLANK = 32;
/** Some exporters put one beside a number so that no spreadsheet rounds it. */
const TAB = 9;

/**
 * Accepts `2026-09-01T00:00:00Z` and what real exports make of it: a blank for the T, no seconds, fractions (cut off), a date alone,
 * an offset instead of Z, ` UTC`, or no zone at all; also `2026/9/1 8:00` and `20260901`, which leave no doubt either,
 * and dates that name their month (`14-Sep-2026`, `Sep 14, 2026`, `2026年9月14日`).
 * With a date order it takes `9/21/2026` too, two digits of a year, `/`, `.` or `-` between. What states no zone is of the one given.
 * With counts it takes seconds or milliseconds since 1970, and a spreadsheet's days since the end of 1899 (`46266.5`, of this century).
 */
export function createUtcTimeReader(nullTexts: readonly string[], dateOrder: DateOrder | null = null, { secondsEast = 0, hasCounts = false }: { readonly secondsEast?: number; readonly hasCounts?: boolean } = {}): UtcTimeReader {
  const nulls = new Set(nullTexts.map((text) => text.toLowerCase()));
  let lastMonthKey = -1;
  let lastMonthDay = 0;
  const reader: UtcTimeReader = {
    seconds: 0,
    isZoneless: false,
    isNullText: false,
    read(bytes, from, to) {
      let start = from;
      let end = to;
      reader.isNullText = false;
      if (start < end && bytes[start] === QUOTE && end - start > 1 && bytes[end - 1] === QUOTE) {
        start += 1;
        end -= 1;
      }
      while (start < end && (bytes[start] === BLANK || bytes[start] === TAB)) start += 1;
      while (end > start && (bytes[end - 1] === BLANK || bytes[end - 1] === TAB)) end -= 1;
      if (start === end) return NO_TIME_STATED;
      if (dateOrder !== null && end - start >= 6 && bytes[start + 4] !== 45) {
        const seconds = orderedSeconds(String.fromCharCode(...bytes.subarray(start, end)), dateOrder);
        if (!Number.isNaN(seconds)) {
          reader.isZoneless = true;
          reader.seconds = seconds - secondsEast;
          return TIME_READ;
        }
      }
      if (end - start < 10) return isNull(bytes, start, end) ? NO_TIME_STATED : readSpelled(bytes, start, end);
      const year = two(bytes, start) * 100 + two(bytes, start + 2);
      const month = two(bytes, start + 5);
      const day = two(bytes, start + 8);
      if (!(year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 31) || bytes[start + 4] !== 45 || bytes[start + 7] !== 45) return readSpelled(bytes, start, end);
      const monthKey = year * 12 + month;
      if (monthKey !== lastMonthKey) {
        lastMonthKey = monthKey;
        lastMonthDay = Date.UTC(year, month - 1, 1) / 86_400_000;
      }
      if (day > 28 && day > daysIn(year, month)) return NO_TIME;
      let seconds = (lastMonthDay + day - 1) * 86_400;
      let at = start + 10;
      if (at === end) {
        reader.isZoneless = true;
        reader.seconds = seconds - secondsEast;
        return TIME_READ;
      }
      const separator = bytes[at];
      if ((separator !== 84 && separator !== 116 && separator !== BLANK) || end - at < 6 || bytes[at + 3] !== 58) return readSpelled(bytes, start, end);
      const hour = two(bytes, at + 1);
      const minute = two(bytes, at + 4);
      if (!(hour <= 24 && minute <= 59)) return NO_TIME;
      seconds += hour * 3600 + minute * 60;
      at += 6;
      if (at < end && bytes[at] === 58) {
        const second = end - at >= 3 ? two(bytes, at + 1) : NaN;
        if (!(second <= 60)) return NO_TIME;
        seconds += second;
        at += 3;
        if (at < end && bytes[at] === 46) {
          at += 1;
          while (at < end && (bytes[at] as number) >= 48 && (bytes[at] as number) <= 57) at += 1;
        }
      }
      reader.isZoneless = at === end;
      if (at < end) {
        const offset = offsetSeconds(bytes, at, end);
        if (Number.isNaN(offset)) return NO_TIME;
        seconds -= offset;
      } else seconds -= secondsEast;
      reader.seconds = seconds;
      return TIME_READ;
    },
  };

  /** Year first, in other than the usual dress: seldom, so by its text. */
  function readSpelled(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > LONGEST_TIME) return NO_TIME;
    if (isNull(bytes, start, end)) return NO_TIME_STATED;
    const text = String.fromCharCode(...bytes.subarray(start, end));
    const spelled = (hasCounts ? counted(text) : null) ?? yearFirst(text) ?? monthByName(text);
    if (spelled === null) return NO_TIME;
    reader.isZoneless = spelled.isZoneless;
    reader.seconds = spelled.isZoneless ? spelled.seconds - secondsEast : spelled.seconds;
    return TIME_READ;
  }

  function isNull(bytes: Uint8Array, start: number, end: number): boolean {
    reader.isNullText = nulls.size > 0 && nulls.has(String.fromCharCode(...bytes.subarray(start, end)).toLowerCase());
    return reader.isNullText;
  }
  return reader;
}

/** The parts of a date that does not begin with its year, as they stand; null for what is none. */
export function orderedDateParts(text: string): { readonly first: number; readonly second: number; readonly year: number; readonly rest: string } | null {
  const match = /^\s*(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)(.*)$/.exec(text);
  if (match === null) return null;
  const year = Number(match[4]);
  return { first: Number(match[1]), second: Number(match[3]), year: (match[4] ?? "").length === 2 ? 2000 + year : year, rest: match[5] ?? "" };
}

/** Seconds since 1970 of `9/21/2026` or `9/21/2026 1:30:00 PM`, or NaN. */
function orderedSeconds(text: string, order: DateOrder): number {
  const parts = orderedDateParts(text);
  const clock = parts === null ? null : /^(?:[T ]\s*(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(AM|PM)?\s*Z?)?\s*$/i.exec(parts.rest);
  if (parts === null || clock === null) return NaN;
  const [month, day] = order === "month-first" ? [parts.first, parts.second] : [parts.second, parts.first];
  if (!(parts.year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(parts.year, month))) return NaN;
  const half = clock[4]?.toUpperCase();
  const stated = Number(clock[1] ?? 0);
  const hour = half === undefined ? stated : (stated % 12) + (half === "PM" ? 12 : 0);
  const [minute, second] = [Number(clock[2] ?? 0), Number(clock[3] ?? 0)];
  if (hour > 24 || minute > 59 || second > 60) return NaN;
  return Date.UTC(parts.year, month - 1, day) / 1000 + hour * 3600 + minute * 60 + second;
}

/** Longer cells are no time. */
const LONGEST_TIME = 48;

/** `2026/9/1 8:00:00`, `2026.09.01`, `20260901`, `2026-09-01 8:00`; null for what is none. A zone may follow a time of day. */
function yearFirst(text: string): { readonly seconds: number; readonly isZoneless: boolean } | null {
  const match = /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|(\d{2})(\d{2}))(?:[T ]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?(.*))?$/.exec(text);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[3] ?? match[5]), Number(match[4] ?? match[6])];
  const [hour, minute, second] = [Number(match[7] ?? 0), Number(match[8] ?? 0), Number(match[9] ?? 0)];
  if (!(year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)) || hour > 24 || minute > 59 || second > 60) return null;
  const zone = match[10] ?? "";
  const offset = zone === "" ? 0 : offsetSeconds(Buffer.from(zone, "latin1"), 0, zone.length);
  if (Number.isNaN(offset)) return null;
  return { seconds: Date.UTC(year, month - 1, day) / 1000 + hour * 3600 + minute * 60 + second - offset, isZoneless: zone === "" };
}

/** Seconds or milliseconds since 1970, or a spreadsheet's days, which know no zone; null for what is none. */
function counted(text: string): { readonly seconds: number; readonly isZoneless: boolean } | null {
  const unix = /^(\d{10})(?:\.\d+)?$|^(\d{10})\d{3}$/.exec(text);
  if (unix !== null) return { seconds: Number(unix[1] ?? unix[2]), isZoneless: false };
  if (!/^\d{5}(?:\.\d+)?$/.test(text)) return null;
  const days = Number(text);
  return days < FIRST_SHEET_DAY || days > LAST_SHEET_DAY ? null : { seconds: Math.round((days - SHEET_DAYS_TO_1970) * 86_400), isZoneless: true };
}

/** A spreadsheet's number for 1970-01-01; for 2000-01-01 and 2100-01-01. */
const SHEET_DAYS_TO_1970 = 25_569;
const FIRST_SHEET_DAY = 36_526;
const LAST_SHEET_DAY = 73_051;

/** A date that names its month, and a time of day perhaps; null for what is none. */
function monthByName(text: string): { readonly seconds: number; readonly isZoneless: boolean } | null {
  const chinese = chineseDate.exec(text);
  if (chinese !== null) return yearFirst(`${chinese[1] ?? ""}-${chinese[2] ?? ""}-${chinese[3] ?? ""}${chinese[4] === "" ? "" : ` ${chinese[4] ?? ""}`}`);
  const english = /^(\d{1,2})[- ]([A-Za-z]{3,9})[- ,]+(\d{4}|\d{2})(?!\d)(.*)$|^([A-Za-z]{3,9})[. ]+(\d{1,2}),? +(\d{4})(.*)$/.exec(text);
  if (english === null) return null;
  const name = (english[2] ?? english[5] ?? "").toLowerCase();
  const month = monthNames.findIndex((full) => full === name || full.slice(0, 3) === name || (full === "september" && name === "sept")) + 1;
  if (month === 0) return null;
  const seconds = orderedSeconds(`${month}/${english[1] ?? english[6] ?? ""}/${english[3] ?? english[7] ?? ""}${(english[4] ?? english[8] ?? "").replace(/^,/, "")}`, "month-first");
  return Number.isNaN(seconds) ? null : { seconds, isZoneless: true };
}

const monthNames = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];

/** `2026年9月14日 08:00:00`: the bytes of its three characters in UTF-8 and in GB18030, each as a letter. */
const chineseDate = /^(\d{4})(?:\xe5\xb9\xb4|\xc4\xea)(\d{1,2})(?:\xe6\x9c\x88|\xd4\xc2)(\d{1,2})(?:\xe6\x97\xa5|\xc8\xd5) *(.*)$/;

/** Two digits as a number, or NaN. */
function two(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - 48;
  const ones = (bytes[at + 1] as number) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

/** `Z`, ` UTC`, `+08:00`, `+0800`, `+08`, ` GMT+08:00`. */
function offsetSeconds(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length === 1) return bytes[start] === 90 || bytes[start] === 122 ? 0 : NaN;
  const text = String.fromCharCode(...bytes.subarray(start, end));
  if (/^ ?(?:UTC|GMT|Z)$/i.test(text)) return 0;
  const match = /^ ?(?:UTC|GMT)?([+-])(\d\d):?(\d\d)?$/i.exec(text);
  if (match === null) return NaN;
  return (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3] ?? 0) * 60);
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** `2026-09-01T00:00:00Z` of seconds since 1970. */
export function isoOfSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
