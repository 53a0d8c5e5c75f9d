import { focusBill } from "../../main/engine/import/bills-of.ts";
import { answerOf, errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine, file }) => {
  const bill = (cost: string): string => file("september.csv", focusBill([{ day: "2026-09-01", cost }]));
  const { plan } = answerOf(await engine.ask("import.preview", { files: [bill("1")], options: {} }));
  bill("2.5");
  return errorOf(await engine.ask("import.post", { plan }));
};

export default cause;
