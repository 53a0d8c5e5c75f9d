import { calculatorFields, type CalculatorAnswer, type CalculatorField, type CalculatorId, type CalculatorLine, type CalculatorTable, type CalculatorUnit, type CalculatorValue } from "../../../../shared/contract/calculators.ts";
import type { Message, MessageParam } from "../../../../shared/contract/report.ts";
import type { Basis } from "../../../../shared/domain/figure.ts";
import { multiply } from "../../../../shared/domain/money.ts";
import { fromNumber, ONE, toDecimal, toNumber, type Rational } from "../../../../shared/domain/rational.ts";
import { ok, type Result } from "../../../../shared/result.ts";
import type { BusyDevice } from "../billing-granularity.ts";
import type { MeanTimeToInterruption } from "../interruptions.ts";
import { readQuantity } from "../quantity.ts";

/** What a calculator works from: quantities as they were understood, and what the ledger and the catalog know. */
export interface Given {
  readonly currency: string;
  /** By field; null where nothing was said. */
  readonly values: ReadonlyMap<string, Rational | null>;
  readonly choices: ReadonlyMap<string, string | null>;
  readonly facts: Facts;
}

export interface Facts {
  /** Highest memory reading of the model chosen, in GB, with its devices; null without one. */
  readonly memoryPeak?: { readonly gigabytes: Rational; readonly share: number; readonly devices: number } | null;
  readonly busy?: { readonly devices: readonly BusyDevice[]; readonly knownGpuHours: number; readonly hours: Rational } | null;
  readonly interruptions?: MeanTimeToInterruption | null;
  /** A slice of the catalog: its shares, and the share of the card that no slice of its kind reaches. */
  readonly profile?: { readonly text: string; readonly computeShare: Rational; readonly memoryShare: Rational; readonly count: number } | null;
  readonly machine?: { readonly name: string } | null;
}

export interface Worked {
  readonly lines: readonly CalculatorLine[];
  readonly table?: CalculatorTable;
  readonly notes?: readonly Message[];
}

export interface Calculator {
  readonly id: CalculatorId;
  /** Errors: calculator.contradiction. */
  readonly work: (given: Given) => Result<Worked>;
}

/**
 * Reads the fields of a calculator as they were typed. What is empty is unknown, unless the field has a value that holds where nothing is
 * said. `catalog` fills what the person left open.
 */
export function readFields(id: CalculatorId, typed: Readonly<Record<string, string>>, catalog: Readonly<Record<string, string>> = {}): Result<{
  readonly values: ReadonlyMap<string, Rational | null>;
  readonly choices: ReadonlyMap<string, string | null>;
  readonly inputs: CalculatorAnswer["inputs"];
}> {
  const values = new Map<string, Rational | null>();
  const choices = new Map<string, string | null>();
  const inputs: { field: string; value: string; from: "person" | "initial" | "catalog" }[] = [];
  for (const field of calculatorFields[id]) {
    const own = typed[field.id]?.trim() ?? "";
    const [text, from] = own !== "" ? ([own, "person"] as const) : catalog[field.id] !== undefined ? ([catalog[field.id] ?? "", "catalog"] as const) : ([field.initial ?? "", "initial"] as const);
    if (isNamed(field)) {
      choices.set(field.id, text === "" ? null : text);
      if (text !== "") inputs.push({ field: field.id, value: text, from });
      continue;
    }
    if (text === "") {
      values.set(field.id, null);
      continue;
    }
    const read = readQuantity(field, text);
    if (!read.ok) return read;
    values.set(field.id, read.value);
    inputs.push({ field: field.id, value: toDecimal(read.value), from });
  }
  return ok({ values, choices, inputs });
}

function isNamed({ kind }: CalculatorField): boolean {
  return kind === "choice" || kind === "model" || kind === "profile" || kind === "machine" || kind === "file";
}

export function valueOf({ values }: Given, field: string): Rational | null {
  return values.get(field) ?? null;
}

/** Of the fields that a result needs, those that are not known. */
export function missingOf(given: Given, needs: readonly string[]): readonly string[] {
  return needs.filter((field) => valueOf(given, field) === null);
}

/** Works out from fields that must all be known; null where one is not. */
export function fromAll<const Field extends string, T>(given: Given, needs: readonly Field[], work: (values: Readonly<Record<Field, Rational>>) => T): T | null {
  const known = needs.flatMap((field) => {
    const value = valueOf(given, field);
    return value === null ? [] : [[field, value] as const];
  });
  return known.length < needs.length ? null : work(Object.fromEntries(known) as Record<Field, Rational>);
}

interface LineStyle {
  readonly basis?: Basis;
  readonly isMain?: boolean;
  /** Fields without which it is not known. */
  readonly needs?: readonly string[];
  readonly why?: CalculatorLine["why"];
}

/** One result: a number with its unit, words, or unknown. */
export function line(given: Given, id: string, value: Rational | number | Message | null, unit: CalculatorUnit, { basis = "derived", isMain = false, needs = [], why = null }: LineStyle = {}): CalculatorLine {
  const shown = value === null ? null : valued(value, unit);
  const missing = shown === null ? missingOf(given, needs) : [];
  return { id, shown, basis, missing, why: shown === null && missing.length === 0 ? (why ?? "no-denominator") : null, isMain };
}

export function valued(value: Rational | number | Message, unit: CalculatorUnit): CalculatorValue | null {
  if (typeof value === "number") return Number.isFinite(value) ? { value: toDecimal(fromNumber(value)), unit } : null;
  return "key" in value ? { message: value } : { value: toDecimal(value), unit };
}

export function said(key: string, params?: Readonly<Record<string, MessageParam>>): Message {
  return params === undefined ? { key } : { key, params };
}

export function moneyParam(value: Rational, { currency }: Given): MessageParam {
  return { money: multiply(value, ONE), currency };
}

export function numberParam(value: Rational | number, digits: number): MessageParam {
  return { number: typeof value === "number" ? value : toNumber(value), digits };
}

export function ratioParam(value: Rational | number, digits = 1): MessageParam {
  return { ratio: typeof value === "number" ? value : toNumber(value), digits };
}
