/**
 * `nvidia-smi dmon`, with `-o D`, `T`, both or neither: a header behind `#`, its units behind another, columns apart by blanks, or by commas
 * with `--format csv`. Columns of `--gpm-metrics` are shares of the interval that ends at the row, 0 to 100.
 */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { err, ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { ReadOptions } from "../../../../shared/contract/methods.ts";
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

function recognize({ head }: Sniffed, options: ReadOptions): Recognition {
  const found = (score: number, code: string, columns: readonly string[]): Recognition => ({ formatId: nvidiaSmiDmon.id, score, version: null, reasons: score === 0 ? [] : [{ code, params: { columns: columns.join(", ") } }], missing: [] });
  const header = head.split(/\r?\n/).map(headerNames).find((names) => names !== null) ?? null;
  if (header !== null) return header.includes("pid") ? found(0, "", []) : found(1, "columns-present", header);
  const rows = bareRows(head);
  if (rows === null) return found(0, "", []);
  const names = namesGiven(options, rows) ?? namesByWidth(rows);
  return names === null ? found(0.5, "cells-look-so", []) : found(0.6, "cells-look-so", names);
}

/** The rows of a log without its header: numbers and dashes alone behind a blank, as many in each, the GPU first and counted through. Null for anything else. */
function bareRows(head: string): readonly (readonly string[])[] | null {
  const lines = head.split(/\r?\n/).slice(0, -1).filter((line) => line.trim() !== "");
  if (lines.length === 0 || !lines.every((line) => /^\s/.test(line) && /^[\s\d:/.-]+$/.test(line))) return null;
  const rows = lines.map((line) => cellsOf(line));
  const [first = []] = rows;
  const at = stampsOf(first).length;
  const gpus = rows.map((row) => row[at] ?? "");
  const devices = new Set(gpus).size;
  // Several polls repeat their GPUs; a single one, as far as it shows, counts them from 0.
  const isCounted = gpus.every((gpu, row) => /^\d{1,3}$/.test(gpu) && (devices < gpus.length ? gpu === gpus[row % devices] : Number(gpu) === row));
  return isCounted && first.length - at >= 3 && rows.every((row) => row.length === first.length && row.slice(at).every((cell) => /^(?:-|\d+(?:\.\d+)?)$/.test(cell))) ? rows : null;
}

/** Date and time that may stand before the GPU. */
function stampsOf(row: readonly string[]): readonly ("date" | "time")[] {
  const isDate = /^(?:\d{8}|\d{4}\/\d{2}\/\d{2})$/.test(row[0] ?? "");
  const isTime = /^\d{1,2}:\d{2}:\d{2}(?:\.\d+)?$/.test(row[isDate ? 1 : 0] ?? "");
  return [...(isDate ? ["date" as const] : []), ...(isTime ? ["time" as const] : [])];
}

function namesGiven({ columns }: ReadOptions, rows: readonly (readonly string[])[]): readonly string[] | null {
  const names = (columns ?? "").toLowerCase().split(/[\s,]+/).filter((name) => name !== "");
  const stamps = stampsOf(rows[0] ?? []);
  const all = stamps.some((name) => names.includes(name)) ? names : [...stamps, ...names];
  return names.includes("gpu") && all.length === rows[0]?.length ? all : null;
}

/** What dmon prints unless it is asked for something: with the units of newer drivers, of older ones, and of those that knew one temperature. */
const usualNames = [
  ["gpu", "pwr", "gtemp", "mtemp", "sm", "mem", "enc", "dec", "jpg", "ofa", "mclk", "pclk"],
  ["gpu", "pwr", "gtemp", "mtemp", "sm", "mem", "enc", "dec", "mclk", "pclk"],
  ["gpu", "pwr", "temp", "sm", "mem", "enc", "dec", "mclk", "pclk"],
] as const;
/** Least and most of what a column states. */
const ranges: Readonly<Record<string, readonly [number, number]>> = { gpu: [0, 255], pwr: [0, 3000], gtemp: [5, 130], mtemp: [0, 130], temp: [5, 130], mclk: [100, 20_000], pclk: [100, 20_000] };

/** The usual columns, where every row is as long and every number lies where it must; a log of as many other columns hardly fits them. */
function namesByWidth(rows: readonly (readonly string[])[]): readonly string[] | null {
  const stamps = stampsOf(rows[0] ?? []);
  const usual = usualNames.find((names) => names.length + stamps.length === rows[0]?.length);
  if (usual === undefined) return null;
  const fits = (name: string, cell: string): boolean => {
    const [least, most] = ranges[name] ?? [0, 100];
    return cell === "-" || (Number(cell) >= least && Number(cell) <= most);
  };
  const hasClocks = rows.every((row) => row.at(-1) !== "-");
  return hasClocks && rows.every((row) => usual.every((name, at) => fits(name, row[at + stamps.length] ?? ""))) ? [...stamps, ...usual] : null;
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
  const { name: file, head } = job.sniffed;
  const bare = head.split(/\r?\n/).some((text) => headerNames(text) !== null) ? null : bareRows(head);
  const known = bare === null ? null : (namesGiven(job.options, bare) ?? namesByWidth(bare));
  if (bare !== null && known === null) return err(ledgerError("import.columns-needed", { file }));
  let layout: Layout | null = known === null ? null : layoutOf(known);
  let hasSeries = layout?.groups.some((group) => group !== null) ?? false;
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
    if (layout === null) {
      devices.timeLine(text);
      return null;
    }
    const cells = cellsOf(text);
    // dmon ends each line with a blank; a last line without one may have lost the end of its last value.
    const isCut = !isTerminated && !/\s$/.test(text);
    if (cells.length !== layout.names.length || isCut) {
      if (!isTerminated) {
        sink.repaired("truncated-last-line");
        return null;
      }
      if (devices.timeLine(text)) return null;
      sink.rowRead();
      setLineAside(sink, text, number, { column: "", value: text }, "column-count");
      return null;
    }
    const gpuText = cells[layout.gpu] ?? "";
    const index = normalizedIndex(gpuText);
    if (index === null) {
      if (devices.timeLine(text)) return null;
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
