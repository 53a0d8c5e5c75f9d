import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ another }) => errorOf(await another().ask("batches.list", {}));

export default cause;
