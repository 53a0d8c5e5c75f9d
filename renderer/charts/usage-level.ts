import { axisSteps } from "./burn-down.ts";
import type { ChartOption, Shape } from "./drawing.ts";
import { drawingOption, hatching } from "./drawing.ts";
import type { ChartTokens } from "./tokens.ts";

export interface UsageLevelStyle {
  readonly tokens: ChartTokens;
  readonly font: string;
  readonly strongFont: string;
  /** GPUs of other commitments under the level. */
  readonly standsOn: number;
  /** GPUs of the level itself. */
  readonly level: number;
  readonly number: (value: number) => string;
  /** Words under the hours of this index, every seven days. */
  readonly day: (hour: number) => string;
  /** Lines at the right end: over the level, at it, under it. */
  readonly above: readonly string[];
  readonly at: readonly string[];
  readonly below: readonly string[];
  /** Words of the commitments the level stands on. */
  readonly held: string | null;
  /** One line inside the plot, at its foot. */
  readonly foot: string;
}

const left = 34;
const right = 158;
const top = 10;
const bottom = 24;
const line = 16;

/** Hourly usage as a step line against a level: what is above it is on demand, what is under it is paid and unused. Unknown hours are hatched. */
export function usageLevelOption(units: readonly (number | null)[], { tokens, font, strongFont, standsOn, level, number, day, above, at, below, held, foot }: UsageLevelStyle): ChartOption {
  return drawingOption((width, height) => {
    const total = standsOn + level;
    const most = Math.max(total, ...units.map((value) => value ?? 0), 1);
    const steps = axisSteps(most * 1.08);
    const highest = Math.max(most * 1.08, steps.at(-1) ?? most);
    const x = (hour: number): number => left + (units.length === 0 ? 0 : (hour / units.length) * (width - left - right));
    const y = (value: number): number => height - bottom - (value / highest) * (height - top - bottom);
    const shapes: Shape[] = [];
    for (const step of steps) {
      shapes.push({ type: "line", shape: { x1: left, y1: y(step), x2: width - right, y2: y(step) }, style: { stroke: step === 0 ? tokens.ruleStrong : tokens.rule, lineWidth: 1 } });
      shapes.push({ type: "text", style: { x: left - 8, y: y(step), text: number(step), fill: tokens.muted, font, verticalAlign: "middle", align: "right" } });
    }
    for (let hour = 0; hour < units.length; hour += 168) {
      shapes.push({ type: "line", shape: { x1: x(hour), y1: height - bottom, x2: x(hour), y2: height - bottom + 4 }, style: { stroke: tokens.ruleStrong, lineWidth: 1 } });
      shapes.push({ type: "text", style: { x: x(hour), y: height - bottom + 7, text: day(hour), fill: tokens.muted, font, verticalAlign: "top", align: hour === 0 ? "left" : "center" } });
    }
    const path: (readonly [number, number])[][] = [];
    for (const { value, from, to } of runsOf(units)) {
      if (value === null) {
        shapes.push(...hatching(x(from), top, x(to) - x(from), height - top - bottom, tokens.hatch));
        path.push([]);
        continue;
      }
      const [y1, y2] = [y(Math.max(value, total)), y(Math.min(Math.max(value, standsOn), total))];
      if (value > total) shapes.push({ type: "rect", shape: { x: x(from), y: y1, width: x(to) - x(from), height: y(total) - y1 }, style: { fill: tokens.rule } });
      else if (value < total) shapes.push({ type: "rect", shape: { x: x(from), y: y(total), width: x(to) - x(from), height: y2 - y(total) }, style: { fill: tokens.committedSoft } });
      if (path.length === 0) path.push([]);
      path.at(-1)?.push([x(from), y(value)], [x(to), y(value)]);
    }
    for (const points of path) if (points.length > 1) shapes.push({ type: "polyline", shape: { points }, style: { stroke: tokens.ink, lineWidth: 1, fill: "none" } });
    if (standsOn > 0) {
      shapes.push({ type: "line", shape: { x1: left, y1: y(standsOn), x2: width - right, y2: y(standsOn) }, style: { stroke: tokens.committed, lineWidth: 1, lineDash: [4, 3] } });
    }
    shapes.push({ type: "line", shape: { x1: left, y1: y(total), x2: width - right, y2: y(total) }, style: { stroke: tokens.committed, lineWidth: 2 } });
    if (foot !== "") shapes.push({ type: "text", style: { x: left + 6, y: height - bottom - 14, text: foot, fill: tokens.inkSecond, font, verticalAlign: "middle", align: "left", stroke: tokens.ground, lineWidth: 4 } });
    const written: { text: string; fill: string; font: string }[] = [
      ...above.map((text) => ({ text, fill: tokens.inkSecond, font })),
      ...at.map((text, index) => ({ text, fill: tokens.committed, font: index === 0 ? strongFont : font })),
      ...below.map((text) => ({ text, fill: tokens.inkSecond, font })),
    ];
    // The lines stand around the level, kept inside the drawing.
    const wanted = y(total) - (above.length + 0.5) * line;
    const start = Math.min(Math.max(wanted, top + 6), height - bottom - written.length * line + 6);
    written.forEach(({ text, fill, font: own }, index) => shapes.push({ type: "text", style: { x: width - right + 8, y: start + index * line + (index >= above.length ? 3 : 0) + (index >= above.length + at.length ? 3 : 0), text, fill, font: own, verticalAlign: "middle", align: "left" } }));
    if (held !== null && Math.abs(y(standsOn) - (start + written.length * line)) > line && y(standsOn) > start + written.length * line) shapes.push({ type: "text", style: { x: width - right + 8, y: y(standsOn), text: held, fill: tokens.committed, font, verticalAlign: "middle", align: "left" } });
    return shapes;
  });
}

/** Hours in a row with the same usage. */
function runsOf(units: readonly (number | null)[]): { readonly value: number | null; readonly from: number; readonly to: number }[] {
  const runs: { value: number | null; from: number; to: number }[] = [];
  units.forEach((value, hour) => {
    const last = runs.at(-1);
    if (last !== undefined && last.value === value) last.to = hour + 1;
    else runs.push({ value, from: hour, to: hour + 1 });
  });
  return runs;
}
