/**
 * Answers of the Prometheus HTTP API (`query_range`, `query`), Thanos and Mimir alike, to queries of GPU exporters, and the bare list of
 * series that `promtool query -o json` prints; read as a stream. Functions of the query take the metric's name away: then the person names it.
 */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import { instantOfEpoch } from "./epoch.ts";
import { exporterLog, isOfGpu } from "./exporter-series.ts";
import type { ExporterSeries } from "./exporter-series.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { jsonStream } from "./json-stream.ts";
import { givenMetric } from "./metric-names.ts";

export const prometheus: TelemetryFormat = { id: "prometheus-json", recognize, open };

function recognize({ head }: Sniffed): Recognition {
  const isEnvelope = /^\s*\{/.test(head) && /"resultType"\s*:\s*"(matrix|vector)"/.test(head) && /"result"\s*:/.test(head);
  const isAnswer = isEnvelope || bareList.test(head);
  return { formatId: prometheus.id, score: isAnswer ? 1 : 0, version: null, reasons: isAnswer ? [{ code: "columns-present", params: { columns: "resultType, result" } }] : [], missing: [] };
}

const bareList = /^\s*\[\s*\{\s*"metric"\s*:\s*\{[^{}]*\}\s*,\s*"values?"\s*:\s*\[/;

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const file = job.sniffed.name;
  const given = givenMetric(job.options);
  const log = exporterLog(job, sink);
  /** How deep the list of series lies: within `data.result`, or the file itself. */
  const depth = bareList.test(job.sniffed.head) ? 0 : 2;
  let trouble: LedgerError | null = null;
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
      if (isAt(2) && kind === "object") {
        labels = new Map();
        series = undefined;
        early = [];
      }
    },
    close() {
      if (isAt(3) && path[depth + 1] === "metric") series = seriesOf();
      if (isAt(2)) {
        // An element of the list ends: without any labels it is still a series, though of nothing known.
        series ??= seriesOf();
        for (const [at, value] of early) point(at, value);
      }
      path.pop();
    },
    key(name) {
      path[path.length - 1] = name;
    },
    value(text) {
      step();
      if (path.length === 2 && path[0] === "warnings") sink.repaired("partial-answer");
      const within = isIn() ? path.length - depth : 0;
      const kind = path[depth + 1];
      if (within === 3 && kind === "metric") labels.set(String(path[depth + 2]).toLowerCase(), text);
      else if ((within === 4 && kind === "values") || (within === 3 && kind === "value")) {
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
  function isIn(): boolean {
    return depth === 0 || (path[0] === "data" && path[1] === "result");
  }
  /** Whether the stream is so many levels deep, the list itself being the first. */
  function isAt(levels: number): boolean {
    return path.length === depth + levels && isIn();
  }

  function seriesOf(): ExporterSeries | null {
    const stated = labels.get("__name__") ?? "";
    if (stated === "" && given === null && isOfGpu(labels)) trouble ??= ledgerError("import.metric-needed", { file });
    return log.seriesOf(stated === "" ? (given ?? "") : stated, labels);
  }

  function point(at: string, value: string): void {
    sink.rowRead();
    if (series === null || series === undefined) {
      sink.rowIgnored();
      return;
    }
    const ms = instantOfEpoch(at);
    if (ms === null) {
      sink.setAside({ bytes: encoder.encode(`[${at},"${value}"]`), from: 0, to: at.length + value.length + 5, line: 0 }, "time", at, "utc-time");
      return;
    }
    log.point(series, ms, value);
  }

  return ok({
    takes: "bytes",
    bytes: (piece): LedgerError | null => (stream.take(piece) ? trouble : ledgerError("import.unreadable", { file })),
    end: (): LedgerError | null => (stream.isComplete() ? null : ledgerError("import.truncated", { file, rows: 0 })),
    hasGpuSeries: log.hasSeries,
    version: () => null,
  });
}

const encoder = new TextEncoder();
