import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Reference } from "../../../../main/engine/reference/catalog.ts";
import { loadReference } from "../../../../main/engine/reference/load.ts";

export const referenceFolder = join(import.meta.dirname, "../../../../resources/reference");

/** The tables the app ships, read as the app reads them. */
export const reference: Reference = (() => {
  const read = loadReference(referenceFolder);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
})();

/** A file of the shared documents, when they lie beside the project; null elsewhere. */
export function sharedFile(path: string): string | null {
  const full = join(import.meta.dirname, "../../../../../shared", path);
  return existsSync(full) ? full : null;
}
