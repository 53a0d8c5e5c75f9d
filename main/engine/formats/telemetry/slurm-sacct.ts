/**
 * `sacct`: which jobs were given which GPUs, in fields parted by `|` with or without a header, by another sign, in its padded table or as
 * JSON. It says what was allocated and not how busy it was, so nothing of it becomes utilization. Jobs are kept where a header (or JSON)
 * says which field is what, with GPUs and a start; of all else nothing is guessed. Field notes 7.1.
 */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { jobTime } from "./job-times.ts";
import { cutTrouble, isList, isObject, jsonElements, textAt } from "./json-elements.ts";
import type { JsonPart } from "./json-elements.ts";
import { gpusOf, hostsOf, secondsOf } from "./slurm-fields.ts";
import { splitCells } from "./table-log.ts";
import { setLineAside, textLines } from "./text-lines.ts";

export const slurmSacct: TelemetryFormat = { id: "slurm-sacct", recognize, open };

/** A job, a member of an array or of a heterogeneous job, or one of their steps. */
const jobId = /^\d+(?:[_+](?:\d+|\[[\d,%-]+\]))?(?:\.(?:\d+|batch|extern|interactive))?$/;
const resources = /(?:^|,)(?:billing|cpu|mem|node|energy|gres\/\w+)(?::[\w.-]+)?=/;

/** `--json`: a list of jobs with what each was given. */
const isJson = (head: string): boolean => /^\s*\{/.test(head) && /"jobs"\s*:\s*\[/.test(head) && /"job_id"\s*:/.test(head) && /"(tres|allocation_nodes|association)"\s*:/.test(head);
/** Field names beside JobID that nothing but Slurm's accounting has. */
const fieldName = /^(?:(?:Alloc|Req)(?:TRES|CPUS|Nodes)|NodeList|ElapsedRaw|ExitCode|JobName|TRESUsageIn\w+)$/i;

interface Header {
  readonly names: readonly string[];
  /** null: a table padded with spaces, whose fields are cut to its columns and so are not read. */
  readonly delimiter: string | null;
}

/** The fields of a header line, however they are parted; null for any other line. */
function headerOf(line: string): Header | null {
  for (const delimiter of ["|", ",", "\t", null]) {
    const names = (delimiter === null ? line.trim().split(/\s+/) : line.split(delimiter)).map((part) => part.trim());
    if (names.length > 2 && names.some((name) => /^JobID(Raw)?$/i.test(name)) && names.some((name) => fieldName.test(name))) return { names, delimiter };
  }
  return null;
}

function recognize({ head, isWhole }: Sniffed): Recognition {
  const lines = head.split(/\r?\n/).slice(0, 50);
  const rows = (isWhole ? lines : lines.slice(0, -1)).filter((line) => line.trim() !== "").map((line) => line.split("|"));
  const [first = []] = rows;
  const hasBarHeader = first.length > 2 && first.some((cell) => /^JobID(Raw)?$/i.test(cell.trim()));
  const header = hasBarHeader ? first : (headerOf(lines[0] ?? "")?.names ?? null);
  const jobs = rows.filter((cells) => cells.length > 2 && jobId.test((cells[0] ?? "").trim()));
  const isBare = jobs.length > 0 && jobs.length === rows.length && jobs.some((cells) => cells.some((cell) => resources.test(cell)));
  const isSacct = header !== null || isBare || isJson(head);
  return { formatId: slurmSacct.id, score: isSacct ? 1 : 0, version: null, reasons: isSacct ? [{ code: "columns-present", params: { columns: header === null ? "JobID" : header.slice(0, 8).join(", ") } }] : [], missing: [] };
}

/** One job's facts as texts, under the names of sacct's fields in small letters; "" where it has none. */
type Fields = (name: string) => string;

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const file = job.sniffed.name;
  if (isJson(job.sniffed.head)) return ok(jsonReader(file, sink));
  let header: Header | null = null;

  const lines = textLines(sink, (line, number, isTerminated) => {
    if (line.trim() === "" || /^[-\s|]+$/.test(line)) return null;
    const found = headerOf(line);
    if (found !== null || line.split("|").some((cell) => /^JobID$/i.test(cell.trim()))) {
      if (isTerminated) header = found ?? { names: line.split("|").map((cell) => cell.trim()), delimiter: "|" };
      return null;
    }
    if (!isTerminated) {
      sink.repaired("truncated-last-line");
      return null;
    }
    sink.rowRead();
    if (header === null || header.delimiter === null) {
      leftOut(line, sink);
      return null;
    }
    const cells = cellsOf(line, header);
    if (cells === null) {
      setLineAside(sink, line, number, { column: "", value: line }, "column-count");
      return null;
    }
    const fields = fieldsOf(header.names, cells);
    return takeJob(fields, { line: number, file, sink, aside: (column) => setLineAside(sink, line, number, { column, value: fields(column.toLowerCase()) }, "local-time") });
  });
  return ok({ takes: "bytes", bytes: lines.bytes, end: lines.end, hasGpuSeries: () => false, version: () => null });
}

/** A row of which nobody says which field is what. */
function leftOut(line: string, sink: LogSink): void {
  sink.rowIgnored();
  // Steps repeat what their job was given.
  const isStep = line.split("|").some((cell) => /^\d+\S*\.(?:\d+|batch|extern|interactive)(?![\w.])/.test(cell.trim()));
  if (!isStep && /(?:^|[|,"\s])gres\/gpu(?::[\w.-]+)?=\d/.test(line)) sink.repaired("allocation-only");
}

/** The cells under the header. A job's name may hold the sign that parts fields: what is too much is its own, where no other text could be. */
function cellsOf(line: string, { names, delimiter }: Header): readonly string[] | null {
  const cells = delimiter === "|" || delimiter === null ? line.split("|") : splitCells(line, delimiter);
  if (cells.length === names.length + 1 && cells.at(-1)?.trim() === "") return cells.slice(0, -1);
  const more = cells.length - names.length;
  if (more === 0) return cells;
  const at = names.findIndex((name) => /^JobName$/i.test(name));
  if (more < 0 || at === -1 || delimiter !== "|" || names.some((name) => /Comment|SubmitLine|WorkDir/i.test(name))) return null;
  return [...cells.slice(0, at), cells.slice(at, at + more + 1).join("|"), ...cells.slice(at + more + 1)];
}

function fieldsOf(names: readonly string[], cells: readonly string[]): Fields {
  const byName = new Map(names.map((name, at) => [name.toLowerCase(), (cells[at] ?? "").trim()]));
  return (name) => byName.get(name) ?? "";
}

interface Taking {
  readonly line: number;
  readonly file: string;
  readonly sink: LogSink;
  /** Sets the row aside for what stands in this field. */
  readonly aside: (column: "Start" | "End") => void;
}

/** Hands out a job that has GPUs and has begun. Steps repeat their job, and are not counted beside it. */
function takeJob(fields: Fields, { line, file, sink, aside }: Taking): LedgerError | null {
  const text = (name: string): string | null => fields(name) || null;
  const id = text("jobid") ?? text("jobidraw");
  const gpus = gpusOf(fields("alloctres"));
  const [start, end] = [jobTime(fields("start")), jobTime(fields("end"))];
  if (id === null || id.includes(".") || gpus === null || start === "none") {
    sink.rowIgnored();
    if (id !== null && !id.includes(".") && gpus !== null) sink.repaired("allocation-only");
    return null;
  }
  if (start === null || end === null) {
    aside(start === null ? "Start" : "End");
    return null;
  }
  const outcome = sink.job({
    line, source: "slurm", cluster: text("cluster"), jobId: id, name: text("jobname"), user: text("user"), account: text("account"), partition: text("partition"),
    state: /^\S+/.exec(fields("state"))?.[0] ?? null,
    hosts: hostsOf(fields("nodelist")), gpuCount: gpus.count, gpuModel: gpus.model, start, end: end === "none" ? null : end,
    elapsedSeconds: secondsOf(fields("elapsedraw")) ?? secondsOf(fields("elapsed")),
  });
  if (outcome === "zone-needed") return ledgerError("import.zone-needed", { file });
  if (outcome === "hour-skipped") aside("Start");
  return null;
}

function jsonReader(file: string, sink: LogSink): LogReader {
  let place = 0;
  function take(job: JsonPart): LedgerError | null {
    place += 1;
    sink.rowRead();
    const raw = JSON.stringify(job);
    const fields = jsonFields(job);
    return takeJob(fields, { line: place, file, sink, aside: (column) => setLineAside(sink, raw, place, { column, value: fields(column.toLowerCase()) }, "local-time") });
  }
  const elements = jsonElements(file, (path) => path.length === 2 && path[0] === "jobs", take);
  return { takes: "bytes", bytes: elements.bytes, end: () => cutTrouble(elements, file, () => sink.repaired("truncated-last-line")), hasGpuSeries: () => false, version: () => null };
}

/** A job of `--json` under the names that the other forms have. */
function jsonFields(job: JsonPart): Fields {
  const tres = isObject(job) && isObject(job["tres"]) ? job["tres"]["allocated"] : undefined;
  const given = isList(tres) ? tres.flatMap((each) => (textAt(each, "type") === "gres" ? [`gres/${textAt(each, "name") ?? ""}=${textAt(each, "count") ?? ""}`] : [])) : [];
  const states = isObject(job) && isObject(job["state"]) ? job["state"]["current"] : undefined;
  const facts: Readonly<Record<string, string | null>> = {
    jobid: jsonId(job),
    alloctres: given.join(","),
    jobname: textAt(job, "name"),
    state: isList(states) && typeof states[0] === "string" ? states[0] : (textAt(job, "state", "current") ?? textAt(job, "state")),
    nodelist: textAt(job, "nodes"),
    start: textAt(job, "time", "start"),
    end: textAt(job, "time", "end"),
    elapsedraw: textAt(job, "time", "elapsed"),
    ...Object.fromEntries(["cluster", "user", "account", "partition"].map((name) => [name, textAt(job, name)])),
  };
  return (name) => facts[name] ?? "";
}

/** `102_4` of an array and `103+1` of a heterogeneous job, as the other forms write it. */
function jsonId(job: JsonPart): string | null {
  const member = (group: string, place: string): string | null => {
    const head = textAt(job, group, "job_id");
    if (head === null || head === "0") return null;
    const isSet = isObject(job) && isObject(job[group]) && isObject(job[group][place]) ? job[group][place]["set"] === true : true;
    const number = isSet ? (textAt(job, group, place, "number") ?? textAt(job, group, place)) : null;
    return number === null ? null : `${head}${group === "array" ? "_" : "+"}${number}`;
  };
  return member("array", "task_id") ?? member("het", "job_offset") ?? textAt(job, "job_id");
}
