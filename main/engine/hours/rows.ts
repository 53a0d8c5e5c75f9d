/** Writes many rows of a table: several a statement, in short transactions, standing aside between two. */
import { prepared, type Db, type SqlValue } from "../store/sql.ts";

/** A table's columns in the order in which rows are filled in. */
export interface RowsOf {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Rows written in one transaction: under 20 ms on the slowest disk tried (architecture.md section 3). */
const ROWS_A_TRANSACTION = 2000;
/** Values bound in one statement, at most. */
const VALUES_A_STATEMENT = 500;

/** Inserts `count` rows, best in the order of their key; `fill` adds the values of the row with that index. */
export function insertRows(db: Db, { table, columns }: RowsOf, count: number, fill: (values: SqlValue[], index: number) => void, standAside: () => void): void {
  const rowsAStatement = Math.max(1, Math.floor(VALUES_A_STATEMENT / columns.length));
  const row = `(${columns.map(() => "?").join(", ")})`;
  const insert = `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${row}`;
  const insertMany = `${insert}${`, ${row}`.repeat(rowsAStatement - 1)}`;
  for (let start = 0; start < count; start += ROWS_A_TRANSACTION) {
    const end = Math.min(count, start + ROWS_A_TRANSACTION);
    db.transaction(() => {
      for (let next = start; next < end; ) {
        const rows = end - next < rowsAStatement ? 1 : rowsAStatement;
        const values: SqlValue[] = [];
        for (const after = next + rows; next < after; next += 1) fill(values, next);
        prepared(db, rows === 1 ? insert : insertMany).run(values);
      }
    })();
    standAside();
  }
}
