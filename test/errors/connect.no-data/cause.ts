import { troubleOfPull } from "../pull.ts";
import type { Cause } from "../world.ts";

/** An account of today. */
const cause: Cause = (world) => troubleOfPull(world, { told: { error: "DataUnavailableException", message: "Data is not available." } });

export default cause;
