// Last step of the build: the sample company's files and ledger in dist/sample, made anew when their generator changes.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { project } from "./stale.mjs";

const generator = join(project, "scripts/sample/make.mjs");
if (existsSync(generator)) {
  const { status } = spawnSync(process.execPath, [generator], { cwd: project, stdio: ["ignore", 2, 2] });
  process.exitCode = status ?? 1;
}
