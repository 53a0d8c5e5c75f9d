import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { _electron } from "@playwright/test";
import type { ElectronApplication, Page } from "@playwright/test";

export interface LaunchedApp {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** Fresh for this start, removed at `close`. */
  readonly userData: string;
  close(): Promise<void>;
}

/** Starts the built app with a user-data folder of its own and waits for its window. */
export async function launchApp(env: Readonly<Record<string, string>> = {}): Promise<LaunchedApp> {
  const userData = mkdtempSync(join(tmpdir(), "gpu-ledger-"));
  const app = await _electron.launch({
    args: ["."],
    cwd: join(import.meta.dirname, "../.."),
    env: { ...inherited(), GPU_LEDGER_USER_DATA: userData, ...env },
  });
  const page = await app.firstWindow();
  await page.waitForLoadState("load");
  return {
    app,
    page,
    userData,
    async close() {
      await app.close();
      rmSync(userData, { recursive: true, force: true });
    },
  };
}

/** The next dialog answers with these paths, since no test can click in the system's own. */
export async function answerDialog(app: ElectronApplication, filePaths: readonly string[]): Promise<void> {
  await app.evaluate(({ dialog }, paths) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: paths.length === 0, filePaths: [...paths] });
    dialog.showSaveDialog = () => Promise.resolve({ canceled: paths.length === 0, filePath: paths[0] ?? "" });
  }, filePaths);
}

function inherited(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
