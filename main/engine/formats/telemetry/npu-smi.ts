/** `npu-smi info` of Ascend devices: a drawn box, two lines a chip, no time; each box is a poll. Field notes 6.5. */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import { readQuantityText, scaledColumn } from "./cells.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { normalizedPciBusId } from "./identity.ts";
import { deviceReadings, polledDevices } from "./polled-devices.ts";
import { setLineAside, textLines } from "./text-lines.ts";

export const npuSmi: TelemetryFormat = { id: "npu-smi", recognize, open };

const defaultEveryMs = 1000;
const percent = scaledColumn("percent");
const mebibytes = scaledColumn("memory");
const watts = scaledColumn("power");

function recognize({ head }: Sniffed): Recognition {
  const isBox = /^\|\s*npu-smi\s/m.test(head) || /Hugepages-Usage/.test(head);
  return { formatId: npuSmi.id, score: isBox ? 1 : 0, version: isBox ? (/^\|\s*npu-smi\s+(\S+)/m.exec(head)?.[1] ?? null) : null, reasons: isBox ? [{ code: "series-present", params: { columns: "npu-smi" } }] : [], missing: [] };
}

/** `| 0     910B | OK | 70.0  34  0 / 0 |`: number, name, health, power; the line below tells the rest. */
const firstLine = /^\|\s*(\d+)\s+(\S.*?)\s*\|\s*([A-Za-z]\w*)\s*\|\s*(\S+)\s+(\S+)\s+.*\|\s*$/;
/** `| 0     1 |` is a chip of its card and its number in the machine: two chips of a card may share one bus id. `| 0 | 0000:C1:00.0 | 0  1197 / 13553  1365 / 32768 |`: chip, bus id, share of the cores, memory used and there; HBM last. */
const secondLine = /^\|\s*(\d+)(?:\s+(\d{1,3}))?\s*\|\s*([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d)\s*\|\s*(\S+)\s+(.*?)\s*\|\s*$/;

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const devices = polledDevices(job, sink, { groups: [deviceReadings], everyMs: defaultEveryMs });
  let pending: { readonly name: string; readonly power: string; readonly line: string; readonly number: number } | null = null;
  let rows = 0;

  function line(text: string, number: number, isTerminated: boolean): LedgerError | null {
    if (!isTerminated) {
      if (text.trim() !== "") sink.repaired("truncated-last-line");
      return null;
    }
    const second = secondLine.exec(text);
    if (second !== null && pending !== null) {
      const { name, power } = pending;
      pending = null;
      rows += 1;
      const [, , device, bus = "", cores = "", memory = ""] = second;
      const pair = [...memory.matchAll(/(\S+)\s*\/\s*(\d+)/g)].filter(([, , total]) => Number(total) > 0).at(-1);
      return devices.take({
        time: null,
        host: null,
        uuid: null,
        pciBusId: device === undefined ? normalizedPciBusId(bus) : null,
        index: device === undefined ? null : Number(device),
        name: /^ascend/i.test(name) ? name : `Ascend ${name}`,
        memoryTotalMiB: pair === undefined ? Number.NaN : readQuantityText(mebibytes, pair[2] ?? "", sink),
        values: [Float64Array.of(readQuantityText(percent, cores, sink), pair === undefined ? Number.NaN : readQuantityText(mebibytes, pair[1] ?? "", sink), readQuantityText(watts, power, sink))],
      }, text, number);
    }
    if (!text.startsWith("|") && devices.timeLine(text)) return null;
    const first = firstLine.exec(text);
    if (first !== null) pending = { name: first[2] ?? "", power: first[4] ?? "", line: text, number };
    else if (/^\|\s*\d/.test(text) && pending !== null) {
      sink.rowRead();
      setLineAside(sink, text, number, { column: "Bus-Id", value: text }, "gpu-identity");
      pending = null;
    }
    return null;
  }

  const lines = textLines(sink, line);
  return ok({ takes: "bytes", bytes: lines.bytes, end: () => lines.end() ?? devices.end(), hasGpuSeries: () => rows > 0, version: () => null });
}
