import type BetterSqlite3 from "better-sqlite3";
import type { Scope, ScopeDimension } from "../../../shared/domain/scope.ts";

/** A connection to a ledger. Only store/ opens one. */
export type Db = BetterSqlite3.Database;

/** What may be bound. A number is bound as REAL (SQLite compares it with INTEGER columns as one expects, but divides as REAL). */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** A piece of SQL with its values, to be put into a query or another piece. */
export interface Fragment {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** The fragment is money in text, `nanoUnits remainder rest`, that the reader joins into a bigint of attos. */
  readonly isMoney?: boolean;
  /** Names given to money inside it (`… AS idleCostAttos`). */
  readonly moneyNames: readonly string[];
}

/** A question to the store: its text, its values, and the columns that it answers with, in order. */
export interface Query<Row> {
  readonly text: string;
  readonly values: readonly SqlValue[];
  readonly columns: readonly (keyof Row & string)[];
  /** Of the columns, those that read back as a bigint of attos (or null). */
  readonly moneyColumns: readonly string[];
  /** Its name in the log of slow queries: the first word after `--` in its text, else its first column. */
  readonly name: string;
}

type Part = SqlValue | Fragment | readonly Fragment[];

/** A fragment of SQL. Values become parameters; fragments are put in as they are. */
export function sql(strings: TemplateStringsArray, ...parts: readonly Part[]): Fragment {
  return assemble(strings, parts);
}

/**
 * A whole query. Its columns are named first, so that the row type, the names and the SQL are compared by a test:
 * `query<Row>("Month", "costAttos")\`SELECT Month, ${sumMoney("BilledCost")} AS costAttos FROM …\``.
 */
export function query<Row>(...columns: readonly (keyof Row & string)[]) {
  return (strings: TemplateStringsArray, ...parts: readonly Part[]): Query<Row> => {
    const { text, values, moneyNames } = assemble(strings, parts);
    return {
      text,
      values,
      columns,
      moneyColumns: columns.filter((column) => moneyNames.includes(column)),
      name: /--\s*([\w.-]+)/.exec(text)?.[1] ?? columns[0] ?? "query",
    };
  };
}

/** Puts fragments one after another, `separator` between them: `joined([sql\`a\`, sql\`b\`], ", ")`. */
export function joined(fragments: readonly Fragment[], separator: string): Fragment {
  return {
    text: fragments.map(({ text }) => text).join(separator),
    values: fragments.flatMap(({ values }) => values),
    moneyNames: fragments.flatMap(({ moneyNames }) => moneyNames),
  };
}

/** A name of a table or column as it is. It must be one of ours: letters, digits, underscores, with at most one dot. */
export function identifier(name: string): Fragment {
  if (!/^\w+(\.\w+)?$/.test(name)) throw new TypeError(`not an identifier: ${name}`);
  return { text: name, values: [], moneyNames: [] };
}

/**
 * The exact sum of a money column, beyond 64 bits: three sums in one text, joined into attos by the reader. The sum of nothing is 0.
 * `sumMoney("BilledCost", "c")` adds c.BilledCostNanos and c.BilledCostRest; rows without the cost are left out.
 */
export function sumMoney(column: string, alias?: string): Fragment {
  const { nanos, rest } = moneyPair(column, alias);
  return moneyFragment(
    `coalesce(sum(${nanos} / 1000000000), 0) || ' ' || coalesce(sum(${nanos} % 1000000000), 0) || ' ' || coalesce(sum(${rest}), 0)`,
  );
}

/** As `sumMoney`, but null when no row states the cost. */
export function sumMoneyOrNull(column: string, alias?: string): Fragment {
  const { nanos, rest } = moneyPair(column, alias);
  return moneyFragment(`sum(${nanos} / 1000000000) || ' ' || sum(${nanos} % 1000000000) || ' ' || sum(${rest})`);
}

/** The exact sum over the rows for which a condition holds: `sumMoneyWhere("BilledCost", sql\`c.ChargeCategory = 'Tax'\`)`. */
export function sumMoneyWhere(column: string, condition: Fragment, alias?: string): Fragment {
  const { nanos, rest } = moneyPair(column, alias);
  const filter = `FILTER (WHERE ${condition.text})`;
  return {
    text: `(coalesce(sum(${nanos} / 1000000000) ${filter}, 0) || ' ' || coalesce(sum(${nanos} % 1000000000) ${filter}, 0) || ' ' || coalesce(sum(${rest}) ${filter}, 0))`,
    values: [...condition.values, ...condition.values, ...condition.values],
    isMoney: true,
    moneyNames: [],
  };
}

/** One cell's amount, without adding; null where the source states none. */
export function money(column: string, alias?: string): Fragment {
  const { nanos, rest } = moneyPair(column, alias);
  return moneyFragment(`(${nanos} / 1000000000) || ' ' || (${nanos} % 1000000000) || ' ' || ${rest}`);
}

/**
 * AND conditions that narrow to a scope, on the columns of `series` (or a view that has them) under `alias`. Empty when the scope is everything.
 * With the billing month of the row as `month`, teams are those that the series belongs to in that month.
 */
export function scopeFilter(scope: Scope, alias?: string, month?: Fragment): Fragment {
  const conditions = (Object.keys(scopeColumns) as ScopeDimension[]).flatMap((dimension) => {
    const wanted = scope[dimension];
    if (wanted === undefined) return [];
    if (dimension === "team" && month !== undefined) return [isAmong(teamIn(month, alias), wanted)];
    return [isOneOf(scopeColumns[dimension], wanted, alias)];
  });
  return joined(conditions.map((condition) => joined([plain("AND "), condition], "")), " ");
}

/** Column of `series` behind each dimension of a scope. */
export const scopeColumns: Readonly<Record<ScopeDimension, string>> = {
  provider: "ProviderName",
  account: "SubAccountId",
  team: "x_Team",
  service: "ServiceName",
  region: "RegionId",
  gpuModel: "x_GpuModel",
  resource: "ResourceId",
};

/**
 * Whose a series is in a billing month: its x_Team, except in months for which a rule with dates says another (series_team_span).
 * `month` is an expression such as sql`c.Month`.
 */
export function teamIn(month: Fragment, alias = "s"): Fragment {
  const spans = `FROM series_team_span span WHERE span.SeriesId = ${alias}.SeriesId AND span.FromMonth <= ${month.text} AND span.ToMonth >= ${month.text}`;
  return {
    text: `CASE WHEN EXISTS (SELECT 1 ${spans}) THEN (SELECT span.Team ${spans}) ELSE ${alias}.x_Team END`,
    values: [...month.values, ...month.values, ...month.values, ...month.values],
    moneyNames: [],
  };
}

/** `column IN (…)`, where a null in the list stands for rows without a value. Nothing is one of an empty list. */
export function isOneOf(column: string, wanted: readonly (string | number | null)[], alias?: string): Fragment {
  return isAmong(plain(alias === undefined ? column : `${alias}.${column}`), wanted);
}

/** As `isOneOf`, for an expression. */
export function isAmong(expression: Fragment, wanted: readonly (string | number | null)[]): Fragment {
  const values = wanted.filter((value) => value !== null);
  const conditions: Fragment[] = [];
  if (values.length > 0) conditions.push(joined([expression, { text: `IN (${values.map(() => "?").join(", ")})`, values, moneyNames: [] }], " "));
  if (values.length < wanted.length) conditions.push(joined([expression, plain("IS NULL")], " "));
  if (conditions.length === 0) return plain("0");
  return joined([plain("("), joined(conditions, " OR "), plain(")")], "");
}

/** All rows of a query; money as bigint of attos, everything else as SQLite has it. */
export function readAll<Row>(db: Db, question: Query<Row>): Row[] {
  const startedAt = performance.now();
  const rows = preparedQuery(db, question).all(...question.values) as Record<string, unknown>[];
  for (const column of question.moneyColumns) for (const row of rows) row[column] = attosOf(row[column]);
  const milliseconds = performance.now() - startedAt;
  if (milliseconds > SLOW_MILLISECONDS) for (const listener of slowListeners) listener({ query: question.name, milliseconds: Math.round(milliseconds), rows: rows.length });
  return rows as Row[];
}

/** The first row of a query, or null. */
export function readOne<Row>(db: Db, question: Query<Row>): Row | null {
  return readAll(db, question)[0] ?? null;
}

export const AMOUNT_OUT_OF_RANGE = "AMOUNT_OUT_OF_RANGE";

/** An amount does not fit a money column: 9.2 billion units of currency. `code` crosses threads with it. */
export class AmountOutOfRange extends Error {
  readonly code = AMOUNT_OUT_OF_RANGE;
}

/** An amount as the two integers of a money column. Both have the amount's sign. Throws AmountOutOfRange. */
export function splitAttos(attos: bigint): { readonly nanos: bigint; readonly rest: bigint } {
  const nanos = attos / 1_000_000_000n;
  if (BigInt.asIntN(64, nanos) !== nanos) throw new AmountOutOfRange("beyond 64 bits of nanos");
  return { nanos, rest: attos % 1_000_000_000n };
}

/** Queries that take longer are logged by name: 40 ms is where a person begins to notice (performance.md section 1). */
export const SLOW_MILLISECONDS = 40;
export interface SlowQuery {
  readonly query: string;
  readonly milliseconds: number;
  readonly rows: number;
}
const slowListeners = new Set<(slow: SlowQuery) => void>();

/** Calls the listener for every slow query of this thread; returns a function that ends it. */
export function onSlowQuery(listener: (slow: SlowQuery) => void): () => void {
  slowListeners.add(listener);
  return () => slowListeners.delete(listener);
}

const statements = new WeakMap<Db, Map<string, BetterSqlite3.Statement<unknown[]>>>();

/** The prepared statement of a text, kept with its connection. */
export function prepared(db: Db, text: string): BetterSqlite3.Statement<unknown[]> {
  let known = statements.get(db);
  if (known === undefined) statements.set(db, (known = new Map<string, BetterSqlite3.Statement<unknown[]>>()));
  let statement = known.get(text);
  if (statement === undefined) {
    // Lists of values make many texts: the oldest go, so that a long session does not gather them.
    if (known.size >= 500) for (const text of [...known.keys()].slice(0, 250)) known.delete(text);
    known.set(text, (statement = db.prepare<unknown[]>(text)));
    for (const listener of preparedListeners) listener(db, text);
  }
  return statement;
}

const preparedListeners = new Set<(db: Db, text: string) => void>();

/** Calls the listener for every text that is prepared for the first time on a connection: for the test that looks at every query. */
export function onPrepared(listener: (db: Db, text: string) => void): () => void {
  preparedListeners.add(listener);
  return () => preparedListeners.delete(listener);
}

/** As `prepared`; the first time, the columns that the query names are compared with those that SQLite answers with. */
function preparedQuery<Row>(db: Db, { text, columns, name }: Query<Row>): BetterSqlite3.Statement<unknown[]> {
  const isNew = statements.get(db)?.has(text) !== true;
  const statement = prepared(db, text);
  if (isNew) {
    const answered = statement.columns().map((column) => column.name);
    if (answered.join() !== columns.join()) throw new TypeError(`query ${name} names ${columns.join()}, but SQLite answers ${answered.join()}`);
  }
  return statement;
}

function attosOf(text: unknown): bigint | null {
  if (text === null) return null;
  if (typeof text !== "string") throw new TypeError("a money column is not what sumMoney makes");
  const [billions = "", remainder = "", rest = ""] = text.split(" ");
  return (BigInt(billions) * 1_000_000_000n + BigInt(remainder)) * 1_000_000_000n + BigInt(rest);
}

function moneyPair(column: string, alias?: string): { readonly nanos: string; readonly rest: string } {
  const { text } = identifier(alias === undefined ? column : `${alias}.${column}`);
  return { nanos: `${text}Nanos`, rest: `${text}Rest` };
}

function moneyFragment(text: string): Fragment {
  return { text: `(${text})`, values: [], isMoney: true, moneyNames: [] };
}

function plain(text: string): Fragment {
  return { text, values: [], moneyNames: [] };
}

function assemble(strings: TemplateStringsArray, parts: readonly Part[]): Fragment {
  let text = strings[0] ?? "";
  const values: SqlValue[] = [];
  const moneyNames: string[] = [];
  parts.forEach((part, index) => {
    const after = strings[index + 1] ?? "";
    if (isFragments(part)) part = joined(part, " ");
    if (isFragment(part)) {
      text += part.text;
      values.push(...part.values);
      moneyNames.push(...part.moneyNames);
      if (part.isMoney === true) {
        const name = /^\s*AS\s+(\w+)/i.exec(after)?.[1];
        if (name !== undefined) moneyNames.push(name);
      }
    } else {
      text += "?";
      values.push(part);
    }
    text += after;
  });
  return { text, values, moneyNames };
}

function isFragments(part: Part): part is readonly Fragment[] {
  return Array.isArray(part);
}

function isFragment(part: SqlValue | Fragment): part is Fragment {
  return typeof part === "object" && part !== null && "text" in part;
}
