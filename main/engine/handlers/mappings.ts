import { ledgerError } from "../../../shared/contract/errors.ts";
import { logMeasures } from "../../../shared/contract/log-mapping.ts";
import { openFields } from "../../../shared/contract/mapping.ts";
import { err, ok } from "../../../shared/result.ts";
import { columnsNotIn, guessLogMapping, guessMapping, MAPPED_LOG } from "../formats/index.ts";
import { logColumnsNotIn, measuresIn } from "../formats/telemetry/mapped-log.ts";
import { savedLogMapping, savedMapping, savedMappings, saveLogMapping, saveMapping } from "../import/mappings.ts";
import { recognize } from "../import/recognize.ts";
import { sniff } from "../import/sniff.ts";
import type { HandlersOf } from "./index.ts";

export const mappingHandlers: HandlersOf<"mapping.guess" | "mapping.save" | "mapping.list" | "log-mapping.guess" | "log-mapping.save"> = {
  async "mapping.guess"(context, { file }) {
    const sniffed = await sniff(file);
    if (!sniffed.ok) return sniffed;
    const { name, header, sampleRecords } = sniffed.value;
    const known = recognize(sniffed.value, {});
    const opened = context.open();
    const saved = opened.ok ? savedMapping(opened.value.ledger.db, header) : null;
    const guess = guessMapping({ file: name, header, sample: sampleRecords });
    const knownAs = known.ok ? known.value.recognition.formatId : null;
    return ok(saved === null ? { ...guess, isSaved: false, knownAs } : { ...guess, mapping: saved, unsure: [], missing: [], isSaved: true, knownAs });
  },

  async "mapping.save"(context, { mapping }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    const open = openFields(mapping);
    if (open.length > 0) return err(ledgerError("import.mapping-incomplete", { file: mapping.name, fields: open.join(", ") }));
    const missing = columnsNotIn(mapping, mapping.header);
    if (missing.length > 0) return err(ledgerError("import.column-missing", { file: mapping.name, format: "mapped", columns: missing.join(", ") }));
    return context.exclusive(() => {
      saveMapping(opened.value.ledger.db, mapping);
      return Promise.resolve(ok({ revision: opened.value.ledger.revision() }));
    });
  },

  async "log-mapping.guess"(context, { file }) {
    const sniffed = await sniff(file);
    if (!sniffed.ok) return sniffed;
    const { name, header, sampleRecords } = sniffed.value;
    const known = recognize(sniffed.value, {});
    const opened = context.open();
    const saved = opened.ok ? savedLogMapping(opened.value.ledger.db, header) : null;
    const guess = guessLogMapping({ file: name, header, sample: sampleRecords });
    const knownAs = known.ok ? known.value.recognition.formatId : null;
    return ok(saved === null ? { ...guess, isSaved: false, knownAs } : { ...guess, mapping: saved, unsure: [], isSaved: true, knownAs });
  },

  async "log-mapping.save"(context, { mapping }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    if (measuresIn(mapping).length === 0) return err(ledgerError("import.mapping-incomplete", { file: mapping.name, fields: logMeasures.join(", ") }));
    const missing = logColumnsNotIn(mapping, mapping.header);
    if (missing.length > 0) return err(ledgerError("import.column-missing", { file: mapping.name, format: MAPPED_LOG, columns: missing.join(", ") }));
    return context.exclusive(() => {
      saveLogMapping(opened.value.ledger.db, mapping);
      return Promise.resolve(ok({ revision: opened.value.ledger.revision() }));
    });
  },

  "mapping.list"(context) {
    const opened = context.open();
    return opened.ok ? ok({ mappings: savedMappings(opened.value.ledger.db) }) : opened;
  },
};
