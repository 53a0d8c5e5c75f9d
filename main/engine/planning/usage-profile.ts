import { compare, larger, multiply, subtract, sum, whole, ZERO, type Rational } from "../../../shared/domain/rational.ts";

/** Hours in a row, or anywhere in the period, that used the same number of units. */
export interface UsageRun {
  readonly units: Rational;
  readonly hours: number;
}

/** Usage of one kind of unit (GPU, instance or normalized unit), hour by hour in order; unknown hours are left out, never 0. */
export type UsageProfile = readonly UsageRun[];

export function hoursOf(profile: UsageProfile): number {
  return profile.reduce((total, { hours }) => total + hours, 0);
}

/** Σ units × hours. */
export function unitHoursOf(profile: UsageProfile): Rational {
  return sum(profile.map(({ units, hours }) => multiply(units, whole(hours))));
}

export function scaled(profile: UsageProfile, factor: Rational): UsageProfile {
  return profile.map(({ units, hours }) => ({ units: multiply(units, factor), hours }));
}

/** What is above a level, hour by hour: max(0, units − level). */
export function above(profile: UsageProfile, level: Rational): UsageProfile {
  return profile.map(({ units, hours }) => ({ units: larger(ZERO, subtract(units, level)), hours }));
}

/** The highest usage first. */
export function highestFirst(profile: UsageProfile): UsageProfile {
  return profile.filter(({ hours }) => hours > 0).toSorted((a, b) => compare(b.units, a.units));
}

/**
 * Takes existing commitments off the usage, hour by hour (model b.3): max(0, usage − existing). Both lists run over the same
 * hours; where `existing` ends early it has expired. Its capacity counts, not what it happened to cover.
 */
export function netOfExisting(usage: UsageProfile, existing: UsageProfile): UsageProfile {
  const net: UsageRun[] = [];
  let index = 0;
  let left = existing[0]?.hours ?? 0;
  for (const run of usage) {
    let hours = run.hours;
    while (hours > 0) {
      while (left === 0 && index < existing.length) {
        index += 1;
        left = existing[index]?.hours ?? 0;
      }
      const covered = existing[index];
      const span = covered === undefined ? hours : Math.min(hours, left);
      net.push({ units: larger(ZERO, covered === undefined ? run.units : subtract(run.units, covered.units)), hours: span });
      hours -= span;
      left -= covered === undefined ? 0 : span;
    }
  }
  return net;
}
