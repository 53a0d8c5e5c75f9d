import type { Cause } from "../world.ts";

/** A script that did not agree to the price: what AWS foresees is one request. */
const cause: Cause = async ({ engine, ledger, terminal }) => {
  await engine.close();
  return terminal("pull", "aws", "--ledger", ledger, "--period", "2026-09", "--parts", "forecast");
};

export default cause;
