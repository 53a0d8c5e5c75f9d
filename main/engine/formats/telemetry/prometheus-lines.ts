/**
 * JSON lines of time series: what VictoriaMetrics exports (`metric`, `values`, `timestamps`), a series perhaps in several lines; and lists
 * of series without values, as `promtool tsdb dump --format=seriesjson` writes, in which there is nothing to keep. Read as a stream.
 */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import { exporterLog } from "./exporter-series.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { jsonStream } from "./json-stream.ts";
import { instantOfEpoch } from "./epoch.ts";

export const prometheusLines: TelemetryFormat = { id: "prometheus-lines", recognize, open };

function recognize({ head }: Sniffed): Recognition {
  const isExport = /^\s*\{\s*"(metric|values|timestamps)"\s*:/.test(head) && /"metric"\s*:\s*\{/.test(head) && !/"resultType"/.test(head) && /"timestamps"\s*:\s*\[/.test(head);
  const isList = /^\s*\{\s*"__name__"\s*:\s*"/.test(head) && !/"(values|value|timestamps)"\s*:\s*\[/.test(head);
  const columns = isExport ? "metric, values, timestamps" : "__name__";
  return { formatId: prometheusLines.id, score: isExport || isList ? 1 : 0, version: null, reasons: isExport || isList ? [{ code: "columns-present", params: { columns } }] : [], missing: [] };
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const file = job.sniffed.name;
  const log = exporterLog(job, sink);
  let labels = new Map<string, string>();
  let values: string[] = [];
  let times: string[] = [];
  let lines = 0;
  /** The key of the line's object, then within its array or labels. */
  const path: string[] = [];

  const stream = jsonStream({
    open() {
      path.push("");
      if (path.length > 1) return;
      labels = new Map();
      values = [];
      times = [];
    },
    close() {
      path.pop();
      if (path.length === 0) endLine();
    },
    key(name) {
      path[path.length - 1] = name;
    },
    value(text) {
      if (path.length !== 2) return;
      if (path[0] === "metric") labels.set((path[1] ?? "").toLowerCase(), text);
      else if (path[0] === "values") values.push(text);
      else if (path[0] === "timestamps") times.push(text);
    },
  }, { allowsNaN: true });

  function endLine(): void {
    lines += 1;
    const series = log.seriesOf(labels.get("__name__") ?? "", labels);
    const count = Math.max(values.length, times.length, 1);
    for (let index = 0; index < count; index++) {
      sink.rowRead();
      const stated = times[index];
      const value = values[index];
      if (series === null || (values.length === 0 && times.length === 0)) {
        sink.rowIgnored();
        continue;
      }
      const ms = stated === undefined ? null : instantOfEpoch(stated);
      if (ms !== null && value !== undefined) log.point(series, ms, value);
      else {
        const bytes = encoder.encode(`${value ?? ""} ${stated ?? ""}`);
        sink.setAside({ bytes, from: 0, to: bytes.length, line: lines }, "timestamps", stated ?? "", "utc-time");
      }
    }
  }

  function end(): LedgerError | null {
    if (stream.isComplete()) return null;
    if (lines === 0) return ledgerError("import.truncated", { file, rows: 0 });
    sink.repaired("truncated-last-line");
    return null;
  }

  return ok({
    takes: "bytes",
    bytes: (piece): LedgerError | null => (stream.take(piece) ? null : ledgerError("import.unreadable", { file })),
    end,
    hasGpuSeries: log.hasSeries,
    version: () => null,
  });
}

const encoder = new TextEncoder();
