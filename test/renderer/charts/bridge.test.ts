import { describe, expect, it } from "vitest";
import { bridgeBars, bridgeOption } from "../../../renderer/charts/bridge.ts";
import { chartTokens } from "../../../renderer/charts/tokens.ts";
import { documentsIn } from "../documents.ts";
import { shapesOf } from "./shapes.ts";

const block = documentsIn("en").review.blocks.find(({ id }) => id === "bridge");
if (block?.kind !== "table") throw new Error("the review has no bridge");
const bars = bridgeBars(block);

describe("a bridge", () => {
  it("starts every bar where the one before ends, from the opening amount", () => {
    expect(bars[0]).toMatchObject({ kind: "opening", from: 0, to: 0 });
    for (const [index, bar] of bars.slice(1, -1).entries()) expect(bar.from).toBeCloseTo(bars[index]!.to, 6);
  });

  it("closes with the whole change", () => {
    expect(bars.at(-1)).toMatchObject({ kind: "closing", from: 0 });
    expect(bars.at(-1)!.to).toBeCloseTo(12_259.81, 2);
  });

  it("draws what went down hollow, and commitments in their colour", () => {
    const tokens = chartTokens.light;
    const shapes = shapesOf(bridgeOption(bars, { tokens, rowHeight: 24, totalHeight: 28, sum: "+12,259.81", font: "12px sans-serif" }), 184, 220);
    const rects = shapes.filter(({ type }) => type === "rect");
    expect(rects).toHaveLength(bars.length - 1);
    expect(rects.filter(({ style }) => style.fill === tokens.ground)).toHaveLength(3);
    expect(rects.filter(({ style }) => style.stroke === tokens.committed)).toHaveLength(1);
    expect(shapes.find(({ type }) => type === "text")?.style.text).toBe("+12,259.81");
  });

  it("stays inside its place", () => {
    const shapes = shapesOf(bridgeOption(bars, { tokens: chartTokens.light, rowHeight: 24, totalHeight: 28, sum: "+12,259.81", font: "12px sans-serif" }), 184, 220);
    for (const { shape } of shapes.filter(({ type }) => type === "rect")) {
      expect(shape!.x).toBeGreaterThanOrEqual(0);
      expect(shape!.x! + shape!.width!).toBeLessThanOrEqual(184);
    }
  });
});
