import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { FactorsDifference } from "../../../shared/contract/carbon.ts";
import { ledgerError, type LedgerError } from "../../../shared/contract/errors.ts";
import { parsePeriod } from "../../../shared/domain/period.ts";
import { err, ok } from "../../../shared/result.ts";
import { overfullContract, readFactors } from "../factors/read.ts";
import { differenceUnder, keepFactors, newFactors, ownFactorLines, removeFactor } from "../factors/store.ts";
import { carbonAnswer, carbonSettings, ownFactors, saveCarbonSettings } from "../reports/carbon-rows.ts";
import { noteChange } from "../teams/changes.ts";
import { change } from "./allocation.ts";
import type { HandlersOf } from "./index.ts";
import { reportContext, scopeOf } from "./reports.ts";

export const carbonHandlers: HandlersOf<"carbon.read" | "carbon-settings.save" | "factors.list" | "factors.import" | "factors.remove"> = {
  "carbon.read"(context, { period, scope }) {
    const reading = reportContext(context);
    if (!reading.ok) return reading;
    if (parsePeriod(period) === null) return err(ledgerError("period.invalid", { text: period }));
    return carbonAnswer(reading.value, { period, scope: scopeOf(scope) });
  },

  async "carbon-settings.save"(context, { settings, by }) {
    return change(context, by, ({ ledger: { db } }, author) => {
      noteChange(db, author, "carbon", "changed", "settings", carbonSettings(db), settings);
      saveCarbonSettings(db, settings);
    });
  },

  "factors.list"(context) {
    const opened = context.open();
    return opened.ok ? ok({ factors: ownFactorLines(opened.value.ledger.db) }) : opened;
  },

  async "factors.import"(context, { file, isPreview, restate, by }) {
    const reading = reportContext(context);
    if (!reading.ok) return reading;
    const { ledger } = reading.value;
    let bytes: Uint8Array;
    try {
      bytes = readFileSync(file);
    } catch {
      return err(ledgerError("import.not-found", { file: basename(file) }));
    }
    const read = readFactors(bytes, basename(file));
    if (!read.ok) return read;
    const added = newFactors(ledger.db, read.value.factors);
    const kept = ownFactors(ledger.db);
    const all = [...kept, ...added.map((factor, index) => ({ ...factor, id: (kept.at(-1)?.id ?? 0) + 1 + index }))];
    const overfull = overfullContract(all);
    if (overfull !== null) return err(ledgerError("factor.share-above-one", overfull));
    const differences = differenceUnder(reading.value, all);
    if (!differences.ok) return differences;
    const answer = { file: basename(file), added: added.length, same: read.value.factors.length - added.length, setAside: read.value.setAside, differences: differences.value };
    if (isPreview || added.length === 0) return ok({ ...answer, revision: ledger.revision() });
    const refused = restate ? null : restatesClosed(differences.value);
    if (refused !== null) return err(refused);
    const done = await change(context, by, ({ ledger: { db } }, author) => {
      keepFactors(db, added, answer.file, context.now().toISOString());
      noteChange(db, author, "carbon", "imported", answer.file, null, { factors: added.length, months: differences.value.map(({ month }) => month) });
    });
    return done.ok ? ok({ ...answer, ...done.value }) : done;
  },

  async "factors.remove"(context, { id, isPreview, restate, by }) {
    const reading = reportContext(context);
    if (!reading.ok) return reading;
    const { ledger } = reading.value;
    const kept = ownFactors(ledger.db);
    const found = kept.find((factor) => factor.id === id);
    if (found === undefined) return err(ledgerError("factor.not-found", { factor: id }));
    const differences = differenceUnder(reading.value, kept.filter((factor) => factor !== found));
    if (!differences.ok) return differences;
    if (isPreview) return ok({ differences: differences.value, revision: ledger.revision() });
    const refused = restate ? null : restatesClosed(differences.value);
    if (refused !== null) return err(refused);
    const done = await change(context, by, ({ ledger: { db } }, author) => {
      removeFactor(db, id);
      noteChange(db, author, "carbon", "removed", `${found.kind} ${found.value}`, found, null);
    });
    return done.ok ? ok({ differences: differences.value, ...done.value }) : done;
  },
};

/** Figures of a closed month change only on purpose. */
function restatesClosed(differences: readonly FactorsDifference[]): LedgerError | null {
  const closed = differences.filter(({ isClosed }) => isClosed).map(({ month }) => month);
  return closed.length === 0 ? null : ledgerError("factor.restates-closed", { months: closed.join(", ") });
}
