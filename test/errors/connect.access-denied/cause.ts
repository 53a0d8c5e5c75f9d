import { troubleOfPull } from "../pull.ts";
import type { Cause } from "../world.ts";

/** The policy of the login leaves the call out. */
const cause: Cause = (world) => troubleOfPull(world, { profile: "team", told: { error: "AccessDeniedException", message: "User is not authorized to perform: ce:GetCostAndUsage" } });

export default cause;
