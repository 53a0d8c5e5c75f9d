import { describe, expect, it } from "vitest";
import { sparkline } from "../../../renderer/charts/sparkline.ts";

describe("a sparkline", () => {
  it("goes from the lowest value at the bottom to the highest at the top", () => {
    const { line, end } = sparkline([1, 2, 3], 107, 40);
    expect(line).toBe("M3 36L53 20L103 4");
    expect(end).toEqual({ x: 103, y: 4 });
  });

  it("breaks where a month is unknown, and hatches it", () => {
    const { line, hatch } = sparkline([1, 2, null, 2, 1], 107, 40);
    expect(line.match(/M/g)).toHaveLength(2);
    expect(hatch).not.toBe("");
    expect(sparkline([1, 2], 107, 40).hatch).toBe("");
  });

  it("shows a lone known month as a short dash", () => {
    expect(sparkline([null, 5, null], 107, 40).line).toBe("M53 20h3");
  });

  it("has no end where the last month is unknown", () => {
    expect(sparkline([1, null], 107, 40).end).toBeNull();
  });

  it("takes amounts beyond what a number holds exactly", () => {
    expect(sparkline([10n ** 24n, 2n * 10n ** 24n], 107, 40).end).toEqual({ x: 103, y: 4 });
  });
});
