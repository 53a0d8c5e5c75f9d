import { basename, resolve } from "node:path";
import type { Engine } from "../engine/serve.ts";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { ledgerError } from "../../shared/contract/errors.ts";
import type { MethodOutput } from "../../shared/contract/methods.ts";
import { parsePeriod } from "../../shared/domain/period.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { err, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { CommandLine } from "./arguments.ts";
import type { CliStreams } from "./index.ts";

/**
 * `esg --period P --out DIR|FILE.zip`: writes the ESG pack. `draw` gives the bytes of its PDF statement, or null where no app can draw
 * one: the pack is then written without it, and says so.
 */
export async function esgPack(
  line: CommandLine,
  words: Words,
  streams: CliStreams,
  open: (work: (engine: Engine) => Promise<Result<number, LedgerError>>) => Promise<Result<number, LedgerError>>,
  draw: (engine: Engine) => Promise<Uint8Array | null>,
): Promise<Result<number, LedgerError>> {
  const { period, out } = line.options;
  if (period === undefined) return err(ledgerError("use.missing", { option: "--period" }));
  if (out === undefined) return err(ledgerError("use.missing", { option: "--out" }));
  if (parsePeriod(period) === null) return err(ledgerError("period.invalid", { text: period }));
  return open(async (engine) => {
    const statement = await draw(engine);
    const written = await engine.ask("esg.export", { period, scope: line.scope, language: words.language, file: resolve(out), by: null, statement: statement === null ? null : Buffer.from(statement).toString("base64") });
    if (!written.ok) return written;
    const answer: MethodOutput<"esg.export"> = written.value;
    if (line.flags.has("json")) streams.out(`${JSON.stringify(answer, null, 2)}\n`);
    for (const sentence of sentences(answer, words.period(period), basename(out), words)) streams.err(`${sentence}\n`);
    return ok(0);
  });
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
