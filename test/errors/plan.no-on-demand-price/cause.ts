import { defaultPlanInputs } from "../../../shared/contract/plan.ts";
import { focusBill } from "../../main/engine/import/bills-of.ts";
import { errorOf, type Cause } from "../world.ts";

/** Every hour is covered by a commitment, and no list knows the region. */
const cause: Cause = async ({ engine, file, post }) => {
  const rows = Array.from({ length: 240 }, (_, hour) => ({ day: "2026-09-01", hour, cost: "27.52", resource: "i-0123456789abcdef0", description: "p5.48xlarge instance hours" }));
  const [head = "", ...lines] = focusBill(rows).trimEnd().split("\n");
  const covered = [`${head},CommitmentDiscountId,CommitmentDiscountStatus,CommitmentDiscountType,PricingCategory`, ...lines.map((line) => `${line},c-1,Used,Savings Plan,Committed`)];
  await post(file("bill.csv", `${covered.join("\n")}\n`));
  return errorOf(await engine.ask("plan.read", { period: "2026-09", scope: {}, currency: null, inputs: defaultPlanInputs }));
};

export default cause;
