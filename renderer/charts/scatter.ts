import type { ChartOption, Shape } from "./drawing.ts";
import { drawingOption } from "./drawing.ts";
import type { ChartTokens } from "./tokens.ts";

export interface ScatterPoint {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** Share of the darkest shade, 0 to 1; null: a ring, nobody knows. */
  readonly shade: number | null;
  /** On the front that no other point beats: larger, and named where there is room. */
  readonly name: string | null;
}

export interface ScatterStyle {
  readonly tokens: ChartTokens;
  readonly font: string;
  readonly xName: string;
  readonly yName: string;
  readonly xText: (value: number) => string;
  readonly yText: (value: number) => string;
}

const left = 62;
const right = 24;
const top = 22;
const bottom = 40;

/** 1, 2 and 5 times the powers of ten inside a range, thinned to what fits. */
export function logTicks(low: number, high: number, most: number): readonly number[] {
  if (!(low > 0) || !(high >= low)) return [];
  const all: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) for (const factor of [1, 2, 5]) all.push(factor * 10 ** power);
  const inside = all.filter((value) => value >= low * 0.999 && value <= high * 1.001);
  if (inside.length <= most) return inside;
  const tens = inside.filter((value) => Number.isInteger(Math.round(Math.log10(value) * 1e6) / 1e6));
  return tens.length >= 2 ? tens.filter((_, index) => index % Math.ceil(tens.length / most) === 0) : inside.filter((_, index) => index % Math.ceil(inside.length / most) === 0);
}

/** Points by two amounts, both on a logarithmic scale; the better lies towards the lower left. */
export function scatterOption(points: readonly ScatterPoint[], { tokens, font, xName, yName, xText, yText }: ScatterStyle): ChartOption {
  return drawingOption((width, height) => {
    const shapes: Shape[] = [];
    const range = (of: (point: ScatterPoint) => number): readonly [number, number] => {
      const values = points.map(of);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      return [low / 1.25, high * 1.25];
    };
    if (points.length === 0) return shapes;
    const [xLow, xHigh] = range(({ x }) => x);
    const [yLow, yHigh] = range(({ y }) => y);
    const x = (value: number): number => left + (Math.log(value / xLow) / Math.log(xHigh / xLow)) * (width - left - right);
    const y = (value: number): number => height - bottom - (Math.log(value / yLow) / Math.log(yHigh / yLow)) * (height - top - bottom);
    for (const step of logTicks(yLow, yHigh, 6)) {
      shapes.push({ type: "line", shape: { x1: left, y1: y(step), x2: width - right, y2: y(step) }, style: { stroke: tokens.rule, lineWidth: 1 } });
      shapes.push({ type: "text", style: { x: left - 8, y: y(step), text: yText(step), fill: tokens.muted, font, verticalAlign: "middle", align: "right" } });
    }
    for (const step of logTicks(xLow, xHigh, Math.max(3, Math.floor(width / 90)))) {
      shapes.push({ type: "line", shape: { x1: x(step), y1: top, x2: x(step), y2: height - bottom }, style: { stroke: tokens.rule, lineWidth: 1 } });
      shapes.push({ type: "text", style: { x: x(step), y: height - bottom + 6, text: xText(step), fill: tokens.muted, font, verticalAlign: "top", align: "center" } });
    }
    shapes.push({ type: "line", shape: { x1: left, y1: height - bottom, x2: width - right, y2: height - bottom }, style: { stroke: tokens.ruleStrong, lineWidth: 1 } });
    shapes.push({ type: "text", style: { x: left, y: 2, text: yName, fill: tokens.inkSecond, font, verticalAlign: "top", align: "left" } });
    shapes.push({ type: "text", style: { x: width - right, y: height - 14, text: xName, fill: tokens.inkSecond, font, verticalAlign: "top", align: "right" } });
    const drawn = points.toSorted((a, b) => Number(a.name !== null) - Number(b.name !== null));
    for (const point of drawn) {
      const isFront = point.name !== null;
      const r = isFront ? 4.5 : 2.5;
      const fill = point.shade === null ? tokens.ground : (tokens.heat[Math.min(5, Math.max(0, Math.round(point.shade * 5)))] ?? tokens.heat[0]);
      shapes.push({ type: "circle", shape: { cx: x(point.x), cy: y(point.y), r }, style: { fill, stroke: isFront ? tokens.ink : tokens.ruleStrong, lineWidth: isFront ? 1.2 : 0.6 } });
    }
    // A name stands at the first side of its point where it covers neither a point nor another name; else the table has it.
    const taken: Box[] = points.map((point) => ({ left: x(point.x) - 5, right: x(point.x) + 5, top: y(point.y) - 5, bottom: y(point.y) + 5 }));
    for (const point of points.filter(({ name }) => name !== null).toSorted((a, b) => a.x - b.x)) {
      const text = point.name ?? "";
      const [atX, atY, size] = [x(point.x), y(point.y), [...text].reduce((sum, letter) => sum + (letter > "\u2e80" ? 12 : 6.3), 0)];
      const places = [
        { align: "left", x: atX + 9, y: atY, left: atX + 9 },
        { align: "right", x: atX - 9, y: atY, left: atX - 9 - size },
        { align: "center", x: atX, y: atY - 14, left: atX - size / 2 },
        { align: "center", x: atX, y: atY + 14, left: atX - size / 2 },
      ] as const;
      const free = places.find((place) => {
        const area = { left: place.left, right: place.left + size, top: place.y - 7, bottom: place.y + 7 };
        return area.left >= left && area.right <= width && area.top >= top - 8 && area.bottom <= height - bottom && taken.every((other) => !overlaps(area, other));
      });
      if (free === undefined) continue;
      taken.push({ left: free.left, right: free.left + size, top: free.y - 7, bottom: free.y + 7 });
      shapes.push({ type: "text", style: { x: free.x, y: free.y, text, fill: tokens.ink, font, verticalAlign: "middle", align: free.align } });
    }
    return shapes;
  });
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
