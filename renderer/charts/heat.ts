import type { ChartOption, Shape } from "./drawing.ts";
import { box, drawingOption, hatching } from "./drawing.ts";
import type { ChartTokens } from "./tokens.ts";
import { heatColor } from "./tokens.ts";

/** States of a fleet's hours beside utilization 0 to 100. */
export const heatState = { notRunning: -1, unknown: -2, held: -3, dead: -4, idleMemoryUnknown: -5 } as const;

export interface HeatRun {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly state: number;
}

/** Equal neighbours as one run: a stretch of unknown or idle hours is drawn as one thing. */
export function heatRuns(states: readonly number[], from: number, to: number): readonly HeatRun[] {
  const runs: HeatRun[] = [];
  for (let hour = from; hour < Math.min(to, states.length); hour += 1) {
    const state = states[hour] ?? heatState.unknown;
    const last = runs.at(-1);
    if (last !== undefined && last.state === state) runs[runs.length - 1] = { ...last, to: hour + 1 };
    else runs.push({ from: hour, to: hour + 1, state });
  }
  return runs;
}

export interface HeatLine {
  readonly y: number;
  readonly states: readonly number[];
}

/**
 * The hours `from` to `to` of some rows, each 15 high with its own y: utilization as a ramp, held idle light with an outline,
 * dead idle solid, unknown hatched, not running a hairline; a line of the ground at midnight (UTC).
 * `startHour` is the hour of the day of state 0; of minutes (`every` 60) it is the minute of the hour.
 */
export function heatOption(lines: readonly HeatLine[], { from, to, startHour, tokens, every = 24 }: { readonly from: number; readonly to: number; readonly startHour: number; readonly tokens: ChartTokens; readonly every?: number }): ChartOption {
  return drawingOption((width) => {
    const cell = width / Math.max(1, to - from);
    const height = 14;
    const shapes: Shape[] = [];
    for (const { y, states } of lines) {
      shapes.push({ type: "line", shape: { x1: 0, y1: y + 7.5, x2: width, y2: y + 7.5 }, style: { stroke: tokens.rule, lineWidth: 1 } });
      for (const run of heatRuns(states, from, to)) {
        const x = (run.from - from) * cell;
        const length = (run.to - run.from) * cell;
        if (run.state === heatState.notRunning) continue;
        if (run.state === heatState.unknown) shapes.push(box(x, y, length, height, tokens.ground, tokens.hatch), ...hatching(x, y, length, height, tokens.hatch));
        else if (run.state === heatState.idleMemoryUnknown) shapes.push(box(x, y, length, height, tokens.ground, tokens.idle), ...hatching(x, y, length, height, tokens.idle));
        else if (run.state === heatState.held) shapes.push(box(x, y, length, height, tokens.idleHalf, tokens.idle));
        else if (run.state === heatState.dead) shapes.push(box(x, y, length, height, tokens.idle));
        else shapes.push(box(x, y, length + 0.3, height, heatColor(tokens, run.state)));
      }
    }
    const last = lines.at(-1);
    const firstMidnight = (every - ((startHour + from) % every)) % every;
    if (last !== undefined) {
      for (let hour = firstMidnight === 0 ? every : firstMidnight; hour < to - from; hour += every) {
        shapes.push({ type: "line", shape: { x1: hour * cell, y1: 0, x2: hour * cell, y2: last.y + 15 }, style: { stroke: tokens.ground, lineWidth: 1.2 } });
      }
    }
    return shapes;
  });
}

export const heatRowHeight = 16;
export const heatGroupGap = 5;

/** Top of every row, with a gap before each new GPU model, and the height of them all. */
export function heatOffsets(rows: readonly { readonly gpuModel: string | null }[]): { readonly tops: readonly number[]; readonly height: number } {
  const tops: number[] = [];
  let y = 0;
  rows.forEach((row, index) => {
    if (index > 0 && rows[index - 1]?.gpuModel !== row.gpuModel) y += heatGroupGap;
    tops.push(y);
    y += heatRowHeight;
  });
  return { tops, height: y };
}
