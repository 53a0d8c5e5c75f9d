import type { Cause } from "../world.ts";

const cause: Cause = ({ terminal, ledger }) => terminal("report", "weather", "--ledger", ledger, "--period", "2026-09");

export default cause;
