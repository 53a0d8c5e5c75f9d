import type { Cause } from "../world.ts";

/** A 7z archive. */
const cause: Cause = ({ refusalOf, file }) => refusalOf(file("bills.7z", Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4, 0, 0])));

export default cause;
