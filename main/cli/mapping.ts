import { existsSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { ledgerError } from "../../shared/contract/errors.ts";
import { logMeasures } from "../../shared/contract/log-mapping.ts";
import { isLogMapping, mappingsIn, type AnyMapping, type SavedMapping } from "../../shared/contract/mappings.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { err, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { Engine } from "../engine/serve.ts";
import type { CommandLine } from "./arguments.ts";
import type { CliStreams } from "./index.ts";

type WithEngine = (work: (engine: Engine) => Promise<Result<number, LedgerError>>) => Promise<Result<number, LedgerError>>;

/** The mappings in a file that was named with `--mapping`. */
export function mappingsOf(file: string): Result<readonly AnyMapping[], LedgerError> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return err(existsSync(file) ? ledgerError("use.invalid", { option: "--mapping", value: basename(file) }) : ledgerError("import.not-found", { file: basename(file) }));
  }
  const read = mappingsIn(text);
  return "wrongAt" in read ? err(ledgerError("mapping.unreadable", { file: basename(file), part: read.wrongAt })) : ok(read.mappings);
}

const works = { list, show, export: exportMappings, import: importMappings, delete: remove } as const;

/**
 * `mapping FILE` proposes which column of a file could mean what; `mapping list|show|export|import|delete` is about those that a ledger keeps.
 * A file with one of these names is written `./list`.
 */
export async function mappingCommand(line: CommandLine, words: Words, streams: CliStreams, withEngine: WithEngine): Promise<Result<number, LedgerError>> {
  const [first, ...rest] = line.positionals;
  if (first === undefined) return err(ledgerError("use.missing", { option: `FILE|${Object.keys(works).join("|")}` }));
  if (!Object.hasOwn(works, first)) return line.options.out === undefined ? guess(first, streams, withEngine) : err(ledgerError("use.invalid", { option: "mapping", value: "--out" }));
  if (line.options.ledger === undefined) return err(ledgerError("use.missing", { option: "--ledger" }));
  if (line.options.out !== undefined && first !== "export") return err(ledgerError("use.invalid", { option: `mapping ${first}`, value: "--out" }));
  return works[first as keyof typeof works]({ line, words, streams, withEngine, rest });
}

interface Work {
  readonly line: CommandLine;
  readonly words: Words;
  readonly streams: CliStreams;
  readonly withEngine: WithEngine;
  readonly rest: readonly string[];
}

/** Prints how the columns of a file could be told apart, for the person to complete. */
function guess(path: string, streams: CliStreams, withEngine: WithEngine): Promise<Result<number, LedgerError>> {
  return withEngine(async (engine) => {
    const place = { file: resolve(path), planned: null };
    const bill = await engine.ask("mapping.guess", place);
    if (!bill.ok) return bill;
    // What holds a measurement of GPUs and no amount is a log.
    const log = bill.value.mapping.columns.billed === undefined ? await engine.ask("log-mapping.guess", place) : null;
    const isLog = log !== null && log.ok && logMeasures.some((field) => log.value.mapping.columns[field] !== undefined || log.value.unsure.some((open) => open.field === field));
    streams.out(`${JSON.stringify(isLog ? log.value : bill.value, null, 2)}\n`);
    return ok(0);
  });
}

function list({ line, words, streams, withEngine }: Work): Promise<Result<number, LedgerError>> {
  return withEngine(async (engine) => {
    const kept = await engine.ask("mapping.list", {});
    if (!kept.ok) return kept;
    const { mappings } = kept.value;
    if (line.flags.has("json")) streams.out(`${JSON.stringify({ mappings }, null, 2)}\n`);
    else streams.out(mappings.length === 0 ? `${words.say("terminal.mapping.none")}\n` : mappings.map((mapping) => `${lineOf(mapping, words)}\n`).join(""));
    return ok(0);
  });
}

function lineOf({ name, mapping, lastUse }: SavedMapping, words: Words): string {
  return [
    name,
    words.say(isLogMapping(mapping) ? "import.map.kind.log" : "import.map.kind.bill"),
    words.say("terminal.mapping.columns", { count: mapping.header.length }),
    lastUse === null ? words.say("mappings.never") : words.say("mappings.used", { file: lastUse.file, day: words.instant(lastUse.at, "day"), batch: String(lastUse.batch) }),
  ].join("\t");
}

/** By its whole name. */
async function named(engine: Engine, name: string | undefined): Promise<Result<SavedMapping, LedgerError>> {
  if (name === undefined) return err(ledgerError("use.missing", { option: "NAME" }));
  const kept = await engine.ask("mapping.list", {});
  if (!kept.ok) return kept;
  const found = kept.value.mappings.find((mapping) => mapping.name === name);
  return found === undefined ? err(ledgerError("mapping.not-found", { mapping: name })) : ok(found);
}

/** Prints one as `--mapping` takes it. */
function show({ streams, withEngine, rest }: Work): Promise<Result<number, LedgerError>> {
  return withEngine(async (engine) => {
    const found = await named(engine, rest[0]);
    if (!found.ok) return found;
    streams.out(`${JSON.stringify(found.value.mapping, null, 2)}\n`);
    return ok(0);
  });
}

/** Writes one, or all, to a file. */
function exportMappings({ line, words, streams, withEngine, rest }: Work): Promise<Result<number, LedgerError>> {
  const { out } = line.options;
  if (out === undefined) return Promise.resolve(err(ledgerError("use.missing", { option: "--out" })));
  return withEngine(async (engine) => {
    const one = rest.length === 0 ? null : await named(engine, rest[0]);
    if (one !== null && !one.ok) return one;
    const written = await engine.ask("mapping.export", { ids: one === null ? null : [one.value.id], file: resolve(out) });
    if (!written.ok) return written;
    streams.err(`${words.say("terminal.written", { file: out })}\n`);
    return ok(0);
  });
}

function importMappings({ line, words, streams, withEngine, rest }: Work): Promise<Result<number, LedgerError>> {
  const [file] = rest;
  if (file === undefined) return Promise.resolve(err(ledgerError("use.missing", { option: "FILE" })));
  return withEngine(async (engine) => {
    const taken = await engine.ask("mapping.import", { file: resolve(file) });
    if (!taken.ok) return taken;
    if (line.flags.has("json")) streams.out(`${JSON.stringify(taken.value, null, 2)}\n`);
    else streams.out(taken.value.mappings.map(({ name, was }) => `${name}\t${words.say(`mappings.was.${was}`)}\n`).join(""));
    return ok(0);
  });
}

function remove({ words, streams, withEngine, rest }: Work): Promise<Result<number, LedgerError>> {
  return withEngine(async (engine) => {
    const found = await named(engine, rest[0]);
    if (!found.ok) return found;
    const removed = await engine.ask("mapping.remove", { id: found.value.id });
    if (!removed.ok) return removed;
    streams.err(`${words.say("mappings.removed", { name: found.value.name })}\n`);
    return ok(0);
  });
}
