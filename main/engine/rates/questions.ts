/** Questions whose currency is a conversion: the same question, asked of the converted ledger; or a refusal, never one billed currency. */
import { ledgerError, type LedgerError } from "../../../shared/contract/errors.ts";
import type { MethodName } from "../../../shared/contract/names.ts";
import { convertedTo } from "../../../shared/domain/currency.ts";
import { monthsOf, parsePeriod } from "../../../shared/domain/period.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import type { EngineContext } from "../context.ts";

/**
 * Questions that mean something in a currency that nothing was billed in. The others are about bills, prices and plans in the currency that they
 * are in: commitments are bought at prices of their own, a journal is booked as billed, a budget is set in the currency it is in.
 */
const convertible: ReadonlySet<MethodName> = new Set<MethodName>([
  "report.read", "report.export", "figure.explain", "rows.read", "pivot.read", "pivot.rows", "pivot.export", "jobs.read", "jobs.export", "jobs.timeline", "stops.replay", "stops.export", "findings.read", "aggregate.read",
  "allocation.inbox", "allocation.preview", "anomalies.read", "anomaly.detail", "actions.read", "forecast.read", "budgets.list", "budget.burn-down", "calculator.run",
]);

interface Asked {
  readonly context: EngineContext;
  readonly input: unknown;
  /** To be called once it is answered. */
  readonly done: () => void;
}

/**
 * The question as its handler can answer it: in a plain currency, on the ledger in which all money is in that currency.
 * errors  currency.billed-only (this question is of billed money), currency.no-rates; else as opening a ledger
 */
export async function asAnswerable(context: EngineContext, name: MethodName, input: unknown): Promise<Result<Asked, LedgerError>> {
  const target = convertedTo(wordIn(input, "currency"));
  if (target === null) return ok({ context, input, done: () => undefined });
  if (!convertible.has(name)) return err(ledgerError("currency.billed-only", { currency: target }));
  const opened = context.open();
  if (!opened.ok) return opened;
  const found = await opened.value.converted.at(target, monthsAsked(input));
  if (found === null) return err(ledgerError("currency.no-rates", { currency: target }));
  const looked = ok({ ...opened.value, ledger: found.ledger, convertedFrom: found });
  const inside: EngineContext = { ...context, open: () => looked, writable: () => err(ledgerError("ledger.read-only", { file: found.billed.name })) };
  return ok({ context: inside, input: inCurrency(input, target), done: () => found.done() });
}

/** Where a question holds its period and currency: in itself, or in the figure or report that it is about. */
const inner = ["ref", "request"] as const;

function wordIn(input: unknown, field: "currency" | "period" | "month"): string | null {
  if (!isRecord(input)) return null;
  const own = input[field];
  if (typeof own === "string") return own;
  for (const name of inner) {
    const found = wordIn(input[name], field);
    if (found !== null) return found;
  }
  return null;
}

function inCurrency(input: unknown, currency: string): unknown {
  if (!isRecord(input)) return input;
  const within = inner.flatMap((name) => (isRecord(input[name]) ? [[name, inCurrency(input[name], currency)] as const] : []));
  return { ...input, ...Object.fromEntries(within), ...("currency" in input ? { currency } : {}) };
}

/** The months whose hours an answer may look at. */
function monthsAsked(input: unknown): string[] {
  const period = parsePeriod(wordIn(input, "period") ?? wordIn(input, "month") ?? "");
  return period === null ? [] : monthsOf(period);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
