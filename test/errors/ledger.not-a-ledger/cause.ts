import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ another, file }) => errorOf(await another().ask("ledger.open", { file: file("costs.gpuledger", "Dear all,\n"), create: false }));

export default cause;
