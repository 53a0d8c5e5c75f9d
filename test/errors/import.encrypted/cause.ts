import { zipOf } from "../../main/engine/import/archives-of.ts";
import { focusBill } from "../../main/engine/import/bills-of.ts";
import type { Cause } from "../world.ts";

/** A zip made with a password. */
const cause: Cause = ({ refusalOf, file }) => refusalOf(file("bills.zip", zipOf([{ name: "september.csv", bytes: focusBill([{ day: "2026-09-01", cost: "1" }]), flags: 1 }])));

export default cause;
