import type { ReportDocument } from "../../../shared/contract/report.ts";
import type { Words } from "../../../shared/contract/words.ts";

/** Turns a report document into a file of one kind. The words of one language are handed in; a printer rounds and words, and computes nothing. */
export interface Printer {
  readonly id: string;
  readonly extension: string;
  /** Text, or the bytes of a file that is no text. */
  print(document: ReportDocument, words: Words): string | Promise<Uint8Array>;
}

/** A printer whose file is text, at once. */
export interface TextPrinter extends Printer {
  print(document: ReportDocument, words: Words): string;
}
