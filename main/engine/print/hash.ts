import { createHash } from "node:crypto";
import type { ReportDocument } from "../../../shared/contract/report.ts";
import { formatAttos } from "../../../shared/domain/money.ts";

/**
 * SHA-256 of all figures that a document shows, in hex: equal hashes mean equal figures, whatever the printer or language.
 * The foot of the page that names the hash is left out of it.
 */
export function hashOfFigures({ blocks }: Pick<ReportDocument, "blocks">): string {
  const shown = blocks.filter(({ id }) => id !== "foot");
  return createHash("sha256").update(JSON.stringify(shown, (_, value: unknown) => (typeof value === "bigint" ? formatAttos(value) : value))).digest("hex");
}
