import { canonicalName } from "../format.ts";
import { aws } from "./aws.ts";
import type { EmissionsFormat } from "./format.ts";
import { google } from "./google.ts";
import { azureCarbonOptimization, microsoft } from "./microsoft.ts";

export type { CellOf, EmissionsFormat, EmissionsReading, EmissionsRow } from "./format.ts";
export { plus } from "./format.ts";

/** Every layout of a provider's own emissions report. They are no bills: none of their rows is ever a charge. */
export const emissionsFormats: readonly EmissionsFormat[] = [aws, google, microsoft, azureCarbonOptimization];

/** The report that a header belongs to, or null. */
export function recognizeEmissions(header: readonly string[]): EmissionsFormat | null {
  const columns = new Set(header.map(canonicalName));
  return emissionsFormats.find(({ required }) => required.every((names) => names.some((name) => columns.has(canonicalName(name))))) ?? null;
}
