import type { CellTrouble, DimensionRow, MoneyCell, MoneyTerm } from "../../formats/format.ts";
import { isTrouble } from "../../formats/format.ts";
import { moneyColumns } from "../../../../shared/domain/charge.ts";
import { LISTS, MOST_LISTED, MOST_ROW_CELLS, MOST_ROW_COLUMNS, MOST_ROW_SLOTS, MOST_SLOTS } from "../scan/kernel.ts";
import type { RowPlan } from "../scan/kernel.ts";
import type { Bill } from "./bill.ts";
import type { FoldMemory } from "./memory.ts";
import { COSTS, counterOf, MEASURES } from "./measures.ts";

/** A column, or a choice of them, that is read once a row, whatever measures it is a term of. */
export interface Slot {
  /** Columns in the order they are asked. */
  readonly columns: readonly number[];
  readonly isQuantity: boolean;
  /** Reads a cell that holds a list of amounts. */
  readonly amounts: MoneyTerm["amounts"] | null;
  /** Columns of the quantity that a price is multiplied by; none where the cell is an amount. */
  readonly factors: readonly number[];
  readonly isPeriodHours: boolean;
  /** Not a plain cell: one of the three above. */
  readonly isWorkedOut: boolean;
}

/** How the rows of a series state their measures. */
export interface Program {
  /** Its place among all of the file. */
  readonly number: number;
  /** Slots to read, each once. */
  readonly slots: Int32Array;
  /** Whether all of them are plain cells: none is worked out. */
  readonly isPlain: boolean;
  /** Where the kernel has the list of those that are, and how many; none where it has no room. */
  readonly list: number;
  readonly listed: number;
  /** For each measure a slot, or one of the codes below. */
  readonly single: Int32Array;
  readonly sums: readonly (readonly Term[] | null)[];
  /** Whether any cost is stated by a column at all. */
  readonly statesCosts: boolean;
  /** Where every measure is a slot or stated by none: slot and counter of the cell, one after the other; null where any is a sum or 0 by rule. */
  readonly direct: Int32Array | null;
}
interface Term {
  readonly slot: number;
  readonly sign: 1 | -1;
  readonly isOptional: boolean;
}
export const UNSTATED = -1;
export const ZERO = -2;
export const SUM = -3;

/** The measures of the format's table, brought to slots of this file. */
export interface Programs {
  readonly slots: readonly Slot[];
  readonly all: readonly Program[];
  /** The lists of the kernel so far; another object once a program has added its own. */
  readonly lists: Int32Array<ArrayBuffer>;
  /** Which sum each measure takes in the rows of a series. */
  of(row: DimensionRow): Program | CellTrouble;
}

export function createPrograms(bill: Bill, memory: FoldMemory): Programs {
  const { charge } = bill.format;
  const measureCells: readonly MoneyCell[] = [...moneyColumns.map((column) => charge[column]), charge.ConsumedQuantity, charge.PricingQuantity];
  const slots: Slot[] = [];
  const slotByKey = new Map<string, number>();
  const amountLists: NonNullable<MoneyTerm["amounts"]>[] = [];
  const programs = new Map<string, Program>();
  const all: Program[] = [];
  let lists = new Int32Array(0);
  for (const [measure, cell] of measureCells.entries()) {
    for (const terms of Object.values(cell.sums)) for (const term of terms ?? []) slotOf(term, measure >= COSTS);
  }

  /** The slot of a term; -1 where the file has none of its columns. */
  function slotOf({ columns, times, amounts = null, ...term }: Omit<MoneyTerm, "amounts"> & { readonly amounts?: MoneyTerm["amounts"] | null }, isQuantity: boolean): number {
    const isPeriodHours = term.isPeriodHours === true && isQuantity;
    const indices = bill.existing(columns);
    const factors = times === undefined ? [] : bill.existing(times);
    if (!isPeriodHours && (indices.length === 0 || (times !== undefined && factors.length === 0))) return -1;
    const list = amounts === null ? "" : `l${amountLists.includes(amounts) ? amountLists.indexOf(amounts) : amountLists.push(amounts) - 1}`;
    const key = isPeriodHours ? "period" : `${isQuantity ? "q" : "m"}${indices.join(",")}${list}${factors.length === 0 ? "" : `x${factors.join(",")}`}`;
    let slot = slotByKey.get(key);
    if (slot === undefined) {
      slot = slots.push({ columns: indices, isQuantity, amounts, factors, isPeriodHours, isWorkedOut: amounts !== null || factors.length > 0 || isPeriodHours }) - 1;
      slotByKey.set(key, slot);
    }
    return slot;
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
    const plain = [...used].filter((slot) => slots[slot]?.isWorkedOut === false);
    const list = lists.length;
    const listed = slots.length <= MOST_SLOTS && list + plain.length * 2 <= MOST_LISTED ? plain.length : 0;
    if (listed > 0) lists = Int32Array.from([...lists, ...plain.flatMap((slot) => [slots[slot]?.columns[0] ?? -1, slot * 2 + (slots[slot]?.isQuantity === true ? 1 : 0)])]);
    const isPlain = plain.length === used.size;
    const isDirect = isPlain && single.every((slot) => slot >= 0 || slot === UNSTATED);
    const direct = isDirect ? Int32Array.from([...single].flatMap((slot, measure) => (slot === UNSTATED ? [] : [slot, counterOf(measure)]))) : null;
    return { number: programs.size, slots: Int32Array.from(used), isPlain, list: LISTS + list * 4, listed, single, sums, statesCosts, direct };
  }

  return {
    slots,
    all,
    get lists() {
      return lists;
    },
    of(row) {
      const cases: string[] = [];
      for (const cell of measureCells) {
        const chosen = cell.choose.read(row);
        if (isTrouble(chosen)) return chosen;
        cases.push(chosen);
      }
      const key = cases.join("\u0000");
      let program = programs.get(key);
      if (program === undefined) {
        program = compile(cases);
        programs.set(key, program);
        all.push(program);
        memory.addProgram(program);
      }
      return program;
    },
  };
}

/** What the kernel reads of every row: the times and every slot that is a plain cell. null where it has not the room. */
export function planOfRows(bill: Bill, slots: readonly Slot[], startColumn: number, endColumn: number): RowPlan | null {
  const cells = slots.flatMap(({ columns, isQuantity, isWorkedOut }, slot) => (isWorkedOut ? [] : columns.flatMap((column, index) => [column, slot * 4 + (index > 0 ? 2 : 0) + (isQuantity ? 1 : 0)])));
  if (bill.header.length > MOST_ROW_COLUMNS || slots.length > MOST_ROW_SLOTS || cells.length > MOST_ROW_CELLS * 2) return null;
  return { columns: bill.header.length, mark: bill.mark.charCodeAt(0), startColumn, endColumn, cells: Int32Array.from(cells), slots: slots.length };
}
