/**
 * `amd-smi monitor` and `amd-smi metric` as CSV, JSON and as they print on a screen (`amd-smi-text.ts`); lists within cells, quoted or not,
 * are one cell. Field notes 6.2.
 */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import { missingReason, readQuantityText } from "./cells.ts";
import type { QuantityColumn } from "./cells.ts";
import { isMetricText, metricTextReader, monitorTool } from "./amd-smi-text.ts";
import { amdRole, amdUuid, isProcessTable } from "./amd-smi-names.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { normalizedPciBusId } from "./identity.ts";
import { cutTrouble, isObject, jsonElements, textAt } from "./json-elements.ts";
import type { JsonObject, JsonPart } from "./json-elements.ts";
import { deviceReadings, polledDevices } from "./polled-devices.ts";
import { layoutBy, recognizeTable, tableReader } from "./table-log.ts";
import type { TableRole, TableTool } from "./table-log.ts";

const tool: TableTool = {
  id: "amd-smi",
  layoutOf(cells) {
    const names = cells.map((cell) => cell.trim().toLowerCase());
    // `amd-smi process`: what a process uses is not the GPU's.
    if (isProcessTable(names)) return { names, of: { index: names.indexOf("gpu") }, columns: {} };
    if (!names.includes("gpu") || !names.some((name) => /^(gfx|gfx_activity|gfx_usage|umc_activity|gfx_cur_clk|gfx_clock|socket_power|power_usage|hotspot_temperature)$/.test(name))) return null;
    return layoutBy(cells, amdRole, ["index"]);
  },
  everyMs: 1000,
  uuid: amdUuid,
  isForeign: (_, { names }) => (isProcessTable(names) ? "process-list" : false),
};

export const amdSmi: TelemetryFormat = { id: tool.id, recognize, open };

/** `--json`: lists of objects with a `gpu`, in newer versions within `gpu_data`. */
const opensList = /^\s*(?:\[\s*\{|\{\s*"gpu_data"\s*:\s*\[\s*\{)/m;

function recognize(sniffed: Sniffed): Recognition {
  const found = opensList.exec(sniffed.head);
  if (found === null) {
    const table = [tool, monitorTool].map((each) => recognizeTable(each, sniffed)).find(({ score }) => score > 0);
    return table ?? { formatId: tool.id, score: isMetricText(sniffed.head) ? 1 : 0, version: null, reasons: isMetricText(sniffed.head) ? [{ code: "columns-present", params: { columns: "GPU" } }] : [], missing: [] };
  }
  const inner = sniffed.head.slice(found.index);
  const isAmd = /"gpu"\s*:\s*\d+/.test(inner) && /"(gfx_activity|gfx|gfx_usage|socket_power|power_usage|used_vram|vram_used|umc_activity)"\s*:/.test(inner);
  return { formatId: tool.id, score: isAmd ? 1 : 0, version: null, reasons: isAmd ? [{ code: "columns-present", params: { columns: "gpu" } }] : [], missing: [] };
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  if (!opensList.test(job.sniffed.head)) {
    if (isMetricText(job.sniffed.head)) return ok(metricTextReader(job, sink));
    return ok(tableReader(recognizeTable(tool, job.sniffed).score > 0 ? tool : monitorTool, job, sink));
  }
  const { name: file } = job.sniffed;
  const devices = polledDevices(job, sink, { groups: [deviceReadings], everyMs: tool.everyMs });
  let gpus = 0;

  function takeGpu(gpu: JsonPart): LedgerError | null {
    if (!isObject(gpu)) return null;
    const index = textAt(gpu, "gpu");
    if (index === null || !/^\d{1,3}$/.test(index)) return null;
    gpus += 1;
    const cells = new Map<TableRole, readonly [cell: string, column: QuantityColumn | undefined]>();
    collect(gpu, cells);
    const text = (role: TableRole): string => cells.get(role)?.[0].trim() ?? "";
    const read = (role: TableRole): number => {
      const [cell, column] = cells.get(role) ?? [];
      return cell === undefined || column === undefined ? Number.NaN : readQuantityText(column, cell, sink);
    };
    return devices.take({
      time: text("time") === "" ? null : text("time"),
      host: null,
      uuid: amdUuid(text("uuid").toLowerCase()),
      pciBusId: normalizedPciBusId(text("pci")),
      index: Number(index),
      name: text("name"),
      memoryTotalMiB: missingReason(text("memory-total")) === null ? read("memory-total") : Number.NaN,
      values: [Float64Array.of(read("utilization"), read("memory-used"), read("power"))],
    }, `gpu ${index}`, 0);
  }

  // An element of a list at the top or of `gpu_data`.
  const isGpu = (path: readonly (string | number)[]): boolean => (path.length === 1 && typeof path[0] === "number") || (path.length === 2 && path[0] === "gpu_data" && typeof path[1] === "number");
  const elements = jsonElements(file, isGpu, takeGpu);
  return ok({
    takes: "bytes",
    bytes: elements.bytes,
    end: () => cutTrouble(elements, file, () => sink.repaired("truncated-last-line")) ?? devices.end(),
    hasGpuSeries: () => gpus > 0,
    version: () => null,
  });
}

/** Members by their roles, however deep; `{ "value": 98, "unit": "%" }` is `98 %`. */
function collect(part: JsonObject, into: Map<TableRole, readonly [cell: string, column: QuantityColumn | undefined]>): void {
  for (const [name, member] of Object.entries(part)) {
    const found = amdRole(name);
    const value = isObject(member) ? textAt(member, "value") : typeof member === "string" ? member : null;
    if (found !== null && value !== null && !into.has(found[0])) into.set(found[0], [`${value} ${isObject(member) ? (textAt(member, "unit") ?? "") : ""}`.trim(), found[1]]);
    else if (isObject(member)) collect(member, into);
  }
}
