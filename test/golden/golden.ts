/** Golden documents: reports as the engine makes them, kept as JSON that the renderer's tests read too. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReportDocument } from "../../shared/contract/report.ts";

/** A bigint of attos stands as its digits and an `n`, which no text of a report ends in. */
export function writeGolden(document: unknown): string {
  return `${JSON.stringify(document, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value), 1)}\n`;
}

export function parseGolden(text: string): ReportDocument {
  return JSON.parse(text, (_, value: unknown) => (typeof value === "string" && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value)) as ReportDocument;
}

export function readGolden(name: "review" | "efficiency" | "imports"): ReportDocument {
  return parseGolden(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8"));
}
