import { contextBridge, ipcRenderer, webUtils } from "electron";
import type { IpcRendererEvent } from "electron";
import { eventNames } from "../shared/contract/events.ts";
import type { EventName, LedgerEvent } from "../shared/contract/events.ts";
import { methodNames } from "../shared/contract/names.ts";

// The page gets three functions, and they know the contract's names and nothing else.
const questions: readonly string[] = methodNames;
const events: readonly string[] = eventNames;

contextBridge.exposeInMainWorld("ledger", {
  ask(name: string, input: unknown): Promise<unknown> {
    if (!questions.includes(name)) return Promise.reject(new TypeError("no such question"));
    return ipcRenderer.invoke("ask", name, input);
  },

  /** Calls `hear` with each payload of that event, until the function it returns is called. */
  on(name: EventName, hear: (payload: unknown) => void): () => void {
    if (!events.includes(name)) throw new TypeError("no such event");
    const listener = (_event: IpcRendererEvent, { name: told, payload }: LedgerEvent) => {
      if (told === name) hear(payload);
    };
    ipcRenderer.on("event", listener);
    return () => void ipcRenderer.off("event", listener);
  },

  /** Files dropped on the page, as tokens. What was not dropped from the disk has no path and is left out. */
  dropped(files: readonly File[]): Promise<unknown> {
    const paths = files.map((file) => webUtils.getPathForFile(file)).filter((path) => path !== "");
    return ipcRenderer.invoke("files.dropped", paths);
  },
});
