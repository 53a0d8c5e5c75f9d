import { mkdtempSync, rmSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { launchApp } from "./launch.ts";

test("the window opens where and as large as it was left", async () => {
  const userData = mkdtempSync(join(tmpdir(), "gpu-ledger-window-"));
  const first = await launchApp({ GPU_LEDGER_USER_DATA: userData });
  await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setBounds({ x: 40, y: 30, width: 1100, height: 720 }));
  await first.close();
  expect(JSON.parse(readFileSync(join(userData, "window.json"), "utf8"))).toMatchObject({ bounds: { width: 1100, height: 720 }, isMaximized: false });

  const second = await launchApp({ GPU_LEDGER_USER_DATA: userData });
  const size = await second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getSize());
  await second.close();
  rmSync(userData, { recursive: true });
  expect(size).toEqual([1100, 720]);
});

test("a page that dies is loaded again", async () => {
  const { app, page, close } = await launchApp();
  const reloaded = app.evaluate(
    ({ BrowserWindow }) =>
      new Promise<string>((resolve) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        contents?.once("render-process-gone", () => contents.once("did-finish-load", () => resolve(contents.getURL())));
        contents?.forcefullyCrashRenderer();
      }),
  );
  expect(page.url()).toContain("app://ledger/");
  expect(await reloaded).toContain("app://ledger/index.html");
  await close();
});
