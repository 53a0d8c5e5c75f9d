import type { MoneyTotals } from "../../../shared/contract/methods.ts";
import type { BillingFormat, SurveyFacts } from "../formats/format.ts";
import type { Reference } from "../reference/catalog.ts";
import { createAside, type SetAsideEntry } from "./fold/aside.ts";
import { createBill, shownCell } from "./fold/bill.ts";
import { createBlocks } from "./fold/blocks.ts";
import { createCells } from "./fold/cells.ts";
import { createDeliveries } from "./fold/deliveries.ts";
import { createRowReader } from "./fold/dimension-rows.ts";
import { dimensionRanges } from "./fold/dimensions.ts";
import { createEntries, type Entry } from "./fold/entries.ts";
import { createHours } from "./fold/hours.ts";
import { COSTS } from "./fold/measures.ts";
import { takeFoldMemory } from "./fold/memory.ts";
import { createPairs, type Pair } from "./fold/pairs.ts";
import { createPosting } from "./fold/posting.ts";
import { createPrograms, planOfRows, type Program } from "./fold/programs.ts";
import { createRepairs } from "./fold/repairs.ts";
import { createRowTaker } from "./fold/rows.ts";
import { createTimes } from "./fold/times.ts";
import { createValues } from "./fold/values.ts";
import type { KernelTables } from "./scan/kernel.ts";
import type { RecordScan, RowsReader, TextOf } from "./scan/records.ts";
import { fieldStart } from "./scan/records.ts";
import type { Staging } from "./staging.ts";

export { BLOCK_BYTES } from "./fold/blocks.ts";
export { CellOutOfRange } from "./fold/exact.ts";
export type { SetAsideEntry } from "./fold/aside.ts";

export interface FoldOptions {
  readonly format: BillingFormat;
  readonly header: readonly string[];
  readonly mark: "." | ",";
  readonly textOf: TextOf;
  readonly reference: Reference;
  readonly staging: Staging;
  readonly fileId: number;
  /** What the format's survey found out of the whole file, and what it assumed. */
  readonly facts?: SurveyFacts;
  readonly assumed?: readonly string[];
  /** Hears of each row that found its series, with the UTC day it belongs to: a second reading looks for rows this way. */
  readonly onRow?: (scan: RecordScan, seriesId: number, day: number) => boolean;
  /** Cells, and days of hours, held before they are written down; smaller only in tests. */
  readonly bounds?: { readonly cells: number; readonly hourDays: number };
}

/** Takes records into cells, and writes them down when memory passes its bound and at the end. */
export interface Fold {
  onRecord(scan: RecordScan): boolean;
  /** Takes many at once; null where every row must be looked at by itself. */
  readonly rows: RowsReader | null;
  onOversize(place: { readonly line: number; readonly record: number }): void;
  rowsRead(): number;
  /** Writes down what is left and answers what the file said. */
  finish(): Folded;
}

export interface Folded {
  readonly rowsRead: number;
  readonly rowsPosted: number;
  readonly rowsSetAside: number;
  readonly setAside: readonly SetAsideEntry[];
  readonly repairs: Readonly<Record<string, number>>;
  readonly periods: readonly string[];
  readonly totals: Readonly<Record<string, MoneyTotals>>;
  readonly corrections: Readonly<Record<string, MoneyTotals>>;
  readonly deliveries: readonly number[];
  readonly touchedGpuDays: readonly number[];
}

/**
 * Folds the rows of a bill into cells while they are read: a day of a series, with what its rows add up to. What a record goes through is
 * one room each in fold/: entries (its dimensions, once each), times, values (its amounts), pairs (its series and delivery), cells and hours;
 * what cannot be read goes aside, what was mended is counted under repairs. `rows` takes the same way for many rows in one call.
 */
export function createFold({ format, header, mark, textOf, reference, staging, fileId, facts = {}, assumed = [], onRow, bounds = { cells: 400_000, hourDays: 60_000 } }: FoldOptions): Fold {
  const bill = createBill({ format, header, facts, mark, textOf });
  const columnCount = header.length;
  const shortBy = Number(facts.missingLastCells ?? 0);
  const ranges = dimensionRanges(bill);
  const memory = takeFoldMemory();
  const programs = createPrograms(bill, memory);
  const times = createTimes(bill);
  const values = createValues(bill, programs.slots);
  const entries = createEntries(bill, { memory, programs, times, readRow: createRowReader(bill, ranges, reference) });
  const deliveries = createDeliveries(bill, staging);
  const pairs = createPairs(bill, { memory, entries, deliveries, staging });
  const repairs = createRepairs(bill);
  const cells = createCells({ memory, pairs, staging, most: bounds.cells, onCell: ({ entry }, rows) => repairs.countEntry(entries.all[entry] as Entry, rows) });
  const hours = createHours({ memory, pairs, staging, most: bounds.hourDays });
  const blocks = createBlocks(staging, fileId, (pair) => (pairs.all[pair] as Pair).seriesId);
  const aside = createAside(bill, staging, fileId);
  const posting = createPosting({ bill, values, pairs, cells, hours, blocks, repairs, staging, bounds });
  const takeRows = createRowTaker({ memory, bill, times, values, entries, pairs, cells, hours, blocks, posting }, (rows, row) => void takeRecord(rows.recordOf(row)));
  let rowsRead = 0;
  /** What the kernel is given: another object once a program has added a list of its own. */
  let tables: KernelTables = { ranges, lists: programs.lists, rows: onRow === undefined && times.isPlain ? planOfRows(bill, programs.slots, times.startColumn, times.endColumn) : null };

  function currentTables(): KernelTables {
    if (tables.lists !== programs.lists) tables = { ...tables, lists: programs.lists };
    return tables;
  }

  /** One record through all rooms; false ends the scan. */
  function takeRecord(scan: RecordScan): boolean {
    if (scan.byte >= blocks.end) blocks.open(scan);
    if ((scan.fieldCount !== columnCount || scan.isUnterminated) && !hasMendableCells(scan)) {
      if (facts.records === "json") aside.refuse(scan, "json-object", "", shownCell(bill, scan, 0));
      else aside.refuse(scan, "column-count", "", String(scan.fieldCount));
      return true;
    }
    const entryNumber = entryOf(scan);
    const entry = entries.all[entryNumber] as Entry;
    if (entry.trouble !== null) {
      aside.refuse(scan, entry.trouble.trouble, entry.trouble.column, entry.trouble.value);
      return true;
    }
    const program = entry.program as Program;

    const start = times.readStart(scan);
    if (Number.isNaN(start)) {
      aside.refuseColumn(scan, "utc-time", times.refusedColumn);
      return true;
    }
    let isZoneless = entry.isZoneless || times.reader.isZoneless;
    const end = times.readEnd(scan);
    const refusal = end === null ? "utc-time" : posting.refusesPeriod(start, end);
    if (end === null || refusal !== null) {
      aside.refuseColumn(scan, refusal ?? "utc-time", times.endColumnUsed);
      return true;
    }
    if (!Number.isNaN(end)) isZoneless ||= times.reader.isZoneless;
    const hasNullTime = Number.isNaN(end) && times.reader.isNullText;

    scan.kernel.prepare(currentTables());
    if (!values.readRecord(scan, program, times.isFirstLink ? end - start : NaN)) {
      aside.refuseColumn(scan, values.refusedAs, values.refusedColumn);
      return true;
    }
    const stated = values.measure(program);
    if (posting.lacksCosts(program, stated)) {
      aside.refuse(scan, "required", costColumn(program), "");
      return true;
    }
    const mask = posting.maskOf(entry, stated);
    let pair = posting.pairOf(entryNumber, entry, mask, start, end);
    if (pair === -1) {
      const { seconds, month } = posting.kindOf(entry, start, end);
      pair = pairs.make(scan, entryNumber, mask, seconds, month);
    }
    posting.post(pair, start, end, stated, mask, isZoneless, entry.hasNullText || hasNullTime || values.hasNullText);
    return onRow === undefined || onRow(scan, (pairs.all[pair] as Pair).seriesId, Math.floor(start / 86_400));
  }

  function entryOf(scan: RecordScan): number {
    const { kernel } = scan;
    kernel.prepare(currentTables());
    if (scan.hashes === undefined) kernel.hashRanges(scan.start, ranges.length / 2);
    const [hashA = 0, hashB = 0] = scan.hashes ?? kernel.answer;
    const known = entries.find(hashA, hashB);
    return known === -1 ? entries.add(scan, hashA, hashB) : known;
  }

  /** A record of too few or too many cells that can be read all the same: it is brought to the header's. */
  function hasMendableCells(scan: RecordScan): boolean {
    if (scan.isUnterminated) return false;
    if (shortBy > 0 && scan.fieldCount === columnCount - shortBy) {
      for (let column = scan.fieldCount; column < columnCount; column += 1) scan.ends[column] = (scan.ends[column - 1] as number) + 1;
      scan.fieldCount = columnCount;
      repairs.count("missing-last-cells", 1);
      return true;
    }
    if (!hasOnlyEmptyExtras(scan)) return false;
    repairs.count("extra-empty-cells", 1);
    return true;
  }

  /**
   * Some exporters end rows with separators too many. Where the last column is empty as well, the row may as soon be one that an unquoted
   * separator shifted (`1,5`), so that is no matter of course.
   */
  function hasOnlyEmptyExtras(scan: RecordScan): boolean {
    if (scan.fieldCount < columnCount || scan.fieldCount > scan.ends.length) return false;
    if ((scan.ends[columnCount - 1] as number) === fieldStart(scan, columnCount - 1)) return false;
    for (let column = columnCount; column < scan.fieldCount; column += 1) {
      if ((scan.ends[column] as number) > fieldStart(scan, column)) return false;
    }
    return true;
  }

  /** The column that is named where a row states no cost. */
  function costColumn({ single }: Program): string {
    const slot = [...single.subarray(0, COSTS)].find((candidate) => candidate >= 0);
    return header[slot === undefined ? 0 : (programs.slots[slot]?.columns[0] ?? -1)] ?? "";
  }

  function finish(): Folded {
    blocks.finish();
    posting.flush();
    memory.giveBack();
    const { totals, corrections, periods, deliveryIds } = deliveries.finish();
    staging.settle();
    repairs.count("currency-sign", values.currencySigns());
    for (const name of assumed) repairs.count(name, posting.rows);
    return {
      rowsRead,
      rowsPosted: posting.rows,
      rowsSetAside: aside.rows,
      setAside: aside.entries,
      repairs: repairs.all(),
      periods,
      totals,
      corrections,
      deliveries: deliveryIds,
      touchedGpuDays: [...hours.touchedDays].sort((a, b) => a - b),
    };
  }

  return {
    onRecord(scan) {
      rowsRead += 1;
      return takeRecord(scan);
    },
    rows:
      tables.rows === null
        ? null
        : {
            tables: currentTables,
            onRows(rows) {
              rowsRead += rows.count;
              return takeRows(rows);
            },
          },
    onOversize({ line }) {
      rowsRead += 1;
      aside.refuseOversize(line);
    },
    rowsRead: () => rowsRead,
    finish,
  };
}
