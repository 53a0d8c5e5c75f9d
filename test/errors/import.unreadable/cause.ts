import type { Cause } from "../world.ts";

/** Gzipped by its name and first bytes, but what follows is no such thing. */
const cause: Cause = ({ refusalOf, file }) => refusalOf(file("september.csv.gz", Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), Buffer.alloc(3_000_000, 0xff)])));

export default cause;
