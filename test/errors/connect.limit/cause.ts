import { troubleOfPull } from "../pull.ts";
import type { Cause } from "../world.ts";

/** The answer has more pages than the person agreed to. */
const cause: Cause = (world) => troubleOfPull(world, { mostRequests: 1 });

export default cause;
