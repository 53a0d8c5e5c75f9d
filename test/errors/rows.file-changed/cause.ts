import { focusBill } from "../../main/engine/import/bills-of.ts";
import { answerOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine, post, file }) => {
  const bill = file("september.csv", focusBill([{ day: "2026-09-01", cost: "1" }]));
  const batch = await post(bill);
  file("september.csv", focusBill([{ day: "2026-09-01", cost: "25" }]));
  const { missing } = answerOf(await engine.ask("rows.read", { ref: { metric: "spend", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null }, of: "charges", offset: 0, limit: 10 }));
  const [error] = missing;
  if (error === undefined) throw new Error(`the rows of import ${batch} are all there`);
  return error;
};

export default cause;
