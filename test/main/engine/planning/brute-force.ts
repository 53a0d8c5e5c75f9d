/**
 * Prices every level that could be best, with fractions of its own and no idea of quantiles, slopes or convexity. Slow and
 * plain on purpose: it is what the closed forms of the planning room are held against.
 */
export type Fraction = readonly [numerator: bigint, denominator: bigint];

export const fraction = (numerator: number | bigint, denominator: number | bigint = 1): Fraction => [BigInt(numerator), BigInt(denominator)];
export const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
export const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
export const minus = (a: Fraction, [c, d]: Fraction): Fraction => plus(a, [-c, d]);
export const isLess = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d < c * b;
export const isSame = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d === c * b;
const NOTHING = fraction(0);
const aboveZero = (value: Fraction): Fraction => (isLess(value, NOTHING) ? NOTHING : value);
const lesser = (a: Fraction, b: Fraction): Fraction => (isLess(b, a) ? b : a);
const total = (values: readonly Fraction[]): Fraction => values.reduce(plus, NOTHING);

/** The smallest of the cheapest. */
function cheapest(levels: readonly Fraction[], costOf: (level: Fraction) => Fraction): { readonly level: Fraction; readonly cost: Fraction } {
  const ascending = levels.toSorted((a, b) => (isLess(a, b) ? -1 : isLess(b, a) ? 1 : 0));
  return ascending
    .map((level) => ({ level, cost: costOf(level) }))
    .reduce((best, next) => (isLess(next.cost, best.cost) ? next : best));
}

export function commitmentCost(usage: readonly Fraction[], level: Fraction, committed: Fraction, onDemand: Fraction): Fraction {
  return total(usage.map((used) => plus(times(committed, level), times(onDemand, aboveZero(minus(used, level))))));
}

export function bruteCommitment(usage: readonly Fraction[], committed: Fraction, onDemand: Fraction, lot: number | null, maximum: number | null): { readonly level: Fraction; readonly cost: Fraction } {
  const highest = usage.reduce((most, used) => (isLess(most, used) ? used : most), NOTHING);
  const inLots: Fraction[] = [];
  if (lot !== null) for (let count = 0; ; count += 1) {
    inLots.push(fraction(lot * count));
    if (isLess(highest, fraction(lot * count))) break;
  }
  const levels = lot === null ? [NOTHING, ...usage, ...(maximum === null ? [] : [fraction(maximum)])] : inLots;
  const allowed = levels.filter((level) => maximum === null || !isLess(fraction(maximum), level));
  return cheapest(allowed, (level) => commitmentCost(usage, level, committed, onDemand));
}

export function bruteLayers(usage: readonly Fraction[], multipliers: readonly Fraction[], long: Fraction, short: Fraction | null, onDemand: Fraction): { readonly level: Fraction; readonly cost: Fraction } {
  const years = multipliers.map((multiplier) => usage.map((used) => times(used, multiplier)));
  return cheapest([NOTHING, ...years.flat()], (level) =>
    total(
      years.map((year) => {
        const rest = year.map((used) => aboveZero(minus(used, level)));
        const onTop = short === null ? times(onDemand, total(rest)) : bruteCommitment(rest, short, onDemand, null, null).cost;
        return plus(times(times(long, level), fraction(usage.length)), onTop);
      }),
    ),
  );
}

export interface BruteItem {
  readonly onDemand: Fraction;
  readonly ratio: Fraction;
}

export function savingsPlanHourCost(items: readonly BruteItem[], level: Fraction): Fraction {
  const order = items.toSorted((a, b) => (isLess(a.ratio, b.ratio) ? -1 : isLess(b.ratio, a.ratio) ? 1 : 0));
  let [left, onDemand] = [level, NOTHING];
  for (const item of order) {
    if (isLess(fraction(1), item.ratio)) {
      onDemand = plus(onDemand, item.onDemand);
      continue;
    }
    const need = times(item.onDemand, item.ratio);
    const taken = lesser(need, left);
    left = minus(left, taken);
    onDemand = plus(onDemand, times(minus(need, taken), [item.ratio[1], item.ratio[0]]));
  }
  return plus(level, onDemand);
}

export function bruteSavingsPlan(hours: readonly (readonly BruteItem[])[]): { readonly level: Fraction; readonly cost: Fraction } {
  const levels = hours.flatMap((items) => {
    const order = items.filter(({ ratio }) => !isLess(fraction(1), ratio)).toSorted((a, b) => (isLess(a.ratio, b.ratio) ? -1 : 1));
    let end = NOTHING;
    return order.map(({ onDemand, ratio }) => (end = plus(end, times(onDemand, ratio))));
  });
  return cheapest([NOTHING, ...levels], (level) => total(hours.map((items) => savingsPlanHourCost(items, level))));
}

/** The largest drop, in steps of 1/`steps`, at which the commitment does not lose; null if it loses already. */
export function bruteDrop(usage: readonly Fraction[], level: Fraction, committed: Fraction, onDemand: Fraction, steps: number): number | null {
  for (let kept = 0; kept <= steps; kept += 1) {
    const rest = usage.map((used) => times(used, fraction(kept, steps)));
    const saving = minus(times(onDemand, total(rest)), commitmentCost(rest, level, committed, onDemand));
    if (!isLess(saving, NOTHING)) return (steps - kept) / steps;
  }
  return null;
}
