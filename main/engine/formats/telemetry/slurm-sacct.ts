/**
 * `sacct`: which jobs were given which GPUs, in fields parted by `|` with or without a header, by another sign, in its padded table or as
 * JSON. It says what was allocated and not how busy it was, so nothing of it becomes utilization. Field notes 7.1.
 */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { cutTrouble, isList, isObject, jsonElements, textAt } from "./json-elements.ts";
import type { JsonPart } from "./json-elements.ts";
import { textLines } from "./text-lines.ts";

export const slurmSacct: TelemetryFormat = { id: "slurm-sacct", recognize, open };

/** A job, a member of an array or of a heterogeneous job, or one of their steps. */
const jobId = /^\d+(?:[_+](?:\d+|\[[\d,%-]+\]))?(?:\.(?:\d+|batch|extern|interactive))?$/;
const resources = /(?:^|,)(?:billing|cpu|mem|node|energy|gres\/\w+)(?::[\w.-]+)?=/;

/** `--json`: a list of jobs with what each was given. */
const isJson = (head: string): boolean => /^\s*\{/.test(head) && /"jobs"\s*:\s*\[/.test(head) && /"job_id"\s*:/.test(head) && /"(tres|allocation_nodes|association)"\s*:/.test(head);
/** Field names beside JobID that nothing but Slurm's accounting has. */
const fieldName = /^(?:(?:Alloc|Req)(?:TRES|CPUS|Nodes)|NodeList|ElapsedRaw|ExitCode|JobName|TRESUsageIn\w+)$/i;

/** The fields of a header line, however they are parted; null for any other line. */
function headerFields(line: string): readonly string[] | null {
  for (const parts of [line.split("|"), line.split(","), line.split("\t"), line.trim().split(/\s+/)]) {
    const names = parts.map((part) => part.trim());
    if (names.length > 2 && names.some((name) => /^JobID(Raw)?$/i.test(name)) && names.some((name) => fieldName.test(name))) return names;
  }
  return null;
}

function recognize({ head, isWhole }: Sniffed): Recognition {
  const lines = head.split(/\r?\n/).slice(0, 50);
  const rows = (isWhole ? lines : lines.slice(0, -1)).filter((line) => line.trim() !== "").map((line) => line.split("|"));
  const [first = []] = rows;
  const hasBarHeader = first.length > 2 && first.some((cell) => /^JobID(Raw)?$/i.test(cell.trim()));
  const header = hasBarHeader ? first : headerFields(lines[0] ?? "");
  const jobs = rows.filter((cells) => cells.length > 2 && jobId.test((cells[0] ?? "").trim()));
  const isBare = jobs.length > 0 && jobs.length === rows.length && jobs.some((cells) => cells.some((cell) => resources.test(cell)));
  const isSacct = header !== null || isBare || isJson(head);
  return { formatId: slurmSacct.id, score: isSacct ? 1 : 0, version: null, reasons: isSacct ? [{ code: "columns-present", params: { columns: header === null ? "JobID" : header.slice(0, 8).join(", ") } }] : [], missing: [] };
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  function row(givesGpus: boolean): void {
    sink.rowRead();
    sink.rowIgnored();
    if (givesGpus) sink.repaired("allocation-only");
  }
  if (isJson(job.sniffed.head)) return ok(jsonReader(job.sniffed.name, sink, row));

  const lines = textLines(sink, (line, _number, isTerminated) => {
    if (line.trim() === "" || /^[-\s|]+$/.test(line) || headerFields(line) !== null) return null;
    const cells = line.split("|");
    if (cells.some((cell) => /^JobID$/i.test(cell.trim()))) return null;
    if (!isTerminated) {
      sink.repaired("truncated-last-line");
      return null;
    }
    // Steps repeat what their job was given.
    const isStep = cells.some((cell) => /^\d+\S*\.(?:\d+|batch|extern|interactive)(?![\w.])/.test(cell.trim()));
    row(!isStep && /(?:^|[|,"\s])gres\/gpu(?::[\w.-]+)?=\d/.test(line));
    return null;
  });
  return ok({ takes: "bytes", bytes: lines.bytes, end: lines.end, hasGpuSeries: () => false, version: () => null });
}

function jsonReader(file: string, sink: LogSink, row: (givesGpus: boolean) => void): LogReader {
  function take(job: JsonPart): LedgerError | null {
    const tres = isObject(job) ? job["tres"] : undefined;
    const given = isObject(tres) ? tres["allocated"] : undefined;
    row(isList(given) && given.some((each) => textAt(each, "type") === "gres" && /^gpu\b/.test(textAt(each, "name") ?? "")));
    return null;
  }
  const elements = jsonElements(file, (path) => path.length === 2 && path[0] === "jobs", take);
  return { takes: "bytes", bytes: elements.bytes, end: () => cutTrouble(elements, file, () => sink.repaired("truncated-last-line")), hasGpuSeries: () => false, version: () => null };
}
