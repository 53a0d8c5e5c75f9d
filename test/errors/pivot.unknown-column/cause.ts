import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine }) =>
  errorOf(await engine.ask("pivot.read", { view: { table: "charges", by: ["hour"], filters: [], sort: null }, period: "2026-09", scope: {}, currency: "USD", offset: 0, limit: 10 }));

export default cause;
