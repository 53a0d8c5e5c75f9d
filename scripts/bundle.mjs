// Builds dist/main and dist/preload, quietly.
import { join } from "node:path";
import { build } from "rolldown";
import { loadConfig } from "rolldown/config";
import { project } from "./stale.mjs";

process.chdir(project);
await build(await loadConfig(join(project, "rolldown.config.ts")));
