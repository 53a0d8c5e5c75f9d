import type { Row, TableBlock } from "../../shared/contract/report.ts";
import { moneyOf } from "../parts/table.ts";
import type { ChartOption, Shape } from "./drawing.ts";
import { box, drawingOption, hatching } from "./drawing.ts";
import type { ChartTokens } from "./tokens.ts";

export interface WayPart {
  readonly id: string;
  readonly tone: NonNullable<Row["tone"]>;
  /** 0 to 1 of the whole. */
  readonly share: number;
}

/** The parts of the bar from its table: each row's share of the sum of the rows. Parts of nothing are left out. */
export function wayParts({ rows, columns }: Pick<TableBlock, "rows" | "columns">): readonly WayPart[] {
  const column = columns.findIndex((_column, index) => rows.some(({ cells }) => moneyOf(cells[index]) !== null));
  const amounts = rows.map((row) => ({ row, amount: Number(moneyOf(row.cells[column])?.value ?? -1n) }));
  const whole = amounts.reduce((sum, { amount }) => sum + Math.max(0, amount), 0);
  return amounts.filter(({ amount }) => amount > 0).map(({ row, amount }) => ({ id: row.id, tone: row.tone ?? "plain", share: amount / whole }));
}

/** One bar of 18 px: full colour for the whole thing, light with an outline for the half thing, hatch for the unknown. */
export function fourWayOption(parts: readonly WayPart[], tokens: ChartTokens): ChartOption {
  return drawingOption((width) => {
    let x = 0;
    return parts.flatMap((part): readonly Shape[] => {
      const length = Math.max(1, part.share * width - 2);
      const shapes = wayShapes(part.tone, x, length, tokens);
      x += part.share * width;
      return shapes;
    });
  });
}

function wayShapes(tone: WayPart["tone"], x: number, width: number, tokens: ChartTokens): readonly Shape[] {
  const height = 18;
  switch (tone) {
    case "useful":
      return [box(x, 0, width, height, tokens.useful)];
    case "busy":
      return [box(x, 0, width, height, tokens.usefulHalf, tokens.useful)];
    case "held":
      return [box(x, 0, width, height, tokens.idleHalf, tokens.idle)];
    case "dead":
      return [box(x, 0, width, height, tokens.idle)];
    case "committed":
      return [box(x, 0, width, height, tokens.committed)];
    case "muted":
    case "unknown":
      return [box(x, 0, width, height, tokens.ground, tokens.hatch), ...hatching(x, 0, width, height, tokens.hatch, 5)];
    case "plain":
      return [box(x, 0, width, height, tokens.inkSecond)];
  }
}
