import { setAsideOf } from "../factors.ts";
import type { Cause } from "../world.ts";

const cause: Cause = (world) => setAsideOf(world, "kind,value,unit,source\ngrid,0.38,kg/MJ,own meter\n");

export default cause;
