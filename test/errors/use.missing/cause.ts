import type { Cause } from "../world.ts";

const cause: Cause = ({ terminal }) => terminal("report", "review", "--period", "2026-09");

export default cause;
