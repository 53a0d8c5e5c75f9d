import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Cause } from "../world.ts";

const cause: Cause = ({ refusalOf, folder }) => {
  mkdirSync(join(folder, "bills"));
  return refusalOf(join(folder, "bills"));
};

export default cause;
