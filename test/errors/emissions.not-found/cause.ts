import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine }) => errorOf(await engine.ask("provider-emissions.undo", { report: 7, by: null }));

export default cause;
