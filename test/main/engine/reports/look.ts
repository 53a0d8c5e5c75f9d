/** Ways to look into a report's document. */
import type { Block, Cell, FiguresBlock, HeatBlock, Message, NotesBlock, ReportDocument, Row, TableBlock } from "../../../../shared/contract/report.ts";
import type { Figure } from "../../../../shared/domain/figure.ts";
import type { Result } from "../../../../shared/result.ts";

export const DOLLAR = 10n ** 18n;

export function opened<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
}

export function table(document: Pick<ReportDocument, "blocks">, id: string): TableBlock {
  return blockOf(document, id, (block): block is TableBlock => block.kind === "table");
}
export function heat(document: ReportDocument): HeatBlock {
  return blockOf(document, "fleet", (block): block is HeatBlock => block.kind === "heat");
}
export function tiles(document: ReportDocument): FiguresBlock["tiles"] {
  return blockOf(document, "tiles", (block): block is FiguresBlock => block.kind === "figures").tiles;
}
export function notes(document: ReportDocument, id: string): NotesBlock["notes"] {
  return blockOf(document, id, (block): block is NotesBlock => block.kind === "notes").notes;
}
export function has(document: ReportDocument, id: string): boolean {
  return document.blocks.some((block) => block.id === id);
}

function blockOf<B extends Block>({ blocks }: Pick<ReportDocument, "blocks">, id: string, is: (block: Block) => block is B): B {
  const found = blocks.find((block): block is B => is(block) && block.id === id);
  if (found === undefined) throw new Error(`no block ${id} among ${blocks.map((block) => block.id).join(", ")}`);
  return found;
}

/** The cell of a row (`total` for the total) and column, as what it holds. */
export function cell(block: TableBlock, rowId: string, columnId: string): Cell {
  const row = rowId === "total" ? block.total : block.rows.find(({ id }) => id === rowId);
  const place = block.columns.findIndex(({ id }) => id === columnId);
  const found = row?.cells[place];
  if (found === undefined) throw new Error(`no cell ${rowId}/${columnId} in ${block.id}: rows ${block.rows.map(({ id }) => id).join(", ")}`);
  return found;
}
export function figure(block: TableBlock, rowId: string, columnId: string): Figure {
  const found = cell(block, rowId, columnId);
  if (!("figure" in found)) throw new Error(`${rowId}/${columnId} is ${JSON.stringify(found)}`);
  return found.figure;
}
export function value(block: TableBlock, rowId: string, columnId: string): number | bigint | null {
  return figure(block, rowId, columnId).value;
}

/** What the rows of a money column add up to; cells without a figure add nothing. */
export function sumOf(block: TableBlock, columnId: string): bigint {
  const place = block.columns.findIndex(({ id }) => id === columnId);
  return block.rows.reduce((total: bigint, row: Row) => {
    const found = row.cells[place];
    return found !== undefined && "figure" in found && typeof found.figure.value === "bigint" ? total + found.figure.value : total;
  }, 0n);
}

/** Every message of a document, wherever it stands, parameters included. */
export function messagesOf(value: unknown): Message[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "key" in value && typeof value.key === "string" ? [value as Message] : [];
  return [...own, ...Object.values(value).flatMap(messagesOf)];
}
