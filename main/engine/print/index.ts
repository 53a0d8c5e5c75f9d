import { csvPrinter } from "./csv.ts";
import { htmlPrinter } from "./html.ts";
import { jsonPrinter } from "./json.ts";
import { markdownPrinter } from "./markdown.ts";
import type { Printer, TextPrinter } from "./printer.ts";
import { textPrinter } from "./text.ts";
import { xlsxPrinter } from "./xlsx.ts";

export { packFiles } from "./esg.ts";
export { hashOfFigures } from "./hash.ts";
export type { Printer, TextPrinter } from "./printer.ts";
export { zipOf, type ZipMember } from "./zip.ts";

export const textPrinters: readonly TextPrinter[] = [textPrinter, jsonPrinter, csvPrinter, markdownPrinter, htmlPrinter];

/** Every printer by its name. A PDF is drawn by a window (main/app/print-pdf.ts), so it is not among them. */
export const printers: readonly Printer[] = [...textPrinters, xlsxPrinter];

export function printerOf(id: string): Printer | null {
  return printers.find((printer) => printer.id === id) ?? null;
}
