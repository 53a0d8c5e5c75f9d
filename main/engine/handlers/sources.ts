import { defaultKeptMegabytes } from "../../../shared/contract/sources.ts";
import { ok } from "../../../shared/result.ts";
import type { EngineContext, Opened } from "../context.ts";
import { filesBehind, filesInside } from "../import/plan.ts";
import { dropKept, keepSources, keptBytes, keptFolderOf, unkept } from "../import/kept.ts";
import { digestOf } from "../import/rows.ts";
import { statOf } from "../import/scan/archive.ts";
import { prepared, query, readAll } from "../store/sql.ts";
import { isSampleLedger, readSettings } from "./app.ts";
import type { HandlersOf } from "./index.ts";

export const sourceHandlers: HandlersOf<"sources.state" | "sources.relocate" | "sources.drop"> = {
  "sources.state"(context) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { db } = opened.value.ledger;
    return ok({ keptBytes: keptBytes(keptFolderOf(db)), unkeptFiles: unkept(db).length, mostMegabytes: mostMegabytes(context) });
  },

  /** Files that were moved, told apart by their bytes: the ledger then looks for them where they are now. */
  async "sources.relocate"(context, { files }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    const { ledger, jobs } = opened.value;
    const found: { readonly path: string; readonly size: number; readonly sha256: string }[] = [];
    const sizes = new Set(readAll(ledger.db, query<{ size: number }>("size")`-- sources.sizes
      SELECT DISTINCT Size AS size FROM source_file`).map(({ size }) => size));
    for (const { path } of await filesInside(filesBehind(files), () => false)) {
      const size = (await statOf(path))?.size;
      if (size === undefined || !sizes.has(size)) continue;
      const sha256 = await digestOf(path);
      if (sha256 !== null) found.push({ path, size, sha256 });
    }
    let changed = 0;
    jobs.write(() =>
      ledger.db.transaction(() => {
        const move = prepared(ledger.db, "UPDATE source_file SET Path = ? WHERE Size = ? AND Sha256 = ? AND Path <> ?");
        for (const { path, size, sha256 } of found) changed += move.run(path, size, sha256, path).changes;
        if (changed > 0) ledger.bump();
      }).immediate(),
    );
    return ok({ found: changed, revision: ledger.revision() });
  },

  "sources.drop"(context) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    dropKept(opened.value.ledger.db);
    return ok({ keptBytes: 0 });
  },
};

/** How much of bills the person lets us keep; 0 for nothing. */
function mostMegabytes(context: EngineContext): number {
  const text = readSettings(context)["sources.keep-megabytes"] ?? null;
  return text === null || !/^\d{1,7}$/.test(text) ? defaultKeptMegabytes : Number(text);
}

/**
 * Keeps copies of what was imported, beside everything else: after a posting and at opening, in the window. The terminal ends with its
 * command and keeps nothing; the window makes up for it. Of the sample company nothing is kept: it can be made again.
 */
export function keepBeside(context: EngineContext, { ledger }: Opened): void {
  const folder = keptFolderOf(ledger.db);
  if (context.options.jobRunner === "inline" || folder === null || ledger.isReadOnly || isSampleLedger(ledger.db)) return;
  const most = mostMegabytes(context) * 1024 * 1024;
  const originals = most === 0 ? [] : unkept(ledger.db);
  if (originals.length === 0) return;
  const isGone = (): boolean => {
    const now = context.open();
    return !now.ok || now.value.ledger !== ledger;
  };
  void keepSources(folder, originals, most, isGone).then((kept) => {
    if (kept > 0) context.log.write("sources.kept", { files: kept });
  });
}
