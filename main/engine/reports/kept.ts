import { dayOf, parsePeriod } from "../../../shared/domain/period.ts";
import { query, readOne, type Db } from "../store/sql.ts";
import type { ReportContext } from "./context.ts";

/**
 * What a month's hours add up to, kept with the connection for as long as the same generations show for the month's days and the same
 * rules say whose they are: a month is a hundred thousand rows, and a trend asks for twelve. What is kept knows no scope; whoever asks
 * narrows it.
 */
const kept = new WeakMap<Db, Map<string, { readonly shows: string; readonly value: unknown }>>();

export interface Days {
  readonly firstDay: number;
  readonly endDay: number;
}

/** What is kept of a ledger whose tables were filled anew under the same generations. */
export function forgetKept(db: Db): void {
  kept.delete(db);
}

/** The rows that `read` makes of a month's days; none for a month that shows no hours, or for what is no month. */
export function keptOfMonth<T>({ ledger }: ReportContext, month: string, what: string, read: (days: Days) => readonly T[]): readonly T[] {
  const period = parsePeriod(month);
  if (period === null) return [];
  const days = { firstDay: dayOf(period.start), endDay: dayOf(period.end) };
  const shown = readOne(ledger.db, query<{ generations: string | null }>("generations")`
    -- generations-of-days
    SELECT group_concat(Day || ':' || Generation) || ' ' || ifnull((SELECT Value FROM ledger_info WHERE Key = 'allocation'), '') AS generations
    FROM (SELECT Day, Generation FROM day_generation WHERE Day >= ${days.firstDay} AND Day < ${days.endDay} ORDER BY Day)`);
  const shows = shown === null || shown.generations === null ? "" : shown.generations;
  if (shows === "") return [];
  let ofLedger = kept.get(ledger.db);
  if (ofLedger === undefined) kept.set(ledger.db, (ofLedger = new Map<string, { readonly shows: string; readonly value: unknown }>()));
  const key = `${what} ${month}`;
  const known = ofLedger.get(key);
  if (known?.shows === shows) return known.value as readonly T[];
  const value = read(days);
  ofLedger.set(key, { shows, value });
  return value;
}
