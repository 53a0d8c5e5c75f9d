// Builds dist/main and dist/preload, quietly.
import { join } from "node:path";
import { build } from "rolldown";
import { loadConfig } from "rolldown/config";
import { project } from "./stale.mjs";

process.chdir(project);
try {
  await build(await loadConfig(join(project, "rolldown.config.ts")));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
