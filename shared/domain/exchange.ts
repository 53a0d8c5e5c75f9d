/** Amounts of one currency in another, by dated rates (model i.5). Two currencies have no sum: they are converted, or stay apart. */
import { compareIds, sumAttos, type Currency } from "./money.ts";
import { divide, divideHalfEven, floor, isZero, multiply, ONE, type Rational } from "./rational.ts";

/** Units of `quote` for one unit of `base`, as published on `date` (YYYY-MM-DD). */
export interface ExchangeRate {
  readonly base: Currency;
  readonly quote: Currency;
  readonly date: string;
  readonly rate: Rational;
}

export interface DatedAmount {
  readonly currency: Currency;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly amount: bigint;
}

export interface Conversion {
  /** One entry a (currency, date), converted; in order of currency and date. */
  readonly parts: readonly DatedAmount[];
  readonly total: bigint;
  /** What no rate could convert: it is in no total. In order of currency and date. */
  readonly missing: readonly { readonly currency: Currency; readonly date: string }[];
}

export interface ConversionRules {
  /** A currency that both legs may go through, where there is no rate between the two. */
  readonly pivot?: Currency | null;
  readonly maximumAgeDays?: number;
}

/** What an amount of a currency and day is multiplied by, and the published rates that it comes from; none for the target itself. */
export interface RateFound {
  readonly rate: Rational;
  readonly from: readonly ExchangeRate[];
}

/** A rate that is older than this is missing (model i.5): over a holiday the last one holds, over a gap in the file it does not. */
export const RATE_HOLDS_DAYS = 7;

/**
 * Converts amounts into one currency by dated rates (model i.5).
 *
 * rate      the newest one not after the charge's date and at most `maximumAgeDays` old: stated as it is needed, else the
 *           exact inverse of the opposite one, else both legs through `pivot`
 * order     amounts of one currency and date are added first, then converted and rounded half-even once, so the order of
 *           rows changes nothing
 * missing   named, and left out of the total; an amount already in the target needs no rate
 */
export function convert(amounts: Iterable<DatedAmount>, target: Currency, rates: readonly ExchangeRate[], rules: ConversionRules = {}): Conversion {
  const { total, missing, days } = convertParts([...amounts].map((amount) => ({ ...amount, part: "" })), target, rates, rules);
  return { parts: days.map(({ currency, date, converted }) => ({ currency, date, amount: converted })), total, missing: missing.map(({ currency, date }) => ({ currency, date })) };
}

export interface PartAmount extends DatedAmount {
  /** What it is a part of the whole by: a provider, a team. */
  readonly part: string;
}

export interface ConvertedParts {
  /** By part and currency; they add up to `total`, unit by unit. */
  readonly parts: readonly { readonly part: string; readonly currency: Currency; readonly amount: bigint; readonly converted: bigint }[];
  readonly total: bigint;
  /** Every (currency, date) that was converted, with the rate it was converted by; in order of currency and date. */
  readonly days: readonly { readonly currency: Currency; readonly date: string; readonly amount: bigint; readonly converted: bigint; readonly found: RateFound }[];
  readonly missing: readonly { readonly currency: Currency; readonly date: string; readonly amount: bigint }[];
}

/**
 * As `convert`, taken apart. The amount of a currency and date is converted and rounded once; its parts are each rounded down, and the units
 * still missing go one by one to the largest remainder, then to the larger absolute amount, then by name (model i.6): parts always add up.
 */
export function convertParts(amounts: Iterable<PartAmount>, target: Currency, rates: readonly ExchangeRate[], { pivot = null, maximumAgeDays = RATE_HOLDS_DAYS }: ConversionRules = {}): ConvertedParts {
  const groups = new Map<string, { readonly currency: Currency; readonly date: string; readonly parts: Map<string, bigint> }>();
  for (const { currency, date, amount, part } of amounts) {
    const key = `${currency} ${date}`;
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { currency, date, parts: new Map() }));
    group.parts.set(part, (group.parts.get(part) ?? 0n) + amount);
  }
  const rateOn = rateFinder(target, rates, pivot, maximumAgeDays);
  const sums = new Map<string, { readonly part: string; readonly currency: Currency; amount: bigint; converted: bigint }>();
  const days: ConvertedParts["days"][number][] = [];
  const missing: ConvertedParts["missing"][number][] = [];
  const ordered = [...groups.values()].sort((a, b) => compareIds(a.currency, b.currency) || compareIds(a.date, b.date));
  for (const { currency, date, parts } of ordered) {
    const amount = sumAttos(parts.values());
    const found = rateOn(currency, date);
    if (found === null) {
      missing.push({ currency, date, amount });
      continue;
    }
    const converted = divideHalfEven(amount * found.rate.numerator, found.rate.denominator);
    days.push({ currency, date, amount, converted, found });
    for (const [part, share] of sharesOf(parts, found.rate, converted, compareIds)) {
      const key = JSON.stringify([part, currency]);
      const sum = sums.get(key) ?? { part, currency, amount: 0n, converted: 0n };
      sum.amount += parts.get(part) ?? 0n;
      sum.converted += share;
      sums.set(key, sum);
    }
  }
  return {
    parts: [...sums.values()].sort((a, b) => compareIds(a.part, b.part) || compareIds(a.currency, b.currency)),
    total: sumAttos(days.map(({ converted }) => converted)),
    days,
    missing,
  };
}

/** The amount of one currency and date as the parts of it, adding up to `total` units. */
export function sharesOf<Part>(parts: ReadonlyMap<Part, bigint>, { numerator, denominator }: Rational, total: bigint, compareParts: (a: Part, b: Part) => number): Map<Part, bigint> {
  const exact = [...parts].map(([part, amount]) => {
    const above = amount * numerator;
    const down = floor({ numerator: above, denominator });
    return { part, amount: amount < 0n ? -amount : amount, down, remainder: above - down * denominator };
  });
  let left = total - sumAttos(exact.map(({ down }) => down));
  const shares = new Map(exact.map(({ part, down }) => [part, down]));
  if (left <= 0n) return shares;
  const descending = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0);
  for (const { part } of exact.sort((a, b) => descending(a.remainder, b.remainder) || descending(a.amount, b.amount) || compareParts(a.part, b.part))) {
    if (left <= 0n) break;
    shares.set(part, (shares.get(part) ?? 0n) + 1n);
    left -= 1n;
  }
  return shares;
}

/** Looks rates up by pair and day; of several of one pair and date, the last in the list. */
export function rateFinder(target: Currency, rates: readonly ExchangeRate[], pivot: Currency | null, maximumAgeDays: number): (currency: Currency, date: string) => RateFound | null {
  const byPair = new Map<string, { readonly day: number; readonly rate: ExchangeRate }[]>();
  for (const rate of rates) {
    const pair = `${rate.base} ${rate.quote}`;
    const list = byPair.get(pair);
    const entry = { day: dayNumber(rate.date), rate };
    if (list === undefined) byPair.set(pair, [entry]);
    else list.push(entry);
  }
  for (const list of byPair.values()) list.sort((a, b) => a.day - b.day);
  const newest = (base: Currency, quote: Currency, day: number): ExchangeRate | null => {
    const list = byPair.get(`${base} ${quote}`) ?? [];
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list[middle]?.day ?? 0) <= day) low = middle + 1;
      else high = middle;
    }
    const best = list[low - 1];
    return best === undefined || day - best.day > maximumAgeDays ? null : best.rate;
  };
  const between = (base: Currency, quote: Currency, day: number): RateFound | null => {
    const direct = newest(base, quote, day);
    if (direct !== null) return { rate: direct.rate, from: [direct] };
    const opposite = newest(quote, base, day);
    return opposite === null || isZero(opposite.rate) ? null : { rate: divide(ONE, opposite.rate), from: [opposite] };
  };
  const known = new Map<string, RateFound | null>();
  const look = (currency: Currency, date: string): RateFound | null => {
    if (currency === target) return { rate: ONE, from: [] };
    const day = dayNumber(date);
    const single = between(currency, target, day);
    if (single !== null || pivot === null || pivot === currency || pivot === target) return single;
    const [first, second] = [between(currency, pivot, day), between(pivot, target, day)];
    return first === null || second === null ? null : { rate: multiply(first.rate, second.rate), from: [...first.from, ...second.from] };
  };
  return (currency, date) => {
    const key = `${currency} ${date}`;
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = look(currency, date)));
    return found;
  };
}

function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000;
}
