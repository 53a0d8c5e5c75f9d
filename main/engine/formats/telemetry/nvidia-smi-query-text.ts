/** `nvidia-smi -q`: a heading, then `Key : value` line by line, sections by indentation, one report or many in a row. */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { deviceOfFacts } from "./nvidia-smi-facts.ts";
import type { GpuFact } from "./nvidia-smi-facts.ts";
import { deviceReadings, polledDevices } from "./polled-devices.ts";
import { textLines } from "./text-lines.ts";

export const nvidiaSmiQueryText: TelemetryFormat = { id: "nvidia-smi-query-text", recognize, open };

const defaultEveryMs = 5000;
const heading = /^=+NVSMI LOG=+\s*$/;

function recognize({ head }: Sniffed): Recognition {
  const isReport = head.split(/\r?\n/).slice(0, 200).some((line) => heading.test(line));
  return { formatId: nvidiaSmiQueryText.id, score: isReport ? 1 : 0, version: null, reasons: isReport ? [{ code: "series-present", params: { columns: "NVSMI LOG" } }] : [], missing: [] };
}

/** Sections from the GPU inwards and key, lower case. What stands within another section, a MIG instance's memory say, is not the GPU's own. */
const factAt: Readonly<Record<string, GpuFact>> = {
  "/product name": "name",
  "/gpu uuid": "uuid",
  "/persistence mode": "persistence",
  "mig mode/current": "mig",
  "fb memory usage/total": "memory-total",
  "fb memory usage/used": "memory-used",
  "utilization/gpu": "utilization",
  "power readings/power draw": "power",
  "gpu power readings/power draw": "power",
  "gpu power readings/average power draw": "power-average",
  "gpu power readings/instantaneous power draw": "power-instant",
};

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const devices = polledDevices(job, sink, { groups: [deviceReadings], everyMs: defaultEveryMs });
  let time: string | null = null;
  let pciId: string | null = null;
  let firstLine = 0;
  /** What is open, from the outside in. */
  let sections: { readonly name: string; readonly indent: number }[] = [];
  let facts = new Map<GpuFact, string>();
  let gpus = 0;
  const seen = new Set<string>();

  function endDevice(): LedgerError | null {
    if (pciId === null) return null;
    const device = deviceOfFacts(facts, { pciId, time, isFirst: !seen.has(pciId) }, sink);
    seen.add(pciId);
    const line = `GPU ${pciId}`;
    pciId = null;
    facts = new Map();
    gpus += 1;
    return devices.take(device, line, firstLine);
  }

  function line(text: string, number: number, isTerminated: boolean): LedgerError | null {
    if (!isTerminated) {
      if (text.trim() !== "") sink.repaired("truncated-last-line");
      return null;
    }
    if (heading.test(text)) {
      const trouble = endDevice();
      if (time === null && gpus > 0) devices.nextPoll();
      time = null;
      return trouble;
    }
    const gpu = /^GPU ([0-9A-Fa-f:.]+)\s*$/.exec(text);
    if (gpu !== null) {
      const trouble = endDevice();
      pciId = gpu[1] ?? "";
      firstLine = number;
      sections = [];
      return trouble;
    }
    const entry = /^(\s*)(.*?)(?:\s*: (.*))?$/.exec(text.trimEnd());
    const [, indent = "", key = "", value] = entry ?? [];
    if (key === "") return null;
    sections = sections.filter((section) => section.indent < indent.length);
    if (value === undefined) sections.push({ name: key.toLowerCase(), indent: indent.length });
    else if (indent.length === 0) {
      if (/^timestamp$/i.test(key)) time = value.trim();
    } else if (pciId !== null) {
      const fact = factAt[`${sections.map(({ name }) => name).join("/")}/${key.toLowerCase()}`];
      if (fact !== undefined && !facts.has(fact)) facts.set(fact, value.trim());
    }
    return null;
  }

  const lines = textLines(sink, line);
  return ok({
    takes: "bytes",
    bytes: lines.bytes,
    end: () => lines.end() ?? endDevice() ?? devices.end(),
    hasGpuSeries: () => gpus > 0 || pciId !== null,
    version: () => null,
  });
}
