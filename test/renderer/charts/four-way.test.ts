import { describe, expect, it } from "vitest";
import { fourWayOption, wayParts } from "../../../renderer/charts/four-way.ts";
import { chartTokens } from "../../../renderer/charts/tokens.ts";
import { documentsIn } from "../documents.ts";
import { shapesOf } from "./shapes.ts";

const block = documentsIn("en").efficiency.blocks.find(({ id }) => id === "four-ways");
if (block?.kind !== "table") throw new Error("the report has no four ways");
const parts = wayParts(block);

describe("the bar of the four ways", () => {
  it("has shares that add to one", () => {
    expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(parts[0]?.share).toBeCloseTo(99_793.41 / 182_515.48, 9);
  });

  it("leaves out what is nothing", () => {
    const [first, ...others] = block.rows;
    const emptied = { ...first!, cells: first!.cells.map((cell) => ("figure" in cell && typeof cell.figure.value === "bigint" ? { figure: { ...cell.figure, value: 0n } } : cell)) };
    expect(wayParts({ ...block, rows: [emptied, ...others] }).map(({ id }) => id)).not.toContain(first!.id);
  });

  it("hatches the unknown and outlines the halves", () => {
    const tokens = chartTokens.light;
    const shapes = shapesOf(fourWayOption(parts, tokens), 1200, 18);
    const rects = shapes.filter(({ type }) => type === "rect");
    expect(rects.map(({ style }) => style.stroke)).toEqual([undefined, tokens.useful, tokens.idle, undefined, tokens.hatch]);
    expect(shapes.some(({ type, style }) => type === "line" && style.stroke === tokens.hatch)).toBe(true);
  });
});
