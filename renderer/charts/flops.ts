import type { TableBlock } from "../../shared/contract/report.ts";
import type { MetricId } from "../../shared/domain/figure.ts";
import { figureOf } from "../parts/table.ts";
import type { ChartOption, Shape } from "./drawing.ts";
import { box, drawingOption } from "./drawing.ts";
import type { ChartTokens } from "./tokens.ts";

export interface FlopsBar {
  readonly id: string;
  /** Null where nothing is known; a level is never larger than the one it nests in by meaning, but it is drawn as it is. */
  readonly peak: number | null;
  readonly effective: number | null;
  readonly achieved: number | null;
}

export function flopsBars({ rows }: Pick<TableBlock, "rows">): readonly FlopsBar[] {
  return rows.map(({ id, cells }) => {
    const level = (metric: MetricId): number | null => {
      const value = cells.map(figureOf).find((figure) => figure?.metric === metric)?.value;
      return typeof value === "number" ? value : null;
    };
    return { id, peak: level("flops-per-dollar-peak"), effective: level("flops-per-dollar-effective"), achieved: level("flops-per-dollar-achieved") };
  });
}

/** Levels nested on one scale from zero: peak an outline, effective a light fill, achieved solid. */
export function flopsOption(bars: readonly FlopsBar[], { tokens, rowHeight }: { readonly tokens: ChartTokens; readonly rowHeight: number }): ChartOption {
  return drawingOption((width) => {
    const highest = Math.max(0, ...bars.flatMap(({ peak, effective, achieved }) => [peak ?? 0, effective ?? 0, achieved ?? 0]));
    const scale = highest === 0 ? 0 : (width - 3) / highest;
    const shapes: Shape[] = [{ type: "line", shape: { x1: 1.5, y1: 2, x2: 1.5, y2: bars.length * rowHeight - 4 }, style: { stroke: tokens.ruleStrong, lineWidth: 1 } }];
    bars.forEach(({ peak, effective, achieved }, index) => {
      const middle = index * rowHeight + rowHeight / 2;
      if (peak !== null) shapes.push(box(2, middle - 8, peak * scale, 16, tokens.ground, tokens.ruleStrong));
      if (effective !== null) shapes.push(box(2, middle - 8, effective * scale, 16, tokens.usefulHalf, tokens.useful));
      if (achieved !== null) shapes.push(box(2, middle - 3, achieved * scale, 6, tokens.useful));
    });
    return shapes;
  });
}
