import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Connection, Reply } from "./messages.ts";

/** The little that is asked of a process: Node's child, or Electron's. */
export interface ConnectProcess {
  post(message: unknown): void;
  onMessage(hear: (message: unknown) => void): void;
  onExit(ended: () => void): void;
  end(): void;
}

/** Requests over a process, each answered by its number. */
export function connectionTo(child: ConnectProcess): Connection {
  const waiting = new Map<number, { readonly resolve: (reply: Reply) => void; readonly reject: (why: Error) => void }>();
  let lastId = 0;
  let isOver = false;
  child.onMessage((message) => {
    const { id, reply } = message as { readonly id: number; readonly reply: Reply };
    waiting.get(id)?.resolve(reply);
    waiting.delete(id);
  });
  child.onExit(() => {
    isOver = true;
    for (const { reject } of waiting.values()) reject(new Error("the process that holds the network ended"));
    waiting.clear();
  });
  return {
    send(request) {
      if (isOver) return Promise.reject(new Error("the process that holds the network ended"));
      const id = (lastId += 1);
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        child.post({ id, request });
      });
    },
    end: () => child.end(),
  };
}

/** A child process of Node, for the terminal: `file` is the built main/connect/process.ts. */
export function childConnection(file: URL): Connection {
  const child = fork(fileURLToPath(file), [], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  return connectionTo({
    post: (message) => child.send(message as object, () => undefined),
    onMessage: (hear) => void child.on("message", hear),
    onExit: (ended) => {
      child.on("exit", ended);
      child.on("error", ended);
    },
    end: () => void child.kill(),
  });
}
