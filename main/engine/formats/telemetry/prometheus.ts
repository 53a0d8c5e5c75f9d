/** Answers of the Prometheus HTTP API (`query_range`, `query`), Thanos and Mimir alike, to queries of GPU exporters; read as a stream. */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import { exporterLog } from "./exporter-series.ts";
import type { ExporterSeries } from "./exporter-series.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { jsonStream } from "./json-stream.ts";

export const prometheus: TelemetryFormat = { id: "prometheus-json", recognize, open };

function recognize({ head }: Sniffed): Recognition {
  const isAnswer = /^\s*\{/.test(head) && /"resultType"\s*:\s*"(matrix|vector)"/.test(head) && /"result"\s*:/.test(head);
  return { formatId: prometheus.id, score: isAnswer ? 1 : 0, version: null, reasons: isAnswer ? [{ code: "columns-present", params: { columns: "resultType, result" } }] : [], missing: [] };
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const file = job.sniffed.name;
  const log = exporterLog(job, sink);
  let labels = new Map<string, string>();
  /** Undefined until the labels are complete, null for what the ledger does not keep. */
  let series: ExporterSeries | null | undefined;
  /** Points that came before their labels. */
  let early: (readonly [time: string, value: string])[] = [];

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
      if (isAt(5) && path[3] === "metric") series = log.seriesOf(labels.get("__name__") ?? "", labels);
      if (isAt(4)) {
        // An element of `result` ends: without any labels it is still a series, though of nothing known.
        series ??= log.seriesOf(labels.get("__name__") ?? "", labels);
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
    log.point(series, Math.round(seconds * 1000), value);
  }

  return ok({
    takes: "bytes",
    bytes: (piece): LedgerError | null => (stream.take(piece) ? null : ledgerError("import.unreadable", { file })),
    end: (): LedgerError | null => (stream.isComplete() ? null : ledgerError("import.truncated", { file, rows: 0 })),
    hasGpuSeries: log.hasSeries,
    version: () => null,
  });
}

const encoder = new TextEncoder();
