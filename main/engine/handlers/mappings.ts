import { basename } from "node:path";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../shared/contract/errors.ts";
import { logMeasures } from "../../../shared/contract/log-mapping.ts";
import { openFields } from "../../../shared/contract/mapping.ts";
import { isLogMapping, mappingsIn, type AnyMapping, type MappingsImport, type SavedMapping } from "../../../shared/contract/mappings.ts";
import type { MethodInput } from "../../../shared/contract/methods.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import type { EngineContext } from "../context.ts";
import { readText, writeWhole } from "../files.ts";
import { columnsNotIn, guessLogMapping, guessMapping, logColumnsNotIn, MAPPED, MAPPED_LOG, measuresIn } from "../formats/index.ts";
import { keepMapping, removeMapping, renameMapping, savedMapping, savedMappings, shapeOf } from "../import/mappings.ts";
import { filesBehind, filesInside } from "../import/plan.ts";
import { recognize } from "../import/recognize.ts";
import { sniff, type Sniffed } from "../import/sniff.ts";
import { change } from "./allocation.ts";
import type { HandlersOf } from "./index.ts";

export const mappingHandlers: HandlersOf<"mapping.guess" | "log-mapping.guess" | "mapping.save" | "mapping.list" | "mapping.rename" | "mapping.remove" | "mapping.export" | "mapping.import"> = {
  async "mapping.guess"(context, place) {
    const looked = await lookAt(context, place);
    if (!looked.ok) return looked;
    const { sniffed, saved, knownAs } = looked.value;
    const guess = guessMapping({ file: sniffed.name, header: sniffed.header, sample: sniffed.sampleRecords });
    const mapping = saved === null || isLogMapping(saved.mapping) ? null : saved.mapping;
    return ok(mapping === null ? { ...guess, isSaved: false, knownAs } : { ...guess, mapping, unsure: [], missing: [], byValues: [], isSaved: true, knownAs });
  },

  async "log-mapping.guess"(context, place) {
    const looked = await lookAt(context, place);
    if (!looked.ok) return looked;
    const { sniffed, saved, knownAs } = looked.value;
    const guess = guessLogMapping({ file: sniffed.name, header: sniffed.header, sample: sniffed.sampleRecords });
    const mapping = saved !== null && isLogMapping(saved.mapping) ? saved.mapping : null;
    return ok(mapping === null ? { ...guess, isSaved: false, knownAs } : { ...guess, mapping, unsure: [], byValues: [], isSaved: true, knownAs });
  },

  async "mapping.save"(context, { mapping }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    const trouble = whyNotUsable(mapping, mapping.name);
    if (trouble !== null) return err(trouble);
    let name = mapping.name;
    const done = await change(context, null, ({ ledger: { db } }, { at }) => {
      ({ name } = keepMapping(db, mapping, at));
    });
    return done.ok ? ok({ ...done.value, name }) : done;
  },

  "mapping.list"(context) {
    const opened = context.open();
    return opened.ok ? ok({ mappings: savedMappings(opened.value.ledger.db) }) : opened;
  },

  async "mapping.rename"(context, { id, name }) {
    const kept = keptMappings(context);
    if (!kept.ok) return kept;
    if (!kept.value.some((mapping) => mapping.id === id)) return err(ledgerError("mapping.not-found", { mapping: String(id) }));
    if (kept.value.some((mapping) => mapping.name === name && mapping.id !== id)) return err(ledgerError("mapping.name-taken", { mapping: name }));
    return change(context, null, ({ ledger: { db } }) => renameMapping(db, id, name));
  },

  async "mapping.remove"(context, { id }) {
    const kept = keptMappings(context);
    if (!kept.ok) return kept;
    if (!kept.value.some((mapping) => mapping.id === id)) return err(ledgerError("mapping.not-found", { mapping: String(id) }));
    return change(context, null, ({ ledger: { db } }) => removeMapping(db, id));
  },

  "mapping.export"(context, { ids, file }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const all = savedMappings(opened.value.ledger.db);
    const missing = ids?.find((id) => !all.some((mapping) => mapping.id === id));
    if (missing !== undefined) return err(ledgerError("mapping.not-found", { mapping: String(missing) }));
    const mappings = all.filter(({ id }) => ids === null || ids.includes(id)).map(({ mapping }) => mapping);
    if (mappings.length === 0) return err(ledgerError("mapping.none", {}));
    const written = writeWhole(file, `${JSON.stringify({ mappings }, null, 2)}\n`);
    return written.ok ? ok({ ...written.value, count: mappings.length }) : written;
  },

  async "mapping.import"(context, { file }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    const text = readText(file);
    if (!text.ok) return text;
    const read = mappingsIn(text.value);
    if ("wrongAt" in read) return err(ledgerError("mapping.unreadable", { file: basename(file), part: read.wrongAt }));
    // All of them or none: half a file looks like all of it.
    for (const mapping of read.mappings) {
      const trouble = whyNotUsable(mapping, basename(file));
      if (trouble !== null) return err(trouble);
    }
    let mappings: MappingsImport["mappings"] = [];
    const done = await change(context, null, ({ ledger: { db } }, { at }) => {
      mappings = read.mappings.map((mapping) => keepMapping(db, mapping, at));
    });
    return done.ok ? ok({ ...done.value, mappings }) : done;
  },
};

function keptMappings(context: EngineContext): Result<readonly SavedMapping[]> {
  const opened = context.open();
  return opened.ok ? ok(savedMappings(opened.value.ledger.db)) : opened;
}

/** A mapping that leaves open what must be said, or names columns that its own header does not have, reads no file. */
function whyNotUsable(mapping: AnyMapping, file: string): LedgerError | null {
  const isLog = isLogMapping(mapping);
  const open = isLog ? (measuresIn(mapping).length === 0 ? logMeasures : []) : openFields(mapping);
  if (open.length > 0) return ledgerError("import.mapping-incomplete", { file, fields: open.join(", ") });
  const missing = isLog ? logColumnsNotIn(mapping, mapping.header) : columnsNotIn(mapping, mapping.header);
  return missing.length === 0 ? null : ledgerError("import.column-missing", { file, format: isLog ? MAPPED_LOG : MAPPED, columns: missing.join(", ") });
}

interface Looked {
  readonly sniffed: Sniffed;
  readonly saved: SavedMapping | null;
  /** The format that knows the file without any mapping. */
  readonly knownAs: string | null;
}

/** Errors: import.plan-gone, contract.invalid (neither a file nor a preview's), and those of `sniff`. */
async function lookAt(context: EngineContext, { file, planned }: MethodInput<"mapping.guess">): Promise<Result<Looked>> {
  const opened = context.open();
  const sniffed = planned === null ? (file === null ? err(ledgerError("contract.invalid", { question: "mapping.guess", path: "file" })) : await firstUnknown(file)) : await sniffPlanned(context, planned);
  if (!sniffed.ok) return sniffed;
  const saved = opened.ok ? savedMapping(opened.value.ledger.db, shapeOf(sniffed.value.header)) : null;
  return ok({ sniffed: sniffed.value, saved, knownAs: knownFormat(sniffed.value) });
}

function knownFormat(sniffed: Sniffed): string | null {
  const known = recognize(sniffed, {});
  return known.ok ? known.value.recognition.formatId : null;
}

async function sniffPlanned(context: EngineContext, { plan, index }: NonNullable<MethodInput<"mapping.guess">["planned"]>): Promise<Result<Sniffed>> {
  const opened = context.open();
  if (!opened.ok) return opened;
  const path = opened.value.plans.get(plan)?.files[index]?.path;
  return path === undefined ? err(ledgerError("import.plan-gone", { plan })) : sniff(path);
}

/** A file as it is; of a folder or an archive the first in it that no format knows, or else the first that can be looked at. */
async function firstUnknown(file: string): Promise<Result<Sniffed>> {
  const inside = await filesInside(filesBehind([file]), () => false);
  let first: Result<Sniffed> | null = null;
  for (const { path, trouble } of inside) {
    const sniffed = trouble === null ? await sniff(path) : err(trouble);
    if (sniffed.ok && knownFormat(sniffed.value) === null) return sniffed;
    if (first === null || (!first.ok && sniffed.ok)) first = sniffed;
  }
  return first ?? sniff(file);
}
