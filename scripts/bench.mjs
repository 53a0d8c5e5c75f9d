/**
 * The benchmark: how fast bills and logs are read, with medians and ratios of one run.
 *
 *   npm run -s bench                      1,000,000 rows of each kind, 3 runs
 *   npm run -s bench -- --rows 100000 --runs 1 --only cur,focus,logs,plan --gz no --json --keep
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchBill } from "./bench/bills.mjs";
import { benchCommitments } from "./bench/commitments.mjs";
import { benchLogs } from "./bench/logs.mjs";

const { values: asked } = parseArgs({
  options: { rows: { type: "string", default: "1000000" }, runs: { type: "string", default: "3" }, only: { type: "string", default: "cur,focus,logs,plan" }, gz: { type: "string", default: "yes" }, json: { type: "boolean", default: false }, keep: { type: "boolean", default: false } },
});
const rows = Number(asked.rows);
const runs = Number(asked.runs);
const only = asked.only.split(",");
const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-bench-"));
const results = {};
try {
  for (const kind of ["cur", "focus"]) {
    if (!only.includes(kind)) continue;
    results[kind] = benchBill({ kind, rows, runs, folder, gz: asked.gz === "yes" && kind === "cur" });
    if (!asked.json) printBill(results[kind]);
  }
  if (only.includes("plan")) {
    results.plan = await benchCommitments({ runs });
    if (!asked.json) printPlan(results.plan);
  }
  if (only.includes("logs")) {
    results.logs = await benchLogs({ folder: join(folder, "logs"), runs, days: Math.max(0.05, (7 * rows) / 1_000_000) });
    if (!asked.json) printLogs(results.logs);
  }
} finally {
  if (!asked.keep) rmSync(folder, { recursive: true, force: true });
}
if (asked.json) console.log(JSON.stringify(results, null, 2));
else console.log(`${cpus().length} processors, Node ${process.version}, medians of ${runs}${asked.keep ? `; files kept in ${folder}` : ""}`);

/** Goals: performance goals of the first ledger, as ratios of one run on one machine. */
function printBill({ kind, rows: count, megabytes, seconds, cpuSeconds, duckdbCpuSeconds, sqliteCpuSeconds, postSeconds, peakMiB, postPeakMiB, ledgerMiB, gzSeconds, gzPeakMiB, gzipSeconds, duckdbSeconds, sqliteSeconds }) {
  const name = kind === "cur" ? "AWS CUR, 125 columns" : "FOCUS, 48 columns";
  console.log(`${name}: ${count.toLocaleString("en")} rows, ${megabytes} MB`);
  line("read into a ledger", seconds, `${Math.round(count / seconds).toLocaleString("en")} rows/s, ${fixed(cpuSeconds)} s of processor, peak ${peakMiB} MiB; posting ${fixed(postSeconds)} s more, peak ${postPeakMiB} MiB, ledger ${ledgerMiB} MiB`);
  line("sqlite3 .import + GROUP BY", sqliteSeconds, sqliteSeconds === null ? "" : `${fixed(sqliteSeconds / seconds)} times as long (goal: at least ${kind === "cur" ? 8 : 6}), ${fixed(sqliteCpuSeconds / cpuSeconds)} times the processor`);
  line("DuckDB alone", duckdbSeconds, `we take ${fixed(seconds / duckdbSeconds)} times as long (goal: at most 2), ${fixed(cpuSeconds / duckdbCpuSeconds)} times the processor`);
  if (gzipSeconds !== null) {
    line("the same from .gz", gzSeconds, `peak ${gzPeakMiB} MiB`);
    line("gzip -dc", gzipSeconds, `we take ${fixed(gzSeconds / gzipSeconds)} times as long (goal: at most 1.5)`);
  }
}

function printLogs({ rows: count, seconds, rowsPerSecond, peakMiB, duckdbSeconds, timesDuckdb }) {
  console.log(`nvidia-smi log: ${count.toLocaleString("en")} rows`);
  line("read into a ledger", seconds, `peak ${peakMiB} MiB, ${rowsPerSecond.toLocaleString("en")} rows/s`);
  line("DuckDB alone", duckdbSeconds, `we take ${fixed(timesDuckdb)} times as long`);
}

function printPlan({ hours, types, terms, seconds, exponent }) {
  console.log(`best commitments: ${hours.toLocaleString("en")} hours, ${types} machine types, ${terms} terms`);
  line("levels of all", seconds, `goal: under 2 s; time grows with hours to the power of ${fixed(exponent)} (n log n: little over 1)`);
}

function line(what, seconds, more) {
  console.log(`  ${what.padEnd(32)}${seconds === null ? "not measured" : `${fixed(seconds).padStart(7)} s`}  ${more}`);
}

function fixed(value) {
  return value.toFixed(2);
}
