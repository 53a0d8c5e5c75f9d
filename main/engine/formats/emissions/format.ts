import { divideHalfEven, parseAmount } from "../../../../shared/domain/money.ts";
import type { Expected } from "../../../../shared/contract/errors.ts";
import type { ProviderId } from "../../reference/catalog.ts";

/** A row above a hundred thousand tonnes is no row of a customer's: sums of rows must fit the store's 64 bits. */
const MOST_MICROGRAMS = 10n ** 17n;

/**
 * What one row of a provider's own report states. Every amount is whole micrograms of CO2e, so that sums are exact whatever the order of
 * rows; null where the row does not state it.
 */
export interface EmissionsRow {
  /** `2026-09`. */
  readonly month: string;
  /** Who pays: management account, billing account, enrollment. */
  readonly payerId: string | null;
  /** Whose use it is: account, project, subscription. */
  readonly accountId: string | null;
  readonly serviceName: string | null;
  readonly regionId: string | null;
  /** All scopes that the report holds, by the one and by the other method. */
  readonly location: bigint | null;
  readonly market: bigint | null;
  readonly scope1: bigint | null;
  readonly scope2Location: bigint | null;
  readonly scope2Market: bigint | null;
  readonly scope3: bigint | null;
  readonly modelVersion: string | null;
  /** When the provider last worked it out; ISO, or null. */
  readonly refreshedAt: string | null;
}

/** A cell that is not what it must be. */
export interface EmissionsTrouble {
  readonly column: string;
  readonly value: string;
  readonly expected: Expected;
}
export type EmissionsReading = { readonly row: EmissionsRow } | { readonly trouble: EmissionsTrouble } | { readonly unit: { readonly column: string; readonly value: string } };

/** Cells of a row by column name; an empty cell, and a column that is not there, is null. */
export type CellOf = (...names: readonly string[]) => string | null;

/** A layout of a provider's own emissions report, as its public documentation describes it. */
export interface EmissionsFormat {
  readonly id: "aws-carbon-emissions" | "google-carbon-footprint" | "microsoft-cloud-emissions" | "azure-carbon-optimization";
  readonly provider: ProviderId;
  /** Columns it cannot be without, each with the names it may go by. */
  readonly required: readonly (readonly string[])[];
  readonly read: (cell: CellOf) => EmissionsReading;
}

/** Micrograms per unit of mass, by the unit's name in lower case without blanks. */
const units: Readonly<Record<string, bigint>> = {
  mtco2e: 10n ** 12n,
  tco2e: 10n ** 12n,
  kgco2e: 10n ** 9n,
  gco2e: 10n ** 6n,
};

/** Micrograms in one of a unit; null for a unit that is no mass of CO2e. */
export function microgramsPer(unit: string): bigint | null {
  const name = unit.toLowerCase().replace(/[\s_]/g, "").replaceAll("₂", "2");
  return Object.hasOwn(units, name) ? (units[name] ?? null) : null;
}

/** Micrograms of an amount as it is written; null where nothing is stated, an expectation where it is no amount of emissions. */
export function microgramsOf(text: string | null, perUnit: bigint): bigint | null | Expected {
  if (text === null) return null;
  const amount = parseAmount(text);
  if (amount === null) return "decimal";
  if (amount.value < 0n) return "not-negative";
  const micrograms = divideHalfEven(amount.value * perUnit, 10n ** 18n);
  return micrograms > MOST_MICROGRAMS ? "emissions-range" : micrograms;
}

/** Adds what is stated; null where neither is. */
export function plus(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null) return b;
  return b === null ? a : a + b;
}

/** `2026-09` of a date, a timestamp, `202609` or `20260901`; null for anything else. */
export function monthIn(text: string | null): string | null {
  const [, year, month] = /^(\d{4})-?(0[1-9]|1[0-2])(?:-?\d{2})?(?:[T ].*)?$/.exec(text?.trim() ?? "") ?? [];
  return year === undefined || month === undefined ? null : `${year}-${month}`;
}

/** Reads several amounts of one unit by their column; the first that is none is the row's trouble. */
export function amountsIn<Name extends string>(cell: CellOf, columns: Readonly<Record<Name, string>>, perUnit: bigint): Readonly<Record<Name, bigint | null>> | EmissionsTrouble {
  const amounts: Partial<Record<Name, bigint | null>> = {};
  for (const name of Object.keys(columns) as Name[]) {
    const column = columns[name];
    const text = cell(column);
    const read = microgramsOf(text, perUnit);
    if (typeof read === "string") return { column, value: text ?? "", expected: read };
    amounts[name] = read;
  }
  return amounts as Record<Name, bigint | null>;
}

export function isTrouble(read: object): read is EmissionsTrouble {
  return "expected" in read;
}
