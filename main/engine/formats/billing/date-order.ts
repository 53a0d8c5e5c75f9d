import { orderedDateParts } from "../../import/utc-time.ts";
import type { DateOrder, FileSurvey, SurveyFinding } from "../format.ts";

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
      // With points they begin with the day wherever they are written so.
      if (/^\s*\d+\./.test(text) || (parts.first > 12 && parts.second <= 12)) dayFirst += 1;
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

/**
 * For formats whose dates begin with the year, until a spreadsheet saved them again in its country's order (`9/13/2026 0:00`). The first row
 * mostly tells that there is nothing to find out. Where no date of the file decides, nobody guesses.
 */
export function savedDates(...columns: readonly (readonly string[])[]): FileSurvey {
  return {
    columns,
    begin() {
      const dates = lookForOrder();
      return { row: (texts) => dates.row(texts), finish: () => dates.finding(columns[0]?.[0] ?? "", {}) };
    },
  };
}

/** The same as a part of a larger survey. */
export function lookForOrder(): { row(texts: readonly (string | null)[]): boolean; finding(column: string, facts: Readonly<Record<string, string>>): SurveyFinding } {
  const orders = dateOrders();
  let hasDates = false;
  return {
    row(texts) {
      const stated = texts.filter((text) => text !== null);
      if (!hasDates && stated.length > 0 && !stated.some((text) => orderedDateParts(text) !== null)) return false;
      hasDates ||= stated.length > 0;
      texts.forEach((text, index) => orders.look(text, index === 0));
      return true;
    },
    finding(column, facts) {
      const { order, undecided, isMixed } = orders.found();
      if (isMixed || undecided !== null) return { trouble: "dates-ambiguous", column, value: undecided ?? "" };
      return { facts: order === null ? facts : { ...facts, dateOrder: order }, assumed: [] };
    },
  };
}
