import { readFileSync } from "node:fs";
import { BrowserWindow, nativeTheme, screen, session } from "electron";
import type { Rectangle, Session, WebContents } from "electron";
import { writeWhole } from "../engine/files.ts";
import { isOurs, pagesOrigin } from "./protocol.ts";

export interface WindowFiles {
  readonly preload: string;
  readonly icon: string;
  /** Where size and place are remembered. */
  readonly memory: string;
}

const paper = { light: "#fcfbf9", dark: "#121418" };
const smallest = { width: 960, height: 640 };
const usual = { width: 1440, height: 900 };

/** The window, hidden until its page can be seen. */
export function createWindow({ preload, icon, memory }: WindowFiles): BrowserWindow {
  const remembered = recall(memory);
  const window = new BrowserWindow({
    ...usual,
    ...remembered?.bounds,
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    icon,
    autoHideMenuBar: true,
    backgroundColor: background(),
    webPreferences: locked(preload),
  });
  const repaint = () => window.setBackgroundColor(background());
  nativeTheme.on("updated", repaint);
  window.on("close", () => remember(memory, window));
  window.on("closed", () => nativeTheme.off("updated", repaint));
  reviveDeadPage(window);
  if (remembered?.isMaximized === true) window.once("show", () => window.maximize());
  lock(window.webContents);
  return window;
}

/** A page whose process dies is loaded again; the ledger is in another process and lost nothing. */
function reviveDeadPage(window: BrowserWindow): void {
  let livesLeft = 3; // a page that dies of what it shows would die for ever
  window.webContents.on("render-process-gone", (_event, { reason }) => {
    if (reason === "clean-exit" || (livesLeft -= 1) < 0) return;
    void loadPage(window);
  });
}

export async function loadPage(window: BrowserWindow): Promise<void> {
  await window.loadURL(`${pagesOrigin}/index.html`);
}

/** What no page may change: it runs in a sandbox, without Node, and sees of us only what the preload hands over. */
export function locked(preload: string | null): Electron.WebPreferences {
  return {
    ...(preload === null ? {} : { preload }),
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    webSecurity: true,
    navigateOnDragDrop: false,
    // Its dictionaries come over the network.
    spellcheck: false,
  };
}

/** No other page, no other window, no embedded one. */
export function lock(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: "deny" }));
  for (const leaving of ["will-navigate", "will-redirect", "will-frame-navigate"] as const) {
    contents.on(leaving as "will-navigate", (event) => event.preventDefault());
  }
  contents.on("will-attach-webview", (event) => event.preventDefault());
}

/** For every page of the app: no permission, no download, and no request but for what came with the app. */
export function lockSession(target: Session = session.defaultSession): void {
  target.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  target.setPermissionCheckHandler(() => false);
  target.setDevicePermissionHandler(() => false);
  target.on("will-download", (event) => event.preventDefault());
  target.webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !isAllowedRequest(url) }));
}

export function isAllowedRequest(url: string): boolean {
  return isOurs(url) || /^(data|blob|devtools):/.test(url);
}

function background(): string {
  return nativeTheme.shouldUseDarkColors ? paper.dark : paper.light;
}

interface Remembered {
  readonly bounds: Rectangle;
  readonly isMaximized: boolean;
}

function remember(memory: string, window: BrowserWindow): void {
  const remembered: Remembered = { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() };
  // Refused by a full or read-only disk: the window opens at its usual size next time.
  writeWhole(memory, JSON.stringify(remembered));
}

/** Null if nothing usable was written, or if the screen it was on is gone. */
function recall(memory: string): Remembered | null {
  try {
    const { bounds, isMaximized } = JSON.parse(readFileSync(memory, "utf8")) as Partial<Remembered>;
    if (bounds === undefined || ![bounds.x, bounds.y, bounds.width, bounds.height].every(Number.isInteger)) return null;
    const { workArea } = screen.getDisplayMatching(bounds);
    const isSeen = bounds.x < workArea.x + workArea.width && bounds.x + bounds.width > workArea.x && bounds.y >= workArea.y && bounds.y < workArea.y + workArea.height;
    return isSeen ? { bounds, isMaximized: isMaximized === true } : null;
  } catch {
    return null;
  }
}
