/**
 * `timeSeries.list` of Google Cloud Monitoring over its metrics of GPUs and TPUs; each element of `timeSeries` is one series. Client
 * libraries spell its members with underscores. A TPU's duty cycle is the share of time at work, its tensor cores' the share of their peak.
 * Field notes 5.2.
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
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { normalizedIndex, normalizedUuid } from "./identity.ts";
import { cutTrouble, isList, isObject, jsonElements, textAt } from "./json-elements.ts";
import type { JsonPart } from "./json-elements.ts";
import { addPoints } from "./sorted-points.ts";

export const gcpMonitoring: TelemetryFormat = { id: "gcp-monitoring", recognize, open };

function recognize({ head }: Sniffed): Recognition {
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

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const file = job.sniffed.name;
  let hasSeries = false;

  function take(part: JsonPart): LedgerError | null {
    if (!isObject(part)) return null;
    const points = isList(part["points"]) ? part["points"].map(pointOf) : [];
    const meaning = meanings[textAt(part, "metric", "type") ?? ""];
    // Attributes such as `gpu.uuid` become labels with underscores, in some exports they keep their points.
    const label = (...names: readonly string[]): string => names.flatMap((name) => [name, name.replaceAll("_", ".")]).map((name) => textAt(part, "metric", "labels", name) ?? textAt(part, "resource", "labels", name) ?? "").find((value) => value !== "") ?? "";
    const isKept = meaning !== undefined && (meaning.only === undefined || label(meaning.only[0]) === meaning.only[1]);
    const accelerator = label("uuid", "gpu_uuid", "accelerator_id");
    const uuid = normalizedUuid(accelerator);
    // A TPU's id ends with the number of its chip on the host.
    const index = normalizedIndex(label("gpu_number")) ?? normalizedIndex(/^\d{6,}-(\d{1,3})$/.exec(accelerator)?.[1] ?? "");
    if (!isKept || (uuid === null && index === null)) {
      addPoints(null, points, sink);
      return null;
    }
    const host = label("instance_name") || (textAt(part, "metadata", "systemLabels", "name") ?? "") || label("node_name") || label("instance_id") || job.host;
    const isTotal = meaning.metric === "memory-total";
    const device = sink.series({ host, uuid, pciBusId: null, index }, meaning.metric === "memory-total" ? [] : [meaning.metric], "backward");
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
