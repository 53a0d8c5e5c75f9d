import type { LogMapping } from "../../../shared/contract/log-mapping.ts";
import { logMeasures } from "../../../shared/contract/log-mapping.ts";
import type { ColumnMapping } from "../../../shared/contract/mapping.ts";
import { openFields } from "../../../shared/contract/mapping.ts";
import type { ReadOptions } from "../../../shared/contract/methods.ts";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { logColumnsNotIn, MAPPED_LOG, mappedLog, measuresIn } from "../formats/telemetry/mapped-log.ts";
import { recognizeBill, type Recognition } from "../formats/format.ts";
import { billingFormats, columnsNotIn, mappedFormat, recognizeBilling, telemetryFormats } from "../formats/index.ts";
import { knownNoLog } from "../formats/index.ts";
import { CONTRACT_COMMITMENT, recognizeContracts } from "./contracts.ts";
import { sniff, type Sniffed } from "./sniff.ts";

export interface Recognized {
  readonly kind: "billing" | "telemetry" | "commitments";
  readonly recognition: Recognition;
}

/** Less than half of what tells a log's format is no sign of it. */
const LEAST_SCORE = 0.5;

/**
 * Which format a file is in: each gives a score, a clear winner is taken; the person may have said which.
 * errors  import.mapping-incomplete (columns were told apart, but not enough of them), import.no-log (a file that is known to be something else), import.unrecognized (with the closest format and what it misses), import.column-missing, import.tie
 */
export function recognize(sniffed: Sniffed, options: ReadOptions): Result<Recognized> {
  if (options.mapping !== undefined || options.logMapping !== undefined) return byAnyMapping(sniffed, options);
  // Logs come as text; what lies in columns is a bill or nothing.
  const logs = (sniffed.isParquet === true ? [] : telemetryFormats)
    .filter(({ id }) => options.format === undefined || id === options.format)
    .map((format) => format.recognize(sniffed, options))
    .sort((a, b) => b.score - a.score);
  const [log, otherLog] = logs;
  // A bill that names commitments by this column, too, is a bill.
  const contracts = (options.format === undefined && !recognizeBilling(sniffed).ok) || options.format === CONTRACT_COMMITMENT ? recognizeContracts(sniffed.header) : null;
  if (contracts !== null) {
    if (contracts.missing.length === 0) return ok({ kind: "commitments", recognition: contracts });
    return err(ledgerError("import.column-missing", { file: sniffed.name, format: CONTRACT_COMMITMENT, columns: contracts.missing.join(", ") }));
  }
  const chosenBill = billingFormats.find(({ id }) => id === options.format);
  if (chosenBill !== undefined) {
    const recognition = recognizeBill(chosenBill, sniffed.header);
    if (recognition.missing.length === 0) return ok({ kind: "billing", recognition });
    return err(ledgerError("import.column-missing", { file: sniffed.name, format: chosenBill.id, columns: recognition.missing.join(", ") }));
  }
  const bill = recognizeBilling(sniffed);
  const isLog = log !== undefined && log.score >= LEAST_SCORE;
  if (!isLog) {
    if (bill.ok) return ok({ kind: "billing", recognition: bill.value });
    const other = bill.error.code === "import.unrecognized" ? knownNoLog(sniffed) : null;
    return other === null ? bill : err(ledgerError("import.no-log", { file: sniffed.name, dataset: other }));
  }
  if (bill.ok && bill.value.score > log.score) return ok({ kind: "billing", recognition: bill.value });
  const rival = bill.ok && bill.value.score === log.score ? bill.value : otherLog?.score === log.score ? otherLog : null;
  if (rival !== null) return err(ledgerError("import.tie", { file: sniffed.name, formats: `${log.formatId}, ${rival.formatId}` }));
  return ok({ kind: "telemetry", recognition: log });
}

/**
 * As `sniff`; a file that nothing knows so is looked at again: as an answer of an interface that wraps its records, and as a table whose header
 * stands below a title. Only where that makes it a bill is it read so.
 */
export async function sniffKnown(path: string): Promise<Result<Sniffed>> {
  const first = await sniff(path);
  if (!first.ok || first.value.isParquet === true) return first;
  const known = recognize(first.value, {});
  if (known.ok || known.error.code !== "import.unrecognized") return first;
  const isBill = (header: readonly string[]): boolean => recognizeBilling({ name: first.value.name, header }).ok || recognizeContracts(header)?.missing.length === 0;
  const again = await sniff(path, first.value.json === null ? isBill : "wrapped");
  return again.ok && isBill(again.value.header) ? again : first;
}

/** What the person said of the columns settles it; a file beside it that lacks them is read as what it is known to be. */
function byAnyMapping(sniffed: Sniffed, { mapping, logMapping, ...others }: ReadOptions): Result<Recognized> {
  const mapped = mapping !== undefined ? byMapping(sniffed, mapping) : byLogMapping(sniffed, logMapping as LogMapping);
  if (mapped.ok || mapped.error.code !== "import.column-missing") return mapped;
  const known = recognize(sniffed, others);
  return known.ok ? known : mapped;
}

/** What the person said of the columns settles which format it is. */
function byMapping(sniffed: Sniffed, mapping: ColumnMapping): Result<Recognized> {
  const file = sniffed.name;
  const open = openFields(mapping);
  if (open.length > 0) return err(ledgerError("import.mapping-incomplete", { file, fields: open.join(", ") }));
  const missing = columnsNotIn(mapping, sniffed.header);
  if (missing.length > 0) return err(ledgerError("import.column-missing", { file, format: "mapped", columns: missing.join(", ") }));
  const recognition = recognizeBill(mappedFormat(mapping), sniffed.header);
  const columns = Object.values(mapping.columns).filter((column) => column !== undefined);
  return ok({ kind: "billing", recognition: { ...recognition, score: 1, reasons: [{ code: "columns-given", params: { columns: columns.join(", ") } }] } });
}

/** The same for a log. */
function byLogMapping(sniffed: Sniffed, mapping: LogMapping): Result<Recognized> {
  const file = sniffed.name;
  if (measuresIn(mapping).length === 0) return err(ledgerError("import.mapping-incomplete", { file, fields: logMeasures.join(", ") }));
  const missing = logColumnsNotIn(mapping, sniffed.header);
  if (missing.length > 0) return err(ledgerError("import.column-missing", { file, format: MAPPED_LOG, columns: missing.join(", ") }));
  return ok({ kind: "telemetry", recognition: mappedLog.recognize(sniffed, { logMapping: mapping }) });
}
