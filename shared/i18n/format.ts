import type { Figure, UnknownReason } from "../domain/figure.ts";
import { currencyOf } from "../domain/figure.ts";
import { formatAttos } from "../domain/money.ts";
import type { PeriodLabel } from "../domain/period.ts";
import type { Message, MessageParam } from "../contract/report.ts";
import type { Language } from "./index.ts";

/**
 * How i18next is asked: `count` chooses the plural form, `replace` fills the placeholders.
 * `(key, options) => i18next.t(key, options)` fits, with interpolation.escapeValue off.
 */
export type Translate = (key: string, options: { readonly count?: number; readonly replace: Readonly<Record<string, string>> }) => string;

export interface TextPart {
  readonly text: string;
  /** Amounts of money: the answer sentence sets them in 600. */
  readonly strong: boolean;
}

export interface AmountStyle {
  /** A plus before what is above zero. */
  readonly signed?: boolean;
  /** Without the currency: its unit stands in the head. */
  readonly bare?: boolean;
  /** Decimals to show instead of the currency's own. */
  readonly digits?: number;
}
export interface NumberStyle {
  readonly signed?: boolean;
  readonly digits?: number;
}

/** Numbers, dates and messages in one language. Negative amounts have a true minus. */
export interface Words {
  readonly language: Language;
  /** A message as one text. */
  text(message: Message): string;
  /** The same text in parts, so that amounts can be set apart. */
  parts(message: Message): readonly TextPart[];
  /** A figure with its unit; "—" where it has no value. `bare` leaves the unit out. */
  figure(figure: Figure, style?: AmountStyle): string;
  /** An amount, half-even to its currency's minor digits, exact for any size. */
  money(attos: bigint, currency: string, style?: AmountStyle): string;
  /** 0.547 as "54.7 %". */
  ratio(ratio: number, style?: NumberStyle & { readonly bare?: boolean }): string;
  count(count: number): string;
  number(value: number, style?: NumberStyle): string;
  instant(instant: string, precision: "day" | "minute"): string;
  period(label: PeriodLabel): string;
  /** Why a figure has no value. */
  unknown(reason: UnknownReason | "not-applicable"): string;
}

export const dash = "—";
const minus = "\u2212";
const thinSpace = "\u202f";

export function makeWords(t: Translate, language: Language): Words {
  const numbers = numberFormats(language);

  const money = (attos: bigint, currency: string, style: AmountStyle = {}): string => {
    const digits = style.digits ?? minorDigits(currency);
    const amount = formatAttos(attos) as Intl.StringNumericLiteral;
    const sign = style.signed === true ? "exceptZero" : "negative";
    const isNamed = style.bare !== true;
    const code = /^[A-Z]{3}$/.test(currency);
    const options: Intl.NumberFormatOptions = { minimumFractionDigits: digits, maximumFractionDigits: digits, roundingMode: "halfEven", signDisplay: sign };
    if (!isNamed) return trueMinus(numbers(options).formatToParts(amount));
    if (!code) return `${trueMinus(numbers(options).formatToParts(amount))}\u00a0${currency}`;
    const isPlainDollar = currency === "USD" || (currency === "CNY" && language === "zh-CN");
    return trueMinus(numbers({ ...options, style: "currency", currency, currencyDisplay: isPlainDollar ? "narrowSymbol" : "symbol" }).formatToParts(amount));
  };
  const number = (value: number, { signed = false, digits }: NumberStyle = {}): string =>
    trueMinus(
      numbers({ signDisplay: signed ? "exceptZero" : "negative", ...(digits === undefined ? { maximumFractionDigits: 2 } : { minimumFractionDigits: digits, maximumFractionDigits: digits }) }).formatToParts(value),
    );
  const ratio = (value: number, { signed = false, digits = 1, bare = false }: NumberStyle & { readonly bare?: boolean } = {}): string => {
    const text = number(value * 100, { signed, digits });
    return bare ? text : `${text}${language === "zh-CN" ? "%" : `${thinSpace}%`}`;
  };
  const count = (value: number): string => number(value, { digits: 0 });

  const figure = ({ value, unit, ...rest }: Figure, style: AmountStyle = {}): string => {
    if (value === null) return dash;
    if (typeof value === "bigint") return money(value, currencyOf({ value, unit, ...rest }) ?? unit, style);
    const { signed = false, bare = false, digits } = style;
    const numberStyle = { signed, ...(digits === undefined ? {} : { digits }) };
    if (unit === "ratio") return ratio(value, { ...numberStyle, bare });
    if (unit === "percent") return ratio(value / 100, { ...numberStyle, bare });
    if (unit === "count" || unit === "rows") return number(value, { signed, digits: digits ?? 0 });
    if (unit === "gpu-hours") return number(value, { signed, digits: digits ?? (Math.abs(value) < 100 ? 2 : 0) });
    if (unit === "hours") return number(value, { signed, digits: digits ?? 2 });
    if (unit.startsWith("pflop/") || unit.startsWith("tflops/")) return number(value, { signed, digits: digits ?? (Math.abs(value) < 10 ? 1 : 0) });
    const symbol = unit === "watts" ? "W" : unit === "mebibytes" ? "MiB" : null;
    const text = number(value, { signed, digits: digits ?? (Math.abs(value) < 10 ? 1 : 0) });
    return bare || symbol === null ? text : `${text}\u00a0${symbol}`;
  };

  const instant = (text: string, precision: "day" | "minute"): string => {
    const [date = "", time = ""] = text.split("T");
    const [year = "", month = "1", day = ""] = date.split("-");
    const written = language === "zh-CN" ? `${year}年${Number(month)}月${Number(day)}日` : `${Number(day)} ${monthName(Number(month), "short")} ${year}`;
    return precision === "day" ? written : `${written}${language === "zh-CN" ? " " : ", "}${time.slice(0, 5)}`;
  };
  const period = (label: PeriodLabel): string => {
    const [year = "", part] = label.split("-");
    const isChinese = language === "zh-CN";
    if (part === undefined) return isChinese ? `${year}年` : year;
    if (/^Q/i.test(part)) return isChinese ? `${year}年第${part.slice(1)}季度` : `Q${part.slice(1)} ${year}`;
    return isChinese ? `${year}年${Number(part)}月` : `${monthName(Number(part), "long")} ${year}`;
  };
  const unknown = (reason: UnknownReason | "not-applicable"): string => t(`unknown.${reason}`, { replace: {} });

  const param = (value: MessageParam): string => {
    if ("figure" in value) return figure(value.figure);
    if ("money" in value) return money(value.money, value.currency, { signed: value.signed ?? false });
    if ("ratio" in value) return ratio(value.ratio, value);
    if ("count" in value) return count(value.count);
    if ("number" in value) return number(value.number, value);
    if ("period" in value) return period(value.period);
    if ("instant" in value) return instant(value.instant, value.precision);
    if ("text" in value) return value.text;
    return text(value.message);
  };
  const translated = (message: Message, write: (value: MessageParam) => string): string => {
    const entries = Object.entries(message.params ?? {});
    const counted = message.params?.["count"];
    return t(message.key, {
      ...(counted !== undefined && "count" in counted ? { count: counted.count } : {}),
      replace: Object.fromEntries(entries.map(([name, value]) => [name, write(value)])),
    });
  };
  const text = (message: Message): string => translated(message, param);
  const parts = (message: Message): readonly TextPart[] => {
    const amounts: string[] = [];
    const marked = (value: MessageParam): string => {
      if ("message" in value) return translated(value.message, marked);
      if (!isAmount(value)) return param(value);
      amounts.push(param(value));
      return `\ue000${amounts.length - 1}\ue001`;
    };
    return translated(message, marked)
      .split(/\ue000(\d+)\ue001/)
      .map((piece, index) => ({ text: index % 2 === 1 ? (amounts[Number(piece)] ?? "") : piece, strong: index % 2 === 1 }))
      .filter((piece) => piece.text !== "");
  };

  return { language, text, parts, figure, money, ratio, count, number, instant, period, unknown };
}

/** Decimals of a currency: USD 2, JPY 0, KWD 3; 2 for what is no ISO code. */
export function minorDigits(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

function isAmount(value: MessageParam): boolean {
  return "money" in value || ("figure" in value && typeof value.figure.value === "bigint");
}

function trueMinus(parts: readonly Intl.NumberFormatPart[]): string {
  return parts.map(({ type, value }) => (type === "minusSign" ? minus : value)).join("");
}

/** Making a format costs more than using it, so each is made once. */
function numberFormats(language: Language): (options: Intl.NumberFormatOptions) => Intl.NumberFormat {
  const made = new Map<string, Intl.NumberFormat>();
  return (options) => {
    const key = JSON.stringify(options);
    const known = made.get(key) ?? new Intl.NumberFormat(language === "zh-CN" ? "zh-CN" : "en-US", options);
    made.set(key, known);
    return known;
  };
}

function monthName(month: number, width: "short" | "long"): string {
  return new Intl.DateTimeFormat("en-US", { month: width, timeZone: "UTC" }).format(Date.UTC(2001, month - 1, 1));
}
