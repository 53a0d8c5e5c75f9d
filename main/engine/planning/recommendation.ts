import { compare, larger, smaller, subtract, rational, type Rational } from "../../../shared/domain/rational.ts";
import type { CommitmentPrices } from "./commitment.ts";
import { MILLIONTHS, optimalLevelsOfRank, rankHours } from "./usage-rank.ts";

/** Windows of whole weeks, so that every weekday weighs the same (model b.8). */
export const windowDays = [7, 28, 56, 91] as const;
export type WindowDays = (typeof windowDays)[number];
/** Days of the guard against load that has just been shut down. */
export const GUARD_DAYS = 3;

export interface WindowLevel {
  readonly days: WindowDays;
  /** Hours of the window whose usage is known. */
  readonly knownHours: number;
  /** Null without a known hour. */
  readonly stable: Rational | null;
  readonly optimal: Rational | null;
}

export interface CommitmentLevels {
  readonly windows: readonly WindowLevel[];
  /** The least usage of the window chosen. */
  readonly stable: Rational | null;
  /** The cheapest level of the window chosen. */
  readonly optimal: Rational | null;
  /** The lower of the cheapest levels of 28 days and of the last 3. */
  readonly cautious: Rational | null;
  /** Largest less smallest optimum over the windows. */
  readonly spread: Rational | null;
}

/**
 * Three levels to choose from (model b.8). `usage` holds the last 91 days or fewer, hour by hour and the newest last, in whole millionths of
 * a unit and net of what is committed; null is an unknown hour, which is left out of n and never 0.
 *
 * stable     min over the window
 * optimal    Q_low of the window (model b.1)
 * cautious   min(Q_low over 28 days, Q_low over the last 3 days): what was shut down since is not bought
 */
export function commitmentLevels(usage: readonly (number | null)[], days: WindowDays, prices: CommitmentPrices): CommitmentLevels {
  const windows = windowDays.filter((window) => window * 24 <= usage.length || window === 7).map((window) => windowLevel(usage, window, prices));
  const chosen = windows.find((window) => window.days === days) ?? windows.at(-1);
  const month = windowOf(usage, 28, prices).optimal;
  const guard = windowOf(usage, GUARD_DAYS, prices).optimal;
  const optima = windows.flatMap(({ optimal }) => (optimal === null ? [] : [optimal]));
  return {
    windows,
    stable: chosen?.stable ?? null,
    optimal: chosen?.optimal ?? null,
    cautious: month === null || guard === null ? null : smaller(month, guard),
    spread: optima.length === 0 ? null : subtract(optima.reduce(larger), optima.reduce((least, level) => (compare(level, least) < 0 ? level : least))),
  };
}

function windowLevel(usage: readonly (number | null)[], days: WindowDays, prices: CommitmentPrices): WindowLevel {
  return { days, ...windowOf(usage, days, prices) };
}

function windowOf(usage: readonly (number | null)[], days: number, prices: CommitmentPrices): Omit<WindowLevel, "days"> {
  const known = Float64Array.from(usage.slice(-days * 24).filter((units) => units !== null));
  if (known.length === 0) return { knownHours: 0, stable: null, optimal: null };
  return { knownHours: known.length, stable: rational(BigInt(Math.max(0, known.reduce((least, units) => Math.min(least, units)))), BigInt(MILLIONTHS)), optimal: optimalLevelsOfRank(rankHours(known), prices).low };
}
