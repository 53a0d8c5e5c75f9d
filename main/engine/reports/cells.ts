/** Small pieces that several reports put into their tables. */
import type { Cell, Column, FigureRef, Message, Row } from "../../../shared/contract/report.ts";
import type { Figure, MetricId } from "../../../shared/domain/figure.ts";
import type { PurchaseOption } from "../../../shared/domain/charge.ts";
import { figureOf } from "../metrics/metric.ts";
import { message } from "./context.ts";

export function text(value: string): Cell {
  return { text: value };
}

export function words(key: string, params?: Message["params"]): Cell {
  return { message: message(key, params) };
}

export function shown(figure: Figure, explain?: FigureRef): Cell {
  return explain === undefined ? { figure } : { figure, explain };
}

export const notApplicable: Cell = { absent: "not-applicable" };

export function column(id: string, kind: Column["kind"], priority: Column["priority"], label: Message, signed = false): Column {
  return signed ? { id, label, kind, priority, signed } : { id, label, kind, priority };
}

/** An amount of money beside other figures of the same basis; a bigint of attos. */
export function amount(metric: MetricId, attos: bigint, currency: string, coverage = 1): Figure {
  return figureOf(metric, attos, currency, metric === "spend-change" ? "derived" : "billed", coverage);
}

/** A name as the source spells it, or the words for having none. */
export function nameCell(name: string | null, keyOfNone: string): Cell {
  return name === null ? words(keyOfNone) : text(name);
}

export function optionMessage(option: PurchaseOption | null): Message {
  return message(`option.${option ?? "unknown"}`);
}

/** Groups rows by a key, largest cost first, then by key, so that two runs print the same. */
export function groupsBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string | null, costOf: (row: Row) => bigint): { readonly key: string | null; readonly rows: readonly Row[] }[] {
  const groups = new Map<string | null, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups]
    .map(([key, members]) => ({ key, rows: members, cost: members.reduce((total, row) => total + costOf(row), 0n) }))
    .sort((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : compareNames(a.key, b.key)));
}

/** By their characters, the same in every language; what has no name comes last. */
export function compareNames(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

export function distinctNames(names: Iterable<string | null>): (string | null)[] {
  return [...new Set(names)].sort(compareNames);
}

export function magnitude(attos: bigint): bigint {
  return attos < 0n ? -attos : attos;
}

export function row(id: string, cells: readonly Cell[], tone?: Row["tone"]): Row {
  return tone === undefined ? { id, cells } : { id, cells, tone };
}
