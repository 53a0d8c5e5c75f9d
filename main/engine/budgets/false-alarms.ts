/**
 * How many false alarms a limit of |z| lets through (model g.10), if residuals are normal; real ones have heavier tails.
 *
 * p          2·(1 − Φ(z)) a scope and day
 * expected   p × scopes × days
 * z          for a target number of alarms: where 2·(1 − Φ(z)) = target ÷ (scopes × days); null if that is not within 0 and 1
 */
export function falseAlarms({ z, scopes, days, targetAlarms }: { readonly z: number; readonly scopes: number; readonly days: number; readonly targetAlarms: number | null }): {
  readonly twoSidedProbability: number;
  readonly expectedAlarms: number;
  readonly zForTarget: number | null;
} {
  const twoSidedProbability = twoSided(z);
  return {
    twoSidedProbability,
    expectedAlarms: twoSidedProbability * scopes * days,
    zForTarget: targetAlarms === null || scopes * days === 0 ? null : twoSidedQuantile(targetAlarms / (scopes * days)),
  };
}

/** P(|Z| > z) of a standard normal Z: erfc(z ÷ √2). */
export function twoSided(z: number): number {
  return complementaryError(z / Math.SQRT2);
}

/** The z with P(|Z| > z) = p, by halving; null for p outside (0, 1]. */
function twoSidedQuantile(p: number): number | null {
  if (!(p > 0) || p > 1) return null;
  let [low, high] = [0, 40];
  for (let step = 0; step < 100; step += 1) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (twoSided(middle) > p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** erfc by its power series below 2, by its continued fraction from there on; good to about 1e-15 of the value. */
function complementaryError(x: number): number {
  if (x < 0) return 2 - complementaryError(-x);
  if (x < 2) {
    let [term, total] = [x, x];
    for (let n = 1; n < 100; n += 1) {
      term *= (-x * x) / n;
      total += term / (2 * n + 1);
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * total;
  }
  let fraction = 0;
  for (let k = 200; k >= 1; k -= 1) fraction = k / 2 / (x + fraction);
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * (x + fraction));
}
