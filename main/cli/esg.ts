import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Engine } from "../engine/serve.ts";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { ledgerError } from "../../shared/contract/errors.ts";
import type { MethodOutput } from "../../shared/contract/methods.ts";
import type { ReportDocument } from "../../shared/contract/report.ts";
import { parsePeriod } from "../../shared/domain/period.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { err, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { CommandLine } from "./arguments.ts";
import type { CliStreams } from "./index.ts";
import { isPaper, type PdfPrinter } from "./pdf.ts";

/** How the PDF statement comes about: drawn by this process where it has windows, else by the app that it starts once. */
export interface StatementDrawing {
  readonly here: PdfPrinter | undefined;
  /** Prints this command line as a report to a file; its exit code. */
  readonly elsewhere: (line: CommandLine) => Promise<number>;
}

/**
 * `esg --period P --out DIR|FILE.zip`: writes the ESG pack. Where no app can draw its PDF statement, the pack is written without it, and
 * says so.
 */
export async function esgPack(
  line: CommandLine,
  words: Words,
  streams: CliStreams,
  open: (work: (engine: Engine) => Promise<Result<number, LedgerError>>) => Promise<Result<number, LedgerError>>,
  drawing: StatementDrawing,
): Promise<Result<number, LedgerError>> {
  const { period, out } = line.options;
  if (period === undefined) return err(ledgerError("use.missing", { option: "--period" }));
  if (out === undefined) return err(ledgerError("use.missing", { option: "--out" }));
  if (parsePeriod(period) === null) return err(ledgerError("period.invalid", { text: period }));
  const { paper = "A4" } = line.options;
  if (!isPaper(paper)) return err(ledgerError("use.invalid", { option: "--paper", value: paper }));
  const request = { report: "esg", period, scope: line.scope, basis: "EffectiveCost", currency: null } as const;
  // Before the ledger is opened here: the app opens it for itself.
  const drawn = drawing.here === undefined ? await drawnElsewhere({ ...line, options: { ...line.options, paper, lang: words.language } }, drawing) : null;
  return open(async (engine) => {
    let statement = drawn;
    if (drawing.here !== undefined) {
      const document = await engine.ask("report.read", request);
      if (!document.ok) return document;
      statement = await drawing.here(document.value as ReportDocument, { language: words.language, paper });
    }
    const written = await engine.ask("esg.export", { period, scope: line.scope, language: words.language, file: resolve(out), by: null, statement: statement === null ? null : Buffer.from(statement).toString("base64") });
    if (!written.ok) return written;
    const answer: MethodOutput<"esg.export"> = written.value;
    if (line.flags.has("json")) streams.out(`${JSON.stringify(answer, null, 2)}\n`);
    for (const sentence of sentences(answer, words.period(period), basename(out), words)) streams.err(`${sentence}\n`);
    return ok(0);
  });
}

/** null where the app did not start, or refused: what it refuses, the export refuses too, in words. */
async function drawnElsewhere(line: CommandLine, { elsewhere }: StatementDrawing): Promise<Uint8Array | null> {
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-statement-"));
  const file = join(folder, "statement.pdf");
  try {
    const code = await elsewhere({ ...line, command: "report", positionals: ["esg"], flags: new Set(), options: { ...line.options, as: "pdf", out: file } });
    return code === 0 && existsSync(file) ? readFileSync(file) : null;
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sentences({ files, coveredDays, days, isFrozen, issue, isSame, hasStatement }: MethodOutput<"esg.export">, period: string, file: string, words: Words): string[] {
  return [
    words.say("esg.cli.written", { period, file, count: files.length }),
    ...(coveredDays < days ? [words.say("esg.cli.partial", { covered: words.count(coveredDays), days: words.count(days) })] : []),
    ...(isFrozen ? [] : [words.say("esg.cli.provisional")]),
    issue === null ? words.say("esg.cli.not-kept") : words.say(isSame ? "esg.cli.same" : "esg.cli.issue", { issue: String(issue) }),
    ...(hasStatement ? [] : [words.say("esg.cli.no-statement")]),
  ];
}
