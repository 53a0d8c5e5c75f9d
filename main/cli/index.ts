/**
 * GPU Ledger in the terminal: the same engine, contract, errors and printers as the window, without Electron.
 * stdout holds the answer alone; everything else goes to stderr. Exit codes: 0 done, 1 refused, 2 wrong use, 3 a budget is over.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { createEngine } from "../engine/serve.ts";
import type { Engine } from "../engine/serve.ts";
import { writeWhole } from "../engine/files.ts";
import { forgetBuilder } from "../engine/sample-files.ts";
import { printerOf } from "../engine/print/index.ts";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { ledgerError } from "../../shared/contract/errors.ts";
import type { MethodInput, MethodOutput } from "../../shared/contract/methods.ts";
import { totalDimensions } from "../../shared/contract/methods.ts";
import type { MethodName } from "../../shared/contract/names.ts";
import type { PlanInputs } from "../../shared/contract/plan.ts";
import { reportIds } from "../../shared/contract/report.ts";
import type { ReportId } from "../../shared/contract/report.ts";
import { utilizationCounters } from "../../shared/domain/counter.ts";
import { costBases } from "../../shared/domain/figure.ts";
import type { CostBasis } from "../../shared/domain/figure.ts";
import { parsePeriod } from "../../shared/domain/period.ts";
import { err, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { currencyOf, languageOf, parseCommandLine } from "./arguments.ts";
import type { CommandLine } from "./arguments.ts";
import { doctor } from "./doctor.ts";
import { importReport, batchesText, totalsText } from "./answers.ts";
import { checkText, importText } from "./budgets.ts";
import { answerText } from "../../shared/contract/calculator-text.ts";
import { answerJson, calculation, calculatorsText } from "./calc.ts";
import { convertedTotalsOf, ratesOf } from "./rates.ts";
import { reconcileLedger } from "./reconcile.ts";
import { confirmOnTerminal, pullFrom } from "./pull.ts";
import { carbonCommand } from "./carbon.ts";
import { emissionsCommand } from "./emissions.ts";
import { esgPack } from "./esg.ts";
import { isPaper, startAppFor } from "./pdf.ts";
import { mappingCommand, mappingsOf } from "./mapping.ts";
import { needOf, offersText, tiersOf } from "./offers.ts";
import { pricesText, sheetText } from "./prices.ts";
import type { PdfPrinter } from "./pdf.ts";
import type { Connection } from "../connect/messages.ts";
import { plan } from "./plan.ts";
import { jobsCommand } from "./jobs.ts";
import { takeSample } from "./sample.ts";
import { cudaCheck, findings } from "./findings.ts";
import { stopPlan } from "./stop-plan.ts";
import { wordsOf } from "./words.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { sentences } from "../../shared/contract/words.ts";

export interface CliStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Draws a PDF; there only inside the app, which has windows. */
  readonly pdf?: PdfPrinter;
  /** Starts the process that holds the network; by default a child process, which only the packed app cannot have. */
  readonly connect?: () => Connection | Promise<Connection>;
  /** Asks the person yes or no; absent where nobody can answer. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** How a pull waits before it tries again. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

const DONE = 0;
const REFUSED = 1;
const WRONG_USE = 2;
const BUDGET_OVER = 3;

const project = fileURLToPath(new URL("../../", import.meta.url));
/** Where data lies: in the packed app beside its archive, where every function of Node can read and copy it. */
const dataFolder = project.replace(/app\.asar(?=[/\\]?$)/, "app.asar.unpacked");

/** Runs one command line (the words after the program's name) and returns its exit code. */
export async function runCli(argv: readonly string[], streams: CliStreams = processStreams()): Promise<number> {
  const words = await wordsOf(languageOf(argv, streams.environment));
  const parsed = parseCommandLine(argv);
  if (!parsed.ok) return complain(parsed.error, words, streams, argv.includes("--json"));
  const line = parsed.value;
  if (line.command === "help" || line.flags.has("help")) {
    streams.out(`${words.say("terminal.help")}\n`);
    return DONE;
  }
  const answered = await commands[line.command as keyof typeof commands](line, words, streams);
  return answered.ok ? answered.value : complain(answered.error, words, streams, line.flags.has("json"));
}

type Command = (line: CommandLine, words: Words, streams: CliStreams) => Promise<Result<number, LedgerError>>;

const commands = { calc, import: importFiles, report, plan: planCommitments, offers, prices, totals, batches, undo: undoOrRedo, redo: undoOrRedo, sample, doctor: checkHealth, budgets, journal, esg, emissions, carbon, "stop-plan": planStops, findings: findFindings, jobs, "cuda-check": checkCudaFit, mapping, pull, reconcile, rates } satisfies Record<string, Command>;

async function importFiles(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  if (line.positionals.length === 0) return err(ledgerError("use.missing", { option: "PATH" }));
  const ledger = ledgerOf(line);
  if (!ledger.ok) return ledger;
  const { timezone, host, at, every, columns, format } = line.options;
  const mappings = line.options.mapping === undefined ? ok([]) : mappingsOf(resolve(line.options.mapping));
  if (!mappings.ok) return mappings;
  const { covers = "held" } = line.options;
  if (covers !== "held" && covers !== "period") return err(ledgerError("use.invalid", { option: "--covers", value: covers }));
  const isPreview = line.flags.has("preview");
  const imported = await withLedger(ledger.value, { create: true, isSample: line.flags.has("sample") }, async (engine) => {
    const files = line.positionals.map((path) => resolve(path));
    const preview = await ask(engine, "import.preview", {
      files,
      options: { ...(timezone === undefined ? {} : { timezone }), ...(host === undefined ? {} : { host }), ...(at === undefined ? {} : { at }), ...(every === undefined ? {} : { every }), ...(columns === undefined ? {} : { columns }), ...(format === undefined ? {} : { format }), ...(mappings.value.length === 0 ? {} : { mappings: mappings.value }) },
    });
    if (!preview.ok) return preview;
    const { plan } = preview.value;
    for (const { delivery, coverage } of line.options.covers === "period" ? preview.value.files.flatMap(({ deliveries }) => deliveries) : []) {
      if (coverage === "whole") continue;
      const covered = await ask(engine, "import.cover", { plan, delivery, covers: "period" });
      if (!covered.ok) return covered;
    }
    if (isPreview) {
      const discarded = await ask(engine, "import.discard", { plan });
      if (!discarded.ok) return discarded;
      return ok(importReport(line, preview.value.files, words, streams, files));
    }
    const outcome = await ask(engine, "import.post", { plan });
    if (!outcome.ok) return outcome;
    const unjoined = await hostsWithoutBill(engine, preview.value.files);
    if (!unjoined.ok) return unjoined;
    if (unjoined.value.length > 0) streams.err(`${words.say("terminal.unjoined", { hosts: unjoined.value.join(", "), count: unjoined.value.length })}\n`);
    return ok(importReport(line, outcome.value.files, words, streams, files));
  });
  if (!imported.ok || !line.flags.has("sample") || isPreview) return imported;
  const forgotten = forgetBuilder(ledger.value);
  return forgotten.ok ? imported : forgotten;
}

/** Hosts of the logs just imported that no billed resource is joined to: their hours carry no cost until somebody says which machine they are. */
async function hostsWithoutBill(engine: Engine, files: MethodOutput<"import.preview">["files"]): Promise<Result<readonly string[]>> {
  const hosts = new Set(files.flatMap(({ telemetry }) => telemetry?.hosts ?? []));
  if (hosts.size === 0) return ok([]);
  const list = await ask(engine, "match.list", {});
  return list.ok ? ok(list.value.hosts.filter(({ host, resource }) => resource === null && hosts.has(host)).map(({ host }) => host)) : list;
}

/** Which column of a file means what, and the mappings that a ledger keeps. */
function mapping(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const ledger = line.options.ledger === undefined ? null : resolve(line.options.ledger);
  return mappingCommand(line, words, streams, (work) => withLedger(ledger, { create: false, isSample: false }, work));
}

/** What to reserve; printed as the report that it also is. */
async function planCommitments(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const ledger = ledgerOf(line);
  if (!ledger.ok) return ledger;
  return plan(line, words, {
    out: streams.out,
    withEngine: (work) => withLedger(ledger.value, { create: false, isSample: false }, work),
    print: ({ period, scope, currency, inputs }) =>
      report({ ...line, positionals: ["commitments"], scope, options: { ...line.options, period, ...(currency === null ? {} : { currency }) } }, words, streams, { inputs, line }),
  });
}

async function report(line: CommandLine, words: Words, streams: CliStreams, planned?: { readonly inputs: PlanInputs; readonly line: CommandLine }): Promise<Result<number, LedgerError>> {
  const [id, selection] = line.positionals;
  if (id === undefined) return err(ledgerError("use.missing", { option: reportIds.join("|") }));
  if (!(reportIds as readonly string[]).includes(id)) return err(ledgerError("report.unknown", { report: id }));
  const ledger = ledgerOf(line);
  if (!ledger.ok) return ledger;
  const { period, basis = "EffectiveCost", out } = line.options;
  const counter = utilizationCounters.find((each) => each === line.options.counter);
  if (line.options.counter !== undefined && counter === undefined) return err(ledgerError("use.invalid", { option: "--counter", value: line.options.counter }));
  const currency = currencyOf(line);
  if (!currency.ok) return currency;
  if (period === undefined) return err(ledgerError("use.missing", { option: "--period" }));
  if (parsePeriod(period) === null) return err(ledgerError("period.invalid", { text: period }));
  if (!(costBases as readonly string[]).includes(basis)) return err(ledgerError("use.invalid", { option: "--basis", value: basis }));
  const as = line.options.as ?? (line.flags.has("json") ? "json" : "text");
  const printer = printerOf(as);
  const { paper = "A4" } = line.options;
  if (printer === null && as !== "pdf") return err(ledgerError("use.invalid", { option: "--as", value: as }));
  if (!isPaper(paper)) return err(ledgerError("use.invalid", { option: "--paper", value: paper }));
  // A terminal shows no bytes.
  if ((as === "pdf" || as === "xlsx") && out === undefined) return err(ledgerError("use.missing", { option: "--out" }));
  if (as === "pdf" && streams.pdf === undefined) {
    if (!existsSync(ledger.value)) return err(ledgerError("ledger.not-found", { file: basename(ledger.value) }));
    return ok(await startAppFor({ ...(planned?.line ?? line), options: { ...(planned?.line ?? line).options, paper, lang: words.language } }, { project, err: streams.err }));
  }
  return withLedger(ledger.value, { create: false, isSample: false }, async (engine) => {
    const document = await ask(engine, "report.read", { report: id as ReportId, ...(id === "selection" && selection !== undefined ? { selection } : {}), period, scope: line.scope, basis: basis as CostBasis, currency: currency.value, ...(planned === undefined ? {} : { plan: planned.inputs }), ...(counter === undefined ? {} : { counter }) });
    if (!document.ok) return document;
    const printed = printer === null ? await streams.pdf?.(document.value, { language: words.language, paper }) : await printer.print(document.value, words);
    if (printed === undefined) throw new Error("a PDF is drawn by the app");
    if (out === undefined) {
      streams.out(typeof printed === "string" ? printed : new TextDecoder().decode(printed));
      return ok(DONE);
    }
    const written = writeWhole(resolve(out), printed);
    if (!written.ok) return written;
    streams.err(`${words.say("terminal.written", { file: out })}\n`);
    return ok(DONE);
  });
}

async function totals(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const ledger = ledgerOf(line);
  if (!ledger.ok) return ledger;
  const { period = null, by = "month" } = line.options;
  if (period !== null && parsePeriod(period) === null) return err(ledgerError("period.invalid", { text: period }));
  const dimensions = by.split(",").map((each) => each.trim()).filter((each) => each !== "");
  if (line.options.in !== undefined) return withLedger(ledger.value, { create: false, isSample: false }, (engine) => convertedTotalsOf(line, dimensions, engine, words, streams));
  const known: readonly string[] = totalDimensions();
  const unknown = dimensions.find((each) => !known.includes(each));
  if (unknown !== undefined) return err(ledgerError("use.invalid", { option: "--by", value: unknown }));
  return withLedger(ledger.value, { create: false, isSample: false }, async (engine) => {
    const table = await ask(engine, "totals.read", { period, by: dimensions as MethodInput<"totals.read">["by"] });
    if (!table.ok) return table;
    streams.out(line.flags.has("json") ? `${JSON.stringify(table.value, null, 2)}\n` : totalsText(table.value, words));
    return ok(DONE);
  });
}

async function batches(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const ledger = ledgerOf(line);
  if (!ledger.ok) return ledger;
  return withLedger(ledger.value, { create: false, isSample: false }, async (engine) => {
    const list = await ask(engine, "batches.list", {});
    if (!list.ok) return list;
    streams.out(line.flags.has("json") ? `${JSON.stringify({ batches: list.value }, null, 2)}\n` : batchesText(list.value, words));
    return ok(DONE);
  });
}

async function undoOrRedo(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const [text] = line.positionals;
  if (text === undefined) return err(ledgerError("use.missing", { option: "BATCH" }));
  const batch = Number(text);
  if (!/^\d{1,15}$/.test(text) || batch < 1) return err(ledgerError("use.invalid", { option: "BATCH", value: text }));
  const ledger = ledgerOf(line);
  if (!ledger.ok) return ledger;
  return withLedger(ledger.value, { create: false, isSample: false }, async (engine) => {
    const done = line.command === "undo" ? await ask(engine, "batches.undo", { batch }) : await ask(engine, "batches.redo", { batch });
    if (!done.ok) return done;
    streams.out(line.flags.has("json") ? `${JSON.stringify({ batch, state: line.command === "undo" ? "undone" : "posted" })}\n` : `${words.say(line.command === "undo" ? "terminal.undone" : "terminal.redone", { batch: text })}\n`);
    return ok(DONE);
  });
}

async function budgets(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const [work, path] = line.positionals;
  if (work === undefined) return err(ledgerError("use.missing", { option: "check|import|export" }));
  if (!["check", "import", "export"].includes(work)) return err(ledgerError("use.invalid", { option: "budgets", value: work }));
  const ledger = ledgerOf(line);
  if (!ledger.ok) return ledger;
  const { out, currency = null } = line.options;
  const isJson = line.flags.has("json");
  if (work === "import" && path === undefined) return err(ledgerError("use.missing", { option: "PLAN.csv" }));
  if (work === "export" && out === undefined) return err(ledgerError("use.missing", { option: "--out" }));
  return withLedger(ledger.value, { create: false, isSample: false }, async (engine) => {
    if (work === "import") {
      const isPreview = line.flags.has("preview");
      const imported = await ask(engine, "budgets.import", { file: resolve(path ?? ""), currency, isPreview, by: null });
      if (!imported.ok) return imported;
      streams.out(isJson ? `${JSON.stringify(imported.value, null, 2)}\n` : importText(imported.value, isPreview, words));
      return ok(DONE);
    }
    if (work === "export") {
      const exported = await ask(engine, "budgets.export", { file: resolve(out ?? "") });
      if (!exported.ok) return exported;
      streams.err(`${words.say("terminal.written", { file: out ?? "" })}\n`);
      return ok(DONE);
    }
    const checked = await ask(engine, "budgets.check", {});
    if (!checked.ok) return checked;
    streams.out(isJson ? `${JSON.stringify(checked.value, null, 2)}\n` : checkText(checked.value, words));
    return ok(checked.value.isOver ? BUDGET_OVER : DONE);
  });
}

/** Offers for a need, ranked; without a ledger by the app's lists and peaks alone. */
async function offers(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const need = needOf(line.options.need ?? "");
  if (!need.ok) return need;
  const tiers = tiersOf(line.options.tiers);
  if (!tiers.ok) return tiers;
  const ledger = line.options.ledger === undefined ? null : resolve(line.options.ledger);
  const isJson = line.flags.has("json");
  return withLedger(ledger, { create: false, isSample: false }, async (engine) => {
    const found = await ask(engine, "offers.find", { need: need.value, tiers: [...tiers.value], limit: isJson ? 1000 : 20, rejectedLimit: isJson ? 5000 : 12 });
    if (!found.ok) return found;
    streams.out(isJson ? `${JSON.stringify(found.value, null, 2)}\n` : offersText(found.value, words));
    return ok(DONE);
  });
}

/** The price book: what holds, and taking a price sheet into it. Without a ledger the app's own lists are shown. */
async function prices(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const [work, ...rest] = line.positionals;
  if (work === undefined) return err(ledgerError("use.missing", { option: "list|import" }));
  if (work !== "list" && work !== "import") return err(ledgerError("use.invalid", { option: "prices", value: work }));
  const isJson = line.flags.has("json");
  if (work === "list") {
    const ledger = line.options.ledger === undefined ? null : resolve(line.options.ledger);
    return withLedger(ledger, { create: false, isSample: false }, async (engine) => {
      const list = await ask(engine, "prices.list", { text: rest.join(" "), provider: null, mode: null, origin: null, on: null, offset: 0, limit: isJson ? 100_000 : 200 });
      if (!list.ok) return list;
      streams.out(isJson ? `${JSON.stringify(list.value, null, 2)}\n` : pricesText(list.value, words));
      return ok(DONE);
    });
  }
  const [file] = rest;
  if (file === undefined) return err(ledgerError("use.missing", { option: "FILE" }));
  const ledger = ledgerOf(line);
  if (!ledger.ok) return ledger;
  const isPreview = line.flags.has("preview");
  return withLedger(ledger.value, { create: false, isSample: false }, async (engine) => {
    const taken = await ask(engine, "prices.import", { file: resolve(file), isPreview, by: null });
    if (!taken.ok) return taken;
    streams.out(isJson ? `${JSON.stringify(taken.value, null, 2)}\n` : sheetText(taken.value, isPreview, words));
    return ok(DONE);
  });
}

/** The chargeback of a period for the ledger of accounts, as CSV. */
async function journal(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const ledger = ledgerOf(line);
  if (!ledger.ok) return ledger;
  const { period, basis = "EffectiveCost", currency = null, out } = line.options;
  if (period === undefined) return err(ledgerError("use.missing", { option: "--period" }));
  if (out === undefined) return err(ledgerError("use.missing", { option: "--out" }));
  if (parsePeriod(period) === null) return err(ledgerError("period.invalid", { text: period }));
  if (!(costBases as readonly string[]).includes(basis)) return err(ledgerError("use.invalid", { option: "--basis", value: basis }));
  return withLedger(ledger.value, { create: false, isSample: false }, async (engine) => {
    const written = await ask(engine, "journal.export", { period, basis: basis as CostBasis, currency, file: resolve(out) });
    if (!written.ok) return written;
    streams.err(`${words.say("terminal.written", { file: out })}\n`);
    return ok(DONE);
  });
}

async function planStops(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const ledger = ledgerOf(line);
  if (!ledger.ok) return ledger;
  return stopPlan(line, words, streams, new Date(), (work) => withLedger(ledger.value, { create: false, isSample: false }, work));
}

/** Works out one calculator, with a ledger's measurements beside it where one is given. */
async function calc(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const asked = calculation(line);
  if (!asked.ok) return asked;
  const question = asked.value;
  if (question === null) {
    streams.out(calculatorsText(words));
    return ok(DONE);
  }
  return withLedger(line.options.ledger === undefined ? null : resolve(line.options.ledger), { create: false, isSample: false }, async (engine) => {
    const answer = await ask(engine, "calculator.run", question);
    if (!answer.ok) return answer;
    streams.out(line.flags.has("json") ? `${JSON.stringify(answerJson(answer.value, words), null, 2)}\n` : answerText(answer.value, words));
    return ok(DONE);
  });
}

/** The ESG pack of a period as a folder or a ZIP. */
async function esg(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const ledger = ledgerOf(line);
  if (!ledger.ok) return ledger;
  if (!existsSync(ledger.value)) return err(ledgerError("ledger.not-found", { file: basename(ledger.value) }));
  // What the app complains of on its way is told by the sentence that the pack has no statement.
  const elsewhere = (own: CommandLine): Promise<number> => startAppFor(own, { project, err: () => undefined });
  return esgPack(line, words, streams, (work) => withLedger(ledger.value, { create: false, isSample: false }, work), { here: streams.pdf, elsewhere });
}

/** Carbon factors of one's own, and the settings of carbon. */
async function carbon(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const ledger = ledgerOf(line);
  if (!ledger.ok) return ledger;
  return carbonCommand(line, words, streams, (create, work) => withLedger(ledger.value, { create, isSample: false }, work));
}

/** Which GPUs a scheduler gave to whom. */
async function jobs(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const ledger = ledgerOf(line);
  if (!ledger.ok) return ledger;
  return jobsCommand(line, words, streams, (work) => withLedger(ledger.value, { create: false, isSample: false }, work));
}

/** Providers' own emissions reports. */
async function emissions(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const ledger = ledgerOf(line);
  if (!ledger.ok) return ledger;
  return emissionsCommand(line, words, streams, (create, work) => withLedger(ledger.value, { create, isSample: false }, work));
}

async function findFindings(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const ledger = ledgerOf(line);
  if (!ledger.ok) return ledger;
  return findings(line, words, streams.out, (work) => withLedger(ledger.value, { create: false, isSample: false }, work));
}

function checkCudaFit(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  return cudaCheck(line, words, streams.out, (work) => withLedger(null, { create: false, isSample: false }, work));
}

async function sample(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const target = resolve(line.options.ledger ?? "sample.gpuledger");
  const taken = takeSample(dataFolder, target);
  if (!taken.ok) return taken;
  streams.err(`${words.say("terminal.sample-made", { file: line.options.ledger ?? basename(target) })}\n`);
  return report({ ...line, command: "report", positionals: ["review"], options: { ledger: target, period: taken.value.period, ...(line.flags.has("json") ? { as: "json" } : {}) } }, words, streams);
}

async function checkHealth(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const health = await doctor({ project, resourcesFolder: resources(), ledger: line.options.ledger === undefined ? null : resolve(line.options.ledger), isJson: line.flags.has("json"), words });
  if (!health.ok) return health;
  streams.out(health.value.text);
  return ok(health.value.isWell ? DONE : REFUSED);
}

async function reconcile(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const ledger = ledgerOf(line);
  return ledger.ok ? withLedger(ledger.value, { create: false, isSample: false }, (engine) => reconcileLedger(line, engine, words, streams)) : ledger;
}

async function rates(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const ledger = ledgerOf(line);
  return ledger.ok ? withLedger(ledger.value, { create: false, isSample: false }, (engine) => ratesOf(line, engine, words, streams)) : ledger;
}

async function pull(line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const [source] = line.positionals;
  if (source === undefined) return err(ledgerError("use.missing", { option: "aws" }));
  if (source !== "aws") return err(ledgerError("use.invalid", { option: "pull", value: source }));
  const ledger = ledgerOf(line);
  return ledger.ok ? withLedger(ledger.value, { create: true, isSample: false }, (engine) => pullFrom(line, engine, words, streams)) : ledger;
}

/** Opens a ledger, or none where the command needs none, for one command and closes it again, whatever the command answers. */
async function withLedger(
  file: string | null,
  how: { readonly create: boolean; readonly isSample: boolean },
  work: (engine: Engine) => Promise<Result<number, LedgerError>>,
): Promise<Result<number, LedgerError>> {
  if (file !== null && !how.create && !existsSync(file)) return err(ledgerError("ledger.not-found", { file: basename(file) }));
  const author = process.env["GPU_LEDGER_AUTHOR"]?.trim();
  const engine = createEngine({
    ledgerPath: null,
    // Logs of a terminal command lie beside nothing of the person's: the system's folder for temporary files.
    userDataFolder: process.env["GPU_LEDGER_USER_DATA"] ?? `${tmpdir()}/gpu-ledger`,
    resourcesFolder: resources(),
    jobRunner: "inline",
    emit: () => undefined,
    now: () => new Date(),
    ...(author === undefined || author === "" ? {} : { author }),
    wordsOf,
  });
  try {
    if (file !== null) {
      const opened = await ask(engine, "ledger.open", { file, create: how.create });
      if (!opened.ok) return opened;
    }
    if (how.isSample) {
      const marked = await ask(engine, "settings.save", { values: { "ledger.is-sample": "true" } });
      if (!marked.ok) return marked;
    }
    return await work(engine);
  } finally {
    await engine.close();
  }
}

function ask<N extends MethodName>(engine: Engine, name: N, input: MethodInput<N>): Promise<Result<MethodOutput<N>, LedgerError>> {
  return engine.ask(name, input);
}

function ledgerOf(line: CommandLine): Result<string, LedgerError> {
  return line.options.ledger === undefined ? err(ledgerError("use.missing", { option: "--ledger" })) : ok(resolve(line.options.ledger));
}

/** The reference data and help: beside the program both in the project and in a packaged app. */
function resources(): string {
  return `${dirname(`${dataFolder}/x`)}/resources`;
}

function complain(error: LedgerError, words: Words, streams: CliStreams, isJson: boolean): number {
  const { what, todo } = words.error(error);
  if (isJson) streams.out(`${JSON.stringify({ error: { ...error, what, todo } }, null, 2)}\n`);
  streams.err(`${error.code}: ${sentences([what, todo], words.language)}\n`);
  return error.code.startsWith("use.") || error.code === "period.invalid" || error.code === "report.unknown" ? WRONG_USE : REFUSED;
}

export function processStreams(): CliStreams {
  return { out: (text) => void process.stdout.write(text), err: (text) => void process.stderr.write(text), environment: process.env, ...(process.stdin.isTTY && process.stderr.isTTY ? { confirm: confirmOnTerminal } : {}) };
}

/** What the program says of itself: name and version of package.json. */
export function programVersion(): string {
  return (JSON.parse(readFileSync(`${project}/package.json`, "utf8")) as { version: string }).version;
}
