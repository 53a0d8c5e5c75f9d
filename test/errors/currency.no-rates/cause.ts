import { focusBill } from "../../main/engine/import/bills-of.ts";
import type { Cause } from "../world.ts";

const cause: Cause = async ({ engine, ledger, file, post, terminal }) => {
  await post(file("bill.csv", focusBill([{ day: "2026-09-01", cost: "7", currency: "CNY" }])));
  await engine.close();
  return terminal("report", "review", "--ledger", ledger, "--period", "2026-09", "--in", "USD");
};

export default cause;
