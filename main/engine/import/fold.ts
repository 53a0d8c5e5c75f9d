import type { Expected } from "../../../shared/contract/errors.ts";
import type { MoneyTotals } from "../../../shared/contract/methods.ts";
import { moneyColumns } from "../../../shared/domain/charge.ts";
import type { DatasetKind, Series } from "../../../shared/domain/charge.ts";
import { divideHalfEven, formatAttos } from "../../../shared/domain/money.ts";
import type { BillingFormat, CellTrouble, DimensionCell, DimensionRow, GpuHoursRule, MoneyCell, MoneyTerm, SurveyFacts, TimeCell } from "../formats/format.ts";
import { canonicalName, columnName, isTrouble } from "../formats/format.ts";
import type { Reference } from "../reference/catalog.ts";
import { recognizeGpuCharge } from "../reference/charge.ts";
import type { GpuChargeEvidence, GpuRecognition } from "../reference/charge.ts";
import type { GpuChargeHour } from "../store/gpu-charge-hours.ts";
import { ATTOS_LIMIT, COUNTER_LIMIT, createDecimalReader, EMPTY, NO_DECIMAL, NULL_TEXT, OUT_OF_RANGE, READ, readExact, WIDE } from "./decimal.ts";
import type { Kernel, KernelTables } from "./scan/kernel.ts";
import { LISTS, MOST_LISTED, MOST_RANGES, MOST_ROW_CELLS, MOST_ROW_COLUMNS, MOST_ROW_SLOTS, MOST_SLOTS, PLACE_UNIT, ROW_END, ROW_END_EMPTY, ROW_END_READ, ROW_END_ZONELESS, ROW_FLAGS, ROW_HASH_A, ROW_HASH_B, ROW_LINES, ROW_ODD, ROW_PLACE, ROW_SLOTS, ROW_START, ROW_START_READ, ROW_START_ZONELESS, ROW_STATES } from "./scan/kernel.ts";
import type { RowPlan } from "./scan/kernel.ts";
import type { RecordScan, RowsReader, RowsScan, TextOf } from "./scan/records.ts";
import { fieldStart } from "./scan/records.ts";
import { nullBits, seriesColumns } from "./staging.ts";
import type { CellRow, GroupKey, Staging } from "./staging.ts";
import { createUtcTimeReader, isoOfSeconds, NO_TIME, NO_TIME_STATED, TIME_READ } from "./utc-time.ts";

/** The six measures of a cell, in the order of `nullBits`. */
const measureNames = [...moneyColumns, "ConsumedQuantity", "PricingQuantity"] as const;
const MEASURES = measureNames.length;
const COSTS = moneyColumns.length;
/** A cell's counters: nanos and rest of each cost, then the quantities. */
const COUNTERS = COSTS * 2 + 2;
const EFFECTIVE = 1;
const LIST = 2;
const CONTRACTED = 3;
const HOURS_A_DAY = 24;
const HOUR_COUNTERS = 3;
/** 1e9 / 3600 is this many ninths. */
const NANOS_AN_HOUR_NINTH = 2_500_000;
/** A month: the split in doubles is exact up to some 3,000 hours. */
const MOST_SPLIT_HOURS = 744;
const NANO = 1_000_000_000n;
const ATTO_DECIMALS = 18;
/** Sums of what is below an atto are kept in 1e-36. */
const RESIDUE_DECIMALS = 36;
/** Text between two entries of `source_block`. */
export const BLOCK_BYTES = 4 * 1024 * 1024;
const MOST_SET_ASIDE = 10_000;
const LONGEST_VALUE = 500;
/** Ten years: the longest commitments run three. A year 9999 is a wrong date, and would be split over its every hour. */
const LONGEST_CHARGE_SECONDS = 3660 * 86_400;
const MOST_RECOGNITIONS = 20_000;

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

/** Takes records one by one into cells, and writes them down when memory passes its bound and at the end. */
export interface Fold {
  onRecord(scan: RecordScan): boolean;
  /** Takes many at once; null where every row must be looked at by itself. */
  readonly rows: RowsReader | null;
  onOversize(place: { readonly line: number; readonly record: number }): void;
  rowsRead(): number;
  /** Writes down what is left and answers what the file said. */
  finish(): Folded;
}

export interface SetAsideEntry {
  readonly line: number;
  readonly column: string;
  readonly value: string;
  readonly reason: Expected;
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

/** An amount of one cell does not fit the store: 9.2 billion units of currency. */
export class CellOutOfRange extends Error {}

// What the table says, brought to columns of this file

interface Slot {
  /** Columns in the order they are asked. */
  readonly columns: readonly number[];
  readonly isQuantity: boolean;
  /** Reads a cell that holds a list of amounts. */
  readonly amounts: MoneyTerm["amounts"] | null;
  /** Columns of the quantity that a price is multiplied by; none where the cell is an amount. */
  readonly factors: readonly number[];
  readonly isPeriodHours: boolean;
}

/** One column of a chain of times; -1 where the file has none of its names. */
interface TimeLink {
  readonly column: number;
  readonly states: TimeCell["states"];
}

/** How the rows of a series state their measures. */
interface Program {
  /** Slots to read, each once. */
  readonly slots: Int32Array;
  /** Whether all of them are plain cells: none is worked out. */
  readonly isPlain: boolean;
  /** Where the kernel has the list of those that are plain cells, and how many; none where it has no room. */
  readonly list: number;
  readonly listed: number;
  /** For each measure a slot, or one of the codes below. */
  readonly single: Int32Array;
  readonly sums: readonly (readonly { readonly slot: number; readonly sign: 1 | -1; readonly isOptional: boolean }[] | null)[];
  /** Whether any cost is stated by a column at all. */
  readonly statesCosts: boolean;
}
const UNSTATED = -1;
const ZERO = -2;
const SUM = -3;
/** Bits of what is said of a row's measures: those not stated, and the two below. */
const ALL_MEASURES = 63;
const HAS_WIDE = 64;
const IS_FINER = 128;
/** What became of a row that the kernel read. */
const TAKEN = 0;
const NEW = 1;
const UNSUITED = 2;

/** What the rows with the same dimensions, byte by byte, have in common. */
interface Entry {
  readonly trouble: CellTrouble | null;
  readonly program: Program | null;
  readonly repairs: readonly string[];
  readonly hasNullText: boolean;
  readonly isZoneless: boolean;
  /** Of the delivery; null where the rows state no billing period, so that each goes by its own month. */
  readonly periodStart: number | null;
  readonly periodEnd: number | null;
  /** Usage that a list price of 0 cannot belong to, unless it is free. */
  readonly isUsage: boolean;
}

/** Rows of an entry that state the same costs and have the same long period: one series of one delivery. */
interface Pair {
  readonly seriesId: number;
  readonly delivery: Delivery;
  readonly currency: string;
  readonly mask: number;
  readonly hours: GpuHoursRule | null;
  /** What a correction beside it would be a series of; null where no rule asks for one. */
  readonly correction: Series | null;
  correctionId: number;
  readonly totals: Totals;
}

interface Delivery {
  readonly deliveryId: number;
  readonly key: GroupKey;
  /** The same for all dataset kinds of a billing account and period: a file that has no row of a kind any more says so too. */
  readonly coverage: Coverage;
  readonly totals: Map<string, Totals>;
  readonly corrections: Map<string, Totals>;
  rowCount: number;
}

interface Coverage {
  readonly accounts: Set<number>;
  firstDay: number;
  lastDay: number;
}

interface Totals {
  readonly counters: Float64Array;
  readonly carried: bigint[];
  readonly residue: bigint[];
  readonly isStated: boolean[];
}

export function createFold({ format, header, mark, textOf, reference, staging, fileId, facts = {}, assumed = [], onRow, bounds = { cells: 400_000, hourDays: 60_000 } }: FoldOptions): Fold {
  const { charge } = format;
  const columnCount = header.length;
  const shortBy = Number(facts.missingLastCells ?? 0);
  const byName = new Map<string, number>();
  header.forEach((name, index) => {
    const canonical = columnName(format, name);
    if (!byName.has(canonical)) byName.set(canonical, index);
  });
  const canonicalNames = new Map<string, number | null>();
  const indexOf = (name: string): number | null => {
    let index = canonicalNames.get(name);
    if (index === undefined) canonicalNames.set(name, (index = byName.get(canonicalName(name)) ?? null));
    return index;
  };
  const byPrefix = new Map<string, readonly number[]>();
  const columnsStartingWith = (prefix: string): readonly number[] => {
    let columns = byPrefix.get(prefix);
    if (columns === undefined) {
      const wanted = canonicalName(prefix);
      columns = header.flatMap((name, column) => (columnName(format, name).startsWith(wanted) ? [column] : []));
      byPrefix.set(prefix, columns);
    }
    return columns;
  };
  const existing = (names: readonly string[]): number[] => names.map(indexOf).filter((index) => index !== null);

  const startChain = linksOf(charge.ChargePeriodStart);
  const endChain = linksOf(charge.ChargePeriodEnd);
  /** The link of both chains that the file has first; the others are asked where a row states nothing there. */
  const firstLink = Math.max(0, startChain.findIndex(({ column }) => column !== -1));
  const startColumn = startChain[firstLink]?.column ?? -1;
  const endColumn = endChain[firstLink]?.column ?? -1;
  const isPlainStart = startChain[firstLink]?.states === undefined;
  const endStates = endChain[firstLink]?.states;
  const isPlainEnd = endStates === undefined || endStates === "last-day";
  const periodStartColumn = existing(charge.BillingPeriodStart.columns)[0] ?? -1;
  const periodEndColumn = existing(charge.BillingPeriodEnd.columns)[0] ?? -1;
  const measureCells: readonly MoneyCell[] = [
    ...moneyColumns.map((column) => charge[column]),
    charge.ConsumedQuantity,
    charge.PricingQuantity,
  ];
  const dimensionCells: readonly (readonly [keyof Series, DimensionCell<unknown>])[] = seriesColumns
    .filter((column): column is Exclude<(typeof seriesColumns)[number], "x_Correction" | "x_PeriodSeconds"> => column !== "x_Correction" && column !== "x_PeriodSeconds")
    .map((column) => [column, charge[column]]);
  const ranges = dimensionRanges();
  const rangeCount = ranges.length / 2;
  const slots: Slot[] = [];
  const slotByKey = new Map<string, number>();
  const lists: NonNullable<MoneyTerm["amounts"]>[] = [];
  const programs = new Map<string, Program>();
  for (const [measure, cell] of measureCells.entries()) {
    for (const terms of Object.values(cell.sums)) for (const term of terms ?? []) slotOf(term, measure >= COSTS);
  }
  const slotCount = slots.length;
  const slotColumn = Int32Array.from(slots, ({ columns }) => columns[0] ?? -1);
  const slotIsQuantity = slots.map(({ isQuantity }) => isQuantity);
  /** What the kernel is given: grows by the list of each program. */
  let tables: KernelTables = { ranges, lists: new Int32Array(0), rows: planOfRows() };
  const slotIsWorkedOut = slots.map(({ amounts, factors, isPeriodHours }) => amounts !== null || factors.length > 0 || isPeriodHours);
  const decimals = createDecimalReader({ slots: slotCount, mark, nullTexts: format.nullTexts });
  const { nanos: slotNanos, rest: slotRest, big: slotBig, residue: slotResidue } = decimals;
  const slotState = new Int8Array(slotCount);
  const markByte = mark.charCodeAt(0);
  const secondsEast = format.zone?.secondsEast ?? 0;
  const time = createUtcTimeReader(format.nullTexts, facts.dateOrder ?? null, { secondsEast, hasUnixTimes: format.hasUnixTimes === true });
  const nullTexts = new Set(format.nullTexts.map((text) => text.toLowerCase()));
  const datasetKind: DatasetKind = format.datasetKind(new Set(byName.keys()), facts);
  const endIsDay = endStates === "last-day";
  const needsCosts = datasetKind !== "usage";
  const billedMonthOf = format.monthOf ?? ((seconds: number): number => monthOf(seconds + secondsEast));
  const fileKinds: readonly DatasetKind[] = format.datasets?.kinds(facts) ?? [];

  // Entries, by two 32-bit hashes of the raw bytes of their dimensions
  const entries: Entry[] = [];
  let table = new Int32Array(1 << 15);
  let hashA = new Int32Array(1 << 14);
  let hashB = new Int32Array(1 << 14);
  let entryMask = new Int32Array(1 << 14);
  let entryPeriod = new Float64Array(1 << 14);
  let entryMonth = new Int32Array(1 << 14);
  let entryPair = new Int32Array(1 << 14);
  let entryRows = new Float64Array(1 << 14);
  const variants = new Map<string, number>();
  const sharedEntries = new Map<string, Entry>();
  const programNumbers = new Map<Program, number>();
  const recognitions = new Map<string, GpuRecognition | null>();
  let lastRead: { readonly entry: number; readonly row: DimensionRow; readonly values: Record<string, unknown> } | null = null;

  // Pairs of a series and a delivery
  const pairs: Pair[] = [];
  let pairDay = new Int32Array(1 << 14);
  let pairCell = new Int32Array(1 << 14);
  let pairHourDay = new Int32Array(1 << 14);
  let pairHours = new Int32Array(1 << 14);
  let pairBlock = new Int32Array(1 << 14).fill(-1);
  /** 0 none; else 1 + the measure that counts hours. */
  let pairQuantity = new Int8Array(1 << 14);
  let pairNeedsCorrection = new Uint8Array(1 << 14);
  const deliveries = new Map<string, Delivery>();
  const coverages = new Map<string, Coverage>();

  // Cells: a day of a pair
  let cells = new Float64Array(COUNTERS << 12);
  let cellRows = new Int32Array(1 << 12);
  let cellPair = new Int32Array(1 << 12);
  let cellDay = new Int32Array(1 << 12);
  let cellCount = 0;
  let cellTable = new Int32Array(1 << 13);
  const cellCarried = new Map<number, bigint>();

  // Hours of GPU pairs: a day of a pair has 24
  let hours = new Float64Array(HOURS_A_DAY * HOUR_COUNTERS << 8);
  let hoursUsed = new Uint32Array(1 << 8);
  /** Of the hours used, those with an even share of a charge longer than an hour. */
  let hoursSpread = new Uint32Array(1 << 8);
  let hoursPair = new Int32Array(1 << 8);
  let hoursDay = new Int32Array(1 << 8);
  let hoursCount = 0;
  let hoursTable = new Int32Array(1 << 9);
  const hoursCarried = new Map<number, bigint>();
  const touchedGpuDays = new Set<number>();

  // The row at hand
  const valueNanos = new Float64Array(MEASURES);
  const valueRest = new Float64Array(MEASURES);
  const valueBig: bigint[] = new Array<bigint>(MEASURES).fill(0n);
  const valueResidue: bigint[] = new Array<bigint>(MEASURES).fill(0n);
  const valueIsWide = new Uint8Array(MEASURES);

  let rowsRead = 0;
  let rowsPosted = 0;
  let rowsSetAside = 0;
  const setAside: SetAsideEntry[] = [];
  const repairs = new Map<string, number>();
  let zonelessRows = 0;
  let nullTextRows = 0;
  let finerRows = 0;
  let monthAssumedRows = 0;
  let listZeroRows = 0;
  let contractedZeroRows = 0;

  let blockNumber = -1;
  let blockEnd = 0;
  let blockPlace = { firstByte: 0, firstLine: 0, firstRecord: 0 };
  let blockPairs: number[] = [];

  function onRecord(scan: RecordScan): boolean {
    rowsRead += 1;
    if (scan.byte >= blockEnd) openBlock(scan);
    if (scan.fieldCount !== columnCount || scan.isUnterminated) {
      if (shortBy > 0 && scan.fieldCount === columnCount - shortBy && !scan.isUnterminated) {
        addEmptyCells(scan);
        count(repairs, "missing-last-cells", 1);
      } else if (scan.isUnterminated || !hasOnlyEmptyExtras(scan)) {
        if (facts.records === "json") refuse(scan, "json-object", "", cellText(scan, 0));
        else refuse(scan, "column-count", "", String(scan.fieldCount));
        return true;
      } else count(repairs, "extra-empty-cells", 1);
    }
    const { bytes, ends } = scan;

    const entryIndex = findEntry(scan);
    const entry = entries[entryIndex] as Entry;
    if (entry.trouble !== null) {
      refuse(scan, entry.trouble.trouble, entry.trouble.column, entry.trouble.value);
      return true;
    }
    const program = entry.program as Program;

    // When
    let end = NaN;
    let isZoneless = entry.isZoneless;
    const startAt = startColumn === 0 ? scan.start : (ends[startColumn - 1] as number) + 1;
    let link = firstLink;
    let start: number;
    if (isPlainStart && time.read(bytes, startAt, ends[startColumn] as number) === 1) start = time.seconds;
    else {
      link = findStart(scan);
      if (link === -1) return true;
      start = time.seconds;
    }
    isZoneless ||= time.isZoneless;
    let hasNullText = entry.hasNullText;
    const endAtColumn = link === firstLink ? endColumn : (endChain[link]?.column ?? -1);
    if (endAtColumn !== -1) {
      const endAt = endAtColumn === 0 ? scan.start : (ends[endAtColumn - 1] as number) + 1;
      const isPlain = link === firstLink && isPlainEnd;
      const state = isPlain ? time.read(bytes, endAt, ends[endAtColumn] as number) : readLink(scan, endChain[link]);
      if (state === NO_TIME) {
        refuseColumn(scan, "utc-time", endAtColumn);
        return true;
      }
      if (state === NO_TIME_STATED) hasNullText ||= time.isNullText;
      else {
        end = isPlain && endIsDay && (time.seconds + secondsEast) % 86_400 === 0 ? time.seconds + 86_400 : time.seconds;
        isZoneless ||= time.isZoneless;
        if (end < start) {
          refuseColumn(scan, "period-order", endAtColumn);
          return true;
        }
        if (end - start > LONGEST_CHARGE_SECONDS) {
          refuseColumn(scan, "period-length", endAtColumn);
          return true;
        }
      }
    }

    // How much
    const programSlots = program.slots;
    let hasWide = false;
    const { kernel } = scan;
    if (program.listed > 0) {
      kernel.prepare(tables);
      kernel.readDecimals(scan.start, program.list, program.listed, markByte);
    }
    for (let index = 0; index < programSlots.length; index += 1) {
      const slot = programSlots[index] as number;
      if (program.listed > 0 && slotIsWorkedOut[slot] !== true && kernel.states[slot] === READ) {
        slotNanos[slot] = kernel.nanos[slot] as number;
        slotRest[slot] = kernel.rests[slot] as number;
        slotState[slot] = READ;
        continue;
      }
      let column = slotColumn[slot] as number;
      const fieldAt = column <= 0 ? scan.start : (ends[column - 1] as number) + 1;
      let state = slotIsWorkedOut[slot] === true ? workOut(scan, slot, link === firstLink ? end - start : NaN) : slotIsQuantity[slot] === true ? decimals.quantity(bytes, fieldAt, ends[column] as number, slot) : decimals.money(bytes, fieldAt, ends[column] as number, slot);
      if (state !== 1) {
        if (state === NULL_TEXT) hasNullText = true;
        if (state === EMPTY || state === NULL_TEXT) {
          const others = (slots[slot] as Slot).columns;
          for (let other = 1; other < others.length && (state === EMPTY || state === NULL_TEXT); other += 1) {
            column = others[other] as number;
            const from = fieldStart(scan, column);
            state = slotIsQuantity[slot] === true ? decimals.quantity(bytes, from, ends[column] as number, slot) : decimals.money(bytes, from, ends[column] as number, slot);
          }
        }
        if (state === NO_DECIMAL || state === OUT_OF_RANGE) {
          refuseColumn(scan, state === NO_DECIMAL ? "decimal" : "amount-range", column);
          return true;
        }
        if (state === WIDE) hasWide = true;
        if (state === NULL_TEXT) state = EMPTY;
      }
      slotState[slot] = state;
    }
    const stated = measuresOf(program, hasWide);
    const statedMask = stated & ALL_MEASURES;
    if ((statedMask & 15) === 15 && needsCosts && program.statesCosts) {
      refuse(scan, "required", costColumn(program), "");
      return true;
    }
    const mask = entry.isUsage ? withoutZeros(statedMask) : statedMask;
    const seconds = end - start > 86_400 ? end - start : 0;
    const month = entry.periodStart === null ? billedMonthOf(start) : 0;
    let pairIndex = knownPair(entryIndex, mask, seconds, month);
    if (pairIndex === -1) pairIndex = makePair(scan, entryIndex, mask, seconds, month);
    post(entryIndex, entry, pairIndex, start, end, stated, mask);
    if (isZoneless) zonelessRows += 1;
    if (hasNullText) nullTextRows += 1;
    return onRow === undefined || onRow(scan, (pairs[pairIndex] as Pair).seriesId, Math.floor(start / 86_400));
  }

  /** Rows as the kernel read them; those that it cannot settle are taken one by one, which is the same, slower. */
  function onRows(rows: RowsScan): number {
    const { kernel, count: rowCount, size } = rows;
    const { rowInts } = kernel;
    let unsuited = 0;
    for (let row = 0; row < rowCount; row += 1) {
      const at = row * size * 2;
      const byte = rows.byte + (rowInts[at + ROW_PLACE] as number);
      if (byte >= blockEnd) openBlock({ byte, line: rows.line + (rowInts[at + ROW_LINES] as number), record: rows.record + row });
      const outcome = takeRow(kernel, row * size);
      if (outcome === TAKEN) {
        rowsRead += 1;
        continue;
      }
      if (outcome === UNSUITED) unsuited += 1;
      onRecord(rows.recordOf(row));
    }
    return unsuited;
  }

  /** TAKEN; NEW where the row is the first of its kind; or UNSUITED where it must be looked at by itself. Nothing is done then. */
  function takeRow(kernel: Kernel, numbersAt: number): number {
    const { rowInts, rowNumbers, bytes } = kernel;
    const at = numbersAt * 2;
    const flags = rowInts[at + ROW_FLAGS] as number;
    if ((flags & ROW_ODD) !== 0) return UNSUITED;
    const entryIndex = knownEntry(rowInts[at + ROW_HASH_A] as number, rowInts[at + ROW_HASH_B] as number);
    if (entryIndex === -1) return NEW;
    const entry = entries[entryIndex] as Entry;
    const { program } = entry;
    if (program === null || !program.isPlain) return UNSUITED;

    let isZoneless = entry.isZoneless;
    let start = rowNumbers[numbersAt + ROW_START] as number;
    if ((flags & ROW_START_READ) !== 0) {
      if ((flags & ROW_START_ZONELESS) !== 0) {
        isZoneless = true;
        start -= secondsEast;
      }
    } else {
      const place = Math.floor(start / PLACE_UNIT);
      if (time.read(bytes, place, place + (start % PLACE_UNIT)) !== TIME_READ) return UNSUITED;
      isZoneless ||= time.isZoneless;
      start = time.seconds;
    }
    let end = NaN;
    if (endColumn !== -1 && (flags & ROW_END_EMPTY) === 0) {
      end = rowNumbers[numbersAt + ROW_END] as number;
      if ((flags & ROW_END_READ) !== 0) {
        if ((flags & ROW_END_ZONELESS) !== 0) {
          isZoneless = true;
          end -= secondsEast;
        }
      } else {
        const place = Math.floor(end / PLACE_UNIT);
        if (time.read(bytes, place, place + (end % PLACE_UNIT)) !== TIME_READ) return UNSUITED;
        isZoneless ||= time.isZoneless;
        end = time.seconds;
      }
      if (endIsDay && (end + secondsEast) % 86_400 === 0) end += 86_400;
      if (end < start || end - start > LONGEST_CHARGE_SECONDS) return UNSUITED;
    }

    const programSlots = program.slots;
    let hasWide = false;
    for (let index = 0; index < programSlots.length; index += 1) {
      const slot = programSlots[index] as number;
      const valueAt = numbersAt + ROW_SLOTS + slot * 2;
      let state = ((rowInts[at + ROW_STATES + (slot >> 4)] as number) >> ((slot & 15) * 2)) & 3;
      if (state === READ) {
        slotNanos[slot] = rowNumbers[valueAt] as number;
        slotRest[slot] = rowNumbers[valueAt + 1] as number;
      } else if (state !== EMPTY) {
        const [from, to] = [rowNumbers[valueAt] as number, rowNumbers[valueAt + 1] as number];
        state = slotIsQuantity[slot] === true ? decimals.quantity(bytes, from, to, slot) : decimals.money(bytes, from, to, slot);
        if (state === WIDE) hasWide = true;
        else if (state !== READ) return UNSUITED;
      }
      slotState[slot] = state;
    }
    const stated = measuresOf(program, hasWide);
    const statedMask = stated & ALL_MEASURES;
    if ((statedMask & 15) === 15 && needsCosts && program.statesCosts) return UNSUITED;
    const mask = entry.isUsage ? withoutZeros(statedMask) : statedMask;
    const pairIndex = knownPair(entryIndex, mask, end - start > 86_400 ? end - start : 0, entry.periodStart === null ? billedMonthOf(start) : 0);
    if (pairIndex === -1) return NEW;
    post(entryIndex, entry, pairIndex, start, end, stated, mask);
    if (isZoneless) zonelessRows += 1;
    if (entry.hasNullText) nullTextRows += 1;
    return TAKEN;
  }

  /** The row's measures out of its slots: which are not stated, whether any is wide, and whether any is finer than an atto. */
  function measuresOf(program: Program, isAnyWide: boolean): number {
    const { single } = program;
    let hasWide = isAnyWide;
    let mask = 0;
    let isFiner = false;
    for (let measure = 0; measure < MEASURES; measure += 1) {
      const slot = single[measure] as number;
      if (slot >= 0) {
        const state = slotState[slot];
        if (state === EMPTY) mask |= 1 << measure;
        else if (state === WIDE) {
          valueIsWide[measure] = 1;
          valueBig[measure] = slotBig[slot] as bigint;
          valueResidue[measure] = slotResidue[slot] as bigint;
          isFiner ||= slotResidue[slot] !== 0n;
        } else {
          valueIsWide[measure] = 0;
          valueNanos[measure] = slotNanos[slot] as number;
          valueRest[measure] = slotRest[slot] as number;
        }
      } else if (slot === UNSTATED) mask |= 1 << measure;
      else if (slot === ZERO) {
        valueIsWide[measure] = 0;
        valueNanos[measure] = 0;
        valueRest[measure] = 0;
      } else if (!addTerms(program, measure)) mask |= 1 << measure;
      else if (valueIsWide[measure] === 1) {
        hasWide = true;
        isFiner ||= valueResidue[measure] !== 0n;
      }
    }
    return mask | (hasWide ? HAS_WIDE : 0) | (isFiner ? IS_FINER : 0);
  }

  /** A list price of 0 on usage that cost something is not free, it is not stated (billing.md rule 4): the file's total keeps the 0. */
  function withoutZeros(mask: number): number {
    if ((mask & 2) !== 0 || isZero(EFFECTIVE)) return mask;
    return mask | ((mask & 4) === 0 && isZero(LIST) ? 4 : 0) | ((mask & 8) === 0 && isZero(CONTRACTED) ? 8 : 0);
  }

  function isZero(measure: number): boolean {
    return valueIsWide[measure] === 0 && valueNanos[measure] === 0 && valueRest[measure] === 0;
  }

  /** Adds the row at hand to its cell, its hours and its delivery. `stated` is what `measuresOf` said, `mask` what the series does not state. */
  function post(entryIndex: number, entry: Entry, pairIndex: number, start: number, end: number, stated: number, mask: number): void {
    const statedMask = stated & ALL_MEASURES;
    const pair = pairs[pairIndex] as Pair;
    const day = Math.floor(start / 86_400);
    const cell = pairDay[pairIndex] === day ? (pairCell[pairIndex] as number) : findCell(pairIndex, day);
    const rows = (cellRows[cell] as number) + 1;
    cellRows[cell] = rows;
    const base = cell * COUNTERS;
    const { counters, isStated } = pair.totals;
    if ((stated & HAS_WIDE) !== 0) addWide(pair, cell, mask, statedMask);
    else {
      for (let measure = 0; measure < COSTS; measure += 1) {
        if ((statedMask & (1 << measure)) !== 0) continue;
        const at = measure * 2;
        const whole = valueNanos[measure] as number;
        const below = valueRest[measure] as number;
        isStated[measure] = true;
        const total = (counters[at] as number) + whole;
        counters[at] = total;
        if (total > COUNTER_LIMIT || total < -COUNTER_LIMIT) carryTotal(pair.totals, at);
        if (below !== 0) counters[at + 1] = (counters[at + 1] as number) + below;
        if ((mask & (1 << measure)) !== 0) continue;
        const sum = (cells[base + at] as number) + whole;
        cells[base + at] = sum;
        if (sum > COUNTER_LIMIT || sum < -COUNTER_LIMIT) carryCell(base + at, NANO);
        if (below !== 0) cells[base + at + 1] = (cells[base + at + 1] as number) + below;
      }
      for (let measure = COSTS; measure < MEASURES; measure += 1) {
        if ((mask & (1 << measure)) !== 0) continue;
        const at = base + COSTS + measure;
        const sum = (cells[at] as number) + (valueNanos[measure] as number);
        cells[at] = sum;
        if (sum > COUNTER_LIMIT || sum < -COUNTER_LIMIT) carryCell(at, 1n);
      }
    }
    // Rests stay below a nano each: after this many rows their sum could pass the counter.
    if ((rows & 0x1fffff) === 0) for (let at = base + 1; at < base + COSTS * 2; at += 2) carryRest(cells, cellCarried, at);
    if ((rowsPosted & 0x1fffff) === 0x1fffff) for (const delivery of deliveries.values()) for (const totals of delivery.totals.values()) carryTotals(totals);

    if (pairQuantity[pairIndex] !== 0 && end === end) addGpuHours(pairIndex, start, end);
    if (pairNeedsCorrection[pairIndex] === 1 && (mask & 2) === 0) makeCorrection(pairIndex, pair);
    if (pairBlock[pairIndex] !== blockNumber) {
      pairBlock[pairIndex] = blockNumber;
      blockPairs.push(pairIndex);
    }

    const { delivery } = pair;
    const { coverage } = delivery;
    if (day < coverage.firstDay) coverage.firstDay = day;
    if (day > coverage.lastDay) coverage.lastDay = day;
    delivery.rowCount += 1;
    rowsPosted += 1;
    entryRows[entryIndex] = (entryRows[entryIndex] as number) + 1;
    if (mask !== statedMask) {
      if (((mask ^ statedMask) & 4) !== 0) listZeroRows += 1;
      if (((mask ^ statedMask) & 8) !== 0) contractedZeroRows += 1;
    }
    if ((stated & IS_FINER) !== 0) finerRows += 1;
    if (entry.periodStart === null) monthAssumedRows += 1;
    if (cellCount >= bounds.cells || hoursCount >= bounds.hourDays) flush();
  }

  /** The columns of a chain of times as this file has them. */
  function linksOf(cell: TimeCell): readonly TimeLink[] {
    const link = { column: existing(cell.columns)[0] ?? -1, states: cell.states };
    return cell.otherwise === undefined ? [link] : [link, ...linksOf(cell.otherwise)];
  }

  /** Goes down the chain of starts: the link that states one, now in `time`; -1 where the row was set aside. */
  function findStart(scan: RecordScan): number {
    for (let link = firstLink; link < startChain.length; link += 1) {
      const cell = startChain[link];
      if (cell === undefined || cell.column === -1) continue;
      const state = readLink(scan, cell);
      if (state === TIME_READ) return link;
      if (state === NO_TIME) {
        refuseColumn(scan, "utc-time", cell.column);
        return -1;
      }
    }
    refuseColumn(scan, "utc-time", startColumn);
    return -1;
  }

  /** Reads a time of any kind into `time`; the answer is one of its codes. */
  function readLink(scan: RecordScan, cell: TimeLink | undefined): number {
    if (cell === undefined) return NO_TIME_STATED;
    const { column, states } = cell;
    if (states === undefined || states === "last-day") {
      const state = time.read(scan.bytes, fieldStart(scan, column), scan.ends[column] as number);
      if (state === TIME_READ && states === "last-day" && (time.seconds + secondsEast) % 86_400 === 0) time.seconds += 86_400;
      return state;
    }
    const text = cellText(scan, column).trim();
    time.isNullText = text !== "" && nullTexts.has(text.toLowerCase());
    if (text === "" || time.isNullText) return NO_TIME_STATED;
    if (states === "month" || states === "month-end") {
      const edge = monthEdge(text, states);
      if (edge === null) return NO_TIME;
      time.isZoneless = true;
      time.seconds = edge - secondsEast;
      return TIME_READ;
    }
    const range = /^(.+?)\s*(?:-|~|to|至|—)\s*(\d{4}[-/.]\d{1,2}[-/.].+)$/.exec(text);
    if (range === null) return NO_TIME;
    const edge = Buffer.from((states === "range-start" ? range[1] : range[2]) ?? "", "latin1");
    return time.read(edge, 0, edge.length);
  }

  // Columns and slots

  /** Columns that decide which entry a row belongs to, side by side in ranges: first and last column of each. */
  function dimensionRanges(): Int32Array {
    const wanted = new Set<number>();
    const want = (names: readonly string[]): void => {
      for (const name of names) {
        if (name.endsWith("*")) {
          for (const index of columnsStartingWith(name.slice(0, -1))) wanted.add(index);
        } else for (const index of existing([name])) wanted.add(index);
      }
    };
    for (const [, cell] of dimensionCells) want(cell.columns);
    for (const { choose } of measureCells) want(choose.columns);
    for (const cell of [charge.GpuHours, charge.correction, charge.gpu, ...(format.datasets === undefined ? [] : [format.datasets.ofRow])]) want(cell.columns);
    want(charge.BillingPeriodStart.columns);
    want(charge.BillingPeriodEnd.columns);
    const sorted = [...wanted].sort((a, b) => a - b);
    const edges: number[] = [];
    for (const index of sorted) {
      // Beyond what the kernel holds the last range takes all that follows: rows are then told apart more finely than need be.
      if (edges.length > 0 && (edges.at(-1) === index - 1 || edges.length === MOST_RANGES * 2)) edges[edges.length - 1] = index;
      else edges.push(index, index);
    }
    return Int32Array.from(edges);
  }

  function slotOf(term: MoneyTerm, isQuantity: boolean): number {
    const { columns, times } = term;
    const isPeriodHours = term.isPeriodHours === true && isQuantity;
    const amounts = term.amounts ?? null;
    const indices = existing(columns);
    const factors = times === undefined ? [] : existing(times);
    if (!isPeriodHours && (indices.length === 0 || (times !== undefined && factors.length === 0))) return -1;
    const key = isPeriodHours ? "period" : `${isQuantity ? "q" : "m"}${indices.join(",")}${amounts === null ? "" : `l${lists.indexOf(amounts) === -1 ? lists.push(amounts) - 1 : lists.indexOf(amounts)}`}${factors.length === 0 ? "" : `x${factors.join(",")}`}`;
    let slot = slotByKey.get(key);
    if (slot === undefined) {
      slot = slots.length;
      slots.push({ columns: indices, isQuantity, amounts, factors, isPeriodHours });
      slotByKey.set(key, slot);
    }
    return slot;
  }

  /** The program of a series: which sum each measure takes. */
  function programOf(row: DimensionRow): Program | CellTrouble {
    const cases: string[] = [];
    for (const cell of measureCells) {
      const chosen = cell.choose.read(row);
      if (isTrouble(chosen)) return chosen;
      cases.push(chosen);
    }
    const key = cases.join("\u0000");
    let program = programs.get(key);
    if (program === undefined) programs.set(key, (program = compile(cases)));
    return program;
  }

  function compile(cases: readonly string[]): Program {
    const used = new Set<number>();
    let statesCosts = false;
    const single = new Int32Array(MEASURES);
    const sums = measureCells.map((cell, measure) => {
      const name = cases[measure] ?? "";
      const terms = Object.hasOwn(cell.sums, name) ? cell.sums[name] : cell.sums["otherwise"];
      if (terms === null || terms === undefined) {
        single[measure] = UNSTATED;
        return null;
      }
      const compiled = terms.map((term) => ({ slot: slotOf(term, measure >= COSTS), sign: term.sign, isOptional: term.isOptional }));
      const isMissing = compiled.some(({ slot, isOptional }) => slot === -1 && !isOptional);
      const present = compiled.filter(({ slot }) => slot !== -1);
      if (terms.length === 0) single[measure] = ZERO;
      else if (isMissing || present.length === 0) single[measure] = UNSTATED;
      else {
        for (const { slot } of present) used.add(slot);
        if (measure < COSTS) statesCosts = true;
        const [only] = present;
        single[measure] = present.length === 1 && only !== undefined && only.sign === 1 ? only.slot : SUM;
      }
      return present;
    });
    const plain = [...used].filter((slot) => slotIsWorkedOut[slot] !== true);
    const list = tables.lists.length;
    const listed = slotCount <= MOST_SLOTS && list + plain.length * 2 <= MOST_LISTED ? plain.length : 0;
    if (listed > 0) tables = { ...tables, lists: Int32Array.from([...tables.lists, ...plain.flatMap((slot) => [slotColumn[slot] as number, slot * 2 + (slotIsQuantity[slot] === true ? 1 : 0)])]) };
    return { slots: Int32Array.from(used), isPlain: plain.length === used.size, list: LISTS + list * 4, listed, single, sums, statesCosts };
  }

  /** What the kernel reads of every row: the times and every slot that is a plain cell. null where rows must be looked at one by one. */
  function planOfRows(): RowPlan | null {
    if (onRow !== undefined || startColumn === -1 || !isPlainStart || (endColumn !== -1 && !isPlainEnd)) return null;
    const plainCells = slots.flatMap(({ columns, isQuantity, amounts, factors, isPeriodHours }, slot) =>
      amounts !== null || factors.length > 0 || isPeriodHours ? [] : columns.flatMap((column, index) => [column, slot * 4 + (index > 0 ? 2 : 0) + (isQuantity ? 1 : 0)]),
    );
    if (columnCount > MOST_ROW_COLUMNS || slotCount > MOST_ROW_SLOTS || plainCells.length > MOST_ROW_CELLS * 2) return null;
    return { columns: columnCount, mark: mark.charCodeAt(0), startColumn, endColumn, cells: Int32Array.from(plainCells), slots: slotCount };
  }

  /** Adds up a measure that is a sum of several columns; false when it is unknown. */
  function addTerms(program: Program, measure: number): boolean {
    const terms = program.sums[measure];
    if (terms === null || terms === undefined) return false;
    let nanos = 0;
    let rest = 0;
    let isStated = false;
    let isWide = false;
    for (const { slot, isOptional } of terms) {
      const state = slotState[slot];
      if (state === EMPTY) {
        if (!isOptional) return false;
        continue;
      }
      isStated = true;
      if (state === WIDE) isWide = true;
    }
    if (!isStated) return false;
    for (const { slot, sign } of terms) {
      if (slotState[slot] === EMPTY || isWide) continue;
      nanos += sign * (slotNanos[slot] as number);
      rest += sign * (slotRest[slot] as number);
    }
    if (!isWide && nanos < COUNTER_LIMIT && nanos > -COUNTER_LIMIT) {
      valueIsWide[measure] = 0;
      valueNanos[measure] = nanos;
      valueRest[measure] = rest;
      return true;
    }
    let attos = 0n;
    let residue = 0n;
    for (const { slot, sign } of terms) {
      if (slotState[slot] === EMPTY) continue;
      const value = slotState[slot] === WIDE ? (slotBig[slot] as bigint) : attosOf(slotNanos[slot] as number, slotRest[slot] as number);
      attos += BigInt(sign) * value;
      if (slotState[slot] === WIDE) residue += BigInt(sign) * (slotResidue[slot] as bigint);
    }
    valueIsWide[measure] = 1;
    valueBig[measure] = attos;
    valueResidue[measure] = residue;
    return true;
  }

  function workOut(scan: RecordScan, slot: number, seconds: number): number {
    if ((slots[slot] as Slot).isPeriodHours) {
      if (Number.isNaN(seconds)) return EMPTY;
      // Nanos of an hour's parts: whole hours and minutes are exact.
      slotNanos[slot] = Math.round((seconds * NANOS_AN_HOUR_NINTH) / 9);
      slotRest[slot] = 0;
      return READ;
    }
    return (slots[slot] as Slot).amounts === null ? readProduct(scan, slot) : readList(scan, slot);
  }

  /** A price times a quantity, into the price's slot; nothing where either is not stated. */
  function readProduct(scan: RecordScan, slot: number): number {
    const { columns, factors } = slots[slot] as Slot;
    const [price, quantity] = [columns, factors].map((choices) => {
      const text = choices.map((column) => (textOf(scan.bytes, fieldStart(scan, column), scan.ends[column] as number) ?? "").trim()).find((each) => each !== "" && !nullTexts.has(each.toLowerCase()));
      return text === undefined ? null : readExact(text, mark);
    });
    if (price === null || price === undefined || quantity === null || quantity === undefined) return EMPTY;
    if (price === "no-decimal" || quantity === "no-decimal") return NO_DECIMAL;
    if (price === "out-of-range" || quantity === "out-of-range") return OUT_OF_RANGE;
    const attos = divideHalfEven(price * quantity, 10n ** BigInt(2 * RESIDUE_DECIMALS - ATTO_DECIMALS));
    if (attos >= ATTOS_LIMIT || attos <= -ATTOS_LIMIT) return OUT_OF_RANGE;
    slotNanos[slot] = 0;
    slotRest[slot] = 0;
    slotBig[slot] = attos;
    slotResidue[slot] = 0n;
    return attos === 0n ? READ : WIDE;
  }

  /** A cell that holds a list of amounts, into its slot as their sum. An empty list states nothing. */
  function readList(scan: RecordScan, slot: number): number {
    const { columns, amounts } = slots[slot] as Slot;
    const column = columns[0] as number;
    const text = textOf(scan.bytes, fieldStart(scan, column), scan.ends[column] as number);
    if (text === null) return NO_DECIMAL;
    if (text.trim() === "") return EMPTY;
    const stated = amounts?.(text) ?? null;
    if (stated === null) return NO_DECIMAL;
    if (stated.length === 0) return EMPTY;
    let sum = 0n;
    for (const each of stated) {
      const exact = readExact(each, ".");
      if (exact === "no-decimal") return NO_DECIMAL;
      if (exact === "out-of-range") return OUT_OF_RANGE;
      sum += exact;
    }
    const attos = divideHalfEven(sum, 10n ** BigInt(RESIDUE_DECIMALS - ATTO_DECIMALS));
    if (attos >= ATTOS_LIMIT || attos <= -ATTOS_LIMIT) return OUT_OF_RANGE;
    slotBig[slot] = attos;
    slotResidue[slot] = sum - attos * 10n ** BigInt(RESIDUE_DECIMALS - ATTO_DECIMALS);
    return WIDE;
  }

  function costColumn(program: Program): string {
    const slot = [...program.single.subarray(0, COSTS)].find((candidate) => candidate >= 0);
    return header[slot === undefined ? 0 : (slotColumn[slot] as number)] ?? "";
  }

  // Entries

  function findEntry(scan: RecordScan): number {
    const { kernel } = scan;
    kernel.prepare(tables);
    kernel.hashRanges(scan.start, rangeCount);
    const a = kernel.answer[0] as number;
    const b = kernel.answer[1] as number;
    const known = knownEntry(a, b);
    return known === -1 ? addEntry(scan, a, b) : known;
  }

  function knownEntry(a: number, b: number): number {
    const tableMask = table.length - 1;
    let place = a & tableMask;
    for (;;) {
      const found = (table[place] as number) - 1;
      if (found === -1 || (hashA[found] === a && hashB[found] === b)) return found;
      place = (place + 1) & tableMask;
    }
  }

  function addEntry(scan: RecordScan, a: number, b: number): number {
    const index = entries.length;
    lastRead = null;
    entries.push(shared(makeEntry(scan, index)));
    if (index >= hashA.length) {
      hashA = grown(hashA);
      hashB = grown(hashB);
      entryMask = grown(entryMask);
      entryPeriod = grown(entryPeriod);
      entryMonth = grown(entryMonth);
      entryPair = grown(entryPair);
      entryRows = grown(entryRows);
    }
    hashA[index] = a;
    hashB[index] = b;
    entryPair[index] = -1;
    let place = a & (table.length - 1);
    while (table[place] !== 0) place = (place + 1) & (table.length - 1);
    table[place] = index + 1;
    if (entries.length * 2 > table.length) {
      table = new Int32Array(table.length * 2);
      for (let known = 0; known < entries.length; known += 1) {
        let free = (hashA[known] as number) & (table.length - 1);
        while (table[free] !== 0) free = (free + 1) & (table.length - 1);
        table[free] = known + 1;
      }
    }
    return index;
  }

  function makeEntry(scan: RecordScan, index: number): Entry {
    const reading = readRow(scan);
    const none = { program: null, repairs: noRepairs, hasNullText: false, isZoneless: false, periodStart: null, periodEnd: null, isUsage: false };
    if (reading.undecodable !== null) return { ...none, trouble: reading.undecodable };
    const values = dimensions(reading.row);
    if (isTrouble(values)) return { ...none, trouble: values };
    const program = programOf(reading.row);
    if (isTrouble(program)) return { ...none, trouble: program };
    let periodStart = periodEdge(scan, periodStartColumn, charge.BillingPeriodStart);
    if (isTrouble(periodStart)) return { ...none, trouble: periodStart };
    lastRead = { entry: index, row: reading.row, values };
    const startZoneless = periodStart !== null && time.isZoneless;
    let periodEnd = periodEdge(scan, periodEndColumn, charge.BillingPeriodEnd);
    if (isTrouble(periodEnd)) return { ...none, trouble: periodEnd };
    const endZoneless = periodEnd !== null && time.isZoneless;
    if (periodStart !== null && isBeijingMonth(periodStart)) {
      reading.row.repaired("billing-period-beijing");
      periodStart += BEIJING_SECONDS;
      // Its end may be stated as the last second.
      if (periodEnd !== null) periodEnd += BEIJING_SECONDS + (periodEnd % 60 === 59 ? 1 : 0);
    }
    if (periodStart !== null && periodEnd !== null && periodEnd < periodStart) {
      reading.row.repaired("billing-period-reversed");
      [periodStart, periodEnd] = [periodEnd, periodStart];
    }
    return {
      trouble: null,
      program,
      repairs: reading.repairs().size === 0 ? noRepairs : [...reading.repairs()],
      hasNullText: reading.hasNullText(),
      isZoneless: startZoneless || endZoneless,
      periodStart,
      periodEnd,
      isUsage: values["ChargeCategory"] === "Usage" && String(values["CommitmentDiscountStatus"]).toLowerCase() !== "unused",
    };
  }

  /** Most entries are alike but for their bytes: one object stands for them all. */
  function shared(entry: Entry): Entry {
    if (entry.trouble !== null || entry.program === null) return entry;
    let number = programNumbers.get(entry.program);
    if (number === undefined) programNumbers.set(entry.program, (number = programNumbers.size));
    const key = JSON.stringify({ ...entry, program: number });
    const known = sharedEntries.get(key);
    if (known !== undefined) return known;
    sharedEntries.set(key, entry);
    return entry;
  }

  function periodEdge(scan: RecordScan, column: number, { states }: TimeCell): number | null | CellTrouble {
    if (column === -1) return null;
    const from = fieldStart(scan, column);
    if (states === "month" || states === "month-end") {
      time.isZoneless = false;
      const text = cellText(scan, column).trim();
      if (text === "" || nullTexts.has(text.toLowerCase())) return null;
      return monthEdge(text, states) ?? { trouble: "utc-time", column: header[column] ?? "", value: text };
    }
    const state = time.read(scan.bytes, from, scan.ends[column] as number);
    if (state === NO_TIME) return { trouble: "utc-time", column: header[column] ?? "", value: cellText(scan, column) };
    if (state === NO_TIME_STATED) return null;
    // A billing period is one of the calendar, whatever the zone of its days.
    const seconds = time.isZoneless ? time.seconds + secondsEast : time.seconds;
    return states === "last-day" ? afterLastDay(seconds) : seconds;
  }

  /** The record's dimensions as the cells of a format see them. */
  function readRow(scan: RecordScan): { row: DimensionRow; repairs(): Set<string>; hasNullText(): boolean; undecodable: CellTrouble | null } {
    const repaired = new Set<string>();
    let hasNullText = false;
    let undecodable: CellTrouble | null = null;
    const texts = new Map<number, string | null>();
    const textAt = (column: number): string | null => {
      const known = texts.get(column);
      if (known !== undefined) return known;
      const text = textOf(scan.bytes, fieldStart(scan, column), scan.ends[column] as number);
      if (text === null) undecodable ??= { trouble: "text-encoding", column: header[column] ?? "", value: cellText(scan, column) };
      // A tab at the edge keeps spreadsheets from rounding long numbers; it is no part of the text.
      let stated: string | null = text === null || text.trim() === "" ? null : text.replace(/^\t+|\t+$/g, "");
      if (stated !== null && nullTexts.has(stated.trim().toLowerCase())) {
        hasNullText = true;
        stated = null;
      }
      texts.set(column, stated);
      return stated;
    };
    let recognized: GpuRecognition | null | undefined;
    const row: DimensionRow = {
      text(...names) {
        for (const name of names) {
          const column = indexOf(name);
          const text = column === null ? null : textAt(column);
          if (text !== null) return text;
        }
        return null;
      },
      has: (name) => indexOf(name) !== null,
      startingWith(prefix) {
        const found: { name: string; value: string }[] = [];
        for (const column of columnsStartingWith(prefix)) {
          const value = textAt(column);
          if (value !== null) found.push({ name: header[column] ?? "", value });
        }
        return found;
      },
      gpu() {
        if (recognized === undefined) {
          const evidence = charge.gpu.read(row);
          recognized = evidence === null || isTrouble(evidence) ? null : recognizeOnce(evidence);
        }
        return recognized;
      },
      repaired: (name) => void repaired.add(name),
      fact: (name) => facts[name] ?? null,
    };
    // Texts are decoded first, so that what is no text is met before any cell makes something of it.
    for (let range = 0; range < rangeCount; range += 1) for (let column = ranges[range * 2] as number; column <= (ranges[range * 2 + 1] as number); column += 1) textAt(column);
    return { row, repairs: () => repaired, hasNullText: () => hasNullText, undecodable };
  }

  /** Resources come and go by the hundred thousand; what they say of their machine is the same few texts. */
  function recognizeOnce(evidence: GpuChargeEvidence): GpuRecognition | null {
    const key = JSON.stringify(evidence);
    let recognition = recognitions.get(key);
    if (recognition === undefined) {
      if (recognitions.size >= MOST_RECOGNITIONS) recognitions.clear();
      recognitions.set(key, (recognition = recognizeGpuCharge(reference, evidence)));
    }
    return recognition;
  }

  function dimensions(row: DimensionRow): Record<string, unknown> | CellTrouble {
    const values: Record<string, unknown> = {};
    for (const [column, cell] of dimensionCells) {
      const value = cell.read(row);
      if (isTrouble(value)) return value;
      values[column] = value;
    }
    return values;
  }

  // Pairs

  /** -1 where there is none yet. One variant an entry is the rule: only the others are looked for by name. */
  function knownPair(entryIndex: number, mask: number, seconds: number, month: number): number {
    if (entryMask[entryIndex] === mask && entryPeriod[entryIndex] === seconds && entryMonth[entryIndex] === month) return entryPair[entryIndex] as number;
    return (entryPair[entryIndex] as number) < 0 ? -1 : (variants.get(`${entryIndex} ${mask} ${seconds} ${month}`) ?? -1);
  }

  function makePair(scan: RecordScan, entryIndex: number, mask: number, seconds: number, month: number): number {
    const entry = entries[entryIndex] as Entry;
    // Almost always the entry was made from this very record: its texts need not be decoded twice.
    const row = lastRead?.entry === entryIndex ? lastRead.row : readRow(scan).row;
    const dimensionValues = lastRead?.entry === entryIndex ? lastRead.values : dimensions(row);
    lastRead = null;
    const values = { ...dimensionValues, x_Correction: null, x_PeriodSeconds: seconds === 0 ? null : seconds } as unknown as Series;
    const { seriesId, accountKey } = staging.series(values, mask);
    const kind = format.datasets?.ofRow.read(row);
    const delivery = deliveryOf(values, entry, month, kind === undefined || isTrouble(kind) ? datasetKind : kind);
    delivery.coverage.accounts.add(accountKey);
    const correction = charge.correction.read(row);
    const rule = charge.GpuHours.read(row);
    const statedRule = rule === null || isTrouble(rule) || (mask & nullBits[rule.quantity]) !== 0 ? null : rule;
    const index = pairs.length;
    let totals = delivery.totals.get(values.BillingCurrency);
    if (totals === undefined) delivery.totals.set(values.BillingCurrency, (totals = newTotals()));
    pairs.push({
      seriesId,
      delivery,
      currency: values.BillingCurrency,
      mask,
      hours: statedRule,
      correction: correction === null || isTrouble(correction) ? null : { ...values, x_Correction: correction },
      correctionId: 0,
      totals,
    });
    if (index >= pairDay.length) {
      pairDay = grown(pairDay);
      pairCell = grown(pairCell);
      pairHourDay = grown(pairHourDay);
      pairHours = grown(pairHours);
      pairBlock = grown(pairBlock);
      pairQuantity = grown(pairQuantity);
      pairNeedsCorrection = grown(pairNeedsCorrection);
    }
    pairDay[index] = NO_DAY;
    pairHourDay[index] = NO_DAY;
    pairBlock[index] = -1;
    pairQuantity[index] = statedRule === null || values.x_GpuModel === null ? 0 : 1 + measureNames.indexOf(statedRule.quantity);
    pairNeedsCorrection[index] = correction !== null && !isTrouble(correction) ? 1 : 0;
    if ((entryPair[entryIndex] as number) >= 0) variants.set(`${entryIndex} ${mask} ${seconds} ${month}`, index);
    else {
      entryMask[entryIndex] = mask;
      entryPeriod[entryIndex] = seconds;
      entryMonth[entryIndex] = month;
      entryPair[entryIndex] = index;
    }
    return index;
  }

  function deliveryOf(values: Series, entry: Entry, month: number, kind: DatasetKind): Delivery {
    const start = entry.periodStart ?? Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000;
    const end = entry.periodEnd ?? nextMonth(start);
    const period = `${values.ProviderName ?? "\u0000"}\u0001${values.BillingAccountId ?? "\u0000"}\u0001${start}\u0001${end}`;
    let coverage = coverages.get(period);
    if (coverage === undefined) coverages.set(period, (coverage = { accounts: new Set(), firstDay: Infinity, lastDay: -Infinity }));
    for (const each of new Set([kind, ...fileKinds])) {
      const key = `${period}\u0001${each}`;
      if (deliveries.has(key)) continue;
      const group: GroupKey = {
        ProviderName: values.ProviderName,
        DatasetKind: each,
        BillingAccountId: values.BillingAccountId,
        BillingPeriodStart: isoOfSeconds(start),
        BillingPeriodEnd: isoOfSeconds(end),
      };
      deliveries.set(key, { deliveryId: staging.delivery(group), key: group, coverage, totals: new Map(), corrections: new Map(), rowCount: 0 });
    }
    return deliveries.get(`${period}\u0001${kind}`) as Delivery;
  }

  function makeCorrection(pairIndex: number, pair: Pair): void {
    if (valueIsWide[EFFECTIVE] === 0 && valueNanos[EFFECTIVE] === 0 && valueRest[EFFECTIVE] === 0) return;
    pairNeedsCorrection[pairIndex] = 0;
    // A correction states the effective cost and nothing else.
    if (pair.correction !== null) pair.correctionId = staging.series(pair.correction, 63 & ~nullBits.EffectiveCost).seriesId;
  }

  // Cells

  function findCell(pairIndex: number, day: number): number {
    const tableMask = cellTable.length - 1;
    let place = mixed(pairIndex, day) & tableMask;
    let cell: number;
    for (;;) {
      cell = (cellTable[place] as number) - 1;
      if (cell === -1) break;
      if (cellPair[cell] === pairIndex && cellDay[cell] === day) {
        pairDay[pairIndex] = day;
        pairCell[pairIndex] = cell;
        return cell;
      }
      place = (place + 1) & tableMask;
    }
    cell = cellCount;
    cellCount += 1;
    if (cell >= cellRows.length) {
      cells = grown(cells);
      cellRows = grown(cellRows);
      cellPair = grown(cellPair);
      cellDay = grown(cellDay);
    }
    cells.fill(0, cell * COUNTERS, (cell + 1) * COUNTERS);
    cellRows[cell] = 0;
    cellPair[cell] = pairIndex;
    cellDay[cell] = day;
    cellTable[place] = cell + 1;
    if (cellCount * 2 > cellTable.length) cellTable = rehashed(cellTable.length * 2, cellCount, cellPair, cellDay);
    pairDay[pairIndex] = day;
    pairCell[pairIndex] = cell;
    return cell;
  }

  function carryCell(at: number, unit: bigint): void {
    cellCarried.set(at, (cellCarried.get(at) ?? 0n) + BigInt(cells[at] as number) * unit);
    cells[at] = 0;
  }

  function addWide(pair: Pair, cell: number, mask: number, statedMask: number): void {
    const { totals } = pair;
    for (let measure = 0; measure < MEASURES; measure += 1) {
      if ((statedMask & (1 << measure)) !== 0) continue;
      const isWide = valueIsWide[measure] === 1;
      if (measure < COSTS) {
        const attos = isWide ? (valueBig[measure] as bigint) : attosOf(valueNanos[measure] as number, valueRest[measure] as number);
        totals.isStated[measure] = true;
        totals.carried[measure] = (totals.carried[measure] as bigint) + attos;
        if (isWide) totals.residue[measure] = (totals.residue[measure] as bigint) + (valueResidue[measure] as bigint);
        if ((mask & (1 << measure)) === 0) {
          const at = cell * COUNTERS + measure * 2;
          cellCarried.set(at, (cellCarried.get(at) ?? 0n) + attos);
        }
      } else {
        const at = cell * COUNTERS + COSTS + measure;
        cellCarried.set(at, (cellCarried.get(at) ?? 0n) + (isWide ? (valueBig[measure] as bigint) : BigInt(valueNanos[measure] as number)));
      }
    }
  }

  // Hours

  function addGpuHours(pairIndex: number, start: number, end: number): void {
    const first = Math.floor(start / 3600);
    const last = end > start ? Math.floor((end - 1) / 3600) : first;
    const measure = (pairQuantity[pairIndex] as number) - 1;
    if (first === last && valueIsWide[measure] === 0 && valueIsWide[EFFECTIVE] === 0) {
      const day = Math.floor(first / HOURS_A_DAY);
      const hour = first - day * HOURS_A_DAY;
      const block = pairHourDay[pairIndex] === day ? (pairHours[pairIndex] as number) : findHours(pairIndex, day);
      const at = (block * HOURS_A_DAY + hour) * HOUR_COUNTERS;
      hoursUsed[block] = (hoursUsed[block] as number) | (1 << hour);
      hours[at] = (hours[at] as number) + (valueNanos[measure] as number);
      const sum = (hours[at + 1] as number) + (valueNanos[EFFECTIVE] as number);
      hours[at + 1] = sum;
      hours[at + 2] = (hours[at + 2] as number) + (valueRest[EFFECTIVE] as number);
      if (sum > COUNTER_LIMIT || sum < -COUNTER_LIMIT) carryHour(at + 1);
      return;
    }
    const wholeHours = (end - start) / 3600;
    if (valueIsWide[measure] === 0 && valueIsWide[EFFECTIVE] === 0 && start % 3600 === 0 && wholeHours <= MOST_SPLIT_HOURS && Number.isInteger(wholeHours)) {
      splitOverHours(pairIndex, first, wholeHours, valueNanos[measure] as number);
      return;
    }
    // A charge over several hours is split by its seconds in each: what is due up to an hour's end, rounded down, less what was given before.
    const quantity = valueIsWide[measure] === 1 ? (valueBig[measure] as bigint) : BigInt(valueNanos[measure] as number);
    const isCostStated = ((pairs[pairIndex] as Pair).mask & nullBits.EffectiveCost) === 0;
    const attos = !isCostStated ? 0n : valueIsWide[EFFECTIVE] === 1 ? (valueBig[EFFECTIVE] as bigint) : attosOf(valueNanos[EFFECTIVE] as number, valueRest[EFFECTIVE] as number);
    const whole = BigInt(Math.max(1, end - start));
    let givenQuantity = 0n;
    let givenAttos = 0n;
    for (let hour = first; hour <= last; hour += 1) {
      const passed = hour === last ? whole : BigInt((hour + 1) * 3600 - start);
      const dueQuantity = floorDivide(quantity * passed, whole);
      const dueAttos = floorDivide(attos * passed, whole);
      const day = Math.floor(hour / HOURS_A_DAY);
      const block = pairHourDay[pairIndex] === day ? (pairHours[pairIndex] as number) : findHours(pairIndex, day);
      const at = (block * HOURS_A_DAY + (hour - day * HOURS_A_DAY)) * HOUR_COUNTERS;
      hoursUsed[block] = (hoursUsed[block] as number) | (1 << (hour - day * HOURS_A_DAY));
      if (first !== last) hoursSpread[block] = (hoursSpread[block] as number) | (1 << (hour - day * HOURS_A_DAY));
      hoursCarried.set(at, (hoursCarried.get(at) ?? 0n) + dueQuantity - givenQuantity);
      hoursCarried.set(at + 1, (hoursCarried.get(at + 1) ?? 0n) + dueAttos - givenAttos);
      givenQuantity = dueQuantity;
      givenAttos = dueAttos;
    }
  }

  /**
   * The same split for whole hours (a day's row, mostly), in doubles: what is due after k of n hours is floor(q k / n), which is
   * floor(q / n) k + floor((q mod n) k / n), and each of these stays a whole number below 2^53. Below a nano the same again.
   */
  function splitOverHours(pairIndex: number, first: number, count: number, quantity: number): void {
    const isCostStated = ((pairs[pairIndex] as Pair).mask & nullBits.EffectiveCost) === 0;
    const nanos = isCostStated ? (valueNanos[EFFECTIVE] as number) : 0;
    const rest = isCostStated ? (valueRest[EFFECTIVE] as number) : 0;
    const quantityEach = Math.floor(quantity / count);
    const quantityLeft = quantity - quantityEach * count;
    const nanosEach = Math.floor(nanos / count);
    const attosLeft = (nanos - nanosEach * count) * 1e9 + rest;
    let givenQuantity = 0;
    let givenAttos = 0;
    let day = NO_DAY;
    let block = 0;
    for (let index = 0; index < count; index += 1) {
      const hour = first + index;
      const dayOfHour = Math.floor(hour / HOURS_A_DAY);
      if (dayOfHour !== day) {
        day = dayOfHour;
        block = pairHourDay[pairIndex] === day ? (pairHours[pairIndex] as number) : findHours(pairIndex, day);
      }
      const hourOfDay = hour - day * HOURS_A_DAY;
      const at = (block * HOURS_A_DAY + hourOfDay) * HOUR_COUNTERS;
      const dueQuantity = Math.floor((quantityLeft * (index + 1)) / count);
      const dueAttos = Math.floor((attosLeft * (index + 1)) / count);
      const attos = dueAttos - givenAttos;
      const carried = Math.floor(attos / 1e9);
      hoursUsed[block] = (hoursUsed[block] as number) | (1 << hourOfDay);
      if (count > 1) hoursSpread[block] = (hoursSpread[block] as number) | (1 << hourOfDay);
      hours[at] = (hours[at] as number) + quantityEach + dueQuantity - givenQuantity;
      const sum = (hours[at + 1] as number) + nanosEach + carried;
      hours[at + 1] = sum;
      hours[at + 2] = (hours[at + 2] as number) + attos - carried * 1e9;
      if (sum > COUNTER_LIMIT || sum < -COUNTER_LIMIT) carryHour(at + 1);
      givenQuantity = dueQuantity;
      givenAttos = dueAttos;
    }
  }

  function findHours(pairIndex: number, day: number): number {
    const tableMask = hoursTable.length - 1;
    let place = mixed(pairIndex, day) & tableMask;
    let block: number;
    for (;;) {
      block = (hoursTable[place] as number) - 1;
      if (block === -1) break;
      if (hoursPair[block] === pairIndex && hoursDay[block] === day) {
        pairHourDay[pairIndex] = day;
        pairHours[pairIndex] = block;
        return block;
      }
      place = (place + 1) & tableMask;
    }
    block = hoursCount;
    hoursCount += 1;
    if (block >= hoursUsed.length) {
      hours = grown(hours);
      hoursUsed = grown(hoursUsed);
      hoursSpread = grown(hoursSpread);
      hoursPair = grown(hoursPair);
      hoursDay = grown(hoursDay);
    }
    hours.fill(0, block * HOURS_A_DAY * HOUR_COUNTERS, (block + 1) * HOURS_A_DAY * HOUR_COUNTERS);
    hoursUsed[block] = 0;
    hoursSpread[block] = 0;
    hoursPair[block] = pairIndex;
    hoursDay[block] = day;
    hoursTable[place] = block + 1;
    if (hoursCount * 2 > hoursTable.length) hoursTable = rehashed(hoursTable.length * 2, hoursCount, hoursPair, hoursDay);
    touchedGpuDays.add(day);
    pairHourDay[pairIndex] = day;
    pairHours[pairIndex] = block;
    return block;
  }

  function carryHour(at: number): void {
    hoursCarried.set(at, (hoursCarried.get(at) ?? 0n) + BigInt(hours[at] as number) * NANO);
    hours[at] = 0;
  }

  // Writing down

  function flush(): void {
    flushCells();
    flushHours();
    staging.settle();
  }

  function flushCells(): void {
    const order = new Int32Array(cellCount);
    for (let index = 0; index < cellCount; index += 1) order[index] = index;
    const deliveryIds = Float64Array.from(pairs, ({ delivery }) => delivery.deliveryId);
    const seriesIds = Float64Array.from(pairs, ({ seriesId }) => seriesId);
    // In the order of the table's key: random order costs two to five times (performance.md section 3).
    order.sort((a, b) => {
      const pairA = cellPair[a] as number;
      const pairB = cellPair[b] as number;
      return (
        (deliveryIds[pairA] as number) - (deliveryIds[pairB] as number) ||
        (cellDay[a] as number) - (cellDay[b] as number) ||
        (seriesIds[pairA] as number) - (seriesIds[pairB] as number)
      );
    });
    const rows: CellRow[] = [];
    const corrections: CellRow[] = [];
    for (const cell of order) {
      rows.push(cellRow(cell, corrections));
      if (rows.length >= 4096) staging.cells(rows.splice(0));
    }
    staging.cells(rows);
    staging.cells(corrections);
    cellCount = 0;
    cellTable.fill(0);
    cellCarried.clear();
    pairDay.fill(NO_DAY);
  }

  function cellRow(cell: number, corrections: CellRow[]): CellRow {
    const pair = pairs[cellPair[cell] as number] as Pair;
    const base = cell * COUNTERS;
    const row: (number | bigint | null)[] = [pair.delivery.deliveryId, cellDay[cell] as number, pair.seriesId, cellRows[cell] as number];
    for (let measure = 0; measure < COSTS; measure += 1) {
      if ((pair.mask & (1 << measure)) !== 0) {
        row.push(null, null);
        continue;
      }
      const at = base + measure * 2;
      const carried = cellCarried.get(at);
      const { nanos, rest } = carried === undefined ? joined(cells[at] as number, cells[at + 1] as number) : split(carried + attosOf(cells[at] as number, cells[at + 1] as number));
      row.push(nanos, rest);
    }
    let hoursValue: number | null = null;
    for (let measure = COSTS; measure < MEASURES; measure += 1) {
      const at = base + COSTS + measure;
      const isUnstated = (pair.mask & (1 << measure)) !== 0;
      const total = Number(cellCarried.get(at) ?? 0n) + (cells[at] as number);
      row.push(isUnstated ? null : total / 1e9);
      if (!isUnstated && pair.hours !== null && measureNames[measure] === pair.hours.quantity) hoursValue = (total * pair.hours.hoursAUnit) / 1e9;
    }
    row.push(hoursValue);
    if (pair.correctionId !== 0) {
      const at = base + EFFECTIVE * 2;
      const attos = -((cellCarried.get(at) ?? 0n) + attosOf(cells[at] as number, cells[at + 1] as number));
      if (attos !== 0n) {
        const { nanos, rest } = split(attos);
        corrections.push([pair.delivery.deliveryId, cellDay[cell] as number, pair.correctionId, 0, null, null, nanos, rest, null, null, null, null, null, null, null]);
        const { currency } = pair;
        let totals = pair.delivery.corrections.get(currency);
        if (totals === undefined) pair.delivery.corrections.set(currency, (totals = newTotals()));
        totals.isStated[EFFECTIVE] = true;
        totals.carried[EFFECTIVE] = (totals.carried[EFFECTIVE] as bigint) + attos;
      }
    }
    return row;
  }

  function flushHours(): void {
    const order = new Int32Array(hoursCount);
    for (let index = 0; index < hoursCount; index += 1) order[index] = index;
    order.sort((a, b) => (hoursPair[a] as number) - (hoursPair[b] as number) || (hoursDay[a] as number) - (hoursDay[b] as number));
    let pending: { pair: Pair; month: string; hours: Map<number, GpuChargeHour> } | null = null;
    for (const block of order) {
      const pair = pairs[hoursPair[block] as number] as Pair;
      const day = hoursDay[block] as number;
      const month = new Date(day * 86_400_000).toISOString().slice(0, 7);
      if (pending === null || pending.pair !== pair || pending.month !== month) {
        if (pending !== null) staging.gpuHours(pending.pair.delivery.deliveryId, pending.pair.seriesId, pending.month, pending.hours);
        pending = { pair, month, hours: new Map() };
      }
      const firstHour = (day - Date.parse(`${month}-01T00:00:00Z`) / 86_400_000) * HOURS_A_DAY;
      const isCostStated = (pair.mask & nullBits.EffectiveCost) === 0;
      for (let hour = 0; hour < HOURS_A_DAY; hour += 1) {
        if (((hoursUsed[block] as number) & (1 << hour)) === 0) continue;
        const at = (block * HOURS_A_DAY + hour) * HOUR_COUNTERS;
        const quantity = (hours[at] as number) + Number(hoursCarried.get(at) ?? 0n);
        pending.hours.set(firstHour + hour, {
          hour: firstHour + hour,
          gpuHours: (quantity * (pair.hours?.hoursAUnit ?? 0)) / 1e9,
          effectiveAttos: isCostStated ? (hoursCarried.get(at + 1) ?? 0n) + attosOf(hours[at + 1] as number, hours[at + 2] as number) : null,
          ...(((hoursSpread[block] as number) & (1 << hour)) === 0 ? {} : { isSpread: true }),
        });
      }
    }
    if (pending !== null) staging.gpuHours(pending.pair.delivery.deliveryId, pending.pair.seriesId, pending.month, pending.hours);
    hoursCount = 0;
    hoursTable.fill(0);
    hoursCarried.clear();
    pairHourDay.fill(NO_DAY);
  }

  // Blocks and rows set aside

  function openBlock({ byte, line, record }: { readonly byte: number; readonly line: number; readonly record: number }): void {
    closeBlock();
    blockNumber = Math.floor(byte / BLOCK_BYTES);
    blockEnd = (blockNumber + 1) * BLOCK_BYTES;
    blockPlace = { firstByte: byte, firstLine: line, firstRecord: record };
  }

  function closeBlock(): void {
    if (blockNumber === -1) return;
    const ids = Uint32Array.from(new Set(blockPairs.map((index) => (pairs[index] as Pair).seriesId))).sort();
    staging.block(fileId, { number: blockNumber, ...blockPlace, seriesIds: ids });
    blockPairs = [];
    staging.settle();
  }

  function cellText(scan: RecordScan, column: number): string {
    const from = fieldStart(scan, column);
    const to = scan.ends[column] as number;
    return (textOf(scan.bytes, from, to) ?? Buffer.from(scan.bytes.buffer, from, to - from).toString("latin1")).slice(0, LONGEST_VALUE);
  }

  function refuseColumn(scan: RecordScan, reason: Expected, column: number): void {
    refuse(scan, reason, header[column] ?? "", cellText(scan, column));
  }

  function refuse(scan: RecordScan, reason: Expected, column: string, value: string): void {
    rowsSetAside += 1;
    if (setAside.length >= MOST_SET_ASIDE) return;
    const entry: SetAsideEntry = { line: scan.line, column, value: value.slice(0, LONGEST_VALUE), reason };
    setAside.push(entry);
    const raw = textOf(scan.bytes, scan.start, scan.end);
    staging.setAside(fileId, { ...entry, raw: wholeText(scan) ?? raw ?? "" });
  }

  /** The record as it stands; `textOf` would take off an outer pair of quotes. */
  function wholeText(scan: RecordScan): string | null {
    return scan.bytes[scan.start] === 34 ? Buffer.from(scan.bytes.buffer, scan.start, scan.end - scan.start).toString("utf8") : null;
  }

  function onOversize({ line }: { readonly line: number }): void {
    rowsRead += 1;
    rowsSetAside += 1;
    if (setAside.length >= MOST_SET_ASIDE) return;
    const entry: SetAsideEntry = { line, column: "", value: "", reason: "record-size" };
    setAside.push(entry);
    staging.setAside(fileId, { ...entry, raw: "" });
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

  /** Cells behind the last one of a record, empty. */
  function addEmptyCells(scan: RecordScan): void {
    for (let column = scan.fieldCount; column < columnCount; column += 1) scan.ends[column] = (scan.ends[column - 1] as number) + 1;
    scan.fieldCount = columnCount;
  }

  function finish(): Folded {
    closeBlock();
    flush();
    for (const [index, entry] of entries.entries()) for (const name of entry.repairs) count(repairs, name, entryRows[index] as number);
    count(repairs, "currency-sign", decimals.currencySigns());
    for (const name of assumed) count(repairs, name, rowsPosted);
    const zoneRepair = format.zone === undefined ? "zone-assumed-utc" : format.zone.repair;
    if (zoneRepair !== null) count(repairs, zoneRepair, zonelessRows);
    count(repairs, "null-text", nullTextRows);
    count(repairs, "finer-than-atto", finerRows);
    count(repairs, "billing-period-assumed", monthAssumedRows);
    count(repairs, "list-cost-zero-unknown", listZeroRows);
    count(repairs, "contracted-cost-zero-unknown", contractedZeroRows);
    const fileTotals = new Map<string, Totals>();
    const fileCorrections = new Map<string, Totals>();
    for (const delivery of deliveries.values()) {
      addAll(fileTotals, delivery.totals);
      addAll(fileCorrections, delivery.corrections);
      const isWhole = format.covers === "account-and-period";
      const periodFirst = Date.parse(delivery.key.BillingPeriodStart) / 86_400_000;
      const periodLast = Math.ceil(Date.parse(delivery.key.BillingPeriodEnd) / 86_400_000) - 1;
      staging.deliveryTotals(delivery.deliveryId, {
        firstDay: isWhole ? Math.min(delivery.coverage.firstDay, Math.floor(periodFirst)) : delivery.coverage.firstDay,
        lastDay: isWhole ? Math.max(delivery.coverage.lastDay, periodLast) : delivery.coverage.lastDay,
        coversAllAccounts: isWhole,
        rowCount: delivery.rowCount,
        totals: JSON.stringify(addedTo(staging.totalsSoFar(delivery.deliveryId), printed(delivery.totals))),
        accounts: isWhole ? [] : delivery.coverage.accounts,
      });
    }
    staging.settle();
    return {
      rowsRead,
      rowsPosted,
      rowsSetAside,
      setAside,
      repairs: Object.fromEntries([...repairs].filter(([, rows]) => rows > 0).sort(([a], [b]) => (a < b ? -1 : 1))),
      periods: [...new Set([...deliveries.values()].map(({ key }) => key.BillingPeriodStart.slice(0, 7)))].sort(),
      totals: printed(fileTotals),
      corrections: printed(fileCorrections),
      deliveries: [...new Set([...deliveries.values()].map(({ deliveryId }) => deliveryId))].sort((a, b) => a - b),
      touchedGpuDays: [...touchedGpuDays].sort((a, b) => a - b),
    };
  }

  return { onRecord, rows: tables.rows === null ? null : { tables: () => tables, onRows }, onOversize, rowsRead: () => rowsRead, finish };
}

const NO_DAY = -(2 ** 31);
const noRepairs: readonly string[] = [];

function newTotals(): Totals {
  return {
    counters: new Float64Array(COSTS * 2),
    carried: new Array<bigint>(COSTS).fill(0n),
    residue: new Array<bigint>(COSTS).fill(0n),
    isStated: new Array<boolean>(COSTS).fill(false),
  };
}

function carryTotal(totals: Totals, at: number): void {
  const measure = at >> 1;
  totals.carried[measure] = (totals.carried[measure] as bigint) + attosOf(totals.counters[at] as number, totals.counters[at + 1] as number);
  totals.counters[at] = 0;
  totals.counters[at + 1] = 0;
}

function carryTotals(totals: Totals): void {
  for (let at = 0; at < COSTS * 2; at += 2) carryTotal(totals, at);
}

/** Moves a cell's rest up into what is carried in attos. */
function carryRest(cells: Float64Array, carried: Map<number, bigint>, restAt: number): void {
  const at = restAt - 1;
  carried.set(at, (carried.get(at) ?? 0n) + BigInt(cells[restAt] as number));
  cells[restAt] = 0;
}

function addAll(into: Map<string, Totals>, from: ReadonlyMap<string, Totals>): void {
  for (const [currency, totals] of from) {
    carryTotals(totals);
    let sum = into.get(currency);
    if (sum === undefined) into.set(currency, (sum = newTotals()));
    for (let measure = 0; measure < COSTS; measure += 1) {
      sum.carried[measure] = (sum.carried[measure] as bigint) + (totals.carried[measure] as bigint);
      sum.residue[measure] = (sum.residue[measure] as bigint) + (totals.residue[measure] as bigint);
      sum.isStated[measure] ||= totals.isStated[measure] as boolean;
    }
  }
}

function printed(totals: ReadonlyMap<string, Totals>): Record<string, MoneyTotals> {
  return Object.fromEntries(
    [...totals]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, { carried, residue, isStated, counters }]) => [
        currency,
        Object.fromEntries(
          moneyColumns.map((column, measure) => {
            if (isStated[measure] !== true) return [column, null];
            const attos = (carried[measure] as bigint) + attosOf(counters[measure * 2] as number, counters[measure * 2 + 1] as number);
            return [column, formatAttos(attos * 10n ** BigInt(RESIDUE_DECIMALS - ATTO_DECIMALS) + (residue[measure] as bigint), RESIDUE_DECIMALS)];
          }),
        ) as unknown as MoneyTotals,
      ]),
  );
}

/** Totals of a delivery that another file of the batch has begun. */
function addedTo(soFar: string, more: Record<string, MoneyTotals>): Record<string, MoneyTotals> {
  const sum: Record<string, MoneyTotals> = { ...(JSON.parse(soFar) as Record<string, MoneyTotals>) };
  for (const [currency, totals] of Object.entries(more)) {
    const known = sum[currency];
    sum[currency] =
      known === undefined
        ? totals
        : (Object.fromEntries(moneyColumns.map((column) => [column, addTexts(known[column], totals[column])])) as unknown as MoneyTotals);
  }
  return sum;
}

function addTexts(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  const [left, right] = [readExact(a, "."), readExact(b, ".")];
  return typeof left === "bigint" && typeof right === "bigint" ? formatAttos(left + right, RESIDUE_DECIMALS) : null;
}

function attosOf(nanos: number, rest: number): bigint {
  return BigInt(nanos) * NANO + BigInt(rest);
}

/** Nanos and a rest of 0 to below a nano. */
function joined(nanos: number, rest: number): { nanos: number | bigint; rest: number } {
  if (rest === 0) return { nanos, rest: 0 };
  const carry = Math.floor(rest / 1e9);
  return { nanos: nanos + carry, rest: rest - carry * 1e9 };
}

function split(attos: bigint): { nanos: bigint; rest: number } {
  const nanos = floorDivide(attos, NANO);
  if (nanos > 2n ** 63n - 1n || nanos < -(2n ** 63n)) throw new CellOutOfRange();
  return { nanos, rest: Number(attos - nanos * NANO) };
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

function mixed(pair: number, day: number): number {
  let hash = Math.imul(pair, 0x9e3779b1) ^ Math.imul(day, 0x85ebca6b);
  hash ^= hash >>> 15;
  return hash;
}

function rehashed(size: number, filled: number, pairOf: Int32Array, dayOf: Int32Array): Int32Array<ArrayBuffer> {
  const table = new Int32Array(size);
  for (let index = 0; index < filled; index += 1) {
    let place = mixed(pairOf[index] as number, dayOf[index] as number) & (size - 1);
    while (table[place] !== 0) place = (place + 1) & (size - 1);
    table[place] = index + 1;
  }
  return table;
}

type Growable = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Int8Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;
function grown<T extends Growable>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(array.length * 2);
  larger.set(array);
  return larger;
}

/** The end of a billing period whose last day is stated: the next midnight, except where the first of a month already says so. */
function afterLastDay(seconds: number): number {
  return seconds % 86_400 !== 0 || new Date(seconds * 1000).getUTCDate() === 1 ? seconds : seconds + 86_400;
}

/** Where a month begins or ends, as if it were one of UTC: `2026-09`, `202609`, `2026/9`, `2026年09月`; null for what is none. */
function monthEdge(text: string, edge: "month" | "month-end"): number | null {
  const match = /^(\d{4})(?:[-/.年]?(0[1-9]|1[0-2])|[-/.年]([1-9]))月?$/.exec(text);
  if (match === null) return null;
  return Date.UTC(Number(match[1]), Number(match[2] ?? match[3]) - (edge === "month" ? 1 : 0), 1) / 1000;
}

const BEIJING_SECONDS = 8 * 3600;

/** Some Chinese providers write the month of UTC+8 in UTC: it begins at 16:00 of the last day before. */
function isBeijingMonth(seconds: number): boolean {
  return seconds % 86_400 === 16 * 3600 && new Date((seconds + BEIJING_SECONDS) * 1000).getUTCDate() === 1;
}

/** Months since year 0 of an instant. */
function monthOf(seconds: number): number {
  const date = new Date(seconds * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function nextMonth(seconds: number): number {
  const date = new Date(seconds * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000;
}

function count(counts: Map<string, number>, name: string, rows: number): void {
  counts.set(name, (counts.get(name) ?? 0) + rows);
}
