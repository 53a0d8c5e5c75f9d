import type { LedgerError } from "../../shared/contract/errors.ts";
import type { World } from "./world.ts";

/** The reason for which the only line of a file of factors is set aside. */
export async function setAsideOf({ engine, file }: World, text: string): Promise<LedgerError> {
  const read = await engine.ask("factors.import", { file: file("factors.csv", text), isPreview: true, restate: false, by: null });
  if (!read.ok) throw new Error(read.error.code);
  const [reason] = read.value.setAside;
  if (reason === undefined) throw new Error("the line was taken");
  return reason;
}
