/**
 * Samples of Sonar, which watches the nodes of a cluster: JSON documents with the node's GPUs, and in the older form `key=value` lines of
 * single processes, of which nothing is a GPU's own. Memory is in KiB. Field notes 7.1.
 */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import { readQuantityText, scaledColumn } from "./cells.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { normalizedIndex, normalizedUuid } from "./identity.ts";
import { cutTrouble, isList, isObject, jsonElements, textAt } from "./json-elements.ts";
import type { JsonPart } from "./json-elements.ts";
import { deviceReadings, polledDevices } from "./polled-devices.ts";
import { textLines } from "./text-lines.ts";

export const sonar: TelemetryFormat = { id: "sonar", recognize, open };

/** Sonar samples every five minutes; its samples state their time. */
const everyMs = 300_000;
const oldLine = /^v=\d+\.\d+\.\d+,/;

function recognize({ head }: Sniffed): Recognition {
  const isJson = /^\s*\{/.test(head) && /"producer"\s*:\s*"sonar"/.test(head);
  const isOld = oldLine.test(head) && /(^|,)"?(host|JobID|job)=/m.test(head);
  return { formatId: sonar.id, score: isJson || isOld ? 1 : 0, version: null, reasons: isJson || isOld ? [{ code: "series-present", params: { columns: "sonar" } }] : [], missing: [] };
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  return ok(oldLine.test(job.sniffed.head) ? oldReader(sink) : jsonReader(job, sink));
}

/** Lines of processes, and lines of jobs, which say what was allocated. */
function oldReader(sink: LogSink): LogReader {
  const lines = textLines(sink, (text) => {
    if (text.trim() === "") return null;
    sink.rowRead();
    sink.rowIgnored();
    if (!/(^|,)"?JobID=/.test(text)) sink.repaired("process-list");
    else if (/gres\/gpu/.test(text) && !/(^|,)"?JobID=[^,]*\./.test(text)) sink.repaired("allocation-only");
    return null;
  });
  return { takes: "bytes", bytes: lines.bytes, end: lines.end, hasGpuSeries: () => false, version: () => null };
}

function jsonReader(job: LogFormatJob, sink: LogSink): LogReader {
  const { name: file } = job.sniffed;
  const devices = polledDevices(job, sink, { groups: [deviceReadings], everyMs });
  const percent = scaledColumn("percent");
  const kibibytes = scaledColumn("memory", 1 / 1024);
  const watts = scaledColumn("power");
  let gpus = 0;

  function takeDocument(document: JsonPart): LedgerError | null {
    const attributes = isObject(document) && isObject(document["data"]) ? document["data"]["attributes"] : undefined;
    const system = isObject(attributes) ? attributes["system"] : undefined;
    const list = isObject(system) ? system["gpus"] : undefined;
    for (const gpu of isList(list) ? list : []) {
      gpus += 1;
      // What Sonar leaves out may be zero or not known: it is not known.
      const read = (name: string, column: typeof percent): number => {
        const text = textAt(gpu, name);
        return text === null ? Number.NaN : readQuantityText(column, text, sink);
      };
      const trouble = devices.take({
        time: textAt(attributes, "time") ?? "",
        host: textAt(attributes, "node"),
        uuid: normalizedUuid(textAt(gpu, "uuid") ?? ""),
        pciBusId: null,
        index: normalizedIndex(textAt(gpu, "index") ?? ""),
        values: [Float64Array.of(read("ce_util", percent), read("memory", kibibytes), read("power", watts))],
      }, JSON.stringify(gpu), 0);
      if (trouble !== null) return trouble;
    }
    return null;
  }

  const elements = jsonElements(file, (path) => path.length === 0, takeDocument);
  return {
    takes: "bytes",
    bytes: elements.bytes,
    end: () => cutTrouble(elements, file, () => sink.repaired("truncated-last-line")) ?? devices.end(),
    hasGpuSeries: () => gpus > 0,
    version: () => null,
  };
}
