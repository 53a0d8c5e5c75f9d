import type { PivotDimension, PivotFilter, PivotMeasure, PivotPage, PivotRow, PivotTable, PivotValue, PivotView } from "../../../shared/contract/pivot.ts";
import { mostPivotRows, pivotDimensionsOf, pivotMeasuresOf } from "../../../shared/contract/pivot.ts";
import { roundedAlone, shownParts } from "../../../shared/contract/table.ts";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { startOfDay, startOfHour } from "../../../shared/domain/period.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { classOf } from "../metrics/charges.ts";
import { seriesGrain, type ChargeGrain } from "../metrics/grain.ts";
import { conversionLines, conversionOf } from "../reports/converted.ts";
import type { Gathered } from "../reports/gather.ts";
import { withGrain } from "../store/grain.ts";
import { gpuHourGroups, keysTogether } from "./gpu-hours.ts";
import { identifier, isAmong, isOneOf, joined, query, readAll, readOne, sql, sumMoneyOrNull, type Db, type Fragment } from "../store/sql.ts";

/** Where each dimension stands, on `f` (the facts) and `s` (their series, or their lines). */
const columns: Readonly<Record<Exclude<PivotDimension, "team">, Fragment>> = {
  month: sql`f.Month`,
  day: sql`f.Day`,
  hour: sql`f.HourStart`,
  provider: sql`s.ProviderName`,
  account: sql`s.SubAccountId`,
  service: sql`s.ServiceName`,
  region: sql`s.RegionId`,
  gpuModel: sql`s.x_GpuModel`,
  resource: sql`s.ResourceId`,
  chargeCategory: sql`s.ChargeCategory`,
  chargeClass: classOf,
  purchaseOption: sql`s.x_PurchaseOption`,
  sku: sql`s.SkuId`,
  instanceType: sql`s.x_InstanceType`,
  commitment: sql`s.CommitmentDiscountId`,
  invoice: sql`s.InvoiceId`,
  batch: sql`f.BatchId`,
};

/** Amounts that a measure adds up. */
const costs: Readonly<Partial<Record<PivotMeasure, readonly string[]>>> = {
  EffectiveCost: ["EffectiveCost"],
  BilledCost: ["BilledCost"],
  ListCost: ["ListCost"],
  ContractedCost: ["ContractedCost"],
  IdleCost: ["HeldIdleCost", "DeadIdleCost", "IdleMemoryUnknownCost"],
  UnknownCost: ["UnknownCost"],
};

export interface PivotQuestion {
  readonly view: PivotView;
  readonly offset: number;
  readonly limit: number;
}

/**
 * Groups of rows with their sums, a page of them. Every row of the period, scope and currency that the filters leave is in exactly one group,
 * so the groups add up to the total to the last digit. The groups are worked out once and kept in a temporary table while pages of them are
 * asked for. Amounts of up to `mostPivotRows` groups are shown so that they add up to the total shown; more are each rounded alone.
 * errors  pivot.unknown-column
 */
export function readPivot(gathered: Gathered, { view, offset, limit }: PivotQuestion): Result<PivotPage> {
  const wrong = wrongColumn(view);
  if (wrong !== null) return err(ledgerError("pivot.unknown-column", { column: wrong }));
  const { currency, otherCurrencies, context } = gathered;
  const measures = pivotMeasuresOf[view.table];
  if (currency === null) return ok({ currency, otherCurrencies, conversion: [], groups: 0, measures, rows: [], total: measures.map(() => ({ value: null, coverage: 0 })) });
  const { db } = context.ledger;
  const found = offset === 0 ? conversionOf(context, gathered.asked) : null;
  const conversion = found === null ? [] : conversionLines(found, "EffectiveCost");
  const total = work(db, gathered, view, context.ledger.revision());
  const names = namesOf(view);
  const groups = readOne(db, query<{ groups: number }>("groups")`-- pivot.count
    SELECT count(*) AS groups FROM temp.pivot_answer`)?.groups ?? 0;
  const isSettled = groups <= mostPivotRows;
  const [from, count] = isSettled ? [0, groups] : [offset, limit];
  const page = readAll(db, query<Row>(...view.by.map(keyName), ...names)`-- pivot.page
    SELECT ${joined([...view.by.map((dimension) => identifier(keyName(dimension))), ...names.map(identifier)], ", ")}
    FROM temp.pivot_answer
    WHERE rowid > ${from} AND rowid <= ${from + count}
    ORDER BY rowid`);
  const rows = page.map((row) => rowOf(view, row));
  return ok({ currency, otherCurrencies, conversion, groups, measures, rows: isSettled ? settledRows(rows, currency).slice(offset, offset + limit) : rows, total: valuesOf(view.table, total) });
}

/** All groups with what is shown of their amounts; a group of rows that state nothing there is the rest. */
function settledRows(rows: readonly PivotRow[], currency: string): readonly PivotRow[] {
  // Costs of a row are often the same in several columns, and then show the same cents.
  const known = new Map<bigint, bigint>();
  const shown = (rows[0]?.values ?? []).map((_, measure) =>
    shownParts(rows.flatMap(({ keys, values }, index) => {
      const amount = values[measure]?.value;
      return typeof amount === "bigint" ? [{ id: String(index), amount, isRest: keys.includes(null) }] : [];
    }), currency, known),
  );
  return rows.map(({ keys, values }, index) => ({
    keys,
    values: values.map((value, measure) => {
      const amount = shown[measure]?.get(String(index));
      return amount === undefined || amount === roundedAlone(value.value as bigint, currency) ? value : { ...value, shown: amount };
    }),
  }));
}

/** Series and days behind a group, for whoever reads the rows of their files again. */
export function seriesOfGroup(gathered: Gathered, view: PivotView, keys: readonly (string | null)[]): Result<{ readonly seriesIds: readonly number[]; readonly firstDay: number; readonly lastDay: number }> {
  const wrong = wrongColumn(view);
  if (wrong !== null) return err(ledgerError("pivot.unknown-column", { column: wrong }));
  const filters: PivotFilter[] = view.by.map((dimension, index) => ({ dimension, among: [keys[index] ?? null] }));
  const { from, where } = factsOf(gathered, { ...view, by: [...view.by, "day"], filters: [...view.filters, ...filters] }, seriesGrain);
  const found = readAll(gathered.context.ledger.db, query<{ seriesId: number; firstDay: number; lastDay: number }>("seriesId", "firstDay", "lastDay")`-- pivot.series-of-group
    SELECT f.SeriesId AS seriesId, min(f.Day) AS firstDay, max(f.Day) AS lastDay
    FROM ${from}
    WHERE ${where}
    GROUP BY f.SeriesId
    ORDER BY f.SeriesId`);
  return ok({
    seriesIds: found.map(({ seriesId }) => seriesId),
    firstDay: found.reduce((first, row) => Math.min(first, row.firstDay), Number.POSITIVE_INFINITY),
    lastDay: found.reduce((last, row) => Math.max(last, row.lastDay), Number.NEGATIVE_INFINITY),
  });
}

type Row = Readonly<Record<string, string | number | bigint | null>>;

const kept = new WeakMap<Db, { readonly key: string; readonly total: Row }>();

/** Works the groups out, in their order, unless they are those worked out last, and answers what all their rows add up to. */
function work(db: Db, gathered: Gathered, view: PivotView, revision: number): Row {
  const { asked } = gathered;
  const key = JSON.stringify([revision, view, asked.period, asked.scope, gathered.currency]);
  const last = kept.get(db);
  if (last?.key === key) return last.total;
  kept.delete(db);
  const asksFor = { months: gathered.months, scope: asked.scope, dimensions: [...view.by, ...view.filters.map(({ dimension }) => dimension)] };
  const total = withGrain(db, asksFor, (grain) => workAt(view.table === "charges" ? grain : seriesGrain, db, gathered, view));
  kept.set(db, { key, total });
  return total;
}

function workAt(grain: ChargeGrain, db: Db, gathered: Gathered, view: PivotView): Row {
  const { from, where } = groupedHours(gathered, view, grain) ?? factsOf(gathered, view, grain);
  const keys = view.by.map((dimension) => sql`${columnOf(dimension, grain)} AS ${identifier(keyName(dimension))}`);
  const sums = pivotMeasuresOf[view.table].flatMap((measure) => measureColumns(view.table, measure));
  const { text, values } = sql`CREATE TEMP TABLE pivot_answer AS
    SELECT ${joined([...keys, ...sums], ", ")}
    FROM ${from}
    WHERE ${where}
    GROUP BY ${joined(view.by.map((dimension) => identifier(keyName(dimension))), ", ")}
    ORDER BY ${orderOf(view)}`;
  db.exec("DROP TABLE IF EXISTS temp.pivot_answer");
  db.prepare(text).run(...values);
  return readOne(db, query<Row>(...namesOf(view))`-- pivot.total
    SELECT ${joined(sums, ", ")}
    FROM ${from}
    WHERE ${where}`) ?? {};
}

function columnOf(dimension: PivotDimension, grain: ChargeGrain): Fragment {
  return dimension === "team" ? grain.team("f") : columns[dimension];
}

/** Each measure: its sum, and how many rows state it. */
function measureColumns(table: PivotTable, measure: PivotMeasure): Fragment[] {
  const rows = table === "charges" ? "f.RowCount" : "f.HourCount";
  const amounts = costs[measure];
  if (amounts === undefined) {
    const column = identifier(`f.${measure}`);
    return [sql`sum(${column}) AS ${identifier(measure)}`, sql`sum(CASE WHEN ${column} IS NULL THEN 0 ELSE ${identifier(rows)} END) AS ${identifier(`${measure}Rows`)}`];
  }
  // Of a measure in several parts each is kept apart, and they are added exactly when they are read.
  return [
    ...amounts.map((amount) => sql`${sumMoneyOrNull(amount, "f")} AS ${identifier(amount)}`),
    sql`sum(CASE WHEN ${identifier(`f.${amounts[0] ?? ""}Nanos`)} IS NULL THEN 0 ELSE ${identifier(rows)} END) AS ${identifier(`${measure}Rows`)}`,
  ];
}

/** Columns of the temporary table behind the measures, and how many rows there are. */
function namesOf(view: PivotView): string[] {
  return pivotMeasuresOf[view.table].flatMap((measure) => [...(costs[measure] ?? [measure]), `${measure}Rows`]);
}

function orderOf({ by, sort, table }: PivotView): Fragment {
  const keys = by.map((dimension) => sql`${identifier(keyName(dimension))} IS NULL, ${identifier(keyName(dimension))}`);
  if (sort === null) return joined(keys, ", ");
  const sorted = by.find((dimension) => dimension === sort.column);
  const direction = sort.descending ? sql`DESC` : sql`ASC`;
  if (sorted !== undefined) return joined([sql`${identifier(keyName(sorted))} IS NULL, ${identifier(keyName(sorted))} ${direction}`, ...keys], ", ");
  const measure = pivotMeasuresOf[table].find((candidate) => candidate === sort.column);
  if (measure === undefined) return joined(keys, ", ");
  const amounts = costs[measure];
  const size = amounts === undefined
    ? sql`sum(${identifier(`f.${measure}`)})`
    : joined(amounts.map((amount) => sql`coalesce(sum(${identifier(`f.${amount}Nanos`)} / 1000000000) + sum(${identifier(`f.${amount}Nanos`)} % 1000000000) / 1000000000.0, 0)`), " + ");
  return joined([sql`${size} IS NULL, ${size} ${direction}`, ...keys], ", ");
}

/** The smallest table that the question can be answered from, with what its rows are, and the conditions on both. */
function factsOf(gathered: Gathered, { table, by, filters }: PivotView, grain: ChargeGrain): { readonly from: Fragment; readonly where: Fragment } {
  const { months, firstDay, endDay, asked } = gathered;
  const used = new Set([...by, ...filters.map(({ dimension }) => dimension)]);
  const from = table === "charges"
    ? used.has("day") || used.has("batch") ? grain.days("f") : grain.months("f")
    : hoursOf(sql`${used.has("hour") ? sql`*, 1 AS HourCount FROM gpu_hour_cost_current` : sql`* FROM gpu_cost_day_current`} WHERE Day >= ${firstDay} AND Day < ${endDay}`);
  const within = table === "charges" ? isOneOf("Month", months, "f") : sql`1`;
  const scope: Scope = asked.scope;
  const conditions = filters.map((filter) => conditionOf(filter, grain));
  return { from, where: joined([sql`${within} AND s.BillingCurrency = ${gathered.currency} ${grain.within(scope, "f")}`, ...conditions], " AND ") };
}

/** Facts of GPU-hours with their month, and their series. */
function hoursOf(facts: Fragment): Fragment {
  return sql`(SELECT strftime('%Y-%m', Day * 86400, 'unixepoch') AS Month, ${facts}) AS f JOIN series AS s ON s.SeriesId = f.SeriesId`;
}

/** Whether a dimension is a time: of the fact, not of its series. */
const times: ReadonlySet<PivotDimension> = new Set<PivotDimension>(["month", "day", "hour"]);

/** The same facts, added up by what the question tells apart; null where they are not. Converted amounts lie in rows alone. */
function groupedHours(gathered: Gathered, view: PivotView, grain: ChargeGrain): { readonly from: Fragment; readonly where: Fragment } | null {
  const { by, filters, table } = view;
  const used = new Set([...by, ...filters.map(({ dimension }) => dimension)]);
  if (table !== "gpu-hours" || used.has("hour") || gathered.context.convertedFrom !== null) return null;
  const ofSeries = filters.filter(({ dimension }) => !times.has(dimension));
  const groups = gpuHourGroups(gathered, {
    keys: keysTogether(by.filter((dimension) => !times.has(dimension)).map((dimension) => columnOf(dimension, grain))),
    where: joined([sql`s.BillingCurrency = ${gathered.currency} ${grain.within(gathered.asked.scope, "f")}`, ...ofSeries.map((filter) => conditionOf(filter, grain))], " AND "),
    isByDay: used.has("day"),
  });
  return groups === null ? null : { from: hoursOf(sql`* FROM ${groups}`), where: factsOf(gathered, view, grain).where };
}

function conditionOf({ dimension, among, contains }: PivotFilter, grain: ChargeGrain): Fragment {
  const column = columnOf(dimension, grain);
  const conditions: Fragment[] = [];
  if (among !== undefined) conditions.push(isAmong(column, among.map((value) => storedKey(dimension, value))));
  if (contains !== undefined) conditions.push(sql`instr(lower_case(${column}), ${contains.toLowerCase()}) > 0`);
  return conditions.length === 0 ? sql`1` : joined(conditions, " AND ");
}

/** Times are days and hours since 1970 in the store and ISO text outside. */
function storedKey(dimension: PivotDimension, value: string | null): string | number | null {
  if (value === null) return null;
  if (dimension === "day") return Math.floor(Date.parse(`${value}T00:00:00Z`) / 86_400_000);
  if (dimension === "hour") return Math.floor(Date.parse(value) / 3_600_000);
  if (dimension === "batch") return Number(value);
  return value;
}

function shownKey(dimension: PivotDimension, value: string | number | bigint | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (dimension === "day") return startOfDay(Number(value)).slice(0, 10);
  if (dimension === "hour") return startOfHour(Number(value));
  return String(value);
}

/** Money in the temporary table is text as `sumMoney` makes it: whole units, nanos and what is below, each a sum of its own. */
function attosOf(text: string | number | bigint | null | undefined): bigint | null {
  if (text === null || text === undefined) return null;
  if (typeof text === "bigint") return text;
  const [units = "0", nanos = "0", rest = "0"] = String(text).split(" ");
  return (BigInt(units) * 1_000_000_000n + BigInt(nanos)) * 1_000_000_000n + BigInt(rest);
}

function valueOf(measure: PivotMeasure, row: Row, allRows: number): PivotValue {
  const coverage = allRows === 0 ? 0 : Number(row[`${measure}Rows`] ?? 0) / allRows;
  const amounts = costs[measure];
  if (amounts === undefined) {
    const value = row[measure];
    return { value: value === null || value === undefined ? null : Number(value), coverage };
  }
  const parts = amounts.map((amount) => attosOf(row[amount])).filter((part) => part !== null);
  return { value: parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0n), coverage };
}

function rowOf(view: PivotView, row: Row): PivotRow {
  return { keys: view.by.map((dimension) => shownKey(dimension, row[keyName(dimension)])), values: valuesOf(view.table, row) };
}

function valuesOf(table: PivotTable, row: Row): PivotValue[] {
  const allRows = rowsOf(table, row);
  return pivotMeasuresOf[table].map((measure) => valueOf(measure, row, allRows));
}

/** Every row states these: a count of rows, and of GPU-hours how many were billed. */
function rowsOf(table: PivotTable, row: Row): number {
  return Number(row[table === "charges" ? "RowCountRows" : "GpuHoursRows"] ?? 0);
}

/** Of the view's dimensions and its sort, what its table does not have. */
function wrongColumn({ table, by, filters, sort }: PivotView): string | null {
  const known: readonly string[] = pivotDimensionsOf[table];
  const asked = [...by, ...filters.map(({ dimension }) => dimension)].find((dimension) => !known.includes(dimension));
  if (asked !== undefined) return asked;
  if (new Set(by).size !== by.length) return by.find((dimension, index) => by.indexOf(dimension) !== index) ?? null;
  if (sort === null) return null;
  return [...by, ...pivotMeasuresOf[table]].some((column) => column === sort.column) ? null : sort.column;
}

function keyName(dimension: PivotDimension): string {
  return `key_${dimension}`;
}
