import { focusBill } from "../../main/engine/import/bills-of.ts";
import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine, file, post }) => {
  await post(file("bill.csv", focusBill([{ day: "2026-09-01", hour: 3, cost: "98.32", resource: "i-0123456789abcdef0", description: "p5.48xlarge instance hours" }])));
  await engine.ask("month.close", { month: "2026-09", note: null, by: "Ada" });
  return errorOf(await engine.ask("factors.import", { file: file("pue.csv", "kind,value,unit,source\npue,1.4,ratio,own meter\n"), isPreview: false, restate: false, by: null }));
};

export default cause;
