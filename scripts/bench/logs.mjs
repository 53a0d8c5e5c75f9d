/**
 * How fast a GPU log is read: 64 GPUs, a poll every 10 s, 7 days (3.9 million rows), against `wc -l` and DuckDB's reading of the same file; and
 * the same samples as a Prometheus answer, one line of JSON, against `wc -w`. And how large the ledger of a fleet grows: a month of 512 GPUs, a
 * poll a minute (22 million samples), posted.
 * scripts/bench.mjs calls benchLogs() and benchMonth().
 */
import { createWriteStream, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { asChild, cpuSecondsSince, duckdbConnection, inChild as childOf, inShell, median, must, peakMiB, secondsSince } from "./measure.mjs";

const self = fileURLToPath(import.meta.url);
const inChild = (...task) => childOf(self, ...task);
const shape = { gpus: 64, everySeconds: 10, days: 7, start: Date.UTC(2026, 8, 1) };
const fleet = { gpus: 512, everySeconds: 60, days: 30, start: Date.UTC(2026, 8, 1) };

/** Medians of `runs` readings: rows a second, seconds, peak memory, and seconds of the peers on the same file. */
export async function benchLogs({ folder = join(tmpdir(), "gpu-ledger-bench"), runs = 3, days = shape.days, keep = false } = {}) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `log-${shape.gpus}x${days}d.csv`);
  if (!existsSync(path)) await generate(path, { ...shape, days });
  const readings = Array.from({ length: runs }, () => inChild("read", path, join(folder, "bench.gpuledger")));
  const duckdb = Array.from({ length: runs }, () => inChild("duckdb", path));
  const wc = Array.from({ length: runs }, () => inShell(`wc -l '${path}' > /dev/null`).seconds);
  const seconds = median(readings.map((reading) => reading.seconds));
  const result = {
    rows: readings[0].rows,
    bytes: statSync(path).size,
    seconds,
    cpuSeconds: median(readings.map((each) => each.cpuSeconds)),
    rowsPerSecond: Math.round(readings[0].rows / seconds),
    peakMiB: median(readings.map(({ peakMiB }) => peakMiB)),
    ledgerMiB: median(readings.map(({ ledgerMiB }) => ledgerMiB)),
    wcSeconds: median(wc),
    duckdbSeconds: median(duckdb.map((each) => each.seconds)),
    duckdbCpuSeconds: median(duckdb.map((each) => each.cpuSeconds)),
  };
  const json = join(folder, `log-${shape.gpus}x${days}d.json`);
  if (!existsSync(json)) await generateAnswer(json, days);
  const answers = Array.from({ length: runs }, () => inChild("read", json, join(folder, "bench.gpuledger"), "prometheus-json"));
  const answerSeconds = median(answers.map((reading) => reading.seconds));
  const prometheus = {
    values: answers[0].rows,
    bytes: statSync(json).size,
    seconds: answerSeconds,
    cpuSeconds: median(answers.map((each) => each.cpuSeconds)),
    valuesPerSecond: Math.round(answers[0].rows / answerSeconds),
    peakMiB: median(answers.map(({ peakMiB }) => peakMiB)),
    ledgerMiB: median(answers.map(({ ledgerMiB }) => ledgerMiB)),
    wcSeconds: median(Array.from({ length: runs }, () => inShell(`wc -w '${json}' > /dev/null`).seconds)),
  };
  if (!keep) rmSync(folder, { recursive: true });
  return { ...result, timesDuckdb: result.seconds / result.duckdbSeconds, prometheus };
}

/** What a month of a fleet takes: one log, read and posted, and the year that follows from it, since days are stored apart from one another. */
export function benchMonth({ folder, days = fleet.days }) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "fleet.csv");
  const ledger = join(folder, "fleet.gpuledger");
  inChild("make", path, days);
  const reading = inChild("post", path, ledger);
  rmSync(path);
  const heatMap = inChild("heat-map", ledger);
  const samples = reading.rows * metricsOfLog;
  return {
    gpus: fleet.gpus, days, samples, ...reading, ...heatMap,
    bytesASample: (reading.tracesMiB * 1_048_576) / samples,
    yearGiB: (reading.ledgerMiB / 1024 / days) * 365,
  };
}

/** Of the log's columns those that are kept: utilization, memory used, power. */
const metricsOfLog = 3;

async function generate(path, { gpus, everySeconds, days, start }) {
  const out = createWriteStream(path);
  const uuids = Array.from({ length: gpus }, (_, gpu) => `GPU-6f1a0c52-11d0-4a7e-9d5e-${gpu.toString(16).padStart(12, "0")}`);
  out.write("timestamp, index, name, uuid, utilization.gpu [%], utilization.memory [%], memory.used [MiB], memory.total [MiB], power.draw [W]\n");
  // A linear congruential generator: the same file every time.
  let state = 42;
  const random = (below) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % below;
  for (let poll = 0; poll < (days * 86_400) / everySeconds; poll++) {
    let text = "";
    // A job runs for an hour and a half, and one of four GPUs waits for the next.
    const turn = Math.floor((poll * everySeconds) / 5120);
    for (let gpu = 0; gpu < gpus; gpu++) {
      const stamp = new Date(start + poll * everySeconds * 1000 + gpu * 11 + random(8)).toISOString();
      const isBusy = turn % 4 !== gpu % 4;
      const utilization = isBusy ? 80 + random(21) : 0;
      text += `${stamp.slice(0, 10).replaceAll("-", "/")} ${stamp.slice(11, 23)}, ${gpu}, NVIDIA H100 80GB HBM3, ${uuids[gpu]}, ${utilization} %, ${utilization >> 1} %, ${isBusy ? 60_000 + random(4000) : 3} MiB, 81559 MiB, ${(isBusy ? 550 + random(10_000) / 100 : 69 + random(200) / 100).toFixed(2)} W\n`;
    }
    if (!out.write(text)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
}

/** The samples of the log as `query_range` answers them: a series a device and metric, all in one line. */
async function generateAnswer(path, days) {
  const out = createWriteStream(path);
  let state = 42;
  const random = (below) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % below;
  const start = Date.UTC(2026, 8, 1) / 1000;
  const polls = (days * 86_400) / shape.everySeconds;
  const valueOf = { DCGM_FI_DEV_GPU_UTIL: (isBusy) => (isBusy ? 80 + random(21) : 0), DCGM_FI_DEV_FB_USED: (isBusy) => (isBusy ? 60_000 + random(4000) : 3), DCGM_FI_DEV_POWER_USAGE: (isBusy) => (isBusy ? 550 + random(10_000) / 100 : 69) };
  out.write('{"status":"success","data":{"resultType":"matrix","result":[');
  let isFirst = true;
  for (const [metric, value] of Object.entries(valueOf)) {
    for (let gpu = 0; gpu < shape.gpus; gpu++) {
      let text = `${isFirst ? "" : ","}{"metric":{"__name__":"${metric}","UUID":"GPU-6f1a0c52-11d0-4a7e-9d5e-${gpu.toString(16).padStart(12, "0")}","gpu":"${gpu % 8}","Hostname":"node-${gpu >> 3}","modelName":"NVIDIA H100 80GB HBM3"},"values":[`;
      isFirst = false;
      for (let poll = 0; poll < polls; poll++) {
        text += `${poll === 0 ? "" : ","}[${start + poll * shape.everySeconds},"${value((poll >> 9) % 4 !== gpu % 4)}"]`;
        if (text.length < 1 << 20) continue;
        if (!out.write(text)) await once(out, "drain");
        text = "";
      }
      if (!out.write(`${text}]}`)) await once(out, "drain");
    }
  }
  out.end("]}}");
  await once(out, "finish");
}

async function read(path, ledgerPath, formatId = "nvidia-smi") {
  const { connectionOf, readInto } = await ledgerTools();
  const { ledger, db } = await connectionOf(ledgerPath);
  const { rows, seconds, cpuSeconds, peakMiB: peak } = await readInto(db, path, formatId);
  db.close();
  ledger.close();
  return { rows, seconds, cpuSeconds, peakMiB: peak, ledgerMiB: Math.round(statSync(ledgerPath).size / 1_048_576) };
}

/** Reads a log and posts it. */
async function post(path, ledgerPath) {
  const { connectionOf, readInto } = await ledgerTools();
  const { noControl } = await import("../../main/engine/import/control.ts");
  const { commitFlip, prepareFlip } = await import("../../main/engine/import/post.ts");
  const { workOutDays } = await import("../../main/engine/hours/work-out.ts");
  const { defaultIdlePolicy } = await import("../../shared/contract/report.ts");
  const { ledger, db } = await connectionOf(ledgerPath);
  const { batchId, ...reading } = await readInto(db, path, "nvidia-smi");
  const start = performance.now();
  const cpu = process.cpuUsage();
  const flip = must(prepareFlip(db, { withBatches: [batchId], withoutBatches: [] }, { policy: defaultIdlePolicy, control: noControl, workOutDays }));
  commitFlip(ledger, flip, "2026-10-01T00:00:00Z");
  const posted = { postSeconds: secondsSince(start), postCpuSeconds: cpuSecondsSince(cpu), postPeakMiB: peakMiB() };
  const tracesMiB = Number(db.prepare("SELECT sum(length(Segments)) FROM gpu_trace").pluck().get()) / 1_048_576;
  db.close();
  ledger.close();
  return { ...reading, ...posted, tracesMiB: Math.round(tracesMiB), ledgerMiB: Math.round(statSync(ledgerPath).size / 1_048_576) };
}

async function ledgerTools() {
  const { sniff } = await import("../../main/engine/import/sniff.ts");
  const { readLog } = await import("../../main/engine/import/logs.ts");
  const { connectReader } = await import("../../main/engine/store/connection.ts");
  const { openLedger } = await import("../../main/engine/store/open.ts");
  return {
    async connectionOf(path) {
      for (const side of ["", "-wal", "-shm", "-lock"]) rmSync(path + side, { force: true });
      return { ledger: must(openLedger(path, { create: true })), db: connectReader(path) };
    },
    async readInto(db, path, formatId) {
      const start = performance.now();
      const cpu = process.cpuUsage();
      const sniffed = must(await sniff(path));
      const batchId = Number(db.prepare("INSERT INTO batch (Kind, State, FormatId, RowsRead, RowsPosted, RowsSetAside, Report) VALUES ('telemetry', 'staging', '', 0, 0, 0, '{}')").run().lastInsertRowid);
      const reading = must(await readLog(
        { sniffed, formatId, batchId, options: { timezone: "Europe/Berlin" }, recognizeDevice: () => ({ acceleratorId: null, model: null, share: 1, reason: "unknown" }) },
        db,
        { progress: () => undefined, isCancelled: () => false, standAside: () => undefined },
      ));
      return { batchId, seconds: secondsSince(start), cpuSeconds: cpuSecondsSince(cpu), rows: reading.rowsPosted, peakMiB: peakMiB() };
    },
  };
}

/** The map of the fleet's hours, as the efficiency report answers it: the first time, and again. */
async function heatMap(ledgerPath) {
  const { createEngine } = await import("../../main/engine/serve.ts");
  const { wordsOf } = await import("../../main/cli/words.ts");
  const engine = createEngine({ ledgerPath, userDataFolder: `${ledgerPath}-data`, resourcesFolder: fileURLToPath(new URL("../../resources", import.meta.url)), jobRunner: "inline", emit: () => undefined, wordsOf });
  await engine.ask("ledger.status", {});
  const ask = async () => {
    const start = performance.now();
    must(await engine.ask("report.read", { report: "efficiency", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null }));
    return performance.now() - start;
  };
  const heatMapMs = await ask();
  await ask();
  const heatMapWarmMs = await ask();
  await engine.close();
  return { heatMapMs, heatMapWarmMs };
}

/** The mean of every GPU and hour, which is less than the ledger keeps. */
async function duckdb(path) {
  const connection = await duckdbConnection();
  const start = performance.now();
  const cpu = process.cpuUsage();
  await connection.runAndReadAll(`
    SELECT uuid, date_trunc('hour', strptime(timestamp, '%Y/%m/%d %H:%M:%S.%g')) AS hour,
           avg(rtrim("utilization.gpu [%]", ' %')::DOUBLE), avg(replace("memory.used [MiB]", ' MiB', '')::DOUBLE), avg(replace("power.draw [W]", ' W', '')::DOUBLE)
    FROM read_csv('${path.replaceAll("'", "''")}', all_varchar = true, header = true, delim = ', ')
    GROUP BY 1, 2`);
  return { seconds: secondsSince(start), cpuSeconds: cpuSecondsSince(cpu) };
}

await asChild(self, { read, post, duckdb, "heat-map": heatMap, make: async (path, days) => (await generate(path, { ...fleet, days: Number(days) }), {}) });
