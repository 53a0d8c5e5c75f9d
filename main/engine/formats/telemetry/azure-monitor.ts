/**
 * Azure Monitor: the table InsightsMetrics of Container insights, as CSV of the portal, as JSON rows or as the query interface's tables, and
 * platform metrics of machine learning computes (`value[].timeseries[].data[]`). Their energy is what a GPU drew in the minute before each
 * report, so that joules by the minute are watts. Field notes 5.3; learn.microsoft.com, supported metrics of machine learning workspaces.
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
import type { DeviceSeries, LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { deviceKey, normalizedIndex, normalizedUuid } from "./identity.ts";
import { cutTrouble, isList, isObject, jsonElements, textAt } from "./json-elements.ts";
import type { JsonPart } from "./json-elements.ts";
import { addPoints } from "./sorted-points.ts";
import { splitCells } from "./table-log.ts";
import { setLineAside, textLines } from "./text-lines.ts";

export const azureMonitor: TelemetryFormat = { id: "azure-monitor", recognize, open };

const headerNames = ["TimeGenerated", "Computer", "Name", "Val", "Tags"] as const;
type HeaderName = (typeof headerNames)[number];

function recognize({ head }: Sniffed): Recognition {
  const isTable = layoutOf(head.split(/\r?\n/, 1)[0] ?? "") !== null;
  const isRows = /^\s*\[\s*\{/.test(head) && /"TimeGenerated"\s*:/.test(head) && /"Val"\s*:/.test(head) && /"Name"\s*:/.test(head);
  const isMetrics = /^\s*\{/.test(head) && /"timeseries"\s*:\s*\[/.test(head) && /"timeStamp"\s*:/.test(head);
  const isTables = /^\s*\{/.test(head) && /"tables"\s*:\s*\[/i.test(head) && /"columns"\s*:\s*\[/i.test(head) && headerNames.every((name) => head.includes(`"${name}"`));
  const isAzure = isTable || isRows || isMetrics || isTables;
  return { formatId: azureMonitor.id, score: isAzure ? 1 : 0, version: null, reasons: isAzure ? [{ code: "columns-present", params: { columns: isMetrics ? "timeseries" : headerNames.join(", ") } }] : [], missing: [] };
}

/** The portal writes `TimeGenerated [UTC]`. */
function layoutOf(line: string): Readonly<Record<HeaderName, number>> | null {
  const cells = splitCells(line.replace(/^\ufeff/, "")).map((cell) => cell.trim().replace(/ \[UTC\]$/, ""));
  const at = Object.fromEntries(headerNames.map((name) => [name, cells.indexOf(name)])) as Record<HeaderName, number>;
  return Object.values(at).every((place) => place >= 0) ? at : null;
}

const meanings: Readonly<Record<string, readonly [TraceMetric | "memory-total", QuantityColumn]>> = {
  containerGpuDutyCycle: ["utilization", scaledColumn("percent")],
  containerGpumemoryUsedBytes: ["memory-used", scaledColumn("memory", 1 / 1_048_576)],
  containerGpumemoryTotalBytes: ["memory-total", scaledColumn("memory", 1 / 1_048_576)],
  GpuUtilizationPercentage: ["utilization", scaledColumn("percent")],
  GpuUtilization: ["utilization", scaledColumn("percent")],
  GpuUtilizationMilliGPUs: ["utilization", scaledColumn("percent", 1 / 10)],
  GpuMemoryUtilizationMegabytes: ["memory-used", scaledColumn("memory")],
  GpuMemoryCapacityMegabytes: ["memory-total", scaledColumn("memory")],
  GpuEnergyJoules: ["counted-power", scaledColumn("power", 1 / 60)],
};

/** Minutes of an answer's grain, `PT5M`; null where it states none. */
function grainMinutes(head: string): number | null {
  const [, days, hours, minutes] = /"interval"\s*:\s*"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?"/i.exec(head) ?? [];
  const all = Number(days ?? 0) * 1440 + Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return all > 0 ? all : null;
}

interface InsightsRow {
  readonly time: string;
  readonly computer: string;
  readonly name: string;
  readonly value: string;
  readonly tags: string;
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const { name: file, head } = job.sniffed;
  let hasSeries = false;
  const known = new Map<string, DeviceSeries>();

  function seriesOf(metric: TraceMetric, identity: Parameters<LogSink["series"]>[0]): DeviceSeries {
    hasSeries = true;
    const key = `${deviceKey(identity)} ${metric}`;
    let series = known.get(key);
    if (series === undefined) known.set(key, (series = sink.series(identity, [metric], "backward")));
    return series;
  }

  function takeRow({ time, computer, name, value, tags }: InsightsRow): LedgerError | null {
    const [metric, column] = meanings[name] ?? [];
    const stated = tagsOf(tags);
    const uuid = normalizedUuid(stated("gpuId"));
    const index = normalizedIndex(stated("gpuId"));
    const identity = { host: computer === "" ? job.host : computer, uuid, pciBusId: null, index };
    // The portal writes UTC without saying so; `9/1/2026, 10:00:00.000 AM` is what a browser in American English makes of it.
    const points = [{ time: /Z|[+-]\d\d:?\d\d$/.test(time) || !/\d:\d/.test(time) ? time : `${time}Z`, value }];
    if (metric === undefined || column === undefined || (uuid === null && index === null)) {
      addPoints(null, points, sink);
      return null;
    }
    if (metric === "memory-total") {
      const memoryTotalMiB = readQuantityText(column, value, sink);
      if (memoryTotalMiB > 0) sink.series(identity, [], "backward").describe({ memoryTotalMiB });
      addPoints(null, points, sink);
      return null;
    }
    const device = seriesOf(metric, identity);
    const model = stated("gpuModel");
    if (model !== "") device.describe({ name: model });
    addPoints({ device, column }, points, sink, job.dateOrder);
    return null;
  }

  function tableReader(): LogReader {
    let at = null as ReturnType<typeof layoutOf>;
    let width = 0;
    const lines = textLines(sink, (line, number, isTerminated) => {
      if (line.trim() === "") return null;
      if (at === null) {
        at = layoutOf(line);
        width = splitCells(line).length;
        return null;
      }
      const layout = at;
      if (!isTerminated) {
        sink.repaired("truncated-last-line");
        return null;
      }
      const cells = splitCells(line);
      if (cells.length !== width) {
        sink.rowRead();
        setLineAside(sink, line, number, { column: "", value: line }, "column-count");
        return null;
      }
      const cell = (name: HeaderName): string => (cells[layout[name]] ?? "").trim();
      return takeRow({ time: cell("TimeGenerated"), computer: cell("Computer"), name: cell("Name"), value: cell("Val"), tags: cell("Tags") });
    });
    return { takes: "bytes", bytes: lines.bytes, end: lines.end, hasGpuSeries: () => hasSeries, version: () => null };
  }

  function jsonReader(): LogReader {
    const grain = grainMinutes(head);
    /** Of the table at hand: where each column stands in its rows. */
    let places = new Map<string, number>();

    function take(part: JsonPart, path: readonly (string | number)[]): LedgerError | null {
      if (isKey(path[0], "tables")) return takeOfTable(part, path);
      if (path.length === 1) return takeRow({ time: textAt(part, "TimeGenerated") ?? "", computer: textAt(part, "Computer") ?? "", name: textAt(part, "Name") ?? "", value: textAt(part, "Val") ?? "", tags: textAt(part, "Tags") ?? "" });
      return takeMetric(part);
    }

    function takeOfTable(part: JsonPart, path: readonly (string | number)[]): LedgerError | null {
      const list = isList(part) ? part : [];
      if (isKey(path[2], "columns")) {
        places = new Map(list.map((column, at) => [textAt(column, "name") ?? textAt(column, "ColumnName") ?? "", at]));
        return null;
      }
      const cell = (name: HeaderName): string => {
        const value = list[places.get(name) ?? -1];
        return typeof value === "string" ? value : isObject(value) ? JSON.stringify(value) : "";
      };
      return takeRow({ time: cell("TimeGenerated"), computer: cell("Computer"), name: cell("Name"), value: cell("Val"), tags: cell("Tags") });
    }

    /** One metric with a series for each combination of dimensions. */
    function takeMetric(part: JsonPart): LedgerError | null {
      const [metric, column] = meanings[textAt(part, "name", "value") ?? ""] ?? [];
      const list = isObject(part) ? part["timeseries"] : undefined;
      for (const each of isList(list) ? list : []) {
        if (!isObject(each)) continue;
        const dimension = (name: string): string => {
          const all = each["metadatavalues"];
          const found = isList(all) ? all.find((candidate) => textAt(candidate, "name", "value")?.toLowerCase() === name) : undefined;
          return textAt(found, "value") ?? "";
        };
        const data = each["data"];
        const points = isList(data) ? data.map((point) => ({ time: textAt(point, "timeStamp") ?? "", value: textAt(point, "average") ?? (metric === "counted-power" ? byTheMinute(textAt(point, "total"), grain) : null) })) : [];
        const uuid = normalizedUuid(dimension("deviceid"));
        const index = normalizedIndex(dimension("deviceid"));
        const isNamed = uuid !== null || index !== null;
        const isKept = metric !== undefined && metric !== "memory-total" && column !== undefined && isNamed;
        const host = dimension("nodeid") || dimension("instanceid") || job.host;
        if (metric === "memory-total" && column !== undefined && isNamed) {
          const memoryTotalMiB = readQuantityText(column, points.find(({ value }) => value !== null)?.value ?? "", sink);
          if (memoryTotalMiB > 0) sink.series({ host, uuid, pciBusId: null, index }, [], "backward").describe({ memoryTotalMiB });
        }
        const series = isKept ? { device: seriesOf(metric, { host, uuid, pciBusId: null, index }), column } : null;
        if (addPoints(series, points, sink) === "zone-needed") return ledgerError("import.zone-needed", { file });
      }
      return null;
    }

    const isElement = (path: readonly (string | number)[]): boolean =>
      (path.length === 2 && path[0] === "value") || (path.length === 1 && typeof path[0] === "number") || (isKey(path[0], "tables") && ((path.length === 3 && isKey(path[2], "columns")) || (path.length === 4 && isKey(path[2], "rows"))));
    const elements = jsonElements(file, isElement, take);
    return {
      takes: "bytes",
      bytes: elements.bytes,
      end: () => cutTrouble(elements, file, () => sink.repaired("truncated-last-line")),
      hasGpuSeries: () => hasSeries,
      version: () => null,
    };
  }

  return ok(/^\s*[[{]/.test(head) ? jsonReader() : tableReader());
}

/** The sum of a grain's minutes as a mean of them; null where either is not known. */
function byTheMinute(total: string | null, grain: number | null): string | null {
  return total === null || grain === null ? null : String(Number(total) / grain);
}

/** Azure's interfaces begin the same keys with a small or a capital letter. */
function isKey(key: string | number | undefined, name: string): boolean {
  return typeof key === "string" && key.toLowerCase() === name;
}

/** Tags are JSON within a cell. */
function tagsOf(tags: string): (name: string) => string {
  let stated: Readonly<Record<string, unknown>> = {};
  try {
    const parsed: unknown = JSON.parse(tags);
    if (typeof parsed === "object" && parsed !== null) stated = parsed as Readonly<Record<string, unknown>>;
  } catch {
    // What is no JSON states nothing.
  }
  return (name) => {
    const key = Object.keys(stated).find((each) => each.toLowerCase() === name.toLowerCase());
    const value = key === undefined ? undefined : stated[key];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
}
