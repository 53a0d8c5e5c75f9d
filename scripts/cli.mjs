// npm run -s cli -- …: GPU Ledger in the terminal, on the pinned Node, without Electron.
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { buildIfStale, buildPagesIfStale, project } from "./stale.mjs";

await buildIfStale("cli.js");
if (process.argv[2] === "esg" || (process.argv[2] === "report" && process.argv.some((word) => /^(--as=)?pdf$/.test(word)))) await buildPagesIfStale();
if (process.argv[2] === "sample") await (await import("./sample.mjs")).makeSample();
const { runCli } = await import(pathToFileURL(join(project, "dist/main/cli.js")).href);
process.exitCode = await runCli(process.argv.slice(2));
