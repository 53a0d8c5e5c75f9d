import { focusBill } from "../../main/engine/import/bills-of.ts";
import type { Cause } from "../world.ts";

/** Rows whose sum no ledger can hold: two of nine billion. */
const cause: Cause = ({ refusalOf, file }) => refusalOf(file("september.csv", focusBill([{ day: "2026-09-01", cost: "8999999999" }, { day: "2026-09-01", cost: "8999999999" }])));

export default cause;
