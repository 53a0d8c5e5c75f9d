/**
 * The benchmark: how fast bills and logs are read and posted, with medians and ratios of one run, and what a large ledger answers in which time.
 *
 *   npm run -s bench                                                  1,000,000 rows of each kind, 3 runs
 *   npm run -s bench -- --rows 1000000,5000000 --runs 1 --only cur,focus
 *
 * --rows       rows of a bill; several, with commas: then how time grows with them is said too. 5,000,000 rows of CUR are 5 GB of disk
 * --runs       medians of so many
 * --only       cur,focus,logs,plan and, if asked for: questions (of the largest bill's ledger), month (a month of 512 GPUs a minute), parts
 * --with       what bills are held against: sqlite,duckdb,gz,parquet
 * --peers-up-to  rows up to which sqlite3 and gz are measured; beyond, they take too long or too much of the disk
 * --parts-rows, --minutes   parts: rows of a bill in twelve parts, made, imported and deleted one after another, for so long at most
 * --json, --keep            figures for programs; ledgers and files stay
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchBill, benchParts } from "./bench/bills.mjs";
import { benchCommitments } from "./bench/commitments.mjs";
import { benchLogs, benchMonth } from "./bench/logs.mjs";
import { growthExponent } from "./bench/measure.mjs";
import { benchQuestions } from "./bench/questions.mjs";

const text = (value) => ({ type: "string", default: value });
const { values: asked } = parseArgs({
  options: {
    rows: text("1000000"), runs: text("3"), only: text("cur,focus,logs,plan"), with: text("sqlite,duckdb,gz,parquet"), "peers-up-to": text("5000000"), "parts-rows": text("100000000"), minutes: text("60"),
    json: { type: "boolean", default: false }, keep: { type: "boolean", default: false },
  },
});
const sizes = asked.rows.split(",").map(Number).sort((one, other) => one - other);
const runs = Number(asked.runs);
const only = asked.only.split(",");
const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-bench-"));
const results = {};
const say = (print, result) => {
  if (!asked.json) print(result);
  return result;
};
try {
  let largest = null;
  for (const kind of ["cur", "focus"]) {
    if (!only.includes(kind)) continue;
    results[kind] = sizes.map((rows) => {
      const beside = asked.with.split(",").filter((peer) => rows <= Number(asked["peers-up-to"]) || !["sqlite", "gz"].includes(peer));
      largest = join(folder, `${kind}-${rows}.gpuledger`);
      return say(printBill, benchBill({ kind, rows, runs, folder, with: beside, keepFiles: asked.keep, keepLedger: largest }));
    });
    if (sizes.length > 1) say(printGrowth, results[kind]);
  }
  if (only.includes("questions") && largest !== null) results.questions = say(printQuestions, benchQuestions({ ledger: largest }));
  if (only.includes("plan")) results.plan = say(printPlan, await benchCommitments({ runs }));
  if (only.includes("logs")) results.logs = say(printLogs, await benchLogs({ folder: join(folder, "logs"), runs, days: Math.max(0.05, (7 * Math.min(sizes[0], 1_000_000)) / 1_000_000) }));
  if (only.includes("month")) results.month = say(printMonth, benchMonth({ folder: join(folder, "month") }));
  if (only.includes("parts")) results.parts = say(printParts, benchParts({ kind: "focus", rows: Number(asked["parts-rows"]), folder: join(folder, "parts"), minutes: Number(asked.minutes) }));
} finally {
  if (!asked.keep) rmSync(folder, { recursive: true, force: true });
}
if (asked.json) console.log(JSON.stringify(results, null, 2));
else console.log(`${cpus().length} processors, Node ${process.version}, medians of ${runs}${asked.keep ? `; files kept in ${folder}` : ""}`);

/** Goals: ratios of one run on one machine. Processor time beside each, which a busy machine does not lengthen. */
function printBill({ kind, rows, megabytes, csv, duckdb, sqlite, gz, gzip, parquet, duckdbToSqlite }) {
  console.log(`${kind === "cur" ? "AWS CUR, 125 columns" : "FOCUS, 48 columns"}: ${rows.toLocaleString("en")} rows, ${megabytes} MB`);
  line("read into a ledger", csv.seconds, `${Math.round(rows / csv.seconds).toLocaleString("en")} rows/s, ${fixed(csv.cpuSeconds)} s of processor, peak ${csv.peakMiB} MiB`);
  line("posted", csv.postSeconds, `${fixed(csv.postCpuSeconds)} s of processor, peak of the whole process ${csv.postPeakMiB} MiB (goal: under 400); ledger ${csv.ledgerMiB} MiB, ${fixed((csv.ledgerMiB * 1e6) / rows)} a million rows`);
  peer("sqlite3 .import + GROUP BY", sqlite, (other) => `${fixed(other.seconds / csv.seconds)} times as long (goal: at least 20), ${fixed(other.cpuSeconds / csv.cpuSeconds)} times the processor`);
  peer("DuckDB alone", duckdb, (other) => `we take ${ratios(csv, other)} (goal: at most 1)`);
  if (gz !== null) {
    line("the same from .gz", gz.seconds, `${fixed(gz.cpuSeconds)} s of processor, peak ${gz.peakMiB} MiB`);
    peer("gzip -dc", gzip, (other) => `we take ${ratios(gz, other)} (goal: at most 1)`);
  }
  if (parquet !== null) {
    line("the same as Parquet", parquet.seconds, `${fixed(parquet.cpuSeconds)} s of processor, peak ${parquet.peakMiB} MiB`);
    peer("DuckDB, into SQLite", duckdbToSqlite, (other) => `we take ${ratios(parquet, other)} (goal: at most 2.5)`);
  }
}

function ratios(ours, theirs) {
  return `${fixed(ours.seconds / theirs.seconds)} times as long, ${fixed(ours.cpuSeconds / theirs.cpuSeconds)} times the processor`;
}

function printGrowth(bills) {
  const exponent = (key) => fixed(growthExponent(bills.map(({ rows, csv }) => ({ size: rows, value: csv[key] }))));
  console.log(`  time grows with the rows to the power of ${exponent("seconds")} reading and ${exponent("postSeconds")} posting, processor time ${exponent("cpuSeconds")} and ${exponent("postCpuSeconds")} (goal: at most 1.05)`);
}

function printQuestions({ answers, peakMiB }) {
  console.log(`questions of the reports, milliseconds (goal: p95 under 50); peak ${peakMiB} MiB`);
  for (const { question, firstMs, medianMs, p95Ms, firstCpuMs, p95CpuMs } of answers) console.log(`  ${question.padEnd(46)}${String(p95Ms).padStart(8)}  median ${medianMs}, first time ${firstMs}; of the processor ${p95CpuMs}, first time ${firstCpuMs}`);
}

function printLogs({ rows: count, seconds, cpuSeconds, rowsPerSecond, peakMiB, wcSeconds, duckdbSeconds, duckdbCpuSeconds, prometheus }) {
  console.log(`nvidia-smi log: ${count.toLocaleString("en")} rows`);
  line("read into a ledger", seconds, `${fixed(cpuSeconds)} s of processor, peak ${peakMiB} MiB (goal: under 300), ${rowsPerSecond.toLocaleString("en")} rows/s`);
  line("wc -l", wcSeconds, `we take ${fixed(seconds / wcSeconds)} times as long`);
  line("DuckDB alone", duckdbSeconds, `we take ${fixed(seconds / duckdbSeconds)} times as long, ${fixed(cpuSeconds / duckdbCpuSeconds)} times the processor`);
  console.log(`Prometheus answer: ${prometheus.values.toLocaleString("en")} values`);
  line("read into a ledger", prometheus.seconds, `${fixed(prometheus.cpuSeconds)} s of processor, peak ${prometheus.peakMiB} MiB, ${prometheus.valuesPerSecond.toLocaleString("en")} values/s; wc -w ${fixed(prometheus.wcSeconds)} s`);
}

function printMonth({ gpus, days, samples, seconds, cpuSeconds, postSeconds, postCpuSeconds, peakMiB, postPeakMiB, tracesMiB, ledgerMiB, bytesASample, yearGiB, heatMapMs, heatMapWarmMs }) {
  console.log(`${gpus} GPUs a minute, ${days} days: ${samples.toLocaleString("en")} samples`);
  line("read into a ledger", seconds, `${fixed(cpuSeconds)} s of processor, peak ${peakMiB} MiB`);
  line("posted", postSeconds, `${fixed(postCpuSeconds)} s of processor, peak ${postPeakMiB} MiB`);
  console.log(`  ledger ${ledgerMiB} MiB, of it traces ${tracesMiB} MiB, ${fixed(bytesASample)} bytes a sample; a year of it ${fixed(yearGiB)} GiB (goal: under 6 GB)`);
  console.log(`  heat map of the month answered in ${Math.round(heatMapMs)} ms the first time, ${Math.round(heatMapWarmMs)} ms after (goal: under 300 with drawing)`);
}

function printParts({ rows, parts, seconds, cpuSeconds, postSeconds, postCpuSeconds, peakMiB, ledgerMiB, secondsOfParts }) {
  console.log(`a bill of ${rows.toLocaleString("en")} rows in ${parts} parts of a month, imported one after another`);
  line("read into a ledger", seconds, `${fixed(cpuSeconds)} s of processor; the parts ${secondsOfParts.map(([read]) => read.toFixed(0)).join(", ")} s`);
  line("posted", postSeconds, `${fixed(postCpuSeconds)} s of processor; the parts ${secondsOfParts.map(([, post]) => post.toFixed(0)).join(", ")} s; peak ${peakMiB} MiB, ledger ${ledgerMiB} MiB`);
}

function printPlan({ hours, types, terms, seconds, exponent }) {
  console.log(`best commitments: ${hours.toLocaleString("en")} hours, ${types} machine types, ${terms} terms`);
  line("levels of all", seconds, `goal: under 2 s; time grows with hours to the power of ${fixed(exponent)} (n log n: little over 1)`);
}

function peer(what, other, more) {
  line(what, other?.seconds ?? null, other === null ? "" : more(other));
}

function line(what, seconds, more) {
  console.log(`  ${what.padEnd(32)}${seconds === null ? "not measured" : `${fixed(seconds).padStart(7)} s`}  ${more}`);
}

function fixed(value) {
  return value.toFixed(2);
}
