/**
 * Allocations of OpenCost and Kubecost, JSON or CSV: GPUs that were requested, and their cost as that tool reckons it. Their efficiency is 0
 * both for idle and for unknown, so nothing of it becomes utilization. Field notes 5.4.
 */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { cutTrouble, isObject, jsonElements, textAt } from "./json-elements.ts";
import type { JsonPart } from "./json-elements.ts";
import { splitCells } from "./table-log.ts";
import { textLines } from "./text-lines.ts";

export const openCost: TelemetryFormat = { id: "opencost", recognize, open };

function recognize({ head }: Sniffed): Recognition {
  const isAnswer = /^\s*\{/.test(head) && /"code"\s*:\s*\d+/.test(head) && /"data"\s*:\s*\[/.test(head) && /"(gpuHours|gpuCost|gpuCount|cpuCoreHours|cpuCores)"\s*:/.test(head) && /"(properties|window)"\s*:/.test(head);
  const names = new Set(splitCells(head.split(/\r?\n/, 1)[0] ?? "").map((cell) => cell.toLowerCase().replace(/[^a-z]/g, "")));
  const isTable = !/^\s*[{[]/.test(head) && (names.has("gpuhours") || names.has("gpucost")) && (names.has("cpucost") || names.has("cpucorehours") || names.has("cpuhours")) && (names.has("namespace") || names.has("name") || names.has("cluster"));
  const isAllocation = isAnswer || isTable;
  return { formatId: openCost.id, score: isAllocation ? 1 : 0, version: null, reasons: isAllocation ? [{ code: "columns-present", params: { columns: "gpuHours, gpuCost" } }] : [], missing: [] };
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const file = job.sniffed.name;
  function row(gpuHours: string | null): void {
    sink.rowRead();
    sink.rowIgnored();
    if (gpuHours !== null && Number(gpuHours) > 0) sink.repaired("allocation-only");
  }

  if (/^\s*\{/.test(job.sniffed.head)) {
    const take = (part: JsonPart): LedgerError | null => {
      if (isObject(part)) row(textAt(part, "gpuHours") ?? textAt(part, "gpuCount"));
      return null;
    };
    const elements = jsonElements(file, (path) => path.length === 3 && path[0] === "data", take);
    return ok({
      takes: "bytes",
      bytes: elements.bytes,
      end: () => cutTrouble(elements, file, () => sink.repaired("truncated-last-line")),
      hasGpuSeries: () => false,
      version: () => null,
    });
  }

  let hoursAt: number | null = null;
  const lines = textLines(sink, (line, _number, isTerminated) => {
    if (line.trim() === "") return null;
    const cells = splitCells(line);
    if (hoursAt === null) {
      const names = cells.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ""));
      hoursAt = names.includes("gpuhours") ? names.indexOf("gpuhours") : names.indexOf("gpucost");
      return null;
    }
    if (isTerminated) row(cells[hoursAt] ?? null);
    else sink.repaired("truncated-last-line");
    return null;
  });
  return ok({ takes: "bytes", bytes: lines.bytes, end: lines.end, hasGpuSeries: () => false, version: () => null });
}
