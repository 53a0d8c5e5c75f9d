import type { Column } from "../../shared/contract/report.ts";
import type { PeriodLabel } from "../../shared/domain/period.ts";
import type { Language } from "../../shared/i18n/index.ts";

export { currencyOfTable, displayedAmounts, displayedQuantities, figureOf, moneyOf } from "../../shared/contract/table.ts";

/** Which columns stand in the table, and which only in a row's detail, by the order of their importance. */
export function columnsAt(columns: readonly Column[], isNarrow: boolean): { readonly shown: readonly number[]; readonly hidden: readonly number[] } {
  const limit = isNarrow ? 1 : 2;
  const indices = columns.map((_column, index) => index);
  return { shown: indices.filter((index) => (columns[index]?.priority ?? 3) <= limit), hidden: indices.filter((index) => (columns[index]?.priority ?? 3) > limit) };
}

/** "Sep" or "9月". */
export function monthShort(label: PeriodLabel, language: Language): string {
  const month = Number(label.slice(5, 7));
  if (!(month >= 1)) return label;
  return language === "zh-CN" ? `${month}月` : new Intl.DateTimeFormat("en-US", { month: "short", timeZone: "UTC" }).format(Date.UTC(2001, month - 1, 1));
}
