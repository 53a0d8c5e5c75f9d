import { focusBill } from "../../main/engine/import/bills-of.ts";
import { errorOf, type Cause } from "../world.ts";

const cause: Cause = async ({ engine, post, file }) => errorOf(await engine.ask("batches.redo", { batch: await post(file("september.csv", focusBill([{ day: "2026-09-01", cost: "1" }]))) }));

export default cause;
