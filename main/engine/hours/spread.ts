/**
 * Where a bill states GPU-hours only by the day or longer, it does not say in which hours the machine ran. Telemetry of the same machine does:
 * the charge's hours go first to the hours in which its devices were seen, and only what is billed beyond that to the rest, in equal measure
 * of what each hour has left. So a machine billed for ten hours of a day and seen for ten hours is known for all ten, not for ten of an even
 * smear over twenty-four. Totals of the day do not change; without telemetry the even shares stay. Pure.
 */

/** An hour's share of a charge, GPU-hours and attos (null where the source states no cost). */
export interface HourShare {
  readonly hour: number;
  readonly gpuHours: number;
  readonly effectiveAttos: bigint | null;
}

/**
 * Moves the shares of one charge series and day to where the devices were seen.
 * `seenIn` gives the GPU-hours seen in an hour that this charge may claim. Shares of negative or no GPU-hours (a refund) stay as they are.
 */
export function toSeenHours(shares: readonly HourShare[], seenIn: (hour: number) => number): readonly HourShare[] {
  const total = shares.reduce((sum, { gpuHours }) => sum + gpuHours, 0);
  const seen = shares.map(({ hour }) => Math.max(0, seenIn(hour)));
  const seenTotal = seen.reduce((sum, hours) => sum + hours, 0);
  if (!(total > 0) || seenTotal === 0 || shares.some(({ gpuHours }) => gpuHours < 0)) return shares;
  const weights = seenTotal >= total ? seen : withRest(seen, total - seenTotal, Math.max(total / shares.length, ...seen));
  return sharedOut(shares, weights.map((weight) => (weight * total) / weights.reduce((sum, each) => sum + each, 0)));
}

/** What was seen, and the rest over the room that each hour has up to the most it can hold; evenly where none has any. */
function withRest(seen: readonly number[], rest: number, most: number): number[] {
  const room = seen.map((hours) => most - hours);
  const roomTotal = room.reduce((sum, hours) => sum + hours, 0);
  return seen.map((hours, index) => hours + (roomTotal > rest / 1e6 ? (rest * (room[index] as number)) / roomTotal : rest / seen.length));
}

/** The hours as they were worked out; money by them, taken to the microsecond, as cumulative floors, so that the day's cost stays what it was, to the atto. */
function sharedOut(shares: readonly HourShare[], hours: readonly number[]): HourShare[] {
  const whole = hours.map((each) => Math.round(each * 3.6e9));
  const divisor = whole.reduce((sum, weight) => sum + weight, 0);
  const cost = shares.some(({ effectiveAttos }) => effectiveAttos === null) ? null : shares.reduce((sum, { effectiveAttos }) => sum + (effectiveAttos as bigint), 0n);
  const sign = cost !== null && cost < 0n ? -1n : 1n;
  let reached = 0;
  let taken = 0n;
  return shares.map(({ hour }, index) => {
    const weight = whole[index] as number;
    reached += weight;
    const upTo = cost === null ? 0n : reached === divisor ? cost * sign : (cost * sign * BigInt(reached)) / BigInt(divisor);
    const given = upTo - taken;
    taken = upTo;
    return { hour, gpuHours: hours[index] as number, effectiveAttos: cost === null ? null : given * sign };
  });
}
