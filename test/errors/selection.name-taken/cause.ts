import { answerOf, errorOf, type Cause } from "../world.ts";

const steps = { benchmark: "1", elasticity: "1", ecosystem: "1", support: "1", pilot: "1" };
const none = { benchmark: null, elasticity: null, ecosystem: null, support: null, pilot: null };
const selection = { id: null, name: "GPU clouds", currency: "USD", workload: "", weights: steps, minimums: none, vendors: [], pilot: null, decision: { vendor: null, reason: "", by: "" } };

const cause: Cause = async ({ engine }) => {
  answerOf(await engine.ask("selection.save", { selection, by: "Ana" }));
  return errorOf(await engine.ask("selection.save", { selection, by: "Ana" }));
};

export default cause;
