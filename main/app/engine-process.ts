// Entry of the engine's own process. It carries messages between main and the engine, and knows nothing else.
import type { MessageEvent } from "electron";
import { createEngine } from "../engine/serve.ts";
import type { Engine } from "../engine/serve.ts";
import type { FromEngine, ToEngine } from "./engine-messages.ts";

const port = process.parentPort;
let engine: Engine | null = null;

port.on("message", ({ data }: MessageEvent) => void hear(data as ToEngine));

async function hear(message: ToEngine): Promise<void> {
  if ("start" in message) engine = createEngine({ ...message.start, emit: (event) => say({ event }) });
  else if ("close" in message) await close();
  else if (engine !== null) say({ id: message.id, result: await engine.ask(message.name, message.input) });
}

async function close(): Promise<void> {
  await engine?.close();
  engine = null;
  say({ closed: true });
}

function say(message: FromEngine): void {
  port.postMessage(message);
}
