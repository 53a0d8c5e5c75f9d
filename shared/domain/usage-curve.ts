/**
 * What a commitment of any level does to a usage that is sorted already: light enough to be worked out again while a slider moves, and exact, so
 * that the window and the engine say the same to the last digit. Levels in whole millionths of a GPU, prices in attos a GPU-hour.
 */
import { divideHalfEven } from "./rational.ts";

export interface UsageLevels {
  /** Distinct, highest first. */
  readonly levels: readonly number[];
  /** Hours with exactly that usage. */
  readonly hours: readonly number[];
}

export interface LevelPrices {
  readonly committedAttos: bigint;
  readonly onDemandAttos: bigint;
}

/** Money is of a mean month of 730 hours, in attos. */
export interface LevelOutcome {
  readonly savingAttos: bigint;
  /** Unused, and what is left on demand. */
  readonly unusedAttos: bigint;
  readonly onDemandAttos: bigint;
  /** Null without a level. */
  readonly utilization: number | null;
  /** Share of the hours with usage above the level, and below. */
  readonly shareAbove: number;
  readonly shareBelow: number;
}

const MILLIONTHS = 1_000_000n;
const HOURS_A_MONTH = 730n;

/**
 * saving     (p · Σ min(y, Q) − e · n · Q) ÷ n · 730
 * unused     e · (n · Q − Σ min(y, Q)) ÷ n · 730; on demand p · Σ max(0, y − Q) ÷ n · 730
 */
export function levelOutcome({ levels, hours }: UsageLevels, level: number, { committedAttos, onDemandAttos }: LevelPrices): LevelOutcome {
  let [all, above, below] = [0, 0, 0];
  let covered = 0n;
  let over = 0n;
  levels.forEach((units, index) => {
    const own = hours[index] ?? 0;
    all += own;
    if (units > level) above += own;
    if (units < level) below += own;
    covered += BigInt(Math.min(units, level)) * BigInt(own);
    over += BigInt(Math.max(0, units - level)) * BigInt(own);
  });
  if (all === 0) return { savingAttos: 0n, unusedAttos: 0n, onDemandAttos: 0n, utilization: null, shareAbove: 0, shareBelow: 0 };
  const committed = BigInt(level) * BigInt(all);
  const aMonth = (millionthAttos: bigint): bigint => divideHalfEven(millionthAttos * HOURS_A_MONTH, MILLIONTHS * BigInt(all));
  return {
    savingAttos: aMonth(onDemandAttos * covered - committedAttos * committed),
    unusedAttos: aMonth(committedAttos * (committed - covered)),
    onDemandAttos: aMonth(onDemandAttos * over),
    utilization: committed === 0n ? null : Number(covered) / Number(committed),
    shareAbove: above / all,
    shareBelow: below / all,
  };
}
