import { answerOf, errorOf, type Cause } from "../world.ts";

/** A second window on the same ledger may read, but not write. */
const cause: Cause = async ({ another, ledger, file }) => {
  const second = another();
  answerOf(await second.ask("ledger.open", { file: ledger, create: false }));
  return errorOf(await second.ask("import.preview", { files: [file("bill.csv", "")], options: {} }));
};

export default cause;
