/**
 * JSON lines of time series: what VictoriaMetrics exports (`metric`, `values`, `timestamps`), a series perhaps in several lines; and lists
 * of series without values, as `promtool tsdb dump --format=seriesjson` writes, in which there is nothing to keep. Read as a stream.
 */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import { exporterLog, isOfGpu } from "./exporter-series.ts";
import type { ExporterSeries } from "./exporter-series.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { jsonStream } from "./json-stream.ts";
import type { JsonStream } from "./json-stream.ts";
import { instantOfEpoch } from "./epoch.ts";
import { givenMetric } from "./metric-names.ts";
import { setLineAside } from "./text-lines.ts";

export const prometheusLines: TelemetryFormat = { id: "prometheus-lines", recognize, open };

const parts = [/"metric"\s*:\s*\{/, /"values"\s*:\s*\[\s*[^\s[]/, /"timestamps"\s*:\s*\[/] as const;

function recognize({ head }: Sniffed): Recognition {
  const isLine = /^\s*\{\s*"(metric|values|timestamps)"\s*:/.test(head) && !/"resultType"/.test(head);
  const seen = parts.filter((part) => part.test(head)).length;
  // A first line longer than what was looked at has shown its first list, and its labels unless they come last.
  const isLongLine = !head.trimEnd().includes("\n") && seen >= (parts[0].test(head) ? 2 : 1);
  const isExport = isLine && (seen === parts.length || isLongLine);
  const isList = /^\s*\{\s*"__name__"\s*:\s*"/.test(head) && !/"(values|value|timestamps)"\s*:\s*\[/.test(head);
  const columns = isExport ? "metric, values, timestamps" : "__name__";
  return { formatId: prometheusLines.id, score: isExport || isList ? 1 : 0, version: null, reasons: isExport || isList ? [{ code: "columns-present", params: { columns } }] : [], missing: [] };
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const file = job.sniffed.name;
  const log = exporterLog(job, sink);
  const given = givenMetric(job.options);
  let trouble: LedgerError | null = null;
  let labels = new Map<string, string>();
  /** Of the document at hand; undefined until its labels are complete. */
  let series: ExporterSeries | null | undefined;
  const values = numbers();
  const times = numbers();
  /** Points of the document at hand that are handed on already. */
  let taken = 0;
  let documents = 0;
  /** Physical line, from 1, and that on which the document at hand began. */
  let line = 1;
  let beginsAt = 1;
  let isLineStart = true;
  /** After a document that could not be read, until the next line that begins one. */
  let isSkipping = false;
  /** The key of the line's object, then within its array or labels. */
  const path: string[] = [];
  let stream = newStream();

  function newStream(): JsonStream {
    path.length = 0;
    return jsonStream({
      open() {
        path.push("");
        if (path.length > 1) return;
        labels = new Map();
        series = undefined;
        clear();
        beginsAt = line;
      },
      close() {
        if (path.length === 2 && path[0] === "metric") series = seriesOf();
        path.pop();
        if (path.length === 0) endDocument();
      },
      key(name) {
        path[path.length - 1] = name;
      },
      value(text) {
        if (path.length !== 2) return;
        if (path[0] === "metric") labels.set((path[1] ?? "").toLowerCase(), text);
        else if (path[0] === "values") addTo(values, times, text);
        else if (path[0] === "timestamps") addTo(times, values, text);
      },
    }, { allowsNaN: true });
  }

  /**
   * Of a line without end the second list is paired with the first as it comes, so that only one of them lies in memory; a usual line is
   * handed on as a whole, or not at all.
   */
  function addTo(list: Numbers, other: Numbers, text: string): void {
    list.add(text);
    if (series === undefined || other.count() <= longList) return;
    takePoint(list === values ? text : values.at(taken), list === values ? times.at(taken) : text);
    taken += 1;
    list.forget();
  }

  function seriesOf(): ExporterSeries | null {
    const stated = labels.get("__name__") ?? "";
    if (stated === "" && given === null && isOfGpu(labels)) trouble ??= ledgerError("import.metric-needed", { file });
    return log.seriesOf(stated === "" ? (given ?? "") : stated, labels);
  }

  function endDocument(): void {
    documents += 1;
    const count = Math.max(values.count(), times.count(), 1);
    for (let index = taken; index < count; index++) takePoint(values.at(index), times.at(index));
    clear();
  }

  function clear(): void {
    values.clear();
    times.clear();
    taken = 0;
  }

  /** Null for a value without a time, or a time without a value. */
  function takePoint(value: string | null, stated: string | null): void {
    sink.rowRead();
    const kept = series ?? null;
    if (kept === null || (values.count() === 0 && times.count() === 0)) {
      sink.rowIgnored();
      return;
    }
    const ms = stated === null ? null : instantOfEpoch(stated);
    if (ms !== null && value !== null) log.point(kept, ms, value);
    else setLineAside(sink, `${value ?? ""} ${stated ?? ""}`, beginsAt, { column: "timestamps", value: stated ?? "" }, "utc-time");
  }

  /** A document that is no JSON, or that the next one interrupts: its line is set aside, and the next is read. */
  function setDocumentAside(): void {
    sink.rowRead();
    const name = labels.get("__name__") ?? "";
    setLineAside(sink, name, beginsAt, { column: "metric", value: name }, "json-object");
    clear();
    stream = newStream();
  }

  function bytes(piece: Uint8Array): LedgerError | null {
    for (let from = 0; from < piece.length; ) {
      const newline = piece.indexOf(10, from);
      const to = newline < 0 ? piece.length : newline + 1;
      takePart(piece.subarray(from, to));
      if (newline >= 0) line += 1;
      isLineStart = newline >= 0;
      from = to;
    }
    return trouble;
  }

  function takePart(part: Uint8Array): void {
    if (isLineStart && part[0] === openBrace) {
      if (path.length > 0) setDocumentAside();
      isSkipping = false;
    }
    if (isSkipping || stream.take(part)) return;
    setDocumentAside();
    isSkipping = true;
  }

  function end(): LedgerError | null {
    if (path.length === 0 && stream.isComplete()) return null;
    if (isSkipping || (documents > 0 && path.length === 0)) return null;
    if (documents === 0) return ledgerError("import.truncated", { file, rows: 0 });
    sink.repaired("truncated-last-line");
    return null;
  }

  return ok({ takes: "bytes", bytes, end, hasGpuSeries: log.hasSeries, version: () => null });
}

const openBrace = 123;

type Numbers = ReturnType<typeof numbers>;

/** Numbers of a long list, eight bytes each, given back as text; what is no number keeps its text. */
function numbers() {
  const chunks: Float64Array[] = [];
  const texts = new Map<number, string>();
  let count = 0;
  /** Those before it are gone. */
  let forgotten = 0;
  return {
    add(text: string): void {
      const at = count % chunkLength;
      // Where numbers are forgotten as they come, one chunk takes them all.
      const place = forgotten === count ? 0 : (count - at) / chunkLength;
      const chunk = (chunks[place] ??= new Float64Array(chunkLength));
      const number = text === "" ? Number.NaN : Number(text);
      chunk[at] = number;
      // A number of up to fifteen digits is written again as it was, but for zeros that say nothing.
      if (!Number.isFinite(number) || text.length > 16) texts.set(count, text);
      count += 1;
    },
    at: (index: number): string | null => (index < forgotten || index >= count ? null : (texts.get(index) ?? String(chunks[Math.floor(index / chunkLength)]?.[index % chunkLength]))),
    count: () => count,
    /** What came so far is not asked for again. */
    forget(): void {
      forgotten = count;
      texts.clear();
    },
    /** What a usual line takes is kept for the next. */
    clear(): void {
      count = 0;
      forgotten = 0;
      texts.clear();
      chunks.length = Math.min(chunks.length, keptChunks);
    },
  };
}
const chunkLength = 65_536;
const keptChunks = 4;
/** A list longer than that, a month and a half at a reading a minute, is no usual line's. */
const longList = chunkLength;
