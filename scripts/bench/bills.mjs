/**
 * How fast a bill is read into a ledger (days by resource and every dimension, hours of GPUs, in SQLite), against `sqlite3 .import` and a
 * GROUP BY, DuckDB alone, for a gz `gzip -dc`, and for Parquet DuckDB writing its roll-up into SQLite, all on the same file in the same run.
 * Posting, which joins GPU hours with their cost and has no peer, is timed apart; its peak of memory is that of the whole process. Each run is a
 * process of its own; peers and we take turns, so that a busy machine is busy for all.
 */
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeBill, monthAt } from "./make-bill.mjs";
import { asChild, cpuSecondsSince, duckdbConnection, hasCommand, inChild, inShell, medianOf, must, peakMiB, secondsSince } from "./measure.mjs";

const self = fileURLToPath(import.meta.url);
const project = join(self, "../../..");

/**
 * kind: "cur" or "focus"; with: which of "gz", "parquet", "sqlite", "duckdb" beside the file itself; keepLedger: where the ledger stays.
 * Answers medians in seconds and peaks in MiB; null for what was not measured. The files made are deleted as soon as they are not needed.
 */
export function benchBill({ kind, rows, runs, folder, with: beside, keepFiles = false, keepLedger = null }) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${kind}-${rows}.csv`);
  const ledger = keepLedger ?? join(folder, "bench.gpuledger");
  const truth = inChild(self, "make", kind, rows, path);
  const megabytes = Math.round(statSync(path).size / 1e6);
  const [csv, duckdb, sqlite, gz, gzip, parquet, duckdbToSqlite] = [[], [], [], [], [], [], []];
  const hasGzip = beside.includes("gz") && hasCommand("gzip");
  const hasSqlite = beside.includes("sqlite") && hasCommand("sqlite3");
  for (let run = 0; run < runs; run += 1) {
    csv.push(checked(inChild(self, "read", path, ledger), truth, path));
    if (beside.includes("duckdb")) duckdb.push(inChild(self, "duckdb", kind, path));
    // One turn of it is long: a third of the runs, at least one.
    if (hasSqlite && run % 3 === 0) sqlite.push(sqliteImport(kind, path, folder));
  }
  if (hasGzip) {
    if (!existsSync(`${path}.gz`)) inShell(`gzip -6 -k '${path}'`);
    for (let run = 0; run < runs; run += 1) {
      gzip.push(inShell(`gzip -dc '${path}.gz' > /dev/null`));
      gz.push(checked(inChild(self, "read", `${path}.gz`, join(folder, "gz.gpuledger")), truth, path));
    }
    if (!keepFiles) rmSync(`${path}.gz`);
  }
  if (beside.includes("parquet")) {
    const columns = path.replace(/csv$/, "parquet");
    inChild(self, "to-parquet", path, columns);
    for (let run = 0; run < runs; run += 1) {
      parquet.push(checked(inChild(self, "read", columns, join(folder, "parquet.gpuledger")), truth, columns));
      duckdbToSqlite.push(inChild(self, "duckdb-to-sqlite", kind, columns, join(folder, "peer.sqlite")));
    }
    if (!keepFiles) rmSync(columns);
  }
  if (!keepFiles) rmSync(path);
  const measured = { csv, duckdb, sqlite, gz, gzip, parquet, duckdbToSqlite };
  return {
    kind,
    rows,
    megabytes,
    ...Object.fromEntries(Object.entries(measured).map(([name, results]) => [name, results.length === 0 ? null : Object.fromEntries(measures.map((key) => [key, medianOf(results, key)]))])),
  };
}

const measures = ["seconds", "cpuSeconds", "peakMiB", "postSeconds", "postCpuSeconds", "postPeakMiB", "ledgerMiB"];

/** One bill in parts of a month each, made, imported into one ledger and deleted one after another. Stops after `minutes`; says how far it came. */
export function benchParts({ kind, rows, folder, minutes }) {
  mkdirSync(folder, { recursive: true });
  const ledger = join(folder, "parts.gpuledger");
  for (const side of ["", "-wal", "-shm", "-lock"]) rmSync(ledger + side, { force: true });
  const start = performance.now();
  const parts = [];
  for (let month = 0; month < 12 && secondsSince(start) < minutes * 60; month += 1) {
    const path = join(folder, `part-${month}.csv`);
    const truth = inChild(self, "make", kind, Math.ceil(rows / 12), path, month);
    parts.push(checked(inChild(self, "read", path, ledger, "into"), truth, path));
    rmSync(path);
  }
  const sum = (key) => parts.reduce((total, part) => total + part[key], 0);
  return {
    kind,
    rows: sum("rows"),
    parts: parts.length,
    ...Object.fromEntries(["seconds", "cpuSeconds", "postSeconds", "postCpuSeconds"].map((key) => [key, sum(key)])),
    peakMiB: Math.max(...parts.map((part) => part.postPeakMiB)),
    secondsOfParts: parts.map(({ seconds, postSeconds }) => [seconds, postSeconds]),
    ledgerMiB: parts.at(-1).ledgerMiB,
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

/** Reads a file into a ledger, a new one unless it is said to go `into` the one that is there, and posts it. */
async function read(path, ledgerPath, where) {
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
  if (where !== "into") for (const side of ["", "-wal", "-shm", "-lock"]) rmSync(ledgerPath + side, { force: true });
  const ledger = must(openLedger(ledgerPath, { create: true }));
  const db = connectReader(ledgerPath);
  const reference = must(loadReference(join(project, "resources/reference")));

  const start = performance.now();
  const cpu = process.cpuUsage();
  const sniffed = must(await sniff(path));
  const { formatId } = must(recognizeBilling(sniffed));
  const batchId = Number(db.prepare("INSERT INTO batch (Kind, State, FormatId, RowsRead, RowsPosted, RowsSetAside, Report) VALUES ('billing', 'staging', ?, 0, 0, 0, '{}')").run(formatId).lastInsertRowid);
  const reading = must(await readBill({ sniffed, formatId, batchId, options: {}, reference }, db, { progress: () => undefined, isCancelled: () => false, standAside: () => undefined }));
  const read = { seconds: secondsSince(start), cpuSeconds: cpuSecondsSince(cpu), peakMiB: peakMiB() };
  const postStart = performance.now();
  const postCpu = process.cpuUsage();
  const flip = must(prepareFlip(db, { withBatches: [batchId], withoutBatches: [] }, { policy: defaultIdlePolicy, control: noControl, workOutDays }));
  commitFlip(ledger, flip, "2026-10-01T00:00:00Z");
  const posted = { postSeconds: secondsSince(postStart), postCpuSeconds: cpuSecondsSince(postCpu), postPeakMiB: peakMiB() };
  db.close();
  ledger.close();
  return { ...read, ...posted, rows: reading.rowsPosted, totals: reading.totals.USD, ledgerMiB: Math.round(statSync(ledgerPath).size / 1_048_576) };
}

/** The same roll-up, exact, in memory; nothing is stored. */
async function duckdb(kind, path) {
  const connection = await duckdbConnection();
  const start = performance.now();
  const cpu = process.cpuUsage();
  await connection.runAndReadAll(`CREATE TABLE rolled AS ${rollUp(kind, `read_csv('${path}', all_varchar = true, header = true)`)}`);
  return { seconds: secondsSince(start), cpuSeconds: cpuSecondsSince(cpu), peakMiB: peakMiB() };
}

function rollUp(kind, source) {
  const [day, cost, ...keys] = dimensions[kind];
  return `SELECT ("${day}"::VARCHAR)[1:10] AS day, ${keys.map((key) => `"${key}"::VARCHAR AS "${key}"`).join(", ")}, count(*) AS rows, sum("${cost}"::DECIMAL(28, 12))::VARCHAR AS cost FROM ${source} GROUP BY ALL`;
}

/** Columns typed as DuckDB finds them: times, and amounts as DOUBLE, which is what cost exports have. */
async function toParquet(path, target) {
  const connection = await duckdbConnection();
  await connection.run(`COPY (SELECT * FROM read_csv('${path}', header = true)) TO '${target}' (FORMAT parquet, COMPRESSION snappy)`);
  return { megabytes: Math.round(statSync(target).size / 1e6) };
}

/** DuckDB's roll-up of a Parquet file, written into a table of SQLite row by row. */
async function duckdbToSqlite(kind, path, target) {
  const { default: Database } = await import("better-sqlite3");
  rmSync(target, { force: true });
  const connection = await duckdbConnection();
  const start = performance.now();
  const cpu = process.cpuUsage();
  const result = await connection.stream(rollUp(kind, `read_parquet('${path}')`));
  const names = result.columnNames();
  const db = new Database(target);
  db.pragma("journal_mode = WAL");
  db.exec(`CREATE TABLE rolled (${names.map((name) => `"${name}"`).join(", ")})`);
  const insert = db.prepare(`INSERT INTO rolled VALUES (${names.map(() => "?").join(", ")})`);
  db.exec("BEGIN");
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) for (const row of chunk.getRows()) insert.run(row);
  db.exec("COMMIT");
  db.close();
  rmSync(target, { force: true });
  return { seconds: secondsSince(start), cpuSeconds: cpuSecondsSince(cpu), peakMiB: peakMiB() };
}

await asChild(self, {
  make: (kind, rows, path, month) => makeBill({ kind, rows: Number(rows), path, ...(month === undefined ? {} : { months: [monthAt(Number(month))] }) }),
  read,
  duckdb,
  "to-parquet": toParquet,
  "duckdb-to-sqlite": duckdbToSqlite,
});
