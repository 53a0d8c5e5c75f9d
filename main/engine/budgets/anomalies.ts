import { decimal, rational, toNumber, type Rational } from "../../../shared/domain/rational.ts";
import { dateOf, dayNumber } from "./calendar.ts";

export interface AnomalyPolicy {
  /** |z| above this. */
  readonly z: Rational;
  /** And at least this share of the expected cost. */
  readonly minimumShare: Rational;
  /** And at least this amount. */
  readonly minimumAmount: bigint;
}

/** 3.5 is Iglewicz and Hoaglin's limit for modified z-scores (1993). */
export const DEFAULT_ANOMALY_POLICY: AnomalyPolicy = { z: decimal("3.5"), minimumShare: decimal("0.1"), minimumAmount: 0n };

export interface AnomalyEvent {
  readonly start: string;
  /** The last flagged day, included. */
  readonly end: string;
  readonly direction: "up" | "down";
  readonly flaggedDays: number;
  /** Σ (cost − expected) over the flagged days, in whole units; below 0 for a fall. Expected values may end in half a unit. */
  readonly impact: Rational;
  readonly maximumAbsoluteZ: Rational;
  readonly kind: "anomaly" | "level_shift";
}

/**
 * Days that cost too much or too little (model g.9), in exact arithmetic on whole units of any scale.
 *
 * expected   the median of the last 4 usable same weekdays of the last 8 weeks; at least 3, else the day is not judged
 * z          (r − median r) ÷ s of the residual r = cost − expected, over the usable residuals of the last 56 days; at least 28
 * s          the larger of 1.4826 × their median absolute deviation and 2 % of the expected cost; if it is 0 no day is flagged
 * flagged    |z| and |r| above or at the policy's limits, all three
 * baseline   a flagged day is not usable, until 14 in a row are: then the new level is accepted
 * event      flags of one direction with at most one other day between; from 7 flagged days on a level shift
 *
 * A null is an unknown day: it is neither judged nor used, and does not break a row.
 */
export function anomalies(historyStart: string, history: readonly (bigint | null)[], policy: AnomalyPolicy = DEFAULT_ANOMALY_POLICY): { readonly flagged: readonly string[]; readonly events: readonly AnomalyEvent[] } {
  const { flags } = judgeDays(historyStart, history, policy, null);
  return { flagged: flags.map(({ day }) => dateOf(day)), events: eventsOf(flags) };
}

/** A day that could be judged. Amounts in whole units; the band is what would not have been flagged. */
export interface JudgedDay {
  readonly day: number;
  readonly cost: bigint;
  readonly expected: bigint;
  readonly low: bigint;
  readonly high: bigint;
  /** (r − median r) ÷ s, without its sign; null where s is 0. */
  readonly z: number | null;
  readonly isFlagged: boolean;
}

/**
 * As `anomalies`, with false alarms held down (model g.10): a scope that is flagged in more than two events within 30 days gets the 98th
 * percentile of its own past |z| as its limit, if that is higher. `z` is the limit that held.
 */
export function watch(historyStart: string, history: readonly (bigint | null)[], policy: AnomalyPolicy = DEFAULT_ANOMALY_POLICY): { readonly events: readonly AnomalyEvent[]; readonly z: Rational } {
  const judged = judgeDays(historyStart, history, policy, null);
  const events = eventsOf(judged.flags);
  const starts = events.map(({ start }) => dayNumber(start));
  const isNoisy = starts.some((start, index) => {
    const third = starts[index + 2];
    return third !== undefined && third - start < 30;
  });
  if (!isNoisy) return { events, z: policy.z };
  const sizes = judged.sizes.toSorted((a, b) => a - b);
  const raised = sizes[Math.ceil(sizes.length * 0.98) - 1];
  if (raised === undefined || raised <= toNumber(policy.z)) return { events, z: policy.z };
  const z = decimal(raised.toFixed(6));
  return { events: eventsOf(judgeDays(historyStart, history, { ...policy, z }, null).flags), z };
}

/** Every day of a history that could be judged under a policy (its `z` as `watch` found it), with the band that would not have been flagged. */
export function judgedDays(historyStart: string, history: readonly (bigint | null)[], policy: AnomalyPolicy): readonly JudgedDay[] {
  const days: JudgedDay[] = [];
  judgeDays(historyStart, history, policy, days);
  return days;
}

/**
 * A ledger watches dozens of scopes over years, and few of their days are unusual: the spread is first taken in doubles, and exactly only
 * where the doubles leave room for doubt (or where `bands` of every day are wanted). Doubles decide nothing.
 */
function judgeDays(historyStart: string, history: readonly (bigint | null)[], policy: AnomalyPolicy, bands: JudgedDay[] | null): { readonly flags: readonly Flag[]; readonly sizes: readonly number[] } {
  const first = dayNumber(historyStart);
  const limit = toNumber(policy.z);
  const isUsable = history.map((cost) => cost !== null);
  const residuals: (bigint | null)[] = history.map(() => null);
  const baseline = baselineOf();
  const flags: Flag[] = [];
  /** |z| of the days, for a percentile. */
  const sizes: number[] = [];
  let row: number[] = [];

  history.forEach((cost, day) => {
    if (cost === null) return;
    const expected = expectedCost(history, isUsable, day);
    if (expected === null) {
      row = [];
      return;
    }
    const residual = EIGHTHS * cost - expected;
    residuals[day] = residual;
    const about = baseline.about(day, Number(residual), Number(expected));
    if (about !== null && about.size > 0) sizes.push(about.distance / about.size);
    let isFlagged = false;
    if (bands !== null || (about !== null && about.distance + about.error >= limit * about.size)) {
      const scale = scaleOf(expected, usableResiduals(residuals, isUsable, day));
      const z = scale === null || scale.size === 0n ? null : rational((residual - scale.center) * 10_000n, scale.size);
      isFlagged = z !== null && isOutlier(z, residual, expected, policy);
      if (scale !== null) bands?.push(judgedDay(first + day, cost, expected, scale, z, isFlagged, policy));
      if (z !== null && isFlagged) flags.push({ day: first + day, residual, z: { numerator: magnitudeOf(z.numerator), denominator: z.denominator } });
    }
    if (!isFlagged) {
      baseline.put(day, Number(residual));
      row = [];
      return;
    }
    isUsable[day] = false;
    row.push(day);
    if (row.length < ACCEPTED_AFTER) return;
    for (const accepted of row) {
      if (isUsable[accepted] !== true) baseline.put(accepted, Number(residuals[accepted]));
      isUsable[accepted] = true;
    }
  });
  return { flags, sizes };
}

/** The usable residuals of the last 56 days as doubles, kept in order of size from day to day. Days are asked for in their order. */
function baselineOf(): {
  put(day: number, residual: number): void;
  /** Distance of a residual from the median, and the spread it is held against; both off by `error` at most. null under 28 residuals. */
  about(day: number, residual: number, expected: number): { readonly distance: number; readonly size: number; readonly error: number } | null;
} {
  const sorted: number[] = [];
  let known: { readonly day: number; readonly residual: number }[] = [];
  const placeOf = (residual: number): number => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? 0) < residual) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    put(day, residual) {
      sorted.splice(placeOf(residual), 0, residual);
      known.push({ day, residual });
    },
    about(day, residual, expected) {
      const isPast = (entry: { readonly day: number }): boolean => entry.day < day - BASELINE_DAYS;
      if (known.some(isPast)) {
        for (const entry of known) if (isPast(entry)) sorted.splice(placeOf(entry.residual), 1);
        known = known.filter((entry) => !isPast(entry));
      }
      if (sorted.length < 28) return null;
      const center = middleOf(sorted);
      const spread = medianDistance(sorted, center, placeOf(center));
      const size = Math.max(1.4826 * spread, 0.02 * Math.abs(expected));
      const largest = Math.max(Math.abs(sorted[0] ?? 0), Math.abs(sorted.at(-1) ?? 0), Math.abs(residual), Math.abs(expected));
      return { distance: Math.abs(residual - center), size, error: largest * 1e-9 };
    },
  };
}

/** The median of |value − center|. Distances grow from the center to both sides: they are met in their order. `place`: the first value not below it. */
function medianDistance(sorted: readonly number[], center: number, place: number): number {
  let [below, above, before, last] = [place - 1, place, 0, 0];
  for (let met = 0; met <= sorted.length / 2; met += 1) {
    const left = below >= 0 ? center - (sorted[below] ?? center) : Number.POSITIVE_INFINITY;
    const right = above < sorted.length ? (sorted[above] ?? center) - center : Number.POSITIVE_INFINITY;
    before = last;
    last = Math.min(left, right);
    if (left <= right) below -= 1;
    else above += 1;
  }
  return sorted.length % 2 === 1 ? last : (before + last) / 2;
}

function middleOf(sorted: readonly number[]): number {
  const middle = Math.floor(sorted.length / 2);
  const [below = 0, above = 0] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? above : (below + above) / 2;
}

function judgedDay(day: number, cost: bigint, expected: bigint, scale: Scale, z: Rational | null, isFlagged: boolean, { z: limit, minimumShare, minimumAmount }: AnomalyPolicy): JudgedDay {
  const least = [(magnitudeOf(expected) * minimumShare.numerator) / minimumShare.denominator, EIGHTHS * minimumAmount].reduce((a, b) => (a > b ? a : b));
  const spread = (scale.size * limit.numerator) / (limit.denominator * 10_000n);
  const [below, above] = [scale.center - spread, scale.center + spread];
  return {
    day,
    cost,
    expected: expected / EIGHTHS,
    low: (expected + (below < -least ? below : -least)) / EIGHTHS,
    high: (expected + (above > least ? above : least)) / EIGHTHS,
    z: z === null ? null : Math.abs(toNumber(z)),
    isFlagged,
  };
}

interface Flag {
  readonly day: number;
  /** In eighths of a unit. */
  readonly residual: bigint;
  readonly z: Rational;
}

/** In eighths of a unit: each of the three medians may halve. */
function expectedCost(history: readonly (bigint | null)[], isUsable: readonly boolean[], day: number): bigint | null {
  const same: bigint[] = [];
  for (let week = 1; week <= 8 && same.length < 4; week += 1) {
    const cost = history[day - 7 * week];
    if (cost !== undefined && cost !== null && isUsable[day - 7 * week] === true) same.push(cost);
  }
  return same.length < 3 ? null : medianOf(same.map((cost) => EIGHTHS * cost));
}

function usableResiduals(residuals: readonly (bigint | null)[], isUsable: readonly boolean[], day: number): readonly bigint[] {
  const usable: bigint[] = [];
  for (let before = Math.max(0, day - BASELINE_DAYS); before < day; before += 1) {
    const residual = residuals[before];
    if (residual !== undefined && residual !== null && isUsable[before] === true) usable.push(residual);
  }
  return usable;
}

/** In eighths of a unit; the size in ten-thousandths of that. */
interface Scale {
  readonly center: bigint;
  readonly size: bigint;
}

function scaleOf(expected: bigint, baseline: readonly bigint[]): Scale | null {
  if (baseline.length < 28) return null;
  const center = medianOf(baseline);
  const spread = medianOf(baseline.map((value) => magnitudeOf(value - center)));
  const [fromSpread, fromCost] = [14_826n * spread, 200n * magnitudeOf(expected)];
  return { center, size: fromSpread > fromCost ? fromSpread : fromCost };
}

function isOutlier(z: Rational, residual: bigint, expected: bigint, { z: limit, minimumShare, minimumAmount }: AnomalyPolicy): boolean {
  const size = magnitudeOf(residual);
  return (
    magnitudeOf(z.numerator) * limit.denominator > limit.numerator * z.denominator &&
    size * minimumShare.denominator >= minimumShare.numerator * magnitudeOf(expected) &&
    size >= EIGHTHS * minimumAmount
  );
}

function eventsOf(flags: readonly Flag[]): readonly AnomalyEvent[] {
  const groups: Flag[][] = [];
  for (const flag of flags) {
    const last = groups.at(-1)?.at(-1);
    const continues = last !== undefined && last.residual > 0n === flag.residual > 0n && flag.day - last.day <= 2;
    if (continues) groups.at(-1)?.push(flag);
    else groups.push([flag]);
  }
  return groups.flatMap((group) => {
    const [start, end] = [group[0], group.at(-1)];
    if (start === undefined || end === undefined) return [];
    return [
      {
        start: dateOf(start.day),
        end: dateOf(end.day),
        direction: start.residual > 0n ? "up" : "down",
        flaggedDays: group.length,
        impact: rational(
          group.reduce((total, { residual }) => total + residual, 0n),
          EIGHTHS,
        ),
        maximumAbsoluteZ: group.reduce((most, { z }) => (z.numerator * most.denominator > most.numerator * z.denominator ? z : most), start.z),
        kind: group.length >= LEVEL_SHIFT_DAYS ? "level_shift" : "anomaly",
      },
    ];
  });
}

function medianOf(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = Math.floor(sorted.length / 2);
  const [below = 0n, above = 0n] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? above : (below + above) / 2n;
}

function magnitudeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}

const EIGHTHS = 8n;
const BASELINE_DAYS = 56;
const ACCEPTED_AFTER = 14;
const LEVEL_SHIFT_DAYS = 7;
