import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine }) => errorOf(await engine.ask("plan.remove", { id: 7, by: null }));

export default cause;
