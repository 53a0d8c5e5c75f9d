// with-electron.mjs CMD…: runs CMD where an Electron is found, and a display. On Linux that takes some looking for.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { project } from "./stale.mjs";

const [command, ...rest] = process.argv.slice(2);
if (command === undefined) {
  console.error("usage: node scripts/with-electron.mjs COMMAND [ARGUMENT…]");
  process.exit(2);
}
const child =
  process.platform === "linux"
    ? spawn("bash", [join(project, "scripts/electron-runtime.sh"), "--run", command, ...rest], { cwd: project, stdio: "inherit" })
    : spawn(command, rest, { cwd: project, stdio: "inherit", shell: process.platform === "win32" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
