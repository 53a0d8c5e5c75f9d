import { resolve } from "node:path";
import { ledgerError, type LedgerError } from "../../shared/contract/errors.ts";
import type { Reconciliation } from "../../shared/contract/reconcile.ts";
import { parsePeriod } from "../../shared/domain/period.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { err, ok, type Result } from "../../shared/result.ts";
import type { Engine } from "../engine/serve.ts";
import type { CommandLine } from "./arguments.ts";
import { amountText } from "./budgets.ts";
import type { CliStreams } from "./index.ts";

/** `reconcile` holds a period against its invoices; `reconcile import FILE` takes invoice totals over. */
export async function reconcileLedger(line: CommandLine, engine: Engine, words: Words, streams: CliStreams): Promise<Result<number, LedgerError>> {
  const [work, path] = line.positionals;
  const isJson = line.flags.has("json");
  if (work !== undefined && work !== "import") return err(ledgerError("use.invalid", { option: "reconcile", value: work }));
  if (work === "import") {
    if (path === undefined) return err(ledgerError("use.missing", { option: "INVOICES.csv" }));
    const imported = await engine.ask("invoices.import", { file: resolve(path), isPreview: line.flags.has("preview"), by: null });
    if (!imported.ok) return imported;
    const { added, changed, same } = imported.value;
    streams.out(isJson ? `${JSON.stringify(imported.value, null, 2)}\n` : `${words.say("reconcile.import.text", { added: words.count(added), changed: words.count(changed), same: words.count(same) })}\n`);
    return ok(0);
  }
  const { period } = line.options;
  if (period === undefined) return err(ledgerError("use.missing", { option: "--period" }));
  if (parsePeriod(period) === null) return err(ledgerError("period.invalid", { text: period }));
  const read = await engine.ask("reconcile.read", { period });
  if (!read.ok) return read;
  streams.out(isJson ? `${JSON.stringify(read.value, null, 2)}\n` : reconcileText(read.value.lines, words));
  return ok(0);
}

function reconcileText(lines: readonly Reconciliation[], words: Words): string {
  if (lines.length === 0) return `${words.say("reconcile.nothing")}\n`;
  const texts = lines.flatMap(({ month, provider, currency, invoice, ledger, difference, unexplained, isReconciled, classes }) => {
    const amount = (text: string | null): string => amountText(text, currency, words);
    const state = words.say(invoice === null ? "reconcile.no-invoice" : isReconciled ? "reconcile.done" : "reconcile.open");
    return [
      words.say("reconcile.line", { month, provider, invoice: amount(invoice), ledger: amount(ledger), difference: amount(difference), unexplained: amount(unexplained), state }),
      ...classes.map(({ id, amount: own }) => words.say("reconcile.class-line", { what: words.say(`invoice-class.${id}`), amount: amount(own) })),
    ];
  });
  return `${texts.join("\n")}\n`;
}
