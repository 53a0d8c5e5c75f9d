import { troubleOfPull } from "../pull.ts";
import type { Cause } from "../world.ts";

/** Neither the environment nor a file holds a login. */
const cause: Cause = (world) => troubleOfPull(world, { environment: { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined } });

export default cause;
