import { describe, expect, it } from "vitest";
import { breakEvenOption } from "../../../renderer/charts/break-even.ts";
import { shapesOf, type Shape } from "../../../renderer/charts/drawing.ts";
import { exitOption, levelOption } from "../../../renderer/charts/memo.ts";
import { chartTokens } from "../../../renderer/charts/tokens.ts";
import { usageLevelOption } from "../../../renderer/charts/usage-level.ts";
import { wordsOf } from "../../../main/cli/words.ts";
import type { TableBlock } from "../../../shared/contract/report.ts";

const tokens = chartTokens.light;
const text = (shapes: readonly Shape[]): string[] => shapes.flatMap((shape) => (shape.type === "text" ? [shape.style.text] : []));

describe("hourly usage against a level", () => {
  const style = { tokens, font: "12px x", strongFont: "12px x", standsOn: 0, level: 4, number: String, day: (hour: number) => `day ${hour / 24}`, above: ["above"], at: ["level 4"], below: ["below"], held: null, foot: "" };
  const draw = (units: readonly (number | null)[], of = style) => shapesOf(usageLevelOption(units, of), 600, 200);
  const fills = (shapes: readonly Shape[], fill: string) => shapes.filter((shape) => shape.type === "rect" && shape.style.fill === fill);

  it("fills what is above the level and what is under it, and nothing where they meet", () => {
    const shapes = draw([6, 6, 2, 4]);
    expect(fills(shapes, tokens.rule)).toHaveLength(1);
    expect(fills(shapes, tokens.committedSoft)).toHaveLength(1);
    expect(text(shapes)).toEqual(expect.arrayContaining(["above", "level 4", "below", "day 0"]));
  });

  it("is a gap where no bill says, never 0: the line breaks and the hours are hatched", () => {
    const shapes = draw([6, null, 6]);
    expect(shapes.filter((shape) => shape.type === "polyline")).toHaveLength(2);
    expect(shapes.some((shape) => shape.type === "line" && shape.style.stroke === tokens.hatch)).toBe(true);
    expect(fills(shapes, tokens.committedSoft)).toHaveLength(0);
  });

  it("stands on what is held: usage under that is nobody's waste of the new level", () => {
    const shapes = draw([1, 1], { ...style, standsOn: 2 });
    const [unused] = fills(shapes, tokens.committedSoft);
    const level = shapes.filter((shape) => shape.type === "line" && shape.style.stroke === tokens.committed).map((shape) => (shape.type === "line" ? shape.shape.y1 : 0)).sort((a, b) => a - b);
    // From the top line (6) down to the dashed one (2), not to the usage (1).
    expect(unused?.type === "rect" ? [unused.shape.y, unused.shape.y + unused.shape.height] : []).toEqual(level);
  });
});

describe("two prices that cross", () => {
  const style = {
    tokens, font: "12px x", strongFont: "12px x", onDemand: { price: 10, name: "on demand 10" }, used: { share: 0.9, text: "used 90 %", saves: "saves 3" }, number: String, percent: (share: number) => `${share * 100} %`,
  };
  const line = { price: 6, breakEven: 0.6, name: "one year 6", crossing: "60 %", isMain: true };
  const circles = (shapes: readonly Shape[]) => shapes.flatMap((shape) => (shape.type === "circle" ? [[shape.shape.cx, shape.shape.cy]] : []));

  it("marks the crossing where on demand costs as much", () => {
    const shapes = shapesOf(breakEvenOption([line], style, "share"), 500, 240);
    const [[x = 0, y = 0] = []] = circles(shapes);
    const onDemand = shapes.find((shape) => shape.type === "line" && shape.style.stroke === tokens.ink && shape.shape.x1 !== shape.shape.x2);
    if (onDemand?.type !== "line") throw new Error("on demand is drawn");
    const { x1, y1, x2, y2 } = onDemand.shape;
    expect((x - x1) / (x2 - x1)).toBeCloseTo(0.6, 9);
    expect((y - y1) / (y2 - y1)).toBeCloseTo(0.6, 9);
    expect(text(shapes)).toEqual(expect.arrayContaining(["60 %", "used 90 %", "saves 3", "on demand 10", "one year 6", "share"]));
  });

  it("has no crossing for a price that is dearer than on demand ever is", () => {
    expect(circles(shapesOf(breakEvenOption([{ ...line, price: 11, breakEven: 1.1 }], style, "share"), 500, 240))).toEqual([]);
  });
});

describe("the pictures of a memo", () => {
  const block = (rows: readonly (readonly (number | bigint | null)[])[]): TableBlock => ({
    kind: "table", id: "t", title: { key: "a" }, note: null, chart: null, columns: [], total: null,
    rows: rows.map((values, index) => ({ id: String(index), cells: values.map((value) => (value === null ? { absent: "not-stated" as const } : { figure: { metric: "spend" as const, value, unit: typeof value === "bigint" ? "USD" : "count", basis: "derived" as const, coverage: 1 } })) })),
  });
  const money = (units: number): bigint => BigInt(units) * 10n ** 18n;

  it("marks the month in which on demand would have cost as much as the whole term", async () => {
    const style = { tokens, font: "", words: await wordsOf("en") };
    // 100 a month against 600 owed: paid after 6 of 12 months, half-way along the axis.
    const shapes = shapesOf(exitOption(block([0, 4, 8, 12].map((month) => [month, money(month * 100), money(600)])), style), 676, 150);
    const [ring] = shapes.filter((shape) => shape.type === "circle");
    expect(ring?.type === "circle" ? ring.shape.cx : 0).toBeCloseTo(62 + (676 - 62 - 130) / 2, 6);
    expect(text(shapes)).toEqual(expect.arrayContaining(["has paid by month 6.0", "owed for the term", "on demand"]));
  });

  it("marks no month where it never does, and draws no line of what is unknown", async () => {
    const style = { tokens, font: "", words: await wordsOf("zh-CN") };
    const never = shapesOf(exitOption(block([0, 6, 12].map((month) => [month, money(month * 10), money(600)])), style), 676, 150);
    expect(never.some(({ type }) => type === "circle")).toBe(false);
    const unknown = shapesOf(exitOption(block([[0, null, money(600)], [12, null, money(600)]]), style), 676, 150);
    expect(unknown.filter((shape) => shape.type === "polyline").flatMap((shape) => (shape.type === "polyline" ? shape.shape.points : []))).toEqual([]);
  });

  it("puts the level across the usage, from the busiest hour down", async () => {
    const shapes = shapesOf(levelOption(block([[0.5, 16, 8], [1, 8, 8]]), { tokens, font: "", words: await wordsOf("en") }), 676, 150);
    const level = shapes.find((shape) => shape.type === "line" && shape.style.stroke === tokens.committed);
    const usage = shapes.find((shape) => shape.type === "polyline");
    const points = usage?.type === "polyline" ? usage.shape.points : [];
    // The second half of the hours lies on the level itself.
    expect(points.at(-1)?.[1]).toBe(level?.type === "line" ? level.shape.y1 : null);
    expect(points[0]?.[1]).toBeLessThan(points.at(-1)?.[1] ?? 0);
    expect(text(shapes)).toContain("level 8");
  });
});
