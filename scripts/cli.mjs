// npm run -s cli -- …: GPU Ledger in the terminal, on the pinned Node, without Electron.
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { buildIfStale, buildPagesIfStale, project } from "./stale.mjs";

// Called by hand on an older Node, whose addons the ledger cannot use: go on under the pinned one.
if (Number(process.versions.node.split(".")[0]) < 24) {
  const pinned = join(project, "node_modules/.bin", process.platform === "win32" ? "node.cmd" : "node");
  process.exit(spawnSync(pinned, process.argv.slice(1), { stdio: "inherit", shell: process.platform === "win32" }).status ?? 1);
}
await buildIfStale("cli.js");
if (process.argv[2] === "esg" || (process.argv[2] === "report" && process.argv.some((word) => /^(--as=)?pdf$/.test(word)))) await buildPagesIfStale();
if (process.argv[2] === "sample") await (await import("./sample.mjs")).makeSample();
const { runCli } = await import(pathToFileURL(join(project, "dist/main/cli.js")).href);
process.exitCode = await runCli(process.argv.slice(2));
