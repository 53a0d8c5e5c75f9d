import type { Cause } from "../world.ts";

const cause: Cause = ({ terminal, ledger }) => terminal("report", "review", "--ledger", ledger, "--period", "2026-09", "--as", "docx");

export default cause;
