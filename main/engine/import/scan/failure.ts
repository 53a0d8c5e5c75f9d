import { ledgerError, type LedgerError } from "../../../../shared/contract/errors.ts";

/** Why bytes cannot be had, in what a person can mend. */
export type SourceFailure = "truncated" | "unreadable" | "bursting" | "encrypted" | "zstd" | "cancelled";

export class SourceError extends Error {
  readonly failure: SourceFailure;
  constructor(failure: SourceFailure) {
    super(failure);
    this.failure = failure;
  }
}

/** `rows` read before it, where that is known. */
export function sourceTrouble(failure: SourceFailure, file: string, rows = 0): LedgerError {
  switch (failure) {
    case "truncated":
      return ledgerError("import.truncated", { file, rows });
    case "unreadable":
      return ledgerError("import.unreadable", { file });
    case "bursting":
      return ledgerError("import.archive-bursting", { file });
    case "encrypted":
      return ledgerError("import.encrypted", { file });
    case "zstd":
      return ledgerError("import.container-unsupported", { file, container: "zstd" });
    case "cancelled":
      return ledgerError("import.cancelled", { file });
  }
}
