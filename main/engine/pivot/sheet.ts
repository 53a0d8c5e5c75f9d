import { stringify } from "csv-stringify/sync";
import writeWorkbook from "write-excel-file/node";
import type { Row as SheetRow } from "write-excel-file/node";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { PivotRow, PivotValue, PivotView } from "../../../shared/contract/pivot.ts";
import { mostPivotRows } from "../../../shared/contract/pivot.ts";
import { roundedAlone } from "../../../shared/contract/table.ts";
import { dash } from "../../../shared/contract/words.ts";
import type { Words } from "../../../shared/contract/words.ts";
import { minorDigits } from "../../../shared/domain/currency.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { harmless } from "../print/csv.ts";
import type { Gathered } from "../reports/gather.ts";
import { readPivot } from "./pivot.ts";

/** More rows than a person can use in a workbook; a CSV takes any number. */
const MOST_IN_A_WORKBOOK = 200_000;

/**
 * All groups of a view with their total, as a file. Amounts are exact decimals in CSV; in a workbook they are numbers
 * rounded as the screen shows them, and stand as exact decimals in text in its last columns.
 * errors  pivot.unknown-column, pivot.too-many-rows
 */
export async function pivotSheet(gathered: Gathered, view: PivotView, as: "csv" | "xlsx", words: Words): Promise<Result<string | Uint8Array>> {
  const first = readPivot(gathered, { view, offset: 0, limit: 0 });
  if (!first.ok) return first;
  const { groups, measures, total, currency } = first.value;
  if (as === "xlsx" && groups > MOST_IN_A_WORKBOOK) return err(ledgerError("pivot.too-many-rows", { rows: groups, most: MOST_IN_A_WORKBOOK }));
  const unit = gathered.context.convertedFrom && currency !== null ? words.say("print.converted", { currency }) : (currency ?? "");
  const head = [...view.by.map((dimension) => words.say(`pivot.dimension.${dimension}`)), ...measures.map((measure) => (measure.endsWith("Cost") ? `${words.say(`pivot.measure.${measure}`)} ${unit}` : words.say(`pivot.measure.${measure}`)))];
  const last = [words.say("print.total"), ...view.by.slice(1).map(() => "")];
  const lines = function* (): Generator<PivotRow> {
    for (let offset = 0; offset < groups; offset += mostPivotRows) {
      const page = readPivot(gathered, { view, offset, limit: mostPivotRows });
      if (page.ok) yield* page.value.rows;
    }
  };
  if (as === "csv") {
    const pieces = [stringify([head], { record_delimiter: "\r\n" })];
    for (const { keys, values } of lines()) pieces.push(stringify([[...keys.map((key) => harmless(key ?? "")), ...values.map(exactText)]], { record_delimiter: "\r\n" }));
    pieces.push(stringify([[...last, ...total.map(exactText)]], { record_delimiter: "\r\n" }));
    return ok(pieces.join(""));
  }
  const amounts = measures.flatMap((measure, index) => (measure.endsWith("Cost") ? [index] : []));
  const heads = [...head, ...amounts.map((index) => words.say("print.exact-of", { column: head[view.by.length + index] ?? "" }))];
  const cells = (values: readonly PivotValue[]): SheetRow => [
    ...values.map((value) => cellOf(value, currency)),
    ...amounts.map((index) => ({ value: exactText(values[index] ?? { value: null, coverage: 0 }), type: String, align: "right" as const })),
  ];
  const rows: SheetRow[] = [heads.map((value, index) => ({ value, fontWeight: "bold", ...(index < view.by.length ? {} : { align: "right" as const }) }))];
  for (const { keys, values } of lines()) rows.push([...keys.map((key) => ({ value: harmless(key ?? ""), type: String })), ...cells(values)]);
  rows.push([...last.map((value) => ({ value })), ...cells(total)].map((cell) => ({ ...cell, fontWeight: "bold" as const })));
  const workbook: Buffer = await writeWorkbook([{ sheet: words.say("screen.ledger"), data: rows, columns: heads.map((_, index) => ({ width: index < view.by.length + measures.length ? (index < view.by.length ? 24 : 18) : 30 })) }]).toBuffer();
  return ok(new Uint8Array(workbook));
}

/** Empty where nothing is known. */
function exactText({ value }: PivotValue): string {
  return value === null ? "" : typeof value === "bigint" ? formatAttos(value) : String(value);
}

function cellOf({ value, shown }: PivotValue, currency: string | null): { value: number; type: typeof Number; format: string } | { value: string; align: "right" } {
  if (value === null) return { value: dash, align: "right" };
  if (typeof value === "number") return { value, type: Number, format: "#,##0.##" };
  const digits = minorDigits(currency ?? "");
  return { value: Number(formatAttos(shown ?? roundedAlone(value, currency ?? ""))), type: Number, format: `#,##0${digits === 0 ? "" : `.${"0".repeat(digits)}`}` };
}
