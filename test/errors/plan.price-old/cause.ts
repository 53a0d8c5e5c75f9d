import { focusBill } from "../../main/engine/import/bills-of.ts";
import type { Cause } from "../world.ts";

/** A quote from long before the usage, asked for by name. */
const cause: Cause = async ({ engine, ledger, file, post, terminal }) => {
  await post(file("bill.csv", focusBill(Array.from({ length: 240 }, (_, hour) => ({ day: "2026-09-01", hour, cost: "55.04", resource: "i-0123456789abcdef0", description: "p5.48xlarge instance hours" })))));
  await engine.close();
  return terminal("plan", "--ledger", ledger, "--period", "2026-09", "--quote", "commitment,12,no-upfront,hourly=4,on=2024-01-31", "--option", "quote 0");
};

export default cause;
