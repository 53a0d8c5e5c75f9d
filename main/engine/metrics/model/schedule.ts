import { divide, multiply, ONE, ratio, rational, subtract, whole, type Rational } from "../../../../shared/domain/rational.ts";
import { datesBetween, instantOf, shiftDate } from "./civil-time.ts";
import type { TimeWindow } from "./segments.ts";

/** Local times of day a machine should run, by ISO weekday (Monday 1): `["08:00", "20:00"]`. "24:00" is the day's end. */
export type OnWindows = Readonly<Record<number, readonly (readonly [string, string])[]>>;

export interface ScheduleInputs {
  readonly timeZone: string;
  /** First date, and the date after the last. */
  readonly startDate: string;
  readonly endDate: string;
  readonly onWindows: OnWindows;
  readonly hourlyPrice: Rational;
  readonly instances: Rational;
  /** Share of the hours that is paid whether the machine runs or not. */
  readonly committedShare: Rational;
}

export interface ScheduleSavings {
  readonly totalHours: Rational;
  readonly onHours: Rational;
  readonly offHours: Rational;
  readonly offShare: Rational | null;
  /** Off hours × price × instances. */
  readonly grossSaving: Rational;
  /** The part that no commitment keeps charging. */
  readonly avoidableSaving: Rational;
}

/**
 * What a schedule of on-times would save (model d.7). Hours are measured between instants, so a day of the clock change has 23
 * or 25 of them and a window across the gap is shorter. Overlapping windows count once. A window that ends at or before its
 * start runs past midnight. Null if the zone or a time does not exist.
 */
export function scheduleSavings({ timeZone, startDate, endDate, onWindows, hourlyPrice, instances, committedShare }: ScheduleInputs): ScheduleSavings | null {
  const [start, end] = [instantOf(`${startDate}T00:00`, timeZone), instantOf(`${endDate}T00:00`, timeZone)];
  if (start === null || end === null || end < start) return null;
  const windows = windowsWithin(onWindows, timeZone, startDate, endDate, { start, end });
  if (windows === null) return null;
  const onHours = hours(coveredSeconds(windows));
  const totalHours = hours(end - start);
  const offHours = subtract(totalHours, onHours);
  const grossSaving = multiply(multiply(offHours, hourlyPrice), instances);
  return { totalHours, onHours, offHours, offShare: ratio(offHours, totalHours), grossSaving, avoidableSaving: multiply(grossSaving, subtract(ONE, committedShare)) };
}

/**
 * The windows of a schedule as instants, in order of their dates and cut to `within`; they may overlap. Null if the zone or a time does not
 * exist. `startDate` and `endDate` (the date after the last) are local dates that hold all of `within`.
 */
export function windowsWithin(onWindows: OnWindows, timeZone: string, startDate: string, endDate: string, within: TimeWindow): readonly TimeWindow[] | null {
  const windows: TimeWindow[] = [];
  // The evening before may reach into the first day.
  for (const { date, isoWeekday } of datesBetween(shiftDate(startDate, -1), endDate)) {
    for (const [from, to] of onWindows[isoWeekday] ?? []) {
      const opens = instantOf(`${date}T${from}`, timeZone);
      const closes = to === "24:00" || to <= from ? instantOf(`${shiftDate(date, 1)}T${to === "24:00" ? "00:00" : to}`, timeZone) : instantOf(`${date}T${to}`, timeZone);
      if (opens === null || closes === null) return null;
      windows.push({ start: Math.max(opens, within.start), end: Math.min(closes, within.end) });
    }
  }
  return windows;
}

/** Seconds that at least one of the windows covers. */
function coveredSeconds(windows: readonly TimeWindow[]): number {
  let [covered, reached] = [0, -Infinity];
  for (const { start, end } of windows.toSorted((a, b) => a.start - b.start)) {
    covered += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return covered;
}

function hours(seconds: number): Rational {
  return divide(rational(BigInt(Math.round(seconds * 1000)), 1000n), whole(3600));
}
