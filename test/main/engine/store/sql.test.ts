import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openMemoryLedger } from "../../../../main/engine/store/open.ts";
import { money, query, readAll, readOne, scopeFilter, splitAttos, sql, sumMoney, sumMoneyOrNull, sumMoneyWhere } from "../../../../main/engine/store/sql.ts";

function tableOf(amounts: readonly (bigint | null)[]) {
  const { db } = openMemoryLedger();
  db.exec("CREATE TEMP TABLE t (Id INTEGER PRIMARY KEY, CostNanos INTEGER, CostRest INTEGER)");
  const insert = db.prepare("INSERT INTO t (CostNanos, CostRest) VALUES (?, ?)");
  for (const amount of amounts) {
    const pair = amount === null ? null : splitAttos(amount);
    insert.run(pair?.nanos ?? null, pair?.rest ?? null);
  }
  return db;
}
const totals = query<{ rows: number; cost: bigint; costOrNull: bigint | null }>("rows", "cost", "costOrNull")`
  SELECT count(*) AS rows, ${sumMoney("Cost")} AS cost, ${sumMoneyOrNull("Cost", "t")} AS costOrNull FROM t`;

describe("money in the store", () => {
  it("adds to the last digit, and tells a sum of nothing from a missing cost", () => {
    expect(readOne(tableOf([1_500_000_000_000_000_001n, -2n, null]), totals)).toEqual({ rows: 3, cost: 1_499_999_999_999_999_999n, costOrNull: 1_499_999_999_999_999_999n });
    expect(readOne(tableOf([null]), totals)).toEqual({ rows: 1, cost: 0n, costOrNull: null });
    expect(readOne(tableOf([]), totals)).toEqual({ rows: 0, cost: 0n, costOrNull: null });
  });

  it("is exact beyond 64 bits, for any amounts of either sign", () => {
    const limit = 9_223_372_036n * 10n ** 18n;
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -limit, max: limit }), { maxLength: 20 }), (amounts) => {
        const db = tableOf(amounts);
        expect(readOne(db, totals)?.cost).toBe(amounts.reduce((sum, amount) => sum + amount, 0n));
        const each = readAll(db, query<{ amount: bigint }>("amount")`SELECT ${money("Cost")} AS amount FROM t ORDER BY Id`);
        expect(each.map(({ amount }) => amount)).toEqual(amounts);
      }),
    );
  });

  it("adds the rows of a condition", () => {
    const part = query<{ part: bigint }>("part")`SELECT ${sumMoneyWhere("Cost", sql`Id >= ${2}`)} AS part FROM t`;
    expect(readOne(tableOf([1n, 2n, 4n]), part)).toEqual({ part: 6n });
  });
});

describe("the sql tag", () => {
  it("puts values in as parameters and fragments as they are", () => {
    const inner = sql`a = ${"1' OR 1"}`;
    expect(sql`SELECT 1 WHERE ${inner} AND b = ${null}`).toMatchObject({ text: "SELECT 1 WHERE a = ? AND b = ?", values: ["1' OR 1", null] });
  });

  it("narrows to a scope, where null stands for rows without a value", () => {
    expect(scopeFilter({})).toMatchObject({ text: "", values: [] });
    expect(scopeFilter({ provider: ["AWS"], team: ["a", null] }, "s")).toMatchObject({
      text: "AND (s.ProviderName IN (?)) AND (s.x_Team IN (?) OR s.x_Team IS NULL)",
      values: ["AWS", "a"],
    });
  });

  it("names a query for the log", () => {
    expect(query<{ a: number }>("a")`-- totals.by-month
      SELECT 1 AS a`.name).toBe("totals.by-month");
  });
});
