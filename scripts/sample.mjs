// Last step of the build: the sample company's files, their truth, and the ledger that the real importers make of them, in dist/sample.
// Nothing is made twice: each half carries a stamp of all that it was made from. `--force` makes both anew.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "rolldown";
import { locked, project } from "./stale.mjs";

const folder = join(project, "dist/sample");
const generatorSources = ["scripts/sample", "scripts/sample.mjs"];
/** What decides on what the ledger says of the files. */
const importerSources = [
  "main/engine/formats",
  "main/engine/hours",
  "main/engine/import",
  "main/engine/sample-files.ts",
  "main/engine/reference",
  "main/engine/store/migrations",
  "main/engine/store/traces.ts",
  "main/engine/store/gpu-charge-hours.ts",
  "shared/domain",
  "resources/reference",
];

/** Makes what is missing or made from other sources. */
export async function makeSample({ isForced = false } = {}) {
  const generatorStamp = stampOf(generatorSources);
  const ledgerStamp = stampOf([...generatorSources, ...importerSources]);
  const isCurrent = (name, stamp, ...made) => !isForced && made.every((file) => existsSync(join(folder, file))) && readStamp(name) === stamp;
  const hasFiles = () => isCurrent("files", generatorStamp, "files", "plan.csv", "terms.csv", "truth.json");
  const hasLedger = () => hasFiles() && isCurrent("ledger", ledgerStamp, "sample.gpuledger");
  if (hasLedger()) return;
  mkdirSync(folder, { recursive: true });
  await locked(
    async () => {
      if (hasLedger()) return; // another process was faster
      if (!hasFiles()) {
        rmSync(stampFile("files"), { force: true });
        await generate();
        writeFileSync(stampFile("files"), generatorStamp);
      }
      rmSync(stampFile("ledger"), { force: true });
      importAll();
      writeFileSync(stampFile("ledger"), ledgerStamp);
    },
    { lock: join(folder, ".making"), abandonedAfterMs: 900_000 },
  );
}

/** The generator is TypeScript: bundled, it runs on every Node that builds the rest. */
async function generate() {
  const bundle = join(folder, "generator.mjs");
  await build({ input: join(project, "scripts/sample/generate.ts"), platform: "node", logLevel: "warn", output: { file: bundle, format: "esm" } });
  const { writeSample } = await import(pathToFileURL(bundle).href);
  await writeSample(folder);
  rmSync(bundle);
}

function importAll() {
  const making = join(folder, "making.gpuledger");
  removeAll("making.gpuledger");
  inTerminal("import", join(folder, "files"), "--ledger", making, "--sample", "--timezone", "UTC", "--json");
  inTerminal("budgets", "import", join(folder, "plan.csv"), "--ledger", making, "--json");
  inTerminal("plan", "terms", join(folder, "terms.csv"), "--ledger", making);
  const { name, quotes } = JSON.parse(readFileSync(join(folder, "scenario.json"), "utf8"));
  inTerminal("plan", "--ledger", making, "--period", "2026-09", "--scope", "provider=Microsoft", "--quote", quotes, "--save", name, "--json");
  removeAll("sample.gpuledger");
  renameSync(making, join(folder, "sample.gpuledger"));
  removeAll("making.gpuledger");
}

/** Who entered plan, terms and scenario: one of the company's own people, whoever builds it. */
const author = "A. Finch";

/** One command of the product's own terminal; the sample takes the way that everybody's files take. */
function inTerminal(...words) {
  const env = { ...process.env, GPU_LEDGER_AUTHOR: author };
  const { status, stderr } = spawnSync(process.execPath, [join(project, "scripts/cli.mjs"), ...words], { cwd: project, env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`the sample company could not be made, at ${words[0]}: ${stderr}`);
}

/** A ledger with what lies beside it: its lock, its journal, copies made before a migration. */
function removeAll(ledger) {
  for (const name of readdirSync(folder)) if (name.startsWith(ledger)) rmSync(join(folder, name), { force: true });
}

function stampFile(name) {
  return join(folder, `${name}.stamp`);
}
function readStamp(name) {
  return existsSync(stampFile(name)) ? readFileSync(stampFile(name), "utf8") : null;
}

/** One hash over names and contents of files, and of all files in folders. */
function stampOf(paths) {
  const hash = createHash("sha256");
  for (const file of paths.flatMap(filesIn)) hash.update(`${file}\0`).update(readFileSync(join(project, file))).update("\0");
  return hash.digest("hex");
}
function filesIn(path) {
  if (!statSync(join(project, path)).isDirectory()) return [path];
  return readdirSync(join(project, path)).sort().flatMap((name) => filesIn(`${path}/${name}`));
}

if (process.argv[1] === import.meta.filename) await makeSample({ isForced: process.argv.includes("--force") });
