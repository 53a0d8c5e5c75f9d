import type { ChartOption, Shape } from "./drawing.ts";
import { drawingOption } from "./drawing.ts";
import type { ChartTokens } from "./tokens.ts";

/** One day of a line against a band; absent parts are not drawn. */
export interface BandDay {
  readonly day: string;
  readonly plan: number | null;
  readonly actual: number | null;
  readonly forecast: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly isMarked?: boolean;
}

export interface BandStyle {
  readonly tokens: ChartTokens;
  readonly font: string;
  /** Words at the ends of the lines; null: the line is not named. */
  readonly names: { readonly plan: string | null; readonly actual: string | null; readonly forecast: string | null };
  /** An amount of the axis in words. */
  readonly amount: (value: number) => string;
  readonly day: (day: string) => string;
  /** A level across the chart with its words. */
  readonly level: { readonly value: number; readonly text: string } | null;
  /** A day that is ringed where the plan runs out. */
  readonly runsOutOn: string | null;
}

const left = 62;
const right = 148;
const top = 14;
const bottom = 22;

/** Round steps of an axis from zero that holds `most`: 1, 2 or 5 times a power of ten, three to six of them. */
export function axisSteps(most: number): readonly number[] {
  if (!(most > 0)) return [0];
  const power = 10 ** Math.floor(Math.log10(most / 3));
  const step = ([1, 2, 5, 10].find((factor) => most / (factor * power) <= 5) ?? 10) * power;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}

/** Day by day from a zero baseline: the band first, then plan, forecast and actual over it, named at their ends. */
export function bandOption(days: readonly BandDay[], { tokens, font, names, amount, day: dayText, level, runsOutOn }: BandStyle): ChartOption {
  return drawingOption((width, height) => {
    const values = days.flatMap(({ plan, actual, forecast, high }) => [plan, actual, forecast, high]).filter((value) => value !== null);
    const most = Math.max(...values, level?.value ?? 0, 0);
    const steps = axisSteps(most);
    const x = (index: number): number => left + (days.length < 2 ? 0 : (index / (days.length - 1)) * (width - left - right));
    const y = (value: number): number => height - bottom - (most === 0 ? 0 : (value / most) * (height - top - bottom));
    const line = (of: (day: BandDay) => number | null): (readonly [number, number])[] => days.flatMap((day, index) => { const value = of(day); return value === null ? [] : [[x(index), y(value)] as const]; });
    const shapes: Shape[] = [];
    for (const step of steps) {
      shapes.push({ type: "line", shape: { x1: left, y1: y(step), x2: width - right, y2: y(step) }, style: { stroke: step === 0 ? tokens.ruleStrong : tokens.rule, lineWidth: 1 } });
      shapes.push({ type: "text", style: { x: left - 8, y: y(step), text: amount(step), fill: tokens.muted, font, verticalAlign: "middle", align: "right" } });
    }
    const every = Math.max(1, Math.ceil(days.length / 6));
    days.forEach(({ day }, index) => {
      if (index % every === 0 && (index + every / 2 < days.length || index === 0)) shapes.push({ type: "text", style: { x: x(index), y: height - bottom + 6, text: dayText(day), fill: tokens.muted, font, verticalAlign: "top", align: index === 0 ? "left" : "center" } });
    });
    const upper = line(({ high }) => high);
    if (upper.length > 1) shapes.push({ type: "polygon", shape: { points: [...upper, ...line(({ low }) => low).reverse()] }, style: { fill: tokens.rule, stroke: tokens.ruleStrong, lineWidth: 0.5 } });
    if (level !== null) {
      shapes.push({ type: "line", shape: { x1: left, y1: y(level.value), x2: width - right, y2: y(level.value) }, style: { stroke: tokens.ink, lineWidth: 1 } });
    }
    const ends: { readonly y: number; readonly text: string; readonly fill: string }[] = level === null ? [] : [{ y: y(level.value), text: level.text, fill: tokens.ink }];
    const draw = (points: readonly (readonly [number, number])[], name: string | null, style: { readonly stroke: string; readonly lineWidth: number; readonly lineDash?: readonly number[] }): void => {
      const last = points.at(-1);
      if (last === undefined) return;
      if (points.length > 1) shapes.push({ type: "polyline", shape: { points }, style: { ...style, fill: "none" } });
      else shapes.push({ type: "circle", shape: { cx: last[0], cy: last[1], r: 2 }, style: { fill: style.stroke } });
      if (name !== null) ends.push({ y: last[1], text: name, fill: style.stroke });
    };
    draw(line(({ plan }) => plan), level === null ? names.plan : null, { stroke: tokens.muted, lineWidth: 1, lineDash: [2, 3] });
    draw(line(({ forecast }) => forecast), names.forecast, { stroke: tokens.inkSecond, lineWidth: 1.5, lineDash: [5, 3] });
    draw(line(({ actual }) => actual), names.actual, { stroke: tokens.ink, lineWidth: 2 });
    days.forEach((day, index) => {
      if (day.isMarked === true && day.actual !== null) shapes.push({ type: "circle", shape: { cx: x(index), cy: y(day.actual), r: 3.5 }, style: { fill: tokens.ground, stroke: tokens.ink, lineWidth: 1.5 } });
    });
    const out = days.findIndex(({ day }) => day === runsOutOn);
    const at = out === -1 ? null : (days[out]?.actual ?? days[out]?.forecast ?? null);
    if (at !== null) {
      shapes.push({ type: "line", shape: { x1: x(out), y1: y(at), x2: x(out), y2: height - bottom }, style: { stroke: tokens.ruleStrong, lineWidth: 1, lineDash: [2, 2] } });
      shapes.push({ type: "circle", shape: { cx: x(out), cy: y(at), r: 4 }, style: { fill: tokens.ground, stroke: tokens.ink, lineWidth: 1.5 } });
    }
    // Names stand beside the ends of their lines, a line of text apart.
    let free = Number.NEGATIVE_INFINITY;
    for (const { y: end, text, fill } of ends.sort((a, b) => a.y - b.y)) {
      const place = Math.max(end, free);
      free = place + 15;
      shapes.push({ type: "text", style: { x: width - right + 8, y: place, text, fill, font, verticalAlign: "middle", align: "left" } });
    }
    return shapes;
  });
}
