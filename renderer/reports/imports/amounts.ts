import type { MoneyTotals, PreviewFile } from "../../../shared/contract/methods.ts";
import { parseAmount } from "../../../shared/domain/money.ts";

/** Plain decimal text of the contract as attos; null stays null. */
export function attosOf(text: string | null): bigint | null {
  return text === null ? null : (parseAmount(text)?.value ?? null);
}

export type ChangeKind = PreviewFile["deliveries"][number]["changes"][number]["kind"];

export interface ChangeLine {
  readonly kind: ChangeKind;
  readonly rows: number;
  readonly cells: number;
  readonly was: bigint | null;
  readonly becomes: bigint | null;
}

const order: readonly ChangeKind[] = ["same", "changed", "new", "removed", "kept-from-older"];

/** What posting a file would change, over its deliveries, one list a currency. Absent amounts stay absent. */
export function changesOf(file: Pick<PreviewFile, "deliveries">): ReadonlyMap<string, readonly ChangeLine[]> {
  const byCurrency = new Map<string, Map<ChangeKind, ChangeLine>>();
  for (const { changes } of file.deliveries) {
    for (const { currency, kind, rows, cells, was, becomes } of changes) {
      const lines = byCurrency.get(currency) ?? new Map<ChangeKind, ChangeLine>();
      byCurrency.set(currency, lines);
      const before = lines.get(kind);
      lines.set(kind, {
        kind,
        rows: rows + (before?.rows ?? 0),
        cells: cells + (before?.cells ?? 0),
        was: plus(before?.was ?? null, attosOf(was)),
        becomes: plus(before?.becomes ?? null, attosOf(becomes)),
      });
    }
  }
  return new Map([...byCurrency].map(([currency, lines]) => [currency, order.flatMap((kind) => lines.get(kind) ?? [])]));
}

export interface ChangeTotal {
  readonly rows: number;
  readonly was: bigint | null;
  readonly becomes: bigint | null;
  readonly change: bigint | null;
}

/** Sum of the lines. Nothing before counts as no amount, so a first import changes the ledger by all it brings. */
export function totalOf(lines: readonly ChangeLine[]): ChangeTotal {
  const shown = lines.filter(({ kind }) => kind !== "removed");
  const was = lines.reduce<bigint | null>((sum, line) => plus(sum, line.was), null);
  const becomes = lines.reduce<bigint | null>((sum, line) => plus(sum, line.becomes), null);
  return { rows: shown.reduce((sum, { rows }) => sum + rows, 0), was, becomes, change: changeOf({ was, becomes }) };
}

export function changeOf({ was, becomes }: { readonly was: bigint | null; readonly becomes: bigint | null }): bigint | null {
  if (was === null && becomes === null) return null;
  return (becomes ?? 0n) - (was ?? 0n);
}

/** Costs of a file in one currency, as attos. */
export function totalsOf(totals: MoneyTotals): { readonly [C in keyof MoneyTotals]: bigint | null } {
  return { BilledCost: attosOf(totals.BilledCost), EffectiveCost: attosOf(totals.EffectiveCost), ListCost: attosOf(totals.ListCost), ContractedCost: attosOf(totals.ContractedCost) };
}

function plus(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null) return b;
  return b === null ? a : a + b;
}
