import { monthShifted } from "../allocation/assign.ts";

export type BudgetSpan = "month" | "quarter" | "fiscal-year";

/** The period of a budget: its label and its months. */
export interface BudgetPeriod {
  readonly label: string;
  readonly months: readonly string[];
}

/**
 * The period of a budget that holds a month. Quarters are of the fiscal year: it starts in `fiscalStart` (1 to 12). A fiscal year that is
 * the calendar's is `2026`, else it is named for the year it ends in, `FY2027`; its quarters likewise, `2026-Q3` or `FY2027-Q1`.
 */
export function budgetPeriod(span: BudgetSpan, month: string, fiscalStart: number): BudgetPeriod {
  if (span === "month") return { label: month, months: [month] };
  const offset = (Number(month.slice(5, 7)) - fiscalStart + 12) % 12;
  const start = monthShifted(month, -offset);
  const year = fiscalStart === 1 ? start.slice(0, 4) : `FY${monthShifted(start, 11).slice(0, 4)}`;
  if (span === "fiscal-year") return { label: year, months: monthsFrom(start, 12) };
  const quarter = Math.floor(offset / 3);
  return { label: `${year}-Q${quarter + 1}`, months: monthsFrom(monthShifted(start, 3 * quarter), 3) };
}

export function monthsFrom(month: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => monthShifted(month, index));
}
