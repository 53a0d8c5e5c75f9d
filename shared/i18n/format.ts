/**
 * How facts become text: numbers, money, dates and messages in one language. Window, terminal and printers all speak through this, and
 * nothing else in the product calls Intl. Amounts are bigint attos and stay exact down to the digits shown.
 */
import type { Language } from "./index.ts";
import type { Message, MessageParam } from "../contract/report.ts";
import { dash } from "../contract/words.ts";
import type { AmountStyle, NumberStyle, TextPart, Words } from "../contract/words.ts";
import { minorDigits } from "../domain/currency.ts";
import { decimalsShown } from "../domain/figure.ts";
import type { Figure } from "../domain/figure.ts";
import { referenceZhCN, sourcesZhCN } from "./zh-CN/reference.ts";
import type { PeriodLabel } from "../domain/period.ts";
import { formatFixed, divideHalfEven } from "../domain/money.ts";

export { dash } from "../contract/words.ts";
export type { AmountStyle, NumberStyle, TextPart, Words } from "../contract/words.ts";
export { minorDigits } from "../domain/currency.ts";

/** i18next's `t`, with formatted values under `replace` and the number that decides the plural under `count`. */
export type Translate = (key: string, options: { readonly count?: number; readonly replace: Readonly<Record<string, string>> }) => string;

const MINUS = "\u2212";
/** A number of a sentence stands between these, after its name; an amount of money begins with the first. */
const STRONG_ON = "\u0001";
const NUMBER_ON = "\u0004";
const NAME_END = "\u0005";
const NUMBER_OFF = "\u0002";

export function makeWords(translated: Translate, language: Language): Words {
  const translate = wellPut(translated);
  const chinese = language === "zh-CN";
  const percentGap = chinese ? "" : "\u202f";

  function money(attos: bigint, currency: string, style: AmountStyle = {}): string {
    const digits = style.digits ?? minorDigits(currency);
    const units = divideHalfEven(attos, 10n ** BigInt(18 - digits));
    return withSign(writeAmount(units < 0n ? -units : units, digits, currency, style.bare === true), units < 0n, style.signed === true && units > 0n);
  }

  function writeAmount(units: bigint, digits: number, currency: string, isPlain: boolean): string {
    const decimal = formatPadded(units, digits);
    if (isPlain) return numberFormat(language, digits).format(decimal as Intl.StringNumericLiteral);
    const written = currencyFormat(language, currency, digits);
    if (written) return written.format(decimal as Intl.StringNumericLiteral);
    return `${numberFormat(language, digits).format(decimal as Intl.StringNumericLiteral)}\u00a0${currency}`;
  }

  function number(value: number, style: NumberStyle = {}): string {
    const digits = style.digits ?? (Number.isInteger(value) ? 0 : 1);
    const text = numberFormat(language, digits).format(Math.abs(value));
    const isZero = !/[1-9]/.test(text);
    return withSign(text, value < 0 && !isZero, style.signed === true && value > 0 && !isZero);
  }

  function ratio(value: number, style: NumberStyle & { readonly bare?: boolean } = {}): string {
    const text = number(value * 100, { digits: style.digits ?? 1, ...(style.signed === undefined ? {} : { signed: style.signed }) });
    return style.bare === true ? text : `${text}${percentGap}%`;
  }

  function figure(of: Figure, style: AmountStyle = {}): string {
    if (of.value === null) return dash;
    if (typeof of.value === "bigint") return money(style.digits === undefined ? (of.shown ?? of.value) : of.value, of.unit.split("/")[0] ?? of.unit, style);
    const signed = style.signed === true ? { signed: true } : {};
    const bare = style.bare === true ? { bare: true } : {};
    switch (of.unit) {
      case "ratio":
        return ratio(of.value, { ...signed, ...bare });
      case "percent":
        return ratio(of.value / 100, { ...signed, ...bare });
      default:
        return `${number(of.value, { digits: style.digits ?? decimalsShown(of.value, of.unit), ...signed })}${style.bare === true ? "" : perCurrency(of.unit)}`;
    }
  }

  function period(label: PeriodLabel, style: { readonly short?: boolean } = {}): string {
    const year = label.slice(0, 4);
    const quarter = /Q([1-4])$/i.exec(label)?.[1];
    if (quarter !== undefined) return chinese ? `${year}年第${"一二三四"[Number(quarter) - 1] ?? quarter}季度` : `Q${quarter} ${year}`;
    if (label.length === 4) return chinese ? `${year}年` : year;
    const month = Number(label.slice(5, 7));
    if (chinese) return style.short === true ? `${month}月` : `${year}年${month}月`;
    const name = dateFormat(language, { month: "long" }).format(Date.UTC(Number(year), month - 1, 1));
    return style.short === true ? name : `${name} ${year}`;
  }

  function instant(iso: string, precision: "day" | "minute"): string {
    const at = Date.parse(iso);
    if (Number.isNaN(at)) return iso;
    const date = new Date(at);
    const day = chinese
      ? `${date.getUTCFullYear()}年${date.getUTCMonth() + 1}月${date.getUTCDate()}日`
      : `${date.getUTCDate()} ${dateFormat(language, { month: "short" }).format(at)} ${date.getUTCFullYear()}`;
    if (precision === "day") return day;
    const time = `${String(date.getUTCHours()).padStart(2, "0")}:${String(date.getUTCMinutes()).padStart(2, "0")}`;
    return chinese ? `${day} ${time}` : `${day}, ${time}`;
  }

  function param(value: MessageParam): string {
    if ("figure" in value) return figure(value.figure);
    if ("money" in value) return money(value.shown ?? value.money, value.currency, value.signed === undefined ? {} : { signed: value.signed });
    if ("ratio" in value) return ratio(value.ratio, optional(value));
    if ("count" in value) return number(value.count, { digits: 0 });
    if ("number" in value) return number(value.number, optional(value));
    if ("period" in value) return period(value.period, value.short === undefined ? {} : { short: value.short });
    if ("instant" in value) return instant(value.instant, value.precision);
    if ("message" in value) return marked(value.message, false);
    if ("reference" in value) return withStanding(chinese ? referenceInChinese(value.reference) : value.reference, chinese);
    return value.text;
  }

  function marked(message: Message, isMarked: boolean): string {
    const replace: Record<string, string> = {};
    let count: number | undefined;
    for (const [name, value] of Object.entries(message.params ?? {})) {
      const text = param(value);
      const isAmount = "money" in value || ("figure" in value && typeof value.figure.value === "bigint");
      const isNumber = isAmount || "figure" in value || "number" in value || "count" in value;
      replace[name] = isMarked && isNumber ? `${isAmount ? STRONG_ON : NUMBER_ON}${name}${NAME_END}${text}${NUMBER_OFF}` : text;
      if ("count" in value) count ??= value.count;
    }
    return translate(message.key, count === undefined ? { replace } : { count, replace });
  }

  const words: Words = {
    language,
    money,
    ratio,
    number,
    figure,
    period,
    instant,
    count: (value) => number(value, { digits: 0 }),
    bytes: (value) => {
      const [size, unit] = value < 1e3 ? [value, "B"] : value < 1e6 ? [value / 1e3, "kB"] : value < 1e9 ? [value / 1e6, "MB"] : [value / 1e9, "GB"];
      return `${number(size, { digits: unit === "B" || size >= 100 ? 0 : 1 })}\u00a0${unit}`;
    },
    text: (message) => marked(message, false),
    parts: (message) =>
      marked(message, true)
        .split(NUMBER_OFF)
        .flatMap((piece): TextPart[] => {
          const at = Math.max(piece.indexOf(STRONG_ON), piece.indexOf(NUMBER_ON));
          if (at < 0) return [{ text: piece, strong: false }];
          const [name = "", text = ""] = piece.slice(at + 1).split(NAME_END);
          return [{ text: piece.slice(0, at), strong: false }, { text, strong: piece[at] === STRONG_ON, name }];
        })
        .filter(({ text }) => text !== ""),
    reference: (text) => param({ reference: text }),
    unknown: (reason) => translate(`why.${reason}`, { replace: {} }),
    error: (error) => {
      const replace: Record<string, string> = {};
      for (const [name, value] of Object.entries(error.params as Readonly<Record<string, string | number | null>>)) {
        if (value === null) replace[name] = dash;
        else if (name === "period" && typeof value === "string") replace[name] = period(value);
        else if (name === "expected") replace[name] = translate(`expected.${value}`, { replace: {} });
        else if (name === "format") replace[name] = translate(`format.${value}`, { replace: {} });
        else if (error.code.startsWith("calculator.") && (name === "field" || name === "other")) replace[name] = translate(`calc.field.${value}`, { replace: {} });
        else if (name === "pricedAs") replace[name] = translate(`commit.price-of.${value}`, { replace: {} });
        else if (name === "dataset") replace[name] = translate(`dataset.${value}`, { replace: {} });
        else replace[name] = typeof value === "number" && name !== "batch" && name !== "version" && name !== "supported" ? number(value, { digits: 0 }) : String(value);
      }
      const isFarOff = error.code === "import.unrecognized" && error.params.closest === null;
      return { what: translate(isFarOff ? "error.import.unrecognized.nothing-close" : `error.${error.code}.what`, { replace }), todo: translate(`error.${error.code}.todo`, { replace }) };
    },
    say: (key, values = {}) => {
      const replace: Record<string, string> = {};
      let count: number | undefined;
      for (const [name, value] of Object.entries(values)) {
        replace[name] = typeof value === "number" ? number(value) : value;
        if (typeof value === "number") count ??= value;
      }
      return translate(key, count === undefined ? { replace } : { count, replace });
    },
  };
  return words;
}

/** What a quantity for each unit of money is for: ` / USD`. A name in a table cannot say it, the figure does. */
function perCurrency(unit: string): string {
  const currency = /^gCO2e\/([A-Z]{3})$/.exec(unit)?.[1];
  return currency === undefined ? "" : `\u00a0/\u00a0${currency}`;
}

/** Names of two values that are one span in the texts. */
const spans = [["from", "to"], ["from", "until"], ["first", "last"], ["oldest", "newest"]] as const;
/** Stands for the second of two equal ends until the text is put together. */
const ALIKE = "\u0003";
const joiner = new RegExp(`\\s*(?:to|until|[–—-]|至|到)\\s*${ALIKE}`, "g");

/**
 * Texts as they are said. `{{rows}} ‹row|rows›` takes the first word after the number 1 and the second after any other: for texts with several
 * numbers, of which i18next's plural forms know one. A span of which both ends are the same date is that date, in every text that has one.
 */
function wellPut(translate: Translate): Translate {
  return (key, { replace, ...rest }) => {
    const ends: Record<string, string> = {};
    for (const [first, last] of spans) {
      const date = replace[first];
      if (date !== undefined && date === replace[last] && isDate(date)) ends[last] = ALIKE;
    }
    const text = translate(key, { ...rest, replace: { ...replace, ...ends } });
    return withNumber(Object.keys(ends).length === 0 ? text : text.replaceAll(joiner, "").replaceAll(ALIKE, replace["from"] ?? replace["first"] ?? replace["oldest"] ?? ""));
  };
}

function isDate(text: string): boolean {
  return /\d{4}-\d\d|\d{4}年|\d月|[A-Z][a-z]{2,8} \d{4}/.test(text);
}

function withNumber(text: string): string {
  if (!text.includes("‹")) return text;
  return text.replaceAll(/‹([^‹›|]*)\|([^‹›|]*)›/g, (_whole, one: string, other: string, at: number) => (/(?:^|[^\d.,])1\D*$/.test(text.slice(0, at)) ? one : other));
}

/** How a row of the reference tables stands: one that was written down from memory says so plainly, never as if its source had been looked up. */
function withStanding(text: string, chinese: boolean): string {
  return text.replaceAll(/ ?\(recalled, verify\)/g, chinese ? "（凭记忆录入，未核实）" : " (from memory, not verified)");
}

/** Whole where it is known; a grid zone by its code and its place; a source by its title and what it is; else as it is. */
function referenceInChinese(text: string): string {
  if (Object.hasOwn(referenceZhCN, text)) return referenceZhCN[text] ?? text;
  const share = /^\+ 1\/8 (.+)$/.exec(text)?.[1];
  if (share !== undefined) return `另加 1/8 台${referenceInChinese(share)}`;
  if (/^\d+ vCPU, /.test(text)) return text.replaceAll(", ", "、");
  // A province's zone has its name twice, and the name may have spaces.
  const province = /^CN-PROV:(.+) \1$/.exec(text)?.[1];
  const [, zone = "", name = ""] = province === undefined ? (/^([A-Z][\w:-]*) (.+)$/.exec(text) ?? []) : ["", `CN-PROV:${province}`, province];
  const place = (Object.hasOwn(referenceZhCN, name) ? referenceZhCN[name] : undefined) ?? countryInChinese(zone, name);
  if (place !== null) return `${zone} ${place}`;
  const parts = text.split("; ");
  const explained = parts.map((part) => {
    const what = sourcesZhCN.find(([title]) => part.startsWith(title))?.[1];
    return what === undefined ? part : `${part}（${what}）`;
  });
  return explained.join("；");
}

/** A country by the code of its zone, or by its English name where the code has three letters; null for what is no country. */
function countryInChinese(zone: string, name: string): string | null {
  if (/^[A-Z]{2}$/.test(zone)) return regionNames("zh-CN").of(zone) ?? null;
  if (!zone.startsWith("EMBER:")) return null;
  for (let code = 0; code < 676; code += 1) {
    const letters = String.fromCharCode(65 + Math.floor(code / 26), 65 + (code % 26));
    if (regionNames("en").of(letters) === name) return regionNames("zh-CN").of(letters) ?? null;
  }
  return null;
}

const regions = new Map<Language, Intl.DisplayNames>();

function regionNames(language: Language): Intl.DisplayNames {
  let names = regions.get(language);
  if (names === undefined) regions.set(language, (names = new Intl.DisplayNames(language, { type: "region", fallback: "none" })));
  return names;
}

function optional(value: { readonly signed?: boolean; readonly digits?: number }): { signed?: boolean; digits?: number } {
  return { ...(value.signed === undefined ? {} : { signed: value.signed }), ...(value.digits === undefined ? {} : { digits: value.digits }) };
}

function withSign(text: string, isNegative: boolean, isPlus: boolean): string {
  if (isNegative) return MINUS + text;
  return isPlus ? `+${text}` : text;
}

/** Whole minor units as a decimal with exactly that many digits. */
function formatPadded(units: bigint, digits: number): string {
  const text = formatFixed(units, digits);
  if (digits === 0) return text;
  const point = text.indexOf(".");
  return point < 0 ? `${text}.${"0".repeat(digits)}` : text + "0".repeat(digits - (text.length - point - 1));
}

const formats = new Map<string, Intl.NumberFormat | null>();
const dates = new Map<string, Intl.DateTimeFormat>();

function locale(language: Language): string {
  return language === "zh-CN" ? "zh-CN" : "en-GB";
}

function numberFormat(language: Language, digits: number): Intl.NumberFormat {
  const key = `${language} ${digits}`;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.NumberFormat(locale(language), { minimumFractionDigits: digits, maximumFractionDigits: digits })));
  return format;
}

/** null where the code is no ISO 4217 form (virtual currencies). US dollars are `$` in both languages, others keep their country. */
function currencyFormat(language: Language, currency: string, digits: number | null): Intl.NumberFormat | null {
  const key = `${language} ${currency} ${digits}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  let format: Intl.NumberFormat | null = null;
  if (/^[A-Z]{3}$/.test(currency)) {
    format = new Intl.NumberFormat(language === "zh-CN" ? "zh-CN" : "en-US", {
      style: "currency",
      currency,
      currencyDisplay: currency === "USD" ? "narrowSymbol" : "symbol",
      ...(digits === null ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    });
  }
  formats.set(key, format);
  return format;
}

function dateFormat(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  let format = dates.get(key);
  if (!format) dates.set(key, (format = new Intl.DateTimeFormat(language === "zh-CN" ? "zh-CN" : "en-US", { ...options, timeZone: "UTC" })));
  return format;
}
