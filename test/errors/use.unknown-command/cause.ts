import type { Cause } from "../world.ts";

const cause: Cause = ({ terminal }) => terminal("improt", "bill.csv");

export default cause;
