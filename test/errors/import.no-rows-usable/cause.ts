import { focusBill } from "../../main/engine/import/bills-of.ts";
import type { Cause } from "../world.ts";

const cause: Cause = ({ refusalOf, file }) => refusalOf(file("september.csv", focusBill([{ day: "2026-09-01", cost: "free" }, { day: "2026-09-02", cost: "free" }])));

export default cause;
