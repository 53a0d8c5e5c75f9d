import { errorOf, type Cause } from "../world.ts";

/** Taken away where none was saved. */
const cause: Cause = async ({ engine }) => errorOf(await engine.ask("mapping.remove", { id: 7 }));

export default cause;
