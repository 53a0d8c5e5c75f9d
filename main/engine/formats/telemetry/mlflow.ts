/**
 * System metrics of MLflow: the history of metrics as its interface answers (`key`, `value`, `timestamp`, `step`), the same as CSV of a table,
 * a column a metric, and runs with the last value of each metric. Times are Unix milliseconds. Field notes 7.3; mlflow, system metrics.
 */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { TraceMetric } from "../../store/traces.ts";
import type { Recognition } from "../format.ts";
import { readQuantityText, scaledColumn } from "./cells.ts";
import type { QuantityColumn } from "./cells.ts";
import type { BytesReader, LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { cutTrouble, jsonElements, textAt } from "./json-elements.ts";
import type { JsonPart } from "./json-elements.ts";
import { pollTimes } from "./poll-times.ts";
import { splitCells } from "./table-log.ts";
import { setLineAside, textLines } from "./text-lines.ts";
import { wideTable } from "./wide-table.ts";
import type { WideLayout, WideSeries } from "./wide-table.ts";

export const mlflow: TelemetryFormat = { id: "mlflow", recognize, open };

/** `system/gpu_0_utilization_percentage`; on several nodes `system/NODE/gpu_0_…`, in a table of runs `metrics.system/…`. */
const metricName = /^(?:metrics\.)?system\/(?:([^/]+)\/)?gpu_(\d{1,3})_(utilization_percentage|memory_usage_megabytes|power_usage_watts)$/;
const anySystemMetric = /^(?:metrics\.)?system\/[\w./-]+$/;

/** MLflow divides bytes by a million. Shares of memory and of the power limit are left out: the amounts stand beside them. */
const meanings: Readonly<Record<string, readonly [TraceMetric, QuantityColumn]>> = {
  utilization_percentage: ["utilization", scaledColumn("percent")],
  memory_usage_megabytes: ["memory-used", scaledColumn("memory", 1e6 / 1_048_576)],
  power_usage_watts: ["power", scaledColumn("power")],
};

function recognize({ head }: Sniffed): Recognition {
  const isJson = /^\s*[{[]/.test(head) && /"key"\s*:\s*"system\/[\w./-]+"/.test(head) && /"timestamp"\s*:\s*"?\d/.test(head);
  const layout = isJson ? null : layoutOf(headerOf(head));
  const isMlflow = isJson || layout === "wide" || layout === "runs" || (layout === "long" && /(?:^|[,;"\t])system\/\w/m.test(head));
  return { formatId: mlflow.id, score: isMlflow ? 1 : 0, version: null, reasons: isMlflow ? [{ code: "columns-present", params: { columns: isJson || layout === "long" ? "key, value, timestamp" : "system/gpu_0" } }] : [], missing: [] };
}

function headerOf(head: string): readonly string[] {
  return splitCells(head.replace(/^\ufeff/, "").split(/\r?\n/, 1)[0] ?? "").map((cell) => cell.trim());
}

const timeNames = ["timestamp", "time", "Timestamp", "Time"];
const keyNames = ["key", "metric", "metric_key", "Metric", "Key"];
const runNames = ["run_id", "run_uuid", "run_name", "run", "Run", "Run ID", "runId", "runName"];

function layoutOf(cells: readonly string[]): "long" | "wide" | "runs" | null {
  const has = (names: readonly string[]): boolean => names.some((name) => cells.includes(name));
  if (has(keyNames) && has(["value", "Value"]) && has(timeNames)) return "long";
  if (!cells.some((cell) => anySystemMetric.test(cell))) return null;
  if (has(timeNames)) return "wide";
  return has(["start_time", "Start Time"]) ? "runs" : null;
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const { name: file, head } = job.sniffed;
  const known = new Map<string, WideSeries | null>();
  const times = pollTimes(job, sink, 10_000);
  const values = new Float64Array(1);
  let hasSeries = false;

  /** Several runs may have lain on several hosts; the person's word is for all of them. */
  function hostOf(run: string, node: string): string {
    const host = job.options.host ?? (run === "" ? job.host : run);
    return node === "" ? host : /^\d+$|^node_\d+$/.test(node) ? `${host}/${node}` : node;
  }

  function seriesOf(name: string, run: string): WideSeries | null {
    const key = `${run} ${name}`;
    let series = known.get(key);
    if (series !== undefined) return series;
    const [, node = "", index = "", kind = ""] = metricName.exec(name) ?? [];
    const [metric, column] = meanings[kind] ?? [];
    series = metric === undefined || column === undefined ? null : { device: sink.series({ host: hostOf(run, node), uuid: null, pciBusId: null, index: Number(index) }, [metric], "forward"), column };
    hasSeries ||= series !== null;
    known.set(key, series);
    return series;
  }

  function takePoint(name: string, run: string, value: string, time: string, line: string, number: number): LedgerError | null {
    sink.rowRead();
    const series = seriesOf(name, run);
    if (series === null) {
      sink.rowIgnored();
      return null;
    }
    values[0] = readQuantityText(series.column, value, sink);
    const outcome = times.stated(time, series.device, values);
    if (outcome === "zone-needed") return ledgerError("import.zone-needed", { file });
    if (outcome === "no-time" || outcome === "hour-skipped") setLineAside(sink, line, number, { column: "timestamp", value: time }, "utc-time");
    return null;
  }

  function jsonReader(): BytesReader {
    /** Of the run at hand, in a list of runs: its id comes with its first part. */
    let run = "";
    const isPoint = (path: readonly (string | number)[]): boolean => path.at(-2) === "metrics" && typeof path.at(-1) === "number";
    const isFlat = /^\s*\[/.test(head) || !/"metrics"\s*:\s*\[/.test(head);
    const isElement = (path: readonly (string | number)[]): boolean => isPoint(path) || path.at(-1) === "info" || (isFlat && path.length === (/^\s*\[/.test(head) ? 1 : 0));
    function take(part: JsonPart, path: readonly (string | number)[]): LedgerError | null {
      if (path.at(-1) === "info") {
        run = textAt(part, "run_name") ?? textAt(part, "run_id") ?? textAt(part, "run_uuid") ?? "";
        return null;
      }
      const key = textAt(part, "key");
      if (key === null) return null;
      const own = runNames.map((name) => textAt(part, name)).find((name) => name !== null) ?? run;
      return takePoint(key, own, textAt(part, "value") ?? "", textAt(part, "timestamp") ?? "", key, 0);
    }
    const elements = jsonElements(file, isElement, take);
    return { takes: "bytes", bytes: elements.bytes, end: () => cutTrouble(elements, file, () => sink.repaired("truncated-last-line")) ?? times.end(), hasGpuSeries: () => hasSeries, version: () => null };
  }

  function longReader(): BytesReader {
    let header: readonly string[] | null = null;
    const lines = textLines(sink, (line, number, isTerminated) => {
      if (line.trim() === "") return null;
      const cells = splitCells(line).map((cell) => cell.trim());
      if (header === null) {
        header = headerOf(line);
        return null;
      }
      if (!isTerminated) {
        sink.repaired("truncated-last-line");
        return null;
      }
      if (cells.length !== header.length) {
        sink.rowRead();
        setLineAside(sink, line, number, { column: "", value: line }, "column-count");
        return null;
      }
      const columns = header;
      const cell = (names: readonly string[]): string => cells[columns.findIndex((name) => names.includes(name))] ?? "";
      return takePoint(cell(keyNames), cell(runNames), cell(["value", "Value"]), cell(timeNames), line, number);
    });
    return { takes: "bytes", bytes: lines.bytes, end: () => lines.end() ?? times.end(), hasGpuSeries: () => hasSeries, version: () => null };
  }

  /** A table of runs states the last values of each, and not when they were measured: nothing of it is kept. */
  function columnsOf(cells: readonly string[]): WideLayout {
    const isRuns = layoutOf(cells) === "runs";
    return { shape: "columns", time: cells.findIndex((cell) => timeNames.includes(cell)), timeIs: "stamp", series: cells.map((cell) => (isRuns ? null : seriesOf(cell, ""))) };
  }

  if (/^\s*[{[]/.test(head)) return ok(jsonReader());
  return ok(layoutOf(headerOf(head)) === "long" ? longReader() : wideTable(job, sink, { delimiter: ",", layoutOf: columnsOf, hasSeries: () => hasSeries }));
}
