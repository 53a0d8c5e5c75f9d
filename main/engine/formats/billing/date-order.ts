import { orderedDateParts } from "../../import/utc-time.ts";
import type { DateOrder } from "../format.ts";

/** What the dates of a file prove of their order. */
export interface DateOrdersFound {
  readonly order: DateOrder | null;
  /** A date of the charge that fits both orders, where no date of the file decides; null where it is decided or needs no deciding. */
  readonly undecided: string | null;
  /** Dates of the file contradict each other. */
  readonly isMixed: boolean;
}

/**
 * Looks at dates until one decides: a number above 12 can only be a day. Where all fit both ways but those of the charge show one month and
 * several days in one reading only, that is no proof: a year's bill of the first of each month would look the same.
 */
export function dateOrders(): { look(text: string | null, isOfCharge: boolean): void; found(): DateOrdersFound } {
  let monthFirst = 0;
  let dayFirst = 0;
  let undecided: string | null = null;
  const known = new Set<string>();
  return {
    look(text, isOfCharge) {
      if (text === null || known.has(text)) return;
      if (known.size < 4096) known.add(text);
      const parts = orderedDateParts(text);
      if (parts === null) return;
      if (parts.first > 12 && parts.second <= 12) dayFirst += 1;
      else if (parts.second > 12 && parts.first <= 12) monthFirst += 1;
      else if (parts.first !== parts.second && (undecided === null || isOfCharge)) undecided ??= text;
    },
    found() {
      if (monthFirst > 0 && dayFirst > 0) return { order: null, undecided, isMixed: true };
      const order = monthFirst > 0 ? "month-first" : dayFirst > 0 ? "day-first" : null;
      return { order, undecided: order === null ? undecided : null, isMixed: false };
    },
  };
}
