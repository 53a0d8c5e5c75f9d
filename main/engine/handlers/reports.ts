import { ledgerError } from "../../../shared/contract/errors.ts";
import { jobsAskedBy } from "../../../shared/contract/jobs.ts";
import type { MethodInput } from "../../../shared/contract/methods.ts";
import type { ReportId } from "../../../shared/contract/report.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import type { EngineContext } from "../context.ts";
import { bookPrices, type PricesOfPool } from "../commitments/prices.ts";
import { replayStopRule } from "../findings/stops.ts";
import { explainJobs, rowsOfJobs } from "../jobs/explain.ts";
import { printerOf } from "../print/index.ts";
import { bookOf } from "../prices/store.ts";
import { explainFigure, readReport, type ReportContext } from "../reports/index.ts";
import { writeWhole } from "../files.ts";
import type { HandlersOf } from "./index.ts";
import { jobsAsked } from "./jobs.ts";
import { rowsBehind } from "./rows.ts";

export const reportHandlers: HandlersOf<"report.read" | "report.export" | "figure.explain" | "rows.read"> = {
  async "report.read"(context, request) {
    const reading = reportContext(context);
    if (!reading.ok) return reading;
    if (reportsOfSavings.has(request.report)) await replayKeptRule(context, request);
    return readReport(reading.value, { ...request, scope: scopeOf(request.scope) });
  },

  async "report.export"(context, { request, as, language, file }) {
    const reading = reportContext(context);
    if (!reading.ok) return reading;
    const printer = printerOf(as);
    const { wordsOf } = context.options;
    // A PDF is drawn by a window: whoever has none to draw it cannot be asked for one.
    if (printer === null) return err(ledgerError("contract.invalid", { question: "report.export", path: "as" }));
    if (wordsOf === undefined) throw new Error("an export needs its words");
    if (reportsOfSavings.has(request.report)) await replayKeptRule(context, request);
    const document = readReport(reading.value, { ...request, scope: scopeOf(request.scope) });
    if (!document.ok) return document;
    const printed = await printer.print(document.value, await wordsOf(language));
    return writeWhole(file, printed);
  },

  async "figure.explain"(context, { scope, params, ...ref }) {
    const ofJobs = jobsAskedBy({ ...(params === undefined ? {} : { params }) });
    if (ofJobs !== null) {
      const asked = jobsAsked(context, { ...ref, scope });
      return asked.ok ? explainJobs(asked.value, { ...ref, scope: scopeOf(scope), ...(params === undefined ? {} : { params }) }, ofJobs.id, ofJobs.filter) : asked;
    }
    const reading = reportContext(context);
    if (!reading.ok) return reading;
    if (ref.metric === "kpi-optimization") await replayKeptRule(context, { ...ref, scope });
    return explainFigure(reading.value, { ...ref, scope: scopeOf(scope), ...(params === undefined ? {} : { params }) });
  },

  async "rows.read"(context, request) {
    const ofJobs = request.of === "jobs" ? jobsAskedBy(request.ref.params === undefined ? {} : { params: request.ref.params }) : null;
    if (ofJobs !== null) {
      const asked = jobsAsked(context, request.ref);
      return asked.ok ? ok(await rowsOfJobs(asked.value, ofJobs.filter, request.offset, request.limit)) : asked;
    }
    const reading = reportContext(context);
    return reading.ok ? rowsBehind(reading.value, request, scopeOf(request.ref.scope)) : reading;
  },
};

/** Reports that say what stopping machines would save. */
const reportsOfSavings: ReadonlySet<ReportId> = new Set<ReportId>(["monthly", "kpis"]);

/** Has the reader replay the ledger's stop rule on a period, which takes seconds for a big fleet; what is read afterwards finds it there. */
export async function replayKeptRule(context: EngineContext, { period, scope, currency }: Pick<MethodInput<"stops.replay">, "period" | "scope" | "currency">): Promise<void> {
  const opened = context.open();
  const reading = reportContext(context);
  if (!opened.ok || !reading.ok) return;
  await replayStopRule(reading.value, { period, scope: scopeOf(scope), currency, rule: null }, (input) => opened.value.jobs.run("replay-stops", input));
}

/** A scope as it crossed: a dimension that is there but undefined is absent. */
export function scopeOf(scope: MethodInput<"report.read">["scope"]): Scope {
  return Object.fromEntries(Object.entries(scope).filter(([, values]) => values !== undefined));
}

/** The prices that options are made of: those of the price book today. */
export function pricesOf(context: EngineContext): Result<PricesOfPool> {
  const book = bookOf(context, null);
  return book.ok ? ok(bookPrices(book.value)) : book;
}

/** What a report is read from: the open ledger and the shipped catalog. */
export function reportContext(context: EngineContext): Result<ReportContext> {
  const opened = context.open();
  if (!opened.ok) return opened;
  const reference = context.reference();
  return reference.ok ? ok({ ledger: opened.value.ledger, convertedFrom: opened.value.convertedFrom, reference: reference.value, now: () => context.now(), prices: () => pricesOf(context) }) : reference;
}
