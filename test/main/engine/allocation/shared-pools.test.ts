import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitShared, type SharedPool } from "../../../../main/engine/allocation/shared-pools.ts";
import { decimal } from "../../../../shared/domain/rational.ts";

describe("shared pools", () => {
  const direct = [{ id: "a", amount: 30n }, { id: "b", amount: 10n }, { id: "credit", amount: -5n }];

  it("are split on direct cost, and a team with a credit takes no part in proportion", () => {
    expect(splitShared(direct, [{ amount: 8n, method: "proportional" }, { amount: 3n, method: "even" }])).toEqual({
      ok: true,
      final: [{ id: "a", amount: 37n }, { id: "b", amount: 13n }, { id: "credit", amount: -4n }],
      unallocated: 0n,
      grandTotal: 46n,
    });
  });

  it("keep what fixed percentages leave, and refuse what they exceed", () => {
    const fixed = (percent: string): SharedPool => ({ amount: 10n, method: "fixed", percents: [{ id: "new team", percent: decimal(percent) }] });
    expect(splitShared(direct, [fixed("40")])).toMatchObject({ unallocated: 6n, final: [{}, {}, {}, { id: "new team", amount: 4n }] });
    expect(splitShared(direct, [fixed("101")])).toEqual({ ok: false, refusal: "percent_over_100" });
  });

  it("add up, whatever their order (property 4, 6)", () => {
    const pools = fc.array(fc.record({ amount: fc.bigInt(-1000n, 1000n), method: fc.constantFrom("even" as const, "proportional" as const) }), { maxLength: 5 });
    const teams = fc.uniqueArray(fc.record({ id: fc.string({ minLength: 1, maxLength: 3 }), amount: fc.bigInt(-1000n, 1000n) }), { selector: ({ id }) => id, minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(teams, pools, (costs, shared) => {
        const split = splitShared(costs, shared);
        if (!split.ok) throw new Error("nothing here is fixed");
        expect(split.final.reduce((total, { amount }) => total + amount, split.unallocated)).toBe(split.grandTotal);
        expect(splitShared(costs, shared.toReversed())).toEqual(split);
      }),
    );
  });
});
