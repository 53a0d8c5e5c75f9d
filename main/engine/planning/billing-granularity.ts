import { add, multiply, ratio, rational, sum, type Rational } from "../../../shared/domain/rational.ts";

/** A device in one month, as its telemetry saw it. */
export interface BusyDevice {
  /** Busy, in seconds, weighted by the share of a card that the device is. */
  readonly busySeconds: Rational;
  /** UTC hours in which it was busy for a moment at least, weighted alike. */
  readonly busyHours: Rational;
  /** Times it became busy after an hour in which it was not. */
  readonly starts: Rational;
  /** Share of a card: 1, or that of a slice. */
  readonly share: Rational;
}

export interface GranularityInputs {
  readonly devices: readonly BusyDevice[];
  readonly monthHours: Rational;
  /** Price of a GPU-hour where each second is billed; null if not known. So with the others. */
  readonly secondHourly: Rational | null;
  readonly hourHourly: Rational | null;
  readonly monthly: Rational | null;
  /** Billed before work begins at each start, where each second is billed: boot, pull, load. */
  readonly startSeconds: Rational;
}

export interface GranularityCosts {
  readonly busyGpuHours: Rational;
  readonly billedBySecond: Rational;
  readonly billedByHour: Rational;
  readonly billedByMonth: Rational;
  readonly bySecond: Rational | null;
  readonly byHour: Rational | null;
  readonly byMonth: Rational | null;
  /** Share of the month a GPU must be busy for a month's price to be worth it against seconds; null without both prices. */
  readonly breakEvenUse: Rational | null;
  readonly use: Rational | null;
}

/**
 * The busy time of a month, billed by the second, by started hours and by the month (mission: bursts want short billing).
 *
 * second   busy seconds + starts × seconds to start
 * hour     UTC hours in which a device was busy at all: a machine stopped after its work, but billed in whole hours
 * month    every device that was busy once, for the whole month
 * break-even use = monthly price ÷ (price by the second × hours of the month)
 */
export function billingGranularity({ devices, monthHours, secondHourly, hourHourly, monthly, startSeconds }: GranularityInputs): GranularityCosts {
  const used = devices.filter(({ busySeconds }) => busySeconds.numerator > 0n);
  const busySeconds = sum(used.map((device) => device.busySeconds));
  const starting = multiply(startSeconds, sum(used.map(({ starts, share }) => multiply(starts, share))));
  const cards = sum(used.map(({ share }) => share));
  const busyGpuHours = multiply(busySeconds, HOURS_PER_SECOND);
  const billedBySecond = multiply(add(busySeconds, starting), HOURS_PER_SECOND);
  const billedByHour = sum(used.map(({ busyHours }) => busyHours));
  const billedByMonth = multiply(cards, monthHours);
  const full = secondHourly === null ? null : multiply(secondHourly, monthHours);
  return {
    busyGpuHours,
    billedBySecond,
    billedByHour,
    billedByMonth,
    bySecond: secondHourly === null ? null : multiply(billedBySecond, secondHourly),
    byHour: hourHourly === null ? null : multiply(billedByHour, hourHourly),
    byMonth: monthly === null ? null : multiply(cards, monthly),
    breakEvenUse: full === null || monthly === null ? null : ratio(monthly, full),
    use: ratio(busyGpuHours, billedByMonth),
  };
}

const HOURS_PER_SECOND = rational(1n, 3600n);
