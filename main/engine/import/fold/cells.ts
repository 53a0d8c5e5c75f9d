import { COUNTER_LIMIT } from "../decimal.ts";
import type { CellRow, Staging } from "../staging.ts";
import { attosOf, joined, NANO, split } from "./exact.ts";
import { createDayIndex } from "./growing.ts";
import { CELL_COUNTERS, CELL_ROWS, type FoldMemory } from "./memory.ts";
import { COSTS, COUNTERS, counterOf, EFFECTIVE, HAS_WIDE, MEASURES, measureNames } from "./measures.ts";
import type { Pair, Pairs } from "./pairs.ts";
import { PAIR_CELL, PAIR_DAY, PAIR_SIZE } from "./pairs.ts";
import { addAttos, addCounters, totalsIn } from "./totals.ts";
import type { Values } from "./values.ts";

const FIRST_SIZE = 1 << 10;
const ROWS_A_WRITE = 4096;
/** Rests stay below a nano each: after so many rows of a cell their sum is carried up, before it could pass the counter. */
const ROWS_A_CARRY = 0x1fffff;

/** Cells: what the rows of a pair on a UTC day add up to. Delivery totals, coverage and row counts are added up from cells when those are written down. */
export interface Cells {
  readonly count: number;
  /** The cell of a pair's day, now the pair's last. */
  find(pair: number, day: number): number;
  /** Adds the measures of the row at hand, which the mask does not call unstated. */
  add(cell: number, values: Values, stated: number, mask: number): void;
  /** Writes all down and begins anew. */
  flush(): void;
}

/** `most`: how many there will ever be at a time. */
export function createCells({ memory, pairs, staging, most, onCell }: { readonly memory: FoldMemory; readonly pairs: Pairs; readonly staging: Staging; readonly most: number; readonly onCell: (pair: Pair, rows: number) => void }): Cells {
  const index = createDayIndex(FIRST_SIZE);
  const carried = new Map<number, bigint>();
  /** `COUNTERS` of each cell, exact: what would pass a double's digits is carried into bigints. */
  let counters = newCounters(FIRST_SIZE);
  /** How many rows each adds up. */
  let rowCounts = newRowCounts(FIRST_SIZE);

  function newCounters(size: number): Float64Array {
    const at = memory.room(size * COUNTERS * Float64Array.BYTES_PER_ELEMENT);
    memory.settings[CELL_COUNTERS] = at;
    return memory.numbers(at, size * COUNTERS);
  }

  function newRowCounts(size: number): Int32Array {
    const at = memory.room(size * Int32Array.BYTES_PER_ELEMENT);
    memory.settings[CELL_ROWS] = at;
    return memory.ints(at, size);
  }

  /** To what a bill may need: of that, only what is written takes memory. */
  function enlarge(): void {
    const size = rowCounts.length < most ? most : rowCounts.length * 2;
    const [countersBefore, rowsBefore] = [counters, rowCounts];
    (counters = newCounters(size)).set(countersBefore);
    (rowCounts = newRowCounts(size)).set(rowsBefore);
  }

  const cells = {
    get count() {
      return index.count;
    },
    find(pair: number, day: number): number {
      const before = index.count;
      const cell = index.place(pair, day);
      if (cell === before) {
        if (cell >= rowCounts.length) enlarge();
        counters.fill(0, cell * COUNTERS, (cell + 1) * COUNTERS);
        rowCounts[cell] = 0;
      }
      pairs.notes[pair * PAIR_SIZE + PAIR_DAY] = day;
      pairs.notes[pair * PAIR_SIZE + PAIR_CELL] = cell;
      return cell;
    },
    add(cell: number, row: Values, stated: number, mask: number): void {
      const base = cell * COUNTERS;
      countRow(cell);
      for (let measure = 0; measure < MEASURES; measure += 1) {
        if ((mask & (1 << measure)) !== 0) continue;
        const counter = counterOf(measure);
        if ((stated & HAS_WIDE) !== 0) {
          const amount = row.isWide[measure] === 1 ? (row.big[measure] as bigint) : measure < COSTS ? attosOf(row.nanos[measure] as number, row.rest[measure] as number) : BigInt(row.nanos[measure] as number);
          carry(base + counter, amount);
          continue;
        }
        const at = base + counter;
        const sum = (counters[at] as number) + (row.nanos[measure] as number);
        counters[at] = sum;
        if (sum > COUNTER_LIMIT || sum < -COUNTER_LIMIT) carryUp(cell, counter);
        if (measure < COSTS) counters[at + 1] = (counters[at + 1] as number) + (row.rest[measure] as number);
      }
    },
    flush(): void {
      const rows: CellRow[] = [];
      const corrections: CellRow[] = [];
      for (const cell of inOrderOfKey()) {
        rows.push(rowOf(cell, corrections));
        if (rows.length >= ROWS_A_WRITE) staging.cells(rows.splice(0));
      }
      staging.cells(rows);
      staging.cells(corrections);
      index.clear();
      carried.clear();
      pairs.forgetCells();
    },
  };

  function carry(at: number, amount: bigint): void {
    carried.set(at, (carried.get(at) ?? 0n) + amount);
  }

  /** A counter passed its limit. */
  function carryUp(cell: number, counter: number): void {
    const at = cell * COUNTERS + counter;
    carry(at, BigInt(counters[at] as number) * (counter < COSTS * 2 ? NANO : 1n));
    counters[at] = 0;
  }

  function countRow(cell: number): void {
    const rows = (rowCounts[cell] as number) + 1;
    rowCounts[cell] = rows;
    if ((rows & ROWS_A_CARRY) !== 0) return;
    const base = cell * COUNTERS;
    for (let at = base; at < base + COSTS * 2; at += 2) {
      carry(at, BigInt(counters[at + 1] as number));
      counters[at + 1] = 0;
    }
  }

  /** In the order of the table's key: random order costs two to five times (performance.md section 3). */
  function inOrderOfKey(): Int32Array {
    const order = new Int32Array(index.count);
    for (let cell = 0; cell < order.length; cell += 1) order[cell] = cell;
    const deliveryIds = Float64Array.from(pairs.all, ({ delivery }) => delivery.deliveryId);
    const seriesIds = Float64Array.from(pairs.all, ({ seriesId }) => seriesId);
    return order.sort((a, b) => {
      const [pairA, pairB] = [index.pairOf(a), index.pairOf(b)];
      return (deliveryIds[pairA] as number) - (deliveryIds[pairB] as number) || index.dayOf(a) - index.dayOf(b) || (seriesIds[pairA] as number) - (seriesIds[pairB] as number);
    });
  }

  /** The cell as a row of charge_day, its sums added to the delivery's. */
  function rowOf(cell: number, corrections: CellRow[]): CellRow {
    const pair = pairs.all[index.pairOf(cell)] as Pair;
    const day = index.dayOf(cell);
    const { delivery, totals } = pair;
    const rows = rowCounts[cell] as number;
    const row: (number | bigint | null)[] = [delivery.deliveryId, day, pair.seriesId, rows];
    for (let measure = 0; measure < COSTS; measure += 1) {
      if ((pair.mask & (1 << measure)) !== 0) {
        row.push(null, null);
        continue;
      }
      const at = cell * COUNTERS + measure * 2;
      const [whole, below] = [counters[at] as number, counters[at + 1] as number];
      const beyond = carried.get(at);
      addCounters(totals, measure, whole, below);
      if (beyond !== undefined) addAttos(totals, measure, beyond);
      const { nanos, rest } = beyond === undefined ? joined(whole, below) : split(beyond + attosOf(whole, below));
      row.push(nanos, rest);
    }
    let hours: number | null = null;
    for (let measure = COSTS; measure < MEASURES; measure += 1) {
      const at = cell * COUNTERS + counterOf(measure);
      const isUnstated = (pair.mask & (1 << measure)) !== 0;
      const total = Number(carried.get(at) ?? 0n) + (counters[at] as number);
      row.push(isUnstated ? null : total / 1e9);
      if (!isUnstated && pair.hours !== null && measureNames[measure] === pair.hours.quantity) hours = (total * pair.hours.hoursAUnit) / 1e9;
    }
    row.push(hours);
    if (pair.correctionId !== 0) correct(cell, day, pair, corrections);
    delivery.rowCount += rows;
    delivery.coverage.firstDay = Math.min(delivery.coverage.firstDay, day);
    delivery.coverage.lastDay = Math.max(delivery.coverage.lastDay, day);
    onCell(pair, rows);
    return row;
  }

  /** What takes back the effective cost of a cell that a rule of ours mends. */
  function correct(cell: number, day: number, { delivery, correctionId, currency }: Pair, corrections: CellRow[]): void {
    const at = cell * COUNTERS + EFFECTIVE * 2;
    const attos = -((carried.get(at) ?? 0n) + attosOf(counters[at] as number, counters[at + 1] as number));
    if (attos === 0n) return;
    const { nanos, rest } = split(attos);
    corrections.push([delivery.deliveryId, day, correctionId, 0, null, null, nanos, rest, null, null, null, null, null, null, null]);
    addAttos(totalsIn(delivery.corrections, currency), EFFECTIVE, attos);
  }

  return cells;
}

/** What a row states but its series does not (a list price of 0) and what is finer than an atto stand in the delivery's totals alone. */
export function addToTotalsAlone({ totals }: Pair, values: Values, stated: number, mask: number): void {
  for (let measure = 0; measure < COSTS; measure += 1) {
    if ((stated & (1 << measure)) !== 0) continue;
    if ((mask & (1 << measure)) !== 0) totals.isStated[measure] = true;
    if (values.isWide[measure] === 1) totals.residue[measure] = (totals.residue[measure] as bigint) + (values.residue[measure] as bigint);
  }
}
