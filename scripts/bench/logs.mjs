/**
 * How fast a GPU log is read: 64 GPUs, a poll every 10 s, 7 days (3.9 million rows), against `wc -l` and DuckDB's reading of the same file; and
 * the same samples as a Prometheus answer, one line of JSON, against `wc -c`.
 * Run alone: `node scripts/bench/logs.mjs [DAYS]`; scripts/bench.mjs calls benchLogs().
 */
import { spawnSync } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);
const shape = { gpus: 64, everySeconds: 10, days: 7 };

/** Medians of `runs` readings: rows a second, seconds, peak memory, and seconds of the peers on the same file. */
export async function benchLogs({ folder = join(tmpdir(), "gpu-ledger-bench"), runs = 3, days = shape.days, keep = false } = {}) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `log-${shape.gpus}x${days}d.csv`);
  if (!existsSync(path)) await generate(path, days);
  const readings = Array.from({ length: runs }, () => inChild("read", path, join(folder, "bench.gpuledger")));
  const duckdb = Array.from({ length: runs }, () => inChild("duckdb", path));
  const wc = Array.from({ length: runs }, () => timed(() => spawnSync("wc", ["-l", path])));
  const seconds = median(readings.map((reading) => reading.seconds));
  const result = {
    rows: readings[0].rows,
    bytes: statSync(path).size,
    seconds,
    rowsPerSecond: Math.round(readings[0].rows / seconds),
    peakMiB: median(readings.map(({ peakMiB }) => peakMiB)),
    ledgerMiB: median(readings.map(({ ledgerMiB }) => ledgerMiB)),
    wcSeconds: median(wc),
    duckdbSeconds: median(duckdb.map((each) => each.seconds)),
  };
  const json = join(folder, `log-${shape.gpus}x${days}d.json`);
  if (!existsSync(json)) await generateAnswer(json, days);
  const answers = Array.from({ length: runs }, () => inChild("read", json, join(folder, "bench.gpuledger"), "prometheus-json"));
  const answerSeconds = median(answers.map((reading) => reading.seconds));
  const prometheus = {
    values: answers[0].rows,
    bytes: statSync(json).size,
    seconds: answerSeconds,
    valuesPerSecond: Math.round(answers[0].rows / answerSeconds),
    peakMiB: median(answers.map(({ peakMiB }) => peakMiB)),
    ledgerMiB: median(answers.map(({ ledgerMiB }) => ledgerMiB)),
    wcSeconds: median(Array.from({ length: runs }, () => timed(() => spawnSync("wc", ["-w", json])))),
  };
  if (!keep) rmSync(folder, { recursive: true });
  return { ...result, timesDuckdb: result.seconds / result.duckdbSeconds, prometheus };
}

async function generate(path, days) {
  const out = createWriteStream(path);
  const uuids = Array.from({ length: shape.gpus }, (_, gpu) => `GPU-6f1a0c52-11d0-4a7e-9d5e-${gpu.toString(16).padStart(12, "0")}`);
  out.write("timestamp, index, name, uuid, utilization.gpu [%], utilization.memory [%], memory.used [MiB], memory.total [MiB], power.draw [W]\n");
  // A linear congruential generator: the same file every time.
  let state = 42;
  const random = (below) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % below;
  const start = Date.UTC(2026, 8, 1);
  for (let poll = 0; poll < (days * 86_400) / shape.everySeconds; poll++) {
    let text = "";
    for (let gpu = 0; gpu < shape.gpus; gpu++) {
      const stamp = new Date(start + poll * shape.everySeconds * 1000 + gpu * 11 + random(8)).toISOString();
      const isBusy = (poll >> 9) % 4 !== gpu % 4;
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

function inChild(task, ...args) {
  const child = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", self, task, ...args], { encoding: "utf8" });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout);
}

function timed(work) {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}

function median(values) {
  return values.toSorted((one, other) => one - other)[values.length >> 1];
}

async function read(path, ledgerPath, formatId = "nvidia-smi") {
  const { sniff } = await import("../../main/engine/import/sniff.ts");
  const { readLog } = await import("../../main/engine/import/logs.ts");
  const { openLedger } = await import("../../main/engine/store/open.ts");
  rmSync(ledgerPath, { force: true });
  const opened = openLedger(ledgerPath, { create: true });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const { db } = opened.value;
  const start = performance.now();
  const sniffed = await sniff(path);
  const batchId = Number(db.prepare("INSERT INTO batch (Kind, State, FormatId, RowsRead, RowsPosted, RowsSetAside, Report) VALUES ('telemetry', 'staging', '', 0, 0, 0, '{}')").run().lastInsertRowid);
  const reading = await readLog(
    { sniffed: sniffed.value, formatId, batchId, options: { timezone: "Europe/Berlin" }, recognizeDevice: () => ({ acceleratorId: null, model: null, share: 1, reason: "unknown" }) },
    db,
    { progress: () => undefined, isCancelled: () => false, standAside: () => undefined },
  );
  const seconds = (performance.now() - start) / 1000;
  if (!reading.ok) throw new Error(JSON.stringify(reading.error));
  opened.value.close();
  return { seconds, rows: reading.value.rowsPosted, peakMiB: Math.round(process.resourceUsage().maxRSS / 1024), ledgerMiB: Math.round(statSync(ledgerPath).size / 1_048_576) };
}

/** The mean of every GPU and hour, which is less than the ledger keeps. */
async function duckdb(path) {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
  const start = performance.now();
  await connection.runAndReadAll(`
    SELECT uuid, date_trunc('hour', strptime(timestamp, '%Y/%m/%d %H:%M:%S.%g')) AS hour,
           avg(rtrim("utilization.gpu [%]", ' %')::DOUBLE), avg(replace("memory.used [MiB]", ' MiB', '')::DOUBLE), avg(replace("power.draw [W]", ' W', '')::DOUBLE)
    FROM read_csv('${path.replaceAll("'", "''")}', all_varchar = true, header = true, delim = ', ')
    GROUP BY 1, 2`);
  return { seconds: (performance.now() - start) / 1000 };
}

if (process.argv[1] === self) {
  const [task, ...args] = process.argv.slice(2);
  if (task === "read") console.log(JSON.stringify(await read(args[0], args[1], args[2])));
  else if (task === "duckdb") console.log(JSON.stringify(await duckdb(args[0])));
  else console.log(JSON.stringify(await benchLogs({ days: Number(task ?? shape.days) }), null, 2));
}
