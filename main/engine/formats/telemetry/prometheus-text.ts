/**
 * What GPU exporters answer a scrape with, one saved scrape or many in a row; OpenMetrics; and what `promtool tsdb dump` and
 * `dump-openmetrics` write: a name, labels, a value and, but for plain scrapes, a time.
 */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import { isSentinel } from "./cells.ts";
import { instantOfEpoch } from "./epoch.ts";
import { exporterLog } from "./exporter-series.ts";
import type { ExporterSeries } from "./exporter-series.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { pollTimes } from "./poll-times.ts";
import { setLineAside, textLines } from "./text-lines.ts";

export const prometheusText: TelemetryFormat = { id: "prometheus-text", recognize, open };

/** How often Prometheus scrapes unless it is told otherwise. */
const defaultEveryMs = 60_000;

function recognize({ head, isWhole }: Sniffed): Recognition {
  const lines = head.split(/\r?\n/).slice(0, 400);
  // A last line may be cut where the look at the file ends.
  const all = (isWhole ? lines : lines.slice(0, -1)).map((line) => line.trim()).filter((line) => line !== "");
  // A shell's prompt or an answer's headers may stand before the text.
  const begin = all.slice(0, mostChatter).findIndex((line) => isComment(line) || (!line.startsWith("#") && parseSample(line) !== null));
  const stated = all.slice(Math.max(0, begin));
  const samples = stated.filter((line) => !line.startsWith("#") && parseSample(line) !== null).length;
  const comments = stated.filter((line) => isComment(line)).length;
  // Labels, help or the mark of the end must be there: a bare name and a number could be anything.
  const speaks = comments > 0 || stated.some((line) => /^[a-zA-Z_:]?[\w:]*\{.*\} ?\S/.test(line));
  const others = stated.filter((line) => !line.startsWith("#")).length - samples;
  const isText = speaks && samples + comments > 0 && others <= (samples + comments) / 10;
  return { formatId: prometheusText.id, score: isText ? 1 : 0, version: null, reasons: isText ? [{ code: "series-present", params: { columns: stated.find((line) => !line.startsWith("#"))?.split("{")[0] ?? "" } }] : [], missing: [] };
}

/** No more lines of something else stand before the first of the text. */
const mostChatter = 20;

function isComment(line: string): boolean {
  return /^# (HELP|TYPE|UNIT) [a-zA-Z_:]|^# EOF$/.test(line);
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const log = exporterLog(job, sink);
  const times = pollTimes(job, sink, defaultEveryMs);
  const values = new Float64Array(1);
  /** By name and labels as written; null for what the ledger does not keep. */
  const known = new Map<string, ExporterSeries | null>();
  /** The poll in which a series, or a comment, was last seen. */
  const seenIn = new Map<string, number>();
  let poll = 0;
  let hasBegun = false;

  /** A series or a comment that comes again begins the next scrape. */
  function isAgain(what: string): boolean {
    if (seenIn.get(what) === poll) return true;
    seenIn.set(seenIn.has(what) ? what : owned(what), poll);
    return false;
  }
  function nextPoll(): void {
    poll += 1;
    times.nextPoll();
  }

  function line(text: string, number: number, isTerminated: boolean): LedgerError | null {
    const plain = text.trim();
    if (plain === "") return null;
    if (plain.startsWith("#")) {
      hasBegun ||= isComment(plain);
      const comment = /^# (HELP|TYPE) (\S+)/.exec(plain);
      if (comment !== null && isAgain(comment[0])) {
        nextPoll();
        isAgain(comment[0]);
      }
      return null;
    }
    const sample = parseSample(plain);
    if (sample === null && !hasBegun && number <= mostChatter && !plain.includes("{")) return null;
    hasBegun = true;
    if (!isTerminated) {
      // Of `12` nobody knows whether it was to be 125; a time is whole or the line falls.
      sink.repaired("truncated-last-line");
      return null;
    }
    sink.rowRead();
    if (sample === null) {
      setLineAside(sink, text, number, { column: "", value: plain }, "column-count");
      return null;
    }
    let series = known.get(sample.key);
    if (series === undefined) {
      const key = owned(sample.key);
      const labels = labelsOfText(key.includes("{") ? key.slice(key.indexOf("{") + 1, -1) : "");
      series = labels === null ? null : log.seriesOf(sample.name === "" ? (labels.get("__name__") ?? "") : sample.name, labels);
      known.set(key, series);
    }
    if (series === null) {
      if (sample.name.startsWith("DCGM_FI_") && isSentinel(Number(sample.value))) sink.repaired("value-sentinel");
      sink.rowIgnored();
      return null;
    }
    if (sample.time === null) {
      // Two readings of a counter tell a power only with the time between them.
      if (series.exported.isCounter === true) {
        sink.rowIgnored();
        return null;
      }
      if (isAgain(sample.key)) {
        nextPoll();
        isAgain(sample.key);
      }
      const value = log.value(series, poll, sample.value);
      if (value === null) return null;
      values[0] = value;
      times.timeless(series.device, values);
      return null;
    }
    const ms = instantOfEpoch(sample.time);
    if (ms === null) setLineAside(sink, text, number, { column: "time", value: sample.time }, "utc-time");
    else log.point(series, ms, sample.value);
    return null;
  }

  const lines = textLines(sink, line);
  return ok({
    takes: "bytes",
    bytes: lines.bytes,
    end: () => lines.end() ?? times.end(),
    hasGpuSeries: log.hasSeries,
    version: () => null,
  });
}

/** A copy of its own: a part of a line would keep the whole piece of the file that the line came from. */
function owned(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}

interface Sample {
  /** Name and labels as written. */
  readonly key: string;
  readonly name: string;
  readonly value: string;
  readonly time: string | null;
}

const bareSample = /^([a-zA-Z_:][\w:]*)\s+(\S+)(?:\s+(\S+))?(?:\s+#.*)?$/;
const afterLabels = /^\s*(\S+)(?:\s+(\S+))?(?:\s+#.*)?$/;
/** As exposition text writes numbers: `NaN` and `+Inf` among them. */
const number = /^[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|nan|inf(?:inity)?)$/i;

function parseSample(line: string): Sample | null {
  const brace = line.indexOf("{");
  if (brace < 0) {
    const found = bareSample.exec(line);
    return found === null ? null : sampleOf(found[1] ?? "", found[1] ?? "", found[2], found[3]);
  }
  const name = line.slice(0, brace).trim();
  if (name !== "" && !/^[a-zA-Z_:][\w:]*$/.test(name)) return null;
  const close = endOfLabels(line, brace + 1);
  if (close < 0) return null;
  const found = afterLabels.exec(line.slice(close + 1));
  return found === null ? null : sampleOf(line.slice(0, close + 1), name, found[1], found[2]);
}

function sampleOf(key: string, name: string, value = "", time: string | undefined): Sample | null {
  if (!number.test(value) || (time !== undefined && !number.test(time))) return null;
  return { key, name, value, time: time ?? null };
}

/** Where the brace closes that is not within quotes. */
function endOfLabels(line: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < line.length; at++) {
    const letter = line[at];
    if (isQuoted && letter === "\\") at += 1;
    else if (letter === '"') isQuoted = !isQuoted;
    else if (letter === "}" && !isQuoted) return at;
  }
  return -1;
}

const label = /\s*(?:([a-zA-Z_][\w.]*)\s*=\s*)?"((?:[^"\\]|\\.)*)"\s*(?:,|$)/y;

/** Labels by name in lower case, the quoted name of Prometheus 3 as `__name__`; null if they are none. */
export function labelsOfText(labels: string): Map<string, string> | null {
  const found = new Map<string, string>();
  label.lastIndex = 0;
  while (label.lastIndex < labels.length && labels.slice(label.lastIndex).trim() !== "") {
    const match = label.exec(labels);
    if (match === null) return null;
    const value = (match[2] ?? "").replace(/\\(.)/g, (_, letter: string) => (letter === "n" ? "\n" : letter));
    found.set((match[1] ?? "__name__").toLowerCase(), value);
  }
  return found;
}

