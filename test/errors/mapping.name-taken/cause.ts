import { answerOf, errorOf, type Cause } from "../world.ts";

const mapping = (name: string, column: string) => ({ kind: "log" as const, name, header: ["ts", column], columns: { time: "ts", utilization: column }, units: {}, isMeanUpTo: false });

/** A mapping is renamed to what another is called. */
const cause: Cause = async ({ engine }) => {
  for (const [name, column] of [["Night log", "load"], ["Day log", "busy"]] as const) answerOf(await engine.ask("mapping.save", { mapping: mapping(name, column) }));
  const { mappings } = answerOf(await engine.ask("mapping.list", {}));
  return errorOf(await engine.ask("mapping.rename", { id: mappings.find(({ name }) => name === "Day log")?.id ?? 0, name: "Night log" }));
};

export default cause;
