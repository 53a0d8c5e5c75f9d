import type { Cause } from "../world.ts";

const cause: Cause = ({ refusalOf, file }) => refusalOf(file("holidays.csv", "name,from,to\nWei,2026-09-01,2026-09-05\n"));

export default cause;
