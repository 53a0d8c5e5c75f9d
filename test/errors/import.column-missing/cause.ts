import { focusBill } from "../../main/engine/import/bills-of.ts";
import type { Cause } from "../world.ts";

const cause: Cause = ({ refusalOf, file }) => refusalOf(file("september.csv", focusBill([{ day: "2026-09-01", cost: "1" }]).replace("ChargePeriodStart", "Start")));

export default cause;
