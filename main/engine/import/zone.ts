/** Wall clock times of an IANA zone as instants, quick enough for millions of rows, and honest about the two odd hours of a year. */
import { Temporal } from "temporal-polyfill";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { err, ok } from "../../../shared/result.ts";
import type { Result } from "../../../shared/result.ts";

/** A wall clock reading written as if it were UTC: `2026/03/29 02:30:00` is Date.UTC(2026, 2, 29, 2, 30). */
export type WallMs = number;
/** Unix milliseconds. */
export type InstantMs = number;

export interface ZoneClock {
  readonly zone: string;
  /** The instants that show this reading: one, two in the hour that autumn repeats (earlier first), none in the hour that spring skips. */
  readonly instants: (wall: WallMs) => readonly InstantMs[];
  /** `wall` less its instant where there is one instant only, in milliseconds; NaN in the odd hours. The quick way. */
  readonly offset: (wall: WallMs) => number;
}

/** The clock of an IANA zone or a fixed offset such as `+08:00`; `import.zone-unknown` for anything else. */
export function zoneClock(zone: string): Result<ZoneClock> {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
  } catch (fault) {
    if (fault instanceof RangeError) return err(ledgerError("import.zone-unknown", { zone }));
    throw fault;
  }
  // No zone changes its clock twice within an hour, so an hour whose first and last millisecond agree needs no closer look.
  const offsetOfHour = new Map<number, number>();
  let lastHour = Number.NaN;
  let lastOffset = Number.NaN;
  function offset(wall: WallMs): number {
    const hour = Math.floor(wall / hourMs);
    if (hour !== lastHour) {
      let known = offsetOfHour.get(hour);
      if (known === undefined) {
        known = offsetThroughout(zone, hour * hourMs, hour * hourMs + hourMs - 1);
        offsetOfHour.set(hour, known);
      }
      lastHour = hour;
      lastOffset = known;
    }
    return lastOffset;
  }
  // Clocks change on whole minutes.
  const instantsOfMinute = new Map<number, readonly number[]>();
  function instants(wall: WallMs): readonly InstantMs[] {
    const usual = offset(wall);
    if (!Number.isNaN(usual)) return [wall - usual];
    const minute = Math.floor(wall / minuteMs) * minuteMs;
    let starts = instantsOfMinute.get(minute);
    if (starts === undefined) {
      starts = instantsOfWall(zone, minute);
      instantsOfMinute.set(minute, starts);
    }
    return starts.map((start) => start + (wall - minute));
  }
  return ok({ zone, instants, offset });
}

/** What the clock of a zone shows at an instant. */
export function wallAt(zone: string, instant: InstantMs): WallMs {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(instant)).toZonedDateTimeISO(zone).toPlainDateTime().toZonedDateTime("UTC").epochMilliseconds;
}

/** How one series' wall clock readings became instants. */
export interface SeriesClock {
  /** The instant of the next row of the series in file order, or null where the zone skipped that hour. */
  readonly instant: (wall: WallMs) => InstantMs | null;
  /** For rows that state their instant themselves: they too say on which side of a repeated hour the series is. */
  readonly seen: (instant: InstantMs) => void;
  /** Rows of a repeated hour that nothing places on one side; they are taken as the earlier. */
  readonly ambiguousRows: () => number;
}

/**
 * Within a series time runs on. Entering the repeated hour, a reading is the instant nearest to the row before it; inside, a row stays on
 * the side of the one before unless the clock steps back by half the repetition or more, which an unbroken series does once. Without a
 * row within an hour nothing tells the sides apart: such rows count as ambiguous, unless a later step back says that they came first.
 */
export function seriesClock(clock: ZoneClock): SeriesClock {
  let previous: InstantMs | null = null;
  /** The reading of the previous row, if it was in the repeated hour. */
  let previousWall: WallMs | null = null;
  let isOnSecondSide = false;
  let pending = 0;
  let settled = 0;

  function leaveRepeatedHour(): void {
    settled += pending;
    pending = 0;
    previousWall = null;
    isOnSecondSide = false;
  }
  function instant(wall: WallMs): InstantMs | null {
    const offset = clock.offset(wall);
    if (!Number.isNaN(offset)) {
      if (previousWall !== null) leaveRepeatedHour();
      return (previous = wall - offset);
    }
    const [first, second] = clock.instants(wall);
    if (first === undefined) return null;
    if (second === undefined) {
      if (previousWall !== null) leaveRepeatedHour();
      return (previous = first);
    }
    const repetition = second - first;
    if (previousWall !== null && previous !== null && Math.abs(wall - previousWall) < repetition) {
      if (previousWall - wall >= repetition / 2) {
        pending = 0;
        isOnSecondSide = true;
      } else if (pending > 0) pending += 1; // as uncertain as the row it follows
    } else {
      if (previousWall !== null) leaveRepeatedHour();
      const toFirst = previous === null ? Infinity : Math.abs(first - previous);
      const toSecond = previous === null ? Infinity : Math.abs(second - previous);
      isOnSecondSide = toSecond < toFirst;
      if (Math.min(toFirst, toSecond) >= repetition) {
        pending = 1;
        isOnSecondSide = false;
      }
    }
    previousWall = wall;
    return (previous = isOnSecondSide ? second : first);
  }
  return {
    instant,
    seen: (at) => {
      if (previousWall !== null) leaveRepeatedHour();
      previous = at;
    },
    ambiguousRows: () => settled + pending,
  };
}

const minuteMs = 60_000;
const hourMs = 3_600_000;

function offsetThroughout(zone: string, from: WallMs, to: WallMs): number {
  const first = instantsOfWall(zone, from);
  const last = instantsOfWall(zone, to);
  const [start] = first;
  const [end] = last;
  if (first.length !== 1 || last.length !== 1 || start === undefined || end === undefined) return Number.NaN;
  return from - start === to - end ? from - start : Number.NaN;
}

function instantsOfWall(zone: string, wall: WallMs): readonly InstantMs[] {
  // A wall reading as if UTC becomes a plain date and time; each reading of it in the zone must show that date and time again.
  const plain = Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO("UTC").toPlainDateTime();
  const earlier = plain.toZonedDateTime(zone, { disambiguation: "earlier" });
  if (!earlier.toPlainDateTime().equals(plain)) return [];
  const later = plain.toZonedDateTime(zone, { disambiguation: "later" });
  const [first, second] = [earlier.epochMilliseconds, later.epochMilliseconds];
  return first === second ? [first] : [first, second];
}
