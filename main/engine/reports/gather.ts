/** What reports and explanations read: the facts of a request, once each. */
import type { FigureRef, IdlePolicy, Provenance, SourceLine } from "../../../shared/contract/report.ts";
import { defaultIdlePolicy } from "../../../shared/contract/report.ts";
import { isUtilizationCounter, type UtilizationCounter } from "../../../shared/domain/counter.ts";
import type { CostBasis, MetricId } from "../../../shared/domain/figure.ts";
import { dayOf, monthsOf, parsePeriod, previousPeriod, startOfDay, type Period, type PeriodLabel } from "../../../shared/domain/period.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { ok } from "../../../shared/result.ts";
import { billedShare, daysCovered } from "../metrics/bill-coverage.ts";
import { chargeRows, type ChargeFacts, type ChargeKey, type ChargeRow, type ChargesAsked } from "../metrics/charges.ts";
import { mostMeasured, readGpuHours, withinScope, type GpuHourFacts, type GpuHourRow } from "../metrics/gpu-hours-where-met.ts";
import type { MemoryLevel } from "../metrics/memory-levels.ts";
import { share } from "../metrics/metric.ts";
import { rememberAnswer } from "../context.ts";
import { setReferenceOf } from "../reference/at.ts";
import type { Precision } from "../reference/catalog.ts";
import { readCharges } from "../store/grain.ts";
import { isOneOf, query, readAll, readOne, type Db } from "../store/sql.ts";
import { compareNames } from "./cells.ts";
import type { ReportContext } from "./context.ts";
import { deviceMonth } from "./device-month.ts";
import { hostJoins, type HostJoin } from "./hosts.ts";
import { keptOfMonth } from "./kept.ts";

export interface Asked {
  readonly period: PeriodLabel;
  readonly scope: Scope;
  readonly basis: CostBasis;
  readonly currency: string | null;
  /** Where all money is in one currency: only what was billed in this one. */
  readonly billedIn?: string | undefined;
  /** The counter that utilization is held to; left out: the ledger's, else the one that measured most of the GPU-hours. */
  readonly counter?: UtilizationCounter | undefined;
}

export interface ShortProvider {
  readonly provider: string;
  readonly covered: number;
  readonly days: number;
}

/** The facts of one request. Everything is read once and shared by all figures, so that two figures of a page cannot disagree. */
export interface Gathered {
  readonly context: ReportContext;
  readonly asked: Asked;
  readonly period: Period;
  readonly months: readonly string[];
  readonly firstDay: number;
  readonly endDay: number;
  /** The label of the period before, and whether a bill of it is known. */
  readonly previous: PeriodLabel | null;
  readonly hasPrevious: boolean;
  /** null when the period has no bill in the scope. */
  readonly currency: string | null;
  readonly otherCurrencies: readonly string[];
  /** A bill of the currency, in the scope. */
  readonly hasBill: boolean;
  readonly hasTelemetry: boolean;
  /** Neither bill, in whatever currency, nor telemetry. */
  readonly isEmpty: boolean;
  readonly billCoverage: number;
  /** Providers that are expected, since a bill of the twelve months before is theirs, and of which no bill reaches into the period. */
  readonly missingProviders: readonly string[];
  /** Providers whose bills cover some days of the period and not all. */
  readonly shortProviders: readonly ShortProvider[];
  charges(by: readonly ChargeKey[]): readonly ChargeRow[];
  previousCharges(by: readonly ChargeKey[]): readonly ChargeRow[];
  gpuHours(): readonly GpuHourRow[];
  /** Of any month, in the currency and scope: for trends. */
  gpuHoursOf(month: string): readonly GpuHourRow[];
  /** Resources with billed GPU-hours in the period, of any scope and currency, in lower case. */
  billedResources(): ReadonlySet<string>;
  hosts(): readonly HostJoin[];
  /** The one counter that every utilization of the page is held to, whatever part of it is shown; null where none measured anything. */
  counter(): UtilizationCounter | null;
  chargeFacts(rows: readonly ChargeRow[], previousRows: readonly ChargeRow[] | null): ChargeFacts;
  gpuHourFacts(rows: readonly GpuHourRow[], precision?: Precision): GpuHourFacts;
}

/** null when the label is no period. */
export function gather(context: ReportContext, asked: Asked): Gathered | null {
  const period = parsePeriod(asked.period);
  if (period === null) return null;
  const { db } = context.ledger;
  setReferenceOf(db, () => ok(context.reference));
  const months = monthsOf(period);
  const firstDay = dayOf(period.start);
  const endDay = dayOf(period.end);
  const previous = previousPeriod(asked.period);
  const previousSpan = previous === null ? null : parsePeriod(previous);
  const previousMonths = previousSpan === null ? [] : monthsOf(previousSpan);
  const currencies = currenciesOf(context, months, asked.scope);
  const currency = asked.currency ?? currencies[0] ?? null;
  const providers = providersOf(context, months, asked.scope, currency);
  const previousProviders = providersOf(context, previousMonths, asked.scope, currency);
  const deliveries = deliveriesOf(context, months);
  const missing = missingOf(context, { months, scope: asked.scope, currency, providers, firstDay, endDay }, deliveries);
  const expected = [...providers, ...missing];
  const coverage = billedShare(deliveries, expected, firstDay, endDay);
  const hasTelemetry = readOne(db, query<{ found: number }>("found")`
    -- telemetry-in-period
    SELECT 1 AS found FROM gpu_hour_current WHERE Day >= ${firstDay} AND Day < ${endDay} LIMIT 1`) !== null;
  const hosts = (): readonly HostJoin[] => rememberAnswer(context.ledger, "host-joins", () => hostJoins(db));
  const hoursOf = (month: string): readonly GpuHourRow[] => (currency === null ? [] : billedWithin(context, withinScope(hoursOfMonth(context, month), currency, asked.scope), asked.billedIn));
  const gpuHours = once(() => months.flatMap(hoursOf));
  const counter = once(() => asked.counter ?? chosenCounter(db) ?? mostMeasured(gpuHours()));
  const charges = remembered((by: readonly ChargeKey[]) =>
    currency === null ? [] : chargesOf(db, { months, scope: asked.scope, currency, basis: asked.basis, by, billedIn: asked.billedIn }),
  );
  const previousCharges = remembered((by: readonly ChargeKey[]) =>
    currency === null || previousMonths.length === 0 ? [] : chargesOf(db, { months: previousMonths, scope: asked.scope, currency, basis: asked.basis, by, billedIn: asked.billedIn }),
  );
  return {
    context,
    asked,
    period,
    months,
    firstDay,
    endDay,
    previous,
    hasPrevious: previousProviders.length > 0,
    currency,
    otherCurrencies: currencies.filter((other) => other !== currency),
    hasBill: providers.length > 0,
    hasTelemetry,
    isEmpty: currencies.length === 0 && !hasTelemetry,
    billCoverage: coverage,
    missingProviders: missing.filter((provider) => provider !== null),
    shortProviders: expected.flatMap((provider) => {
      const [days, covered] = [endDay - firstDay, daysCovered(deliveries, provider, firstDay, endDay)];
      return provider === null || covered === 0 || covered === days ? [] : [{ provider, covered, days }];
    }),
    charges,
    previousCharges,
    gpuHours,
    gpuHoursOf: hoursOf,
    billedResources: () => new Set(months.flatMap((month) => hoursOfMonth(context, month)).flatMap(({ resource }) => (resource === null ? [] : [resource.toLowerCase()]))),
    hosts,
    counter,
    chargeFacts: (rows, previousRows) => ({ currency: currency ?? "", basis: asked.basis, rows, previousRows, billCoverage: coverage }),
    gpuHourFacts: (rows, precision = "bf16") => ({
      currency: currency ?? "",
      rows,
      counter: counter(),
      peakTflops: peaksOf(context, precision),
      memoryLevels: once(() => levelsOf(months.flatMap((month) => deviceMonth(context, month).memory), hosts(), rows)),
    }),
  };
}

/** Dense peaks of one precision by accelerator. */
export function peaksOf({ reference }: ReportContext, precision: Precision): ReadonlyMap<string, number> {
  const peaks = new Map<string, number>();
  for (const { id, peakTflops } of reference.accelerators) {
    const peak = peakTflops[precision];
    if (peak !== null) peaks.set(id, peak);
  }
  return peaks;
}

/** The months of a trend: the twelve that end with the period. */
export function trendMonths({ months }: { readonly months: readonly string[] }): string[] {
  const trend = [months.at(-1) ?? ""];
  while (trend.length < 12) {
    const before = previousPeriod(trend[0] ?? "");
    if (before === null) break;
    trend.unshift(before);
  }
  return trend;
}

/** Charges of the twelve months, without keys: one query. */
export function trendCharges({ context, asked, currency }: Gathered, months: readonly string[]): readonly ChargeRow[] {
  if (currency === null) return [];
  return chargesOf(context.ledger.db, { months, scope: asked.scope, currency, basis: asked.basis, by: [], billedIn: asked.billedIn });
}

/** Charges of some months, added up by some keys. */
export function chargesOf(db: Db, asked: ChargesAsked): readonly ChargeRow[] {
  return readCharges(db, { months: asked.months, scope: asked.scope, dimensions: asked.by }, (grain) => chargeRows(asked, grain));
}

/** Metrics that average a counter. */
const heldToCounter: ReadonlySet<MetricId> = new Set<MetricId>(["gpu-utilization", "flops-per-dollar-effective"]);

const COUNTER_KEY = "utilization-counter";

/** The counter that the person chose for all reports of the ledger; null: the one that measured most. */
export function chosenCounter(db: Db): UtilizationCounter | null {
  const saved = readOne(db, query<{ value: string }>("value")`
    -- chosen-counter
    SELECT Value AS value FROM setting WHERE Key = ${COUNTER_KEY}`)?.value;
  return saved !== undefined && isUtilizationCounter(saved) ? saved : null;
}

/** Keeps the choice, inside the caller's transaction; null takes it back. */
export function saveCounter(db: Db, counter: UtilizationCounter | null): void {
  if (counter === null) db.prepare("DELETE FROM setting WHERE Key = ?").run(COUNTER_KEY);
  else db.prepare("INSERT INTO setting (Key, Value) VALUES (?, ?) ON CONFLICT (Key) DO UPDATE SET Value = excluded.Value").run(COUNTER_KEY, counter);
}

/** A reference to a figure of the request, narrowed to a part of it. */
export function refTo(gathered: Pick<Gathered, "asked" | "currency" | "counter">, metric: MetricId, narrowed: Scope = {}, params?: Readonly<Record<string, string>>): FigureRef {
  const { period, scope, basis } = gathered.asked;
  const ref = { metric, period, scope: { ...scope, ...narrowed }, basis, currency: gathered.currency };
  // A part of the page is held to the page's counter, not to the one that suits the part.
  const counter = heldToCounter.has(metric) ? gathered.counter() : null;
  if (params === undefined && counter === null) return ref;
  return { ...ref, params: counter === null ? { ...params } : { counter, ...params } };
}

const provenances = new WeakMap<Gathered, Provenance>();

export function provenanceOf(gathered: Gathered): Provenance {
  let provenance = provenances.get(gathered);
  if (provenance === undefined) provenances.set(gathered, (provenance = readProvenance(gathered)));
  return provenance;
}

function readProvenance(gathered: Gathered): Provenance {
  const { context, firstDay, endDay, months } = gathered;
  const { db } = context.ledger;
  const sources = sourcesOf(gathered);
  const hours = gathered.gpuHours();
  const gpuHours = hours.reduce((total, row) => total + row.gpuHours, 0);
  const completeUntil = completeUntilOf(deliveriesOf(context, months), endDay);
  const setAside = readOne(db, query<{ rows: number }>("rows")`
    -- rows-set-aside
    SELECT coalesce(sum(RowsSetAside), 0) AS rows FROM batch WHERE State = 'posted' AND ${isOneOf("BatchId", sources.map(({ batch }) => batch))}`);
  const lastImport = readOne(db, query<{ at: string | null }>("at")`
    -- last-import
    SELECT max(ImportedAt) AS at FROM batch WHERE State = 'posted'`);
  return {
    ledgerName: context.ledger.name,
    isSample: infoOf(gathered, "is-sample") === "1",
    revision: context.ledger.revision(),
    completeUntil,
    lastImportAt: lastImport?.at ?? null,
    rowsSetAside: setAside === null ? 0 : setAside.rows,
    telemetryCoverage: share(hours.reduce((total, row) => total + row.knownGpuHours, 0), gpuHours),
    idlePolicy: policyOf(gathered, firstDay, endDay),
    sources,
  };
}

/** Files behind the period: bills with a delivery of its months, logs with a trace in its days; `rows` are those of the period. */
export function sourcesOf({ context, months, firstDay, endDay }: Gathered): readonly SourceLine[] {
  return readAll(context.ledger.db, query<SourceLine>("batch", "file", "sha256", "format", "rows")`
    -- sources
    SELECT b.BatchId AS batch, f.Name AS file, f.Sha256 AS sha256, b.FormatId AS format, behind.rows AS rows
    FROM (
      SELECT d.BatchId AS batchId, sum(d.RowCount) AS rows
      FROM delivery_group AS g
      JOIN delivery AS d ON d.GroupId = g.GroupId
      WHERE ${isOneOf("Month", months, "g")}
      GROUP BY d.BatchId
      UNION ALL
      SELECT t.BatchId, sum(t.SampleCount)
      FROM gpu_trace AS t INDEXED BY gpu_trace_by_day
      WHERE t.Day >= ${firstDay} AND t.Day < ${endDay} AND t.Metric = 'utilization'
      GROUP BY t.BatchId
    ) AS behind
    JOIN batch AS b ON b.BatchId = behind.batchId
    JOIN source_file AS f ON f.BatchId = b.BatchId
    WHERE b.State = 'posted'
    ORDER BY b.BatchId, f.FileId`);
}

function currenciesOf({ ledger }: ReportContext, months: readonly string[], scope: Scope): string[] {
  return readCharges(ledger.db, { months, scope }, (grain) => query<{ currency: string; rows: number }>("currency", "rows")`
    -- currencies
    SELECT s.BillingCurrency AS currency, sum(c.RowCount) AS rows
    FROM ${grain.months()}
    WHERE ${isOneOf("Month", months, "c")} ${grain.within(scope)}
    GROUP BY s.BillingCurrency
    ORDER BY rows DESC, currency`).map(({ currency }) => currency);
}

function providersOf({ ledger }: ReportContext, months: readonly string[], scope: Scope, currency: string | null): (string | null)[] {
  if (currency === null) return [];
  return readCharges(ledger.db, { months, scope }, (grain) => query<{ provider: string | null }>("provider")`
    -- providers
    SELECT DISTINCT s.ProviderName AS provider
    FROM ${grain.months()}
    WHERE ${isOneOf("Month", months, "c")} AND s.BillingCurrency = ${currency} ${grain.within(scope)}
    ORDER BY provider`).map(({ provider }) => provider);
}

/** Months that a source is expected to go on after its last bill; after that it is taken to have ended. */
const EXPECTED_MONTHS = 12;

/** Whether a source that has these months is expected in this one: one of the twelve before is there. */
export function isExpected(has: (month: string) => boolean, month: string): boolean {
  return monthsBefore(month).some(has);
}

function monthsBefore(month: string): string[] {
  const before: string[] = [];
  for (let at = previousPeriod(month); at !== null && before.length < EXPECTED_MONTHS; at = previousPeriod(at)) before.push(at);
  return before;
}

/**
 * Providers that are expected and of which no delivery reaches into the period, in the scope and currency: whoever moved from one provider to
 * another within a scope misses no bill.
 */
function missingOf(
  context: ReportContext,
  of: { readonly months: readonly string[]; readonly scope: Scope; readonly currency: string | null; readonly providers: readonly (string | null)[]; readonly firstDay: number; readonly endDay: number },
  deliveries: readonly DeliveryDays[],
): (string | null)[] {
  const earlier = [...new Set(of.months.flatMap(monthsBefore))];
  const there = new Set([...of.providers, ...deliveries.filter(({ firstDay, lastDay }) => lastDay >= of.firstDay && firstDay < of.endDay).map(({ provider }) => provider)]);
  const gone = new Set(deliveriesOf(context, earlier).map(({ provider }) => provider).filter((provider) => !there.has(provider)));
  if (gone.size === 0) return [];
  const currencies = of.currency === null ? currenciesOf(context, earlier, of.scope) : [of.currency];
  const known = new Set(currencies.flatMap((currency) => providersOf(context, earlier, of.scope, currency)));
  return [...gone].filter((provider) => known.has(provider)).sort(compareNames);
}

interface DeliveryDays {
  readonly provider: string | null;
  readonly firstDay: number;
  readonly lastDay: number;
}
function deliveriesOf({ ledger }: ReportContext, months: readonly string[]): DeliveryDays[] {
  return readAll(ledger.db, query<DeliveryDays>("provider", "firstDay", "lastDay")`
    -- delivery-days
    SELECT g.ProviderName AS provider, d.FirstDay AS firstDay, d.LastDay AS lastDay
    FROM delivery_group AS g
    JOIN delivery AS d ON d.GroupId = g.GroupId
    JOIN batch AS b ON b.BatchId = d.BatchId AND b.State = 'posted'
    WHERE ${isOneOf("Month", months, "g")}
    ORDER BY g.GroupId, d.DeliveryId`);
}

/** The end of the last day that every provider's deliveries reach, not beyond the period. */
function completeUntilOf(deliveries: readonly DeliveryDays[], endDay: number): string | null {
  const reached = new Map<string | null, number>();
  for (const { provider, lastDay } of deliveries) reached.set(provider, Math.max(lastDay + 1, reached.get(provider) ?? lastDay + 1));
  if (reached.size === 0) return null;
  return startOfDay(Math.min(endDay, ...reached.values()));
}

function infoOf({ context }: Gathered, key: string): string | null {
  return readOne(context.ledger.db, query<{ value: string }>("value")`
    -- ledger-info
    SELECT Value AS value FROM ledger_info WHERE Key = ${key}`)?.value ?? null;
}

/** The policy that the days of the period were worked out under: the newest, where they differ. */
function policyOf({ context }: Gathered, firstDay: number, endDay: number): IdlePolicy {
  const row = readOne(context.ledger.db, query<{ policy: string }>("policy")`
    -- policy-of-days
    SELECT Policy AS policy FROM day_generation WHERE Day >= ${firstDay} AND Day < ${endDay} ORDER BY Generation DESC, Day DESC LIMIT 1`);
  return row === null ? defaultIdlePolicy : { ...defaultIdlePolicy, ...(JSON.parse(row.policy) as Partial<IdlePolicy>) };
}

/** Memory of the hosts that are joined to the resources of the rows. */
function levelsOf(levels: readonly MemoryLevel[], hosts: readonly HostJoin[], rows: readonly GpuHourRow[]): readonly MemoryLevel[] {
  const resources = new Set(rows.flatMap(({ resource }) => (resource === null ? [] : [resource.toLowerCase()])));
  const names = new Set(hosts.filter(({ resource }) => resources.has(resource.toLowerCase())).map(({ host }) => host));
  return levels.filter(({ host }) => names.has(host));
}

function hoursOfMonth(context: ReportContext, month: string): readonly GpuHourRow[] {
  return keptOfMonth(context, month, "hours", (days) => readGpuHours(context.ledger.db, days));
}

/** Of rows in which all money is in one currency, those billed in another. */
function billedWithin({ ledger }: ReportContext, rows: readonly GpuHourRow[], billedIn: string | undefined): readonly GpuHourRow[] {
  if (billedIn === undefined) return rows;
  const series = new Set(readAll(ledger.db, query<{ seriesId: number }>("seriesId")`
    -- series-billed-in
    SELECT SeriesId AS seriesId FROM series WHERE BilledIn = ${billedIn}`).map(({ seriesId }) => seriesId));
  return rows.filter(({ seriesId }) => series.has(seriesId));
}

function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | null = null;
  return () => (known ??= { value: read() }).value;
}

function remembered(read: (by: readonly ChargeKey[]) => readonly ChargeRow[]): (by: readonly ChargeKey[]) => readonly ChargeRow[] {
  const known = new Map<string, readonly ChargeRow[]>();
  return (by) => {
    const key = by.join(" ");
    let rows = known.get(key);
    if (rows === undefined) known.set(key, (rows = read(by)));
    return rows;
  };
}
