import { createPuller } from "../../../main/connect/puller.ts";
import { errorOf, type Cause } from "../world.ts";

/** A second pull while the first waits for its answer. */
const cause: Cause = async ({ engine }) => {
  const pull = createPuller({ ask: (name, input) => engine.ask(name, input), connect: () => ({ send: () => Promise.reject(new Error("ended")), end: () => undefined }), progress: () => undefined, reference: () => "test" });
  const order = { period: "2026-09", profile: null, parts: ["forecast" as const], isRefresh: false, mostRequests: 1 };
  const first = pull(order);
  const second = errorOf(await pull(order));
  await first;
  return second;
};

export default cause;
