import type { Cause } from "../world.ts";

const cause: Cause = ({ refusalOf, file }) => refusalOf(file("september.csv", Buffer.from(Array.from({ length: 4000 }, (_byte, index) => (index * 73 + (index >> 3)) % 256))));

export default cause;
