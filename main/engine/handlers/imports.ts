import type { SetAsideRow } from "../../../shared/contract/methods.ts";
import { basename } from "node:path";
import { ok } from "../../../shared/result.ts";
import { readText, writeWhole } from "../files.ts";
import { correctedFile, setAsideSheet } from "../import/corrections.ts";
import { cancelReading, coverInPlan, discardPlan, postPlan, previewFiles } from "../import/preview.ts";
import { query, readAll } from "../store/sql.ts";
import { batchExists } from "./batches.ts";
import type { HandlersOf } from "./index.ts";
import { keepBeside } from "./sources.ts";

export const importHandlers: HandlersOf<"import.preview" | "import.cover" | "import.post" | "import.discard" | "import.cancel" | "import.set-aside" | "set-aside.export" | "set-aside.correct"> = {
  async "import.preview"(context, { files, options }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    return context.exclusive(() => previewFiles(context, opened.value, files, options));
  },

  async "import.cover"(context, { plan, delivery, covers }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    return context.exclusive(() => coverInPlan(opened.value, plan, delivery, covers));
  },

  async "import.post"(context, { plan }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    const posted = await context.exclusive(() => postPlan(context, opened.value, plan));
    if (posted.ok) keepBeside(context, opened.value);
    return posted;
  },

  async "import.discard"(context, { plan }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    await context.exclusive(() => discardPlan(opened.value, plan));
    return ok(null);
  },

  // Not one after another with the rest: it speaks to what runs now.
  "import.cancel"(context, { plan }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    cancelReading(opened.value, plan);
    return ok(null);
  },

  "import.set-aside"(context, { batch, offset, limit }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { db } = opened.value.ledger;
    const exists = batchExists(db, batch);
    if (!exists.ok) return exists;
    return ok(
      readAll(db, query<SetAsideRow>("file", "line", "column", "value", "reason")`-- imports.set-aside
        SELECT f.Name AS file, s.Line AS line, s.ColumnName AS "column", s.Value AS value, s.Reason AS reason
        FROM source_file f
        JOIN set_aside s ON s.FileId = f.FileId
        WHERE f.BatchId = ${batch}
        ORDER BY f.FileId, s.Line
        LIMIT ${limit} OFFSET ${offset}`),
    );
  },

  async "set-aside.export"(context, { batch, language, file }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { db } = opened.value.ledger;
    const exists = batchExists(db, batch);
    if (!exists.ok) return exists;
    const { wordsOf } = context.options;
    if (wordsOf === undefined) throw new Error("an export needs its words");
    const words = await wordsOf(language);
    return writeWhole(file, setAsideSheet(db, batch, (code) => words.say(`expected.${code}`)));
  },

  async "set-aside.correct"(context, { batch, sheet, file }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { db } = opened.value.ledger;
    const exists = batchExists(db, batch);
    if (!exists.ok) return exists;
    const text = readText(sheet);
    return text.ok ? correctedFile(db, batch, { name: basename(sheet), text: text.value }, file) : text;
  },
};
