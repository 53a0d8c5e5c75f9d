/** Prices in another currency than the need's, by the rate of the day they were stated on (maths.md i.5). */
import { rateFinder, RATE_HOLDS_DAYS } from "../../../shared/domain/exchange.ts";
import { dayOf } from "../../../shared/domain/period.ts";
import { multiply, toDecimal } from "../../../shared/domain/rational.ts";
import type { Candidate } from "../planning/offers.ts";
import { ratesFor } from "../rates/store.ts";
import type { Db } from "../store/sql.ts";

/**
 * Candidates with every price that a rate reaches in `currency`, and what it was stated as beside it. A price without a rate that holds on its
 * day stays in its own currency: it is left out of the ranking, with that reason.
 */
export function inCurrency(candidates: readonly Candidate[], currency: string, db: Db | null): readonly Candidate[] {
  const foreign = candidates.filter((candidate) => candidate.currency !== currency);
  if (foreign.length === 0 || db === null) return candidates;
  const days = foreign.map(({ priceDate }) => dayOf(`${priceDate}T00:00:00Z`));
  const [first, last] = [days.reduce((low, day) => Math.min(low, day)), days.reduce((high, day) => Math.max(high, day))];
  const { rates, pivot, sources } = ratesFor(db, [...new Set(foreign.map((candidate) => candidate.currency))], currency, first, last);
  const rateOn = rateFinder(currency, rates, pivot, RATE_HOLDS_DAYS);
  return candidates.map((candidate) => {
    if (candidate.currency === currency) return candidate;
    const found = rateOn(candidate.currency, candidate.priceDate);
    if (found === null) return candidate;
    const named = [...new Set(found.from.map(({ base, quote, date }) => sources.get(`${base} ${quote} ${date}`)?.source ?? ""))].filter((source) => source !== "");
    return {
      ...candidate,
      currency,
      pricePerHour: multiply(candidate.pricePerHour, found.rate),
      stated: {
        currency: candidate.currency, pricePerHour: candidate.pricePerHour, rate: toDecimal(found.rate), rateDay: found.from.map(({ date }) => date).reduce((oldest, date) => (date < oldest ? date : oldest), candidate.priceDate), rateSource: named.join("; "),
      },
    };
  });
}
