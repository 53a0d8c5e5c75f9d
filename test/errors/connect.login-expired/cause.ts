import { troubleOfPull } from "../pull.ts";
import type { Cause } from "../world.ts";

/** The token of the login is too old. */
const cause: Cause = (world) => troubleOfPull(world, { profile: "team", told: { error: "ExpiredTokenException", message: "The security token included in the request is expired" } });

export default cause;
