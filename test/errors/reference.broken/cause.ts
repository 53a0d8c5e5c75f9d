import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answerOf, errorOf, type Cause } from "../world.ts";

/** Reference data in which someone broke off a line. */
const cause: Cause = async ({ another, folder }) => {
  cpSync(join(import.meta.dirname, "../../../resources/reference"), join(folder, "reference"), { recursive: true });
  const accelerators = join(folder, "reference/accelerators.csv");
  writeFileSync(accelerators, `${readFileSync(accelerators, "utf8").split("\n").slice(0, 3).join("\n")}\nnvidia-h\n`);
  const engine = another({ resourcesFolder: folder });
  answerOf(await engine.ask("ledger.open", { file: join(folder, "other.gpuledger"), create: true }));
  return errorOf(await engine.ask("report.read", { report: "efficiency", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null }));
};

export default cause;
