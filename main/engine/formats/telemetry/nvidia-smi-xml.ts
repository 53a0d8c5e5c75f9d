/** `nvidia-smi -q -x`, schemas v10 to v13, one document or many in a row. Neither its DTD nor any entity of its own is ever loaded. */
import { SaxesParser } from "saxes";
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { deviceOfFacts } from "./nvidia-smi-facts.ts";
import type { GpuFact } from "./nvidia-smi-facts.ts";
import { deviceReadings, polledDevices } from "./polled-devices.ts";

export const nvidiaSmiXml: TelemetryFormat = { id: "nvidia-smi-xml", recognize, open };

/** nvidia-smi's loop asks for seconds; a person who says none gets five. */
const defaultEveryMs = 5000;

function recognize({ head }: Sniffed): Recognition {
  const isLog = documentStart.test(head) && /<nvidia_smi_log\b/.test(head);
  const version = /nvsmi_device_(v\d+)\.dtd/.exec(head)?.[1] ?? null;
  return { formatId: nvidiaSmiXml.id, score: isLog ? 1 : 0, version: isLog ? version : null, reasons: isLog ? [{ code: "series-present", params: { columns: "nvidia_smi_log" } }] : [], missing: [] };
}

/** Elements below `gpu` and what they say; power moved twice, memory's and the module's power are not the GPU's. */
const factAt: Readonly<Record<string, GpuFact>> = {
  product_name: "name",
  uuid: "uuid",
  persistence_mode: "persistence",
  "mig_mode/current_mig": "mig",
  "fb_memory_usage/total": "memory-total",
  "fb_memory_usage/used": "memory-used",
  "utilization/gpu_util": "utilization",
  "power_readings/power_draw": "power",
  "gpu_power_readings/power_draw": "power",
  "gpu_power_readings/average_power_draw": "power-average",
  "gpu_power_readings/instant_power_draw": "power-instant",
};
/** A document begins a line; what a script prints before it and between two of them, a date say, is none of it. */
const documentStart = /^\s*<(?:\?xml|!DOCTYPE nvidia_smi_log|nvidia_smi_log)\b/m;
/** No chatter before a document is longer. */
const longestChatter = 65_536;
const endOfDocument = "</nvidia_smi_log>";
/** Text of one element: no value is longer. */
const longestText = 4096;

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const file = job.sniffed.name;
  const devices = polledDevices(job, sink, { groups: [deviceReadings], everyMs: defaultEveryMs });
  const decoder = new TextDecoder();
  let parser: SaxesParser | null = null;
  let rest = "";
  /** What came since the last document that is no document yet. */
  let chatter = "";
  let isBroken = false;
  let documents = 0;
  let gpus = 0;
  const seen = new Set<string>();
  let version: string | null = null;

  let path: string[] = [];
  let words = "";
  let time: string | null = null;
  let pciId = "";
  let facts = new Map<GpuFact, string>();

  function newParser(): SaxesParser {
    const made = new SaxesParser();
    path = [];
    time = null;
    if (documents > 0) devices.nextPoll();
    made.on("error", () => {
      isBroken = true;
    });
    made.on("doctype", (text) => {
      version ??= /nvsmi_device_(v\d+)\.dtd/.exec(text)?.[1] ?? null;
    });
    made.on("opentag", ({ name, attributes }) => {
      path.push(name);
      words = "";
      if (path.length === 2 && name === "gpu") {
        pciId = attributes["id"] ?? "";
        facts = new Map();
      }
    });
    made.on("text", (text) => {
      if (words.length < longestText) words += text;
    });
    made.on("closetag", ({ name }) => {
      if (isBroken) return;
      const text = words.trim();
      words = "";
      if (path.length === 2 && name === "timestamp") time = text === "" ? null : text;
      else if (path.length === 2 && name === "gpu") {
        gpus += 1;
        if (trouble !== null) return;
        trouble = devices.take(deviceOfFacts(facts, { pciId, time, isFirst: !seen.has(pciId) }, sink), `<gpu id="${pciId}">`, 0);
        seen.add(pciId);
      } else if (path.length > 2 && path[1] === "gpu") {
        const fact = factAt[path.slice(2).join("/")];
        if (fact !== undefined && !facts.has(fact)) facts.set(fact, text);
      }
      path.pop();
    });
    return made;
  }
  let trouble: LedgerError | null = null;

  function take(text: string): LedgerError | null {
    rest += text;
    for (;;) {
      const end = rest.indexOf(endOfDocument);
      if (end < 0) break;
      feed(rest.slice(0, end + endOfDocument.length));
      parser?.close();
      parser = null;
      if (isBroken) return ledgerError("import.unreadable", { file });
      documents += 1;
      rest = rest.slice(end + endOfDocument.length);
    }
    // The end of a document may itself be cut in two.
    const held = Math.min(rest.length, endOfDocument.length - 1);
    feed(rest.slice(0, rest.length - held));
    rest = rest.slice(rest.length - held);
    return isBroken ? ledgerError("import.unreadable", { file }) : trouble;
  }

  function feed(text: string): void {
    if (isBroken) return;
    if (parser === null) {
      chatter += text;
      const start = documentStart.exec(chatter);
      if (start === null) {
        // The start may itself be cut in two: its line is kept.
        chatter = chatter.slice(Math.max(chatter.lastIndexOf("\n"), chatter.length - longestChatter, 0));
        return;
      }
      parser = newParser();
      parser.write(chatter.slice(start.index).trimStart());
      chatter = "";
    } else if (text !== "") parser.write(text);
  }

  function end(): LedgerError | null {
    if (parser !== null || (rest.trim() !== "" && (documents === 0 || documentStart.test(rest)))) {
      // A cut document still says what it said of the GPUs before the cut.
      if (documents === 0 && gpus === 0) return ledgerError("import.truncated", { file, rows: 0 });
      sink.repaired("truncated-last-line");
    }
    return devices.end();
  }

  return ok({
    takes: "bytes",
    bytes: (piece) => take(decoder.decode(piece, { stream: true })),
    end,
    hasGpuSeries: () => gpus > 0,
    version: () => version,
  });
}
