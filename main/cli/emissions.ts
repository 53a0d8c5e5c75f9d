import { resolve } from "node:path";
import type { Engine } from "../engine/serve.ts";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { ledgerError } from "../../shared/contract/errors.ts";
import type { EmissionsPreview, EmissionsReport } from "../../shared/contract/provider-emissions.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { err, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { CommandLine } from "./arguments.ts";
import type { CliStreams } from "./index.ts";

/** `emissions import FILE… | list | undo N | redo N | compare --period P`: providers' own emissions reports. */
export async function emissionsCommand(
  line: CommandLine,
  words: Words,
  streams: CliStreams,
  open: (create: boolean, work: (engine: Engine) => Promise<Result<number, LedgerError>>) => Promise<Result<number, LedgerError>>,
): Promise<Result<number, LedgerError>> {
  const [work, ...rest] = line.positionals;
  if (work === undefined) return err(ledgerError("use.missing", { option: "import|list|undo|redo|compare" }));
  if (work === "import") return rest.length === 0 ? err(ledgerError("use.missing", { option: "FILE" })) : open(true, (engine) => importReports(engine, rest, line, words, streams));
  if (work === "list") return open(false, (engine) => list(engine, line, words, streams));
  if (work === "undo" || work === "redo") return open(false, (engine) => toggle(engine, work, rest[0], line, words, streams));
  if (work === "compare") return open(false, (engine) => compare(engine, line, words, streams));
  return err(ledgerError("use.invalid", { option: "emissions", value: work }));
}

async function importReports(engine: Engine, paths: readonly string[], line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const isPreview = line.flags.has("preview");
  const answers: (EmissionsPreview & { readonly report: number | null })[] = [];
  for (const path of paths) {
    const file = resolve(path);
    const read = isPreview ? await engine.ask("provider-emissions.preview", { file }) : await engine.ask("provider-emissions.import", { file, sha256: null, by: null });
    if (!read.ok) return read;
    answers.push({ ...read.value, report: "report" in read.value ? (read.value.report as number) : read.value.sameAs });
  }
  if (line.flags.has("json")) streams.out(json({ reports: answers }));
  else streams.out(answers.flatMap((answer) => importedLines(answer, isPreview, words)).map((each) => `${each}\n`).join(""));
  return ok(0);
}

function importedLines({ file, format, rows, months, report, sameAs, setAside, rowsSetAside, rowsOutdated }: EmissionsPreview & { readonly report: number | null }, isPreview: boolean, words: Words): string[] {
  const facts = { file, format: words.say(`format.${format}`), count: rows, months: span(months.map(({ month }) => month), words), report: String(report ?? "") };
  const [first] = setAside;
  return [
    words.say(sameAs !== null ? "emissions.cli.same" : isPreview ? "emissions.cli.ready" : "emissions.cli.kept", facts),
    ...(rowsOutdated > 0 ? [words.say("emissions.cli.outdated", { count: rowsOutdated })] : []),
    ...(first === undefined ? [] : [words.say("emissions.cli.aside", { count: rowsSetAside, line: String(first.line), column: first.column, value: first.value, reason: words.say(`expected.${first.reason}`) })]),
  ];
}

async function list(engine: Engine, line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const listed = await engine.ask("provider-emissions.list", {});
  if (!listed.ok) return listed;
  const { reports } = listed.value;
  if (line.flags.has("json")) streams.out(json({ reports }));
  else if (reports.length === 0) streams.out(`${words.say("emissions.cli.none")}\n`);
  else streams.out(reports.map((report) => `${lineOf(report, words)}\n`).join(""));
  return ok(0);
}

function lineOf({ report, state, isShown, provider, firstMonth, lastMonth, amounts, file }: EmissionsReport, words: Words): string {
  const tonnes = (micrograms: bigint | null): string => (micrograms === null ? "—" : `${words.number(Number(micrograms) / 1e12, { digits: 3 })} tCO2e`);
  return words.say("emissions.cli.line", {
    report: String(report), state: words.say(`emissions.state.${state === "undone" ? "undone" : isShown ? "shown" : "replaced"}`), provider, months: span([firstMonth, lastMonth], words),
    location: tonnes(amounts.locationMicrograms), market: tonnes(amounts.marketMicrograms), file,
  });
}

async function toggle(engine: Engine, work: "undo" | "redo", text: string | undefined, line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  if (text === undefined) return err(ledgerError("use.missing", { option: "REPORT" }));
  if (!/^[1-9]\d{0,14}$/.test(text)) return err(ledgerError("use.invalid", { option: "REPORT", value: text }));
  const done = await engine.ask(work === "undo" ? "provider-emissions.undo" : "provider-emissions.redo", { report: Number(text), by: null });
  if (!done.ok) return done;
  streams.out(line.flags.has("json") ? json({ report: Number(text), state: work === "undo" ? "undone" : "posted" }) : `${words.say(work === "undo" ? "emissions.cli.undone" : "emissions.cli.redone", { report: text })}\n`);
  return ok(0);
}

async function compare(engine: Engine, line: CommandLine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const { period } = line.options;
  if (period === undefined) return err(ledgerError("use.missing", { option: "--period" }));
  const compared = await engine.ask("provider-emissions.compare", { period });
  if (!compared.ok) return compared;
  if (line.flags.has("json")) {
    streams.out(json(compared.value));
    return ok(0);
  }
  const kilograms = (micrograms: bigint | null): string => (micrograms === null ? "—" : words.number(Number(micrograms) / 1e9, { digits: 1 }));
  const lines = compared.value.providers.flatMap(({ provider, methods }) =>
    methods.flatMap(({ method, reportMicrograms, ledgerMicrograms, steps }) => (reportMicrograms === null ? [] : [
      `${provider}, ${words.say(method === "location" ? "esg.column.location_kg" : "esg.column.market_kg")}`,
      ...[{ step: "report", micrograms: reportMicrograms, details: [] as readonly string[] }, ...steps, { step: "ledger", micrograms: ledgerMicrograms, details: [] as readonly string[] }]
        .map(({ step, micrograms, details }) => `  ${kilograms(micrograms).padStart(16)}  ${words.say(`esg.step.${step}`)}${details.length === 0 ? "" : ` (${details.join(", ")})`}`),
    ])),
  );
  streams.out(lines.length === 0 ? `${words.say("emissions.cli.none")}\n` : `${lines.join("\n")}\n`);
  return ok(0);
}

function span(months: readonly string[], words: Words): string {
  const [first, last] = [months[0] ?? "", months.at(-1) ?? ""];
  return first === last ? words.period(first) : `${words.period(first)} – ${words.period(last)}`;
}

/** Amounts are whole micrograms, as text: JSON numbers would lose digits. */
function json(value: unknown): string {
  return `${JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? each.toString() : each), 2)}\n`;
}
