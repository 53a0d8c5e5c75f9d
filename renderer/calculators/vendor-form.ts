import { selectionSteps, type SelectionStep, type SelectionVendor, type VendorSelection, type VendorSelectionInput } from "../../shared/contract/calculators.ts";
import { decimalOf, isDay } from "../teams/amounts.ts";

/** The five steps, each with what `of` says of it. */
export function eachStep<T>(of: (step: SelectionStep) => T): Record<SelectionStep, T> {
  return Object.fromEntries(selectionSteps.map((step) => [step, of(step)])) as Record<SelectionStep, T>;
}

/** Where a selection starts: the weights of a procurement that measures first. */
export function newSelection(name: string, currency: string): VendorSelectionInput {
  const weights: Record<SelectionStep, string> = { benchmark: "35", elasticity: "20", ecosystem: "15", support: "15", pilot: "15" };
  return { id: null, name, currency, workload: "", weights, minimums: eachStep(() => null), vendors: [], pilot: null, decision: { vendor: null, reason: "", by: "" } };
}

export function newVendor(): SelectionVendor {
  return { name: "", steps: eachStep(() => ({ score: null, evidence: "", source: "", foundOn: null })), quotes: [] };
}

/** The inputs of a selection as they are saved again. */
export function inputsOf({ changedAt: _changedAt, ...inputs }: VendorSelection): VendorSelectionInput {
  return inputs;
}

/** Empty is unknown; undefined is not understood. */
export function scoreOf(typed: string): string | null | undefined {
  const text = typed.trim();
  if (text === "") return null;
  return /^(10(\.0{1,4})?|\d(\.\d{1,4})?)$/.test(text) ? text : undefined;
}

export function amountOf(typed: string): string | null | undefined {
  if (typed.trim() === "") return null;
  const decimal = decimalOf(typed);
  return decimal === null || decimal.startsWith("-") ? undefined : decimal;
}

export function dayOf(typed: string): string | null | undefined {
  const text = typed.trim();
  if (text === "") return null;
  return isDay(text) ? text : undefined;
}

/** `60` or `60 %` as the share 0.6. */
export function shareOf(typed: string): string | null | undefined {
  const amount = amountOf(typed.replace(/[%％]\s*$/, ""));
  if (amount === null || amount === undefined) return amount;
  const share = Number(amount) / 100;
  return share <= 1 ? String(Number(share.toFixed(6))) : undefined;
}
