// npm start: the window where there is a display, else the same job in the terminal.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { project } from "./stale.mjs";

const arguments_ = process.argv.slice(2);
const hasDisplay = process.platform !== "linux" || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

process.exitCode = hasDisplay && !arguments_.includes("--headless") ? openWindow() : readInTerminal();

function openWindow() {
  // Chromium's own sandbox does not start as root.
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return run("scripts/with-electron.mjs", "electron", ".", ...asRoot, ...arguments_);
}

/** The sample company's ledger, which the build has made, and its review. */
function readInTerminal() {
  const sample = "dist/sample/sample.gpuledger";
  const printed = run("scripts/cli.mjs", "report", "review", "--ledger", sample, "--period", "2026-09");
  if (printed !== 0) return printed;
  console.error(`
This is the sample company, in ${sample}. There is no display here, so no window was opened.
  npm start                                  on a machine with a display opens the window
  npm run -s cli -- import FILE --ledger L   reads your own bills and GPU logs into the ledger L
  npm run -s cli -- report efficiency --ledger ${sample} --period 2026-09`);
  return 0;
}

function run(script, ...rest) {
  return spawnSync(process.execPath, [join(project, script), ...rest], { cwd: project, stdio: "inherit" }).status ?? 1;
}
