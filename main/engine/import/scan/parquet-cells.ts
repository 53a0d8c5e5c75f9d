/**
 * A column of a row group as cells of text, page by page: what a dictionary or a page holds is worked out once, and a row names a cell. Of a
 * nested column rows that hold the same are put together once.
 */
import type { DecodedArray, FileMetaData, SchemaTree } from "hyparquet";
import { assembleLists, assembleNested } from "hyparquet/src/assemble.js";
import { DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { getTreePath } from "hyparquet/src/schema.js";
import { SourceError } from "./failure.ts";
import type { RandomBytes } from "./parquet-bytes.ts";
import { hashesOf, mixed } from "./parquet-hashes.ts";
import { openPages, type Page } from "./parquet-pages.ts";
import { parsers, type TableColumn } from "./parquet-text.ts";
import { storedTexts, type Leaf, type Stored } from "./parquet-values.ts";

/** Where a column stands: rows from `at` to the end of `which` name the cells of the page that is open, 0 for none. */
export interface CellColumn {
  stored: Stored;
  which: Int32Array;
  at: number;
  /** Whether all rows of the page name the same one. */
  isSame: boolean;
  /** Opens the next page; called when `at` has reached the end. */
  next(): void;
}

export interface GroupColumns {
  readonly bytes: RandomBytes;
  readonly group: FileMetaData["row_groups"][number];
  /** Of the file, as it is decoded (`asStored`), and as it is stated. */
  readonly root: SchemaTree;
  readonly stated: SchemaTree;
}

/** Rows of a nested column that are put together at once, and the most values of them. */
const ROWS_A_PIECE = 16_384;
const VALUES_A_PIECE = 1 << 19;

/** What cells are for: of which columns texts are asked for, so that each is made once; and how a text is written into its cell. */
export interface CellUse {
  isDistinct(column: TableColumn): boolean;
  written(text: string): string;
}

/** The columns of a group. Throws a `SourceError`, or what bytes that are none make their reader throw. */
export function openCells(columns: readonly TableColumn[], from: GroupColumns, { isDistinct, written }: CellUse): CellColumn[] {
  const nested = new Map<string, NestedPieces>();
  return columns.map((column) => {
    const node = from.root.children.find(({ element }) => element.name === column.top);
    if (node === undefined) throw new SourceError("unreadable");
    if (node.children.length === 0 && node.element.repetition_type !== "REPEATED") return openFlat(leafOf([column.top], from, (value) => written(column.text(value))), from, isDistinct(column));
    let pieces = nested.get(column.top);
    if (pieces === undefined) nested.set(column.top, (pieces = openNested(node, from)));
    return columnOfNested(column, pieces, leafOf(leavesOf(node)[0]?.path ?? [], from, () => ""), written);
  });
}

function leafOf(path: readonly string[], { group, root, stated }: GroupColumns, textOf: Leaf["textOf"]): Leaf {
  const chunk = group.columns.find(({ meta_data: found }) => found?.path_in_schema.join("\u0000") === path.join("\u0000"))?.meta_data;
  const { element } = getTreePath(stated, [...path]).at(-1) as SchemaTree;
  if (chunk === undefined || element.type !== chunk.type) throw new SourceError("unreadable");
  return { chunk, schemaPath: getTreePath(root, [...path]), stated: element, textOf };
}

const nothing = new Int32Array(0);

function show(column: CellColumn, stored: Stored, which: Int32Array): void {
  column.stored = stored;
  column.which = which;
  column.at = 0;
  let row = 1;
  while (row < which.length && which[row] === which[0]) row += 1;
  column.isSame = row >= which.length;
}

/** Leaves out rows, and opens the page in which the next one lies. */
export function skipRows(column: CellColumn, rows: number): void {
  let left = rows;
  while (column.at + left >= column.which.length) {
    left -= column.which.length - column.at;
    column.next();
  }
  column.at += left;
}

function openFlat(leaf: Leaf, { bytes, group }: GroupColumns, isDistinct: boolean): CellColumn {
  const next = openPages(bytes, leaf, Number(group.num_rows), isDistinct);
  const opened: CellColumn = {
    stored: storedTexts(leaf, []),
    which: nothing,
    at: 0,
    isSame: true,
    next() {
      const page = next();
      if (page === null) throw new SourceError("unreadable");
      show(opened, page.stored, byRow(page));
    },
  };
  return opened;
}

/** The value of each row of a flat column; 0 for null. */
function byRow({ count, definition, which }: Page): Int32Array {
  if (definition === null) return which;
  // Levels are 0 and 1 here, not all the same, or all 0: the places of the others are taken by the numbers.
  let next = 0;
  for (let row = 0; row < count; row += 1) if (definition[row] !== 0) definition[row] = which[next++] as number;
  return definition;
}

// Nested columns

/** Rows of a nested column, by piece: which of the distinct ones each is, from 1, and the values of those. */
interface NestedPieces {
  /** Number of the piece that is open, from 1. */
  number: number;
  which: Int32Array;
  values: readonly unknown[];
  next(): void;
}

function leavesOf(node: SchemaTree): SchemaTree[] {
  return node.children.length === 0 ? [node] : node.children.flatMap(leavesOf);
}

/** A column of the table out of a nested one: that itself, or a field of it. */
function columnOfNested(column: TableColumn, pieces: NestedPieces, leaf: Leaf, written: CellUse["written"]): CellColumn {
  let number = 0;
  const opened: CellColumn = {
    stored: storedTexts(leaf, []),
    which: nothing,
    at: 0,
    isSame: true,
    next() {
      // Columns of the same one go through its pieces side by side.
      if (number === pieces.number) pieces.next();
      number += 1;
      if (number !== pieces.number) throw new SourceError("unreadable");
      show(opened, storedTexts(leaf, pieces.values.map((value) => written(column.text(column.value(value))))), pieces.which);
    },
  };
  return opened;
}

function openNested(node: SchemaTree, from: GroupColumns): NestedPieces {
  const leaves = leavesOf(node).map(({ path }) => openLeaf(leafOf(path, from, String), from));
  const rows = Number(from.group.num_rows);
  let seen = 0;
  const pieces: NestedPieces = {
    number: 0,
    which: nothing,
    values: [],
    next() {
      const count = Math.min(rows - seen, ROWS_A_PIECE);
      if (count === 0) throw new SourceError("unreadable");
      const which = new Int32Array(count);
      const values: unknown[] = [];
      const known = new Map<number, number>();
      const others: number[] = [];
      let row = 0;
      for (let taken = 0; row < count && taken < VALUES_A_PIECE; row += 1) {
        let [a, b] = [0, 0];
        for (const leaf of leaves) {
          leaf.readRow();
          taken += leaf.size;
          a = mixed(a, leaf.hashes[0] as number);
          b = mixed(b, leaf.hashes[1] as number);
        }
        let number = known.get(a);
        // Rows whose first hashes alone are the same are put together each time they come.
        if (number === undefined || others[number - 1] !== b) {
          number = values.push(assembled(node, leaves));
          others.push(b);
          known.set(a, number);
        }
        which[row] = number;
      }
      seen += row;
      pieces.number += 1;
      pieces.which = which.subarray(0, row);
      pieces.values = values;
    },
  };
  return pieces;
}

/** The levels and values of one row of a leaf, and two hashes of 32 bits of them. */
interface LeafRow {
  readonly leaf: Leaf;
  /** Places of the row. */
  size: number;
  readonly hashes: Int32Array;
  readRow(): void;
  /** What hyparquet puts records together from. */
  lists(): DecodedArray;
}

function openLeaf(leaf: Leaf, { bytes }: GroupColumns): LeafRow {
  const total = Number(leaf.chunk.num_values);
  if (!(total >= 0 && total <= MOST_VALUES)) throw new SourceError("bursting");
  const next = openPages(bytes, leaf, total, true);
  const most = leaf.schemaPath.slice(1).filter(({ element }) => element.repetition_type !== "REQUIRED").length;
  let page: Page | null = null;
  let hashes: Int32Array = new Int32Array(0);
  let [at, value] = [0, 0];
  let [repetition, definition, values]: [number[], number[], unknown[]] = [[], [], []];

  /** Whether there is another place, in this page or the next. */
  function hasMore(): boolean {
    while (page === null || at === page.count) {
      page = next();
      if (page === null) return false;
      hashes = hashesOf(page.stored, 0);
      [at, value] = [0, 0];
    }
    return true;
  }

  const row: LeafRow = {
    leaf,
    size: 0,
    hashes: new Int32Array(2),
    readRow() {
      if (!hasMore()) throw new SourceError("unreadable");
      [repetition, definition, values] = [[], [], []];
      let [a, b] = [0, 0];
      do {
        const { repetition: ofRows, definition: ofValues, which, stored } = page as Page;
        const [level, defined] = [ofRows?.[at] ?? 0, ofValues?.[at] ?? most];
        // A row begins where nothing is repeated, and only there.
        if ((level === 0) !== (repetition.length === 0)) {
          if (repetition.length > 0) break;
          throw new SourceError("unreadable");
        }
        const number = defined === most ? (which[value++] as number) : 0;
        repetition.push(level);
        definition.push(defined);
        if (number > 0) values.push(stored.converted()[number - 1]);
        a = mixed(mixed(a, level * 64 + defined), hashes[number * 2] as number);
        b = mixed(mixed(b, level * 64 + defined), hashes[number * 2 + 1] as number);
        at += 1;
      } while (hasMore());
      row.size = repetition.length;
      row.hashes[0] = a;
      row.hashes[1] = b;
    },
    lists: () => assembleLists([], definition, repetition, values, leaf.schemaPath),
  };
  return row;
}

const MOST_VALUES = 200_000_000;

/** The value of a row, put together from those of its leaves. */
function assembled(node: SchemaTree, leaves: readonly LeafRow[]): unknown {
  const lists = new Map(leaves.map((row) => [row.leaf.chunk.path_in_schema.join("."), row.lists()]));
  assembleNested(lists, node, { ...DEFAULT_PARSERS, ...parsers });
  const found = lists.get(node.path.join("."));
  if (found?.length !== 1) throw new SourceError("unreadable");
  return (found as ArrayLike<unknown>)[0];
}
