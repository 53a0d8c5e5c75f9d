import { ledgerError } from "../../../shared/contract/errors.ts";
import { err, ok } from "../../../shared/result.ts";
import { selectionOutcome } from "../planning/vendor-selection.ts";
import { keepSelection, pilotFacts, removeSelection, storedSelections } from "../selection/ledger.ts";
import { noteChange } from "../teams/changes.ts";
import { change } from "./allocation.ts";
import type { HandlersOf } from "./index.ts";

/** Choosing a vendor: inputs are kept, what follows from them is worked out when it is asked for. */
export const selectionHandlers: HandlersOf<"selections.list" | "selection.read" | "selection.save" | "selection.remove"> = {
  "selections.list"(context) {
    const opened = context.open();
    if (!opened.ok) return opened;
    return ok({ selections: storedSelections(opened.value.ledger.db).map(({ id, name, changedAt }) => ({ id, name, changedAt })) });
  },

  "selection.read"(context, { id }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { db } = opened.value.ledger;
    const selection = storedSelections(db).find((stored) => stored.id === id);
    if (selection === undefined) return err(ledgerError("selection.not-found", { selection: String(id) }));
    return ok(selectionOutcome(selection, selection.pilot === null ? null : pilotFacts(db, selection.pilot, selection.currency)));
  },

  async "selection.save"(context, { selection, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const stored = storedSelections(opened.value.ledger.db);
    const before = stored.find(({ id }) => id === selection.id) ?? null;
    if (selection.id !== null && before === null) return err(ledgerError("selection.not-found", { selection: String(selection.id) }));
    if (stored.some(({ id, name }) => name === selection.name && id !== selection.id)) return err(ledgerError("selection.name-taken", { selection: selection.name }));
    let id = 0;
    const done = await change(context, by, ({ ledger: { db } }, author) => {
      id = keepSelection(db, selection, author.at);
      noteChange(db, author, "selection", before === null ? "added" : "changed", selection.name, before, selection);
    });
    return done.ok ? ok({ ...done.value, id }) : done;
  },

  async "selection.remove"(context, { id, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const before = storedSelections(opened.value.ledger.db).find((stored) => stored.id === id);
    if (before === undefined) return err(ledgerError("selection.not-found", { selection: String(id) }));
    return change(context, by, ({ ledger: { db } }, author) => {
      removeSelection(db, id);
      noteChange(db, author, "selection", "removed", before.name, before, null);
    });
  },
};
