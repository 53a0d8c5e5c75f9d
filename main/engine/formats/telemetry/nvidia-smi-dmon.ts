/**
 * `nvidia-smi dmon`, with `-o D`, `T`, both or neither: a header behind `#`, its units behind another, columns apart by blanks, or by commas
 * with `--format csv`. Columns of `--gpm-metrics` are shares of the interval that ends at the row, 0 to 100.
 */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import type { TraceMetric } from "../../store/traces.ts";
import { readQuantityText, scaledColumn } from "./cells.ts";
import type { QuantityColumn } from "./cells.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { normalizedIndex } from "./identity.ts";
import { dashedDate } from "./poll-times.ts";
import { polledDevices } from "./polled-devices.ts";
import type { MetricGroup } from "./polled-devices.ts";
import { setLineAside, textLines } from "./text-lines.ts";

export const nvidiaSmiDmon: TelemetryFormat = { id: "nvidia-smi-dmon", recognize, open };

/** dmon's own default spacing, for files that state no time. */
const defaultSpacingMs = 1000;

function recognize(sniffed: Sniffed): Recognition {
  const header = sniffed.head.split(/\r?\n/).map(headerNames).find((names) => names !== null) ?? null;
  const isDmon = header !== null && !header.includes("pid");
  return { formatId: nvidiaSmiDmon.id, score: isDmon ? 1 : 0, version: null, reasons: isDmon ? [{ code: "columns-present", params: { columns: header.join(", ") } }] : [], missing: [] };
}

/** `# gpu    pwr  gtemp …` or `#Date  Time  gpu …`; the units below it (`# Idx  W  C`) are none. */
function headerNames(line: string): readonly string[] | null {
  if (!line.startsWith("#")) return null;
  const names = cellsOf(line.slice(1).toLowerCase());
  return names.includes("gpu") && /^(gpu|date|time)$/.test(names[0] ?? "") ? names : null;
}

function cellsOf(line: string): string[] {
  return line.trim().split(line.includes(",") ? /\s*,\s*/ : /\s+/);
}

interface Layout {
  readonly names: readonly string[];
  readonly date: number;
  readonly time: number;
  readonly gpu: number;
  /** By group, in the order of its metrics; null for a group of which the header has none. */
  readonly groups: readonly (readonly { readonly at: number; readonly column: QuantityColumn }[] | null)[];
}

interface Source {
  readonly name: string;
  readonly metric: TraceMetric;
  readonly column: QuantityColumn;
}
/** `sm` is the share of time with a kernel, the same counter as utilization.gpu, not SM activity; `fb` is memory used, MB meaning MiB. */
const readings: readonly Source[] = [
  { name: "sm", metric: "utilization", column: scaledColumn("percent") },
  { name: "fb", metric: "memory-used", column: scaledColumn("memory") },
  { name: "pwr", metric: "power", column: scaledColumn("power") },
];
/** GPM metrics 1, 2, 5 and 10 of NVML. */
const profiled: readonly Source[] = [
  { name: "gract", metric: "engine-active", column: scaledColumn("percent") },
  { name: "smutil", metric: "sm-active", column: scaledColumn("percent") },
  { name: "mmaact", metric: "tensor-active", column: scaledColumn("percent") },
  { name: "dram", metric: "dram-active", column: scaledColumn("percent") },
];
const sources: readonly (readonly Source[])[] = [readings, profiled];
const groups: readonly MetricGroup[] = [
  { metrics: readings.map(({ metric }) => metric), holds: "forward" },
  { metrics: profiled.map(({ metric }) => metric), holds: "backward" },
];

function layoutOf(names: readonly string[]): Layout {
  return {
    names,
    date: names.indexOf("date"),
    time: names.indexOf("time"),
    gpu: names.indexOf("gpu"),
    groups: sources.map((group) => {
      const places = group.map(({ name, column }) => ({ at: names.indexOf(name), column }));
      return places.some(({ at }) => at >= 0) ? places : null;
    }),
  };
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const { name: file } = job.sniffed;
  let layout: Layout | null = null;
  let hasSeries = false;
  /** The date of the last row of a log with dates and no times of day. */
  let lastDate: string | null = null;
  const devices = polledDevices(job, sink, { groups, everyMs: defaultSpacingMs });

  function line(text: string, number: number, isTerminated: boolean): LedgerError | null {
    if (text.trim() === "") return null;
    if (text.startsWith("#")) {
      const names = headerNames(text);
      if (names === null || (!isTerminated && layout !== null)) return null;
      if (layout !== null) sink.repaired("repeated-header");
      layout = layoutOf(names);
      hasSeries ||= layout.groups.some((group) => group !== null);
      return null;
    }
    if (layout === null) return null;
    const cells = cellsOf(text);
    // dmon ends each line with a blank; a last line without one may have lost the end of its last value.
    const isCut = !isTerminated && !/\s$/.test(text);
    if (cells.length !== layout.names.length || isCut) {
      if (!isTerminated) {
        sink.repaired("truncated-last-line");
        return null;
      }
      sink.rowRead();
      setLineAside(sink, text, number, { column: "", value: text }, "column-count");
      return null;
    }
    const gpuText = cells[layout.gpu] ?? "";
    const index = normalizedIndex(gpuText);
    if (index === null) {
      sink.rowRead();
      setLineAside(sink, text, number, { column: "gpu", value: gpuText }, "gpu-identity");
      return null;
    }
    const date = layout.date < 0 ? null : dashedDate(cells[layout.date] ?? "");
    const clock = layout.time < 0 ? null : (cells[layout.time] ?? "");
    if (clock === null) lastDate = date;
    const values = layout.groups.map((group) => (group === null ? null : Float64Array.from(group, ({ at, column }) => (at < 0 ? Number.NaN : readQuantityText(column, cells[at] ?? "", sink)))));
    const time = clock === null ? null : date === null ? clock : `${date} ${clock}`;
    return devices.take({ time, host: null, uuid: null, pciBusId: null, index, values }, text, number);
  }

  /** Dates without times of day place the polls nowhere in their day; they must at least be of the day on which the log is said to end. */
  function endOfDates(): LedgerError | null {
    if (lastDate === null) return null;
    const lastDay = new Date(job.modifiedWallMs ?? job.modifiedMs).toISOString().slice(0, 10);
    return lastDate.replaceAll("/", "-") === lastDay ? null : ledgerError("import.column-missing", { file, format: nvidiaSmiDmon.id, columns: "Time" });
  }

  const lines = textLines(sink, line);
  return ok({ takes: "bytes", bytes: lines.bytes, end: () => lines.end() ?? endOfDates() ?? devices.end(), hasGpuSeries: () => hasSeries, version: () => null });
}
