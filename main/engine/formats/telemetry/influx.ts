/**
 * What Telegraf writes and InfluxDB exports of its `nvidia_smi` and `amd_rocm_smi` inputs, and of GPU exporters that it scraped: line
 * protocol, Telegraf's JSON, InfluxDB's annotated CSV (rows of `_field` and `_value`, or pivoted), and the CSV and JSON of InfluxDB 1.
 * A measurement and its field are the exporter's name of a metric, its tags are labels. Field notes 4.4, 4.6.
 */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import { readTimestamp } from "../../import/timestamp.ts";
import type { TimestampReading } from "../../import/timestamp.ts";
import type { Recognition } from "../format.ts";
import { instantOfEpoch } from "./epoch.ts";
import { exporterLog } from "./exporter-series.ts";
import type { ExporterSeries } from "./exporter-series.ts";
import type { BytesReader, LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { cutTrouble, isList, isObject, jsonElements, textAt } from "./json-elements.ts";
import type { JsonPart } from "./json-elements.ts";
import { exportedMetric } from "./metric-names.ts";
import { splitCells } from "./table-log.ts";
import { setLineAside, textLines } from "./text-lines.ts";

export const influx: TelemetryFormat = { id: "influx", recognize, open };

type Layout = "lines" | "json" | "csv";

function recognize({ head }: Sniffed): Recognition {
  const layout = layoutOf(head);
  return { formatId: influx.id, score: layout === null ? 0 : 1, version: null, reasons: layout === null ? [] : [{ code: "columns-present", params: { columns: { lines: "measurement, tags, fields", json: "name, tags, fields", csv: "_time, _field, _value" }[layout] } }], missing: [] };
}

const lineOfProtocol = /^(?:[^\s,=#{}"\\]|\\.)+(?:,(?:[^\s,=\\]|\\.)+=(?:[^\s,=\\]|\\.)+)+ (?:[^\s,="\\]|\\.)+=\S/;

function layoutOf(head: string): Layout | null {
  const text = head.replace(/^\ufeff/, "");
  if (/^\s*[{[]/.test(text)) {
    const isTelegraf = /"fields"\s*:\s*\{/.test(text) && /"tags"\s*:\s*\{/.test(text) && /"timestamp"\s*:\s*\d/.test(text);
    return isTelegraf || (/^\s*\{\s*"results"\s*:\s*\[/.test(text) && /"columns"\s*:\s*\[\s*"time"/.test(text)) ? "json" : null;
  }
  const lines = text.split(/\r?\n/).slice(0, 200).filter((line) => line.trim() !== "");
  if (lines.some((line, at) => at < 8 && csvHeader(splitCells(line)) !== null)) return "csv";
  const stated = lines.filter((line) => !line.startsWith("#") && !/^CREATE DATABASE /.test(line)).slice(0, -1);
  const sample = stated.length === 0 ? lines.filter((line) => !line.startsWith("#")) : stated;
  return sample.length > 0 && sample.every((line) => lineOfProtocol.test(line)) ? "lines" : null;
}

interface CsvHeader {
  readonly names: readonly string[];
  readonly time: number;
  readonly measurement: number;
  readonly field: number;
  readonly value: number;
  /** InfluxDB 1 puts all tags of a series into one cell, `host=a,index=0`. */
  readonly tags: number;
}

/** `,result,table,_start,_stop,_time,_value,_field,_measurement,host,…`, or `name,tags,time,utilization_gpu` of InfluxDB 1. */
function csvHeader(cells: readonly string[]): CsvHeader | null {
  const names = cells.map((cell) => cell.trim());
  const at = (name: string): number => names.indexOf(name);
  if (at("_time") >= 0 && (at("_value") >= 0 || at("_measurement") >= 0)) return { names, time: at("_time"), measurement: at("_measurement"), field: at("_field"), value: at("_value"), tags: -1 };
  const isFirst = names[0] === "name" && at("time") > 0 && (at("tags") > 0 || names.some((name) => exporterName("nvidia_smi", name.replace(/^mean_/, "")) !== null));
  return isFirst ? { names, time: at("time"), measurement: 0, field: -1, value: -1, tags: at("tags") } : null;
}

/** The exporters' name for a field of a measurement: Telegraf's own inputs, or an exporter that it scraped in either of its ways. */
function exporterName(measurement: string, field: string): string | null {
  const name = /^(?:gauge|counter|value|untyped)$/.test(field) ? measurement : /^(?:nvidia_smi|amd_rocm_smi)$/.test(measurement) ? `${measurement}_${field}` : field;
  return exportedMetric(name) === null ? null : name;
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const log = exporterLog(job, sink);
  const known = new Map<string, ExporterSeries | null>();
  const reading: TimestampReading = { ms: 0, isInstant: true };

  function instantOf(time: string): number | null {
    const epoch = instantOfEpoch(time);
    if (epoch !== null) return epoch;
    const bytes = encoder.encode(time);
    return readTimestamp(bytes, 0, bytes.length, reading) && reading.isInstant ? reading.ms : null;
  }

  function seriesOf(measurement: string, field: string, tags: ReadonlyMap<string, string>): ExporterSeries | null {
    const key = JSON.stringify([measurement, field, ...tags]);
    let series = known.get(key);
    if (series === undefined) {
      const name = exporterName(measurement, field);
      series = name === null ? null : log.seriesOf(name, measurement === "amd_rocm_smi" ? labelsOfAmd(tags) : tags);
      known.set(key, series);
    }
    return series;
  }

  /** A point with its fields; `line` is what is set aside if its time cannot be read. */
  function takePoint(measurement: string, tags: ReadonlyMap<string, string>, fields: Iterable<readonly [string, string]>, time: string, line: string, number: number): void {
    sink.rowRead();
    const kept = [...fields].flatMap(([field, value]) => {
      const series = seriesOf(measurement, field, tags);
      return series === null ? [] : [[series, value] as const];
    });
    if (kept.length === 0) {
      sink.rowIgnored();
      return;
    }
    const ms = instantOf(time);
    if (ms === null) {
      setLineAside(sink, line, number, { column: "time", value: time }, "utc-time");
      return;
    }
    for (const [series, value] of kept) log.point(series, ms, value);
  }

  function protocolReader(): BytesReader {
    const lines = textLines(sink, (line, number, isTerminated) => {
      const text = line.trim();
      if (text === "" || text.startsWith("#") || text.startsWith("CREATE DATABASE ")) return null;
      if (!isTerminated) {
        sink.repaired("truncated-last-line");
        return null;
      }
      const point = pointOf(text);
      if (point !== null) {
        takePoint(point.measurement, point.tags, point.fields, point.time, line, number);
        return null;
      }
      sink.rowRead();
      setLineAside(sink, line, number, { column: "", value: line }, "column-count");
      return null;
    });
    return { takes: "bytes", bytes: lines.bytes, end: lines.end, hasGpuSeries: log.hasSeries, version: () => null };
  }

  function csvReader(): BytesReader {
    let header: CsvHeader | null = null;
    /** What an empty cell means, by column. */
    let defaults: readonly string[] = [];
    const lines = textLines(sink, (line, number, isTerminated) => {
      const text = number === 1 ? line.replace(/^\ufeff/, "") : line;
      if (text.trim() === "") return null;
      if (!isTerminated) {
        sink.repaired("truncated-last-line");
        return null;
      }
      const cells = splitCells(text).map((cell) => cell.trim());
      if (text.startsWith("#")) {
        if (cells[0] === "#default") defaults = cells.map((cell, at) => (at === 0 ? "" : cell));
        return null;
      }
      const found = csvHeader(cells);
      if (found !== null) {
        if (header !== null && header.names.join() !== found.names.join()) known.clear();
        header = found;
        return null;
      }
      if (header === null) return null;
      if (cells.length !== header.names.length) {
        sink.rowRead();
        setLineAside(sink, text, number, { column: "", value: text }, "column-count");
        return null;
      }
      takeRow(header, cells.map((cell, at) => (cell === "" ? (defaults[at] ?? "") : cell)), text, number);
      return null;
    });
    return { takes: "bytes", bytes: lines.bytes, end: lines.end, hasGpuSeries: log.hasSeries, version: () => null };
  }

  /** `stated`: of InfluxDB 1, whose JSON names measurement and tags once for all rows. */
  function takeRow({ names, time, measurement, field, value, tags }: CsvHeader, cells: readonly string[], line: string, number: number, stated: Pick<Point, "measurement" | "tags"> | null = null): void {
    const of = stated?.measurement ?? cells[measurement] ?? "";
    const columns = names.map((name, at) => [name, cells[at] ?? ""] as const).filter(([name, cell], at) => cell !== "" && at !== time && at !== tags && at !== measurement && name !== "" && !/^(?:_\w+|result|table)$/.test(name));
    const labels = new Map([...columns, ...tagsOfText(tags < 0 ? "" : (cells[tags] ?? ""))].filter(([name]) => exporterName(of, name) === null).map(([name, cell]) => [name.toLowerCase(), cell]));
    const fields = field >= 0 && value >= 0 ? [[cells[field] ?? "", cells[value] ?? ""] as const] : columns.map(([name, cell]) => [name.replace(/^mean_/, ""), cell] as const).filter(([name]) => exporterName(of, name) !== null);
    for (const [name, tag] of stated?.tags ?? []) labels.set(name, tag);
    takePoint(of, labels, fields, cells[time] ?? "", line, number);
  }

  function jsonReader(): BytesReader {
    const isResults = /^\s*\{\s*"results"/.test(job.sniffed.head);
    const isBatch = /^\s*\{\s*"metrics"\s*:/.test(job.sniffed.head);
    const isArray = /^\s*\[/.test(job.sniffed.head);
    const isElement = (path: readonly (string | number)[]): boolean => (isResults ? path.length === 4 && path[0] === "results" && path[2] === "series" : isBatch ? path.length === 2 && path[0] === "metrics" : path.length === (isArray ? 1 : 0));

    function take(part: JsonPart): LedgerError | null {
      const measurement = textAt(part, "name") ?? "";
      const tags = new Map(isObject(part) ? textsOf(part["tags"]).map(([name, value]) => [name.toLowerCase(), value] as const) : []);
      if (!isResults) {
        takePoint(measurement, tags, isObject(part) ? textsOf(part["fields"]) : [], textAt(part, "timestamp") ?? "", measurement, 0);
        return null;
      }
      const columns = isObject(part) && isList(part["columns"]) ? part["columns"].map((name) => (typeof name === "string" ? name : "")) : [];
      for (const row of isObject(part) && isList(part["values"]) ? part["values"] : []) {
        const cells = isList(row) ? row.map((cell) => (typeof cell === "string" ? cell : "")) : [];
        takeRow({ names: columns, time: columns.indexOf("time"), measurement: -1, field: -1, value: -1, tags: -1 }, cells, measurement, 0, { measurement, tags });
      }
      return null;
    }

    const elements = jsonElements(job.sniffed.name, isElement, take);
    return { takes: "bytes", bytes: elements.bytes, end: () => cutTrouble(elements, job.sniffed.name, () => sink.repaired("truncated-last-line")), hasGpuSeries: log.hasSeries, version: () => null };
  }

  const layout = layoutOf(job.sniffed.head);
  return ok(layout === "json" ? jsonReader() : layout === "csv" ? csvReader() : protocolReader());
}

const encoder = new TextEncoder();

/** rocm-smi's `card0` is Telegraf's `name`; what the card is called it does not say. */
function labelsOfAmd(tags: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const labels = new Map([...tags].filter(([name]) => name !== "name" && name !== "gpu_id"));
  const card = /^card(\d{1,3})$/.exec(tags.get("name") ?? "")?.[1];
  if (card !== undefined) labels.set("gpu", card);
  return labels;
}

function textsOf(part: JsonPart | undefined): readonly (readonly [string, string])[] {
  return isObject(part) ? Object.entries(part).flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : [])) : [];
}

function tagsOfText(text: string): readonly (readonly [string, string])[] {
  return text.split(",").flatMap((tag) => {
    const at = tag.indexOf("=");
    return at > 0 ? [[tag.slice(0, at).trim(), tag.slice(at + 1).trim()] as const] : [];
  });
}

interface Point {
  readonly measurement: string;
  readonly tags: ReadonlyMap<string, string>;
  readonly fields: readonly (readonly [string, string])[];
  readonly time: string;
}

/** `nvidia_smi,host=a,index=0,name=Tesla\ T4 utilization_gpu=98i,power_draw=66.5 1788256800000000000`; null for what is no line of it. */
function pointOf(line: string): Point | null {
  const [head = "", fieldText = "", time = "", ...others] = partsOf(line, " ");
  const [measurement = "", ...tagTexts] = partsOf(head, ",");
  if (others.length > 0 || measurement === "" || fieldText === "") return null;
  const tags = new Map<string, string>();
  for (const text of tagTexts) {
    const [name = "", value = ""] = partsOf(text, "=");
    tags.set(plain(name).toLowerCase(), plain(value));
  }
  const fields = partsOf(fieldText, ",").flatMap((text) => {
    const [name = "", value = ""] = partsOf(text, "=");
    // Whole numbers end with a letter; a string is no measurement.
    return value.startsWith('"') ? [] : [[plain(name), value.replace(/^([+-]?\d+)[iu]$/, "$1")] as const];
  });
  return { measurement: plain(measurement), tags, fields, time };
}

/** Parts at a separator that no backslash precedes and no quotes hold. */
function partsOf(text: string, separator: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === "\\") at += 1;
    else if (letter === '"') isQuoted = !isQuoted;
    else if (letter === separator && !isQuoted) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

function plain(text: string): string {
  return text.replace(/\\([,= "\\])/g, "$1");
}
