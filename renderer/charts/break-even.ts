import { axisSteps } from "./burn-down.ts";
import type { ChartOption, Shape } from "./drawing.ts";
import { drawingOption } from "./drawing.ts";
import type { ChartTokens } from "./tokens.ts";

/** A price of a committed GPU-hour, due however much of it is used. */
export interface CommittedLine {
  readonly price: number;
  /** Where it crosses on demand; null where it never does. */
  readonly breakEven: number | null;
  readonly name: string;
  readonly crossing: string;
  readonly isMain: boolean;
}

export interface BreakEvenStyle {
  readonly tokens: ChartTokens;
  readonly font: string;
  readonly strongFont: string;
  readonly onDemand: { readonly price: number; readonly name: string };
  /** How much the level is used; null where nothing is committed. */
  readonly used: { readonly share: number; readonly text: string; readonly saves: string } | null;
  readonly number: (value: number) => string;
  readonly percent: (value: number) => string;
}

const left = 30;
const right = 12;
const top = 12;
const bottom = 38;

/** Two prices that cross: on demand grows with use, a commitment does not. Left of the crossing on demand is cheaper, right of it the commitment. */
export function breakEvenOption(lines: readonly CommittedLine[], { tokens, font, strongFont, onDemand, used, number, percent }: BreakEvenStyle, axis: string): ChartOption {
  return drawingOption((width, height) => {
    const most = Math.max(onDemand.price, ...lines.map(({ price }) => price)) * 1.06;
    const steps = axisSteps(most);
    const x = (share: number): number => left + share * (width - left - right);
    const y = (price: number): number => height - bottom - (most === 0 ? 0 : (price / most) * (height - top - bottom));
    const shapes: Shape[] = [];
    for (const step of steps) {
      shapes.push({ type: "line", shape: { x1: left, y1: y(step), x2: width - right, y2: y(step) }, style: { stroke: step === 0 ? tokens.ruleStrong : tokens.rule, lineWidth: 1 } });
      shapes.push({ type: "text", style: { x: left - 6, y: y(step), text: number(step), fill: tokens.muted, font, verticalAlign: "middle", align: "right" } });
    }
    const main = lines.find(({ isMain }) => isMain);
    // Words of the use stand where they are; ticks under them are left out.
    const taken = used === null ? null : used.share > 0.8 ? [x(used.share) - 96, x(used.share) + 22] as const : [x(used.share) - 62, x(used.share) + 62] as const;
    const ticks = [0, 0.25, 0.5, 0.75, 1].filter((share) => taken === null || x(share) < taken[0] || x(share) > taken[1]);
    for (const share of ticks) shapes.push({ type: "text", style: { x: x(share), y: height - bottom + 6, text: percent(share), fill: tokens.muted, font, verticalAlign: "top", align: share === 0 ? "left" : share === 1 ? "right" : "center" } });
    shapes.push({ type: "text", style: { x: left, y: height - 15, text: axis, fill: tokens.muted, font, verticalAlign: "top", align: "left" } });
    if (main !== undefined && main.breakEven !== null && main.breakEven < 1) {
      shapes.push({ type: "polygon", shape: { points: [[x(main.breakEven), y(main.price)], [x(1), y(onDemand.price)], [x(1), y(main.price)]] }, style: { fill: tokens.committedSoft } });
    }
    for (const { price, isMain, name } of lines) {
      shapes.push({ type: "line", shape: { x1: left, y1: y(price), x2: width - right, y2: y(price) }, style: { stroke: tokens.committed, lineWidth: isMain ? 2 : 1, ...(isMain ? {} : { lineDash: [5, 3] }) } });
      shapes.push({ type: "text", style: { x: left + 6, y: y(price) - 9, text: name, fill: tokens.committed, font: isMain ? strongFont : font, verticalAlign: "middle", align: "left", stroke: tokens.ground, lineWidth: 4 } });
    }
    shapes.push({ type: "line", shape: { x1: x(0), y1: y(0), x2: x(1), y2: y(onDemand.price) }, style: { stroke: tokens.ink, lineWidth: 1.5 } });
    // Beside the lower third of its line, where no price of a commitment is near.
    const free = [0.2, 0.3, 0.12, 0.4].find((share) => lines.every(({ price }) => Math.abs(y(price) - y(onDemand.price * share)) > 26)) ?? 0.2;
    shapes.push({ type: "text", style: { x: x(free) + 10, y: y(onDemand.price * free) + 4, text: onDemand.name, fill: tokens.inkSecond, font, verticalAlign: "middle", align: "left", stroke: tokens.ground, lineWidth: 4 } });
    for (const { price, breakEven, crossing, isMain } of lines) {
      if (breakEven === null || breakEven > 1) continue;
      shapes.push({ type: "line", shape: { x1: x(breakEven), y1: y(price), x2: x(breakEven), y2: height - bottom }, style: { stroke: tokens.ruleStrong, lineWidth: 1, lineDash: [2, 2] } });
      shapes.push({ type: "circle", shape: { cx: x(breakEven), cy: y(price), r: 4.5 }, style: { fill: tokens.ground, stroke: tokens.ink, lineWidth: 1.5 } });
      shapes.push({ type: "text", style: { x: x(breakEven) + (isMain ? 8 : -8), y: y(price) + (isMain ? 13 : -13), text: crossing, fill: tokens.ink, font: strongFont, verticalAlign: "middle", align: isMain ? "left" : "right", stroke: tokens.ground, lineWidth: 4 } });
    }
    if (used !== null && main !== undefined) {
      const at = x(used.share);
      shapes.push({ type: "line", shape: { x1: at, y1: y(main.price), x2: at, y2: y(onDemand.price * used.share) }, style: { stroke: tokens.ink, lineWidth: 1.5 } });
      // Between the crossing and the bar where there is room, else on its other side.
      const hasRoom = main.breakEven === null || x(Math.max(used.share, main.breakEven)) - x(Math.min(used.share, main.breakEven)) > 90 || used.share > 0.72;
      shapes.push({ type: "text", style: { x: hasRoom ? at - 8 : at + 8, y: (y(main.price) + y(onDemand.price * used.share)) / 2 - (hasRoom ? 0 : 12), text: used.saves, fill: tokens.ink, font, verticalAlign: "middle", align: hasRoom ? "right" : "left", stroke: tokens.ground, lineWidth: 4 } });
      shapes.push({ type: "line", shape: { x1: at, y1: height - bottom - 3, x2: at, y2: height - bottom + 4 }, style: { stroke: tokens.useful, lineWidth: 2 } });
      shapes.push({ type: "text", style: { x: Math.min(at, width - right), y: height - bottom + 6, text: used.text, fill: tokens.useful, font: strongFont, verticalAlign: "top", align: used.share > 0.8 ? "right" : "center" } });
    }
    return shapes;
  });
}
