import { describe, expect, it } from "vitest";
import type { CalculatorField } from "../../../../shared/contract/calculators.ts";
import { toDecimal } from "../../../../shared/domain/rational.ts";
import { readQuantity } from "../../../../main/engine/planning/quantity.ts";

const read = (kind: CalculatorField["kind"], text: string, rest: Partial<CalculatorField> = {}) => {
  const result = readQuantity({ id: "x", kind, ...rest }, text);
  return result.ok ? toDecimal(result.value) : result.error.code;
};

describe("quantities as they are typed", () => {
  it.each([
    ["memory", "80", "80"],
    ["memory", "80 GB", "80"],
    ["memory", "1 GiB", "1.073741824"],
    ["memory", "81559 MiB", "85.520809984"],
    ["memory", "2tb", "2000"],
    ["count", "7B", "7000000000"],
    ["count", "2T", "2000000000000"],
    ["count", "70亿", "7000000000"],
    ["count", "1e9", "1000000000"],
    ["count", "7,000,000", "7000000"],
    ["percent", "40", "0.4"],
    ["percent", "12.5 %", "0.125"],
    ["amount", "0.1", "0.1"],
    ["whole", "8", "8"],
  ] as const)("reads a %s of %s exactly", (kind, text, value) => expect(read(kind, text)).toBe(value));

  it.each([["amount", "0,9"], ["amount", "1,23"], ["amount", "5 USD"], ["memory", "80 GHz"], ["whole", "1.5"], ["count", "many"], ["amount", "--5"], ["amount", "NaN"]] as const)("guesses nothing: a %s of %s", (kind, text) => {
    expect(read(kind, text)).toBe("calculator.not-a-number");
  });

  it("words what cannot be: nothing at all, less than nothing, a million GPUs", () => {
    expect(read("memory", "0", { over: "0" })).toBe("calculator.not-positive");
    expect(read("amount", "-1", { from: "0" })).toBe("calculator.out-of-range");
    expect(read("whole", "1000000", { from: "1", to: "100000" })).toBe("calculator.out-of-range");
    expect(read("percent", "101", { from: "0", to: "1" })).toBe("calculator.out-of-range");
  });
});
