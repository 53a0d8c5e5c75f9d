import type { Expected } from "../../../../shared/contract/errors.ts";
import type { RecordScan } from "../scan/records.ts";
import type { Staging } from "../staging.ts";
import { LONGEST_VALUE, shownCell, type Bill } from "./bill.ts";

const MOST_SET_ASIDE = 10_000;
const QUOTE = 34;

/** A row that could not be read, and why. */
export interface SetAsideEntry {
  readonly line: number;
  readonly column: string;
  readonly value: string;
  readonly reason: Expected;
}

/** Rows set aside: the first ten thousand whole, all counted. They are in no total. */
export interface Aside {
  readonly rows: number;
  readonly entries: readonly SetAsideEntry[];
  refuse(scan: RecordScan, reason: Expected, column: string, value: string): void;
  /** With the value that stands in the column. */
  refuseColumn(scan: RecordScan, reason: Expected, column: number): void;
  /** A record too long to gather. */
  refuseOversize(line: number): void;
}

export function createAside(bill: Bill, staging: Staging, fileId: number): Aside {
  let rows = 0;
  const entries: SetAsideEntry[] = [];

  function add(entry: SetAsideEntry, raw: () => string): void {
    rows += 1;
    if (entries.length >= MOST_SET_ASIDE) return;
    entries.push(entry);
    staging.setAside(fileId, { ...entry, raw: raw() });
  }

  function refuse(scan: RecordScan, reason: Expected, column: string, value: string): void {
    add({ line: scan.line, column, value: value.slice(0, LONGEST_VALUE), reason }, () => wholeText(scan) ?? bill.textOf(scan.bytes, scan.start, scan.end) ?? "");
  }

  return {
    get rows() {
      return rows;
    },
    entries,
    refuse,
    refuseColumn: (scan, reason, column) => refuse(scan, reason, bill.header[column] ?? "", shownCell(bill, scan, column)),
    refuseOversize: (line) => add({ line, column: "", value: "", reason: "record-size" }, () => ""),
  };
}

/** The record as it stands; `textOf` would take off an outer pair of quotes. */
function wholeText(scan: RecordScan): string | null {
  return scan.bytes[scan.start] === QUOTE ? Buffer.from(scan.bytes.buffer, scan.start, scan.end - scan.start).toString("utf8") : null;
}
