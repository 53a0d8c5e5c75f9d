import type { Cause } from "../world.ts";
import { refusedSheet } from "../refused-sheet.ts";

const cause: Cause = (world) => refusedSheet(world, "ages.csv", "name,age\nx,1\n");

export default cause;
