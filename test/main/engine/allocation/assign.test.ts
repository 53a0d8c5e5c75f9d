import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assignerOf, monthShifted, spanIn, tagsByKey, type Assignable } from "../../../../main/engine/allocation/assign.ts";
import { suggestRule } from "../../../../main/engine/allocation/suggest.ts";
import type { AllocationRule, RuleCondition } from "../../../../shared/domain/allocation.ts";

const rule = (team: string, conditions: readonly RuleCondition[], fromMonth: string | null = null, toMonth: string | null = null): AllocationRule => ({ name: team, team, conditions, fromMonth, toMonth });
const row = (change: Partial<Assignable> & { readonly rawTags?: Record<string, unknown> } = {}): Assignable => ({ tags: tagsByKey(change.rawTags ?? {}), columns: {}, tagTeam: null, ...change });
const service = (value: string): RuleCondition => ({ source: "column", key: "service", op: "equals", value });
const teamOf = (rules: readonly AllocationRule[], of: Assignable, month = "2026-09"): string | null => spanIn(assignerOf(rules)(of), month).team;

describe("allocation rules", () => {
  it("give a series to the first rule that fits, else to its tag's team, else to nobody", () => {
    const rules = [rule("vision", [service("S3")]), rule("nlp", [{ source: "column", key: "service", op: "prefix", value: "S" }])];
    expect(teamOf(rules, row({ columns: { service: "S3" } }))).toBe("vision");
    expect(teamOf(rules, row({ columns: { service: "SQS" }, tagTeam: "web" }))).toBe("nlp");
    expect(teamOf(rules, row({ columns: { service: "EC2" }, tagTeam: "web" }))).toBe("web");
    expect(teamOf(rules, row({ columns: { service: "EC2" } }))).toBeNull();
  });

  it("find a tag with or without the prefix of the bill, whatever its case; an empty one does not exist", () => {
    const of = row({ rawTags: { "user:CostCenter": "17", "user:empty": " ", "k8s-label/app": "Train" } });
    expect(teamOf([rule("a", [{ source: "tag", key: "user:CostCenter", op: "equals", value: "17" }])], of)).toBe("a");
    expect(teamOf([rule("a", [{ source: "tag", key: "costcenter", op: "in", values: ["16", "17"] }])], of)).toBe("a");
    expect(teamOf([rule("a", [{ source: "tag", key: "app", op: "equals-ignoring-case", value: "TRAIN" }])], of)).toBe("a");
    expect(teamOf([rule("a", [{ source: "tag", key: "empty", op: "exists" }])], of)).toBeNull();
  });

  it("know patterns, in which everything but * and ? stands for itself", () => {
    const named = (resourceName: string, value: string): string | null => teamOf([rule("a", [{ source: "column", key: "resourceName", op: "pattern", value }])], row({ columns: { resourceName } }));
    expect(named("train-07.node", "TRAIN-??.*")).toBe("a");
    expect(named("train-07xnode", "train-??.*")).toBeNull();
    expect(named("a(b)c", "a(b)*")).toBe("a");
    expect(named(`${"a".repeat(3000)}b`, `${"*a".repeat(12)}c`)).toBeNull();
  });

  it("hold in their months only, both ends included", () => {
    const rules = [rule("search", [service("S3")], "2026-03", "2026-06"), rule("vision", [service("S3")], "2026-05", null)];
    const of = row({ columns: { service: "S3" }, tagTeam: "web" });
    expect(["2026-02", "2026-03", "2026-06", "2026-07", "2027-01"].map((month) => teamOf(rules, of, month))).toEqual(["web", "search", "search", "vision", "vision"]);
  });

  it("say the same span by span as month by month", () => {
    const month = fc.integer({ min: 0, max: 30 }).map((by) => monthShifted("2025-01", by));
    const dated = fc.tuple(fc.option(month, { nil: null }), fc.option(month, { nil: null }), fc.constantFrom("a", "b", "c")).filter(([from, to]) => from === null || to === null || from <= to);
    fc.assert(
      fc.property(fc.array(dated, { maxLength: 6 }), (list) => {
        const rules = list.map(([from, to, team]) => rule(team, [service("S3")], from, to));
        const spans = assignerOf(rules)(row({ columns: { service: "S3" }, tagTeam: "tag" }));
        for (let by = -2; by <= 33; by += 1) {
          const at = monthShifted("2025-01", by);
          const first = rules.find(({ fromMonth, toMonth }) => (fromMonth === null || fromMonth <= at) && (toMonth === null || at <= toMonth));
          expect(spanIn(spans, at).team).toBe(first?.team ?? "tag");
          expect(spans.filter(({ fromMonth, toMonth }) => (fromMonth === null || fromMonth <= at) && (toMonth === null || at <= toMonth))).toHaveLength(1);
        }
      }),
    );
  });

  it("are suggested where four fifths of the cost that shares a trait are one team's", () => {
    const of = (team: string, project: string, attos: bigint): Parameters<typeof suggestRule>[0][number] => ({ team, attos, row: row({ rawTags: { project }, columns: { account: "1", service: "S3" } }) });
    const suggest = suggestRule([of("vision", "seg", 80n), of("nlp", "seg", 20n), of("nlp", "chat", 100n)]);
    expect(suggest(row({ rawTags: { "user:Project": "seg" } }))).toMatchObject({ because: "tag", share: 0.8, rule: { team: "vision", conditions: [{ source: "tag", key: "project", op: "equals", value: "seg" }] } });
    expect(suggest(row({ columns: { account: "1" } }))).toBeNull();
    expect(suggest(row({ columns: { account: "2" } }))).toBeNull();
  });
});
