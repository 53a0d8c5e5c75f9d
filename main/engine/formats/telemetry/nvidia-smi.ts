/** `nvidia-smi --query-gpu=… --format=csv[,noheader][,nounits]` in all its dialects, and loops of scripts around it. */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import type { ReadOptions } from "../../../../shared/contract/methods.ts";
import { err, ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import { readTimestamp } from "../../import/timestamp.ts";
import type { TimestampReading } from "../../import/timestamp.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import { missingReason, quantityColumn, readQuantity, text } from "./cells.ts";
import type { Quantity, QuantityColumn } from "./cells.ts";
import type { DeviceSeries, LogFormatJob, LogReader, LogRecord, LogSink, RecordReader, TelemetryFormat } from "./format.ts";
import { normalizedIndex, normalizedPciBusId, normalizedUuid } from "./identity.ts";
import { dashedDate, pollTimes, timeOfLine } from "./poll-times.ts";
import { makeWhole, wholeCells } from "./whole-cells.ts";
import { columnsByLooks, columnsOfHeader, columnsOfOption, hasQueryName, isForeignHeader, isProcessHeader, metricRoles } from "./nvidia-smi-columns.ts";
import type { ColumnRole, Columns } from "./nvidia-smi-columns.ts";

export const nvidiaSmi: TelemetryFormat = { id: "nvidia-smi", recognize, open };

function recognize(sniffed: Sniffed, options: ReadOptions): Recognition {
  const records = [sniffed.header, ...sniffed.sampleRecords];
  const found = (score: number, code: string, columns: readonly string[]): Recognition => ({
    formatId: nvidiaSmi.id,
    score,
    version: null,
    reasons: score === 0 ? [] : [{ code, params: { columns: columns.join(", ") } }],
    missing: [],
  });
  // JSON and XML may speak of the same names, as no table does.
  if (/^\s*[{[<]/.test(sniffed.head)) return found(0, "", []);
  const header = headerIn(records);
  if (header !== undefined) {
    if (isForeignHeader(header)) return found(0, "", []);
    const columns = columnsOfHeader(header) as Columns;
    const named = Object.values(columns.of).map((index) => columns.names[index] ?? "");
    const isMeasured = metricRoles.some((role) => columns.of[role] !== undefined);
    if (isProcessHeader(header)) return found(columns.of.uuid === undefined && !hasQueryName(header) ? 0 : 0.8, "process-list", named);
    if (hasQueryName(header)) return found(isMeasured ? 1 : 0.7, "columns-present", named);
    const isPlaced = columns.of.timestamp !== undefined || columns.of.index !== undefined || columns.of.uuid !== undefined;
    return found(isMeasured && isPlaced ? 0.7 : 0, "columns-present", named);
  }
  if (options.columns !== undefined && columnsOfOption(options.columns) !== null) {
    const { count } = columnsOfOption(options.columns) as Columns;
    return found(sniffed.header.length === count ? 0.8 : 0, "columns-given", [options.columns]);
  }
  if (columnsByLooks(records) !== null) return found(0.6, "cells-look-so", []);
  return found(records.some(looksLikeData) ? 0.5 : 0, "cells-look-so", []);
}

/** The header may stand behind some lines of a script's chatter. */
function headerIn(records: readonly (readonly string[])[]): readonly string[] | undefined {
  return records.slice(0, 50).find((record) => columnsOfHeader(record) !== null);
}

/** nvidia-smi's own timestamp, a board name or a UUID beside numbers. */
function looksLikeData(record: readonly string[]): boolean {
  if (record.length < 2) return false;
  const cells = record.map((cell) => cell.trim());
  const isStamped = cells.some((cell) => /^\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$/.test(cell));
  const isNamed = cells.some((cell) => /^(NVIDIA |Tesla |GeForce |Quadro |GRID )/.test(cell) || /^GPU-[0-9a-f]{8}-/i.test(cell));
  const isMeasured = cells.some((cell) => /^\d+(\.\d+)? (%|MiB|W)$/.test(cell));
  return (isStamped && (isNamed || isMeasured || cells.length >= 3)) || (isNamed && isMeasured);
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const { sniffed, options } = job;
  const records = [sniffed.header, ...sniffed.sampleRecords];
  if (headerIn(records) !== undefined) return ok(reader(job, sink, null));
  const columns = options.columns === undefined ? columnsByLooks(records) : columnsOfOption(options.columns);
  return columns === null ? err(ledgerError("import.columns-needed", { file: sniffed.name })) : ok(reader(job, sink, columns));
}

const sampled = ["utilization", "memory-used", "power"] as const;

/** One GPU as its identity cells spell it, byte for byte. */
interface KnownDevice {
  readonly identityBytes: Uint8Array;
  readonly series: DeviceSeries;
  needsName: boolean;
  needsMemory: boolean;
  /** The run of rows, from one header to the next, in which it was last seen. */
  run: number;
  rows: number;
  /** The poll in which it was last seen, in a file that states no time. */
  poll: number;
}

/** A layout compiled for the rows below one header. */
interface Layout {
  readonly columns: Columns;
  readonly identity: readonly number[];
  readonly utilization: readonly Measured[];
  readonly memoryUsed: readonly Measured[];
  readonly memoryTotal: Measured | null;
  /** Columns of watts, which alone have decimals. */
  readonly hasDecimals: (column: number) => boolean;
  /** power.draw, else the average, else the instant: a driver that has no average prints N/A in it always, so a device keeps to one. */
  readonly power: readonly Measured[];
  readonly devices: Map<string, KnownDevice>;
  /** In order of their first row: nvidia-smi prints GPUs in the same order at every poll, so the next row is most likely the next of these. */
  readonly inOrder: KnownDevice[];
}
interface Measured {
  readonly at: number;
  readonly column: QuantityColumn;
}

function reader(job: LogFormatJob, sink: LogSink, given: Columns | null): RecordReader {
  const file = job.sniffed.name;
  let layout = given === null ? null : compiled(given, job);
  let hasSeries = false;
  let run = 0;
  /** Of a file that states no time: a device that comes again begins the next poll. */
  let polls = 0;
  const times = pollTimes(job, sink, job.everyMs ?? 0);
  let next = 0;
  /** Whether a row held commas within its cells, and whether one held none. */
  let wasJoined = false;
  let wasWhole = false;
  const time: TimestampReading = { ms: 0, isInstant: false };
  /** Of rows without a time: what a line of its own, as `date` prints it before each poll, says. */
  let lineTime: TimestampReading | null = null;
  /** In the order of `sampled`. */
  const values = new Float64Array(3);
  /** Times of the first rows of a file that names no GPU: do several GPUs lie in it? */
  const unnamedTimes: number[] = [];

  function takeHeader(record: LogRecord): boolean {
    const cells = cellTexts(record);
    const columns = columnsOfHeader(cells);
    if (columns === null) return false;
    if (layout !== null) sink.repaired("repeated-header");
    if (layout === null || columns.names.join() !== layout.columns.names.join()) layout = compiled(isProcessHeader(cells) ? { ...columns, of: {} } : columns, job);
    hasSeries ||= hasMetrics(layout);
    run += 1;
    return true;
  }

  function record(record: LogRecord): LedgerError | null {
    if (isBlank(record)) return null;
    if (layout === null) {
      if (!takeHeader(record)) takeTimeLine(record); // lines before the first header are a script's chatter
      return null;
    }
    const { columns } = layout;
    const { bytes } = record;
    let isCut = false;
    const kinds = { time: columns.of.timestamp, hasDecimals: layout.hasDecimals };
    const isJoined = record.count > columns.count && makeWhole(record, cellTexts(record), columns.count, kinds);
    // Where cells hold commas of their own, a last row that comes to its count without joining any was cut.
    if (!record.isTerminated && !isJoined && (wasJoined || (!wasWhole && wholeCells(cellTexts(record), null, kinds)?.length !== record.count))) {
      sink.repaired("truncated-last-line");
      return null;
    }
    wasWhole ||= record.count === columns.count && !isJoined;
    wasJoined ||= isJoined;
    if (record.count !== columns.count) {
      const isTrailing = record.count === columns.count + 1 && cell(record, columns.count).trim() === "";
      if (!isTrailing) {
        if (takeHeader(record)) return null;
        if (!record.isTerminated) {
          sink.repaired("truncated-last-line");
          return null;
        }
        if (takeTimeLine(record)) return null;
        sink.rowRead();
        // A process's name may hold commas; of processes nothing is kept, so nothing is lost.
        if (hasMetrics(layout)) sink.setAside(record, "", text(bytes, record.from, record.to), "column-count");
        return null;
      }
    } else isCut = !record.isTerminated;
    if (!hasMetrics(layout)) {
      if (!isHeaderAgain(record, columns) || !takeHeader(record)) sink.rowRead();
      return null;
    }
    hasSeries = true;

    const last = columns.count - 1;
    const timeAt = columns.of.timestamp;
    const isStamped = timeAt !== undefined && readTime(record, timeAt, columns.of.date);
    const isTimeOfDay = timeAt !== undefined && !isStamped && timeOfDay.test(cell(record, timeAt));
    if (timeAt !== undefined && !isStamped && !isTimeOfDay) {
      if (takeHeader(record)) return null;
      sink.rowRead();
      sink.setAside(record, columns.names[timeAt] ?? "", cell(record, timeAt), "local-time");
      return null;
    }
    // A cut identity could name another GPU; a UUID or a bus id shows by its form that it is whole.
    const isDoubtful = isCut && (last === timeAt || last === columns.of.index || last === columns.of.host || (last === columns.of.uuid && normalizedUuid(cell(record, last)) === null) || (last === columns.of.pci && normalizedPciBusId(cell(record, last)) === null));
    if (isDoubtful) {
      sink.repaired("truncated-last-line");
      return null;
    }

    let device = layout.inOrder[next];
    if (device === undefined || !isSameIdentity(layout, record, device)) {
      device = deviceOf(layout, record);
      if (device === undefined) {
        if (takeHeader(record)) return null;
        if (isCut) {
          sink.repaired("truncated-last-line");
          return null;
        }
        sink.rowRead();
        const at = layout.identity[0] ?? 0;
        sink.setAside(record, columns.names[at] ?? "", cell(record, at), "gpu-identity");
        return null;
      }
      next = layout.inOrder.indexOf(device);
    }
    next = next + 1 === layout.inOrder.length ? 0 : next + 1;
    sink.rowRead();

    if (timeAt === undefined && lineTime === null) {
      // One poll may take the file's own time. With several the person must say how far apart they lie.
      if (device.rows > 0 && job.everyMs === null) return ledgerError("import.column-missing", { file, format: nvidiaSmi.id, columns: "timestamp" });
      if (device.poll === polls) {
        polls += 1;
        times.nextPoll();
      }
      device.poll = polls;
    } else if (layout.identity.length === 0 && unnamedTimes.length < 400) {
      unnamedTimes.push(timeAt === undefined ? (lineTime?.ms ?? 0) : time.ms);
      if (unnamedTimes.length === 400 && areInterleaved(unnamedTimes)) return ledgerError("import.column-missing", { file, format: nvidiaSmi.id, columns: "index" });
    }

    let utilization = Number.NaN;
    // A sliced card has no utilization of its own: whatever the column says, the card is neither idle nor busy.
    if (columns.of.mig !== undefined && /^\s*E/i.test(cell(record, columns.of.mig))) sink.repaired("mig-utilization-unknown");
    else utilization = measured(layout.utilization, record, isCut);
    const memoryUsed = measured(layout.memoryUsed, record, isCut);
    let power = measured(layout.power, record, isCut);
    if (device.run !== run || device.rows === 0) {
      if (isLowTrust(record, columns, utilization, memoryUsed)) {
        utilization = Number.NaN;
        power = Number.NaN;
        sink.repaired("low-trust-sample");
      }
      device.run = run;
    }
    device.rows += 1;
    if (device.needsName || device.needsMemory) describe(layout, record, device, isCut);

    values[0] = utilization;
    values[1] = memoryUsed;
    values[2] = power;
    if (timeAt === undefined) {
      if (lineTime === null) times.timeless(device.series, values);
      else if (device.series.add(lineTime, values) === "zone-needed") return ledgerError("import.zone-needed", { file });
      return null;
    }
    const outcome = isTimeOfDay ? times.stated(cell(record, timeAt), device.series, values) : device.series.add(time, values);
    if (outcome === "zone-needed") return ledgerError("import.zone-needed", { file });
    if (outcome === "hour-skipped") sink.setAside(record, columns.names[timeAt] ?? "", cell(record, timeAt), "local-time");
    return null;
  }

  function takeTimeLine(record: LogRecord): boolean {
    const found = timeOfLine(text(record.bytes, record.from, record.to), job.dateOrder);
    lineTime = found ?? lineTime;
    return found !== null;
  }

  /** The time of a row, whose date may stand in a column of its own. */
  function readTime(record: LogRecord, timeAt: number, dateAt: number | undefined): boolean {
    if (dateAt === undefined) return readTimestamp(record.bytes, record.starts[timeAt] as number, record.ends[timeAt] as number, time, job.dateOrder);
    const both = encoder.encode(`${dashedDate(cell(record, dateAt).trim())} ${cell(record, timeAt).trim()}`);
    return readTimestamp(both, 0, both.length, time, job.dateOrder);
  }

  /** The first of the columns that states a value; reasons are counted for the last one tried only, so a sample counts once. */
  function measured(columns: readonly Measured[], record: LogRecord, isCut: boolean): number {
    for (let choice = 0; choice < columns.length; choice++) {
      const { at, column } = columns[choice] as Measured;
      const start = record.starts[at] as number;
      const end = record.ends[at] as number;
      if (isCut && at === record.count - 1 && !isFinished(cell(record, at), column.quantity)) {
        sink.repaired("unfinished-last-value");
        return Number.NaN;
      }
      if (choice + 1 < columns.length && missingReason(text(record.bytes, start, end)) !== null) continue;
      return readQuantity(column, record.bytes, start, end, sink);
    }
    return Number.NaN;
  }

  /** The first sample after the driver starts can be false: work without any memory held (field notes 3.1, a). */
  function isLowTrust(record: LogRecord, columns: Columns, utilization: number, memoryUsed: number): boolean {
    if (memoryUsed !== 0) return false;
    const persistence = columns.of.persistence === undefined ? null : cell(record, columns.of.persistence).trim().toLowerCase();
    if (persistence === "enabled") return false;
    return persistence === "disabled" ? utilization > 0 : utilization === 100;
  }

  function describe(layout: Layout, record: LogRecord, device: KnownDevice, isCut: boolean): void {
    const { of } = layout.columns;
    const last = layout.columns.count - 1;
    if (device.needsName && of.name !== undefined && !(isCut && of.name === last)) {
      const name = cell(record, of.name).trim();
      if (missingReason(name) === null) {
        device.series.describe({ name });
        device.needsName = false;
      }
    }
    if (device.needsMemory && layout.memoryTotal !== null && !(isCut && layout.memoryTotal.at === last)) {
      const { at, column } = layout.memoryTotal;
      const memoryTotalMiB = readQuantity(column, record.bytes, record.starts[at] as number, record.ends[at] as number, silent);
      if (memoryTotalMiB > 0) {
        device.series.describe({ memoryTotalMiB });
        device.needsMemory = false;
      }
    }
  }

  /** The device of the identity cells, made when new; undefined if they identify none. */
  function deviceOf(layout: Layout, record: LogRecord): KnownDevice | undefined {
    const identityBytes = identityOf(layout, record);
    const key = text(identityBytes, 0, identityBytes.length);
    const known = layout.devices.get(key);
    if (known !== undefined) return known;
    const { of } = layout.columns;
    const stated = (role: ColumnRole): string => (of[role] === undefined ? "" : cell(record, of[role]));
    const statedHost = of.host === undefined ? "" : stated("host").trim();
    const identity = {
      host: missingReason(statedHost) === null ? statedHost : job.host,
      uuid: normalizedUuid(stated("uuid")),
      pciBusId: normalizedPciBusId(stated("pci")),
      index: normalizedIndex(stated("index")),
    };
    const isUnnamed = identity.uuid === null && identity.pciBusId === null && identity.index === null;
    // Cells that are there and identify nothing (a UUID of no known form) are trouble; a file without such columns has one GPU.
    if (isUnnamed && layout.identity.some((at) => at !== of.host)) return undefined;
    if (isUnnamed) sink.repaired("assumed-single-gpu");
    const series = sink.series(isUnnamed ? { ...identity, index: 0 } : identity, sampled, "forward");
    series.describe({ ...(identity.index === null ? {} : { index: identity.index }), ...(identity.pciBusId === null ? {} : { pciBusId: identity.pciBusId }) });
    const device: KnownDevice = { identityBytes, series, needsName: of.name !== undefined, needsMemory: layout.memoryTotal !== null, run: -1, rows: 0, poll: -1 };
    layout.devices.set(key, device);
    layout.inOrder.push(device);
    return device;
  }

  function end(): LedgerError | null {
    if (unnamedTimes.length > 2 && areInterleaved(unnamedTimes)) return ledgerError("import.column-missing", { file, format: nvidiaSmi.id, columns: "index" });
    return times.end();
  }

  return { takes: "records", record, end, hasGpuSeries: () => hasSeries || (layout !== null && hasMetrics(layout)), version: () => null };
}

/** Without its date: the file's own, or the person's, says which day it was. */
const timeOfDay = /^\s*\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\s*$/;

function compiled(columns: Columns, job: LogFormatJob): Layout {
  const measured = (role: ColumnRole, quantity: Quantity): readonly Measured[] => {
    const at = columns.of[role];
    if (at === undefined) return [];
    return [{ at, column: quantityColumn(quantity, columns.units[at] ?? null, job.sniffed.delimiter !== ",") }];
  };
  const watts = new Set(columns.names.flatMap((name, at) => (/power/i.test(name) || columns.units[at] === "W" ? [at] : [])));
  const { uuid, pci, index, host } = columns.of;
  return {
    columns,
    identity: [uuid, pci, index, host].filter((at) => at !== undefined),
    utilization: measured("utilization", "percent"),
    memoryUsed: measured("memory-used", "memory"),
    memoryTotal: measured("memory-total", "memory")[0] ?? null,
    hasDecimals: (column) => watts.has(column) || column === columns.of.power,
    power: [...measured("power", "power"), ...measured("power-average", "power"), ...measured("power-instant", "power")],
    devices: new Map(),
    inOrder: [],
  };
}

function hasMetrics({ utilization, memoryUsed, power }: Layout): boolean {
  return utilization.length + memoryUsed.length + power.length > 0;
}

/** Identity cells one after another, each behind a zero byte. */
function identityOf(layout: Layout, { bytes, starts, ends }: LogRecord): Uint8Array {
  const parts = layout.identity.flatMap((at) => [0, ...bytes.subarray(starts[at] as number, ends[at] as number)]);
  return Uint8Array.from(parts);
}

function isSameIdentity(layout: Layout, { bytes, starts, ends }: LogRecord, { identityBytes }: KnownDevice): boolean {
  let position = 0;
  for (const at of layout.identity) {
    const start = starts[at] as number;
    const length = (ends[at] as number) - start;
    if (identityBytes[position] !== 0) return false;
    position += 1;
    for (let index = 0; index < length; index++) if (identityBytes[position + index] !== bytes[start + index]) return false;
    position += length;
  }
  return position === identityBytes.length;
}

/**
 * Rows without any identity come from one GPU if their times are evenly apart. Where many follow another within a fifth of the usual
 * distance, each poll holds several GPUs, and which is which nobody knows.
 */
function areInterleaved(times: readonly number[]): boolean {
  const gaps = times.slice(1).map((time, index) => time - (times[index] as number)).filter((gap) => gap >= 0).sort((one, other) => one - other);
  const usual = gaps[Math.floor(gaps.length * 0.9)] ?? 0;
  return gaps.filter((gap) => gap < usual / 5).length >= gaps.length * 0.3 && usual > 0;
}

/** Whether a value at a cut end is surely whole: it has its unit, or is a text in brackets. */
function isFinished(cellText: string, quantity: Quantity): boolean {
  const unit = { percent: /%$/, memory: /i?B$/, power: /W$/ }[quantity];
  return unit.test(cellText.trim()) || /\]$/.test(cellText.trim());
}

function isHeaderAgain(record: LogRecord, columns: Columns): boolean {
  return cell(record, 0).trim() === columns.names[0];
}

function isBlank({ bytes, from, to }: LogRecord): boolean {
  for (let at = from; at < to; at++) if ((bytes[at] as number) > 32) return false;
  return true;
}

function cell(record: LogRecord, at: number): string {
  return text(record.bytes, record.starts[at] as number, record.ends[at] as number);
}
function cellTexts(record: LogRecord): string[] {
  return Array.from({ length: record.count }, (_, at) => cell(record, at));
}

const encoder = new TextEncoder();

const silent: LogSink = {
  series: () => {
    throw new Error("a reading of a single cell makes no series");
  },
  rowRead: () => undefined,
  rowIgnored: () => undefined,
  job: () => "added",
  repaired: () => undefined,
  setAside: () => undefined,
};
