import { errorOf, type Cause } from "../world.ts";

/** Cost Explorer holds the running month and twelve before it by day. */
const cause: Cause = async ({ another, ledger, engine }) => {
  await engine.close();
  const asking = another({ now: () => new Date("2026-10-05T12:00:00Z") });
  await asking.ask("ledger.open", { file: ledger, create: false });
  return errorOf(await asking.ask("connect.plan", { period: "2024-01", profile: null, parts: ["costs"], isRefresh: false }));
};

export default cause;
