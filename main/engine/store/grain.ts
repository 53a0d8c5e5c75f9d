/** Where a question about charges reads: lines where they tell apart all that it asks for and are worked out, else series. */
import type { Scope, ScopeDimension } from "../../../shared/domain/scope.ts";
import { lineGrain, seriesGrain, type ChargeGrain } from "../metrics/grain.ts";
import { isOneOf, query, readAll, readOne, sql, type Db, type Query } from "./sql.ts";

/** What lines tell apart, by the names of scopes and of pivots. */
const lineDimensions: ReadonlySet<string> = new Set(["month", "day", "provider", "team", "service", "gpuModel", "chargeCategory", "chargeClass", "purchaseOption"]);

export interface ChargeQuestion {
  /** Billing months; null: all. */
  readonly months: readonly string[] | null;
  readonly scope?: Scope;
  /** What it groups and filters by besides. */
  readonly dimensions?: readonly string[];
}

/** All rows of a query about charges, from the smallest cells that it can be answered from. */
export function readCharges<Row>(db: Db, asked: ChargeQuestion, ask: (grain: ChargeGrain) => Query<Row>): Row[] {
  return withGrain(db, asked, (grain) => readAll(db, ask(grain)));
}

/** Does something with the grain that a question can be answered from; nobody else's change comes in between. */
export function withGrain<T>(db: Db, asked: ChargeQuestion, work: (grain: ChargeGrain) => T): T {
  return db.transaction(() => work(grainOf(db, asked)))();
}

function grainOf(db: Db, { months, scope = {}, dimensions = [] }: ChargeQuestion): ChargeGrain {
  const narrowed = (Object.keys(scope) as ScopeDimension[]).filter((dimension) => scope[dimension] !== undefined);
  if (![...narrowed, ...dimensions].every((dimension) => lineDimensions.has(dimension))) return seriesGrain;
  return !isConverted(db) && isWorkedOut(db, months) ? lineGrain : seriesGrain;
}

const known = new WeakMap<Db, boolean>();

/** Whether all money of the connection is in one currency: then amounts lie in tables of their own (views/converted.ts), and what is rolled up is billed still. */
export function isConverted(db: Db): boolean {
  let is = known.get(db);
  if (is === undefined) {
    is = readOne(db, query<{ found: number }>("found")`-- grain.is-converted
      SELECT 1 AS found FROM sqlite_temp_schema WHERE name = 'charge_month_current' AND type = 'table'`) !== null;
    known.set(db, is);
  }
  return is;
}

function isWorkedOut(db: Db, months: readonly string[] | null): boolean {
  return readOne(db, query<{ found: number }>("found")`-- grain.groups-without-lines
    SELECT 1 AS found FROM delivery_group AS g WHERE g.LinesGeneration <> g.CurrentGeneration ${months === null ? sql`` : sql`AND ${isOneOf("Month", months, "g")}`} LIMIT 1`) === null;
}
