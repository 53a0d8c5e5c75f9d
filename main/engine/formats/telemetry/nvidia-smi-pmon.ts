/** `nvidia-smi pmon`: what single processes do. Their shares are not the GPU's, so nothing of it is kept. */
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { textLines } from "./text-lines.ts";

export const nvidiaSmiPmon: TelemetryFormat = { id: "nvidia-smi-pmon", recognize, open };

const header = /^#\s*(?:date[\s,]+)?(?:time[\s,]+)?gpu[\s,]+pid[\s,]+type\b/i;

/** A row, its kind of process third: `0  11345  C  99  10  -  -  gpu_burn`. */
const bareRow = /^\s+(?:\d{8}\s+)?(?:[\d:]{7,8}\s+)?\d{1,3}\s+(?:\d+|-)\s+(?:C|G|M|C\+G|M\+C|-)\s+(?:(?:\d+|-)\s+){2,}\S/;

function recognize({ head }: Sniffed): Recognition {
  const lines = head.split(/\r?\n/).slice(0, -1).filter((line) => line.trim() !== "");
  const isPmon = head.split(/\r?\n/).some((line) => header.test(line)) || (lines.length > 0 && lines.every((line) => bareRow.test(line)));
  return { formatId: nvidiaSmiPmon.id, score: isPmon ? 1 : 0, version: null, reasons: isPmon ? [{ code: "columns-present", params: { columns: "gpu, pid, type" } }] : [], missing: [] };
}

function open(_job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const lines = textLines(sink, (text) => {
    if (text.trim() === "" || text.startsWith("#")) return null;
    sink.rowRead();
    sink.rowIgnored();
    sink.repaired("process-list");
    return null;
  });
  return ok({ takes: "bytes", bytes: lines.bytes, end: lines.end, hasGpuSeries: () => false, version: () => null });
}
