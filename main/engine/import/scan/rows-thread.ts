// Entry of the thread that reads ahead of a scan: produce.ts says what it does.
import { parentPort, workerData } from "node:worker_threads";
import { produceRows, type Production } from "./produce.ts";

// It lives until it is ended: whoever listens may still have to take in what was said last.
if (parentPort !== null) await produceRows(parentPort, workerData as Production);
