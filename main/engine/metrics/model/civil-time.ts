import { Temporal } from "temporal-polyfill";

/**
 * The instant of a local date and time in a named zone, in seconds since 1970 UTC; null if either does not exist. A time that
 * the clocks skip moves on by the length of the gap, a time that comes twice is the first.
 */
export function instantOf(localDateTime: string, timeZone: string): number | null {
  try {
    const zoned = Temporal.PlainDateTime.from(localDateTime, { overflow: "reject" }).toZonedDateTime(timeZone, { disambiguation: "compatible" });
    return zoned.epochMilliseconds / 1000;
  } catch (cause) {
    if (cause instanceof RangeError) return null;
    throw cause;
  }
}

/**
 * Seconds between two local times of a zone, measured, not assumed: a day has 23, 24, 24.5 or 25 hours. Null if a time or the
 * zone does not exist, or the end lies before the start.
 */
export function elapsedSeconds(timeZone: string, localStart: string, localEnd: string): number | null {
  const [start, end] = [instantOf(localStart, timeZone), instantOf(localEnd, timeZone)];
  return start === null || end === null || end < start ? null : end - start;
}

/** The dates (YYYY-MM-DD) from the first to the day before the last, with the ISO weekday, Monday 1 to Sunday 7. */
export function datesBetween(firstDate: string, endDate: string): readonly { readonly date: string; readonly isoWeekday: number }[] {
  const dates: { date: string; isoWeekday: number }[] = [];
  const end = Temporal.PlainDate.from(endDate);
  for (let day = Temporal.PlainDate.from(firstDate); Temporal.PlainDate.compare(day, end) < 0; day = day.add({ days: 1 })) {
    dates.push({ date: day.toString(), isoWeekday: day.dayOfWeek });
  }
  return dates;
}

/** The date `days` later, or earlier if below 0. */
export function shiftDate(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}
