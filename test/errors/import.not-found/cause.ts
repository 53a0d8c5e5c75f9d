import { join } from "node:path";
import type { Cause } from "../world.ts";

const cause: Cause = ({ refusalOf, folder }) => refusalOf(join(folder, "september.csv"));

export default cause;
