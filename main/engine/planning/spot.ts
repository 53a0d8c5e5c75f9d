/**
 * Work on machines that can be taken away (model c). Interruptions are Poisson with a mean time M between them; a gang of g
 * instances that stops together has M ÷ g. Writing a checkpoint takes δ, restarting takes R, both are billed. All times are in
 * hours. Floating point: no decision here rests on an exact tie.
 */

export interface CheckpointIntervals {
  /** √(2δM), the rule of thumb. */
  readonly young: number;
  /** Daly's higher order of it; M where δ ≥ 2M. */
  readonly daly: number;
  /** The interval with the least overhead: the root τ of 1 − τ/M = e^(−(τ + δ)/M). */
  readonly exact: number;
}

/** How long to work between checkpoints (model c.3). Null without a mean time above 0, or with a checkpoint below 0. */
export function checkpointIntervals(meanTimeHours: number, checkpointHours: number): CheckpointIntervals | null {
  if (!(meanTimeHours > 0) || !(checkpointHours >= 0)) return null;
  const young = Math.sqrt(2 * checkpointHours * meanTimeHours);
  const half = checkpointHours / (2 * meanTimeHours);
  const daly = checkpointHours < 2 * meanTimeHours ? young * (1 + Math.sqrt(half) / 3 + half / 9) - checkpointHours : meanTimeHours;
  return { young, daly, exact: meanTimeHours * bestIntervalShare(checkpointHours / meanTimeHours) };
}

/**
 * Billed hours a useful hour (model c.2): (M/τ)·e^(R/M)·(e^((τ+δ)/M) − 1). With free checkpoints and τ → 0 it tends to e^(R/M).
 */
export function overheadFactor(meanTimeHours: number, intervalHours: number, checkpointHours: number, restartHours: number): number {
  const restart = Math.exp(restartHours / meanTimeHours);
  if (intervalHours === 0) return checkpointHours === 0 ? restart : Infinity;
  return (meanTimeHours / intervalHours) * restart * Math.expm1((intervalHours + checkpointHours) / meanTimeHours);
}

export interface SpotInputs {
  /** Of one instance. */
  readonly meanTimeHours: number;
  /** Instances that stop together. */
  readonly instances: number;
  readonly spotHourly: number;
  readonly onDemandHourly: number;
  readonly checkpointHours: number;
  readonly restartHours: number;
  /** Useful work between checkpoints; null for the best. */
  readonly intervalHours: number | null;
  /** Waiting for capacity after an interruption: not billed, but time. */
  readonly waitHours: number;
  readonly storagePerUsefulHour: number;
  /** A commitment to compare with; null for none. */
  readonly reserved: { readonly effectiveHourly: number; readonly utilization: number } | null;
}

export interface SpotCost {
  readonly systemMeanTimeHours: number;
  readonly intervalHours: number;
  readonly overheadFactor: number;
  readonly interruptionsPerUsefulHour: number;
  readonly wallHoursPerUsefulHour: number;
  /** Of the whole gang, like the two beside it. */
  readonly costPerUsefulHour: number;
  readonly onDemandCostPerUsefulHour: number;
  /** Null if nobody uses it, or there is none. */
  readonly reservedCostPerUsefulHour: number | null;
  readonly savingShare: number | null;
  /** The spot price of an instance at which on demand costs the same. */
  readonly breakEvenSpotHourly: number;
  /** Spot only if it is strictly cheaper. */
  readonly cheapest: "spot" | "on_demand" | "reserved";
}

/**
 * What a useful hour costs on spot (model c.4). ω is the overhead factor of the gang's mean time, s and p the prices of an
 * instance, e and u the reserved price and its utilization.
 *
 * cost            s·ω·g + storage; on demand p·g; reserved e·g ÷ u
 * interruptions   ω ÷ M; the wall clock adds interruptions × wait
 * break-even      (p·g − storage) ÷ (ω·g)
 *
 * Null without a mean time above 0, or one so short that no useful hour is ever finished.
 */
export function spotCost(inputs: SpotInputs): SpotCost | null {
  const { instances, spotHourly, onDemandHourly, checkpointHours, restartHours, reserved } = inputs;
  const systemMeanTimeHours = inputs.meanTimeHours / instances;
  const best = checkpointIntervals(systemMeanTimeHours, checkpointHours);
  if (best === null) return null;
  const intervalHours = inputs.intervalHours ?? best.exact;
  const overhead = overheadFactor(systemMeanTimeHours, intervalHours, checkpointHours, restartHours);
  if (!Number.isFinite(overhead)) return null;
  const interruptions = overhead / systemMeanTimeHours;
  const cost = spotHourly * overhead * instances + inputs.storagePerUsefulHour;
  const onDemandCost = onDemandHourly * instances;
  const reservedCost = reserved === null || reserved.utilization === 0 ? null : (reserved.effectiveHourly / reserved.utilization) * instances;
  return {
    systemMeanTimeHours,
    intervalHours,
    overheadFactor: overhead,
    interruptionsPerUsefulHour: interruptions,
    wallHoursPerUsefulHour: overhead + interruptions * inputs.waitHours,
    costPerUsefulHour: cost,
    onDemandCostPerUsefulHour: onDemandCost,
    reservedCostPerUsefulHour: reservedCost,
    savingShare: onDemandCost === 0 ? null : 1 - cost / onDemandCost,
    breakEvenSpotHourly: (onDemandCost - inputs.storagePerUsefulHour) / (overhead * instances),
    cheapest: cheapestOf(cost, onDemandCost, reservedCost),
  };
}

/**
 * A job that starts again from nothing at every interruption (model c.5): M·e^(R/M)·(e^(T/M) − 1) hours expected. It explodes:
 * not to be recommended beyond a small part of M. Null without a mean time above 0, and
 * where the hours are more than a double can say; the factor is null for a job of no length.
 */
export function spotWithoutCheckpoints(meanTimeHours: number, restartHours: number, jobHours: number): {
  readonly expectedWallHours: number;
  readonly overheadFactor: number | null;
  readonly expectedInterruptions: number;
  readonly probabilityOfNoInterruption: number;
} | null {
  if (!(meanTimeHours > 0)) return null;
  const expectedInterruptions = Math.exp(restartHours / meanTimeHours) * Math.expm1(jobHours / meanTimeHours);
  const expectedWallHours = meanTimeHours * expectedInterruptions;
  if (!Number.isFinite(expectedWallHours)) return null;
  return {
    expectedWallHours,
    overheadFactor: jobHours === 0 ? null : expectedWallHours / jobHours,
    expectedInterruptions,
    probabilityOfNoInterruption: Math.exp(-jobHours / meanTimeHours),
  };
}

/**
 * With a warning long enough to write a checkpoint nothing is lost but δ + R an interruption (model c.6): ω = 1 + (δ + R)/M.
 * Where the checkpoint does not fit, this does not hold and the figures are null: use `spotCost`.
 */
export function spotWithNotice({ meanTimeHours, instances, checkpointHours, restartHours, noticeHours, spotHourly, onDemandHourly }: {
  readonly meanTimeHours: number;
  readonly instances: number;
  readonly checkpointHours: number;
  readonly restartHours: number;
  readonly noticeHours: number;
  readonly spotHourly: number;
  readonly onDemandHourly: number;
}): { readonly fitsInNotice: boolean; readonly overheadFactor: number | null; readonly costPerUsefulHour: number | null; readonly savingShare: number | null } {
  const fitsInNotice = checkpointHours <= noticeHours;
  if (!fitsInNotice || !(meanTimeHours > 0)) return { fitsInNotice, overheadFactor: null, costPerUsefulHour: null, savingShare: null };
  const overhead = 1 + ((checkpointHours + restartHours) * instances) / meanTimeHours;
  const [cost, onDemandCost] = [spotHourly * overhead * instances, onDemandHourly * instances];
  return { fitsInNotice, overheadFactor: overhead, costPerUsefulHour: cost, savingShare: onDemandCost === 0 ? null : 1 - cost / onDemandCost };
}

/**
 * The shortest mean time between interruptions at which spot still wins (model c.7): the smallest M with s·ω ≤ the
 * alternative, by halving the interval of log M. Null with a reason if the spot price is not lower to begin with.
 */
export function breakEvenMeanTime({ spotHourly, alternativePerUsefulHour, checkpointHours, restartHours }: {
  readonly spotHourly: number;
  readonly alternativePerUsefulHour: number;
  readonly checkpointHours: number;
  readonly restartHours: number;
}): { readonly meanTimeHours: number; readonly reason: null } | { readonly meanTimeHours: null; readonly reason: "spot_price_not_lower" } {
  if (spotHourly >= alternativePerUsefulHour) return { meanTimeHours: null, reason: "spot_price_not_lower" };
  if (checkpointHours + restartHours === 0 || spotHourly <= 0) return { meanTimeHours: 0, reason: null };
  const wins = (meanTime: number): boolean => {
    const best = checkpointIntervals(meanTime, checkpointHours);
    return best !== null && spotHourly * overheadFactor(meanTime, best.exact, checkpointHours, restartHours) <= alternativePerUsefulHour;
  };
  let [low, high] = [Math.log(1e-12), Math.log(1)];
  while (!wins(Math.exp(high)) && high < 700) high += 5;
  for (let step = 0; step < 200; step += 1) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (wins(Math.exp(middle))) high = middle;
    else low = middle;
  }
  return { meanTimeHours: Math.exp(high), reason: null };
}

/**
 * A rough mean time from the share of instances a vendor says are interrupted in a month of 730 h (model c.8): −730 ÷ ln(1 − q).
 * Null if none or all are: then the band says nothing about a rate.
 */
export function meanTimeFromBand(monthlyInterruptionShare: number): number | null {
  return monthlyInterruptionShare > 0 && monthlyInterruptionShare < 1 ? -730 / Math.log1p(-monthlyInterruptionShare) : null;
}

function cheapestOf(spot: number, onDemand: number, reserved: number | null): SpotCost["cheapest"] {
  const alternative = reserved === null ? onDemand : Math.min(onDemand, reserved);
  if (spot < alternative) return "spot";
  return onDemand <= alternative ? "on_demand" : "reserved";
}

/**
 * x = τ/M with −ln(1 − x) − x = a, where a = δ/M. From a = 1 up, y = 1 − x is tiny and found as the fixed point of e^(y − 1 − a);
 * below, x comes by Newton's method from Young's √(2a), with the left side as a series where it would cancel.
 */
function bestIntervalShare(a: number): number {
  if (a === 0) return 0;
  if (a >= 1) {
    let y = Math.exp(-1 - a);
    for (let step = 0; step < 100; step += 1) y -= (y - Math.exp(y - 1 - a)) / (1 - Math.exp(y - 1 - a));
    return 1 - y;
  }
  let x = Math.min(Math.sqrt(2 * a), 0.9);
  for (let step = 0; step < 100; step += 1) {
    const next = x - ((logGap(x) - a) * (1 - x)) / x;
    if (next === x) break;
    x = Math.min(Math.max(next, Number.MIN_VALUE), 1 - 1e-16);
  }
  return x;
}

/** −ln(1 − x) − x without cancellation for small x: x²/2 + x³/3 + … */
function logGap(x: number): number {
  if (x > 0.25) return -Math.log1p(-x) - x;
  let [total, power] = [0, x];
  for (let k = 2; k < 40; k += 1) {
    power *= x;
    total += power / k;
  }
  return total;
}
