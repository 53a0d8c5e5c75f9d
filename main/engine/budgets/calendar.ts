/** Civil days as whole numbers, days since 1970-01-01, so that they can be counted and compared. */
export function dayNumber(date: string): number {
  const milliseconds = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(milliseconds)) throw new RangeError(`not a date: ${date}`);
  return milliseconds / MILLISECONDS_PER_DAY;
}

/** YYYY-MM-DD. */
export function dateOf(day: number): string {
  return new Date(day * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);
}

/** Monday 0 to Sunday 6; day 0 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** The first day of the month that holds the day, and the day after its last. */
export function monthOf(day: number): { readonly start: number; readonly end: number } {
  const [year = 0, month = 1] = dateOf(day).split("-").map(Number);
  return { start: Date.UTC(year, month - 1, 1) / MILLISECONDS_PER_DAY, end: Date.UTC(year, month, 1) / MILLISECONDS_PER_DAY };
}

const MILLISECONDS_PER_DAY = 86_400_000;
