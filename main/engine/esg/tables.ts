/**
 * The tables of an ESG pack: exact decimals as text, texts as messages. Pure, so that the same facts always make the same figures.
 * kg has 9 decimals and kWh 6: whole micrograms and milliwatt-hours, so every total is the exact sum of the evidence.
 */
import type { CarbonAmounts, CarbonDimension, CarbonFactorUse, CarbonGap, CarbonRow, CarbonSettings } from "../../../shared/contract/carbon.ts";
import type { EmissionsCompareAnswer } from "../../../shared/contract/provider-emissions.ts";
import type { Message } from "../../../shared/contract/report.ts";
import { formatAttos, formatFixed } from "../../../shared/domain/money.ts";
import type { Figure } from "../../../shared/domain/figure.ts";
import type { PeriodLabel } from "../../../shared/domain/period.ts";
import { toNumber } from "../../../shared/domain/rational.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { carbonCost } from "../metrics/carbon-cost.ts";
import { carbonPerGpuHour } from "../metrics/carbon-per-gpu-hour.ts";
import { carbonPerMoney } from "../metrics/carbon-per-money.ts";
import { carbonFacts, groupsOf } from "../reports/carbon-rows.ts";
import { LIFETIME_HOURS } from "../carbon/factors.ts";
import { sumCarbon } from "../carbon/rows.ts";
import { message } from "../reports/context.ts";
import type { PackChange } from "./issued.ts";

/** Facts that a pack is made of. Everything is read once, so that two files of a pack cannot disagree. */
export interface PackFacts {
  readonly period: PeriodLabel;
  readonly scope: Scope;
  readonly rows: readonly CarbonRow[];
  readonly factors: readonly CarbonFactorUse[];
  readonly gaps: readonly CarbonGap[];
  readonly settings: CarbonSettings;
  readonly coveredDays: number;
  readonly days: number;
  readonly months: readonly PackMonth[];
  readonly sources: readonly PackSource[];
  /** Sources of each row: key `seriesId month`. */
  readonly evidence: ReadonlyMap<string, readonly PackPlace[]>;
  /** Source numbers of the logs of a resource, by its id in lower case. */
  readonly logs: ReadonlyMap<string, readonly string[]>;
  readonly comparison: EmissionsCompareAnswer;
  readonly changes: { readonly since: { readonly id: number; readonly issuedAt: string; readonly sha256: string } | null; readonly lines: readonly PackChange[] };
}
export interface PackMonth {
  readonly month: string;
  readonly state: "open" | "closed" | "reopened";
  readonly closedAt: string | null;
  readonly closedBy: string | null;
  /** Totals of the bill that are no longer those frozen when the month was closed. */
  readonly differences: number;
}
export interface PackSource {
  readonly id: string;
  readonly kind: "bill" | "log" | "emissions";
  readonly file: string;
  readonly sha256: string;
  readonly format: string;
  readonly importedAt: string | null;
}
export interface PackPlace {
  readonly source: string;
  readonly firstLine: number;
  readonly lastLine: number | null;
  readonly isExact: boolean;
  readonly rows: number | null;
}

export type PackCell = string | null | Message;
export interface PackColumn {
  /** Head of the CSV, the same in every language. */
  readonly id: string;
  /** `decimal` is a number; `text` is ours or a code; `name` is other people's, which no spreadsheet may run. */
  readonly kind: "text" | "name" | "decimal";
}
export interface PackTable {
  readonly id: "summary" | "by-team" | "by-region" | "by-provider" | "by-model" | "by-month" | "factors" | "method" | "evidence" | "sources" | "gaps" | "months" | "provider-reports" | "changes";
  readonly columns: readonly PackColumn[];
  readonly rows: readonly (readonly PackCell[])[];
  /** The last row is the total of those above it. */
  readonly hasTotal: boolean;
}

export function packTables(facts: PackFacts): PackTable[] {
  return [
    summaryTable(facts),
    ...groupTables.map(([id, dimension, column]) => groupTable(facts, id, dimension, column)),
    factorTable(facts),
    methodTable(),
    evidenceTable(facts),
    sourceTable(facts),
    gapTable(facts),
    monthTable(facts),
    comparisonTable(facts),
    changeTable(facts),
  ];
}

/** Every month of it is closed, and its bills are as they were then. */
export function isFrozen({ months }: Pick<PackFacts, "months">): boolean {
  return months.every(({ state, differences }) => state === "closed" && differences === 0);
}

/** Kilograms of micrograms: exact, 9 decimals. */
export function kilograms(micrograms: bigint | null | undefined): string | null {
  return micrograms === null || micrograms === undefined ? null : formatFixed(micrograms, 9);
}

/** A figure to its last digit: money as a plain decimal. */
function textOf({ value }: Figure): string | null {
  if (value === null) return null;
  return typeof value === "bigint" ? formatAttos(value) : String(value);
}

export function kilowattHours(milliwattHours: bigint | null): string | null {
  return milliwattHours === null ? null : formatFixed(milliwattHours, 6);
}

/** GPU-hours count to the billionth. */
export function hours(gpuHours: number): string {
  return formatFixed(BigInt(Math.round(gpuHours * 1e9)), 9);
}

/** Operational emissions with the central share of making the hardware; null where either is not known, as on the screen. */
export function totalOf({ embodiedMicrograms }: CarbonAmounts, operational: bigint | null): bigint | null {
  return operational === null || embodiedMicrograms === null ? null : operational + embodiedMicrograms.central;
}

// Summary

export interface SummaryLine {
  readonly id: string;
  readonly esrs: string | null;
  readonly gri: string | null;
  readonly ghg: string | null;
  readonly value: string | null;
  readonly unit: string;
  readonly low?: string | null;
  readonly high?: string | null;
  /** Share of the GPU-hours for which it is calculated. */
  readonly coverage?: number | null;
  readonly note?: Message;
}

function summaryTable(facts: PackFacts): PackTable {
  return {
    id: "summary",
    hasTotal: false,
    columns: [
      { id: "line", kind: "text" }, { id: "what", kind: "text" }, { id: "value", kind: "decimal" }, { id: "unit", kind: "text" }, { id: "low", kind: "decimal" }, { id: "high", kind: "decimal" },
      { id: "coverage", kind: "decimal" }, { id: "esrs", kind: "text" }, { id: "gri", kind: "text" }, { id: "ghg_protocol", kind: "text" }, { id: "note", kind: "text" },
    ],
    rows: summaryLines(facts).map(({ id, esrs, gri, ghg, value, unit, low = null, high = null, coverage = null, note = null }) => [
      id, message(`esg.line.${id}`), value, unit, low, high, coverage === null ? null : String(coverage), esrs, gri, ghg, note,
    ]),
  };
}

/** What the three standards ask for, each line with the places that ask for it. Scope 1 is none of this boundary, and said to be so. */
export function summaryLines(facts: PackFacts): SummaryLine[] {
  const { rows, settings, coveredDays, days, comparison } = facts;
  const measured = carbonFacts(rows, null, settings);
  const all = sumCarbon(rows);
  const [own, cloud] = [rows.filter(({ ghgScope }) => ghgScope === 2), rows.filter(({ ghgScope }) => ghgScope === 3)].map((part) => ({ rows: part, sum: sumCarbon(part) }));
  const share = (part: CarbonAmounts, of: keyof CarbonAmounts["covered"]): number | null => (part.gpuHours === 0 ? null : part.covered[of] / part.gpuHours);
  const span = (of: { readonly low: bigint; readonly high: bigint } | null): Pick<SummaryLine, "low" | "high"> => (of === null ? {} : { low: kilograms(of.low), high: kilograms(of.high) });
  const none = message("esg.note.none-in-boundary");
  const operational = (part: { rows: readonly CarbonRow[]; sum: CarbonAmounts } | undefined, method: "location" | "market"): Pick<SummaryLine, "value" | "low" | "high" | "coverage" | "note"> => {
    if (part === undefined || part.rows.length === 0) return { value: null, note: none };
    const micrograms = method === "location" ? part.sum.locationMicrograms : part.sum.marketMicrograms;
    return {
      value: kilograms(micrograms),
      ...span(method === "location" ? part.sum.locationSpan : part.sum.marketSpan),
      coverage: share(part.sum, "location"),
      ...(micrograms === null ? { note: message("esg.note.not-calculated") } : method === "market" && part.sum.covered.market < part.sum.covered.location ? { note: message("esg.note.market-is-grid") } : {}),
    };
  };
  const embodied = (part: { rows: readonly CarbonRow[]; sum: CarbonAmounts } | undefined): Pick<SummaryLine, "value" | "low" | "high" | "coverage" | "note"> =>
    part === undefined || part.rows.length === 0
      ? { value: null, note: none }
      : { value: kilograms(part.sum.embodiedMicrograms?.central), ...span(part.sum.embodiedMicrograms), coverage: share(part.sum, "embodied"), ...(part.sum.embodiedMicrograms === null ? { note: message("esg.note.not-calculated") } : {}) };
  const total = (method: "location" | "market"): SummaryLine => {
    const [micrograms, spans] = method === "location" ? [all.locationMicrograms, all.locationSpan] : [all.marketMicrograms, all.marketSpan];
    const value = totalOf(all, micrograms);
    const low = spans === null ? null : spans.low + (all.embodiedMicrograms?.low ?? 0n);
    const high = spans === null ? null : spans.high + (all.embodiedMicrograms?.high ?? 0n);
    return {
      id: `total-${method}`, esrs: method === "location" ? "E1-6 §44(d), §52(a)" : "E1-6 §44(d), §52(b)", gri: "305-2, 305-3", ghg: `Scope 2 + 3, ${method}-based`, value: kilograms(value), unit: "kgCO2e", low: kilograms(low), high: kilograms(high), coverage: share(all, "location"),
    };
  };
  const energy = (id: string, milliwattHours: bigint | null, places: Pick<SummaryLine, "esrs" | "gri" | "ghg">, coverage: number | null = share(all, "energy")): SummaryLine => ({ id, ...places, value: kilowattHours(milliwattHours), unit: "kWh", coverage });
  const nowhere = { esrs: null, gri: null, ghg: null };
  // Idle is what a log tells: without one it is not known.
  const observed = (milliwattHours: bigint): bigint | null => (all.knownGpuHours === 0 ? null : milliwattHours);
  const seen = all.gpuHours === 0 ? null : all.knownGpuHours / all.gpuHours;
  const priced = carbonCost.figure(measured);
  const lines: SummaryLine[] = [
    { id: "scope-1", esrs: "E1-6 §44(a)", gri: "305-1-a", ghg: "Scope 1", value: null, unit: "kgCO2e", note: message("esg.note.scope-1") },
    { id: "scope-2-location", esrs: "E1-6 §44(b), §49(a)", gri: "305-2-a", ghg: "Scope 2, location-based", unit: "kgCO2e", ...operational(own, "location") },
    { id: "scope-2-market", esrs: "E1-6 §44(b), §49(b)", gri: "305-2-b", ghg: "Scope 2, market-based", unit: "kgCO2e", ...operational(own, "market") },
    { id: "scope-3-cloud-location", esrs: "E1-6 §44(c), §51", gri: "305-3-a", ghg: "Scope 3, category 1, location-based", unit: "kgCO2e", ...operational(cloud, "location") },
    { id: "scope-3-cloud-market", esrs: "E1-6 §44(c), §51", gri: "305-3-a", ghg: "Scope 3, category 1, market-based", unit: "kgCO2e", ...operational(cloud, "market") },
    { id: "scope-3-cloud-embodied", esrs: "E1-6 §44(c), §51", gri: "305-3-a", ghg: "Scope 3, category 1", unit: "kgCO2e", ...embodied(cloud) },
    { id: "scope-3-own-embodied", esrs: "E1-6 §44(c), §51", gri: "305-3-a", ghg: "Scope 3, category 2", unit: "kgCO2e", ...embodied(own) },
    total("location"),
    total("market"),
    energy("energy-facility", all.facilityMilliwattHours, { esrs: "E1-5 §37", gri: "302-1, 302-2", ghg: null }, share(all, "location")),
    energy("energy-it", all.itMilliwattHours, nowhere),
    energy("energy-gpus", all.gpuMilliwattHours, nowhere),
    energy("energy-hosts", all.hostMilliwattHours, nowhere, share(all, "host")),
    energy("energy-measured", all.tiers.counter.milliwattHours + all.tiers.power.milliwattHours, nowhere, all.gpuHours === 0 ? null : (all.tiers.counter.gpuHours + all.tiers.power.gpuHours) / all.gpuHours),
    energy("energy-model", all.tiers.model.milliwattHours, nowhere, all.gpuHours === 0 ? null : all.tiers.model.gpuHours / all.gpuHours),
    energy("energy-rated", all.tiers.rated.milliwattHours, nowhere, all.gpuHours === 0 ? null : all.tiers.rated.gpuHours / all.gpuHours),
    energy("energy-held-idle", observed(all.heldIdleMilliwattHours), nowhere, seen),
    energy("energy-dead-idle", observed(all.deadIdleMilliwattHours), nowhere, seen),
    { id: "gpu-hours", ...nowhere, value: hours(all.gpuHours), unit: "GPU-h" },
    { id: "intensity-gpu-hour", esrs: null, gri: "305-4-a", ghg: null, value: textOf(carbonPerGpuHour.figure(measured)), unit: "gCO2e/GPU-h", note: message("esg.note.intensity") },
    ...intensityPerMoney(facts),
    { id: "water", esrs: "E3-4", gri: "303-5", ghg: null, value: all.waterMicrolitres === null ? null : formatFixed(all.waterMicrolitres, 6), unit: "L", coverage: share(all, "water"), ...(all.waterMicrolitres === null ? { note: message("esg.note.not-calculated") } : {}) },
    ...(settings.pricePerTonne === null || priced.value === null ? [] : [{ id: "carbon-price", esrs: "E1-8", gri: null, ghg: null, value: textOf(priced), unit: priced.unit, note: message("esg.note.carbon-price", { price: { text: settings.pricePerTonne }, currency: { text: priced.unit } }) }]),
    { id: "days-covered", ...nowhere, value: String(coveredDays), unit: "d", ...(coveredDays < days ? { note: message("esg.note.partial", { covered: { count: coveredDays }, days: { count: days } }) } : {}) },
    { id: "days-of-period", ...nowhere, value: String(days), unit: "d" },
  ];
  for (const { provider, methods } of comparison.providers) {
    for (const { method, reportMicrograms } of methods) {
      if (reportMicrograms !== null) lines.push({ id: `provider-${method}`, ...nowhere, value: kilograms(reportMicrograms), unit: "kgCO2e", note: message("esg.note.provider-report", { provider: { text: provider } }) });
    }
  }
  return lines;
}

/** Per unit of each currency, over the rows of that currency. */
function intensityPerMoney({ rows, settings }: PackFacts): SummaryLine[] {
  return [...new Set(rows.map(({ currency }) => currency))].sort().flatMap((currency) => {
    const { value } = carbonPerMoney.figure(carbonFacts(rows, currency, settings));
    return value === null ? [] : [{ id: "intensity-money", esrs: "E1-6 §53", gri: "305-4-a", ghg: null, value: String(value), unit: `gCO2e/${currency}`, note: message("esg.note.intensity-money") }];
  });
}

// Parts

const groupTables: readonly (readonly [PackTable["id"], CarbonDimension, string])[] = [
  ["by-team", "team", "team"], ["by-region", "region", "region"], ["by-provider", "provider", "provider"], ["by-model", "gpuModel", "gpu_model"], ["by-month", "month", "month"],
];

const amountColumns = [
  "gpu_hours", "it_kwh", "facility_kwh", "location_kg", "market_kg", "embodied_kg", "embodied_low_kg", "embodied_high_kg", "total_location_kg", "total_market_kg",
  "gpu_hours_calculated", "gpu_hours_grade_a", "gpu_hours_grade_b", "gpu_hours_grade_c", "gpu_hours_grade_d",
] as const;

function groupTable({ rows }: PackFacts, id: PackTable["id"], dimension: CarbonDimension, column: string): PackTable {
  const groups = groupsOf(rows, dimension);
  return {
    id,
    hasTotal: true,
    columns: [{ id: column, kind: "name" }, ...amountColumns.map((name) => ({ id: name, kind: "decimal" as const }))],
    rows: [...groups.map(({ key, amounts }) => [key ?? message("esg.nobody"), ...amountCells(amounts)]), [message("esg.total"), ...amountCells(sumCarbon(rows))]],
  };
}

function amountCells(amounts: CarbonAmounts): PackCell[] {
  const { embodiedMicrograms: embodied, tiers } = amounts;
  return [
    hours(amounts.gpuHours), kilowattHours(amounts.itMilliwattHours), kilowattHours(amounts.facilityMilliwattHours), kilograms(amounts.locationMicrograms), kilograms(amounts.marketMicrograms),
    kilograms(embodied?.central), kilograms(embodied?.low), kilograms(embodied?.high), kilograms(totalOf(amounts, amounts.locationMicrograms)), kilograms(totalOf(amounts, amounts.marketMicrograms)),
    hours(amounts.covered.location), hours(tiers.counter.gpuHours), hours(tiers.power.gpuHours), hours(tiers.model.gpuHours), hours(tiers.rated.gpuHours),
  ];
}

// Factors, method

function factorTable({ factors }: PackFacts): PackTable {
  const columns: readonly PackColumn[] = [
    { id: "factor", kind: "name" }, { id: "kind", kind: "text" }, { id: "subject", kind: "name" }, { id: "value", kind: "decimal" }, { id: "low", kind: "decimal" }, { id: "high", kind: "decimal" }, { id: "unit", kind: "text" },
    { id: "year", kind: "decimal" }, { id: "used_for_year", kind: "decimal" }, { id: "method", kind: "name" }, { id: "boundary", kind: "name" }, { id: "gases", kind: "name" }, { id: "share", kind: "decimal" }, { id: "origin", kind: "text" },
    { id: "step", kind: "text" }, { id: "source", kind: "name" }, { id: "licence", kind: "name" }, { id: "retrieved", kind: "text" }, { id: "beats_value", kind: "decimal" }, { id: "beats_source", kind: "name" },
    { id: "gpu_hours", kind: "decimal" }, { id: "facility_kwh", kind: "decimal" },
  ];
  return {
    id: "factors",
    hasTotal: false,
    columns,
    rows: factors.map((use) => [
      use.key, use.kind, use.subject, use.value, use.low, use.high, use.unit, use.year === null ? null : String(use.year), String(use.usedForYear), use.method, use.boundary, use.gases, use.share, use.origin,
      use.step, use.source, use.licence, use.retrieved, use.beats?.value ?? null, use.beats?.source ?? null, hours(use.gpuHours), kilowattHours(use.facilityMilliwattHours),
    ]),
  };
}

export const methodLines = ["boundary", "ownership", "energy", "grades", "host", "pue", "location", "market", "embodied", "range", "total", "intensity", "missing", "rounding", "trace"] as const;

/** Hours that the making of hardware is shared over, as the rows were worked out. */
const lifetime = Object.fromEntries((["low", "central", "high"] as const).map((end) => [end, { number: toNumber(LIFETIME_HOURS[end]), digits: 0 }]));

export function methodMessage(line: (typeof methodLines)[number]): Message {
  return line === "embodied" ? message("esg.method.embodied", lifetime) : message(`esg.method.${line}`);
}

function methodTable(): PackTable {
  return {
    id: "method",
    hasTotal: false,
    columns: [{ id: "part", kind: "text" }, { id: "method", kind: "text" }],
    rows: methodLines.map((line) => [line, methodMessage(line)]),
  };
}

// Evidence

function evidenceTable({ rows, factors, evidence, logs }: PackFacts): PackTable {
  const byKey = new Map(factors.map((use) => [use.key, use]));
  const columns: readonly PackColumn[] = [
    { id: "month", kind: "text" }, { id: "series", kind: "text" }, { id: "provider", kind: "name" }, { id: "account", kind: "name" }, { id: "team", kind: "name" }, { id: "service", kind: "name" }, { id: "region", kind: "name" },
    { id: "gpu_model", kind: "name" }, { id: "instance_type", kind: "name" }, { id: "purchase_option", kind: "text" }, { id: "resource", kind: "name" }, { id: "ghg_scope", kind: "text" },
    { id: "gpu_hours", kind: "decimal" }, { id: "gpu_hours_counter", kind: "decimal" }, { id: "gpu_hours_power", kind: "decimal" }, { id: "gpu_hours_model", kind: "decimal" }, { id: "gpu_hours_rated", kind: "decimal" },
    { id: "kwh_counter", kind: "decimal" }, { id: "kwh_power", kind: "decimal" }, { id: "kwh_model", kind: "decimal" }, { id: "kwh_rated", kind: "decimal" }, { id: "kwh_host", kind: "decimal" }, { id: "it_kwh", kind: "decimal" },
    { id: "pue", kind: "decimal" }, { id: "facility_kwh", kind: "decimal" }, { id: "grid_g_per_kwh", kind: "decimal" }, { id: "location_kg", kind: "decimal" }, { id: "market_kg", kind: "decimal" },
    { id: "embodied_kg", kind: "decimal" }, { id: "embodied_low_kg", kind: "decimal" }, { id: "embodied_high_kg", kind: "decimal" }, { id: "grade", kind: "text" }, { id: "gaps", kind: "text" }, { id: "factors", kind: "name" },
    { id: "bill_source", kind: "text" }, { id: "bill_lines", kind: "text" }, { id: "bill_rows", kind: "decimal" }, { id: "log_sources", kind: "text" },
  ];
  return {
    id: "evidence",
    hasTotal: false,
    columns,
    rows: rows.map((row) => {
      const places = evidence.get(`${row.seriesId} ${row.month}`) ?? [];
      const counted = places.every((place) => place.rows !== null);
      return [
        row.month, String(row.seriesId), row.provider, row.account, row.team, row.service, row.region, row.gpuModel, row.instanceType, row.purchaseOption, row.resource, String(row.ghgScope),
        hours(row.gpuHours), ...(["counter", "power", "model", "rated"] as const).map((tier) => hours(row.tiers[tier].gpuHours)),
        ...(["counter", "power", "model", "rated"] as const).map((tier) => kilowattHours(row.tiers[tier].milliwattHours)), kilowattHours(row.hostMilliwattHours), kilowattHours(row.itMilliwattHours),
        valueOf(byKey, row.factors.pue), kilowattHours(row.facilityMilliwattHours), valueOf(byKey, row.factors.grid), kilograms(row.locationMicrograms), kilograms(row.marketMicrograms),
        kilograms(row.embodiedMicrograms?.central), kilograms(row.embodiedMicrograms?.low), kilograms(row.embodiedMicrograms?.high), row.grade, row.gaps.join(" "), Object.values(row.factors).join("; "),
        places.map(({ source }) => source).join(" "), places.map(linesOf).join(" "), places.length === 0 || !counted ? null : String(places.reduce((sum, place) => sum + (place.rows ?? 0), 0)),
        row.resource === null ? "" : (logs.get(row.resource.toLowerCase()) ?? []).join(" "),
      ];
    }),
  };
}

function valueOf(factors: ReadonlyMap<string, CarbonFactorUse>, key: string | undefined): string | null {
  return key === undefined ? null : (factors.get(key)?.value ?? null);
}

/** `12-340` where the first and the last line are rows of it; `~2-9000` where they lie in between; `~2-` to the end of the file. */
function linesOf({ firstLine, lastLine, isExact }: PackPlace): string {
  return `${isExact ? "" : "~"}${firstLine}-${lastLine ?? ""}`;
}

function sourceTable({ sources }: PackFacts): PackTable {
  return {
    id: "sources",
    hasTotal: false,
    columns: [{ id: "source", kind: "text" }, { id: "kind", kind: "text" }, { id: "file", kind: "name" }, { id: "sha256", kind: "text" }, { id: "format", kind: "text" }, { id: "imported_at", kind: "text" }],
    rows: sources.map(({ id, kind, file, sha256, format, importedAt }) => [id, kind, file, sha256, format, importedAt]),
  };
}

// What is missing, frozen, compared, changed

function gapTable({ gaps, coveredDays, days, months, comparison }: PackFacts): PackTable {
  const columns: readonly PackColumn[] = [{ id: "gap", kind: "text" }, { id: "what", kind: "text" }, { id: "subject", kind: "name" }, { id: "provider", kind: "name" }, { id: "gpu_hours", kind: "decimal" }];
  return {
    id: "gaps",
    hasTotal: false,
    columns,
    rows: [
      ...(coveredDays < days ? [["period-partial", message("esg.gap.period-partial", { covered: { count: coveredDays }, days: { count: days } }), null, null, null]] : []),
      ...months.filter(({ state }) => state !== "closed").map(({ month, state }) => ["month-open", message(`esg.gap.month-${state}`), month, null, null]),
      ...months.filter(({ differences }) => differences > 0).map(({ month, differences }) => ["month-changed", message("esg.gap.month-changed", { count: { count: differences } }), month, null, null]),
      ...gaps.map(({ reason, subject, provider, gpuHours }) => [reason, message(`esg.gap.${reason}`), subject, provider, hours(gpuHours)]),
      ...comparison.without.map((provider) => ["no-provider-report", message("esg.gap.no-provider-report"), null, provider, null]),
    ],
  };
}

function monthTable({ months }: PackFacts): PackTable {
  return {
    id: "months",
    hasTotal: false,
    columns: [{ id: "month", kind: "text" }, { id: "state", kind: "text" }, { id: "closed_at", kind: "text" }, { id: "closed_by", kind: "name" }, { id: "totals_changed_since", kind: "decimal" }],
    rows: months.map(({ month, state, closedAt, closedBy, differences }) => [month, state, closedAt, closedBy, String(differences)]),
  };
}

function comparisonTable({ comparison }: PackFacts): PackTable {
  const columns: readonly PackColumn[] = [{ id: "provider", kind: "name" }, { id: "method", kind: "text" }, { id: "step_name", kind: "text" }, { id: "what", kind: "text" }, { id: "kg", kind: "decimal" }, { id: "details", kind: "name" }];
  return {
    id: "provider-reports",
    hasTotal: false,
    columns,
    rows: comparison.providers.flatMap(({ provider, methods }) =>
      methods.flatMap(({ method, reportMicrograms, ledgerMicrograms, steps }) =>
        reportMicrograms === null || ledgerMicrograms === null ? [] : [
          [provider, method, "report", message("esg.step.report"), kilograms(reportMicrograms), null],
          ...steps.map(({ step, micrograms, details, gpuHours }): PackCell[] => [provider, method, step, message(`esg.step.${step}`), kilograms(micrograms), gpuHours === null ? details.join(", ") : `${hours(gpuHours)} GPU-h`]),
          [provider, method, "ledger", message("esg.step.ledger"), kilograms(ledgerMicrograms), null],
        ],
      ),
    ),
  };
}

function changeTable({ changes: { since, lines } }: PackFacts): PackTable {
  const columns: readonly PackColumn[] = [{ id: "what", kind: "text" }, { id: "of", kind: "name" }, { id: "measure", kind: "text" }, { id: "before", kind: "decimal" }, { id: "now", kind: "decimal" }, { id: "difference", kind: "decimal" }];
  const head: PackCell[][] = since === null
    ? [[message("esg.changes.first"), null, null, null, null, null]]
    : [[message(lines.length === 0 ? "esg.changes.none" : "esg.changes.since", { issue: { text: `#${since.id}` }, when: { instant: since.issuedAt, precision: "minute" } }), null, null, null, null, null]];
  return { id: "changes", hasTotal: false, columns, rows: [...head, ...lines.map(({ what, of, measure, before, now, difference }) => [what, of, measure, before, now, difference])] };
}
