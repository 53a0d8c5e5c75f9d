/** What a scope cost day by day, as budgets, forecasts and anomalies read it. */
import type { CostBasis } from "../../../shared/domain/figure.ts";
import { dayOf } from "../../../shared/domain/period.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { readCharges } from "../store/grain.ts";
import { query, readAll, readOne, sumMoneyOrNull, type Db } from "../store/sql.ts";

/** Cells of one day of charge time and billing month that share these keys, added. */
export interface DailyRow {
  readonly day: number;
  readonly month: string;
  readonly team: string | null;
  readonly provider: string | null;
  readonly service: string | null;
  /** Usage by the day. Everything else comes in lumps and is never extrapolated: purchases, tax, credits, usage billed for more than a day. */
  readonly isDaily: number;
  readonly attos: bigint | null;
  readonly gpuHours: number | null;
}

const kept = new WeakMap<Db, { shows: string; readonly answers: Map<string, unknown> }>();

/** What is worked out from the bills, for as long as the same bills show and the same rules say whose they are: a plan or a word of the person changes neither. */
export function keptAt<T>(ledger: { readonly db: Db }, name: string, read: () => T): T {
  const shows = stampOf(ledger.db);
  let known = kept.get(ledger.db);
  if (known?.shows !== shows) kept.set(ledger.db, (known = { shows, answers: new Map() }));
  if (!known.answers.has(name)) known.answers.set(name, read());
  return known.answers.get(name) as T;
}

function stampOf(db: Db): string {
  const stamp = readOne(db, query<{ stamp: string | null }>("stamp")`-- daily.stamp
    SELECT
      ifnull((SELECT group_concat(GroupId || ':' || CurrentGeneration) FROM delivery_group), '') || ' '
      || ifnull((SELECT count(*) || ':' || total(BatchId) FROM batch WHERE State = 'posted'), '') || ' '
      || ifnull((SELECT Value FROM ledger_info WHERE Key = 'allocation'), '') AS stamp`);
  return stamp?.stamp ?? "";
}

/** Every day of the ledger in one currency, cost basis and scope; teams, providers and services of a scope are picked from the whole. */
export function dailyRows(ledger: { readonly db: Db; revision(): number }, currency: string, basis: CostBasis, scope: Scope): readonly DailyRow[] {
  const { team, provider, service, ...narrower } = scope;
  const rows = keptAt(ledger, `daily ${currency} ${basis} ${JSON.stringify(narrower)}`, () => readDaily(ledger.db, currency, basis, narrower));
  if (team === undefined && provider === undefined && service === undefined) return rows;
  return rows.filter((row) => (team === undefined || team.includes(row.team)) && (provider === undefined || provider.includes(row.provider)) && (service === undefined || service.includes(row.service)));
}

function readDaily(db: Db, currency: string, basis: CostBasis, scope: Scope): DailyRow[] {
  return readCharges(db, { months: null, scope }, (grain) => query<DailyRow>("day", "month", "team", "provider", "service", "isDaily", "attos", "gpuHours")`-- daily.rows
    SELECT
      c.Day AS day, c.Month AS month, ${grain.team()} AS team, s.ProviderName AS provider, s.ServiceName AS service,
      CASE WHEN s.ChargeCategory = 'Usage' AND NOT ${grain.isLong} THEN 1 ELSE 0 END AS isDaily,
      ${sumMoneyOrNull(basis, "c")} AS attos, sum(c.GpuHours) AS gpuHours
    FROM ${grain.days()}
    WHERE s.BillingCurrency = ${currency} ${grain.within(scope)}
    GROUP BY 1, 2, 3, 4, 5, 6
    ORDER BY 1, 2, 3, 4, 5, 6`);
}

/** Days that bills cover, by provider. */
export function coveredDays(ledger: { readonly db: Db; revision(): number }): ReadonlyMap<string | null, ReadonlySet<number>> {
  return keptAt(ledger, "covered-days", () => {
    interface Covered {
      readonly provider: string | null;
      readonly firstDay: number;
      readonly lastDay: number;
    }
    const days = new Map<string | null, Set<number>>();
    for (const { provider, firstDay, lastDay } of readAll(ledger.db, query<Covered>("provider", "firstDay", "lastDay")`-- daily.covered
      SELECT g.ProviderName AS provider, d.FirstDay AS firstDay, d.LastDay AS lastDay
      FROM delivery_group g
      JOIN delivery d ON d.GroupId = g.GroupId
      JOIN batch b ON b.BatchId = d.BatchId AND b.State = 'posted'
      WHERE d.LastDay - d.FirstDay < 4000`)) {
      const of = days.get(provider) ?? new Set<number>();
      for (let day = firstDay; day <= lastDay; day += 1) of.add(day);
      days.set(provider, of);
    }
    return days;
  });
}

/** The days of a scope from the first known on. Amounts are in 1e-18 of the unit: attos of the currency, or of a GPU-hour. */
export interface DailySeries {
  readonly firstDay: number;
  /** The last day that any bill of the scope's providers covers; null without one. */
  readonly lastDay: number | null;
  /** Daily usage; null where a provider of the scope has no bill of the day. Ends with `lastDay`. */
  readonly history: readonly (bigint | null)[];
  /** Daily usage that is billed of a day, known whole or not. */
  usageOf(day: number): bigint;
  /** Everything that is billed of a day, lumps included; what a month's bill dates outside the month counts on its nearest day, so that days add up to months. */
  allOf(day: number): bigint;
  /** Everything of a billing month: what ties to the invoice. null where rows are and none states it. */
  monthTotal(month: string): bigint | null;
  /** Of a billing month, what is not daily usage: never extrapolated. */
  lumpsOf(month: string): bigint;
}

/** What is added up: money, or GPU-hours in 1e-18 of an hour (they count to the billionth). */
export type Measure = "money" | "gpu-hours";

export function dailySeries(rows: readonly DailyRow[], covered: ReadonlyMap<string | null, ReadonlySet<number>>, measure: Measure): DailySeries {
  const [usage, all, months, lumps] = [new Map<number, bigint>(), new Map<number, bigint>(), new Map<string, bigint>(), new Map<string, bigint>()];
  const unstated = new Set<string>();
  const active = new Map<string | null, number>();
  for (const row of rows) {
    active.set(row.provider, Math.max(row.day, active.get(row.provider) ?? row.day));
    const amount = measure === "money" ? row.attos : row.gpuHours === null ? null : BigInt(Math.round(row.gpuHours * 1e9)) * 1_000_000_000n;
    if (amount === null) {
      if (measure === "money") unstated.add(row.month);
      continue;
    }
    if (row.isDaily === 1) add(usage, row.day, amount);
    else add(lumps, row.month, amount);
    const { start, end } = daysOfMonth(row.month);
    add(all, Math.min(Math.max(row.day, start), end - 1), amount);
    add(months, row.month, amount);
  }
  // A scope without a single row has cost nothing on the days that bills cover.
  const providers = active.size === 0 ? [...covered.keys()] : [...active.keys()];
  const days = providers.map((provider) => ({ provider, days: covered.get(provider) ?? new Set<number>() }));
  const everyDay = days.flatMap(({ days: of }) => [...of]);
  const firstDay = (active.size === 0 ? everyDay : rows.map(({ day }) => day)).reduce((first, day) => Math.min(first, day), Number.POSITIVE_INFINITY);
  const last = everyDay.reduce((most, day) => Math.max(most, day), Number.NEGATIVE_INFINITY);
  const answers = {
    usageOf: (day: number) => usage.get(day) ?? 0n,
    allOf: (day: number) => all.get(day) ?? 0n,
    monthTotal: (month: string) => months.get(month) ?? (unstated.has(month) ? null : 0n),
    lumpsOf: (month: string) => lumps.get(month) ?? 0n,
  };
  if (!Number.isFinite(firstDay) || !Number.isFinite(last)) return { firstDay: 0, lastDay: null, history: [], ...answers };
  // A provider that stopped billing long before is not waited for.
  const awaited = days.filter(({ provider, days: of }) => last - (active.get(provider) ?? last) <= STOPPED_AFTER_DAYS || [...of].some((day) => day > last - STOPPED_AFTER_DAYS));
  const starts = new Map(awaited.map(({ provider, days: of }) => [provider, [...of].reduce((first, day) => Math.min(first, day), Number.POSITIVE_INFINITY)]));
  const history = Array.from({ length: last - firstDay + 1 }, (_, index) => {
    const day = firstDay + index;
    const isWhole = awaited.every(({ provider, days: of }) => of.has(day) || day < (starts.get(provider) ?? 0));
    return isWhole ? (usage.get(day) ?? 0n) : null;
  });
  return { firstDay, lastDay: last, history, ...answers };
}

const STOPPED_AFTER_DAYS = 62;

function add<Key>(amounts: Map<Key, bigint>, key: Key, amount: bigint): void {
  const before = amounts.get(key);
  amounts.set(key, before === undefined ? amount : before + amount);
}

const months = new Map<string, { readonly start: number; readonly end: number }>();

/** The first day of a month, and the day after its last. Every row of a bill asks for its month's. */
export function daysOfMonth(month: string): { readonly start: number; readonly end: number } {
  const known = months.get(month);
  if (known !== undefined) return known;
  const start = dayOf(`${month}-01T00:00:00Z`);
  const next = new Date(start * 86_400_000);
  next.setUTCMonth(next.getUTCMonth() + 1);
  const days = { start, end: Math.round(next.getTime() / 86_400_000) };
  if (months.size < 10_000) months.set(month, days);
  return days;
}
