import { parseAmount } from "../../shared/domain/money.ts";
import { dash } from "../../shared/contract/words.ts";
import type { AmountStyle } from "../../shared/contract/words.ts";
import type { Speech } from "../words/WordsProvider.tsx";

/** Exact decimal text of the contract in the words of its unit: a currency, `gpu-hours` or `kgCO2e`. An absent amount is a dash. */
export function amountIn({ words, say }: Pick<Speech, "words" | "say">, amount: string | null, unit: string | null, style: AmountStyle = {}): string {
  const attos = amount === null ? null : (parseAmount(amount)?.value ?? null);
  if (attos === null || unit === null) return dash;
  if (!isOtherUnit(unit)) return words.money(attos, unit, style);
  const number = words.number(Number(attos) / 1e18, { digits: 1, ...(style.signed === undefined ? {} : { signed: style.signed }) });
  if (style.bare === true) return number;
  return unit === "gpu-hours" ? say("amount.hours", { hours: number }) : say("amount.carbon", { kilograms: number });
}

export function isOtherUnit(unit: string): boolean {
  return unit === "gpu-hours" || unit === "kgCO2e";
}

/** What a person typed as decimal text of the contract: `12,500.50` is 12500.50. null: no amount; empty text is no amount either. */
export function decimalOf(typed: string): string | null {
  const text = typed.replace(/[\s,\u202f\u00a0]/g, "").replace(/^\u2212/, "-");
  return /^-?\d{1,12}(\.\d{1,18})?$/.test(text) ? text : null;
}

/** Difference of two amounts as exact attos; null where either is absent. */
export function differenceOf(amount: string | null, other: string | null): bigint | null {
  const [a, b] = [amount, other].map((text) => (text === null ? null : (parseAmount(text)?.value ?? null)));
  return a === null || b === null || a === undefined || b === undefined ? null : a - b;
}

export function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text;
}

export function isMonth(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
}

/** The tail of a long resource name, which tells it from others. */
export function shortName(resource: string): string {
  return resource.split("/").findLast((part) => part !== "") ?? resource;
}
