import { contextBridge } from "electron";

contextBridge.exposeInMainWorld("ledger", {});
