/**
 * What a printer is handed: facts as text in one language. Made by shared/i18n/format.ts; the engine knows only this interface, and no language.
 */
import type { LedgerError } from "./errors.ts";
import type { Message } from "./report.ts";
import type { Figure, UnknownReason } from "../domain/figure.ts";
import type { PeriodLabel } from "../domain/period.ts";

export interface TextPart {
  readonly text: string;
  /** Amounts of a sentence are set in the heavier weight. */
  readonly strong: boolean;
  /** Name of the fact that it is, where it is a number of the message's own. */
  readonly name?: string;
}

export interface AmountStyle {
  /** A plus sign on what is more than zero: for changes. */
  readonly signed?: boolean;
  /** Without the currency's sign, for tables whose head names the unit. */
  readonly bare?: boolean;
  /** Digits after the point instead of the currency's own. */
  readonly digits?: number;
}

export interface NumberStyle {
  readonly signed?: boolean;
  readonly digits?: number;
}

/** What stands in a cell that has no value. */
export const dash = "—";

export interface Words {
  readonly language: "en" | "zh-CN";
  text(message: Message): string;
  parts(message: Message): TextPart[];
  figure(figure: Figure, style?: AmountStyle): string;
  money(attos: bigint, currency: string, style?: AmountStyle): string;
  /** 0.0612 as `6.1 %`. One digit unless told otherwise. */
  ratio(value: number, style?: NumberStyle & { readonly bare?: boolean }): string;
  number(value: number, style?: NumberStyle): string;
  count(value: number): string;
  bytes(value: number): string;
  /** `September 2026`, or `September` where the year is plain. */
  period(label: PeriodLabel, style?: { readonly short?: boolean }): string;
  instant(iso: string, precision: "day" | "minute"): string;
  /** Why a figure has no value. */
  unknown(reason: UnknownReason | "not-applicable"): string;
  /** A text of the reference tables: a place, a kind of factor; a source with its own title and what it is. */
  reference(text: string): string;
  error(error: LedgerError): { readonly what: string; readonly todo: string };
  /** A plain text of the catalogs. */
  say(key: string, values?: Readonly<Record<string, string | number>>): string;
}

/** Sentences one after the other: with a space between them in English, with none in Chinese, whose full stop brings its own. */
export function sentences(parts: readonly string[], language: Words["language"]): string {
  return parts.join(language === "zh-CN" ? "" : " ");
}
