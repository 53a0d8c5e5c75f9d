import type { PeriodLabel } from "../../shared/domain/period.ts";

/** Months newest first, and the quarters and years that hold them. */
export function periodChoices(months: readonly { readonly label: PeriodLabel }[]): { readonly months: readonly PeriodLabel[]; readonly quarters: readonly PeriodLabel[]; readonly years: readonly PeriodLabel[] } {
  const labels = months.map(({ label }) => label);
  const quarters = labels.map((label) => `${label.slice(0, 4)}-Q${Math.ceil(Number(label.slice(5, 7)) / 3)}`);
  return { months: labels, quarters: [...new Set(quarters)], years: [...new Set(labels.map((label) => label.slice(0, 4)))] };
}
