import { smiLog } from "../../main/engine/import/bills-of.ts";
import type { Cause } from "../world.ts";

/** A log made with `--format=csv,noheader`. */
const cause: Cause = ({ refusalOf, file }) => refusalOf(file("node-1.csv", smiLog("2026-09-01", [10, 20]).split("\n").slice(1).join("\n")), { timezone: "UTC" });

export default cause;
