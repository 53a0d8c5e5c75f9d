import { csvPrinter } from "./csv.ts";
import { jsonPrinter } from "./json.ts";
import { markdownPrinter } from "./markdown.ts";
import type { Printer } from "./printer.ts";
import { textPrinter } from "./text.ts";

export type { Printer } from "./printer.ts";

/** Every printer by its name. */
export const printers: readonly Printer[] = [textPrinter, jsonPrinter, csvPrinter, markdownPrinter];

export function printerOf(id: string): Printer | null {
  return printers.find((printer) => printer.id === id) ?? null;
}
