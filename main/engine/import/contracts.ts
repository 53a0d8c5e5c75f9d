/** The FOCUS Contract Commitment dataset (1.3 and 1.4): what was agreed, read as its own dataset and never as a cost. */
import { ledgerError, type Expected } from "../../../shared/contract/errors.ts";
import type { SetAsideRow } from "../../../shared/contract/methods.ts";
import { divideHalfEven } from "../../../shared/domain/money.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { canonicalName, type Recognition } from "../formats/format.ts";
import { prepared, splitAttos, type Db, type SqlValue } from "../store/sql.ts";
import { openBill, tableEncoding, withAllColumns, type ReadControl } from "./bills.ts";
import { readExact } from "./decimal.ts";
import { createTextOf, scanRecords, textsOf } from "./scan/records.ts";
import { SourceError, sourceTrouble } from "./scan/failure.ts";
import type { Sniffed } from "./sniff.ts";
import { createStaging } from "./staging.ts";
import { createUtcTimeReader, isoOfSeconds, TIME_READ } from "./utc-time.ts";

export const CONTRACT_COMMITMENT = "focus-contract-commitment";

/** How a column is read; all of them may be absent or empty but for the id. */
type Reading = "text" | "amount" | "decimal" | "instant" | "currency";
const columns = {
  ContractCommitmentId: "text",
  ContractId: "text",
  ServiceProviderName: "text",
  InvoiceIssuerName: "text",
  ContractCommitmentType: "text",
  ContractCommitmentCategory: "text",
  ContractCommitmentDescription: "text",
  ContractCommitmentCost: "amount",
  BillingCurrency: "currency",
  ContractCommitmentQuantity: "decimal",
  ContractCommitmentUnit: "text",
  ContractCommitmentPeriodStart: "instant",
  ContractCommitmentPeriodEnd: "instant",
  ContractPeriodStart: "instant",
  ContractPeriodEnd: "instant",
  ContractCommitmentLifecycleStatus: "text",
  ContractCommitmentModel: "text",
  ContractCommitmentFulfillmentInterval: "text",
  ContractCommitmentPaymentModel: "text",
  ContractCommitmentPaymentInterval: "text",
  ContractCommitmentPaymentUpfrontPercentage: "decimal",
  ContractCommitmentDiscountPercentage: "decimal",
} as const satisfies Record<string, Reading>;
type Column = keyof typeof columns;
const names = Object.keys(columns) as Column[];
/** The columns that 1.4 brought. */
const since14: readonly Column[] = ["ContractCommitmentLifecycleStatus", "ContractCommitmentModel", "ContractCommitmentPaymentModel", "ContractCommitmentFulfillmentInterval"];
/** Without these a file says of no commitment what it is or until when. */
const required: readonly Column[] = ["ContractCommitmentId", "ContractCommitmentPeriodEnd"];
const MOST_SET_ASIDE = 10_000;
const LONGEST_VALUE = 500;

/** What a header says of the dataset; null where the file is none. A bill may name commitments too, but never by this column. */
export function recognizeContracts(header: readonly string[]): Recognition | null {
  const present = new Set(header.map(canonicalName));
  const has = (column: Column): boolean => present.has(canonicalName(column));
  if (!has("ContractCommitmentId")) return null;
  return {
    formatId: CONTRACT_COMMITMENT,
    score: 1,
    version: since14.some(has) ? "1.4" : "1.3",
    reasons: [{ code: "columns-present", params: { columns: names.filter(has).slice(0, 5).join(", ") } }],
    missing: required.filter((column) => !has(column)),
  };
}

export interface ContractReading {
  readonly sha256: string;
  readonly rowsRead: number;
  readonly rowsPosted: number;
  readonly rowsSetAside: number;
  readonly setAside: readonly Omit<SetAsideRow, "file">[];
  readonly repairs: Readonly<Record<string, number>>;
}

/**
 * Reads the file into rows of its staging batch: source_file, set_aside, contract_commitment.
 * errors  import.cancelled, import.truncated, import.unreadable, import.column-missing
 */
export async function readContracts({ sniffed: first, batchId }: { readonly sniffed: Sniffed; readonly batchId: number }, db: Db, control: ReadControl): Promise<Result<ContractReading>> {
  const whole = await withAllColumns(first, control);
  if (!whole.ok) return whole;
  const sniffed = whole.value;
  const file = sniffed.name;
  const missing = recognizeContracts(sniffed.header)?.missing ?? required;
  if (missing.length > 0) return err(ledgerError("import.column-missing", { file, format: CONTRACT_COMMITMENT, columns: missing.join(", ") }));
  const header = sniffed.header.map(canonicalName);
  const places = names.map((name) => header.indexOf(canonicalName(name)));
  const read = rowReader(decimalMarkOf(sniffed, places[names.indexOf("ContractCommitmentCost")] ?? -1));
  const staging = createStaging(db, { batchId, standAside: () => control.standAside() });
  const textOf = createTextOf(tableEncoding(sniffed.encoding, sniffed.json));
  const setAside: Omit<SetAsideRow, "file">[] = [];
  let [rowsRead, rowsPosted, rowsSetAside, nullTexts, isHeader, isCancelled] = [0, 0, 0, 0, true, false];
  const layout = { format: CONTRACT_COMMITMENT, headerLine: sniffed.headerLine, headerByte: sniffed.headerByte, markLength: sniffed.markLength, header: sniffed.header, mark: ".", json: sniffed.json, ...(sniffed.isParquet === true ? { isParquet: true } : {}) };
  const fileId = staging.file({ path: sniffed.path, name: file, size: sniffed.size, compression: sniffed.compression, encoding: sniffed.encoding, delimiter: sniffed.delimiter, layout: JSON.stringify(layout) });
  const insert = prepared(db, `INSERT INTO contract_commitment (FileId, Line, BatchId, ${names.map(stored).join(", ")}) VALUES (?, ?, ?, ${names.map((name) => (columns[name] === "amount" ? "?, ?" : "?")).join(", ")})`);
  const refuse = (line: number, column: string, value: string, reason: Expected, raw: string): void => {
    rowsSetAside += 1;
    if (setAside.length >= MOST_SET_ASIDE) return;
    const entry = { line, column, value: value.slice(0, LONGEST_VALUE), reason };
    setAside.push(entry);
    staging.setAside(fileId, { ...entry, raw });
  };
  try {
    const source = await openBill(sniffed, true, null);
    try {
      await scanRecords(
        source,
        { delimiter: sniffed.delimiter.charCodeAt(0), from: { byte: sniffed.headerByte, line: sniffed.headerLine, record: 0 } },
        {
          onRecord(scan) {
            if (isHeader) {
              isHeader = false;
              return true;
            }
            rowsRead += 1;
            const raw = (): string => textOf(scan.bytes, scan.start, scan.end) ?? "";
            const texts = textsOf(scan, textOf);
            if (scan.isUnterminated || texts.length !== header.length) {
              refuse(scan.line, "", String(texts.length), "column-count", raw());
              return true;
            }
            const cells = places.map((place) => (place === -1 ? null : (texts[place]?.trim() ?? null)));
            const stated = cells.map((text) => (text === null || text === "" || /^null$/i.test(text) ? null : text));
            if (cells.some((text) => text !== null && /^null$/i.test(text))) nullTexts += 1;
            const row = read(stated);
            if ("trouble" in row) refuse(scan.line, row.column, row.value, row.trouble, raw());
            else {
              rowsPosted += 1;
              staging.write(() => insert.run(fileId, scan.line, batchId, ...row.values));
            }
            return true;
          },
          onOversize({ line }) {
            rowsRead += 1;
            refuse(line, "", "", "record-size", "");
          },
          onBuffer() {
            staging.settle();
            control.progress({ bytesRead: source.bytesTaken(), rowsRead });
            isCancelled = control.isCancelled();
            return !isCancelled;
          },
        },
      );
      if (isCancelled) return err(ledgerError("import.cancelled", { file }));
      const sha256 = await source.sha256();
      staging.fileHash(fileId, sha256);
      return ok({ sha256, rowsRead, rowsPosted, rowsSetAside, setAside, repairs: nullTexts === 0 ? {} : { "null-text": nullTexts } });
    } finally {
      staging.settle();
      await source.close();
    }
  } catch (fault) {
    if (fault instanceof SourceError) return err(sourceTrouble(fault.failure, file, rowsRead));
    throw fault;
  }
}

/** The stored columns of one that is read: an amount is two. */
function stored(name: Column): string {
  return columns[name] === "amount" ? `${name}Nanos, ${name}Rest` : name;
}

/** A comma can be the decimal mark only where it does not part columns; a point anywhere decides against it. */
function decimalMarkOf({ delimiter, sampleRecords }: Sniffed, place: number): "." | "," {
  if (delimiter === "," || place === -1) return ".";
  const costs = sampleRecords.map((record) => record[place] ?? "");
  return costs.some((cost) => cost.includes(",")) && !costs.some((cost) => cost.includes(".")) ? "," : ".";
}

type ReadRow = { readonly values: readonly SqlValue[] } | { readonly trouble: Expected; readonly column: string; readonly value: string };

/** From the stated texts, in the order of `columns`, to the values to keep, or to what could not be read. */
function rowReader(mark: "." | ","): (stated: readonly (string | null)[]) => ReadRow {
  const times = createUtcTimeReader([]);
  const encoder = new TextEncoder();
  return (stated) => {
    const values: SqlValue[] = [];
    for (const [index, name] of names.entries()) {
      const text = stated[index] ?? null;
      const trouble = (expected: Expected): ReadRow => ({ trouble: expected, column: name, value: text ?? "" });
      if (text === null) {
        if (name === "ContractCommitmentId") return trouble("required");
        if (name === "BillingCurrency" && stated[names.indexOf("ContractCommitmentCost")] !== null) return trouble("currency");
        values.push(null, ...(columns[name] === "amount" ? [null] : []));
        continue;
      }
      const reading: Reading = columns[name];
      if (reading === "text") values.push(text);
      else if (reading === "currency") {
        if (!/^\p{L}[\p{L}\p{N} ._-]{0,39}$/u.test(text)) return trouble("currency");
        values.push(/^[a-z]{3}$/i.test(text) ? text.toUpperCase() : text);
      } else if (reading === "instant") {
        const bytes = encoder.encode(text);
        if (times.read(bytes, 0, bytes.length) !== TIME_READ) return trouble("utc-time");
        values.push(isoOfSeconds(times.seconds));
      } else {
        const exact = readExact(text, mark);
        if (exact === "no-decimal") return trouble("decimal");
        if (exact === "out-of-range") return trouble("amount-range");
        if (reading === "decimal") values.push(mark === "," ? text.replace(",", ".") : text);
        else {
          const attos = divideHalfEven(exact, 10n ** 18n);
          if (BigInt.asIntN(64, attos / 10n ** 9n) !== attos / 10n ** 9n) return trouble("amount-range");
          const { nanos, rest } = splitAttos(attos);
          values.push(nanos, rest);
        }
      }
    }
    return { values };
  };
}
