import { resolve } from "node:path";
import { ledgerError, type LedgerError } from "../../shared/contract/errors.ts";
import { convertedDimensions, type ConvertedDimension, type ConvertedTotals, type RateImport, type RatePair } from "../../shared/contract/rates.ts";
import { moneyColumns } from "../../shared/domain/charge.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { err, ok, type Result } from "../../shared/result.ts";
import type { Engine } from "../engine/serve.ts";
import type { CommandLine } from "./arguments.ts";
import type { CliStreams } from "./index.ts";

/** `rates` lists the pairs of currencies, `rates import FILE` takes a file of rates over. */
export async function ratesOf(line: CommandLine, engine: Engine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const [work = "list", path] = line.positionals;
  const isJson = line.flags.has("json");
  if (work !== "list" && work !== "import") return err(ledgerError("use.invalid", { option: "rates", value: work }));
  if (work === "list") {
    const list = await engine.ask("rates.list", {});
    if (!list.ok) return list;
    streams.out(isJson ? `${JSON.stringify(list.value, null, 2)}\n` : pairsText(list.value.pairs, words));
    return ok(0);
  }
  if (path === undefined) return err(ledgerError("use.missing", { option: "RATES.csv" }));
  const imported = await engine.ask("rates.import", { file: resolve(path), base: (line.options.base ?? "EUR").toUpperCase(), isPreview: line.flags.has("preview"), by: null });
  if (!imported.ok) return imported;
  streams.out(isJson ? `${JSON.stringify(imported.value, null, 2)}\n` : `${importedText(imported.value, words)}\n`);
  return ok(0);
}

/** `totals --in EUR`: exact, each day by its rate; what no rate covers is told on stderr and in no row. */
export async function convertedTotalsOf(line: CommandLine, by: readonly string[], engine: Engine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const unknown = by.find((each) => !(convertedDimensions as readonly string[]).includes(each));
  if (unknown !== undefined) return err(ledgerError("use.invalid", { option: "--by", value: unknown }));
  const target = (line.options.in ?? "").toUpperCase();
  const read = await engine.ask("totals.converted", { period: line.options.period ?? null, by: by as ConvertedDimension[], scope: {}, in: target });
  if (!read.ok) return read;
  for (const { currency, days, firstDay, lastDay, amount } of read.value.missing) streams.err(`${words.say("rates.missing", { count: days, currency, from: firstDay, until: lastDay, amount: `${amount} ${currency}` })}\n`);
  streams.out(line.flags.has("json") ? `${JSON.stringify(read.value, null, 2)}\n` : convertedText(read.value, by as ConvertedDimension[], words));
  return ok(0);
}

function pairsText(pairs: readonly RatePair[], words: Words): string {
  if (pairs.length === 0) return `${words.say("rates.none")}\n`;
  return `${pairs.map(({ base, quote, lastRate, lastDay, firstDay, days, source }) => words.say("rates.line", { base, quote, rate: lastRate, day: lastDay, from: firstDay, count: days, source })).join("\n")}\n`;
}

function importedText({ added, changed, same, pairs, firstDay, lastDay }: RateImport, words: Words): string {
  return words.say("rates.imported", { added: words.count(added), changed: words.count(changed), same: words.count(same), pairs: words.count(pairs), from: firstDay ?? "—", until: lastDay ?? "—" });
}

function convertedText({ in: target, rows, whole }: ConvertedTotals, by: readonly ConvertedDimension[], words: Words): string {
  const unknown = words.say("terminal.unknown");
  const head = [...by.map((name) => words.say(`terminal.${name}`)), words.say("rates.in"), ...moneyColumns];
  const lines = rows.map((row) => [...by.map((name) => row[name] ?? "—"), target, ...moneyColumns.map((column) => row[column] ?? unknown)]);
  const total = [...by.map((_, index) => (index === 0 ? words.say("print.total") : "")), target, ...moneyColumns.map((column) => whole[column] ?? unknown)];
  return `${[head, ...lines, ...(by.length === 0 ? [] : [total])].map((cells) => cells.join("\t")).join("\n")}\n`;
}
