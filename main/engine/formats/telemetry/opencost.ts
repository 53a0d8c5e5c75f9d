/**
 * Allocations of OpenCost and Kubecost, JSON or CSV: GPUs that were requested, and their cost as that tool reckons it. Their efficiency is 0
 * both for idle and for unknown, so nothing of it becomes utilization, and their cost is no bill. What holds GPUs in a window is kept as a
 * job; what is idle or belongs to nobody is none. Field notes 5.4.
 */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { jobTime } from "./job-times.ts";
import { cutTrouble, isObject, jsonElements, textAt } from "./json-elements.ts";
import type { JsonPart } from "./json-elements.ts";
import { splitCells } from "./table-log.ts";
import { setLineAside, textLines } from "./text-lines.ts";

export const openCost: TelemetryFormat = { id: "opencost", recognize, open };

function recognize({ head }: Sniffed): Recognition {
  const isAnswer = /^\s*\{/.test(head) && /"code"\s*:\s*\d+/.test(head) && /"data"\s*:\s*\[/.test(head) && /"(gpuHours|gpuCost|gpuCount|cpuCoreHours|cpuCores)"\s*:/.test(head) && /"(properties|window)"\s*:/.test(head);
  const names = new Set(splitCells(head.split(/\r?\n/, 1)[0] ?? "").map((cell) => cell.toLowerCase().replace(/[^a-z]/g, "")));
  const isTable = !/^\s*[{[]/.test(head) && (names.has("gpuhours") || names.has("gpucost")) && (names.has("cpucost") || names.has("cpucorehours") || names.has("cpuhours")) && (names.has("namespace") || names.has("name") || names.has("cluster"));
  const isAllocation = isAnswer || isTable;
  return { formatId: openCost.id, score: isAllocation ? 1 : 0, version: null, reasons: isAllocation ? [{ code: "columns-present", params: { columns: "gpuHours, gpuCost" } }] : [], missing: [] };
}

/** One allocation's facts as texts; null where it has none. `hours`: requested GPUs × hours of the window. */
interface Allocation {
  readonly name: string | null;
  readonly cluster: string | null;
  readonly namespace: string | null;
  readonly workload: string | null;
  readonly team: string | null;
  readonly node: string | null;
  readonly hours: string | null;
  readonly count: string | null;
  readonly minutes: string | null;
  readonly start: string | null;
  readonly end: string | null;
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const file = job.sniffed.name;
  if (/^\s*\{/.test(job.sniffed.head)) {
    let place = 0;
    const take = (part: JsonPart): LedgerError | null => {
      if (isObject(part)) takeAllocation(ofJson(part), sink, (place += 1), () => JSON.stringify(part));
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

  let header: readonly string[] | null = null;
  const lines = textLines(sink, (line, number, isTerminated) => {
    if (line.trim() === "") return null;
    if (header === null) header = splitCells(line).map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ""));
    else if (isTerminated) takeAllocation(ofTable(header, splitCells(line)), sink, number, () => line);
    else sink.repaired("truncated-last-line");
    return null;
  });
  return ok({ takes: "bytes", bytes: lines.bytes, end: lines.end, hasGpuSeries: () => false, version: () => null });
}

function ofJson(part: JsonPart): Allocation {
  const namespace = textAt(part, "properties", "namespace");
  return {
    name: textAt(part, "name"),
    cluster: textAt(part, "properties", "cluster"),
    namespace,
    workload: textAt(part, "properties", "pod") ?? textAt(part, "properties", "controller"),
    team: textAt(part, "properties", "labels", "team") ?? namespace,
    node: textAt(part, "properties", "node"),
    hours: textAt(part, "gpuHours"),
    count: textAt(part, "gpuCount"),
    minutes: textAt(part, "minutes"),
    start: textAt(part, "start") ?? textAt(part, "window", "start"),
    end: textAt(part, "end") ?? textAt(part, "window", "end"),
  };
}

function ofTable(header: readonly string[], cells: readonly string[]): Allocation {
  const cell = (...names: readonly string[]): string | null => {
    for (const name of names) {
      const text = header.includes(name) ? (cells[header.indexOf(name)] ?? "").trim() : "";
      if (text !== "") return text;
    }
    return null;
  };
  const [namespace, workload] = [cell("namespace"), cell("pod", "controller")];
  return {
    name: cell("name") ?? ([namespace, cell("controller"), cell("pod"), cell("container")].filter((part) => part !== null).join("/") || null),
    cluster: cell("cluster"),
    namespace,
    workload,
    team: cell("team", "labelteam") ?? namespace,
    node: cell("node"),
    hours: cell("gpuhours"),
    count: cell("gpucount", "gpus"),
    minutes: cell("minutes"),
    start: cell("start", "windowstart", "starttime"),
    end: cell("end", "windowend", "endtime"),
  };
}

/** GPUs are held as long as the allocation ran in its window; their number is GPU-hours over hours, and may be a part of one. */
function takeAllocation({ name, cluster, namespace, workload, team, node, hours, count, minutes, start: startText, end: endText }: Allocation, sink: LogSink, line: number, raw: () => string): void {
  sink.rowRead();
  const [gpuHours, gpus, ran] = [numberOf(hours), numberOf(count), numberOf(minutes)];
  const holdsGpus = (gpuHours ?? gpus ?? 0) > 0 && name !== null;
  const [start, end] = [jobTime(startText ?? ""), jobTime(endText ?? "")];
  if (!holdsGpus || /^__.*__$/.test(name) || start === "none") {
    sink.rowIgnored();
    if (holdsGpus && start === "none") sink.repaired("allocation-only");
    return;
  }
  if (start === null || end === null) {
    setLineAside(sink, raw(), line, { column: start === null ? "start" : "end", value: (start === null ? startText : endText) ?? "" }, "local-time");
    return;
  }
  const elapsedSeconds = ran !== null ? Math.round(ran * 60) : end === "none" ? null : Math.round((end.ms - start.ms) / 1000);
  const held = gpuHours === null || elapsedSeconds === null || elapsedSeconds <= 0 ? gpus : (gpuHours * 3600) / elapsedSeconds;
  // Their times are UTC, with or without a Z.
  sink.job({
    line, source: "kubernetes", cluster, jobId: name, name: workload ?? name, user: null, account: team, partition: namespace, state: null,
    hosts: node === null ? [] : [node], gpuCount: held !== null && held > 0 ? held : null, gpuModel: null,
    start: { ms: start.ms, isInstant: true }, end: end === "none" ? null : { ms: end.ms, isInstant: true }, elapsedSeconds,
  });
}

function numberOf(text: string | null): number | null {
  return text === null || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? null : Number(text);
}
