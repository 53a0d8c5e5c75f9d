import { focusBill } from "../../main/engine/import/bills-of.ts";
import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine, post, file }) => {
  const batch = await post(file("september.csv", focusBill([{ day: "2026-09-01", cost: "1" }])));
  return errorOf(await engine.ask("set-aside.correct", { batch, sheet: file("notes.csv", "a,b\n1,2\n"), file: file("corrected.csv", "") }));
};

export default cause;
