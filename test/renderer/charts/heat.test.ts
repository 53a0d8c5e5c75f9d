import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heatOffsets, heatOption, heatRuns, heatState } from "../../../renderer/charts/heat.ts";
import { chartTokens, heatColor } from "../../../renderer/charts/tokens.ts";
import { shapesOf } from "./shapes.ts";

describe("the fleet's hours", () => {
  it("merge where they are alike", () => {
    expect(heatRuns([-2, -2, 40, -4, -4, -4], 0, 6)).toEqual([{ from: 0, to: 2, state: -2 }, { from: 2, to: 3, state: 40 }, { from: 3, to: 6, state: -4 }]);
  });

  it("are all in exactly one run, in order", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 100 }), { maxLength: 200 }), (states) => {
        const runs = heatRuns(states, 0, states.length);
        expect(runs.flatMap(({ from, to, state }) => Array.from({ length: to - from }, () => state))).toEqual(states);
        for (const [index, run] of runs.slice(1).entries()) expect(run.state).not.toBe(runs[index]!.state);
      }),
    );
  });

  it("show the unknown hatched, dead idle solid, held idle outlined, and nothing where no machine ran", () => {
    const tokens = chartTokens.light;
    const states = [heatState.notRunning, heatState.unknown, heatState.held, heatState.dead, 100];
    const shapes = shapesOf(heatOption([{ y: 0, states }], { from: 0, to: 5, startHour: 3, tokens }), 500, 15);
    const rects = shapes.filter(({ type }) => type === "rect");
    expect(rects.map(({ style }) => style.fill)).toEqual([tokens.ground, tokens.idleHalf, tokens.idle, heatColor(tokens, 100)]);
    expect(rects[0]?.style.stroke).toBe(tokens.hatch);
  });

  it("have a line at every midnight inside them", () => {
    const tokens = chartTokens.light;
    const shapes = shapesOf(heatOption([{ y: 0, states: Array.from({ length: 72 }, () => 50) }], { from: 0, to: 72, startHour: 6, tokens }), 720, 15);
    const midnights = shapes.filter(({ type, style }) => type === "line" && style.stroke === tokens.ground);
    expect(midnights.map(({ shape }) => (shape as { readonly x1?: number }).x1)).toEqual([180, 420, 660]);
  });

  it("set the models apart", () => {
    expect(heatOffsets([{ gpuModel: "H100" }, { gpuModel: "H100" }, { gpuModel: "L4" }])).toEqual({ tops: [0, 16, 37], height: 53 });
  });

  it("darken with utilization", () => {
    expect(heatColor(chartTokens.light, 0)).toBe("#e0edeb");
    expect(heatColor(chartTokens.light, 100)).toBe("#00595a");
  });
});
