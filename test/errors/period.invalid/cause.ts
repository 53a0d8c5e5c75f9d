import type { Cause } from "../world.ts";

const cause: Cause = ({ terminal, ledger }) => terminal("report", "review", "--ledger", ledger, "--period", "September");

export default cause;
