import type { CellTrouble, DimensionRow } from "../../formats/format.ts";
import { isTrouble } from "../../formats/format.ts";
import type { Reference } from "../../reference/catalog.ts";
import type { GpuChargeEvidence, GpuRecognition } from "../../reference/charge.ts";
import { recognizeGpuCharge } from "../../reference/charge.ts";
import type { RecordScan } from "../scan/records.ts";
import { fieldStart } from "../scan/records.ts";
import { shownCell, type Bill } from "./bill.ts";

const MOST_RECOGNITIONS = 20_000;

/** A record's dimensions as the cells of a format see them, and what reading them met. */
export interface RowReading {
  readonly row: DimensionRow;
  /** Names of the repairs that its cells made. */
  readonly repairs: ReadonlySet<string>;
  hasNullText(): boolean;
  /** Bytes that are no text in the file's encoding. */
  readonly undecodable: CellTrouble | null;
}

/** Reads a record's dimensions, once a new series. `ranges` are the columns that it may look at, first and last of each range. */
export function createRowReader(bill: Bill, ranges: Int32Array, reference: Reference): (scan: RecordScan) => RowReading {
  const { header, textOf } = bill;
  const { gpu } = bill.format.charge;
  const recognitions = new Map<string, GpuRecognition | null>();

  /** Resources come and go by the hundred thousand; what they say of their machine is the same few texts. */
  function recognizeOnce(evidence: GpuChargeEvidence): GpuRecognition | null {
    const key = JSON.stringify(evidence);
    let recognition = recognitions.get(key);
    if (recognition === undefined) {
      if (recognitions.size >= MOST_RECOGNITIONS) recognitions.clear();
      recognitions.set(key, (recognition = recognizeGpuCharge(reference, evidence)));
    }
    return recognition;
  }

  return (scan) => {
    const repairs = new Set<string>();
    let hasNullText = false;
    let undecodable: CellTrouble | null = null;
    const texts = new Map<number, string | null>();
    const textAt = (column: number): string | null => {
      const known = texts.get(column);
      if (known !== undefined) return known;
      const text = textOf(scan.bytes, fieldStart(scan, column), scan.ends[column] as number);
      if (text === null) undecodable ??= { trouble: "text-encoding", column: header[column] ?? "", value: shownCell(bill, scan, column) };
      // A tab at the edge keeps spreadsheets from rounding long numbers; it is no part of the text.
      let stated: string | null = text === null || text.trim() === "" ? null : text.replace(/^\t+|\t+$/g, "");
      if (stated !== null && bill.isNullText(stated.trim())) {
        hasNullText = true;
        stated = null;
      }
      texts.set(column, stated);
      return stated;
    };
    let recognized: GpuRecognition | null | undefined;
    const row: DimensionRow = {
      text(...names) {
        for (const name of names) {
          const column = bill.indexOf(name);
          const text = column === null ? null : textAt(column);
          if (text !== null) return text;
        }
        return null;
      },
      has: (name) => bill.indexOf(name) !== null,
      startingWith(prefix) {
        const found: { name: string; value: string }[] = [];
        for (const column of bill.columnsStartingWith(prefix)) {
          const value = textAt(column);
          if (value !== null) found.push({ name: header[column] ?? "", value });
        }
        return found;
      },
      gpu() {
        if (recognized === undefined) {
          const evidence = gpu.read(row);
          recognized = evidence === null || isTrouble(evidence) ? null : recognizeOnce(evidence);
        }
        return recognized;
      },
      repaired: (name) => void repairs.add(name),
      fact: (name) => bill.facts[name] ?? null,
    };
    // Texts are decoded first, so that what is no text is met before any cell makes something of it.
    for (let range = 0; range < ranges.length; range += 2) for (let column = ranges[range] as number; column <= (ranges[range + 1] as number); column += 1) textAt(column);
    return { row, repairs, hasNullText: () => hasNullText, undecodable };
  };
}
