import { ledgerError } from "../../../shared/contract/errors.ts";
import type { EmissionsReport } from "../../../shared/contract/provider-emissions.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import type { EngineContext } from "../context.ts";
import { readEmissions } from "../emissions/read.ts";
import { emissionsReport, emissionsReports, keepEmissions, previewOf, setEmissionsState } from "../emissions/store.ts";
import { noteChange } from "../teams/changes.ts";
import { change } from "./allocation.ts";
import type { HandlersOf } from "./index.ts";

export const providerEmissionsHandlers: HandlersOf<
  "provider-emissions.preview" | "provider-emissions.import" | "provider-emissions.list" | "provider-emissions.undo" | "provider-emissions.redo"
> = {
  async "provider-emissions.preview"(context, { file }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const read = await readEmissions(file);
    return read.ok ? ok(previewOf(opened.value.ledger.db, read.value)) : read;
  },

  async "provider-emissions.import"(context, { file, sha256, by }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    const read = await readEmissions(file);
    if (!read.ok) return read;
    if (sha256 !== null && sha256 !== read.value.sha256) return err(ledgerError("import.changed", { file: read.value.name }));
    const preview = previewOf(opened.value.ledger.db, read.value);
    if (preview.sameAs !== null) return ok({ ...preview, report: preview.sameAs, revision: opened.value.ledger.revision() });
    let report = 0;
    const done = await change(context, by, ({ ledger: { db } }, author) => {
      report = keepEmissions(db, read.value, author);
      noteChange(db, author, "emissions", "imported", preview.file, null, { report, format: preview.format, months: preview.months.map(({ month }) => month) });
    });
    return done.ok ? ok({ ...preview, ...done.value, report }) : done;
  },

  "provider-emissions.list"(context) {
    const opened = context.open();
    return opened.ok ? ok({ reports: emissionsReports(opened.value.ledger.db) }) : opened;
  },

  async "provider-emissions.undo"(context, { report, by }) {
    return toggle(context, report, "undone", by);
  },

  async "provider-emissions.redo"(context, { report, by }) {
    return toggle(context, report, "posted", by);
  },
};

/** To the state that it is in already is no trouble: the person wants it so. */
async function toggle(context: EngineContext, id: number, state: EmissionsReport["state"], by: string | null): Promise<Result<{ readonly revision: number }>> {
  const opened = context.open();
  if (!opened.ok) return opened;
  const found = emissionsReport(opened.value.ledger.db, id);
  if (found === null) return err(ledgerError("emissions.not-found", { report: id }));
  if (found.state === state) return ok({ revision: opened.value.ledger.revision() });
  return change(context, by, ({ ledger: { db } }, author) => {
    setEmissionsState(db, id, state);
    noteChange(db, author, "emissions", state === "undone" ? "removed" : "added", found.file, { report: id, state: found.state }, { report: id, state });
  });
}
