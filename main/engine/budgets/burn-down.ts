/** A day of a budget's period. Amounts are cumulated from its start, in 1e-18 of the budget's unit. */
export interface BurnDay {
  readonly day: number;
  /** The plan, day by day within each month even. */
  readonly plan: bigint;
  /** null after the last known day. */
  readonly actual: bigint | null;
  /** From the last known day on: what is spent by then if the forecast holds; null before, or where nothing can be said. */
  readonly forecast: bigint | null;
}

/**
 * How a budget burns down: plan, what was spent, and what is to come, cumulated. The plan of a month is spread evenly over its days, the
 * last day takes what is left, so the months add up exactly. Days are numbers; `months` in order, without gaps.
 */
export function burnDown(
  months: readonly { readonly start: number; readonly end: number; readonly plan: bigint }[],
  actualOf: (day: number) => bigint | null,
  forecastOf: (day: number) => bigint | null,
): readonly BurnDay[] {
  const days: BurnDay[] = [];
  let [plan, actual] = [0n, 0n];
  let ahead: bigint | null = 0n;
  let isPast = true;
  for (const month of months) {
    const before = plan;
    for (let day = month.start; day < month.end; day += 1) {
      const length = BigInt(month.end - month.start);
      plan = before + (month.plan * BigInt(day - month.start + 1)) / length;
      const spent = isPast ? actualOf(day) : null;
      if (spent === null) isPast = false;
      if (spent !== null) {
        actual += spent;
        ahead = actual;
      } else {
        const next = forecastOf(day);
        ahead = ahead === null || next === null ? null : ahead + next;
      }
      days.push({ day, plan, actual: spent === null ? null : actual, forecast: spent === null ? ahead : null });
    }
  }
  return days;
}

/** The first day on which what is spent, or will be, reaches the budget; null if it lasts through the period, or where nothing is said. */
export function runwayDay(days: readonly BurnDay[], budget: bigint): number | null {
  return days.find(({ actual, forecast }) => (actual ?? forecast) !== null && (actual ?? forecast ?? 0n) >= budget)?.day ?? null;
}
