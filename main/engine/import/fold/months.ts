/** Months and billing periods as files write them. */

/** The end of a billing period whose last day is stated: the next midnight, except where the first of a month already says so. */
export function afterLastDay(seconds: number): number {
  return seconds % 86_400 !== 0 || new Date(seconds * 1000).getUTCDate() === 1 ? seconds : seconds + 86_400;
}

/**
 * Where a month begins or ends, as if it were one of UTC: `2026-09`, `202609`, `2026/9`, `2026年09月`, the first of it (`2026-09-01`), `202609.0` of
 * programs that hold it as a number with gaps; null for what is none.
 */
export function monthEdge(text: string, edge: "month" | "month-end"): number | null {
  const match = /^(\d{4})(?:[-/.年]?(0[1-9]|1[0-2])|[-/.年]([1-9]))(?:月|月0?1日|[-/.]0?1(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?|(?<=^\d{6})\.0)?$/.exec(text);
  if (match === null) return null;
  return Date.UTC(Number(match[1]), Number(match[2] ?? match[3]) - (edge === "month" ? 1 : 0), 1) / 1000;
}

export const BEIJING_SECONDS = 8 * 3600;

/** Some Chinese providers write the month of UTC+8 in UTC: it begins at 16:00 of the last day before. */
export function isBeijingMonth(seconds: number): boolean {
  return seconds % 86_400 === 16 * 3600 && new Date((seconds + BEIJING_SECONDS) * 1000).getUTCDate() === 1;
}

/** Months since year 0 of an instant. */
export function monthOf(seconds: number): number {
  const date = new Date(seconds * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Seconds since 1970 of the first of a month counted so. */
export function monthStart(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000;
}

export function nextMonth(seconds: number): number {
  const date = new Date(seconds * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000;
}
