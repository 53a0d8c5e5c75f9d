import { focusBill } from "../../main/engine/import/bills-of.ts";
import type { Cause } from "../world.ts";

/** The same machines, billed in two currencies. */
const hours = (currency: string) => Array.from({ length: 240 }, (_, hour) => ({ day: "2026-09-01", hour, cost: "55.04", resource: `i-0123456789abcdef${currency === "USD" ? 0 : 1}`, description: "p5.48xlarge instance hours", currency, account: currency }));
const cause: Cause = async ({ engine, ledger, file, post, terminal }) => {
  await post(file("bill.csv", focusBill([...hours("USD"), ...hours("CNY")])));
  await engine.close();
  return terminal("plan", "--ledger", ledger, "--period", "2026-09");
};

export default cause;
