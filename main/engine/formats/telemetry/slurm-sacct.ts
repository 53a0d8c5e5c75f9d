/**
 * `sacct -P`: which jobs were given which GPUs, with or without a header. It says what was allocated and not how busy it was, so nothing of
 * it becomes utilization. Field notes 7.1.
 */
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { textLines } from "./text-lines.ts";

export const slurmSacct: TelemetryFormat = { id: "slurm-sacct", recognize, open };

/** A job, a member of an array or of a heterogeneous job, or one of their steps. */
const jobId = /^\d+(?:[_+](?:\d+|\[[\d,%-]+\]))?(?:\.(?:\d+|batch|extern|interactive))?$/;
const resources = /(?:^|,)(?:billing|cpu|mem|node|energy|gres\/\w+)(?::[\w.-]+)?=/;

function recognize({ head, isWhole }: Sniffed): Recognition {
  const lines = head.split(/\r?\n/).slice(0, 50);
  const rows = (isWhole ? lines : lines.slice(0, -1)).filter((line) => line.trim() !== "").map((line) => line.split("|"));
  const [first = []] = rows;
  const hasHeader = first.some((cell) => /^JobID(Raw)?$/i.test(cell.trim())) && first.length > 2;
  const jobs = rows.filter((cells) => cells.length > 2 && jobId.test((cells[0] ?? "").trim()));
  const isBare = jobs.length > 0 && jobs.length === rows.length && jobs.some((cells) => cells.some((cell) => resources.test(cell)));
  const isSacct = hasHeader || isBare;
  return { formatId: slurmSacct.id, score: isSacct ? 1 : 0, version: null, reasons: isSacct ? [{ code: "columns-present", params: { columns: hasHeader ? first.slice(0, 8).join(", ") : "JobID" } }] : [], missing: [] };
}

function open(_job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const lines = textLines(sink, (line, _number, isTerminated) => {
    const cells = line.split("|");
    if (line.trim() === "" || cells.some((cell) => /^JobID$/i.test(cell.trim()))) return null;
    if (!isTerminated) {
      sink.repaired("truncated-last-line");
      return null;
    }
    sink.rowRead();
    sink.rowIgnored();
    // Steps repeat what their job was given.
    const isStep = cells.some((cell) => /^\d+\S*\.(?:\d+|batch|extern|interactive)$/.test(cell.trim()));
    if (!isStep && cells.some((cell) => resources.test(cell) && /gres\/gpu/.test(cell))) sink.repaired("allocation-only");
    return null;
  });
  return ok({ takes: "bytes", bytes: lines.bytes, end: lines.end, hasGpuSeries: () => false, version: () => null });
}
