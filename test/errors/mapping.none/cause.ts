import { join } from "node:path";
import { errorOf, type Cause } from "../world.ts";

/** There is nothing to export yet. */
const cause: Cause = async ({ engine, folder }) => errorOf(await engine.ask("mapping.export", { ids: null, file: join(folder, "mappings.json") }));

export default cause;
