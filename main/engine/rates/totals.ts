/** Totals in one currency: every day's amounts by the rate of that day, and parts that add up to the whole. */
import type { ConvertedDimension, ConvertedRow, ConvertedTotals } from "../../../shared/contract/rates.ts";
import type { MoneyTotals } from "../../../shared/contract/methods.ts";
import { moneyColumns, type MoneyColumn } from "../../../shared/domain/charge.ts";
import { convertParts, type ConvertedParts, type PartAmount } from "../../../shared/domain/exchange.ts";
import { formatAttos, sumAttos } from "../../../shared/domain/money.ts";
import { startOfDay } from "../../../shared/domain/period.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { identifier, isOneOf, joined, query, readAll, scopeFilter, sql, sumMoneyOrNull, teamIn, type Db, type Fragment } from "../store/sql.ts";
import { ratesFor } from "./store.ts";

interface Asked {
  readonly months: readonly string[] | null;
  readonly by: readonly ConvertedDimension[];
  readonly scope: Scope;
  readonly in: string;
}

interface DayRow {
  readonly day: number;
  readonly currencyOfBill: string;
  readonly month: string;
  readonly provider: string | null;
  readonly service: string | null;
  readonly team: string | null;
  readonly currency: string;
  readonly BilledCost: bigint | null;
  readonly EffectiveCost: bigint | null;
  readonly ListCost: bigint | null;
  readonly ContractedCost: bigint | null;
}

export function convertedTotals(db: Db, asked: Asked): ConvertedTotals {
  const dimensions = [...new Set(asked.by)];
  const rows = dayRows(db, { ...asked, by: dimensions });
  const days = rows.map(({ day }) => day);
  const { rates, pivot, sources } = ratesFor(db, [...new Set(rows.map(({ currencyOfBill }) => currencyOfBill))], asked.in, least(days), greatest(days));
  const keyOf = (row: DayRow): string => JSON.stringify(dimensions.map((dimension) => row[dimension]));
  const converted = Object.fromEntries(
    moneyColumns.map((column) => [column, convertParts(amountsOf(rows, column, keyOf), asked.in, rates, { pivot })]),
  ) as Record<MoneyColumn, ConvertedParts>;
  // Effective cost says which days there are, billed cost where a bill states no other.
  const leading = converted.EffectiveCost.days.length + converted.EffectiveCost.missing.length > 0 ? converted.EffectiveCost : converted.BilledCost;
  const keys = [...new Set(rows.map(keyOf))].sort();
  const totals = (of: (parts: ConvertedParts) => bigint | null): MoneyTotals =>
    Object.fromEntries(moneyColumns.map((column) => [column, textOf(of(converted[column]))])) as unknown as MoneyTotals;
  return {
    in: asked.in,
    rows: keys.map((key): ConvertedRow => {
      const values = JSON.parse(key) as (string | null)[];
      return {
        ...Object.fromEntries(dimensions.map((dimension, place) => [dimension, values[place]])),
        ...totals(({ parts }) => sumOrNull(parts.filter(({ part }) => part === key).map((part) => part.converted))),
        stated: statedOf(rows.filter((row) => keyOf(row) === key)),
      };
    }),
    whole: totals(({ days: known, total }) => (known.length === 0 ? null : total)),
    missing: missingOf(leading),
    coverage: leading.days.length + leading.missing.length === 0 ? null : leading.days.length / (leading.days.length + leading.missing.length),
    rates: usedRates(leading, sources),
  };
}

function amountsOf(rows: readonly DayRow[], column: MoneyColumn, keyOf: (row: DayRow) => string): PartAmount[] {
  return rows.flatMap((row) => {
    const amount = row[column];
    return amount === null ? [] : [{ part: keyOf(row), currency: row.currencyOfBill, date: startOfDay(row.day).slice(0, 10), amount }];
  });
}

function dayRows(db: Db, { months, by, scope }: Asked): DayRow[] {
  const columns: Readonly<Record<ConvertedDimension, Fragment>> = { month: sql`c.Month`, provider: sql`s.ProviderName`, service: sql`s.ServiceName`, team: teamIn(sql`c.Month`), currency: sql`s.BillingCurrency` };
  const named = by.map((dimension) => sql`${columns[dimension]} AS ${identifier(dimension)}`);
  const keys = [sql`c.Day`, sql`s.BillingCurrency`, ...by.map((dimension) => columns[dimension])];
  return readAll(db, query<DayRow>("day", "currencyOfBill", ...by, "BilledCost", "EffectiveCost", "ListCost", "ContractedCost")`-- totals.by-day
    SELECT
      ${joined([sql`c.Day AS day`, sql`s.BillingCurrency AS currencyOfBill`, ...named], ", ")},
      ${sumMoneyOrNull("BilledCost", "c")} AS BilledCost,
      ${sumMoneyOrNull("EffectiveCost", "c")} AS EffectiveCost,
      ${sumMoneyOrNull("ListCost", "c")} AS ListCost,
      ${sumMoneyOrNull("ContractedCost", "c")} AS ContractedCost
    FROM charge_day_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE ${months === null ? sql`1` : isOneOf("Month", months, "c")} ${scopeFilter(scope, "s", sql`c.Month`)}
    GROUP BY ${joined(keys, ", ")}
    ORDER BY ${joined(keys, ", ")}`);
}

function statedOf(rows: readonly DayRow[]): ConvertedRow["stated"] {
  const currencies = [...new Set(rows.map(({ currencyOfBill }) => currencyOfBill))];
  const [currency] = currencies;
  if (currency === undefined || currencies.length > 1) return null;
  const sum = (column: MoneyColumn): string | null => textOf(sumOrNull(rows.flatMap((row) => (row[column] === null ? [] : [row[column]]))));
  return { currency, BilledCost: sum("BilledCost"), EffectiveCost: sum("EffectiveCost") };
}

function missingOf({ missing }: ConvertedParts): ConvertedTotals["missing"] {
  return [...new Set(missing.map(({ currency }) => currency))].map((currency) => {
    const own = missing.filter((line) => line.currency === currency);
    return { currency, days: own.length, firstDay: own[0]?.date ?? "", lastDay: own.at(-1)?.date ?? "", amount: formatAttos(sumAttos(own.map(({ amount }) => amount))) };
  });
}

function usedRates({ days }: ConvertedParts, sources: ReadonlyMap<string, { readonly rate: string; readonly source: string }>): ConvertedTotals["rates"] {
  const used = new Map<string, { readonly base: string; readonly quote: string; readonly day: string; daysUsed: number }>();
  for (const { found } of days) {
    for (const { base, quote, date } of found.from) {
      const key = `${base} ${quote} ${date}`;
      const known = used.get(key);
      if (known === undefined) used.set(key, { base, quote, day: date, daysUsed: 1 });
      else known.daysUsed += 1;
    }
  }
  return [...used.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { base, quote, day, daysUsed }]) => ({ base, quote, day, rate: sources.get(key)?.rate ?? "", source: sources.get(key)?.source ?? "", daysUsed }));
}

function sumOrNull(amounts: readonly bigint[]): bigint | null {
  return amounts.length === 0 ? null : sumAttos(amounts);
}

function textOf(attos: bigint | null): string | null {
  return attos === null ? null : formatAttos(attos);
}

function least(values: readonly number[]): number {
  return values.reduce((low, value) => Math.min(low, value), values[0] ?? 0);
}

function greatest(values: readonly number[]): number {
  return values.reduce((high, value) => Math.max(high, value), values[0] ?? 0);
}
