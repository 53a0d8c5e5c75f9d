/** The person's own log of machines that can be taken away: one row a run. */
import { parse } from "csv-parse/sync";
import { ledgerError, type Expected } from "../../../shared/contract/errors.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { textIn } from "../import/encoding.ts";
import { createUtcTimeReader, TIME_READ } from "../import/utc-time.ts";
import type { MachineRun } from "../planning/interruptions.ts";

/**
 * Reads runs from CSV with a header: `start` and `end` (times of UTC unless they say otherwise), or `hours`; and how the run ended, as
 * `interrupted` (yes or no) or `reason` in the words of a cloud. Comma, semicolon or tab; UTF-8, UTF-16 or GB18030.
 *
 * errors  import.empty, import.not-text, import.unreadable, import.column-missing, import.value-invalid with line and column
 */
export function readInterruptionLog(bytes: Uint8Array, file: string): Result<readonly MachineRun[]> {
  if (bytes.length === 0) return err(ledgerError("import.empty", { file }));
  const text = textIn(bytes);
  if (text === null) return err(ledgerError("import.not-text", { file }));
  let records: { readonly record: string[]; readonly info: { readonly lines: number } }[];
  try {
    records = parse(text, { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true, delimiter: delimiterOf(text) }) as unknown as typeof records;
  } catch {
    return err(ledgerError("import.unreadable", { file }));
  }
  const header = records[0]?.record;
  if (header === undefined || records.length < 2) return err(ledgerError("import.empty", { file }));
  const place = placesIn(header);
  const hasLength = place.hours >= 0 || (place.start >= 0 && place.end >= 0);
  if (!hasLength || (place.interrupted < 0 && place.reason < 0)) {
    return err(ledgerError("import.column-missing", { file, format: "interruptions", columns: [...(hasLength ? [] : ["start, end"]), ...(place.interrupted < 0 && place.reason < 0 ? ["interrupted"] : [])].join(", ") }));
  }
  const runs: MachineRun[] = [];
  for (const { record, info } of records.slice(1)) {
    const wrong = (index: number, expected: Expected): Result<never> => err(ledgerError("import.value-invalid", { file, line: info.lines, column: header[index] ?? "", value: record[index] ?? "", expected }));
    let hours: number;
    if (place.hours >= 0) {
      const said = record[place.hours] ?? "";
      hours = /^\d+(\.\d+)?$/.test(said) ? Number(said) : Number.NaN;
      if (Number.isNaN(hours)) return wrong(place.hours, "decimal");
    } else {
      const [start, end] = [secondsOf(record[place.start] ?? ""), secondsOf(record[place.end] ?? "")];
      if (start === null) return wrong(place.start, "utc-time");
      if (end === null) return wrong(place.end, "utc-time");
      if (end < start) return wrong(place.end, "period-order");
      hours = (end - start) / 3600;
    }
    const answer = place.interrupted >= 0 ? yesOrNo(record[place.interrupted] ?? "") : isInterruption(record[place.reason] ?? "");
    if (answer === null) return wrong(place.interrupted, "yes-no");
    runs.push({ hours, wasInterrupted: answer });
  }
  return ok(runs);
}

const names = {
  start: ["start", "started", "startedat", "starttime", "launched", "launchtime", "from", "开始", "开始时间", "启动时间"],
  end: ["end", "ended", "endedat", "endtime", "stopped", "terminated", "to", "结束", "结束时间", "终止时间"],
  hours: ["hours", "runhours", "小时", "小时数", "运行小时"],
  interrupted: ["interrupted", "preempted", "evicted", "isinterrupted", "是否中断", "中断"],
  reason: ["reason", "event", "status", "outcome", "statereason", "原因", "状态", "结束原因"],
} as const;

function placesIn(header: readonly string[]): Readonly<Record<keyof typeof names, number>> {
  const said = header.map((name) => name.trim().toLowerCase().replace(/[\s_-]/g, ""));
  const placeOf = (known: readonly string[]): number => said.findIndex((name) => known.includes(name));
  return { start: placeOf(names.start), end: placeOf(names.end), hours: placeOf(names.hours), interrupted: placeOf(names.interrupted), reason: placeOf(names.reason) };
}

function yesOrNo(text: string): boolean | null {
  if (/^(yes|y|true|1|是)$/i.test(text)) return true;
  return /^(no|n|false|0|否|)$/i.test(text) ? false : null;
}

/** As AWS, Azure, Google and the Chinese clouds name it; whatever else ended a run was no interruption. */
function isInterruption(text: string): boolean {
  return /interrupt|preempt|evict|reclaim|spotinstancetermination|no-capacity|中断|抢占|回收|驱逐|释放通知/i.test(text);
}

function secondsOf(text: string): number | null {
  const reader = createUtcTimeReader([]);
  const bytes = new TextEncoder().encode(text);
  return reader.read(bytes, 0, bytes.length) === TIME_READ ? reader.seconds : null;
}

function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  return [",", ";", "\t"].reduce((best, each) => (header.split(each).length > header.split(best).length ? each : best));
}
