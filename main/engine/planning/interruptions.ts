/** One run of a machine that can be taken away: how long it ran, and whether it was taken. */
export interface MachineRun {
  readonly hours: number;
  readonly wasInterrupted: boolean;
}

export interface MeanTimeToInterruption {
  readonly runs: number;
  readonly hours: number;
  readonly interruptions: number;
  /** Null where nothing was interrupted, or nothing ran. */
  readonly meanHours: number | null;
  /** With 95 % confidence the mean time is longer than this; null where something was interrupted, or nothing ran. */
  readonly atLeastHours: number | null;
}

/**
 * The mean time between interruptions that a person's own log tells (model c.8).
 *
 * mean       hours that machines ran ÷ times they were interrupted; a run that ended by itself adds its hours
 * never      after T hours without an interruption the mean is above T ÷ 3 with 95 % confidence: at a mean of T ÷ 3 the chance to see
 *            none is e^−3, 5 % (the rule of three). It is a bound, not an estimate.
 */
export function meanTimeToInterruption(runs: readonly MachineRun[]): MeanTimeToInterruption {
  const hours = runs.reduce((total, run) => total + run.hours, 0);
  const interruptions = runs.filter(({ wasInterrupted }) => wasInterrupted).length;
  const isKnown = hours > 0;
  return {
    runs: runs.length,
    hours,
    interruptions,
    meanHours: isKnown && interruptions > 0 ? hours / interruptions : null,
    atLeastHours: isKnown && interruptions === 0 ? hours / 3 : null,
  };
}

export interface SavingClaim {
  /** 1 − spot ÷ on-demand price: what the price list alone gives. */
  readonly byPrice: number;
  /** 1 − spot × overhead ÷ on-demand price − share of storage. */
  readonly net: number;
  readonly holds: boolean;
  /** The highest share of the on-demand price at which the claim would hold with this overhead and storage; below 0 none does. */
  readonly needsPriceShare: number;
}

/**
 * Whether spot with checkpoints saves what is claimed (model k): (1 − claim − storage) ÷ ω is the share of the on-demand price that spot
 * may cost at most, where storage is a share of what on demand costs too. Null without an on-demand price.
 */
export function savingClaim({ spotHourly, onDemandHourly, overheadFactor, claim, storageShare = 0 }: {
  readonly spotHourly: number;
  readonly onDemandHourly: number;
  readonly overheadFactor: number;
  readonly claim: number;
  readonly storageShare?: number;
}): SavingClaim | null {
  if (!(onDemandHourly > 0)) return null;
  const share = spotHourly / onDemandHourly;
  const needsPriceShare = (1 - claim - storageShare) / overheadFactor;
  return { byPrice: 1 - share, net: 1 - share * overheadFactor - storageShare, holds: share <= needsPriceShare, needsPriceShare };
}
