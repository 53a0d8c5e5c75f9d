/** `plan`: what to reserve, from the ledger's usage and the prices that are known or given. */
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { ledgerError } from "../../shared/contract/errors.ts";
import { commitmentTermSchema, defaultPlanInputs, lookbackWeeks, paymentKinds, planInputsSchema, quoteKinds } from "../../shared/contract/plan.ts";
import type { CommitmentTerm, PlanInputs, PlanScenario, Quote, ScenarioOutcome } from "../../shared/contract/plan.ts";
import { formatAttos } from "../../shared/domain/money.ts";
import { parsePeriod } from "../../shared/domain/period.ts";
import { err, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { Words } from "../../shared/i18n/format.ts";
import type { Engine } from "../engine/serve.ts";
import type { CommandLine } from "./arguments.ts";

type WithEngine = (work: (engine: Engine) => Promise<Result<number, LedgerError>>) => Promise<Result<number, LedgerError>>;

/** What a plan is asked with: of a scenario where one is named, changed by the other options. */
export interface PlanAsked {
  readonly period: string;
  readonly scope: CommandLine["scope"];
  readonly currency: string | null;
  readonly inputs: PlanInputs;
}

export interface PlanStreams {
  readonly out: (text: string) => void;
  readonly withEngine: WithEngine;
  /** Prints the plan as a report, as `--as` says. */
  readonly print: (asked: PlanAsked) => Promise<Result<number, LedgerError>>;
}

export async function plan(line: CommandLine, words: Words, { out, withEngine, print }: PlanStreams): Promise<Result<number, LedgerError>> {
  const [work = "read", ...rest] = line.positionals;
  if (work === "scenarios") return withEngine((engine) => scenarios(engine, line, words, out));
  if (work === "compare") return withEngine((engine) => compare(engine, rest, line, words, out));
  if (work === "terms") return withEngine((engine) => terms(engine, rest[0], words, out));
  if (work !== "read") return err(ledgerError("use.invalid", { option: "plan", value: work }));
  let asked: PlanAsked | null = null;
  const answered = await withEngine(async (engine) => {
    const read = await askedFor(engine, line);
    if (!read.ok) return read;
    const answer = await engine.ask("plan.read", read.value);
    if (!answer.ok) return answer;
    const { otherCurrencies, options, inputs, currency } = answer.value;
    if (read.value.currency === null && otherCurrencies.length > 0) return err(ledgerError("plan.currencies-mixed", { currencies: [currency, ...otherCurrencies].join(", ") }));
    const chosen = inputs.option === null ? null : options.find(({ id }) => id === inputs.option);
    if (chosen === undefined) return err(ledgerError("use.invalid", { option: "--option", value: inputs.option ?? "" }));
    if (chosen !== null && chosen.source.isOld && !inputs.acceptsOldPrices) return err(ledgerError("plan.price-old", { option: chosen.id, day: chosen.source.date ?? "" }));
    if (line.options.save !== undefined) {
      const saved = await engine.ask("plan.save", { name: line.options.save, ...read.value, by: null });
      if (!saved.ok) return saved;
    }
    if (line.flags.has("json")) out(`${JSON.stringify(answer.value, (_key, value: unknown) => (typeof value === "bigint" ? formatAttos(value) : value), 2)}\n`);
    else asked = read.value;
    return ok(0);
  });
  return asked === null || !answered.ok ? answered : print(asked);
}

async function askedFor(engine: Engine, line: CommandLine): Promise<Result<PlanAsked, LedgerError>> {
  const named = line.options.scenario;
  let base: Pick<PlanScenario, "period" | "scope" | "currency" | "inputs"> | null = null;
  if (named !== undefined) {
    const list = await engine.ask("plan.scenarios", {});
    if (!list.ok) return list;
    base = list.value.scenarios.find(({ name }) => name === named) ?? null;
    if (base === null) return err(ledgerError("plan.scenario-not-found", { name: named }));
  }
  const status = await engine.ask("ledger.status", {});
  if (!status.ok) return status;
  const period = line.options.period ?? base?.period ?? status.value.months.find(({ hasBill }) => hasBill)?.label;
  if (period === undefined) return err(ledgerError("use.missing", { option: "--period" }));
  if (parsePeriod(period) === null) return err(ledgerError("period.invalid", { text: period }));
  const inputs = planInputsOf(line, base?.inputs ?? defaultPlanInputs);
  if (!inputs.ok) return inputs;
  const scope = Object.keys(line.scope).length > 0 ? line.scope : (base?.scope ?? {});
  return ok({ period, scope, currency: line.options.currency ?? base?.currency ?? null, inputs: inputs.value });
}

const amounts = { "on-demand": "onDemandHourly", lot: "lotGpus", max: "maximumGpus", migration: "migrationCost", gpus: "gpus" } as const;
const percents = { growth: "growthPercentAMonth", decline: "declinePercentAYear", discount: "discountPercentAYear", spot: "spotPercent" } as const;

/** The inputs of a command line over others; what it does not say stays. */
export function planInputsOf({ options, flags }: CommandLine, base: PlanInputs): Result<PlanInputs, LedgerError> {
  const changed: Record<string, unknown> = { ...base };
  const wrong = (option: string): Result<never, LedgerError> => err(ledgerError("use.invalid", { option: `--${option}`, value: options[option as keyof typeof options] ?? "" }));
  if (options.lookback !== undefined) {
    const weeks = lookbackWeeks.find((count) => [`${count * 7}`, `${count * 7}d`, `${count}w`].includes(options.lookback ?? ""));
    if (weeks === undefined) return wrong("lookback");
    changed["weeks"] = weeks;
  }
  for (const [option, field] of Object.entries(amounts)) {
    const text = options[option as keyof typeof amounts];
    if (text === undefined) continue;
    if (!/^-?\d{1,12}(\.\d{1,18})?$/.test(text)) return wrong(option);
    changed[field] = text;
  }
  for (const [option, field] of Object.entries(percents)) {
    const text = options[option as keyof typeof percents];
    if (text === undefined) continue;
    if (!/^-?\d{1,3}(\.\d+)?$/.test(text)) return wrong(option);
    changed[field] = Number(text);
  }
  if (options.pool !== undefined) changed["pool"] = options.pool;
  if (options.option !== undefined) changed["option"] = options.option;
  if (options["leave-out"] !== undefined) {
    const out = options["leave-out"].split(",").map((part) => part.trim()).filter((part) => part !== "");
    if (out.some((part) => !["spot", "one-offs", "idle", "none"].includes(part))) return wrong("leave-out");
    Object.assign(changed, { leavesOutSpot: out.includes("spot"), leavesOutOneOffs: out.includes("one-offs"), leavesOutIdle: out.includes("idle") });
  }
  if (options.quote !== undefined) {
    const quotes = options.quote.split(";").map(quoteOf);
    if (quotes.includes(null)) return wrong("quote");
    changed["quotes"] = [...base.quotes, ...quotes];
  }
  if (flags.has("old-prices")) changed["acceptsOldPrices"] = true;
  if (flags.has("renewed")) changed["renewsExpiring"] = true;
  if (flags.has("not-netted")) changed["netsExisting"] = false;
  const checked = planInputsSchema.safeParse(changed);
  return checked.success ? ok(checked.data) : err(ledgerError("contract.invalid", { question: "plan.read", path: checked.error.issues[0]?.path.join(".") ?? "" }));
}

/** `commitment,12,no-upfront,hourly=1.72,upfront=500,convertible,on=2026-09-01`: kind and months, then any of the others. */
function quoteOf(text: string): Quote | null {
  const [kindText, monthsText, ...rest] = text.split(",").map((part) => part.trim());
  const kind = quoteKinds.find((each) => each === kindText);
  const termMonths = Number(monthsText);
  if (kind === undefined || !Number.isInteger(termMonths) || termMonths < 1 || termMonths > 60) return null;
  const quote: { -readonly [K in keyof Quote]: Quote[K] } = { kind, termMonths, payment: "no-upfront", upfront: null, hourly: null, monthly: null, isConvertible: false, quotedOn: null, note: null };
  for (const part of rest) {
    const payment = paymentKinds.find((each) => each === part);
    const [, name, value = ""] = /^(hourly|upfront|monthly)=(-?\d{1,12}(?:\.\d{1,18})?)$/.exec(part) ?? [];
    const day = /^on=(\d{4}-\d{2}-\d{2})$/.exec(part)?.[1];
    if (payment !== undefined) quote.payment = payment;
    else if (name === "hourly" || name === "upfront" || name === "monthly") quote[name] = value;
    else if (day !== undefined) quote.quotedOn = day;
    else if (part === "convertible") quote.isConvertible = true;
    else return null;
  }
  return quote;
}

async function scenarios(engine: Engine, line: CommandLine, words: Words, out: PlanStreams["out"]): Promise<Result<number, LedgerError>> {
  const list = await engine.ask("plan.scenarios", {});
  if (!list.ok) return list;
  if (line.flags.has("json")) out(`${JSON.stringify(list.value, null, 2)}\n`);
  else out(list.value.scenarios.length === 0 ? `${words.say("commit.scenario.none")}\n` : `${list.value.scenarios.map(({ name, period, savedAt, savedBy }) => words.say("commit.scenario.line", { name, period: words.period(period), at: words.instant(savedAt, "day"), by: savedBy })).join("\n")}\n`);
  return ok(0);
}

async function compare(engine: Engine, names: readonly string[], line: CommandLine, words: Words, out: PlanStreams["out"]): Promise<Result<number, LedgerError>> {
  const list = await engine.ask("plan.scenarios", {});
  if (!list.ok) return list;
  const unknown = names.find((name) => !list.value.scenarios.some((scenario) => scenario.name === name));
  if (unknown !== undefined) return err(ledgerError("plan.scenario-not-found", { name: unknown }));
  const wanted = list.value.scenarios.filter(({ name }) => names.length === 0 || names.includes(name)).slice(0, 5);
  if (wanted.length === 0) return err(ledgerError("use.missing", { option: "NAME" }));
  const compared = await engine.ask("plan.compare", { ids: wanted.map(({ id }) => id) });
  if (!compared.ok) return compared;
  if (line.flags.has("json")) out(`${JSON.stringify(compared.value, (_key, value: unknown) => (typeof value === "bigint" ? formatAttos(value) : value), 2)}\n`);
  else out(`${compared.value.outcomes.map((outcome) => outcomeLine(outcome, words)).join("\n")}\n`);
  return ok(0);
}

function outcomeLine({ scenario, error, outcome }: ScenarioOutcome, words: Words): string {
  if (error !== null) return words.say("commit.scenario.refused", { name: scenario.name, why: words.error(error).what });
  const figures = outcome?.figures ?? null;
  if (outcome === null || outcome.option === null || figures === null) return words.say("commit.scenario.refused", { name: scenario.name, why: words.say("why.no-quote") });
  return words.say("commit.scenario.outcome", {
    name: scenario.name, option: words.text(outcome.option), gpus: words.figure(figures.level), price: words.figure(figures.price), saving: words.figure(figures.saving), breakEven: words.figure(figures.breakEven),
    exit: words.figure(figures.exit), value: words.figure(figures.presentValue),
  });
}

const termColumns = ["commitment", "starts-on", "ends-on", "months", "payment", "gpus", "convertible", "renewal-hourly", "note"] as const;

/** Takes over a CSV with the terms of commitments, of which only `commitment` must be filled. */
async function terms(engine: Engine, path: string | undefined, words: Words, out: PlanStreams["out"]): Promise<Result<number, LedgerError>> {
  if (path === undefined) return err(ledgerError("use.missing", { option: "TERMS.csv" }));
  let text: string;
  try {
    text = readFileSync(resolve(path), "utf8");
  } catch {
    return err(ledgerError("import.not-found", { file: basename(path) }));
  }
  const [head = "", ...lines] = text.replace(/^\uFEFF/, "").split(/\r?\n/).filter((each) => each.trim() !== "");
  const columns = head.split(",").map((name) => name.trim().toLowerCase());
  const missing = columns.includes("commitment") ? columns.find((name) => !(termColumns as readonly string[]).includes(name)) : "commitment";
  if (missing !== undefined) return err(ledgerError("import.column-missing", { file: basename(path), format: "commitment-terms", columns: missing }));
  const read: CommitmentTerm[] = [];
  for (const [index, each] of lines.entries()) {
    const cells = each.split(",").map((cell) => cell.trim());
    const cell = (name: (typeof termColumns)[number]): string | null => { const value = cells[columns.indexOf(name)]; return value === undefined || value === "" ? null : value; };
    const convertible = cell("convertible");
    const term = commitmentTermSchema.safeParse({
      commitment: cell("commitment"), startsOn: cell("starts-on"), endsOn: cell("ends-on"), termMonths: cell("months") === null ? null : Number(cell("months")), payment: cell("payment"), gpus: cell("gpus"),
      isConvertible: convertible === null ? null : convertible === "yes", renewalHourly: cell("renewal-hourly"), note: cell("note"),
    });
    if (!term.success) return err(ledgerError("import.value-invalid", { file: basename(path), line: index + 2, column: String(term.error.issues[0]?.path[0] ?? ""), value: each.slice(0, 80), expected: "required" }));
    read.push(term.data);
  }
  for (const term of read) {
    const saved = await engine.ask("commitment.save", { term, by: null });
    if (!saved.ok) return saved;
  }
  out(`${words.say("commit.terms.taken", { count: read.length })}\n`);
  return ok(0);
}
