import { join } from "node:path";
import type { Cause } from "../world.ts";

const cause: Cause = ({ terminal, folder }) => terminal("batches", "--ledger", join(folder, "last-year.gpuledger"));

export default cause;
