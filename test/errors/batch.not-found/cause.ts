import type { Cause } from "../world.ts";

const cause: Cause = ({ terminal, engine, ledger }) => engine.close().then(() => terminal("undo", "7", "--ledger", ledger));

export default cause;
