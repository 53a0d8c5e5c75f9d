import type { BillingFormat, SurveyFacts } from "../../formats/format.ts";
import { canonicalName, columnName } from "../../formats/format.ts";
import type { RecordScan, TextOf } from "../scan/records.ts";
import { fieldStart } from "../scan/records.ts";

/** Set aside and shown, no value is longer. */
export const LONGEST_VALUE = 500;

/** The file that is folded: its format, its header, how its cells become text, and which columns its names are. */
export interface Bill {
  readonly format: BillingFormat;
  readonly header: readonly string[];
  readonly facts: SurveyFacts;
  readonly mark: "." | ",";
  readonly textOf: TextOf;
  /** Of times that state no zone. */
  readonly secondsEast: number;
  /** Whether a text, trimmed, means that nothing is stated. */
  isNullText(text: string): boolean;
  /** The names of its columns as the format compares them. */
  readonly columnNames: ReadonlySet<string>;
  /** The column of a name; null where the file has none. */
  indexOf(name: string): number | null;
  columnsStartingWith(prefix: string): readonly number[];
  /** The columns that these names are, in their order. */
  existing(names: readonly string[]): number[];
}

export function createBill({ format, header, facts, mark, textOf }: Pick<Bill, "format" | "header" | "facts" | "mark" | "textOf">): Bill {
  const byName = new Map<string, number>();
  header.forEach((name, index) => {
    const canonical = columnName(format, name);
    if (!byName.has(canonical)) byName.set(canonical, index);
  });
  const canonicalNames = new Map<string, number | null>();
  const byPrefix = new Map<string, readonly number[]>();
  const nullTexts = new Set(format.nullTexts.map((text) => text.toLowerCase()));
  const indexOf = (name: string): number | null => {
    let index = canonicalNames.get(name);
    if (index === undefined) canonicalNames.set(name, (index = byName.get(canonicalName(name)) ?? null));
    return index;
  };
  return {
    format,
    header,
    facts,
    mark,
    textOf,
    secondsEast: format.zone?.secondsEast ?? 0,
    isNullText: (text) => nullTexts.has(text.toLowerCase()),
    columnNames: new Set(byName.keys()),
    indexOf,
    columnsStartingWith(prefix) {
      let columns = byPrefix.get(prefix);
      if (columns === undefined) {
        const wanted = canonicalName(prefix);
        columns = header.flatMap((name, column) => (columnName(format, name).startsWith(wanted) ? [column] : []));
        byPrefix.set(prefix, columns);
      }
      return columns;
    },
    existing: (names) => names.map(indexOf).filter((index) => index !== null),
  };
}

/** A cell as it is shown when its row is set aside: bytes that are no text stand for themselves. */
export function shownCell({ textOf }: Bill, scan: RecordScan, column: number): string {
  const from = fieldStart(scan, column);
  const to = scan.ends[column] as number;
  return (textOf(scan.bytes, from, to) ?? Buffer.from(scan.bytes.buffer, from, to - from).toString("latin1")).slice(0, LONGEST_VALUE);
}
