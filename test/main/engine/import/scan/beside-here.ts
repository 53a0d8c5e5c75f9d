import { MessageChannel } from "node:worker_threads";
import type { Producer } from "../../../../../main/engine/import/scan/beside.ts";
import { produceRows, type Production } from "../../../../../main/engine/import/scan/produce.ts";

/** Reads ahead in this very thread: what is said goes through a channel all the same. */
export function startHere(production: Production): Producer {
  const { port1, port2 } = new MessageChannel();
  let fail: (fault: unknown) => void = () => undefined;
  produceRows(port2, production).catch((fault: unknown) => fail(fault));
  return {
    postMessage: (slot) => port1.postMessage(slot),
    on(event: string, listener: (value: never) => void) {
      if (event === "message") port1.on("message", (message: unknown) => listener(message as never));
      else if (event === "error") fail = listener as (fault: unknown) => void;
    },
    terminate() {
      port1.close();
      return Promise.resolve();
    },
  };
}
