/** Energy and emissions of a period: gathers what the ledger and the tables know, and lets carbon/ compute. */
import { createHash } from "node:crypto";
import {
  carbonFactorUseKinds, defaultCarbonSettings, type CarbonAnswer, type CarbonDimension, type CarbonFactorUse, type CarbonGap, type CarbonGroup, type CarbonRow, type CarbonSettings,
} from "../../../shared/contract/carbon.ts";
import { dayOf, monthsOf, parsePeriod, startOfDay, type PeriodLabel } from "../../../shared/domain/period.ts";
import { toDecimal } from "../../../shared/domain/rational.ts";
import { scopeDimensions, type Scope } from "../../../shared/domain/scope.ts";
import { ok, type Result } from "../../../shared/result.ts";
import { factorBook, type CarbonReference, type Factor, type FactorBook, type OwnFactor } from "../carbon/factors.ts";
import { carbonRow, gradeOf, sumCarbon, type EnergyRow } from "../carbon/rows.ts";
import type { CarbonFacts, WorkDone } from "../metrics/carbon-facts.ts";
import { sumStated } from "../metrics/metric.ts";
import { readGpuHours } from "../metrics/gpu-hours-where-met.ts";
import type { Reference } from "../reference/catalog.ts";
import { providerOf } from "../reference/type-names.ts";
import { isOneOf, query, readAll, readOne, sql, teamIn, type Db, type Query } from "../store/sql.ts";
import type { ReportContext } from "./context.ts";
import { keptOfMonth, type Days } from "./kept.ts";

export interface Carbon {
  readonly rows: readonly CarbonRow[];
  readonly factors: readonly CarbonFactorUse[];
  readonly settings: CarbonSettings;
}

export interface CarbonRules {
  readonly own: readonly OwnFactor[];
  readonly settings: CarbonSettings;
}

/**
 * Energy and emissions of every GPU series of a period, one row a month, under the factors as they are now, or under others to see what
 * they would change. Rows of all currencies: emissions have none.
 *
 * errors  reference.missing, reference.broken
 */
export function carbonOf(context: ReportContext, asked: CarbonAsked, under?: CarbonRules): Result<Carbon> {
  return collect(context, asked, under, (month, rows) => rows(month).filter(({ row }) => isWithin(row, asked.scope)));
}

/**
 * As `carbonOf`, with rows that differ in nothing but series and resource added into one: the same sums from far fewer rows, for what never
 * shows a resource. A scope of resources is answered row by row.
 */
export function carbonSumsOf(context: ReportContext, asked: CarbonAsked): Result<Carbon> {
  if (asked.scope.resource !== undefined) return carbonOf(context, asked);
  return collect(context, asked, undefined, (month, rows, rules) => keptOfMonth(context, month, `carbon sums ${rules}`, () => merged(rows(month)).filter(({ row }) => isWithin(row, asked.scope))));
}

export interface CarbonAsked {
  readonly period: PeriodLabel;
  readonly scope: Scope;
}
interface UsedRow {
  readonly row: CarbonRow;
  readonly used: readonly Factor[];
}

function collect(
  context: ReportContext,
  { period, scope }: CarbonAsked,
  under: CarbonRules | undefined,
  ofMonth: (month: string, rows: (month: string) => readonly UsedRow[], rules: string) => readonly UsedRow[],
): Result<Carbon> {
  const tables = carbonReference(context.reference);
  if (!tables.ok) return tables;
  const { db } = context.ledger;
  const { own, settings } = under ?? { own: ownFactors(db), settings: carbonSettings(db) };
  const span = parsePeriod(period);
  // What a month comes to changes with its hours, its teams and the factors: kept for as long as none of them does.
  const rules = createHash("sha256").update(JSON.stringify([own, settings])).digest("hex").slice(0, 16);
  const book = factorBook(tables.value, own, settings);
  const rowsOf = (month: string): readonly UsedRow[] => keptOfMonth(context, month, `carbon ${rules}`, () => rowsOfMonth(context, month, book, settings));
  const parts = (span === null ? [] : monthsOf(span)).map((month) => partOf(ofMonth(month, rowsOf, `${rules} ${JSON.stringify(scope)}`)));
  const [only] = parts;
  // The rows of one month stay the same list, so that what was added up of them is found again.
  const rows = only !== undefined && parts.length === 1 ? only.rows : parts.flatMap((part) => part.rows);
  const used = new Map<string, FactorRests>();
  for (const part of parts) for (const rests of part.used.values()) addRests(used, rests);
  return ok({ rows, factors: [...used.values()].map(({ factor, ...rests }) => asUse(factor, rests)).sort((a, b) => carbonFactorUseKinds.indexOf(a.kind) - carbonFactorUseKinds.indexOf(b.kind) || (a.key < b.key ? -1 : 1)), settings });
}

/** What rests on a factor. */
interface FactorRests {
  readonly factor: Factor;
  readonly gpuHours: number;
  readonly facilityMilliwattHours: bigint;
}
interface CarbonPart {
  readonly rows: readonly CarbonRow[];
  readonly used: ReadonlyMap<string, FactorRests>;
}

const partsKnown = new WeakMap<readonly UsedRow[], CarbonPart>();

/** The rows of a month without their factors, and what rests on each of those; kept for as long as the month's rows are. */
function partOf(list: readonly UsedRow[]): CarbonPart {
  let part = partsKnown.get(list);
  if (part === undefined) {
    const used = new Map<string, FactorRests>();
    for (const { row, used: factors } of list) for (const factor of factors) addRests(used, { factor, gpuHours: row.gpuHours, facilityMilliwattHours: row.facilityMilliwattHours ?? 0n });
    partsKnown.set(list, (part = { rows: list.map(({ row }) => row), used }));
  }
  return part;
}

function addRests(used: Map<string, FactorRests>, { factor, gpuHours, facilityMilliwattHours }: FactorRests): void {
  const known = used.get(factor.key);
  used.set(factor.key, known === undefined ? { factor, gpuHours, facilityMilliwattHours } : { factor, gpuHours: known.gpuHours + gpuHours, facilityMilliwattHours: known.facilityMilliwattHours + facilityMilliwattHours });
}

/** Rows of one month whose every name, factor and gap is the same, added. */
function merged(rows: readonly UsedRow[]): UsedRow[] {
  const key = ({ row }: UsedRow): string =>
    JSON.stringify([
      row.provider, row.account, row.team, row.service, row.region, row.gpuModel, row.acceleratorId, row.instanceType, row.purchaseOption, row.currency, row.costAttos === null, row.ghgScope,
      row.gaps, row.factors,
    ]);
  return [...Map.groupBy(rows, key).values()].map((list): UsedRow => {
    const [first] = list as [UsedRow, ...UsedRow[]];
    if (list.length === 1) return first;
    const members = list.map(({ row }) => row);
    const sums = sumCarbon(members);
    return {
      row: { ...first.row, ...sums, seriesId: first.row.seriesId, resource: null, costAttos: sumStated(members.map(({ costAttos }) => costAttos)), grade: gradeOf(sums.tiers) },
      used: [...new Map(list.flatMap(({ used }) => used).map((factor) => [factor.key, factor])).values()],
    };
  });
}

function rowsOfMonth(context: ReportContext, month: string, book: FactorBook, settings: CarbonSettings): UsedRow[] {
  const { db } = context.ledger;
  const energy = keptOfMonth(context, month, "energy", (days) => readAll(db, energyRows(days)));
  const hoursOf = new Map(keptOfMonth(context, month, "hours", (days) => readGpuHours(db, days)).map((row) => [row.seriesId, row]));
  return energy.map((facts) => {
    const hours = hoursOf.get(facts.seriesId);
    const beside = {
      costAttos: hours === undefined || hours.pricedGpuHours === 0 ? null : hours.costAttos, knownGpuHours: hours?.knownGpuHours ?? 0, usefulGpuHours: hours?.usefulGpuHours ?? 0,
    };
    const { used, ...row } = carbonRow({ ...facts, month }, beside, book, settings, providerOf(facts.provider));
    return { row, used };
  });
}

/** The facts of metrics for the rows of a request; the currency is that of its money. */
export function carbonFacts(rows: readonly CarbonRow[], currency: string | null, { pricePerTonne, priceCurrency }: CarbonSettings): CarbonFacts {
  return { currency: currency ?? "", rows, pricePerTonne, priceCurrency, work: [] };
}

/** The kinds of work counted in months: a unit of one team, or of all, with its months. */
export function workCounted(db: Db, months: readonly string[]): (readonly WorkDone[])[] {
  const counted = readAll(db, query<WorkDone>("unit", "team", "month", "count")`
    -- carbon-work
    SELECT StatedUnit AS unit, Subject AS team, FromMonth AS month, Value AS count
    FROM carbon_factor
    WHERE Kind = 'work' AND ${isOneOf("FromMonth", months)}
    ORDER BY StatedUnit, Subject, FromMonth, FactorId`);
  return [...Map.groupBy(counted, ({ unit, team }) => JSON.stringify([unit, team])).values()];
}

/** The rows of a period as the window is told of them: totals, parts by each dimension, factors and gaps. */
export function carbonAnswer(context: ReportContext, asked: CarbonAsked): Result<CarbonAnswer> {
  const read = carbonSumsOf(context, asked);
  if (!read.ok) return read;
  const { rows, factors, settings } = read.value;
  const span = parsePeriod(asked.period);
  const [firstDay, endDay] = span === null ? [0, 0] : [dayOf(span.start), dayOf(span.end)];
  const covered = readOne(context.ledger.db, query<{ days: number }>("days")`
    -- carbon-days
    SELECT count(DISTINCT Day) AS days FROM gpu_energy_day_current WHERE Day >= ${firstDay} AND Day < ${endDay}`);
  const by = (dimension: CarbonDimension): readonly CarbonGroup[] => groupsOf(rows, dimension);
  const groups = { team: by("team"), region: by("region"), provider: by("provider"), gpuModel: by("gpuModel"), month: by("month"), ghgScope: by("ghgScope") };
  return ok({
    period: asked.period, scope: asked.scope, total: sumCarbon(rows), groups, factors, gaps: gapsOf(rows), settings, coveredDays: covered?.days ?? 0, days: endDay - firstDay,
  });
}

/** The parts of rows by one dimension, the largest energy first; they add up to the whole. */
export function groupsOf(rows: readonly CarbonRow[], dimension: CarbonDimension): CarbonGroup[] {
  const parts = Map.groupBy(rows, (row) => (row[dimension] === null ? null : String(row[dimension])));
  return [...parts]
    .map(([key, list]) => ({ key, amounts: sumCarbon(list) }))
    .sort((a, b) => (dimension === "month" ? ((a.key ?? "") < (b.key ?? "") ? -1 : 1) : Number((b.amounts.itMilliwattHours ?? 0n) - (a.amounts.itMilliwattHours ?? 0n)) || ((a.key ?? "") < (b.key ?? "") ? -1 : 1)));
}

/** What is not calculated, by reason and by what it is about, the most GPU-hours first. */
export function gapsOf(rows: readonly CarbonRow[]): CarbonGap[] {
  const gaps = new Map<string, { -readonly [K in keyof CarbonGap]: CarbonGap[K] }>();
  for (const row of rows) {
    for (const reason of row.gaps) {
      const subject = reason === "gpu-power-unknown" || reason === "embodied-missing" ? row.gpuModel : reason === "host-power-unknown" ? row.instanceType : row.region;
      const hours = reason === "gpu-power-unknown" ? row.powerUnknownGpuHours : row.gpuHours;
      const key = JSON.stringify([reason, subject, row.provider]);
      const gap = gaps.get(key) ?? { reason, subject, provider: row.provider, gpuHours: 0 };
      gap.gpuHours += hours;
      gaps.set(key, gap);
    }
  }
  return [...gaps.values()].sort((a, b) => b.gpuHours - a.gpuHours || (a.reason < b.reason ? -1 : 1));
}

export function carbonSettings(db: Db): CarbonSettings {
  const saved = readOne(db, query<{ value: string }>("value")`-- settings.carbon
    SELECT Value AS value FROM setting WHERE Key = 'carbon'`);
  return saved === null ? defaultCarbonSettings : { ...defaultCarbonSettings, ...(JSON.parse(saved.value) as Partial<CarbonSettings>) };
}

/** Inside the caller's transaction. */
export function saveCarbonSettings(db: Db, settings: CarbonSettings): void {
  db.prepare("INSERT INTO setting (Key, Value) VALUES ('carbon', ?) ON CONFLICT (Key) DO UPDATE SET Value = excluded.Value").run(JSON.stringify(settings));
}

export function ownFactors(db: Db): OwnFactor[] {
  return readAll(db, query<OwnFactor>("id", "kind", "provider", "region", "subject", "fromMonth", "toMonth", "value", "low", "high", "share", "method", "boundary", "gases", "source", "licence", "retrieved")`
    -- carbon-factors
    SELECT
      FactorId AS id, Kind AS kind, Provider AS provider, Region AS region, Subject AS subject, FromMonth AS fromMonth, ToMonth AS toMonth,
      Value AS value, Low AS low, High AS high, Share AS share, Method AS method, Boundary AS boundary, Gases AS gases,
      Source AS source, Licence AS licence, Retrieved AS retrieved
    FROM carbon_factor
    ORDER BY FactorId`);
}

/** What each GPU series drew over days of one month. */
function energyRows({ firstDay, endDay }: Days): Query<Omit<EnergyRow, "month">> {
  return query<Omit<EnergyRow, "month">>(
    "seriesId", "provider", "account", "team", "service", "region", "gpuModel", "acceleratorId", "instanceType", "purchaseOption", "resource", "currency", "gpuHours",
    "counterHours", "counterMilliwattHours", "powerHours", "powerMilliwattHours", "heldMilliwattHours", "deadMilliwattHours", "idleMemoryUnknownMilliwattHours",
    "modelHours", "modelUsefulHours", "modelHeldHours", "modelHeldUsefulHours", "modelDeadHours", "modelDeadUsefulHours", "modelIdleMemoryUnknownHours",
    "modelIdleMemoryUnknownUsefulHours",
  )`
  -- energy
  SELECT
    e.SeriesId         AS seriesId,
    s.ProviderName     AS provider,
    s.SubAccountId     AS account,
    ${teamIn(sql`${startOfDay(firstDay).slice(0, 7)}`)} AS team,
    s.ServiceName      AS service,
    s.RegionId         AS region,
    s.x_GpuModel       AS gpuModel,
    s.x_AcceleratorId  AS acceleratorId,
    s.x_InstanceType   AS instanceType,
    s.x_PurchaseOption AS purchaseOption,
    s.ResourceId       AS resource,
    s.BillingCurrency  AS currency,
    e.gpuHours, e.counterHours, e.counterMilliwattHours, e.powerHours, e.powerMilliwattHours, e.heldMilliwattHours, e.deadMilliwattHours,
    e.idleMemoryUnknownMilliwattHours, e.modelHours, e.modelUsefulHours, e.modelHeldHours, e.modelHeldUsefulHours, e.modelDeadHours, e.modelDeadUsefulHours,
    e.modelIdleMemoryUnknownHours, e.modelIdleMemoryUnknownUsefulHours
  FROM (
    SELECT
      SeriesId,
      sum(GpuHours)                             AS gpuHours,
      sum(CounterGpuHours)                      AS counterHours,
      sum(CounterMilliwattHours)                AS counterMilliwattHours,
      sum(PowerGpuHours)                        AS powerHours,
      sum(PowerMilliwattHours)                  AS powerMilliwattHours,
      sum(HeldIdleMilliwattHours)               AS heldMilliwattHours,
      sum(DeadIdleMilliwattHours)               AS deadMilliwattHours,
      sum(IdleMemoryUnknownMilliwattHours)      AS idleMemoryUnknownMilliwattHours,
      sum(ModelGpuHours)                        AS modelHours,
      sum(ModelUsefulGpuHours)                  AS modelUsefulHours,
      sum(ModelHeldGpuHours)                    AS modelHeldHours,
      sum(ModelHeldUsefulGpuHours)              AS modelHeldUsefulHours,
      sum(ModelDeadGpuHours)                    AS modelDeadHours,
      sum(ModelDeadUsefulGpuHours)              AS modelDeadUsefulHours,
      sum(ModelIdleMemoryUnknownGpuHours)       AS modelIdleMemoryUnknownHours,
      sum(ModelIdleMemoryUnknownUsefulGpuHours) AS modelIdleMemoryUnknownUsefulHours
    FROM gpu_energy_day_current
    WHERE Day >= ${firstDay} AND Day < ${endDay}
    GROUP BY SeriesId
  ) AS e
  JOIN series AS s ON s.SeriesId = e.SeriesId
  ORDER BY e.SeriesId`;
}

function isWithin(row: CarbonRow, scope: Scope): boolean {
  return scopeDimensions.every((dimension) => scope[dimension]?.includes(row[dimension]) ?? true);
}

const references = new WeakMap<Reference, Result<CarbonReference>>();

export function carbonReference(reference: Reference): Result<CarbonReference> {
  let known = references.get(reference);
  if (known === undefined) {
    const tables = reference.carbonTables();
    known = tables.ok ? ok({ ...tables.value, accelerators: reference.accelerators, machineTypes: reference.instanceTypes }) : tables;
    references.set(reference, known);
  }
  return known;
}

function asUse(factor: Factor, rests: { readonly gpuHours: number; readonly facilityMilliwattHours: bigint }): CarbonFactorUse {
  const { value, low, high, share, ...plain } = factor;
  const isRange = low.numerator * high.denominator !== high.numerator * low.denominator;
  return { ...plain, value: toDecimal(value), low: isRange ? toDecimal(low) : null, high: isRange ? toDecimal(high) : null, share: share === null ? null : toDecimal(share), ...rests };
}
