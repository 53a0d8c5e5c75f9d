// npm run package [-- --inspect]: the app as a folder in release/. With --inspect it can be driven by Playwright, and is
// put into release/inspect: never given to anyone.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { project } from "./stale.mjs";

if (process.argv[2] === "--inside") inside(process.argv.slice(3));
else {
  const script = (name) => join(project, "scripts", name);
  const words = [script("with-electron.mjs"), "node", script("package.mjs"), "--inside", ...process.argv.slice(2)];
  process.exitCode = spawnSync(process.execPath, words, { stdio: "inherit" }).status ?? 1;
}

/** Runs where the Electron to pack is known. */
function inside(options) {
  const standIn = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const words = [
    process.platform === "win32" ? "--win" : process.platform === "darwin" ? "--mac" : "--linux",
    "dir",
    "--config=electron-builder.yml",
    ...(standIn === undefined ? [] : [`-c.electronDist=${standIn}`, `-c.electronVersion=${readFileSync(join(standIn, "version"), "utf8")}`]),
    ...(options.includes("--inspect")
      ? ["-c.electronFuses.enableNodeCliInspectArguments=true", "-c.directories.output=release/inspect"]
      : []),
  ];
  if (standIn !== undefined) console.error("package: made with the stand-in Electron, for tests only");
  const builder = join(project, "node_modules/electron-builder/cli.js");
  const { status } = spawnSync(process.execPath, [builder, ...words], { cwd: project, stdio: ["ignore", "inherit", "inherit"] });
  process.exitCode = status ?? 1;
}
