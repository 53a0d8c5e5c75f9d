/** Answers of the Prometheus HTTP API (`query_range`, `query`), Thanos and Mimir alike, to queries of GPU exporters; read as a stream. */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { TimestampReading } from "../../import/timestamp.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import { quantityColumn, readQuantity } from "./cells.ts";
import type { QuantityColumn } from "./cells.ts";
import type { DeviceSeries, LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { normalizedIndex, normalizedPciBusId, normalizedUuid } from "./identity.ts";
import { jsonStream } from "./json-stream.ts";
import { exportedMetrics } from "./metric-names.ts";
import type { ExportedMetric } from "./metric-names.ts";

export const prometheus: TelemetryFormat = { id: "prometheus-json", recognize, open };

function recognize({ head }: Sniffed): Recognition {
  const isAnswer = /^\s*\{/.test(head) && /"resultType"\s*:\s*"(matrix|vector)"/.test(head) && /"result"\s*:/.test(head);
  return { formatId: prometheus.id, score: isAnswer ? 1 : 0, version: null, reasons: isAnswer ? [{ code: "columns-present", params: { columns: "resultType, result" } }] : [], missing: [] };
}

/** Labels in lower case. An exporter that Prometheus relabeled keeps its own behind `exported_`. */
type Labels = ReadonlyMap<string, string>;

interface OpenSeries {
  readonly exported: ExportedMetric;
  readonly column: QuantityColumn;
  readonly device: DeviceSeries;
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const file = job.sniffed.name;
  let hasSeries = false;
  let labels = new Map<string, string>();
  /** Undefined until the labels are complete, null for what the ledger does not keep. */
  let series: OpenSeries | null | undefined;
  /** Points that came before their labels. */
  let early: (readonly [time: string, value: string])[] = [];
  const time: TimestampReading = { ms: 0, isInstant: true };
  const values = new Float64Array(1);

  // Where the stream stands: keys and, for arrays, the count of values so far.
  const path: (string | number)[] = [];
  let pointTime = "";

  const stream = jsonStream({
    open(kind) {
      step();
      path.push(kind === "array" ? -1 : "");
      if (isAt(4) && kind === "object") {
        labels = new Map();
        series = undefined;
        early = [];
      }
    },
    close() {
      if (isAt(5) && path[3] === "metric") series = seriesOf(labels);
      if (isAt(4)) {
        // An element of `result` ends: without any labels it is still a series, though of nothing known.
        series ??= seriesOf(labels);
        for (const [at, value] of early) point(at, value);
      }
      path.pop();
    },
    key(name) {
      path[path.length - 1] = name;
    },
    value(text) {
      step();
      if (!isAt(path.length)) return;
      if (path.length === 5 && path[3] === "metric") labels.set(String(path[4]).toLowerCase(), text);
      else if ((path.length === 6 && path[3] === "values") || (path.length === 5 && path[3] === "value")) {
        if (path.at(-1) === 0) pointTime = text;
        else if (series === undefined) early.push([pointTime, text]);
        else point(pointTime, text);
      }
    },
  });

  /** In an array the place counts on with each value. */
  function step(): void {
    const place = path.at(-1);
    if (typeof place === "number") path[path.length - 1] = place + 1;
  }
  /** Whether the stream is within data.result, so many levels deep. */
  function isAt(depth: number): boolean {
    return path.length === depth && path[0] === "data" && path[1] === "result";
  }

  function point(at: string, value: string): void {
    sink.rowRead();
    if (series === null || series === undefined) {
      sink.rowIgnored();
      return;
    }
    const seconds = Number(at);
    if (!(seconds >= 1e8 && seconds < 1e11)) {
      sink.setAside({ bytes: encoder.encode(`[${at},"${value}"]`), from: 0, to: at.length + value.length + 5, line: 0 }, "time", at, "utc-time");
      return;
    }
    const read = readQuantity(series.column, scratch, 0, putAscii(value), sink);
    if (series.exported.metric === "memory-total") {
      if (read > 0) series.device.describe({ memoryTotalMiB: read });
      return;
    }
    time.ms = Math.round(seconds * 1000);
    values[0] = read;
    series.device.add(time, values);
  }

  function seriesOf(stated: Labels): OpenSeries | null {
    const exported = exportedMetrics[stated.get("__name__") ?? ""];
    if (exported === undefined) return null;
    // A MIG instance is a part of its card: its activity is not the card's.
    if ((stated.get("gpu_i_id") ?? "") !== "") {
      sink.repaired("mig-utilization-unknown");
      return null;
    }
    const first = (...names: readonly string[]): string => names.map((name) => stated.get(`exported_${name}`) ?? stated.get(name) ?? "").find((each) => each !== "") ?? "";
    const identity = {
      host: first("hostname", "node", "kubernetes_node", "host", "nodename") || first("instance").replace(/:\d+$/, "") || job.host,
      uuid: normalizedUuid(first("uuid", "gpu_uuid")),
      pciBusId: normalizedPciBusId(first("pci_bus_id")),
      index: normalizedIndex(first("gpu", "index", "minor_number", "device")),
    };
    if (identity.uuid === null && identity.pciBusId === null && identity.index === null) return null;
    const column = quantityColumn(exported.quantity, null, false);
    if (column === null) return null;
    hasSeries = true;
    const { metric } = exported;
    const device = sink.series(identity, metric === "memory-total" ? [] : [metric], exported.holds);
    const name = first("modelname", "name", "gpu_name");
    device.describe({
      ...(name === "" ? {} : { name }),
      ...(identity.index === null ? {} : { index: identity.index }),
      ...(identity.pciBusId === null ? {} : { pciBusId: identity.pciBusId }),
    });
    return { exported, column: { ...column, bareFactor: exported.factor }, device };
  }

  return ok({
    takes: "bytes",
    bytes: (piece): LedgerError | null => (stream.take(piece) ? null : ledgerError("import.unreadable", { file })),
    end: (): LedgerError | null => (stream.isComplete() ? null : ledgerError("import.truncated", { file, rows: 0 })),
    hasGpuSeries: () => hasSeries,
    version: () => null,
  });
}

const encoder = new TextEncoder();

/** A value's bytes; what is longer than any number, or no ASCII, is no number whatever its end. */
const scratch = new Uint8Array(64);
function putAscii(value: string): number {
  const length = Math.min(value.length, scratch.length);
  for (let at = 0; at < length; at++) {
    const code = value.charCodeAt(at);
    scratch[at] = code < 128 ? code : 63;
  }
  if (value.length > scratch.length) scratch[0] = 63;
  return length;
}
