import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine }) => errorOf(await engine.ask("calculator.run", { calculator: "batch", inputs: { "gpu-memory": "0" }, currency: null, month: null, log: null }));

export default cause;
