import { focusBill } from "../../main/engine/import/bills-of.ts";
import { answerOf, errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine, post, file }) => {
  const batch = await post(file("september.csv", focusBill([{ day: "2026-09-01", cost: "1" }])));
  answerOf(await engine.ask("batches.undo", { batch }));
  return errorOf(await engine.ask("batches.undo", { batch }));
};

export default cause;
