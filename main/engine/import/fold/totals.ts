import type { MoneyTotals } from "../../../../shared/contract/methods.ts";
import { moneyColumns } from "../../../../shared/domain/charge.ts";
import { formatAttos } from "../../../../shared/domain/money.ts";
import { COUNTER_LIMIT, readExact } from "../decimal.ts";
import { ATTO_DECIMALS, attosOf, RESIDUE_DECIMALS } from "./exact.ts";
import { COSTS } from "./measures.ts";

/** Exact sums of the costs of one currency, by measure: counters of nanos and rest, attos carried out of them, and what is finer, in 1e-36. */
export interface Totals {
  readonly counters: Float64Array;
  readonly carried: bigint[];
  readonly residue: bigint[];
  readonly isStated: boolean[];
}

export function newTotals(): Totals {
  return {
    counters: new Float64Array(COSTS * 2),
    carried: new Array<bigint>(COSTS).fill(0n),
    residue: new Array<bigint>(COSTS).fill(0n),
    isStated: new Array<boolean>(COSTS).fill(false),
  };
}

/** The totals of a currency among those of a delivery, made where there are none. */
export function totalsIn(byCurrency: Map<string, Totals>, currency: string): Totals {
  let totals = byCurrency.get(currency);
  if (totals === undefined) byCurrency.set(currency, (totals = newTotals()));
  return totals;
}

/** Adds a sum of a cell: both counters stay where doubles are exact. */
export function addCounters({ counters, carried, isStated }: Totals, measure: number, nanos: number, rest: number): void {
  const at = measure * 2;
  isStated[measure] = true;
  const sum = (counters[at] as number) + nanos;
  const below = (counters[at + 1] as number) + rest;
  if (sum <= COUNTER_LIMIT && sum >= -COUNTER_LIMIT && below <= COUNTER_LIMIT && below >= -COUNTER_LIMIT) {
    counters[at] = sum;
    counters[at + 1] = below;
    return;
  }
  // Either may be just beyond the limit, never beyond twice it: still exact.
  carried[measure] = (carried[measure] as bigint) + attosOf(sum, below);
  counters[at] = 0;
  counters[at + 1] = 0;
}

export function addAttos({ carried, isStated }: Totals, measure: number, attos: bigint): void {
  isStated[measure] = true;
  carried[measure] = (carried[measure] as bigint) + attos;
}

/** Adds the totals of each currency. */
export function addAll(into: Map<string, Totals>, from: ReadonlyMap<string, Totals>): void {
  for (const [currency, totals] of from) {
    const sum = totalsIn(into, currency);
    for (let measure = 0; measure < COSTS; measure += 1) {
      if (totals.isStated[measure] === true) addAttos(sum, measure, attosIn(totals, measure));
      sum.residue[measure] = (sum.residue[measure] as bigint) + (totals.residue[measure] as bigint);
    }
  }
}

function attosIn({ carried, counters }: Totals, measure: number): bigint {
  return (carried[measure] as bigint) + attosOf(counters[measure * 2] as number, counters[measure * 2 + 1] as number);
}

/** As plain decimal text, by currency; null for what no row states. */
export function printed(totals: ReadonlyMap<string, Totals>): Record<string, MoneyTotals> {
  return Object.fromEntries(
    [...totals]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, sums]) => [
        currency,
        Object.fromEntries(
          moneyColumns.map((column, measure) =>
            sums.isStated[measure] === true
              ? [column, formatAttos(attosIn(sums, measure) * 10n ** BigInt(RESIDUE_DECIMALS - ATTO_DECIMALS) + (sums.residue[measure] as bigint), RESIDUE_DECIMALS)]
              : [column, null],
          ),
        ) as unknown as MoneyTotals,
      ]),
  );
}

/** Totals of a delivery that another file of the batch has begun, as its JSON, with more added. */
export function addedTo(soFar: string, more: Record<string, MoneyTotals>): Record<string, MoneyTotals> {
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
