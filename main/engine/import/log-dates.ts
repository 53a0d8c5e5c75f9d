/** Which way round the dates of a log are that end with the year: `8/9/2026` is the 8th of September or the 9th of August. */
import { dateOrders } from "../formats/billing/date-order.ts";
import type { DateOrder } from "../formats/format.ts";

export interface LogDates {
  /** What the file shows; null where nothing does, or where its dates contradict each other. */
  readonly order: DateOrder | null;
  /** A date that fits both ways, where nothing decides. */
  readonly undecided: string | null;
}

const slashed = /(?<![\d/])(\d{1,2}\/\d{1,2}\/\d{4}),? +\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?([ \u00a0\u202f]*[AP]M)?(?![\w])/g;

/**
 * By the dates in the first 64 Ki characters: a number above 12 is a day. Where none is, `AM` and `PM` in capitals decide: of the regions
 * that write dates with slashes and the hour with them, only the United States have capitals (Unicode CLDR: en, against en-001's am and pm).
 */
export function logDates(head: string): LogDates {
  const orders = dateOrders();
  let hasCapitals = false;
  let first: string | null = null;
  for (const [, date = "", half] of head.matchAll(slashed)) {
    first ??= date;
    if (half !== undefined) hasCapitals = true;
    orders.look(date, true);
  }
  const { order, isMixed } = orders.found();
  if (isMixed) return { order: null, undecided: first };
  const decided = order ?? (hasCapitals ? "month-first" : null);
  return { order: decided, undecided: decided === null ? first : null };
}
