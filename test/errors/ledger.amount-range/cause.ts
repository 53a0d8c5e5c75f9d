import { focusBill } from "../../main/engine/import/bills-of.ts";
import { answerOf, errorOf, type Cause } from "../world.ts";

/** Each day fits 64 bits of nanos, the month of the line does not. */
const cause: Cause = async ({ engine, file }) => {
  const bill = file(
    "dong.csv",
    focusBill(["2026-09-01", "2026-09-02"].map((day) => ({ day, cost: "9000000000", currency: "VND", resource: "gpu-1" }))),
  );
  const { plan } = answerOf(await engine.ask("import.preview", { files: [bill], options: {} }));
  return errorOf(await engine.ask("import.post", { plan }));
};

export default cause;
