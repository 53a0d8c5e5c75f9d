import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import type { ReadOptions } from "../../../../shared/contract/methods.ts";
import type { Result } from "../../../../shared/result.ts";
import { telemetryFormats } from "../../../../main/engine/formats/telemetry/index.ts";
import { readLog } from "../../../../main/engine/import/logs.ts";
import type { LogReading } from "../../../../main/engine/import/logs.ts";
import { sniff } from "../../../../main/engine/import/sniff.ts";
import { recognizeDevice } from "../../../../main/engine/reference/device.ts";
import { loadReference } from "../../../../main/engine/reference/load.ts";
import type { OpenLedger } from "../../../../main/engine/store/open.ts";
import { openMemoryLedger } from "../../../../main/engine/store/open.ts";
import { dayMs, mergeTraces } from "../../../../main/engine/store/traces.ts";

/** A log as tests look at it: every device with every metric as `[start, seconds, value]` in UTC. */
export interface ReadDevice {
  readonly key: string;
  readonly host: string;
  readonly name: string | null;
  readonly accelerator: string | null;
  readonly memoryTotalMiB: number | null;
  readonly traces: Readonly<Record<string, readonly (readonly [string, number, number])[]>>;
}

const reference = (() => {
  const loaded = loadReference(join(import.meta.dirname, "../../../../resources/reference"));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
})();

/** Reads a log as an import does: sniffed, recognized, read into a staging batch of the ledger. */
export async function readPath(ledger: OpenLedger, path: string, options: ReadOptions = {}, isCancelled = () => false): Promise<Result<LogReading>> {
  const sniffed = await sniff(path);
  if (!sniffed.ok) return sniffed;
  const scores = telemetryFormats.map((format) => format.recognize(sniffed.value, options)).sort((one, other) => other.score - one.score);
  const [best] = scores;
  if (best === undefined || best.score < 0.5) return { ok: false, error: { code: "import.unrecognized", params: { file: sniffed.value.name, closest: null, missing: "" } } };
  const batchId = Number(
    ledger.db.prepare("INSERT INTO batch (Kind, State, FormatId, RowsRead, RowsPosted, RowsSetAside, Report) VALUES ('telemetry', 'staging', ?, 0, 0, 0, '{}')").run(best.formatId).lastInsertRowid,
  );
  return readLog({ sniffed: sniffed.value, formatId: best.formatId, batchId, options, recognizeDevice: (device) => recognizeDevice(reference, device) }, ledger.db, {
    progress: () => undefined,
    isCancelled,
    standAside: () => undefined,
  });
}

/** The same for a file made on the spot; it was last written at 2026-09-01T12:00:00Z. */
export async function readText(ledger: OpenLedger, content: string | Uint8Array, options: ReadOptions = {}, name = "node-a.csv", isCancelled = () => false): Promise<Result<LogReading>> {
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-log-"));
  try {
    const path = join(folder, name);
    writeFileSync(path, content);
    utimesSync(path, new Date("2026-09-01T12:00:00Z"), new Date("2026-09-01T12:00:00Z"));
    return await readPath(ledger, path, options, isCancelled);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function readFresh(content: string | Uint8Array, options: ReadOptions = {}, name = "node-a.csv"): Promise<{ readonly reading: LogReading; readonly devices: readonly ReadDevice[] }> {
  const ledger = openMemoryLedger();
  const read = await readText(ledger, content, options, name);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const devices = devicesOf(ledger);
  ledger.close();
  return { reading: read.value, devices };
}
export async function refusal(content: string | Uint8Array, options: ReadOptions = {}, name = "node-a.csv"): Promise<LedgerError | null> {
  const ledger = openMemoryLedger();
  const read = await readText(ledger, content, options, name);
  ledger.close();
  return read.ok ? null : read.error;
}

/** What the traces of all batches together say, batches in the order of their numbers. */
export function devicesOf({ db }: OpenLedger): readonly ReadDevice[] {
  interface Row {
    readonly DeviceId: number;
    readonly DeviceKey: string;
    readonly Host: string;
    readonly Name: string | null;
    readonly AcceleratorId: string | null;
    readonly MemoryTotalMiB: number | null;
  }
  return (db.prepare("SELECT * FROM device ORDER BY DeviceKey").all() as Row[]).map((device) => {
    const traces: Record<string, (readonly [string, number, number])[]> = {};
    const rows = db.prepare("SELECT Metric, Day, Segments FROM gpu_trace WHERE DeviceId = ? ORDER BY Metric, Day, BatchId").all(device.DeviceId) as { Metric: string; Day: number; Segments: Uint8Array }[];
    for (const [key, parts] of Map.groupBy(rows, ({ Metric, Day }) => `${Metric} ${Day}`)) {
      const [metric = "", day = ""] = key.split(" ");
      const merged = mergeTraces(parts.map(({ Segments }) => Segments));
      const shown = Array.from(merged.startMs, (start, index) => [new Date(Number(day) * dayMs + start).toISOString(), (merged.lengthMs[index] as number) / 1000, merged.value[index] as number] as const);
      if (shown.length > 0) (traces[metric] ??= []).push(...shown);
    }
    return { key: device.DeviceKey, host: device.Host, name: device.Name, accelerator: device.AcceleratorId, memoryTotalMiB: device.MemoryTotalMiB, traces };
  });
}

/** Every job that was read, with its times in UTC, without its file and batch. */
export function jobsOf({ db }: OpenLedger): readonly Readonly<Record<string, unknown>>[] {
  const time = (second: number | null): string | null => (second === null ? null : new Date(second * 1000).toISOString());
  const rows = db.prepare<[], { Hosts: string; StartSecond: number; EndSecond: number | null }>("SELECT * FROM gpu_job ORDER BY FileId, Line").all();
  return rows.map((row) => ({ ...row, FileId: undefined, BatchId: undefined, StartSecond: time(row.StartSecond), EndSecond: time(row.EndSecond), Hosts: JSON.parse(row.Hosts) as unknown }));
}
