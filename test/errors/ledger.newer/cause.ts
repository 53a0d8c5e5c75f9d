import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { errorOf, type Cause } from "../world.ts";

/** A ledger whose version no program of today knows: SQLite keeps it in bytes 60 to 63. */
const cause: Cause = async ({ engine, another, ledger, folder }) => {
  await engine.close();
  const bytes = readFileSync(ledger);
  bytes.writeUInt32BE(9999, 60);
  const newer = join(folder, "newer.gpuledger");
  writeFileSync(newer, bytes);
  const error = errorOf(await another().ask("ledger.open", { file: newer, create: false }));
  // What this program knows up to grows with it.
  return error.code === "ledger.newer" ? ledgerError(error.code, { ...error.params, supported: 1 }) : error;
};

export default cause;
