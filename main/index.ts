// Entry of the app: composes the rooms, and decides nothing.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { app, dialog, ipcMain, Notification, protocol, utilityProcess } from "electron";
import { alertNotices } from "./app/alert-notices.ts";
import type { LedgerEvent } from "../shared/contract/events.ts";
import { openBridge } from "./app/bridge.ts";
import { utilityConnection } from "./app/connect-process.ts";
import { engineProcess, hostEngine } from "./app/engine-host.ts";
import { chooseFiles, createFileTokens } from "./app/files.ts";
import { headlessArguments, runHeadless } from "./app/headless.ts";
import { setMenu } from "./app/menu.ts";
import { registerScheme, servePages } from "./app/protocol.ts";
import { drawStatement, exportPdf, paperOf } from "./app/export-pdf.ts";
import { pdfPrinter } from "./app/print-pdf.ts";
import { smoke } from "./app/smoke.ts";
import { wordsOf } from "./cli/words.ts";
import { createWindow, loadPage, lockSession } from "./app/window.ts";
import { createPuller } from "./connect/puller.ts";

const { GPU_LEDGER_USER_DATA: userData, GPU_LEDGER_SMOKE: smokeBill } = process.env;
if (userData !== undefined) app.setPath("userData", userData);
registerScheme(protocol);

const words = headlessArguments(process.argv);
const pages = join(import.meta.dirname, "../renderer");
if (words !== null) {
  app.disableHardwareAcceleration();
  void runHeadless(words, { pdf: pdfPrinter(pages), connect: async () => app.whenReady().then(() => utilityConnection(import.meta.dirname)) }).then((code) => app.exit(code));
}
else if (smokeBill === undefined && !app.requestSingleInstanceLock()) app.quit();
// Not awaited: Electron is ready only after this module has run.
else void app.whenReady().then(start);

function start(): void {
  const built = join(import.meta.dirname, "..");
  const userDataFolder = app.getPath("userData");
  // Data lies beside the archive of the packed app, where every function of Node can read and copy it.
  const resourcesFolder = join(app.getAppPath().replace(/app\.asar$/, "app.asar.unpacked"), "resources");

  lockSession();
  servePages(protocol, pages);
  setMenu(app.getLocale(), process.platform === "darwin");

  const window = createWindow({
    preload: join(built, "preload/preload.cjs"),
    icon: join(resourcesFolder, "icons/icon.png"),
    memory: join(userDataFolder, "window.json"),
  });
  const emit = (event: LedgerEvent): void => {
    if (!window.isDestroyed()) window.webContents.send("event", event);
  };
  const notify = alertNotices({
    ask: (question, input) => engine.ask(question, input),
    wordsOf,
    systemLanguage: app.getLocale().toLowerCase().startsWith("zh") ? "zh-CN" : "en",
    show: ({ title, body }) => {
      if (!Notification.isSupported()) return;
      const notice = new Notification({ title, body });
      notice.on("click", () => {
        if (window.isMinimized()) window.restore();
        window.focus();
        emit({ name: "alert.opened", payload: {} });
      });
      notice.show();
    },
    later: (work) => void setTimeout(() => void work(), 300),
  });
  const engine = hostEngine({
    settings: { userDataFolder, resourcesFolder },
    fork: () => engineProcess(utilityProcess.fork(join(built, "main/engine.js"), [], { serviceName: "GPU Ledger engine" })),
    emit: (event) => {
      emit(event);
      notify(event);
    },
    reference: randomUUID,
    now: () => performance.now(),
  });
  const tokens = createFileTokens(randomUUID);
  const pull = createPuller({
    ask: async (name, input) => (await engine.ask(name, input)) as never,
    connect: () => utilityConnection(import.meta.dirname),
    progress: (payload) => emit({ name: "connect.progress", payload }),
    reference: randomUUID,
  });
  openBridge(ipcMain, {
    ask: (question, input) => engine.ask(question, input),
    tokens,
    pull,
    choose: (choice) => chooseFiles(dialog, window, tokens, choice),
    exportPdf: (wanted) => exportPdf(wanted, { ask: (question, input) => engine.ask(question, input), print: pdfPrinter(pages), paper: paperOf(app.getLocaleCountryCode()), reference: randomUUID }),
    drawStatement: (wanted) => drawStatement(wanted, { ask: (question, input) => engine.ask(question, input), print: pdfPrinter(pages), paper: paperOf(app.getLocaleCountryCode()) }),
  });

  const leave = (code: number) => void engine.close().finally(() => app.exit(code));
  app.on("window-all-closed", () => app.quit());
  app.on("will-quit", (event) => {
    event.preventDefault();
    leave(0);
  });
  if (smokeBill !== undefined) {
    void smoke(window, engine, smokeBill, (line) => process.stdout.write(`${line}\n`)).then((passes) => leave(passes ? 0 : 1));
    return;
  }
  app.on("second-instance", () => window.focus());
  window.once("ready-to-show", () => window.show());
  void loadPage(window);
}
