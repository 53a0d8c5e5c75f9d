/** `rocm-smi --csv` and `--json`: a column for each sentence that the tool prints; its words changed from version to version (field notes 6.1). */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import { missingReason, readQuantityText, scaledColumn } from "./cells.ts";
import type { QuantityColumn } from "./cells.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { normalizedPciBusId } from "./identity.ts";
import { cutTrouble, isObject, jsonElements } from "./json-elements.ts";
import type { JsonPart } from "./json-elements.ts";
import { deviceReadings, polledDevices } from "./polled-devices.ts";
import { layoutBy, recognizeTable, tableReader } from "./table-log.ts";
import type { TableRole, TableTool } from "./table-log.ts";

const bytes = scaledColumn("memory", 1 / 1_048_576);
const watts = scaledColumn("power");
const percent = scaledColumn("percent");

/**
 * What the tool's sentences mean, in CSV and JSON alike. `GFX Activity` and `Memory Activity` are running counters and `GPU memory use (%)`
 * is activity in some versions: none of them is read.
 */
export function rocmRole(name: string): readonly [TableRole, QuantityColumn?] | null {
  switch (name.toLowerCase()) {
    case "unique id":
      return ["uuid"];
    case "pci bus":
      return ["pci"];
    case "card series":
      return ["name"];
    case "gpu use (%)":
      return ["utilization", percent];
    case "vram total memory (b)":
      return ["memory-total", bytes];
    case "vram total used memory (b)":
      return ["memory-used", bytes];
    case "average graphics package power (w)":
    case "current socket graphics package power (w)":
      return ["power", watts];
    default:
      return null;
  }
}

/** The number that AMD gives each card; zeros are none. */
export function rocmUniqueId(cell: string): string | null {
  return /^0x[0-9a-f]{8,16}$/.test(cell) && !/^0x0+$/.test(cell) ? cell : null;
}

/** Where the machine's list of names is old, an id stands there, which is no name. */
export function rocmName(cell: string): string {
  return /^0x[0-9a-f]+$/i.test(cell) ? "" : cell;
}

const tool: TableTool = {
  id: "rocm-smi",
  layoutOf(cells) {
    // A script may put its own time before the tool's columns.
    const at = cells.findIndex((cell) => cell.trim() === "device");
    if (at < 0 || cells.slice(0, at).some((cell) => !/^(timestamp|date|time)$/i.test(cell.trim()))) return null;
    const layout = layoutBy(cells, (name) => (name === "device" ? ["index"] : /^(timestamp|date|time)$/i.test(name) ? ["time"] : rocmRole(name)), ["index"]);
    return layout !== null && Object.keys(layout.of).length > 1 ? layout : null;
  },
  everyMs: 1000,
  uuid: rocmUniqueId,
  deviceName: rocmName,
  isForeign: (cells, { of }) => !/^card\d{1,3}$/.test((cells[of.index ?? 0] ?? "").trim()),
};

export const rocmSmi: TelemetryFormat = { id: tool.id, recognize, open };

/** `--json`: a key for each card, perhaps `system` beside them. */
const cardKey = /^\s*"card\d+"\s*:\s*\{/;

function recognize(sniffed: Sniffed): Recognition {
  const brace = /^\s*\{/m.exec(sniffed.head);
  const inner = brace === null ? "" : sniffed.head.slice(brace.index + brace[0].length);
  if (brace === null || !(cardKey.test(inner) || (/^\s*"system"\s*:/.test(inner) && /"card\d+"\s*:\s*\{/.test(inner)))) return recognizeTable(tool, sniffed);
  return { formatId: tool.id, score: 1, version: null, reasons: [{ code: "columns-present", params: { columns: "card0" } }], missing: [] };
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  if (!/^\s*\{/m.test(job.sniffed.head)) return ok(tableReader(tool, job, sink));
  const { name: file } = job.sniffed;
  const devices = polledDevices(job, sink, { groups: [deviceReadings], everyMs: tool.everyMs });
  let cards = 0;

  function takeCard(card: JsonPart, [key]: readonly (string | number)[]): LedgerError | null {
    const number = /^card(\d{1,3})$/.exec(String(key))?.[1];
    if (number === undefined || !isObject(card)) return null;
    cards += 1;
    const cells = new Map<TableRole, readonly [cell: string, column: QuantityColumn | undefined]>();
    for (const [name, cell] of Object.entries(card)) {
      const found = rocmRole(name);
      if (found !== null && typeof cell === "string" && !cells.has(found[0])) cells.set(found[0], [cell, found[1]]);
    }
    const text = (role: TableRole): string => cells.get(role)?.[0].trim() ?? "";
    const read = (role: TableRole): number => {
      const [cell, column] = cells.get(role) ?? [];
      return cell === undefined || column === undefined ? Number.NaN : readQuantityText(column, cell, sink);
    };
    return devices.take({
      time: null,
      host: null,
      uuid: rocmUniqueId(text("uuid").toLowerCase()),
      pciBusId: normalizedPciBusId(text("pci")),
      index: Number(number),
      name: missingReason(text("name")) === null ? rocmName(text("name")) : "",
      memoryTotalMiB: missingReason(text("memory-total")) === null ? read("memory-total") : Number.NaN,
      values: [Float64Array.of(read("utilization"), read("memory-used"), read("power"))],
    }, String(key), 0);
  }

  const elements = jsonElements(file, (path) => path.length === 1, takeCard);
  return ok({
    takes: "bytes",
    bytes: elements.bytes,
    end: () => cutTrouble(elements, file, () => sink.repaired("truncated-last-line")) ?? devices.end(),
    hasGpuSeries: () => cards > 0,
    version: () => null,
  });
}
