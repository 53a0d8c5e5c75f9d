import { smiLog } from "../../main/engine/import/bills-of.ts";
import type { Cause } from "../world.ts";

const cause: Cause = ({ refusalOf, file }) => refusalOf(file("node-1.csv", smiLog("2026-09-01", [10, 20])), { timezone: "Mars/Olympus" });

export default cause;
