import { troubleOfPull } from "../pull.ts";
import type { Cause } from "../world.ts";

/** Nothing listens where AWS should be. */
const cause: Cause = (world) => troubleOfPull(world, { environment: { AWS_ENDPOINT_URL_COST_EXPLORER: "http://127.0.0.1:9" } });

export default cause;
