/** Packs as they were issued, so that the next one of the same period and boundary says what changed. */
import { createHash } from "node:crypto";
import type { CarbonAmounts, CarbonFactorUse, CarbonRow } from "../../../shared/contract/carbon.ts";
import { formatFixed } from "../../../shared/domain/money.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { sumCarbon } from "../carbon/rows.ts";
import { groupsOf } from "../reports/carbon-rows.ts";
import { prepared, query, readAll, type Db } from "../store/sql.ts";
import type { Author } from "../teams/changes.ts";

/** Exact figures of an issue: kg with 9 decimals, kWh with 6, null where not calculated. */
export interface PackFigures {
  readonly total: PackMeasures;
  readonly team: Readonly<Record<string, PackMeasures>>;
  readonly region: Readonly<Record<string, PackMeasures>>;
  readonly provider: Readonly<Record<string, PackMeasures>>;
  /** Values of the factors used, by key. */
  readonly factors: Readonly<Record<string, string>>;
}
const measures = ["gpu_hours", "facility_kwh", "location_kg", "market_kg", "embodied_kg"] as const;
type PackMeasures = Readonly<Record<(typeof measures)[number], string | null>>;

export interface PackChange {
  readonly what: "total" | "team" | "region" | "provider" | "factor";
  readonly of: string | null;
  readonly measure: string;
  readonly before: string | null;
  readonly now: string | null;
  readonly difference: string | null;
}

export interface IssuedPack {
  readonly id: number;
  readonly issuedAt: string;
  readonly issuedBy: string;
  readonly period: string;
  readonly language: string;
  readonly sha256: string;
  readonly figures: PackFigures;
}

export function figuresOfPack(rows: readonly CarbonRow[], factors: readonly CarbonFactorUse[]): PackFigures {
  const parts = (dimension: "team" | "region" | "provider"): Record<string, PackMeasures> => Object.fromEntries(groupsOf(rows, dimension).map(({ key, amounts }) => [key ?? "", measuresOf(amounts)]));
  return {
    total: measuresOf(sumCarbon(rows)),
    team: parts("team"),
    region: parts("region"),
    provider: parts("provider"),
    factors: Object.fromEntries(factors.map(({ key, value }) => [key, value])),
  };
}

function measuresOf({ gpuHours, facilityMilliwattHours, locationMicrograms, marketMicrograms, embodiedMicrograms }: CarbonAmounts): PackMeasures {
  const text = (units: bigint | null | undefined, decimals: number): string | null => (units === null || units === undefined ? null : formatFixed(units, decimals));
  return {
    gpu_hours: formatFixed(BigInt(Math.round(gpuHours * 1e9)), 9),
    facility_kwh: text(facilityMilliwattHours, 6),
    location_kg: text(locationMicrograms, 9),
    market_kg: text(marketMicrograms, 9),
    embodied_kg: text(embodiedMicrograms?.central, 9),
  };
}

/** Equal hashes mean equal figures and factors, of the same period and boundary. */
export function hashOfPack(period: string, scope: Scope, figures: PackFigures): string {
  return createHash("sha256").update(JSON.stringify([period, boundaryText(scope), figures])).digest("hex");
}

export function boundaryText(scope: Scope): string {
  return JSON.stringify(Object.fromEntries(Object.entries(scope).filter(([, values]) => values !== undefined).sort(([a], [b]) => (a < b ? -1 : 1))));
}

interface PackRow extends Omit<IssuedPack, "figures"> {
  readonly figures: string;
}

/** Packs of a period and boundary, newest first. */
export function issuedPacks(db: Db, period: string, scope: Scope): IssuedPack[] {
  return readAll(db, query<PackRow>("id", "issuedAt", "issuedBy", "period", "language", "sha256", "figures")`-- esg.issued
    SELECT PackId AS id, IssuedAt AS issuedAt, IssuedBy AS issuedBy, Period AS period, Language AS language, Sha256 AS sha256, Figures AS figures
    FROM esg_pack
    WHERE Period = ${period} AND Boundary = ${boundaryText(scope)}
    ORDER BY PackId DESC`).map((row) => ({ ...row, figures: JSON.parse(row.figures) as PackFigures }));
}

/** Inside the caller's transaction. */
export function keepPack(db: Db, pack: { readonly period: string; readonly scope: Scope; readonly language: string; readonly revision: number; readonly sha256: string; readonly figures: PackFigures }, { who, at }: Author): number {
  const { lastInsertRowid } = prepared(db, "INSERT INTO esg_pack (IssuedAt, IssuedBy, Period, Boundary, Language, Revision, Sha256, Figures) VALUES (?, ?, ?, ?, ?, ?, ?, ?)").run(at, who, pack.period, boundaryText(pack.scope), pack.language, BigInt(pack.revision), pack.sha256, JSON.stringify(pack.figures));
  return Number(lastInsertRowid);
}

/** What differs between two issues: totals, parts, and factors whose value changed, came or went. */
export function changesBetween(before: PackFigures, now: PackFigures): PackChange[] {
  const ofMeasures = (what: PackChange["what"], of: string | null, was: PackMeasures | undefined, is: PackMeasures | undefined): PackChange[] =>
    measures.flatMap((measure) => change(what, of, measure, was?.[measure] ?? null, is?.[measure] ?? null));
  const keys = (a: object, b: object): string[] => [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return [
    ...ofMeasures("total", null, before.total, now.total),
    ...(["team", "region", "provider"] as const).flatMap((what) => keys(before[what], now[what]).flatMap((key) => ofMeasures(what, key, before[what][key], now[what][key]))),
    ...keys(before.factors, now.factors).flatMap((key) => change("factor", key, "value", before.factors[key] ?? null, now.factors[key] ?? null)),
  ];
}

function change(what: PackChange["what"], of: string | null, measure: string, before: string | null, now: string | null): PackChange[] {
  return before === now ? [] : [{ what, of, measure, before, now, difference: what === "factor" ? null : differenceOf(before, now) }];
}

/** Of two texts with equally many decimals; what is not known on one side has no difference. */
function differenceOf(before: string | null, now: string | null): string | null {
  if (before === null || now === null) return null;
  const decimals = now.split(".")[1]?.length ?? 0;
  const units = (text: string): bigint => BigInt(text.replace(".", ""));
  return formatFixed(units(now) - units(before), decimals);
}
