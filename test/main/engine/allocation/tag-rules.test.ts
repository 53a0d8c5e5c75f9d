import { describe, expect, it } from "vitest";
import { assignByTagRules, type TagCondition, type TaggedRow } from "../../../../main/engine/allocation/tag-rules.ts";
import { rational } from "../../../../shared/domain/rational.ts";

const row = (id: string, amount: bigint, tags: TaggedRow["tags"] = {}, columns: TaggedRow["columns"] = {}): TaggedRow => ({ id, amount, tags, columns });
const rule = (team: string, ...conditions: readonly TagCondition[]) => ({ team, conditions });

describe("tag rules", () => {
  it("give a row to the first rule that holds, and say which", () => {
    const rules = [rule("ml", { source: "tag", key: "team", op: "equals_ci", value: "ML" }), rule("rest", { source: "column", key: "account", op: "in", values: ["1", "2"] })];
    const rows = [row("x", 60n, { team: "ml" }, { account: "1" }), row("y", 20n, {}, { account: "2" }), row("z", 20n, { team: "" }, { account: "3" })];
    expect(assignByTagRules(rules, rows)).toEqual({
      rows: [{ id: "x", team: "ml", rule: 0 }, { id: "y", team: "rest", rule: 1 }, { id: "z", team: null, rule: null }],
      totals: new Map<string | null, bigint>([["ml", 60n], ["rest", 20n], [null, 20n]]),
      grandTotal: 100n,
      allocatedShare: rational(4n, 5n),
    });
  });

  it("need all conditions, and find nothing in what is absent or empty", () => {
    const both = [rule("both", { source: "tag", key: "a", op: "exists" }, { source: "tag", key: "b", op: "prefix", value: "llm-" })];
    const teams = (...tags: readonly TaggedRow["tags"][]) => assignByTagRules(both, tags.map((given, index) => row(String(index), 1n, given))).rows.map(({ team }) => team);
    expect(teams({ a: "1", b: "llm-7" }, { a: "1", b: "LLM-7" }, { a: "", b: "llm-7" }, { a: null, b: "llm-7" }, { b: "llm-7" })).toEqual(["both", null, null, null, null]);
    const empty = [rule("empty", { source: "tag", key: "a", op: "equals", value: "" })];
    expect(assignByTagRules(empty, [row("x", 1n, { a: "" }), row("y", 1n)]).rows.map(({ team }) => team)).toEqual([null, null]);
    expect(assignByTagRules([rule("proto", { source: "tag", key: "toString", op: "exists" })], [row("x", 1n)]).rows[0]!.team).toBeNull();
  });

  it("have no allocated share of nothing", () => {
    expect(assignByTagRules([], [row("x", 5n), row("y", -5n)]).allocatedShare).toBeNull();
  });
});
