import { defaultPlanInputs } from "../../../shared/contract/plan.ts";
import { focusBill } from "../../main/engine/import/bills-of.ts";
import { errorOf, type Cause } from "../world.ts";

/** A month whose bill holds no GPU. */
const cause: Cause = async ({ engine, file, post }) => {
  await post(file("bill.csv", focusBill([{ day: "2026-09-01", cost: "3" }])));
  return errorOf(await engine.ask("plan.read", { period: "2026-09", scope: {}, currency: null, inputs: defaultPlanInputs }));
};

export default cause;
