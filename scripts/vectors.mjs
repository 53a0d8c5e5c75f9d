// npm run -s vectors -- DIR: runs a folder of test vectors through the product's own functions.
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { buildIfStale, project } from "./stale.mjs";

const folder = process.argv[2];
if (folder === undefined) {
  console.error("usage: npm run -s vectors -- DIR");
  process.exit(2);
}
await buildIfStale("vectors.js");
const { runVectors } = await import(pathToFileURL(join(project, "dist/main/vectors.js")).href);
process.exitCode = await runVectors(folder);
