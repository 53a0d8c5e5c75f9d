import { basename } from "node:path";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import { monthsOf, parsePeriod } from "../../../shared/domain/period.ts";
import { err, ok } from "../../../shared/result.ts";
import { readText } from "../files.ts";
import { readInvoices } from "../invoices/csv.ts";
import { keepInvoiceItem, reconciliationsOf } from "../invoices/reconcile.ts";
import { providerOf } from "../reference/type-names.ts";
import { money, query, readAll, type Db } from "../store/sql.ts";
import { amountOf } from "../teams/budgets.ts";
import { noteChange } from "../teams/changes.ts";
import { keepInvoice } from "../teams/months.ts";
import { change } from "./allocation.ts";
import type { HandlersOf } from "./index.ts";

export const reconcileHandlers: HandlersOf<"reconcile.read" | "invoice-item.save" | "invoices.import"> = {
  "reconcile.read"(context, { period }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const parsed = parsePeriod(period);
    if (parsed === null) return err(ledgerError("period.invalid", { text: period }));
    return ok({ lines: monthsOf(parsed).flatMap((month) => reconciliationsOf(opened.value.ledger.db, month)) });
  },

  async "invoice-item.save"(context, { month, provider, currency, item, because, amount, note, by }) {
    return change(context, by, ({ ledger: { db } }, author) => {
      keepInvoiceItem(db, { month, provider, currency }, { item, because, attos: amount === null ? null : amountOf(amount), note }, author);
      noteChange(db, author, "month", amount === null ? "removed" : "changed", `${month} ${provider} ${currency} ${item}`, null, amount === null ? null : { because, amount, note });
    });
  },

  async "invoices.import"(context, { file, isPreview, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { ledger } = opened.value;
    const text = readText(file);
    if (!text.ok) return text;
    const names = providerNames(ledger.db);
    // "AWS" in a person's list is "Amazon Web Services" in a bill: the bills' own name is kept, so that both meet.
    const read = readInvoices(text.value, basename(file), (stated) => names.find((name) => name === stated) ?? names.find((name) => providerOf(name) !== null && providerOf(name) === providerOf(stated)) ?? stated);
    if (!read.ok) return read;
    const before = enteredIn(ledger.db);
    const invoices = read.value.map(({ attos, ...line }) => ({
      ...line,
      amount: formatAttos(attos),
      before: before.find(({ month, provider, currency }) => month === line.month && provider === line.provider && currency === line.currency)?.amount ?? null,
    }));
    if (!isPreview) {
      const done = await change(context, by, ({ ledger: { db } }, author) => {
        for (const { month, provider, currency, amount } of invoices) keepInvoice(db, month, provider, currency, amount, author);
        noteChange(db, author, "month", "imported", basename(file), null, invoices.map(({ month, provider, currency, amount }) => ({ month, provider, currency, amount })));
      });
      if (!done.ok) return done;
    }
    const isSame = (line: { readonly amount: string; readonly before: string | null }): boolean => line.before !== null && amountOf(line.before) === amountOf(line.amount);
    return ok({
      added: invoices.filter((line) => line.before === null).length,
      changed: invoices.filter((line) => line.before !== null && !isSame(line)).length,
      same: invoices.filter(isSame).length,
      invoices,
      revision: ledger.revision(),
    });
  },
};

function enteredIn(db: Db): { readonly month: string; readonly provider: string; readonly currency: string; readonly amount: string }[] {
  return readAll(db, query<{ month: string; provider: string; currency: string; attos: bigint }>("month", "provider", "currency", "attos")`-- invoices.all
    SELECT Month AS month, ProviderName AS provider, Currency AS currency, ${money("Amount")} AS attos FROM invoice_total ORDER BY Month, ProviderName, Currency`).map(({ attos, ...line }) => ({ ...line, amount: formatAttos(attos) }));
}

function providerNames(db: Db): string[] {
  return readAll(db, query<{ provider: string }>("provider")`-- invoices.providers
    SELECT DISTINCT ProviderName AS provider FROM delivery_group WHERE ProviderName IS NOT NULL ORDER BY ProviderName`).map(({ provider }) => provider);
}
