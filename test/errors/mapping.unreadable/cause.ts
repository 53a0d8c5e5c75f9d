import { errorOf, type Cause } from "../world.ts";

/** A file of mappings in which one says what no column can mean. */
const cause: Cause = async ({ engine, file }) =>
  errorOf(await engine.ask("mapping.import", { file: file("mappings.json", JSON.stringify({ mapping: { kind: "log", name: "own", header: ["ts", "t"], columns: { temperature: "t" }, units: {}, isMeanUpTo: false } })) }));

export default cause;
