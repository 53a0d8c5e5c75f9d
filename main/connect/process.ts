// Entry of the one process that opens connections: to AWS, for a pull that a person asked for. It is started by it and ended after it.
import { createAsker } from "./aws.ts";
import type { Request } from "./messages.ts";

/** Electron's utility process has a port to its parent, Node's child process a channel. */
interface ParentPort {
  on(name: "message", hear: (event: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}
const port = (process as { readonly parentPort?: ParentPort }).parentPort;
const { ask } = createAsker();

async function hear(message: unknown): Promise<void> {
  const { id, request } = message as { readonly id: number; readonly request: Request };
  const said = { id, reply: await ask(request) };
  if (port !== undefined) port.postMessage(said);
  else process.send?.(said);
}

if (port !== undefined) port.on("message", ({ data }) => void hear(data));
else {
  process.on("message", (message) => void hear(message));
  process.on("disconnect", () => process.exit(0));
}
