import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine }) => errorOf(await engine.ask("report.read", { report: "selection", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null, selection: "GPU clouds" }));

export default cause;
