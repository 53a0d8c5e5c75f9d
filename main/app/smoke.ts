import type { BrowserWindow } from "electron";
import type { ImportOutcome, ImportPreview } from "../../shared/contract/methods.ts";
import type { EngineHost } from "./engine-host.ts";
import { loadPage } from "./window.ts";

/**
 * One line of JSON on what works: for the packaged app, which nothing can attach to. True if all of it does.
 * `bill` is a file to import into a new ledger of the user-data folder, through the engine's process and its reader.
 */
export async function smoke(window: BrowserWindow, engine: EngineHost, bill: string, print: (line: string) => void): Promise<boolean> {
  await loadPage(window);
  const title = window.webContents.getTitle();
  const hasBridge = (await window.webContents.executeJavaScript("typeof window.ledger?.ask === 'function'")) as boolean;
  const hasNode = (await window.webContents.executeJavaScript("typeof require !== 'undefined' || typeof process !== 'undefined'")) as boolean;
  const opened = await engine.ask("ledger.open", { file: null, create: true });
  const preview = opened.ok ? await engine.ask("import.preview", { files: [bill], options: {} }) : opened;
  const posted = preview.ok ? await engine.ask("import.post", { plan: (preview.value as ImportPreview).plan }) : preview;
  const states = posted.ok ? (posted.value as ImportOutcome).files.map(({ state }) => state) : posted.error;
  const passes = hasBridge && !hasNode && posted.ok && (posted.value as ImportOutcome).files.every(({ state }) => state === "posted");
  const { electron, chrome, node } = process.versions;
  print(JSON.stringify({ smoke: passes ? "passed" : "failed", title, hasBridge, hasNode, states, electron, chrome, node }));
  return passes;
}
