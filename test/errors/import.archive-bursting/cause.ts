import { zipOf } from "../../main/engine/import/archives-of.ts";
import type { Cause } from "../world.ts";

/** A small zip that claims to hold more than a hundred gigabytes. */
const cause: Cause = ({ refusalOf, file }) => refusalOf(file("bills.zip", zipOf(Array.from({ length: 30 }, (_member, index) => ({ name: `${index}.csv`, bytes: "x", claims: { size: 0xff_ff_ff_00 } })))));

export default cause;
