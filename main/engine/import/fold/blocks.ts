import type { Staging } from "../staging.ts";

/** Text between two entries of `source_block`. */
export const BLOCK_BYTES = 4 * 1024 * 1024;
/** Blocks written together: a transaction each would cost a fifth of the reading of a large bill. */
const BLOCKS_A_TRANSACTION = 64;

/** The index of the file: for every 4 MiB of text where it begins and which series stand in it, so that their rows are found again. */
export interface Blocks {
  /** Ordinal of the block at hand; pairs remember in which one they were noted last. */
  readonly number: number;
  /** Text from this byte on is of another block. */
  readonly end: number;
  /** A row of another block: what was noted is written down. */
  open(place: { readonly byte: number; readonly line: number; readonly record: number }): void;
  /** Notes a pair; once a block is enough. */
  note(pair: number): void;
  /** The end of the file. */
  finish(): void;
}

type Block = Parameters<Staging["block"]>[1];

export function createBlocks(staging: Staging, fileId: number, seriesOf: (pair: number) => number): Blocks {
  let number = -1;
  let end = 0;
  let place = { firstByte: 0, firstLine: 0, firstRecord: 0 };
  let noted: number[] = [];
  const closed: Block[] = [];

  function close(): void {
    if (number === -1) return;
    closed.push({ number, ...place, seriesIds: Uint32Array.from(new Set(noted.map(seriesOf))).sort() });
    noted = [];
    if (closed.length >= BLOCKS_A_TRANSACTION) write();
  }

  function write(): void {
    for (const block of closed.splice(0)) staging.block(fileId, block);
    staging.settle();
  }

  return {
    get number() {
      return number;
    },
    get end() {
      return end;
    },
    open({ byte, line, record }) {
      close();
      number = Math.floor(byte / BLOCK_BYTES);
      end = (number + 1) * BLOCK_BYTES;
      place = { firstByte: byte, firstLine: line, firstRecord: record };
    },
    note: (pair) => void noted.push(pair),
    finish() {
      close();
      write();
    },
  };
}
