/** What a bill's own rows say of a commitment's term, for those that say it. */
import type { PaymentKind, StatedTerm } from "../../../shared/contract/plan.ts";
import type { RowsPage } from "../../../shared/contract/methods.ts";
import { isOneOf, query, readAll, type Db } from "../store/sql.ts";

/** The columns in which exports state a term, as each of their versions spells them (compared without case, `/`, `_` and `:`). */
const stated = {
  start: ["reservation/StartTime", "savingsPlan/StartTime", "CommitmentStartDate"],
  end: ["reservation/EndTime", "savingsPlan/EndTime", "CommitmentEndDate"],
  term: ["pricing/LeaseContractLength", "savingsPlan/PurchaseTerm", "x_SkuTerm", "Term"],
  payment: ["pricing/PurchaseOption", "savingsPlan/PaymentOption"],
  offering: ["pricing/OfferingClass"],
} as const;

/** From the last row that states it; each part null where none does. */
export function statedTerm({ columns, rows }: Pick<RowsPage, "columns" | "rows">): StatedTerm | null {
  const places = columns.map(bare);
  const valuesOf = (names: readonly string[]): { readonly value: string; readonly file: string; readonly line: number }[] =>
    rows.flatMap(({ values, file, line }) => names.flatMap((name) => { const value = values[places.indexOf(bare(name))]; return value === undefined || value === null || value.trim() === "" ? [] : [{ value: value.trim(), file, line }]; }));
  const [start, end, term, payment, offering] = [stated.start, stated.end, stated.term, stated.payment, stated.offering].map((names) => valuesOf(names).at(-1) ?? null);
  const from = end ?? start ?? term ?? payment ?? null;
  if (from === null || from === undefined) return null;
  return {
    startsOn: dayIn(start?.value), endsOn: dayIn(end?.value), termMonths: monthsIn(term?.value), payment: paymentIn(payment?.value), isConvertible: offering === null || offering === undefined ? null : /convertible/i.test(offering.value),
    file: from.file, line: from.line,
  };
}

function bare(column: string): string {
  return column.toLowerCase().replaceAll(/[/_:\s]/g, "");
}

/** The UTC day of an instant or a date; an end in the last second of a day ends with the day after. */
export function dayIn(text: string | undefined): string | null {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}/.test(text)) return null;
  const at = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : /(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text.replace(" ", "T")}Z`);
  return Number.isNaN(at) ? null : new Date(at + 1000).toISOString().slice(0, 10);
}

/** `1yr`, `3 years`, `P1Y`, `36`: months. */
function monthsIn(text: string | undefined): number | null {
  const found = /^P?(\d{1,3})\s*(y|m)?/i.exec(text ?? "");
  if (found === null) return null;
  const count = Number(found[1]) * (found[2]?.toLowerCase() === "y" ? 12 : 1);
  return count >= 1 && count <= 120 ? count : null;
}

export function paymentIn(text: string | undefined): PaymentKind | null {
  if (text === undefined) return null;
  return /^no/i.test(text) ? "no-upfront" : /^partial/i.test(text) ? "partial-upfront" : /^all/i.test(text) ? "all-upfront" : null;
}

/** The series of a commitment and the last days on which they have cells: where its rows are read again. */
export function seriesOfCommitment(db: Db, commitment: string): { readonly seriesIds: readonly number[]; readonly firstDay: number; readonly lastDay: number } | null {
  const all = readAll(db, query<{ seriesId: number; lastDay: number; isFee: number }>("seriesId", "lastDay", "isFee")`-- plan.series-of-commitment
    SELECT c.SeriesId AS seriesId, max(c.Day) AS lastDay, max(s.ChargeCategory = 'Purchase') AS isFee
    FROM charge_day_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE ${isOneOf("CommitmentDiscountId", [commitment], "s")} AND s.x_Correction IS NULL
    GROUP BY c.SeriesId
    ORDER BY c.SeriesId`);
  if (all.length === 0) return null;
  // Fees say what the usage that they cover does not.
  const fees = all.filter(({ isFee }) => isFee === 1);
  const rows = fees.length > 0 ? fees : all;
  const lastDay = rows.reduce((last, row) => Math.max(last, row.lastDay), 0);
  return { seriesIds: rows.map(({ seriesId }) => seriesId), firstDay: lastDay - 31, lastDay };
}
