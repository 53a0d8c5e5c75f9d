import { gzipSync } from "node:zlib";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { focusBill } from "../../main/engine/import/bills-of.ts";
import type { Cause } from "../world.ts";

/** A gzipped bill whose download broke off. */
const cause: Cause = async ({ refusalOf, file }) => {
  const rows = Array.from({ length: 2000 }, (_row, index) => ({ day: "2026-09-01", cost: `${index}.${(index * 7919) % 1000}`, resource: `i-${(index * 104_729).toString(16)}` }));
  const whole = gzipSync(focusBill(rows));
  const error = await refusalOf(file("september.csv.gz", whole.subarray(0, whole.length - 4000)));
  // How many rows come before the end depends on how it was packed.
  return error.code === "import.truncated" && error.params.rows > 0 ? ledgerError(error.code, { ...error.params, rows: 1234 }) : error;
};

export default cause;
