import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine }) => errorOf(await engine.ask("calculator.run", { calculator: "host", inputs: { gpus: "1000000" }, currency: null, month: null, log: null }));

export default cause;
