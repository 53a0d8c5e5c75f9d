// Last step of the build: the sample company's files and ledger, made once and made anew when the generator changes.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { project } from "./stale.mjs";

const generator = join(project, "main/cli/sample.ts");
if (existsSync(generator)) {
  const { status } = spawnSync(process.execPath, [join(project, "scripts/cli.mjs"), "sample", "--build"], {
    cwd: project,
    stdio: ["ignore", 2, 2],
  });
  process.exitCode = status ?? 1;
}
