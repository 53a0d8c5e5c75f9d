/** The two pictures of the memo of a commitment: usage against the level, and what on demand would have cost against all that is owed. */
import type { TableBlock } from "../../shared/contract/report.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { figureOf } from "../../shared/contract/table.ts";
import { axisSteps } from "./burn-down.ts";
import type { ChartOption, Shape } from "./drawing.ts";
import { drawingOption } from "./drawing.ts";
import type { ChartTokens } from "./tokens.ts";

interface MemoStyle {
  readonly tokens: ChartTokens;
  readonly font: string;
  readonly words: Words;
}

const left = 62;
const right = 130;
const top = 10;
const bottom = 22;

/** Figures of two columns as numbers, row by row; a row that lacks one is left out. Money is in units of its currency. */
function pairsOf(block: TableBlock, across: number, up: number): (readonly [number, number])[] {
  return block.rows.flatMap(({ cells }) => {
    const [x, y] = [numberOf(figureOf(cells[across])?.value), numberOf(figureOf(cells[up])?.value)];
    return x === null || y === null ? [] : [[x, y] as const];
  });
}

function numberOf(value: number | bigint | null | undefined): number | null {
  return value === null || value === undefined ? null : typeof value === "bigint" ? Number(value) / 1e18 : value;
}

/** Axes with their lines and numbers; answers where a point of the data lies. */
function axes(shapes: Shape[], { width, height, most, steps, tokens, font, number }: { readonly width: number; readonly height: number; readonly most: number; readonly steps: readonly number[]; readonly tokens: ChartTokens; readonly font: string; readonly number: (value: number) => string }) {
  const y = (value: number): number => height - bottom - (most === 0 ? 0 : (value / most) * (height - top - bottom));
  for (const step of steps) {
    shapes.push({ type: "line", shape: { x1: left, y1: y(step), x2: width - right, y2: y(step) }, style: { stroke: step === 0 ? tokens.ruleStrong : tokens.rule, lineWidth: 1 } });
    shapes.push({ type: "text", style: { x: left - 6, y: y(step), text: number(step), fill: tokens.muted, font, verticalAlign: "middle", align: "right" } });
  }
  return { x: (share: number): number => left + share * (width - left - right), y };
}

/** Usage from the busiest hour to the quietest, and the level as a line across it: what is over it stays on demand, what is under it is paid and unused. */
export function levelOption(block: TableBlock, { tokens, font, words }: MemoStyle): ChartOption {
  return drawingOption((width, height) => {
    const shapes: Shape[] = [];
    const points = pairsOf(block, 0, 1);
    const level = pairsOf(block, 0, 2)[0]?.[1] ?? 0;
    const most = Math.max(1, level, ...points.map(([, gpus]) => gpus)) * 1.08;
    const { x, y } = axes(shapes, { width, height, most, steps: axisSteps(most), tokens, font, number: (value) => words.number(value) });
    const steps = points.flatMap(([share, gpus], index): (readonly [number, number])[] => [[x(points[index - 1]?.[0] ?? 0), y(gpus)], [x(share), y(gpus)]]);
    shapes.push({ type: "polygon", shape: { points: [[x(0), y(0)], ...steps, [x(1), y(0)]] }, style: { fill: tokens.rule } });
    shapes.push({ type: "rect", shape: { x: x(0), y: y(level), width: x(1) - x(0), height: y(0) - y(level) }, style: { fill: tokens.committedSoft } });
    shapes.push({ type: "polyline", shape: { points: steps }, style: { stroke: tokens.ink, lineWidth: 1.3, fill: "none" } });
    shapes.push({ type: "line", shape: { x1: x(0), y1: y(level), x2: x(1), y2: y(level) }, style: { stroke: tokens.committed, lineWidth: 2 } });
    shapes.push({ type: "text", style: { x: x(1) + 6, y: y(level), text: words.say("commit.memo.level", { gpus: words.number(level) }), fill: tokens.committed, font, verticalAlign: "middle" } });
    for (const share of [0, 0.25, 0.5, 0.75, 1]) shapes.push({ type: "text", style: { x: x(share), y: height - bottom + 11, text: words.ratio(share, { digits: 0 }), fill: tokens.muted, font, verticalAlign: "middle", align: share === 0 ? "left" : "center" } });
    return shapes;
  });
}

/** On demand adds up month by month; what the commitment owes is owed from the start. From where they cross the commitment has paid, even if all use ends. */
export function exitOption(block: TableBlock, { tokens, font, words }: MemoStyle): ChartOption {
  return drawingOption((width, height) => {
    const shapes: Shape[] = [];
    const onDemand = pairsOf(block, 0, 1);
    const owed = pairsOf(block, 0, 2);
    const [whole, last] = [owed[0]?.[1] ?? 0, onDemand.at(-1) ?? [1, 0]];
    const most = Math.max(1, whole, last[1]) * 1.06;
    const { x, y } = axes(shapes, { width, height, most, steps: axisSteps(most), tokens, font, number: (value) => words.number(value, { digits: 0 }) });
    const place = (month: number): number => x(last[0] === 0 ? 0 : month / last[0]);
    const crossing = last[1] > whole && last[1] > 0 ? (whole / last[1]) * last[0] : null;
    if (crossing !== null) shapes.push({ type: "polygon", shape: { points: [[place(crossing), y(whole)], [x(1), y(last[1])], [x(1), y(whole)]] }, style: { fill: tokens.committedSoft } });
    shapes.push({ type: "polyline", shape: { points: onDemand.map(([month, cost]) => [place(month), y(cost)] as const) }, style: { stroke: tokens.ink, lineWidth: 1.5, fill: "none" } });
    shapes.push({ type: "line", shape: { x1: x(0), y1: y(whole), x2: x(1), y2: y(whole) }, style: { stroke: tokens.committed, lineWidth: 2 } });
    // Two names at the right end stand apart, however near their lines are.
    const isNear = Math.abs(y(last[1]) - y(whole)) < 14;
    shapes.push({ type: "text", style: { x: x(1) + 6, y: y(whole) + (isNear ? 8 : 0), text: words.say("commit.memo.owed"), fill: tokens.committed, font, verticalAlign: "middle" } });
    shapes.push({ type: "text", style: { x: x(1) + 6, y: y(last[1]) - (isNear ? 8 : 0), text: words.say("commit.option.on-demand-name"), fill: tokens.inkSecond, font, verticalAlign: "middle" } });
    if (crossing !== null) {
      shapes.push({ type: "line", shape: { x1: place(crossing), y1: y(whole), x2: place(crossing), y2: height - bottom }, style: { stroke: tokens.ruleStrong, lineWidth: 1, lineDash: [2, 2] } });
      shapes.push({ type: "circle", shape: { cx: place(crossing), cy: y(whole), r: 4 }, style: { fill: tokens.ground, stroke: tokens.ink, lineWidth: 1.5 } });
      shapes.push({ type: "text", style: { x: place(crossing) - 8, y: y(whole) - 10, text: words.say("commit.memo.pays-from", { month: words.number(crossing, { digits: 1 }) }), fill: tokens.ink, font, verticalAlign: "middle", align: "right" } });
    }
    for (const [month] of onDemand.filter((_, index) => index % 3 === 0)) shapes.push({ type: "text", style: { x: place(month), y: height - bottom + 11, text: words.number(month), fill: tokens.muted, font, verticalAlign: "middle", align: month === 0 ? "left" : "center" } });
    return shapes;
  });
}
