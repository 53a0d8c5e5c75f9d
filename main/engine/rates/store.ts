import type { RatePair } from "../../../shared/contract/rates.ts";
import { RATE_HOLDS_DAYS, type ExchangeRate } from "../../../shared/domain/exchange.ts";
import { startOfDay } from "../../../shared/domain/period.ts";
import { decimal } from "../../../shared/domain/rational.ts";
import { isOneOf, joined, prepared, query, readAll, sql, type Db } from "../store/sql.ts";
import type { Author } from "../teams/changes.ts";
import type { StatedRate } from "./csv.ts";

export interface StoredRate extends StatedRate {
  readonly source: string;
}

/** Inside the caller's transaction. A rate of a pair and day takes the place of the one before. */
export function keepRates(db: Db, rates: readonly StatedRate[], source: string, { who, at }: Author): void {
  const insert = prepared(db, "INSERT OR REPLACE INTO exchange_rate (Base, Quote, Day, Rate, Source, EnteredBy, EnteredAt) VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const { base, quote, day, rate } of rates) insert.run(base, quote, day, rate, source, who, at);
}

/** Inside the caller's transaction. */
export function removeRate(db: Db, { base, quote, day }: Pick<StatedRate, "base" | "quote" | "day">): void {
  prepared(db, "DELETE FROM exchange_rate WHERE Base = ? AND Quote = ? AND Day = ?").run(base, quote, day);
}

export function ratePairs(db: Db): RatePair[] {
  return readAll(db, query<RatePair>("base", "quote", "days", "firstDay", "lastDay", "lastRate", "source")`-- rates.pairs
    SELECT p.Base AS base, p.Quote AS quote, p.days AS days, p.firstDay AS firstDay, p.lastDay AS lastDay, r.Rate AS lastRate, r.Source AS source
    FROM (SELECT Base, Quote, count(*) AS days, min(Day) AS firstDay, max(Day) AS lastDay FROM exchange_rate GROUP BY Base, Quote) p
    JOIN exchange_rate r ON r.Base = p.Base AND r.Quote = p.Quote AND r.Day = p.lastDay
    ORDER BY p.Base, p.Quote`);
}

/** The rates of some pairs, or of all, as they stand. */
export function storedRates(db: Db, pairs?: readonly Pick<StatedRate, "base" | "quote">[]): StoredRate[] {
  if (pairs?.length === 0) return [];
  const wanted = pairs === undefined ? sql`1` : joined(pairs.map(({ base, quote }) => sql`(Base = ${base} AND Quote = ${quote})`), " OR ");
  return readAll(db, query<StoredRate>("base", "quote", "day", "rate", "source")`-- rates.of-pairs
    SELECT Base AS base, Quote AS quote, Day AS day, Rate AS rate, Source AS source
    FROM exchange_rate
    WHERE ${wanted}
    ORDER BY Base, Quote, Day`);
}

/** What may convert amounts of these currencies on days from first to last: rates among them and through the pivot, back as far as a rate holds. */
export function ratesFor(db: Db, currencies: readonly string[], target: string, firstDay: number, lastDay: number): { readonly rates: readonly ExchangeRate[]; readonly pivot: string | null; readonly sources: ReadonlyMap<string, StoredRate> } {
  const pivot = pivotOf(db);
  const names = [...new Set([...currencies, target, ...(pivot === null ? [] : [pivot])])];
  const from = startOfDay(firstDay - RATE_HOLDS_DAYS).slice(0, 10);
  const until = startOfDay(lastDay).slice(0, 10);
  const rows = readAll(db, query<StoredRate>("base", "quote", "day", "rate", "source")`-- rates.of-days
    SELECT Base AS base, Quote AS quote, Day AS day, Rate AS rate, Source AS source
    FROM exchange_rate
    WHERE ${isOneOf("Base", names)} AND ${isOneOf("Quote", names)} AND Day >= ${from} AND Day <= ${until}
    ORDER BY Base, Quote, Day`);
  return {
    rates: rows.map(({ base, quote, day, rate }) => ({ base, quote, date: day, rate: decimal(rate) })),
    pivot,
    sources: new Map(rows.map((row) => [`${row.base} ${row.quote} ${row.day}`, row])),
  };
}

/** The base with rates to most currencies: of a file of the European Central Bank the euro. */
function pivotOf(db: Db): string | null {
  const bases = readAll(db, query<{ base: string; quotes: number }>("base", "quotes")`-- rates.pivot
    SELECT Base AS base, count(DISTINCT Quote) AS quotes FROM exchange_rate GROUP BY Base ORDER BY quotes DESC, Base LIMIT 1`);
  return bases[0]?.base ?? null;
}

/** Currencies that there are rates to or from. */
export function currenciesWithRates(db: Db): string[] {
  return readAll(db, query<{ currency: string }>("currency")`-- rates.currencies
    SELECT DISTINCT Base AS currency FROM exchange_rate UNION SELECT DISTINCT Quote FROM exchange_rate ORDER BY 1`).map(({ currency }) => currency);
}
