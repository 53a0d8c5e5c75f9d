import { ledgerError, type LedgerError } from "../../../shared/contract/errors.ts";
import { AMOUNT_OUT_OF_RANGE } from "./sql.ts";

/** The worded error behind what SQLite or the file system threw, or null when it is a fault of ours. `file` is the ledger's name. */
export function storeTrouble(error: unknown, file: string): LedgerError | null {
  const code = codeOf(error);
  if (code === null) return null;
  if (code === "SQLITE_FULL" || code === "ENOSPC" || code === "EDQUOT" || /^SQLITE_IOERR_(WRITE|SHMSIZE|FSYNC|TRUNCATE)$/.test(code)) {
    return ledgerError("ledger.disk-full", { file });
  }
  // Sums beyond 64 bits: ours are refused when they are taken apart, `sum()` throws, `+` makes a REAL that no column of amounts takes.
  if (code === AMOUNT_OUT_OF_RANGE || code === "SQLITE_CONSTRAINT_DATATYPE" || (code === "SQLITE_ERROR" && (error as Error).message === "integer overflow")) {
    return ledgerError("ledger.amount-range", { line: file });
  }
  if (code.startsWith("SQLITE_CORRUPT") || code.startsWith("SQLITE_IOERR")) return ledgerError("ledger.damaged", { file });
  if (code === "SQLITE_NOTADB" || code === "EISDIR") return ledgerError("ledger.not-a-ledger", { file });
  if (code.startsWith("SQLITE_READONLY") || code.startsWith("SQLITE_CANTOPEN") || ["EACCES", "EPERM", "EROFS"].includes(code)) {
    return ledgerError("ledger.read-only", { file });
  }
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED")) return ledgerError("ledger.in-use", { file });
  if (code === "ENOENT" || code === "ENOTDIR") return ledgerError("ledger.not-found", { file });
  return null;
}

function codeOf(error: unknown): string | null {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return null;
}
