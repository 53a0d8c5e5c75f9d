import { troubleOfPull } from "../pull.ts";
import type { Cause } from "../world.ts";

/** Anything that AWS says and that has no words of its own. */
const cause: Cause = (world) => troubleOfPull(world, { told: { error: "BillExpirationException", message: "The requested report expired." } });

export default cause;
