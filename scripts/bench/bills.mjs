/**
 * How fast a bill is read into a ledger (days by resource and every dimension, hours of GPUs, in SQLite), against `sqlite3 .import` and a
 * GROUP BY, DuckDB alone, and for a gz `gzip -dc`, all on the same file in the same run. Posting, which joins GPU hours with their cost and
 * has no peer, is timed apart. Each run is a process of its own; peers and we take turns, so that a busy machine is
 * busy for all.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeBill } from "./make-bill.mjs";

const self = fileURLToPath(import.meta.url);
const project = join(self, "../../..");

/** kind: "cur" or "focus". Answers medians in seconds and peaks in MiB; null for what could not be measured here. */
export function benchBill({ kind, rows, runs, folder, gz }) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${kind}-${rows}.csv`);
  const truth = inChild("make", kind, String(rows), path);
  const hasSqlite = spawnSync("sqlite3", ["--version"]).status === 0;
  const hasGzip = gz && spawnSync("gzip", ["--version"]).status === 0;
  if (hasGzip && !existsSync(`${path}.gz`)) spawnSync("gzip", ["-6", "-k", path]);
  const ours = [];
  const oursGz = [];
  const duckdb = [];
  const sqlite = [];
  const gzip = [];
  for (let run = 0; run < runs; run += 1) {
    ours.push(checked(inChild("read", path, join(folder, "bench.gpuledger")), truth, path));
    duckdb.push(inChild("duckdb", kind, path));
    if (hasGzip) {
      gzip.push(inShell(`gzip -dc '${path}.gz' > /dev/null`));
      oursGz.push(checked(inChild("read", `${path}.gz`, join(folder, "bench.gpuledger")), truth, path));
    }
    // One turn of it is long: a third of the runs, at least one.
    if (hasSqlite && run % 3 === 0) sqlite.push(sqliteImport(kind, path, folder));
  }
  const pick = (results, key) => (results.length === 0 ? null : median(results.map((result) => result[key])));
  return {
    kind,
    rows,
    megabytes: Math.round(statSync(path).size / 1e6),
    seconds: pick(ours, "seconds"),
    cpuSeconds: pick(ours, "cpuSeconds"),
    postSeconds: pick(ours, "postSeconds"),
    peakMiB: pick(ours, "peakMiB"),
    postPeakMiB: pick(ours, "postPeakMiB"),
    ledgerMiB: pick(ours, "ledgerMiB"),
    gzSeconds: pick(oursGz, "seconds"),
    gzPeakMiB: pick(oursGz, "peakMiB"),
    gzipSeconds: pick(gzip, "seconds"),
    duckdbSeconds: pick(duckdb, "seconds"),
    duckdbCpuSeconds: pick(duckdb, "cpuSeconds"),
    sqliteSeconds: pick(sqlite, "seconds"),
    sqliteCpuSeconds: pick(sqlite, "cpuSeconds"),
  };
}

function checked(reading, truth, path) {
  const { BilledCost, EffectiveCost, ListCost } = reading.totals;
  const totals = { BilledCost, EffectiveCost, ListCost };
  if (reading.rows !== truth.rows || JSON.stringify(totals) !== JSON.stringify(truth.totals)) {
    throw new Error(`${path}: read ${reading.rows} rows and ${JSON.stringify(totals)}, but it holds ${truth.rows} and ${JSON.stringify(truth.totals)}`);
  }
  return reading;
}

function inChild(task, ...args) {
  const child = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", self, task, ...args], { encoding: "utf8", maxBuffer: 1 << 26 });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout);
}

/** Seconds of a command by the clock, and of the processors: on a busy machine only the second says anything. */
function inShell(command) {
  const start = performance.now();
  const done = spawnSync("sh", ["-c", `${command}\nstatus=$?\ntimes 1>&2\nexit $status`], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
  const ofChildren = done.stderr.trim().split("\n").at(-1) ?? "";
  const cpuSeconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
  return { seconds: (performance.now() - start) / 1000, cpuSeconds };
}

function median(values) {
  return values.toSorted((one, other) => one - other)[values.length >> 1];
}

/** Every column as text into a table of a file, then the sums that a report needs. */
function sqliteImport(kind, path, folder) {
  const file = join(folder, "peer.sqlite");
  rmSync(file, { force: true });
  const script = join(folder, "peer.sql");
  const [day, cost, ...keys] = dimensions[kind];
  writeFileSync(
    script,
    `PRAGMA journal_mode = OFF;\nPRAGMA synchronous = OFF;\n.mode csv\n.import '${path}' bill\n` +
      `CREATE TABLE rolled AS SELECT substr("${day}", 1, 10) AS day, ${keys.map((key) => `"${key}"`).join(", ")}, count(*), sum("${cost}") FROM bill GROUP BY 1, ${keys.map((_, index) => index + 2).join(", ")};\n`,
  );
  const times = inShell(`sqlite3 '${file}' < '${script}' > /dev/null`);
  rmSync(file, { force: true });
  return times;
}

/** Day, cost, and what a report groups by. */
const dimensions = {
  cur: ["lineItem/UsageStartDate", "lineItem/UnblendedCost", "lineItem/ResourceId", "lineItem/UsageAccountId", "lineItem/LineItemType", "lineItem/ProductCode", "lineItem/UsageType", "lineItem/Operation", "product/regionCode", "pricing/unit", "lineItem/CurrencyCode", "resourceTags/user:team", "resourceTags/user:project"],
  focus: ["ChargePeriodStart", "EffectiveCost", "ResourceId", "SubAccountId", "ChargeCategory", "ServiceName", "SkuId", "RegionId", "PricingUnit", "BillingCurrency", "PricingCategory", "CommitmentDiscountId", "Tags"],
};

async function read(path, ledgerPath) {
  const { noControl } = await import("../../main/engine/import/control.ts");
  const { readBill } = await import("../../main/engine/import/bills.ts");
  const { commitFlip, prepareFlip } = await import("../../main/engine/import/post.ts");
  const { sniff } = await import("../../main/engine/import/sniff.ts");
  const { recognizeBilling } = await import("../../main/engine/formats/index.ts");
  const { workOutDays } = await import("../../main/engine/hours/work-out.ts");
  const { loadReference } = await import("../../main/engine/reference/load.ts");
  const { connectReader } = await import("../../main/engine/store/connection.ts");
  const { openLedger } = await import("../../main/engine/store/open.ts");
  const { defaultIdlePolicy } = await import("../../shared/contract/report.ts");
  for (const side of ["", "-wal", "-shm", "-lock"]) rmSync(ledgerPath + side, { force: true });
  const ledger = must(openLedger(ledgerPath, { create: true }));
  const db = connectReader(ledgerPath);
  const reference = must(loadReference(join(project, "resources/reference")));

  const start = performance.now();
  const cpu = process.cpuUsage();
  const sniffed = must(await sniff(path));
  const { formatId } = must(recognizeBilling(sniffed));
  const batchId = Number(db.prepare("INSERT INTO batch (Kind, State, FormatId, RowsRead, RowsPosted, RowsSetAside, Report) VALUES ('billing', 'staging', ?, 0, 0, 0, '{}')").run(formatId).lastInsertRowid);
  const reading = must(await readBill({ sniffed, formatId, batchId, options: {}, reference }, db, { progress: () => undefined, isCancelled: () => false, standAside: () => undefined }));
  const read = performance.now();
  const cpuSeconds = cpuSince(cpu);
  const peakMiB = peak();
  const flip = must(prepareFlip(db, { withBatches: [batchId], withoutBatches: [] }, { policy: defaultIdlePolicy, control: noControl, workOutDays }));
  commitFlip(ledger, flip, "2026-10-01T00:00:00Z");
  const posted = performance.now();
  db.close();
  ledger.close();
  return { seconds: (read - start) / 1000, cpuSeconds, postSeconds: (posted - read) / 1000, rows: reading.rowsPosted, totals: reading.totals.USD, peakMiB, postPeakMiB: peak(), ledgerMiB: Math.round(statSync(ledgerPath).size / 1_048_576) };
}

function cpuSince(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function peak() {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

function must(result) {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** The same roll-up, exact, in memory; nothing is stored. */
async function duckdb(kind, path) {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
  const [day, cost, ...keys] = dimensions[kind];
  const start = performance.now();
  const cpu = process.cpuUsage();
  await connection.runAndReadAll(`
    CREATE TABLE rolled AS
    SELECT "${day}"[1:10] AS day, ${keys.map((key) => `"${key}"`).join(", ")}, count(*) AS rows, sum("${cost}"::DECIMAL(28, 12)) AS cost
    FROM read_csv('${path.replaceAll("'", "''")}', all_varchar = true, header = true)
    GROUP BY ALL`);
  return { seconds: (performance.now() - start) / 1000, cpuSeconds: cpuSince(cpu) };
}

if (process.argv[1] === self) {
  const [task, ...args] = process.argv.slice(2);
  const tasks = { make: (kind, rows, path) => makeBill({ kind, rows: Number(rows), path }), read, duckdb };
  console.log(JSON.stringify(await tasks[task](...args)));
}
