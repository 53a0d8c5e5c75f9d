import { ledgerError } from "../../shared/contract/errors.ts";
import type { MethodInput } from "../../shared/contract/methods.ts";
import type { MethodName } from "../../shared/contract/names.ts";
import type { ReportDocument } from "../../shared/contract/report.ts";
import { err } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { Paper, PdfPrinter } from "../cli/pdf.ts";
import { writeWhole } from "../engine/files.ts";

export interface PdfExport {
  ask(question: MethodName, input: unknown): Promise<Result<unknown>>;
  readonly print: PdfPrinter;
  readonly paper: Paper;
  /** Names one fault. */
  reference(): string;
}

/** Reads the report from the engine, draws it, and writes it to the file that was chosen; whole or not at all. */
export async function exportPdf({ request, language, file }: MethodInput<"report.export">, { ask, print, paper, reference }: PdfExport): Promise<Result<{ readonly file: string }>> {
  const read = await ask("report.read", request);
  if (!read.ok) return read;
  let bytes: Uint8Array;
  try {
    bytes = await print(read.value as ReportDocument, { language, paper });
  } catch {
    return err(ledgerError("app.fault", { reference: reference() }));
  }
  return writeWhole(file, bytes);
}

/** The statement of an ESG pack, in base64; null where the engine refuses its report, which the pack's own refusal words, or it cannot be drawn. */
export async function drawStatement({ period, scope, language }: MethodInput<"esg.export">, { ask, print, paper }: Omit<PdfExport, "reference">): Promise<string | null> {
  const read = await ask("report.read", { report: "esg", period, scope, basis: "EffectiveCost", currency: null });
  if (!read.ok) return null;
  try {
    return Buffer.from(await print(read.value as ReportDocument, { language, paper })).toString("base64");
  } catch {
    return null;
  }
}

/** North America prints on Letter, the rest of the world on A4. */
export function paperOf(country: string): Paper {
  return ["US", "CA", "MX", "PH", "CL", "CO", "VE"].includes(country) ? "Letter" : "A4";
}
