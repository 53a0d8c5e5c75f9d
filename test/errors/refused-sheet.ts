import type { LedgerError } from "../../shared/contract/errors.ts";
import type { World } from "./world.ts";

/** The error that a price sheet is refused with. */
export async function refusedSheet({ engine, file }: World, name: string, content: string): Promise<LedgerError> {
  const result = await engine.ask("prices.import", { file: file(name, content), isPreview: true, by: null });
  if (result.ok) throw new Error(`${name} is not refused`);
  return result.error;
}
