import { zipOf } from "../../main/engine/import/archives-of.ts";
import { focusBill } from "../../main/engine/import/bills-of.ts";
import type { Cause } from "../world.ts";

/** A zip in a zip. */
const cause: Cause = ({ refusalOf, file }) => refusalOf(file("2026.zip", zipOf([{ name: "september.zip", bytes: zipOf([{ name: "bill.csv", bytes: focusBill([{ day: "2026-09-01", cost: "1" }]) }]) }])));

export default cause;
