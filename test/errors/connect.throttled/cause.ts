import { troubleOfPull } from "../pull.ts";
import type { Cause } from "../world.ts";

/** Too many requests, whoever sent them. */
const cause: Cause = (world) => troubleOfPull(world, { told: { error: "ThrottlingException", message: "Rate exceeded" } });

export default cause;
