/** Logs that no format knows, read by the columns that a person told apart. */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import type { LogField, LogMapping } from "../../../../shared/contract/log-mapping.ts";
import { logMeasures } from "../../../../shared/contract/log-mapping.ts";
import { ok } from "../../../../shared/result.ts";
import type { TraceMetric } from "../../store/traces.ts";
import { canonicalName } from "../format.ts";
import { missingReason, readQuantityText, scaledColumn, type QuantityColumn } from "./cells.ts";
import type { BytesReader, Holds, LogFormatJob, LogSink, TelemetryFormat } from "./format.ts";
import { normalizedIndex, normalizedPciBusId, normalizedUuid } from "./identity.ts";
import { polledDevices } from "./polled-devices.ts";
import { splitCells } from "./table-log.ts";
import { setLineAside, textLines } from "./text-lines.ts";

export const MAPPED_LOG = "mapped-log";

/** Whether a mapping says enough: a log without a measurement is none. */
export function measuresIn({ columns }: Pick<LogMapping, "columns">): readonly LogField[] {
  return logMeasures.filter((field) => columns[field] !== undefined);
}

/** Columns that a mapping names and a header does not have. */
export function logColumnsNotIn({ columns }: LogMapping, header: readonly string[]): readonly string[] {
  const known = new Set(header.map(canonicalName));
  return Object.values(columns).flatMap((column) => (column === undefined || known.has(canonicalName(column)) ? [] : [column]));
}

const metricOf = {
  utilization: "utilization", engineActive: "engine-active", smActive: "sm-active", tensorActive: "tensor-active", dramActive: "dram-active", memoryUsed: "memory-used", power: "power",
} as const satisfies Record<(typeof logMeasures)[number], TraceMetric>;

/** From a bare number to percent, MiB or W. */
const factors = { percent: 1, ratio: 100, MiB: 1, GiB: 1024, MB: 1e6 / 1_048_576, GB: 1e9 / 1_048_576, bytes: 1 / 1_048_576, share: 1, W: 1, mW: 1 / 1000, kW: 1000 } as const;

function columnOf(mapping: LogMapping, field: (typeof logMeasures)[number] | "memoryTotal"): QuantityColumn {
  const quantity = field === "power" ? "power" : field === "memoryUsed" || field === "memoryTotal" ? "memory" : "percent";
  const unit = mapping.units[field] ?? (quantity === "power" ? "W" : quantity === "memory" ? "MiB" : "percent");
  return scaledColumn(quantity, factors[unit]);
}

/** Polls a minute apart unless the person says otherwise: no tool of a home-made log has a default. */
const EVERY_MS = 60_000;

export const mappedLog: TelemetryFormat = {
  id: MAPPED_LOG,
  // It is never found by itself: a person says what the columns are.
  recognize: ({ header }, { logMapping }) => {
    const isSaid = logMapping !== undefined && logColumnsNotIn(logMapping, header).length === 0;
    const columns = isSaid ? Object.values(logMapping.columns).filter((column) => column !== undefined) : [];
    return { formatId: MAPPED_LOG, score: isSaid ? 1 : 0, version: null, reasons: isSaid ? [{ code: "columns-given", params: { columns: columns.join(", ") } }] : [], missing: [] };
  },
  open(job, sink) {
    const mapping = job.options.logMapping;
    if (mapping === undefined) throw new Error("a mapped log needs its mapping");
    return ok(mappedReader(mapping, job, sink));
  },
};

function mappedReader(mapping: LogMapping, job: LogFormatJob, sink: LogSink): BytesReader {
  const measures = measuresIn(mapping) as readonly (typeof logMeasures)[number][];
  const holds: Holds = mapping.isMeanUpTo ? "backward" : "forward";
  // What the samples of a row state together; memory and power are readings, whatever the activities are.
  const activities = measures.filter((field) => field !== "memoryUsed" && field !== "power");
  const readings = measures.filter((field) => field === "memoryUsed" || field === "power");
  const groups = [
    ...(activities.length === 0 ? [] : [{ fields: activities, metrics: activities.map((field) => metricOf[field]), holds }]),
    ...(readings.length === 0 ? [] : [{ fields: readings, metrics: readings.map((field) => metricOf[field]), holds: "forward" as const }]),
  ];
  const devices = polledDevices(job, sink, { groups, everyMs: EVERY_MS });
  const columns = new Map(measures.map((field) => [field, columnOf(mapping, field)]));
  const totalColumn = columnOf(mapping, "memoryTotal");
  const { delimiter } = job.sniffed;
  let at: ReadonlyMap<LogField, number> | null = null;
  let width = 0;

  function placesIn(cells: readonly string[]): ReadonlyMap<LogField, number> | null {
    const names = cells.map(canonicalName);
    const places = new Map<LogField, number>();
    for (const [field, column] of Object.entries(mapping.columns) as [LogField, string | undefined][]) {
      if (column === undefined) continue;
      const place = names.indexOf(canonicalName(column));
      if (place < 0) return null;
      places.set(field, place);
    }
    return places;
  }

  function line(text: string, number: number, isTerminated: boolean): LedgerError | null {
    if (text.trim() === "") return null;
    const cells = splitCells(text, delimiter).map((cell) => cell.trim());
    const header = placesIn(cells);
    if (header !== null) {
      if (at !== null) sink.repaired("repeated-header");
      at = header;
      width = cells.length;
      return null;
    }
    if (at === null) return null;
    if (!isTerminated) {
      sink.repaired("truncated-last-line");
      return null;
    }
    const isTrailing = cells.length === width + 1 && cells.at(-1) === "";
    if (cells.length !== width && !isTrailing) {
      sink.rowRead();
      setLineAside(sink, text, number, { column: "", value: text }, "column-count");
      return null;
    }
    const cell = (field: LogField): string => {
      const place = at?.get(field);
      const stated = place === undefined ? "" : (cells[place] ?? "");
      return missingReason(stated) === null ? stated : "";
    };
    const uuid = normalizedUuid(cell("uuid"));
    const pciBusId = normalizedPciBusId(cell("pci"));
    const index = normalizedIndex(cell("index"));
    if (uuid === null && pciBusId === null && index === null && (mapping.columns.uuid ?? mapping.columns.pci ?? mapping.columns.index) !== undefined) {
      sink.rowRead();
      setLineAside(sink, text, number, { column: mapping.columns.uuid ?? mapping.columns.pci ?? mapping.columns.index ?? "", value: cell("uuid") || cell("pci") || cell("index") }, "gpu-identity");
      return null;
    }
    const total = cell("memoryTotal") === "" ? Number.NaN : readQuantityText(totalColumn, cell("memoryTotal"), sink);
    const read = (field: (typeof logMeasures)[number]): number => {
      const place = at?.get(field);
      const value = readQuantityText(columns.get(field) as QuantityColumn, place === undefined ? "" : (cells[place] ?? ""), sink);
      return field === "memoryUsed" && mapping.units.memoryUsed === "share" ? value * total : value;
    };
    return devices.take({
      time: mapping.columns.time === undefined ? null : cell("time"),
      host: cell("host") === "" ? null : cell("host"),
      uuid,
      pciBusId,
      index,
      name: cell("name"),
      memoryTotalMiB: total,
      values: groups.map(({ fields }) => Float64Array.from(fields, read)),
    }, text, number);
  }

  const lines = textLines(sink, line);
  return { takes: "bytes", bytes: lines.bytes, end: () => lines.end() ?? devices.end(), hasGpuSeries: () => at !== null, version: () => null };
}
