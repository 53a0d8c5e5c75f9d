import { ledgerError } from "../../../shared/contract/errors.ts";
import type { CostBasis } from "../../../shared/domain/figure.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import type { EngineContext } from "../context.ts";
import { gather, type Gathered } from "../reports/gather.ts";
import { prepared } from "../store/sql.ts";
import { actionsOf, keepAction, storedActions } from "../teams/actions.ts";
import { noteChange } from "../teams/changes.ts";
import { closeMonth, hasBillOf, isClosed, keepInvoice, monthOf, reopenMonth } from "../teams/months.ts";
import { change } from "./allocation.ts";
import type { HandlersOf } from "./index.ts";
import { replayKeptRule, reportContext } from "./reports.ts";

export const monthHandlers: HandlersOf<"actions.read" | "action.save" | "action.remove" | "month.read" | "month.close" | "month.reopen" | "invoice.save"> = {
  async "actions.read"(context, { period, currency, basis }) {
    const gathered = gatherIn(context, period, currency, basis);
    if (!gathered.ok) return gathered;
    await replayKeptRule(context, { period, scope: {}, currency });
    return ok(actionsOf(gathered.value, period));
  },

  async "action.save"(context, { action, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const before = storedActions(opened.value.ledger);
    const same = before.find(({ findingKey, id }) => action.findingKey !== null && findingKey === action.findingKey && id !== action.id);
    if (action.id !== null && !before.some(({ id }) => id === action.id)) return err(ledgerError("contract.invalid", { question: "action.save", path: "action.id" }));
    if (action.id !== null && same !== undefined) return err(ledgerError("contract.invalid", { question: "action.save", path: "action.findingKey" }));
    if ((action.expected !== null || action.realised !== null) && action.currency === null) return err(ledgerError("contract.invalid", { question: "action.save", path: "action.currency" }));
    let id = 0;
    // A finding is taken up once: whoever takes it up again changes that action.
    const kept = { ...action, id: action.id ?? same?.id ?? null };
    const done = await change(context, by, ({ ledger }, author) => {
      id = keepAction(ledger.db, kept, author.at);
      noteChange(ledger.db, author, "action", kept.id === null ? "added" : "changed", action.subject, before.find((line) => line.id === kept.id) ?? null, kept);
    });
    return done.ok ? ok({ ...done.value, id }) : done;
  },

  async "action.remove"(context, { id, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const before = storedActions(opened.value.ledger).find((line) => line.id === id);
    if (before === undefined) return err(ledgerError("contract.invalid", { question: "action.remove", path: "id" }));
    return change(context, by, ({ ledger: { db } }, author) => {
      prepared(db, "DELETE FROM action WHERE ActionId = ?").run(id);
      noteChange(db, author, "action", "removed", before.subject, before, null);
    });
  },

  "month.read"(context, { month }) {
    const gathered = gatherIn(context, month, null, "EffectiveCost");
    return gathered.ok ? ok(monthOf(gathered.value, month)) : gathered;
  },

  async "month.close"(context, { month, note, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    if (!hasBillOf(opened.value.ledger.db, month)) return err(ledgerError("report.no-data", { period: month }));
    if (isClosed(opened.value.ledger.db, month)) return err(ledgerError("contract.invalid", { question: "month.close", path: "month" }));
    return change(context, by, ({ ledger }, author) => {
      closeMonth(ledger.db, month, note, ledger.revision(), author);
      noteChange(ledger.db, author, "month", "closed", month, null, note);
    });
  },

  async "month.reopen"(context, { month, reason, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    if (!isClosed(opened.value.ledger.db, month)) return err(ledgerError("contract.invalid", { question: "month.reopen", path: "month" }));
    return change(context, by, ({ ledger: { db } }, author) => {
      reopenMonth(db, month, reason, author);
      noteChange(db, author, "month", "reopened", month, null, reason);
    });
  },

  async "invoice.save"(context, { month, provider, currency, amount, by }) {
    return change(context, by, ({ ledger: { db } }, author) => {
      keepInvoice(db, month, provider, currency, amount, author);
      noteChange(db, author, "month", "changed", `${month} ${provider} ${currency}`, null, { invoice: amount });
    });
  },
};

function gatherIn(context: EngineContext, period: string, currency: string | null, basis: CostBasis): Result<Gathered> {
  const reading = reportContext(context);
  if (!reading.ok) return reading;
  const gathered = gather(reading.value, { period, scope: {}, basis, currency });
  return gathered === null ? err(ledgerError("period.invalid", { text: period })) : ok(gathered);
}
