import type { CellTrouble, TimeCell } from "../../formats/format.ts";
import type { RecordScan } from "../scan/records.ts";
import { fieldStart } from "../scan/records.ts";
import type { UtcTimeReader } from "../utc-time.ts";
import { createUtcTimeReader, NO_TIME, NO_TIME_STATED, TIME_READ } from "../utc-time.ts";
import { shownCell, type Bill } from "./bill.ts";
import { afterLastDay, monthEdge } from "./months.ts";

const DAY_SECONDS = 86_400;

/** One column of a chain of times; -1 where the file has none of its names. */
interface TimeLink {
  readonly column: number;
  readonly states: TimeCell["states"];
}

/** When the charges of a file begin and end, and its billing periods. */
export interface Times {
  readonly reader: UtcTimeReader;
  /** The column of starts that the file has first, and of the ends that go with it; -1 for none. */
  readonly startColumn: number;
  readonly endColumn: number;
  /** Whether both are instants, the end perhaps a last day: what the kernel reads. */
  readonly isPlain: boolean;
  readonly endIsDay: boolean;
  /** Seconds since 1970 of the start, down the chain; NaN where none can be read, and `refusedColumn` is where it was looked for. */
  readStart(scan: RecordScan): number;
  readonly refusedColumn: number;
  /** The end of the link that the start came from, in `endColumnUsed`: NaN where none is stated, null where it cannot be read. */
  readEnd(scan: RecordScan): number | null;
  readonly endColumnUsed: number;
  /** Whether the start came from the file's first link: only then are the hours between the two those of the charge. */
  readonly isFirstLink: boolean;
  /** An edge of the billing period; null where none is stated. */
  periodStart(scan: RecordScan): number | null | CellTrouble;
  periodEnd(scan: RecordScan): number | null | CellTrouble;
}

export function createTimes(bill: Bill): Times {
  const { charge, nullTexts } = bill.format;
  const { secondsEast } = bill;
  const reader = createUtcTimeReader(nullTexts, bill.facts.dateOrder ?? null, { secondsEast, hasCounts: true });
  const startChain = linksOf(charge.ChargePeriodStart);
  const endChain = linksOf(charge.ChargePeriodEnd);
  /** The link of both chains that the file has first; the others are asked where a row states nothing there. */
  const firstLink = Math.max(0, startChain.findIndex(({ column }) => column !== -1));
  const startColumn = startChain[firstLink]?.column ?? -1;
  const endColumn = endChain[firstLink]?.column ?? -1;
  const endStates = endChain[firstLink]?.states;
  const periodStartColumn = bill.existing(charge.BillingPeriodStart.columns)[0] ?? -1;
  const periodEndColumn = bill.existing(charge.BillingPeriodEnd.columns)[0] ?? -1;
  let link = firstLink;
  let refusedColumn = startColumn;

  /** The columns of a chain of times as this file has them. */
  function linksOf(cell: TimeCell): readonly TimeLink[] {
    const first = { column: bill.existing(cell.columns)[0] ?? -1, states: cell.states };
    return cell.otherwise === undefined ? [first] : [first, ...linksOf(cell.otherwise)];
  }

  function readStart(scan: RecordScan): number {
    for (link = firstLink; link < startChain.length; link += 1) {
      const cell = startChain[link];
      if (cell === undefined || cell.column === -1) continue;
      const state = readLink(scan, cell);
      if (state === TIME_READ) return reader.seconds;
      refusedColumn = cell.column;
      if (state === NO_TIME) return NaN;
    }
    refusedColumn = startColumn;
    return NaN;
  }

  function readEnd(scan: RecordScan): number | null {
    const cell = endChain[link];
    reader.isNullText = false;
    if (cell === undefined || cell.column === -1) return NaN;
    const state = readLink(scan, cell);
    return state === TIME_READ ? reader.seconds : state === NO_TIME_STATED ? NaN : null;
  }

  /** Reads a time of any kind into the reader; the answer is one of its codes. */
  function readLink(scan: RecordScan, { column, states }: TimeLink): number {
    if (states === undefined || states === "last-day") {
      const state = reader.read(scan.bytes, fieldStart(scan, column), scan.ends[column] as number);
      if (state === TIME_READ && states === "last-day" && (reader.seconds + secondsEast) % DAY_SECONDS === 0) reader.seconds += DAY_SECONDS;
      return state;
    }
    const text = shownCell(bill, scan, column).trim();
    reader.isNullText = text !== "" && bill.isNullText(text);
    if (text === "" || reader.isNullText) return NO_TIME_STATED;
    if (states === "month" || states === "month-end") {
      const edge = monthEdge(text, states);
      if (edge === null) return NO_TIME;
      reader.isZoneless = true;
      reader.seconds = edge - secondsEast;
      return TIME_READ;
    }
    const range = /^(.+?)\s*(?:-|~|to|至|—)\s*(\d{4}[-/.]\d{1,2}[-/.].+)$/.exec(text);
    if (range === null) return NO_TIME;
    const edge = Buffer.from((states === "range-start" ? range[1] : range[2]) ?? "", "latin1");
    return reader.read(edge, 0, edge.length);
  }

  function periodEdge(scan: RecordScan, column: number, { states }: TimeCell): number | null | CellTrouble {
    if (column === -1) return null;
    if (states === "month" || states === "month-end") {
      reader.isZoneless = false;
      const text = shownCell(bill, scan, column).trim();
      if (text === "" || bill.isNullText(text)) return null;
      return monthEdge(text, states) ?? { trouble: "utc-time", column: bill.header[column] ?? "", value: text };
    }
    const state = reader.read(scan.bytes, fieldStart(scan, column), scan.ends[column] as number);
    if (state === NO_TIME) return { trouble: "utc-time", column: bill.header[column] ?? "", value: shownCell(bill, scan, column) };
    if (state === NO_TIME_STATED) return null;
    // A billing period is one of the calendar, whatever the zone of its days.
    const seconds = reader.isZoneless ? reader.seconds + secondsEast : reader.seconds;
    return states === "last-day" ? afterLastDay(seconds) : seconds;
  }

  return {
    reader,
    startColumn,
    endColumn,
    isPlain: startColumn !== -1 && startChain[firstLink]?.states === undefined && (endColumn === -1 || endStates === undefined || endStates === "last-day"),
    endIsDay: endStates === "last-day",
    readStart,
    get refusedColumn() {
      return refusedColumn;
    },
    readEnd,
    get endColumnUsed() {
      return endChain[link]?.column ?? -1;
    },
    get isFirstLink() {
      return link === firstLink;
    },
    periodStart: (scan) => periodEdge(scan, periodStartColumn, charge.BillingPeriodStart),
    periodEnd: (scan) => periodEdge(scan, periodEndColumn, charge.BillingPeriodEnd),
  };
}
