/** What is said of figures that were converted: a page's context, the basis and coverage of its amounts, and a figure's rates. */
import type { ConvertedTotals } from "../../../shared/contract/rates.ts";
import type { Cell, Explanation, FigureRef, Message, ReportDocument, ReportRequest, Row, TableBlock } from "../../../shared/contract/report.ts";
import { converted } from "../../../shared/domain/currency.ts";
import type { Figure, Unit } from "../../../shared/domain/figure.ts";
import { parseAmount } from "../../../shared/domain/money.ts";
import { monthsOf, parsePeriod } from "../../../shared/domain/period.ts";
import { figureOf, share } from "../metrics/metric.ts";
import { convertedTotals } from "../rates/totals.ts";
import { column, notApplicable, row, shown, text, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";

/** What a period's conversion rests on: amounts by billed currency, the rates used, and what no rate covers. */
export function conversionOf({ convertedFrom }: ReportContext, { period, scope }: Pick<FigureRef, "period" | "scope">): ConvertedTotals | null {
  const span = parsePeriod(period);
  if (convertedFrom === null || convertedFrom === undefined || span === null) return null;
  return convertedTotals(convertedFrom.billed.db, { months: monthsOf(span), by: ["currency"], scope, in: convertedFrom.currency });
}

/** The document with its amounts marked as converted, and said so under its sentence. */
export function convertedDocument(document: ReportDocument, request: ReportRequest, conversion: ConvertedTotals): ReportDocument {
  const { context, ...rest } = document;
  const choice = converted(conversion.in);
  return { ...marked({ ...rest, context }, conversion), context: [...conversionLines(conversion, request.basis), ...marked(context, conversion)], request: { ...request, currency: choice } };
}

/** "Converted to USD, each day by its own rate: EUR 71,000 from …", then what no rate covers, a sentence for each currency. */
export function conversionLines(conversion: ConvertedTotals, basis: ReportRequest["basis"]): Message[] {
  const target = { currency: { text: conversion.in } };
  const others = conversion.rows.flatMap(({ currency }) => (currency === undefined || currency === conversion.in ? [] : [currency]));
  const gone = conversion.missing.map(({ currency }) => currency);
  const known = others.filter((currency) => conversion.rows.some((line) => line.currency === currency && (line[basis] ?? line.EffectiveCost ?? line.BilledCost) !== null));
  const sources = [...new Set(conversion.rates.map(({ source }) => source))];
  const said = others.length === 0 ? message("report.context.nothing-converted", target) : known.length === 0 ? null : message("report.context.converted", { ...target, currencies: { text: known.join(", ") }, count: { count: conversion.rates.length }, source: { text: sources.join(", ") } });
  return [...(said === null ? [] : [said]), ...gone.flatMap((currency) => missingLines(conversion, currency))];
}

function missingLines({ missing }: ConvertedTotals, wanted: string): Message[] {
  return missing.filter(({ currency }) => currency === wanted).map(({ currency, days, firstDay, lastDay, amount }) =>
    message("report.context.no-rate", {
      currency: { text: currency },
      count: { count: days },
      from: { instant: `${firstDay}T00:00:00Z`, precision: "day" },
      until: { instant: `${lastDay}T00:00:00Z`, precision: "day" },
      amount: { money: attosOf(amount) ?? 0n, currency },
    }),
  );
}

/** An amount of the currency, alone or for something: `USD`, `USD/gpu-hour`, or work for it: `pflop/USD`. */
function isOf(unit: Unit, currency: string): boolean {
  return unit === currency || unit.startsWith(`${currency}/`) || unit.endsWith(`/${currency}`);
}

/**
 * Everything that crosses, with every figure in the currency marked as converted and as known only as far as rates cover, and every reference to a
 * figure asking for the same conversion.
 */
function marked<T>(value: T, conversion: Pick<ConvertedTotals, "in" | "coverage">): T {
  return markedValue(value, conversion.in, conversion.coverage ?? 1) as T;
}

function markedValue(value: unknown, currency: string, coverage: number): unknown {
  if (Array.isArray(value)) return typeof value[0] === "number" ? value : value.map((entry) => markedValue(entry, currency, coverage));
  if (typeof value !== "object" || value === null) return value;
  if (isFigure(value)) return isOf(value.unit, currency) ? { ...value, basis: value.basis === "assumed" ? value.basis : "converted", coverage: value.coverage * coverage } : value;
  const entries = Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, markedValue(entry, currency, coverage)]));
  return isRef(value) && value.currency === currency ? { ...entries, currency: converted(currency) } : entries;
}

function isFigure(value: object): value is Figure {
  return "metric" in value && "unit" in value && "coverage" in value && typeof value.unit === "string";
}

function isRef(value: object): value is FigureRef {
  return "metric" in value && "period" in value && "scope" in value && "currency" in value;
}

/** A figure in one billed currency, as it is billed and what of the whole it came to. */
export interface BilledPart {
  readonly currency: string;
  readonly billed: Figure;
  readonly converted: Figure;
}

/** The explanation with what it was converted from, and by which rates. */
export function convertedExplanation(explanation: Explanation, ref: FigureRef, conversion: ConvertedTotals, parts: readonly BilledPart[]): Explanation {
  const known = marked(explanation, conversion);
  const tables = parts.length > 0 && isOf(explanation.figure.unit, conversion.in) ? [partsTable(known, marked(parts.map(({ converted: part }) => part), conversion), parts, ref, conversion.missing)] : [];
  return {
    ...known,
    ref: { ...known.ref, currency: converted(conversion.in) },
    splits: [...tables, ...(conversion.rates.length === 0 ? [] : [ratesTable(conversion)]), ...known.splits],
    notInIt: [...conversion.missing.flatMap(({ currency }) => missingLines(conversion, currency)), ...known.notInIt],
    assumptions: [message("explain.assumes.converted", { currency: { text: conversion.in } }), ...known.assumptions],
  };
}

/** The figure by the currency of the bill: what was billed, its rate on average, and what it came to. Each billed amount leads to its own rows. */
function partsTable({ figure }: Explanation, now: readonly Figure[], parts: readonly BilledPart[], ref: FigureRef, missing: ConvertedTotals["missing"]): TableBlock {
  const target = figure.unit.split("/")[0] ?? "";
  const average = (base: string, billed: Figure, part: Figure | undefined): Cell => {
    const rate = part === undefined || billed.value === null || part.value === null ? null : share(part.value, billed.value);
    // Where a part has no rate, what it came to says nothing of the rates of the others.
    return rate === null || base === target || missing.some(({ currency }) => currency === base) ? notApplicable : words("converted.rate-line", { base: { text: base }, rate: { number: rate, digits: 6 }, quote: { text: target } });
  };
  const rows: Row[] = parts.map(({ currency, billed }, place) =>
    row(`currency ${currency}`, [text(currency), shown(billed, { ...ref, currency }), average(currency, billed, now[place]), now[place] === undefined ? notApplicable : shown(now[place])]),
  );
  return {
    kind: "table",
    id: "by-currency",
    title: message("explain.by.currency"),
    note: null,
    chart: null,
    columns: [
      column("name", "text", 1, message("column.currency")),
      column("billed", "figure", 1, message("converted.stated")),
      column("rate", "text", 2, message("converted.average")),
      column("figure", "figure", 1, message(`metric.${figure.metric}.name`)),
    ],
    rows,
    total: row("total", [words("row.total"), notApplicable, notApplicable, shown(figure)]),
  };
}

function ratesTable({ rates }: ConvertedTotals): TableBlock {
  return {
    kind: "table",
    id: "rates",
    title: message("converted.rates"),
    note: null,
    chart: null,
    columns: [
      column("rate", "text", 1, message("rates.rate")),
      column("day", "time", 1, message("rates.day")),
      column("days", "figure", 2, message("rates.days")),
      column("source", "text", 1, message("column.source")),
    ],
    rows: rates.map(({ base, quote, day, rate, daysUsed, source }) =>
      row(`${base} ${quote} ${day}`, [
        words("converted.rate-line", { base: { text: base }, rate: { text: rate }, quote: { text: quote } }),
        { instant: `${day}T00:00:00Z`, precision: "day" },
        shown(figureOf("row-count", daysUsed, "count", "derived", 1)),
        text(source),
      ]),
    ),
    total: null,
  };
}

function attosOf(amount: string): bigint | null {
  return parseAmount(amount)?.value ?? null;
}
