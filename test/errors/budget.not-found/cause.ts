import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine }) => errorOf(await engine.ask("budget.burn-down", { id: 7, month: null }));

export default cause;
