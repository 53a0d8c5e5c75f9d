import { focusBill } from "../../main/engine/import/bills-of.ts";
import type { Cause } from "../world.ts";

/** Read as one line it would be a header without rows, and its money would be lost in silence. */
const cause: Cause = ({ refusalOf, file }) => refusalOf(file("mac.csv", focusBill([{ day: "2026-09-01", cost: "1" }]).replaceAll("\n", "\r")));

export default cause;
