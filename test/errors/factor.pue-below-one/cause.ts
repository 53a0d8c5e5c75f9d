import { setAsideOf } from "../factors.ts";
import type { Cause } from "../world.ts";

const cause: Cause = (world) => setAsideOf(world, "kind,provider,value,unit,source\npue,AWS,0.92,ratio,facility team\n");

export default cause;
