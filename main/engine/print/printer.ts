import type { ReportDocument } from "../../../shared/contract/report.ts";
import type { Words } from "../../../shared/contract/words.ts";

/** Turns a report document into text of one kind. The words of one language are handed in; a printer rounds and words, and computes nothing. */
export interface Printer {
  readonly id: string;
  readonly extension: string;
  print(document: ReportDocument, words: Words): string;
}
