/**
 * A span of time as FOCUS charge periods are: inclusive start, exclusive end, UTC.
 * Both are ISO 8601 instants to the second, `2026-09-01T00:00:00Z`.
 */
export interface Period {
  readonly start: string;
  readonly end: string;
}

/** What a person writes for a period: a month `2026-09`, a quarter `2026-Q3` or a year `2026`. */
export type PeriodLabel = string;

/** The UTC period of a label, or null when it is not one, or ends beyond the years that an instant is written with. */
export function parsePeriod(label: PeriodLabel): Period | null {
  const month = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(label);
  if (month) return monthsFrom(Number(month[1]), Number(month[2]), 1);
  const quarter = /^(\d{4})-Q([1-4])$/i.exec(label);
  if (quarter) return monthsFrom(Number(quarter[1]), Number(quarter[2]) * 3 - 2, 3);
  const year = /^(\d{4})$/.exec(label);
  if (year) return monthsFrom(Number(year[1]), 1, 12);
  return null;
}

/** The months of a period as labels, in order: `["2026-07", "2026-08", "2026-09"]`. */
export function monthsOf(period: Period): string[] {
  const months: string[] = [];
  let year = Number(period.start.slice(0, 4));
  let month = Number(period.start.slice(5, 7));
  while (`${pad(year, 4)}-${pad(month, 2)}` < period.end.slice(0, 7)) {
    months.push(`${pad(year, 4)}-${pad(month, 2)}`);
    month += 1;
    if (month === 13) {
      month = 1;
      year += 1;
    }
  }
  return months;
}

/** The label of the month, quarter or year just before this one; null for what is not a label. */
export function previousPeriod(label: PeriodLabel): PeriodLabel | null {
  const period = parsePeriod(label);
  if (!period) return null;
  const year = Number(period.start.slice(0, 4));
  const month = Number(period.start.slice(5, 7));
  if (/Q/i.test(label)) return month === 1 ? `${pad(year - 1, 4)}-Q4` : `${pad(year, 4)}-Q${(month - 1) / 3}`;
  if (label.length === 4) return pad(year - 1, 4);
  return month === 1 ? `${pad(year - 1, 4)}-12` : `${pad(year, 4)}-${pad(month - 1, 2)}`;
}

/** Whole days since 1970-01-01 UTC of an instant: the `Day` of the store. */
export function dayOf(instant: string): number {
  return Math.floor(Date.parse(instant) / 86_400_000);
}

/** The instant at which a stored day starts. */
export function startOfDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().replace(".000Z", "Z");
}

/** Whole hours since 1970-01-01T00:00Z: the `HourStart` of the store. */
export function hourOf(instant: string): number {
  return Math.floor(Date.parse(instant) / 3_600_000);
}

/** The instant at which a stored hour starts. */
export function startOfHour(hour: number): string {
  return new Date(hour * 3_600_000).toISOString().replace(".000Z", "Z");
}

function monthsFrom(year: number, month: number, count: number): Period | null {
  const last = month - 1 + count;
  if (year + Math.floor(last / 12) > 9999) return null;
  return {
    start: `${pad(year, 4)}-${pad(month, 2)}-01T00:00:00Z`,
    end: `${pad(year + Math.floor(last / 12), 4)}-${pad((last % 12) + 1, 2)}-01T00:00:00Z`,
  };
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
