import type { Cause } from "../world.ts";

const cause: Cause = async ({ engine }) => {
  const removed = await engine.ask("prices.remove-sheet", { id: 7, by: null });
  if (removed.ok) throw new Error("removed");
  return removed.error;
};

export default cause;
