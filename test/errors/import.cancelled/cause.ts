import { join } from "node:path";
import { focusBill } from "../../main/engine/import/bills-of.ts";
import { answerOf, errorOf, type Cause } from "../world.ts";

/** The person cancels as soon as the first rows are read. */
const cause: Cause = async ({ another, folder, file }) => {
  let cancel: () => void = () => undefined;
  const engine = another({ emit: ({ name }) => name === "import.progress" && cancel() });
  answerOf(await engine.ask("ledger.open", { file: join(folder, "other.gpuledger"), create: true }));
  cancel = () => void engine.ask("import.cancel", { plan: null });
  const rows = Array.from({ length: 40_000 }, (_row, index) => ({ day: "2026-09-01", cost: "1", resource: `i-${index % 50}` }));
  return errorOf(await engine.ask("import.preview", { files: [file("september.csv", focusBill(rows))], options: {} }));
};

export default cause;
