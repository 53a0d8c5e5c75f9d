// npm run dev: builds at every change, under the real protocol and the real page rules. A changed main side restarts
// the app; a changed page is there at its next reload (Ctrl+R).
import { spawn } from "node:child_process";
import { join } from "node:path";
import { watch } from "rolldown";
import { loadConfig } from "rolldown/config";
import { build } from "vite";
import { project } from "./stale.mjs";

process.chdir(project);
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
let app = null;

function start() {
  const command = [join(project, "scripts/with-electron.mjs"), "electron", ".", ...asRoot];
  const started = spawn(process.execPath, command, { stdio: "inherit", detached: true });
  // Closed by the person: done. Ended by a restart: the next one is on its way.
  started.on("exit", (code) => app === started && process.exit(code ?? 0));
  app = started;
}

function restart() {
  const old = app;
  if (old === null) return start();
  app = null;
  old.once("exit", start);
  end(old);
}

/**
 * The whole group: the script that finds Electron, Xvfb if any, and Electron. At once, since the next Electron must not
 * find the last one closing; a ledger takes that without loss.
 */
function end(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    const last = app;
    app = null;
    if (last !== null) end(last);
    process.exit(0);
  });
}

await build({ build: { watch: {} } });
watch(await loadConfig("rolldown.config.ts")).on("event", (event) => {
  if (event.code === "END") restart();
  if (event.code === "ERROR") console.error(event.error);
  if (event.result) void event.result.close();
});
