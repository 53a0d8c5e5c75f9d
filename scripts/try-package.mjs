// Tries the packed app of release/: its fuses, its window, its terminal. Ends with "N passed, M failed".
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FuseV1Options, getCurrentFuseWire } from "@electron/fuses";
import { project } from "./stale.mjs";

const folder = join(project, "release/linux-unpacked");
const executable = join(folder, "gpu-ledger");
const scratch = mkdtempSync(join(tmpdir(), "gpu-ledger-package-"));
// Chromium's own sandbox does not start as root.
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

const bill = join(project, "test/fixtures/package/bill.csv");
// Large enough to be read ahead of the ledger in a thread of its own (main/engine/import/scan/beside.ts), which must be found in the archive.
const [header, row] = readFileSync(bill, "utf8").trim().split("\n");
const rows = Math.ceil((17 * 1024 * 1024) / row.length);
const largeBill = join(scratch, "large.csv");
writeFileSync(largeBill, `${header}\n${`${row}\n`.repeat(rows)}`);
const amount = 12_345_678_901_234_567_890n * BigInt(rows);
const largeTotal = `${amount / 10n ** 18n}.${(amount % 10n ** 18n).toString().padStart(18, "0")}`.replace(/0+$/, "");

/** As electron-builder.yml sets them: 1 is on, 0 is off. */
const fuses = {
  RunAsNode: "0",
  EnableCookieEncryption: "1",
  EnableNodeOptionsEnvironmentVariable: "0",
  EnableNodeCliInspectArguments: "0",
  EnableEmbeddedAsarIntegrityValidation: "1",
  OnlyLoadAppFromAsar: "1",
  LoadBrowserProcessSpecificV8Snapshot: "0",
  GrantFileProtocolExtraPrivileges: "0",
};

const trials = {
  "fuses are as configured": async () => {
    const wire = await getCurrentFuseWire(executable);
    const read = Object.fromEntries(Object.keys(fuses).map((name) => [name, String.fromCharCode(wire[FuseV1Options[name]])]));
    same(read, fuses);
  },
  "only our own archive is there to be run": () => same(existsSync(join(folder, "resources/default_app.asar")), false),
  "the window opens, without Node, and the engine imports a bill": () => {
    const { status, stdout } = run([], { GPU_LEDGER_SMOKE: bill });
    const said = JSON.parse(stdout.split("\n").find((line) => line.startsWith('{"smoke"')) ?? '{"smoke":"silent"}');
    same({ status, smoke: said.smoke, states: said.states }, { status: 0, smoke: "passed", states: ["posted"] });
  },
  "--headless imports a bill": () => {
    const { status, stdout } = run(["--headless", "import", bill, "--ledger", join(scratch, "a.gpuledger"), "--json"]);
    const [file] = JSON.parse(stdout).files;
    same({ status, state: file.state, totals: file.totals.USD.BilledCost }, { status: 0, state: "posted", totals: "12.345678901234567891" });
  },
  "the window's engine and --headless import a bill that is read ahead in a thread": () => {
    const smoke = JSON.parse(run([], { GPU_LEDGER_SMOKE: largeBill }).stdout.split("\n").find((line) => line.startsWith('{"smoke"')) ?? '{"smoke":"silent"}');
    const { status, stdout } = run(["--headless", "import", largeBill, "--ledger", join(scratch, "b.gpuledger"), "--json"]);
    const [file] = JSON.parse(stdout).files;
    same({ smoke: smoke.smoke, states: smoke.states, status, state: file.state, totals: file.totals.USD.BilledCost }, { smoke: "passed", states: ["posted"], status: 0, state: "posted", totals: largeTotal });
  },
  "--headless says what it does not understand, with exit code 2": () => same(run(["--headless", "no-such-command"]).status, 2),
  "it does not run as Node": () => {
    const { stdout } = run(["-e", "console.log('ran as node')"], { ELECTRON_RUN_AS_NODE: "1", GPU_LEDGER_SMOKE: bill });
    same([stdout.includes("ran as node"), stdout.includes('{"smoke":')], [false, true]);
  },
};

let failed = 0;
for (const [name, trial] of Object.entries(trials)) {
  try {
    await trial();
    console.log(`passed  ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n        ${error.message}`);
  }
}
rmSync(scratch, { recursive: true, force: true });
console.log(`${Object.keys(trials).length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function run(words, env = {}) {
  // Only the display is wanted: the packed app must find its own addon.
  const alone = ["env", "-u", "GPU_LEDGER_SQLITE_ADDON", "-u", "ELECTRON_OVERRIDE_DIST_PATH", executable];
  const runner = [join(project, "scripts/with-electron.mjs"), ...alone, ...asRoot, ...words];
  return spawnSync(process.execPath, runner, {
    encoding: "utf8",
    timeout: 120_000,
    env: { ...process.env, ...env, GPU_LEDGER_USER_DATA: join(scratch, "user-data") },
  });
}

function same(read, expected) {
  if (JSON.stringify(read) !== JSON.stringify(expected)) throw new Error(`read ${JSON.stringify(read)}, expected ${JSON.stringify(expected)}`);
}
