import { join } from "node:path";
import { ok, type Result } from "../../shared/result.ts";
import { openLedger } from "./store/open.ts";
import { query, readAll } from "./store/sql.ts";

/** Where the built sample says that its files lie: no folder of any machine. Whoever copies it points it to the files beside the copy. */
export const NOWHERE = "/sample/files";

/**
 * Makes a ledger of the sample company look for its files in a folder. They are told by `sample/files/` in their path, wherever that was.
 * errors  what opening a ledger can say
 */
export function pointSampleTo(ledger: string, folder: string): Result<null> {
  const opened = openLedger(ledger, { create: false });
  if (!opened.ok) return opened;
  const { db } = opened.value;
  const move = db.prepare("UPDATE source_file SET Path = ? WHERE FileId = ?");
  db.transaction(() => {
    for (const { FileId, Path } of readAll(db, query<{ FileId: number; Path: string }>("FileId", "Path")`-- sample.files
      SELECT FileId, Path FROM source_file`)) {
      const inside = /[\\/]sample[\\/]files[\\/](.+)$/.exec(Path)?.[1];
      if (inside !== undefined) move.run(join(folder, ...inside.split(/[\\/]/)), FileId);
    }
  }).immediate();
  opened.value.close();
  return ok(null);
}

/** Takes the folder of the machine that built a sample ledger out of it, and out of the free bytes of its pages too. */
export function forgetBuilder(ledger: string): Result<null> {
  const pointed = pointSampleTo(ledger, NOWHERE);
  if (!pointed.ok) return pointed;
  const opened = openLedger(ledger, { create: false });
  if (!opened.ok) return opened;
  opened.value.db.exec("VACUUM");
  opened.value.close();
  return ok(null);
}
