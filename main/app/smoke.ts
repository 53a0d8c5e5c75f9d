import type { BrowserWindow } from "electron";
import type { EngineHost } from "./engine-host.ts";
import { loadPage } from "./window.ts";

/** One line of JSON on what works: for the packaged app, which nothing can attach to. True if all of it does. */
export async function smoke(window: BrowserWindow, engine: EngineHost, print: (line: string) => void): Promise<boolean> {
  await loadPage(window);
  const title = window.webContents.getTitle();
  const hasBridge = (await window.webContents.executeJavaScript("typeof window.ledger?.ask === 'function'")) as boolean;
  const hasNode = (await window.webContents.executeJavaScript("typeof require !== 'undefined' || typeof process !== 'undefined'")) as boolean;
  const status = await engine.ask("ledger.status", {});
  const passes = hasBridge && !hasNode && status.ok;
  const { electron, chrome, node } = process.versions;
  print(JSON.stringify({ smoke: passes ? "passed" : "failed", title, hasBridge, hasNode, status, electron, chrome, node }));
  return passes;
}
