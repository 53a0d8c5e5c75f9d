import { focusBill } from "../../main/engine/import/bills-of.ts";
import { answerOf, errorOf, type Cause } from "../world.ts";

/** The ledger keeps the cells of a period's last three deliveries; the first of four is older. */
const cause: Cause = async ({ engine, post, file }) => {
  const batches: number[] = [];
  for (const cost of ["1", "2", "3", "4"]) batches.push(await post(file(`september-${cost}.csv`, focusBill([{ day: "2026-09-01", cost }]))));
  for (const batch of batches.slice(1).reverse().slice(0, 2)) answerOf(await engine.ask("batches.undo", { batch }));
  return errorOf(await engine.ask("batches.undo", { batch: batches[1] ?? 0 }));
};

export default cause;
