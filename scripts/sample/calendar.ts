/** The sample's time: hours and twelve-minute slots since 2025-10-01T00:00Z, and its months. */
export const firstMs = Date.UTC(2025, 9, 1);
export const hourMs = 3_600_000;
export const slotMs = 720_000;
export const slotsAnHour = 5;

export interface Month {
  /** `2025-10`. */
  readonly label: string;
  /** First hour, and one past the last. */
  readonly from: number;
  readonly to: number;
  readonly hours: number;
  readonly days: number;
}

export const months: readonly Month[] = Array.from({ length: 12 }, (_, index) => {
  const [start, end] = [Date.UTC(2025, 9 + index, 1), Date.UTC(2025, 10 + index, 1)];
  const hours = (end - start) / hourMs;
  return { label: new Date(start).toISOString().slice(0, 7), from: (start - firstMs) / hourMs, to: (end - firstMs) / hourMs, hours, days: hours / 24 };
});
export const hourCount = 8760;

/** The hour of an instant such as `2026-09-07T18` or `2026-09-07`. */
export function hourAt(instant: string): number {
  const [date = "", hour = "0"] = instant.split("T");
  return (Date.parse(`${date}T00:00:00Z`) - firstMs) / hourMs + Number(hour);
}

/** `2026-09-07T18:00:00Z`. */
export function isoHour(hour: number): string {
  return (isoHours[hour] ??= `${new Date(firstMs + hour * hourMs).toISOString().slice(0, 19)}Z`);
}
const isoHours: string[] = [];

export function hourOfDay(hour: number): number {
  return hour % 24;
}

/** 0 is Monday; 1 October 2025 was a Wednesday. */
export function weekday(hour: number): number {
  return (2 + Math.floor(hour / 24)) % 7;
}

export function monthOf(hour: number): Month {
  const month = months.find(({ from, to }) => hour >= from && hour < to);
  if (month === undefined) throw new RangeError(`hour ${hour} is outside the sample`);
  return month;
}
