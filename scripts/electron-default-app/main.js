// Stands in for the part of Electron's archive that runs `electron [-r MODULE] FOLDER-OR-FILE …`.
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { app } from "electron";

const { target, required } = commandLine(process.argv.slice(1));
if (target === undefined) {
  console.error("usage: electron [-r MODULE] FOLDER-OR-FILE");
  process.exit(2);
}

process.defaultApp = true;
const entry = adopt(resolve(target));
const load = createRequire(entry);
for (const module of required) load(module);
await import(pathToFileURL(entry).href);

function commandLine(words) {
  const required = [];
  for (let at = 0; at < words.length; at += 1) {
    if (words[at] === "-r" || words[at] === "--require") required.push(words[(at += 1)]);
    else if (!words[at].startsWith("-")) return { target: words[at], required };
  }
  return { target: undefined, required };
}

/** Gives the app its folder, name and version, and returns the file to run. */
function adopt(path) {
  if (!statSync(path).isDirectory()) {
    app.setAppPath(dirname(path));
    return path;
  }
  const manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  app.setAppPath(path);
  app.setName(manifest.productName ?? manifest.name);
  if (manifest.version !== undefined) app.setVersion(manifest.version);
  return join(path, manifest.main ?? "index.js");
}
