import type { Cause } from "../world.ts";

const cause: Cause = ({ refusalOf, file }) => refusalOf(file("september.csv", ""));

export default cause;
