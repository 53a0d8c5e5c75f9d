import { errorOf, type Cause } from "../world.ts";

/** A question that does not hold to the contract: a period that is none. */
const cause: Cause = async ({ engine }) => errorOf(await engine.ask("report.read", { report: "review", period: "September", scope: {}, basis: "EffectiveCost", currency: null }));

export default cause;
