import { focusBill } from "../../main/engine/import/bills-of.ts";
import type { Cause } from "../world.ts";

/** A team is charged in the currency of the bill. */
const cause: Cause = async ({ engine, ledger, file, post, terminal }) => {
  await post(file("bill.csv", focusBill([{ day: "2026-09-01", cost: "7", currency: "CNY" }])));
  await engine.ask("rate.save", { base: "USD", quote: "CNY", day: "2026-09-01", rate: "7", source: null, by: "Ana" });
  await engine.close();
  return terminal("report", "showback", "--ledger", ledger, "--period", "2026-09", "--in", "USD");
};

export default cause;
