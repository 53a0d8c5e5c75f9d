import { describe, expect, it } from "vitest";
import { flopsBars, flopsOption } from "../../../renderer/charts/flops.ts";
import { chartTokens } from "../../../renderer/charts/tokens.ts";
import { documentsIn } from "../documents.ts";
import { shapesOf } from "./shapes.ts";

const block = documentsIn("en").efficiency.blocks.find(({ id }) => id === "flops");
if (block?.kind !== "table") throw new Error("the report has no FLOPS");
const bars = flopsBars(block);

describe("FLOPS per dollar", () => {
  it("reads the levels of each model, and null where nothing was measured", () => {
    expect(bars[0]).toMatchObject({ peak: 784, effective: 246, achieved: 189 });
    expect(bars[2]?.achieved).toBeNull();
  });

  it("draws all on one scale from zero, and no bar for the unknown", () => {
    const rects = shapesOf(flopsOption(bars, { tokens: chartTokens.light, rowHeight: 34 }), 100, 102).filter(({ type }) => type === "rect");
    expect(rects).toHaveLength(8);
    expect(Math.max(...rects.map(({ shape }) => shape!.width!))).toBeCloseTo(96, 0);
  });
});
