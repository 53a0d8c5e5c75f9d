import { defaultPlanInputs } from "../../../shared/contract/plan.ts";
import { focusBill } from "../../main/engine/import/bills-of.ts";
import { errorOf, type Cause } from "../world.ts";

/** A quote that states no amount at all. */
const quote = { kind: "commitment", termMonths: 12, payment: "no-upfront", upfront: null, hourly: null, monthly: null, isConvertible: false, quotedOn: null, note: null } as const;
const cause: Cause = async ({ engine, file, post }) => {
  await post(file("bill.csv", focusBill([{ day: "2026-09-01", cost: "3" }])));
  return errorOf(await engine.ask("plan.read", { period: "2026-09", scope: {}, currency: null, inputs: { ...defaultPlanInputs, quotes: [quote] } }));
};

export default cause;
