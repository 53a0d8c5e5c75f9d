import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine }) => errorOf(await engine.ask("import.post", { plan: "of yesterday" }));

export default cause;
