// Entry of the engine's own process. It carries messages between main and the engine, and knows nothing else.
import type { MessageEvent } from "electron";
import { wordsOf } from "../cli/words.ts";
import { createEngine } from "../engine/serve.ts";
import type { Engine } from "../engine/serve.ts";
import type { FromEngine, ToEngine } from "./engine-messages.ts";

const port = process.parentPort;
let ready: Promise<Engine> | null = null;

port.on("message", ({ data }: MessageEvent) => void hear(data as ToEngine));

async function hear(message: ToEngine): Promise<void> {
  if ("start" in message) ready = Promise.resolve(createEngine({ ...message.start, ledgerPath: null, wordsOf, emit: (event) => say({ event }) }));
  else if (ready === null) throw new Error("the first message starts the engine");
  else if ("close" in message) await (await ready).close().finally(() => say({ closed: true }));
  else say({ id: message.id, result: await (await ready).ask(message.name, message.input) });
}

function say(message: FromEngine): void {
  port.postMessage(message);
}
