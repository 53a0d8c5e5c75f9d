import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allocate } from "../../../../main/engine/allocation/allocate.ts";
import { splitExactly } from "../../../../main/engine/allocation/split.ts";
import { decimal, rational, whole } from "../../../../shared/domain/rational.ts";

const amounts = fc.bigInt(-(10n ** 20n), 10n ** 20n);
const added = (parts: readonly { readonly amount: bigint }[]): bigint => parts.reduce((total, { amount }) => total + amount, 0n);

describe("an exact split", () => {
  it("gives the units left over to the largest remainders", () => {
    // 10 over 1 : 2 : 4 is 1.43, 2.86 and 5.71: down to 1, 2 and 5, and the two left go to the second and the third.
    const targets = [["a", 1], ["b", 2], ["c", 4]].map(([id, weight]) => ({ id: String(id), weight: whole(Number(weight)) }));
    expect(splitExactly(10n, targets).parts).toEqual([{ id: "a", amount: 1n }, { id: "b", amount: 3n }, { id: "c", amount: 6n }]);
    expect(splitExactly(-10n, targets).parts.map(({ amount }) => amount)).toEqual([-1n, -3n, -6n]);
  });

  it("settles equal remainders by the larger weight, then by id", () => {
    const half = rational(1n, 2n);
    expect(splitExactly(1n, [{ id: "b", weight: half }, { id: "a", weight: half }]).parts).toEqual([{ id: "b", amount: 0n }, { id: "a", amount: 1n }]);
  });

  it("says when it had nothing to go by", () => {
    expect(splitExactly(2n, [{ id: "a", weight: whole(0) }, { id: "b", weight: whole(-1) }])).toEqual({ parts: [{ id: "a", amount: 1n }, { id: "b", amount: 1n }], isEven: true, hasNegativeWeight: true });
    expect(splitExactly(2n, [])).toEqual({ parts: [], isEven: false, hasNegativeWeight: false });
  });

  it("adds to the amount, stays within a unit of the quota, and does not mind the order (property 4, 6)", () => {
    const weights = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 7 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(amounts, weights, (amount, given) => {
        const targets = given.map(([numerator, denominator], index) => ({ id: `t${index}`, weight: rational(BigInt(numerator), BigInt(denominator)) }));
        const { parts, isEven } = splitExactly(amount, targets);
        expect(added(parts)).toBe(amount);
        const common = 420n;
        const scaled = targets.map(({ weight }) => (isEven ? 1n : (weight.numerator * common) / weight.denominator));
        const total = scaled.reduce((a, b) => a + b, 0n);
        parts.forEach(({ amount: part }, index) => {
          const drift = part * total - amount * scaled[index]!;
          expect(drift < total && drift > -total).toBe(true);
        });
        const byId = new Map(parts.map(({ id, amount: part }) => [id, part]));
        expect(new Map(splitExactly(amount, targets.toReversed()).parts.map(({ id, amount: part }) => [id, part]))).toEqual(byId);
      }),
    );
  });
});

describe("allocating an amount", () => {
  it("refuses percentages over 100 and leaves the rest below it unallocated", () => {
    const fixed = (...percents: readonly string[]) => ({ method: "fixed", targets: percents.map((percent, index) => ({ id: `t${index}`, percent: decimal(percent) })) }) as const;
    expect(allocate(1000n, fixed("60", "40.01"))).toEqual({ ok: false, refusal: "percent_over_100" });
    expect(allocate(1000n, fixed("50", "12.5"))).toEqual({ ok: true, parts: [{ id: "t0", amount: 500n }, { id: "t1", amount: 125n }], unallocated: 375n, fallback: null });
    expect(allocate(1n, fixed("50"))).toMatchObject({ parts: [{ amount: 1n }], unallocated: 0n });
  });

  it("keeps the amount when there is nobody to give it to", () => {
    expect(allocate(7n, { method: "even", targets: [] })).toEqual({ ok: true, parts: [], unallocated: 7n, fallback: null });
  });

  it("counts a negative weight as nothing, and says so", () => {
    const targets = [{ id: "a", weight: whole(-3) }, { id: "b", weight: whole(1) }];
    expect(allocate(5n, { method: "proportional", targets })).toEqual({ ok: true, parts: [{ id: "a", amount: 0n }, { id: "b", amount: 5n }], unallocated: 0n, fallback: "negative_weight" });
  });

  it("always adds up with what is unallocated (property 4)", () => {
    fc.assert(
      fc.property(amounts, fc.array(fc.integer({ min: 0, max: 3300 }), { minLength: 1, maxLength: 3 }), (amount, hundredths) => {
        const targets = hundredths.map((percent, index) => ({ id: `t${index}`, percent: rational(BigInt(percent), 100n) }));
        const allocation = allocate(amount, { method: "fixed", targets });
        expect(allocation.ok && added(allocation.parts) + allocation.unallocated).toBe(amount);
      }),
    );
  });
});
