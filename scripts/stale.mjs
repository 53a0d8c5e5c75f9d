// Keeps `npm run cli` and `npm run vectors` true to the sources: builds the terminal side when it is missing or older.
// Whatever the build has to say goes to stderr, because stdout belongs to the answer.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const project = join(import.meta.dirname, "..");
const sources = ["main", "shared", "preload", "rolldown.config.ts", "package-lock.json"];

/** Builds dist/main unless every named file of it is newer than the sources. If the build fails, the process ends with it. */
export async function buildIfStale(...files) {
  const built = files.map((file) => join(project, "dist/main", file));
  if (isFresh(built)) return;
  await locked(() => {
    if (isFresh(built)) return; // another process was faster
    const { status } = spawnSync(process.execPath, [join(project, "scripts/bundle.mjs")], {
      cwd: project,
      stdio: ["ignore", 2, 2],
    });
    if (status !== 0) process.exitCode = status ?? 1;
  });
}

/** Builds the pages too, which a PDF is drawn by. */
export async function buildPagesIfStale() {
  const built = [join(project, "dist/renderer/report.html")];
  const pages = ["renderer", "shared", "vite.config.ts", "package-lock.json"];
  if (isFresh(built, pages)) return;
  await locked(() => {
    if (isFresh(built, pages)) return;
    const { status } = spawnSync(process.execPath, [join(project, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "warn"], {
      cwd: project,
      stdio: ["ignore", 2, 2],
    });
    if (status !== 0) process.exitCode = status ?? 1;
  });
}

function isFresh(built, from = sources) {
  if (!built.every((file) => existsSync(file))) return false;
  const made = Math.min(...built.map((file) => statSync(file).mtimeMs));
  return from.every((source) => newest(join(project, source)) <= made);
}

/** Latest change of a file, or in a folder; a folder's own time tells that a file was removed. */
function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), stats.mtimeMs);
}

/** One build at a time: two terminals started together must not clean each other's output. */
export async function locked(work, { lock = join(project, "dist/.building"), abandonedAfterMs = 120_000 } = {}) {
  mkdirSync(join(project, "dist"), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - since > abandonedAfterMs) rmSync(lock, { recursive: true, force: true }); // its owner was killed
      else await sleep(100);
    }
  }
  try {
    await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
  if (process.exitCode) process.exit();
}
