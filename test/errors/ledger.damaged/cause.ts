import { readFileSync } from "node:fs";
import { errorOf, type Cause } from "../world.ts";

/** A ledger of which everything behind its first page was overwritten. */
const cause: Cause = async ({ engine, another, ledger, file }) => {
  await engine.close();
  const bytes = readFileSync(ledger);
  const broken = another();
  const opened = await broken.ask("ledger.open", { file: file("broken.gpuledger", bytes.fill(0xa5, 4096)), create: false });
  return errorOf(opened.ok ? await broken.ask("batches.list", {}) : opened);
};

export default cause;
