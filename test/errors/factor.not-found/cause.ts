import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine }) => errorOf(await engine.ask("factors.remove", { id: 7, isPreview: false, restate: false, by: null }));

export default cause;
