import { join } from "node:path";
import { utilityProcess } from "electron";
import { connectionTo } from "../connect/connection.ts";
import type { Connection } from "../connect/messages.ts";

/** Starts the one process that opens connections, for one pull; `built` is the folder of the built programs. */
export function utilityConnection(built: string): Connection {
  const child = utilityProcess.fork(join(built, "connect.js"), [], { serviceName: "GPU Ledger connection", stdio: "ignore" });
  return connectionTo({
    post: (message) => child.postMessage(message),
    onMessage: (hear) => void child.on("message", hear),
    onExit: (ended) => void child.on("exit", () => ended()),
    end: () => void child.kill(),
  });
}
