import { join } from "node:path";
import { focusBill } from "../../main/engine/import/bills-of.ts";
import type { Cause } from "../world.ts";

const cause: Cause = async ({ engine, ledger, folder, post, file, terminal }) => {
  await post(file("september.csv", focusBill([{ day: "2026-09-01", cost: "1" }])));
  await engine.close();
  return terminal("report", "review", "--ledger", ledger, "--period", "2026-09", "--out", join(folder, "no such folder", "review.txt"));
};

export default cause;
