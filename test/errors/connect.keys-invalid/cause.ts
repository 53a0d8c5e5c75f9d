import { troubleOfPull } from "../pull.ts";
import type { Cause } from "../world.ts";

/** Keys that were deleted at AWS. */
const cause: Cause = (world) => troubleOfPull(world, { profile: "team", told: { error: "UnrecognizedClientException", message: "The security token included in the request is invalid." } });

export default cause;
