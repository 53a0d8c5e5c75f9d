/**
 * `timeSeries.list` of Google Cloud Monitoring over its metrics of GPUs and TPUs; each element of `timeSeries` is one series. Client
 * libraries spell its members with underscores. A TPU's duty cycle is the share of time at work, its tensor cores' the share of their peak.
 * A chart's CSV of Metrics Explorer has a column for each series and says above it, in one line or several, which labels it has; a column
 * that names no GPU is of none. Field notes 5.2.
 */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { TraceMetric } from "../../store/traces.ts";
import { readTimestamp } from "../../import/timestamp.ts";
import type { Recognition } from "../format.ts";
import { readQuantityText, scaledColumn } from "./cells.ts";
import type { QuantityColumn } from "./cells.ts";
import type { DeviceIdentity, LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { normalizedIndex, normalizedUuid } from "./identity.ts";
import { cutTrouble, isList, isObject, jsonElements, textAt } from "./json-elements.ts";
import type { JsonPart } from "./json-elements.ts";
import { addPoints } from "./sorted-points.ts";
import { splitCells } from "./table-log.ts";
import { wideTable } from "./wide-table.ts";
import type { WideLayout, WideSeries } from "./wide-table.ts";

export const gcpMonitoring: TelemetryFormat = { id: "gcp-monitoring", recognize, open };

function recognize({ head, delimiter }: Sniffed): Recognition {
  const preamble = preambleOf(head, delimiter);
  if (preamble !== null) return { formatId: gcpMonitoring.id, score: 1, version: null, reasons: [{ code: "series-present", params: { columns: metricIn(preamble.flat().join(" ")) ?? "" } }], missing: [] };
  const isList = /^\s*[{[]/.test(head) && /"metric"\s*:\s*\{/.test(head) && /"type"\s*:\s*"[\w.-]+\.googleapis\.com\/|"type"\s*:\s*"kubernetes\.io\//.test(head) && /"points"\s*:\s*\[|"time_?[sS]eries"\s*:/.test(head);
  return { formatId: gcpMonitoring.id, score: isList ? 1 : 0, version: null, reasons: isList ? [{ code: "columns-present", params: { columns: "timeSeries" } }] : [], missing: [] };
}

const percent = scaledColumn("percent");
const ratio = scaledColumn("percent", 100);
const bytes = scaledColumn("memory", 1 / 1_048_576);

interface Meaning {
  readonly metric: TraceMetric | "memory-total";
  readonly column: QuantityColumn;
  /** The label and the value without which the series is another one. */
  readonly only?: readonly [label: string, value: string];
}
const meanings: Readonly<Record<string, Meaning>> = {
  "agent.googleapis.com/gpu/utilization": { metric: "utilization", column: percent },
  "agent.googleapis.com/gpu/memory/bytes_used": { metric: "memory-used", column: bytes, only: ["memory_state", "used"] },
  "kubernetes.io/container/accelerator/duty_cycle": { metric: "utilization", column: percent },
  "kubernetes.io/container/accelerator/memory_used": { metric: "memory-used", column: bytes },
  "kubernetes.io/container/accelerator/memory_total": { metric: "memory-total", column: bytes },
  "kubernetes.io/container/accelerator/tensorcore_utilization": { metric: "tensor-active", column: percent },
  "kubernetes.io/container/accelerator/memory_bandwidth_utilization": { metric: "dram-active", column: percent },
  "kubernetes.io/node/accelerator/duty_cycle": { metric: "utilization", column: percent },
  "kubernetes.io/node/accelerator/memory_used": { metric: "memory-used", column: bytes },
  "kubernetes.io/node/accelerator/memory_total": { metric: "memory-total", column: bytes },
  "kubernetes.io/node/accelerator/tensorcore_utilization": { metric: "tensor-active", column: percent },
  "kubernetes.io/node/accelerator/memory_bandwidth_utilization": { metric: "dram-active", column: percent },
  "workload.googleapis.com/gpu.dcgm.utilization": { metric: "utilization", column: ratio },
  "workload.googleapis.com/gpu.dcgm.sm.utilization": { metric: "sm-active", column: ratio },
  "workload.googleapis.com/gpu.dcgm.pipe.utilization": { metric: "tensor-active", column: ratio, only: ["gpu_pipe", "tensor"] },
  "workload.googleapis.com/gpu.dcgm.memory.bandwidth_utilization": { metric: "dram-active", column: ratio },
  "workload.googleapis.com/gpu.dcgm.memory.bytes_used": { metric: "memory-used", column: bytes, only: ["gpu_memory_state", "used"] },
  "workload.googleapis.com/dcgm.gpu.profiling.sm_utilization": { metric: "sm-active", column: ratio },
  "workload.googleapis.com/dcgm.gpu.profiling.pipe_utilization": { metric: "tensor-active", column: ratio, only: ["pipe", "tensor"] },
  "workload.googleapis.com/dcgm.gpu.profiling.dram_utilization": { metric: "dram-active", column: ratio },
};

/** A metric's full name within a text. */
function metricIn(text: string): string | null {
  return Object.keys(meanings).find((type) => new RegExp(`(?<![\\w./])${type.replaceAll(".", "\\.")}(?![\\w/.])`).test(text)) ?? null;
}

const mostPreamble = 40;

/** The cells of the lines above the first that begins with a time, where they name a metric of GPUs; null for anything else. */
function preambleOf(head: string, delimiter: string): readonly (readonly string[])[] | null {
  if (/^\s*[{[]/.test(head)) return null;
  const lines = head.replace(/^\ufeff/, "").split(/\r?\n/).slice(0, mostPreamble + 1).map((line) => splitCells(line, delimiter).map((cell) => cell.trim()));
  const first = lines.findIndex(([time = ""]) => isTime(time));
  const preamble = lines.slice(0, Math.max(first, 0));
  return first > 0 && metricIn(preamble.flat().join(" ")) !== null ? preamble : null;
}

function isTime(cell: string): boolean {
  const bytes = encoder.encode(cell);
  return readTimestamp(bytes, 0, bytes.length, { ms: 0, isInstant: true });
}
const encoder = new TextEncoder();

type LabelOf = (...names: readonly string[]) => string;

/** The GPU that labels name; null where they name none, or the series is of another part of the metric. */
function identityOf(meaning: Meaning, label: LabelOf, host: string): DeviceIdentity | null {
  const accelerator = label("uuid", "gpu_uuid", "accelerator_id");
  const uuid = normalizedUuid(accelerator);
  // A TPU's id ends with the number of its chip on the host.
  const index = normalizedIndex(label("gpu_number")) ?? normalizedIndex(/^\d{6,}-(\d{1,3})$/.exec(accelerator)?.[1] ?? "");
  const isPart = meaning.only === undefined || label(meaning.only[0]) === meaning.only[1];
  return isPart && (uuid !== null || index !== null) ? { host, uuid, pciBusId: null, index } : null;
}

/** Labels as a chart writes them, `gpu_number: 0`, `instance_id=123`, `"uuid":"GPU-…"`, or a name in the first cell of the line and a value in the column. */
function labelsOfColumn(preamble: readonly (readonly string[])[], at: number): LabelOf {
  const labels = new Map<string, string>();
  for (const cells of preamble) {
    const [name = "", cell = ""] = [cells[0], cells[at]];
    if (/^[\w.]+$/.test(name) && cell !== "") labels.set(name.replaceAll(".", "_"), cell);
    for (const [, key = "", value = ""] of cell.matchAll(/([A-Za-z_][\w.]*)"?\s*[:=]\s*"?([^",;{}\s]+)/g)) labels.set(key.replaceAll(".", "_").replace(/^(?:metric|resource|metadata)_(?:labels?|user|system)_/, ""), value);
  }
  return (...names) => names.map((name) => labels.get(name) ?? "").find((value) => value !== "") ?? "";
}

function tableReader(job: LogFormatJob, sink: LogSink): LogReader {
  const preamble = preambleOf(job.sniffed.head, job.sniffed.delimiter) ?? [];
  const width = Math.max(...preamble.map((cells) => cells.length));
  let read = 0;
  let hasSeries = false;

  function seriesAt(at: number): WideSeries | null {
    const own = metricIn(preamble.map((cells) => cells[at] ?? "").join(" "));
    const meaning = meanings[own ?? metricIn(preamble.flat().join(" ")) ?? ""];
    if (meaning === undefined) return null;
    const label = labelsOfColumn(preamble, at);
    const identity = identityOf(meaning, label, label("instance_name", "node_name", "instance_id") || job.host);
    if (identity === null || meaning.metric === "memory-total") return null;
    hasSeries = true;
    const device = sink.series(identity, [meaning.metric], "backward");
    device.describe({ ...(label("model", "gpu_model") === "" ? {} : { name: label("model", "gpu_model") }), ...(identity.index === null ? {} : { index: identity.index }) });
    return { device, column: meaning.column };
  }

  function layoutOf(): WideLayout | null {
    read += 1;
    if (read < preamble.filter((cells) => cells.some((cell) => cell !== "")).length) return null;
    return { shape: "columns", time: 0, timeIs: "stamp", series: Array.from({ length: width }, (_, at) => (at === 0 ? null : seriesAt(at))) };
  }

  return wideTable(job, sink, { delimiter: job.sniffed.delimiter, layoutOf, hasSeries: () => hasSeries });
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  if (preambleOf(job.sniffed.head, job.sniffed.delimiter) !== null) return ok(tableReader(job, sink));
  const file = job.sniffed.name;
  let hasSeries = false;

  function take(part: JsonPart): LedgerError | null {
    if (!isObject(part)) return null;
    const points = isList(part["points"]) ? part["points"].map(pointOf) : [];
    const meaning = meanings[textAt(part, "metric", "type") ?? ""];
    // Attributes such as `gpu.uuid` become labels with underscores, in some exports they keep their points.
    const label = (...names: readonly string[]): string => names.flatMap((name) => [name, name.replaceAll("_", ".")]).map((name) => textAt(part, "metric", "labels", name) ?? textAt(part, "resource", "labels", name) ?? "").find((value) => value !== "") ?? "";
    const host = label("instance_name") || (textAt(part, "metadata", "systemLabels", "name") ?? "") || label("node_name") || label("instance_id") || job.host;
    const identity = meaning === undefined ? null : identityOf(meaning, label, host);
    if (meaning === undefined || identity === null) {
      addPoints(null, points, sink);
      return null;
    }
    const { index } = identity;
    const isTotal = meaning.metric === "memory-total";
    const device = sink.series(identity, meaning.metric === "memory-total" ? [] : [meaning.metric], "backward");
    const name = label("model", "gpu_model");
    device.describe({ ...(name === "" ? {} : { name }), ...(index === null ? {} : { index }) });
    if (isTotal) {
      const memoryTotalMiB = readQuantityText(meaning.column, points[0]?.value ?? "", sink);
      if (memoryTotalMiB > 0) device.describe({ memoryTotalMiB });
      addPoints(null, points, sink);
      return null;
    }
    hasSeries = true;
    return addPoints({ device, column: meaning.column }, points, sink) === "zone-needed" ? ledgerError("import.zone-needed", { file }) : null;
  }

  const isElement = (path: readonly (string | number)[]): boolean => (path.length === 2 && (path[0] === "timeSeries" || path[0] === "time_series")) || (path.length === 1 && typeof path[0] === "number");
  const elements = jsonElements(file, isElement, take);
  return ok({
    takes: "bytes",
    bytes: elements.bytes,
    end: () => cutTrouble(elements, file, () => sink.repaired("truncated-last-line")),
    hasGpuSeries: () => hasSeries,
    version: () => null,
  });
}

/** Averages end with their interval. */
function pointOf(point: JsonPart): { readonly time: string; readonly value: string | null } {
  const value = ["doubleValue", "double_value", "int64Value", "int64_value"].map((member) => textAt(point, "value", member)).find((each) => each !== null) ?? textAt(point, "value", "distributionValue", "mean");
  return { time: textAt(point, "interval", "endTime") ?? textAt(point, "interval", "end_time") ?? "", value };
}
