import { troubleOfPull } from "../pull.ts";
import type { Cause } from "../world.ts";

/** A profile that no file of AWS names. */
const cause: Cause = (world) => troubleOfPull(world, { profile: "nowhere", environment: { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined } });

export default cause;
