import { join } from "node:path";
import { answerOf, errorOf, type Cause } from "../world.ts";

/** A program without the data that comes with it. */
const cause: Cause = async ({ another, folder }) => {
  const engine = another({ resourcesFolder: folder });
  answerOf(await engine.ask("ledger.open", { file: join(folder, "other.gpuledger"), create: true }));
  return errorOf(await engine.ask("report.read", { report: "efficiency", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null }));
};

export default cause;
