import type { Block } from "../../shared/contract/report.ts";

/** Blocks two by two; a table of many columns stands alone. */
export function inPairs(blocks: readonly Block[], widest = 9): readonly (readonly Block[])[] {
  const pairs: Block[][] = [];
  for (const block of blocks) {
    const last = pairs.at(-1);
    const isWide = block.kind !== "table" || block.columns.filter(({ priority }) => priority < 3).length > widest;
    if (!isWide && last !== undefined && last.length === 1 && last[0]?.kind === "table" && isNarrowEnough(last[0], block, widest)) last.push(block);
    else pairs.push([block]);
  }
  return pairs;
}

function isNarrowEnough(first: Block, second: Block, widest: number): boolean {
  const columns = [first, second].map((block) => (block.kind === "table" ? block.columns.filter(({ priority }) => priority < 3).length : widest));
  return columns.reduce((sum, count) => sum + count, 0) <= widest + 2;
}
