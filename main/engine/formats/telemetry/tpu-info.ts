/**
 * `tpu-info` of Google's TPUs: drawn tables, once or as it refreshes them, without a time. The duty cycle is the share of time in which a
 * chip was at work, as GPU-Util is. TensorCores are numbered apart from chips, so their table is left out. Field notes 6.6.
 */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import { readQuantityText, scaledColumn } from "./cells.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { deviceReadings, polledDevices } from "./polled-devices.ts";
import { setLineAside, textLines } from "./text-lines.ts";

export const tpuInfo: TelemetryFormat = { id: "tpu-info", recognize, open };

/** How often `tpu-info --streaming` refreshes unless it is told otherwise. */
const defaultEveryMs = 1000;
const percent = scaledColumn("percent");
const memory = scaledColumn("memory");

function recognize({ head }: Sniffed): Recognition {
  const isTable = head.split(/\r?\n/).slice(0, 400).some((line) => titleOf(plain(line)) === "runtime");
  return { formatId: tpuInfo.id, score: isTable ? 1 : 0, version: null, reasons: isTable ? [{ code: "series-present", params: { columns: "TPU Runtime Utilization" } }] : [], missing: [] };
}

/** Without what colors and moves the cursor on a terminal. */
function plain(line: string): string {
  return line.replaceAll(escapes, "").trim();
}
const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, "g");

type Table = "chips" | "runtime" | "other";

/** The table that a line is the title of; null for a line that is none. */
function titleOf(line: string): Table | null {
  if (/^TPU Chips$/i.test(line)) return "chips";
  if (/^TPU Runtime Utilization$/i.test(line)) return "runtime";
  return /^(?:TPU|TensorCore|Libtpu|Supported)\b[\w ]*$/i.test(line) ? "other" : null;
}

/** Cells of a drawn row, ends taken off; null for borders and text. */
function rowCells(line: string): readonly string[] | null {
  if (!/^[│┃|]/.test(line)) return null;
  const cells = line.split(/[│┃|]/).slice(1, -1).map((cell) => cell.trim());
  return cells.length < 2 || cells.every((cell) => /^[-─━═: ]*$/.test(cell)) ? null : cells;
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const devices = polledDevices(job, sink, { groups: [deviceReadings], everyMs: defaultEveryMs });
  let table: Table = "other";
  let chip = "";
  let hasTable = false;

  function line(text: string, number: number, isTerminated: boolean): LedgerError | null {
    const words = plain(text);
    const title = titleOf(words);
    if (title !== null && isTerminated) {
      table = title;
      hasTable ||= title === "runtime";
      return null;
    }
    const cells = rowCells(words);
    if (cells === null) return null;
    if (!isTerminated) {
      sink.repaired("truncated-last-line");
      return null;
    }
    if (table === "chips") chip = /\bTPU\b/i.test(cells[1] ?? "") ? (cells[1] ?? "").replace(/ chip$/i, "") : chip;
    if (table !== "runtime" || /^(?:chip|device)$/i.test(cells[0] ?? "")) return null;
    const [id = "", used = "", cycle = ""] = cells;
    if (!/^\d{1,4}$/.test(id) || cells.length !== 3) {
      sink.rowRead();
      setLineAside(sink, text, number, { column: "Chip", value: id }, "gpu-identity");
      return null;
    }
    const [stated = "", total = ""] = used.split("/");
    const totalMiB = total.trim() === "" ? Number.NaN : readQuantityText(memory, total, sink);
    return devices.take({
      time: null,
      host: null,
      uuid: null,
      pciBusId: null,
      index: Number(id),
      name: chip,
      memoryTotalMiB: totalMiB,
      values: [Float64Array.of(readQuantityText(percent, cycle, sink), readQuantityText(memory, stated, sink), Number.NaN)],
    }, text, number);
  }

  const lines = textLines(sink, line);
  return ok({ takes: "bytes", bytes: lines.bytes, end: () => lines.end() ?? devices.end(), hasGpuSeries: () => hasTable, version: () => null });
}
