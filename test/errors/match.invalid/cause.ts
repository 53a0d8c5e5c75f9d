import { errorOf, type Cause } from "../world.ts";

/** A host that is a resource until before it became one. */
const cause: Cause = async ({ engine }) =>
  errorOf(await engine.ask("match.save", { host: "node-1", resource: "i-0f00dcafe", validFrom: "2026-09-02T00:00:00Z", validTo: "2026-09-01T00:00:00Z" }));

export default cause;
