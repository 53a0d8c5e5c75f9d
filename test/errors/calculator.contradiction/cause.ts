import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine }) => errorOf(await engine.ask("calculator.run", { calculator: "owned", inputs: { capex: "1800", residual: "2000" }, currency: null, month: null, log: null }));

export default cause;
