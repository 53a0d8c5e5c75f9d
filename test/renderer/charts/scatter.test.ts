import { describe, expect, it } from "vitest";
import { logTicks, scatterOption, type ScatterPoint } from "../../../renderer/charts/scatter.ts";
import { shapesOf } from "../../../renderer/charts/drawing.ts";
import { chartTokens } from "../../../renderer/charts/tokens.ts";

const style = { tokens: chartTokens.light, font: "12px sans-serif", xName: "cost", yName: "hours", xText: String, yText: String };
const point = (id: string, x: number, y: number, name: string | null = null, shade: number | null = 1): ScatterPoint => ({ id, x, y, shade, name });

describe("cost against time", () => {
  it("ticks at 1, 2 and 5 times the powers of ten inside the range", () => {
    expect(logTicks(90, 2100, 6)).toEqual([100, 200, 500, 1000, 2000]);
    expect(logTicks(1, 1e6, 4)).toEqual([1, 100, 10_000, 1_000_000]);
    expect(logTicks(0, 10, 4)).toEqual([]);
  });

  it("draws every point inside the frame, the dearer further right, unknown carbon as a ring", () => {
    const shapes = shapesOf(scatterOption([point("a", 100, 10, "8 × H100"), point("b", 1000, 100, null, null)], style), 600, 300);
    const circles = shapes.flatMap((shape) => (shape.type === "circle" ? [shape] : []));
    expect(circles).toHaveLength(2);
    const [b, a] = circles;
    expect(a?.shape.cx).toBeLessThan(b?.shape.cx ?? 0);
    expect(a?.shape.cy).toBeGreaterThan(b?.shape.cy ?? 0);
    expect(b?.style.fill).toBe(chartTokens.light.ground);
    expect(circles.every(({ shape: { cx, cy } }) => cx > 0 && cx < 600 && cy > 0 && cy < 300)).toBe(true);
  });

  it("names the front where a name covers no point and no other name", () => {
    const names = (points: readonly ScatterPoint[]): readonly string[] => shapesOf(scatterOption(points, style), 600, 300).flatMap((shape) => (shape.type === "text" && shape.style.text.includes("×") ? [shape.style.text] : []));
    expect(names([point("a", 100, 10, "8 × H100"), point("b", 1000, 100, "4 × L4")])).toEqual(["8 × H100", "4 × L4"]);
    const crowd = Array.from({ length: 40 }, (_, index) => point(`c${index}`, 100 * 1.02 ** index, 10 * 1.01 ** index, `${index} × card`));
    expect(names(crowd).length).toBeLessThan(40);
  });
});
