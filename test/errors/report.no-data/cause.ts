import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine }) => errorOf(await engine.ask("report.read", { report: "review", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null }));

export default cause;
