import { troubleOfPull } from "../pull.ts";
import type { Cause } from "../world.ts";

/** Nobody has opened Cost Explorer in the account yet. */
const cause: Cause = (world) => troubleOfPull(world, { told: { error: "AccessDeniedException", message: "User not enabled for cost explorer access" } });

export default cause;
