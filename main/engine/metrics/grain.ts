import type { Scope } from "../../../shared/domain/scope.ts";
import { identifier, scopeFilter, sql, teamIn, type Fragment } from "../store/sql.ts";

/**
 * Of what size the cells are that a question about charges reads: of series, which know everything, or of lines, of which there are few. In both
 * `c` (or another alias) are the cells with their measures and their billing Month, and `s` what they are: the same columns by the same names.
 */
export interface ChargeGrain {
  readonly kind: "series" | "line";
  /** FROM: a cell a billing month. */
  months(cells?: string): Fragment;
  /** FROM: a cell a UTC day of charge time. */
  days(cells?: string): Fragment;
  /** Whose a cell is in its month. */
  team(cells?: string): Fragment;
  /** AND conditions that narrow to a scope. */
  within(scope: Scope, cells?: string): Fragment;
  /** Whether it charges for more than a day. */
  readonly isLong: Fragment;
}

export const seriesGrain: ChargeGrain = {
  kind: "series",
  months: (cells = "c") => sql`charge_month_current AS ${identifier(cells)} JOIN series AS s ON s.SeriesId = ${identifier(`${cells}.SeriesId`)}`,
  days: (cells = "c") => sql`charge_day_current AS ${identifier(cells)} JOIN series AS s ON s.SeriesId = ${identifier(`${cells}.SeriesId`)}`,
  team: (cells = "c") => teamIn(identifier(`${cells}.Month`)),
  within: (scope, cells = "c") => scopeFilter(scope, "s", identifier(`${cells}.Month`)),
  isLong: sql`s.x_PeriodSeconds IS NOT NULL`,
};

export const lineGrain: ChargeGrain = {
  kind: "line",
  months: (cells = "c") => sql`charge_line_month_current AS ${identifier(cells)} CROSS JOIN charge_line AS s ON s.LineId = ${identifier(`${cells}.LineId`)}`,
  days: (cells = "c") => sql`charge_line_day_current AS ${identifier(cells)} CROSS JOIN charge_line AS s ON s.LineId = ${identifier(`${cells}.LineId`)}`,
  team: () => sql`s.x_Team`,
  within: (scope) => scopeFilter(scope, "s"),
  isLong: sql`s.x_IsLong = 1`,
};

/** The bit of `Facts` of a month's cell by line that says: its list cost can be believed. */
export const BELIEVABLE_LIST = 32;
