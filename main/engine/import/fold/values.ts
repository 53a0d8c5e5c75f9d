import { divideHalfEven } from "../../../../shared/domain/money.ts";
import { ATTOS_LIMIT, COUNTER_LIMIT, createDecimalReader, EMPTY, NO_DECIMAL, NULL_TEXT, OUT_OF_RANGE, READ, readExact, WIDE } from "../decimal.ts";
import type { Kernel } from "../scan/kernel.ts";
import { ROW_SLOTS, ROW_STATES } from "../scan/kernel.ts";
import type { RecordScan } from "../scan/records.ts";
import { fieldStart } from "../scan/records.ts";
import { nothingWritten } from "../../formats/format.ts";
import type { Bill } from "./bill.ts";
import { shownCell } from "./bill.ts";
import { ATTO_DECIMALS, attosOf, RESIDUE_DECIMALS } from "./exact.ts";
import { BILLED, CONTRACTED, EFFECTIVE, HAS_WIDE, IS_FINER, LIST, MEASURES } from "./measures.ts";
import type { Program, Slot } from "./programs.ts";
import { SUM, UNSTATED, ZERO } from "./programs.ts";

/** Whether it is the amount of the bill itself, or what must be stated of a sum that is. */
function isBilled({ single, sums }: Program, slot: number): boolean {
  return single[BILLED] === slot || (single[BILLED] === SUM && sums[BILLED]?.some((term) => term.slot === slot && !term.isOptional) === true);
}

/** 1e9 / 3600 is this many ninths. */
const NANOS_AN_HOUR_NINTH = 2_500_000;

/** The amounts and quantities of the row at hand, by measure: whole 1e-9 and attos below, or, where `isWide`, a bigint and what is finer. */
export interface Values {
  readonly nanos: Float64Array;
  readonly rest: Float64Array;
  readonly big: bigint[];
  readonly residue: bigint[];
  readonly isWide: Uint8Array;
  /** Of the record that was read: a word stood for nothing; the column that could not be read, and as what. */
  readonly hasNullText: boolean;
  readonly refusedColumn: number;
  readonly refusedAs: "decimal" | "amount-range";
  /** Reads the slots of a program from a record; false where one cannot be read. `seconds` is how long the charge runs, NaN where that is not stated. */
  readRecord(scan: RecordScan, program: Program, seconds: number): boolean;
  /** The same from what the kernel read of a row; false where the record must be asked. */
  readRow(kernel: Kernel, numbersAt: number, program: Program): boolean;
  /** The measures out of the slots: bits of those not stated, `HAS_WIDE`, `IS_FINER`. */
  measure(program: Program): number;
  /** A list price of 0 on usage that cost something is not free, it is not stated (billing.md rule 4): the mask of what is not stated. */
  withoutZeros(mask: number): number;
  isZero(measure: number): boolean;
  currencySigns(): number;
  /** The row of the last `readRow` will be read again as a record: what was counted of it is not. */
  handBack(): void;
}

export function createValues(bill: Bill, slots: readonly Slot[]): Values {
  const { mark, textOf } = bill;
  const markByte = mark.charCodeAt(0);
  const nullAmounts = new Set((bill.format.nullAmounts ?? nothingWritten).map((word) => word.toLowerCase()));
  const decimals = createDecimalReader({ slots: slots.length, mark, nullTexts: bill.format.nullTexts });
  const { nanos: slotNanos, rest: slotRest, big: slotBig, residue: slotResidue } = decimals;
  const slotState = new Int8Array(slots.length);
  const isQuantity = Uint8Array.from(slots, (slot) => (slot.isQuantity ? 1 : 0));
  const isWorkedOut = Uint8Array.from(slots, (slot) => (slot.isWorkedOut ? 1 : 0));
  const nanos = new Float64Array(MEASURES);
  const rest = new Float64Array(MEASURES);
  const big: bigint[] = new Array<bigint>(MEASURES).fill(0n);
  const residue: bigint[] = new Array<bigint>(MEASURES).fill(0n);
  const isWide = new Uint8Array(MEASURES);
  let hasWideSlot = false;
  let signsBefore = 0;
  let hasNullText = false;
  let refusedColumn = 0;
  let refusedAs: "decimal" | "amount-range" = "decimal";

  function readRecord(scan: RecordScan, program: Program, seconds: number): boolean {
    const { kernel, bytes, ends } = scan;
    const { slots: wanted, listed } = program;
    hasWideSlot = false;
    hasNullText = false;
    if (listed > 0) kernel.readDecimals(scan.start, program.list, listed, markByte);
    for (let index = 0; index < wanted.length; index += 1) {
      const slot = wanted[index] as number;
      if (listed > 0 && isWorkedOut[slot] === 0 && kernel.states[slot] === READ) {
        slotNanos[slot] = kernel.nanos[slot] as number;
        slotRest[slot] = kernel.rests[slot] as number;
        slotState[slot] = READ;
        continue;
      }
      const { columns } = slots[slot] as Slot;
      let column = columns[0] ?? -1;
      let state = isWorkedOut[slot] === 1 ? workOut(scan, slot, seconds) : readCell(bytes, fieldStart(scan, column), ends[column] as number, slot);
      if (state === NULL_TEXT) hasNullText = true;
      for (let other = 1; other < columns.length && (state === EMPTY || state === NULL_TEXT); other += 1) {
        column = columns[other] as number;
        state = readCell(bytes, fieldStart(scan, column), ends[column] as number, slot);
      }
      // A word of people where the row's own amount should stand is no number; elsewhere it says that nothing is stated.
      if (state === NULL_TEXT && isBilled(program, slot) && !nullAmounts.has(shownCell(bill, scan, column).trim().toLowerCase())) state = NO_DECIMAL;
      if (state === NO_DECIMAL || state === OUT_OF_RANGE) {
        refusedColumn = column;
        refusedAs = state === NO_DECIMAL ? "decimal" : "amount-range";
        return false;
      }
      if (state === WIDE) hasWideSlot = true;
      slotState[slot] = state === NULL_TEXT ? EMPTY : state;
    }
    return true;
  }

  function readRow({ rowInts, rowNumbers, bytes }: Kernel, numbersAt: number, program: Program): boolean {
    const wanted = program.slots;
    hasWideSlot = false;
    signsBefore = decimals.currencySigns();
    for (let index = 0; index < wanted.length; index += 1) {
      const slot = wanted[index] as number;
      const at = numbersAt + ROW_SLOTS + slot * 2;
      let state = ((rowInts[numbersAt * 2 + ROW_STATES + (slot >> 4)] as number) >> ((slot & 15) * 2)) & 3;
      if (state === READ) {
        slotNanos[slot] = rowNumbers[at] as number;
        slotRest[slot] = rowNumbers[at + 1] as number;
      } else if (state !== EMPTY) {
        state = readCell(bytes, rowNumbers[at] as number, rowNumbers[at + 1] as number, slot);
        if (state === WIDE) hasWideSlot = true;
        else if (state !== READ) return false;
      }
      slotState[slot] = state;
    }
    return true;
  }

  function readCell(bytes: Uint8Array, from: number, to: number, slot: number): number {
    return isQuantity[slot] === 1 ? decimals.quantity(bytes, from, to, slot) : decimals.money(bytes, from, to, slot);
  }

  function measure(program: Program): number {
    const { single } = program;
    let hasWide = hasWideSlot;
    let mask = 0;
    let isFiner = false;
    for (let each = 0; each < MEASURES; each += 1) {
      const slot = single[each] as number;
      if (slot >= 0) {
        const state = slotState[slot];
        if (state === EMPTY) mask |= 1 << each;
        else if (state === WIDE) {
          isWide[each] = 1;
          big[each] = slotBig[slot] as bigint;
          residue[each] = slotResidue[slot] as bigint;
          isFiner ||= slotResidue[slot] !== 0n;
        } else set(each, slotNanos[slot] as number, slotRest[slot] as number);
      } else if (slot === UNSTATED) mask |= 1 << each;
      else if (slot === ZERO) set(each, 0, 0);
      else if (slot === SUM && !addTerms(program, each)) mask |= 1 << each;
      else if (isWide[each] === 1) {
        hasWide = true;
        isFiner ||= residue[each] !== 0n;
      }
    }
    return mask | (hasWide ? HAS_WIDE : 0) | (isFiner ? IS_FINER : 0);
  }

  function set(each: number, whole: number, below: number): void {
    isWide[each] = 0;
    nanos[each] = whole;
    rest[each] = below;
  }

  /** Adds up a measure that is a sum of several columns; false when it is unknown. */
  function addTerms(program: Program, each: number): boolean {
    const terms = program.sums[each];
    if (terms === null || terms === undefined) return false;
    let whole = 0;
    let below = 0;
    let isStated = false;
    let hasWide = false;
    for (const { slot, isOptional } of terms) {
      const state = slotState[slot];
      if (state === EMPTY) {
        if (!isOptional) return false;
        continue;
      }
      isStated = true;
      if (state === WIDE) hasWide = true;
    }
    if (!isStated) return false;
    for (const { slot, sign } of terms) {
      if (slotState[slot] === EMPTY || hasWide) continue;
      whole += sign * (slotNanos[slot] as number);
      below += sign * (slotRest[slot] as number);
    }
    if (!hasWide && whole < COUNTER_LIMIT && whole > -COUNTER_LIMIT) {
      set(each, whole, below);
      return true;
    }
    let attos = 0n;
    let finer = 0n;
    for (const { slot, sign } of terms) {
      if (slotState[slot] === EMPTY) continue;
      const value = slotState[slot] === WIDE ? (slotBig[slot] as bigint) : attosOf(slotNanos[slot] as number, slotRest[slot] as number);
      attos += BigInt(sign) * value;
      if (slotState[slot] === WIDE) finer += BigInt(sign) * (slotResidue[slot] as bigint);
    }
    isWide[each] = 1;
    big[each] = attos;
    residue[each] = finer;
    return true;
  }

  function workOut(scan: RecordScan, slot: number, seconds: number): number {
    const { isPeriodHours, amounts } = slots[slot] as Slot;
    if (!isPeriodHours) return amounts === null ? readProduct(scan, slot) : readList(scan, slot);
    if (Number.isNaN(seconds)) return EMPTY;
    // Nanos of an hour's parts: whole hours and minutes are exact.
    slotNanos[slot] = Math.round((seconds * NANOS_AN_HOUR_NINTH) / 9);
    slotRest[slot] = 0;
    return READ;
  }

  /** A price times a quantity, into the price's slot; nothing where either is not stated. */
  function readProduct(scan: RecordScan, slot: number): number {
    const { columns, factors } = slots[slot] as Slot;
    const [price, quantity] = [columns, factors].map((choices) => {
      const text = choices.map((column) => (textOf(scan.bytes, fieldStart(scan, column), scan.ends[column] as number) ?? "").trim()).find((stated) => stated !== "" && !bill.isNullText(stated));
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
    if (bill.isNullText(text.trim())) return NULL_TEXT;
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

  function isZero(each: number): boolean {
    return isWide[each] === 0 && nanos[each] === 0 && rest[each] === 0;
  }

  return {
    nanos,
    rest,
    big,
    residue,
    isWide,
    get hasNullText() {
      return hasNullText;
    },
    get refusedColumn() {
      return refusedColumn;
    },
    get refusedAs() {
      return refusedAs;
    },
    readRecord,
    readRow,
    measure,
    withoutZeros(mask) {
      if ((mask & 2) !== 0 || isZero(EFFECTIVE)) return mask;
      return mask | ((mask & 4) === 0 && isZero(LIST) ? 4 : 0) | ((mask & 8) === 0 && isZero(CONTRACTED) ? 8 : 0);
    },
    isZero,
    currencySigns: decimals.currencySigns,
    handBack: () => {
      decimals.countSignsFrom(signsBefore);
    },
  };
}
