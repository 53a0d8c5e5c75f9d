/**
 * CloudWatch's answers over the agent's `nvidia_smi_*` metrics and Container Insights' `node_gpu_*`: `get-metric-data`, `get-metric-statistics`, metric streams as JSON lines, and
 * the console's CSV with its rows of metadata. Dimensions stand in labels and ids only, as far as they stand anywhere. Field notes 5.1.
 */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { TraceMetric } from "../../store/traces.ts";
import type { Recognition } from "../format.ts";
import { scaledColumn } from "./cells.ts";
import type { QuantityColumn } from "./cells.ts";
import type { DeviceSeries, LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { deviceKey } from "./identity.ts";
import { cutTrouble, isList, isObject, jsonElements, textAt } from "./json-elements.ts";
import type { JsonPart } from "./json-elements.ts";
import { addPoints } from "./sorted-points.ts";
import { splitCells } from "./table-log.ts";
import { textLines } from "./text-lines.ts";

export const cloudWatch: TelemetryFormat = { id: "cloudwatch", recognize, open };

const metadataRow = /^"?(?:full label|label|id|metric|statistic|period|region|namespace)"?,/i;

function recognize({ head }: Sniffed): Recognition {
  const isJson = /^\s*\{/.test(head);
  const isAnswer = isJson && (/"MetricDataResults"\s*:\s*\[/.test(head) || (/"Datapoints"\s*:\s*\[/.test(head) && /"(Label|Timestamp)"\s*:/.test(head)) || (/"metric_stream_name"\s*:/.test(head) && /"metric_name"\s*:/.test(head)));
  const lines = isJson ? [] : head.split(/\r?\n/).slice(0, 12);
  const isTable = metadataRow.test(lines[0] ?? "") && lines.filter((line) => metadataRow.test(line)).length > 1 && lines.some((line) => /^"?\d{4}[-/]\d/.test(line));
  const columns = isTable ? "Label" : "MetricDataResults";
  return { formatId: cloudWatch.id, score: isAnswer || isTable ? 1 : 0, version: null, reasons: isAnswer || isTable ? [{ code: "columns-present", params: { columns } }] : [], missing: [] };
}

interface WatchedSeries {
  readonly device: DeviceSeries;
  readonly column: QuantityColumn;
}

const metrics: Readonly<Record<string, readonly [TraceMetric, QuantityColumn]>> = {
  nvidia_smi_utilization_gpu: ["utilization", scaledColumn("percent")],
  nvidia_smi_memory_used: ["memory-used", scaledColumn("memory")],
  nvidia_smi_power_draw: ["power", scaledColumn("power")],
  node_gpu_utilization: ["utilization", scaledColumn("percent")],
  node_gpu_memory_used: ["memory-used", scaledColumn("memory", 1 / 1_048_576)],
  node_gpu_power_draw: ["power", scaledColumn("power")],
};
/** Words that follow a board's name in a label: its architecture, which is a dimension too. */
const architectures = /\s+(?:Kepler|Maxwell|Pascal|Volta|Turing|Ampere|Ada|Ada Lovelace|Hopper|Blackwell)\b.*$/;

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const { name: file, head } = job.sniffed;
  /** Which results say the same of the same device: then nothing tells them apart. */
  const claims = new Map<string, string>();
  let hasSeries = false;

  /** The device and metric that a result's label and id speak of; null for none that is kept. */
  function seriesOf(label: string, id: string, result: string): WatchedSeries | null | LedgerError {
    const words = `${label} ${id}`;
    const found = /(?:nvidia_smi[_ ](?:utilization_gpu|memory_used|power_draw)|node_gpu_(?:utilization|memory_used|power_draw))\b/.exec(words.replaceAll("-smi-", "_smi_"));
    const [metric, column] = metrics[(found?.[0] ?? "").replace(" ", "_")] ?? [];
    if (metric === undefined || column === undefined) return null;
    const host = /\bi-[0-9a-f]{8,17}\b/.exec(words)?.[0] ?? /\bhost[=: ]+([\w.-]+)/.exec(words)?.[1] ?? job.host;
    const rest = words.replace(host, " ").replace(found?.[0] ?? "", " ");
    const index = /\bindex\W{0,3}(\d{1,3})\b/i.exec(rest)?.[1] ?? /(?<![a-z])(?:gpu|nvidia)[ _-]?(\d{1,3})(?!\d)/i.exec(rest)?.[1] ?? /(?:^|[\s,;/|])(\d{1,2})(?=[\s,;/|]|$)/.exec(rest)?.[1] ?? null;
    // Of a node as a whole it is the mean over its GPUs, which is none of theirs.
    if (index === null && found?.[0].startsWith("node_gpu_") === true) return null;
    hasSeries = true;
    if (index === null) sink.repaired("assumed-single-gpu");
    const identity = { host, uuid: null, pciBusId: null, index: index === null ? 0 : Number(index) };
    const claim = `${deviceKey(identity)} ${metric}`;
    if ((claims.get(claim) ?? result) !== result) return ledgerError("import.column-missing", { file, format: cloudWatch.id, columns: "index" });
    claims.set(claim, result);
    const device = sink.series(identity, [metric], "backward");
    const board = /\b((?:NVIDIA|Tesla) [\w -]*?\w)(?=\s*[,;/|]|\s*$)/.exec(label.replace(found?.[0] ?? "", "").replace(host, "").replace(/\s+/g, " ").trim())?.[1];
    if (board !== undefined) device.describe({ name: board.replace(architectures, "").replace(/(?: \d{1,2})+$/, "") });
    return { device, column };
  }

  function add(label: string, id: string, result: string, points: readonly { readonly time: string; readonly value: string | null }[]): LedgerError | null {
    const series = seriesOf(label, id, result);
    if (series !== null && "code" in series) return series;
    return addPoints(series, points, sink) === "zone-needed" ? ledgerError("import.zone-needed", { file }) : null;
  }

  return ok(/^\s*\{/.test(head) ? jsonReader() : tableReader());

  function jsonReader(): LogReader {
    function take(part: JsonPart, path: readonly (string | number)[]): LedgerError | null {
      if (!isObject(part)) return null;
      if (path.length === 2) {
        const times = part["Timestamps"];
        const values = part["Values"];
        const points = isList(times) && isList(values) ? times.map((time, at) => ({ time: text(time), value: at < values.length ? text(values[at]) : null })) : [];
        // A result may come in several pages; its id stays.
        if (textAt(part, "StatusCode") === "PartialData") sink.repaired("partial-answer");
        return add(textAt(part, "Label") ?? "", textAt(part, "Id") ?? "", textAt(part, "Id") ?? "", points);
      }
      const datapoints = part["Datapoints"];
      if (isList(datapoints)) return add(textAt(part, "Label") ?? "", "", textAt(part, "Label") ?? "", datapoints.map((point) => ({ time: textAt(point, "Timestamp") ?? "", value: textAt(point, "Average") })));
      return textAt(part, "metric_name") === null ? null : streamed(part);
    }

    /** One minute of one metric: the mean is the sum over the count. */
    function streamed(part: JsonPart): LedgerError | null {
      const dimensions = ["InstanceId", "host", "index", "name"].flatMap((name) => {
        const value = textAt(part, "dimensions", name);
        return value === null ? [] : `${name === "InstanceId" || name === "name" ? "" : `${name}=`}${value}`;
      });
      const words = `${textAt(part, "metric_name") ?? ""}, ${dimensions.join(", ")}`;
      const count = Number(textAt(part, "value", "count"));
      const sum = textAt(part, "value", "sum");
      const value = sum !== null && count > 0 ? String(Number(sum) / count) : null;
      return add(words, "", words, [{ time: textAt(part, "timestamp") ?? "", value }]);
    }

    const isElement = (path: readonly (string | number)[]): boolean => (path.length === 2 && path[0] === "MetricDataResults") || (path.length === 0 && !/"MetricDataResults"/.test(head));
    const elements = jsonElements(file, isElement, take);
    return {
      takes: "bytes",
      bytes: elements.bytes,
      end: () => cutTrouble(elements, file, () => sink.repaired("truncated-last-line")),
      hasGpuSeries: () => hasSeries,
      version: () => null,
    };
  }

  function tableReader(): LogReader {
    /** What the rows of metadata say of each column. */
    const words: string[] = [];
    let columns: (WatchedSeries | null)[] | null = null;
    const lines = textLines(sink, (line, _number, isTerminated) => {
      if (line.trim() === "") return null;
      const cells = splitCells(line).map((cell) => cell.trim());
      if (!/^\d{4}[-/]\d/.test(cells[0] ?? "")) {
        if (columns === null) cells.forEach((cell, at) => (words[at] = `${words[at] ?? ""} ${cell}`));
        return null;
      }
      if (!isTerminated) {
        sink.repaired("truncated-last-line");
        return null;
      }
      if (columns === null) {
        columns = [];
        for (const [at, each] of words.entries()) {
          const series = at === 0 ? null : seriesOf(each, "", String(at));
          if (series !== null && "code" in series) return series;
          columns[at] = series;
        }
      }
      for (let at = 1; at < cells.length; at++) {
        if ((cells[at] ?? "") === "") continue;
        if (addPoints(columns[at] ?? null, [{ time: cells[0] ?? "", value: cells[at] ?? "" }], sink) === "zone-needed") return ledgerError("import.zone-needed", { file });
      }
      return null;
    });
    return { takes: "bytes", bytes: lines.bytes, end: lines.end, hasGpuSeries: () => hasSeries, version: () => null };
  }
}

function text(part: JsonPart | undefined): string {
  return typeof part === "string" ? part : "";
}
