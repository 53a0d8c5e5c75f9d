import type { Row, TableBlock } from "../../shared/contract/report.ts";
import { figureOf } from "../parts/table.ts";
import type { ChartOption, Shape } from "./drawing.ts";
import { drawingOption } from "./drawing.ts";
import type { ChartTokens } from "./tokens.ts";

export interface BridgeBar {
  readonly id: string;
  readonly kind: "opening" | "change" | "closing";
  /** Where the bar starts and ends, as change against the opening amount, in whole units of its currency. */
  readonly from: number;
  readonly to: number;
  readonly isCommitted: boolean;
}

/** Index of the column whose amounts the bridge shows: the first one that holds figures in every row. */
export function bridgeColumn({ columns }: Pick<TableBlock, "columns">): number {
  return columns.findIndex(({ kind }) => kind === "figure");
}

/**
 * Bars of a bridge from a table: the opening amount, one row a cause, the closing amount as total. The zero line is the
 * opening amount, so a bar is the change itself. A row whose amount is unknown has no bar.
 */
export function bridgeBars(block: Pick<TableBlock, "columns" | "rows" | "total">): readonly BridgeBar[] {
  const column = bridgeColumn(block);
  let level = 0;
  const bars: BridgeBar[] = [];
  const isLevel = (row: Row): boolean => figureOf(row.cells[column])?.metric === "spend";
  block.rows.forEach((row, index) => {
    const value = figureOf(row.cells[column])?.value;
    const amount = typeof value === "bigint" ? Number(value) / 1e18 : 0;
    if (index === 0 && isLevel(row)) {
      bars.push({ id: row.id, kind: "opening", from: 0, to: 0, isCommitted: false });
      return;
    }
    bars.push({ id: row.id, kind: "change", from: level, to: level + amount, isCommitted: row.tone === "committed" });
    level += amount;
  });
  if (block.total !== null) bars.push({ id: block.total.id, kind: "closing", from: 0, to: level, isCommitted: false });
  return bars;
}

/** Bars beside the rows of the table: `rowHeight` for each, `totalHeight` for the last; `sum` is written beside it. */
export function bridgeOption(bars: readonly BridgeBar[], { tokens, rowHeight, totalHeight, sum, font }: { readonly tokens: ChartTokens; readonly rowHeight: number; readonly totalHeight: number; readonly sum: string; readonly font: string }): ChartOption {
  return drawingOption((width) => {
    const ends = bars.flatMap(({ from, to }) => [from, to]);
    const low = Math.min(0, ...ends);
    const high = Math.max(0, ...ends);
    const sumWidth = sum.length * 6.6 + 8;
    const closing = Math.max(0, ends.at(-1) ?? 0);
    // As wide as the place allows, with room left for the sum after the closing bar.
    const scale = high === low ? 0 : Math.min((width - 6) / (high - low), closing - low > 0 ? Math.max(8, width - 6 - sumWidth) / (closing - low) : Number.POSITIVE_INFINITY);
    const x = (value: number): number => 2 + (value - low) * scale;
    const middle = (index: number): number => index * rowHeight + (bars[index]?.kind === "closing" ? totalHeight : rowHeight) / 2;
    const shapes: Shape[] = [];
    const lastRow = bars.length - 1;
    shapes.push({ type: "line", shape: { x1: x(0), y1: 2, x2: x(0), y2: middle(lastRow) + 9 }, style: { stroke: tokens.ruleStrong, lineWidth: 1 } });
    bars.forEach((bar, index) => {
      if (bar.kind === "opening") return;
      const y = middle(index);
      const left = Math.min(x(bar.from), x(bar.to));
      const length = Math.max(1.5, Math.abs(x(bar.to) - x(bar.from)));
      const isDown = bar.to < bar.from;
      const ink = bar.kind === "closing" ? tokens.ink : bar.isCommitted ? tokens.committed : tokens.inkSecond;
      if (bar.to !== bar.from) {
        shapes.push(
          isDown && bar.kind === "change"
            ? { type: "rect", shape: { x: left + 0.5, y: y - 5.5, width: Math.max(1, length - 1), height: 11 }, style: { fill: tokens.ground, stroke: ink, lineWidth: 1 } }
            : { type: "rect", shape: { x: left, y: y - 6, width: length, height: 12 }, style: { fill: ink } },
        );
      }
      if (bar.kind === "closing") {
        const end = Math.max(x(bar.from), x(bar.to));
        shapes.push({ type: "text", style: { x: end + 6, y, text: sum, fill: tokens.ink, font, verticalAlign: "middle", align: "left" } });
      } else if (index < lastRow) {
        // A cause of nothing has no bar: the connector goes on through its row.
        shapes.push({ type: "line", shape: { x1: x(bar.to), y1: bar.to === bar.from ? y - 6 : y + 6, x2: x(bar.to), y2: middle(index + 1) - 6 }, style: { stroke: tokens.ruleStrong, lineWidth: 1, lineDash: [2, 2] } });
      }
    });
    return shapes;
  });
}
