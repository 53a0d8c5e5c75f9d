/** What amd-smi prints on a screen: the table of `amd-smi monitor` (`dmon` in newer versions) and the indented list of `amd-smi metric`. */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { amdRole, amdUuid, isProcessTable } from "./amd-smi-names.ts";
import { missingReason, readQuantityText } from "./cells.ts";
import type { QuantityColumn } from "./cells.ts";
import type { BytesReader, LogFormatJob, LogSink } from "./format.ts";
import { normalizedPciBusId } from "./identity.ts";
import { deviceReadings, polledDevices } from "./polled-devices.ts";
import { layoutBy } from "./table-log.ts";
import type { TableRole, TableTool } from "./table-log.ts";
import { textLines } from "./text-lines.ts";

/** A number with its unit is one cell, `0.3/192.0 GB` two. */
const cell = /(?:N\/A|[\d.]+)\s(?:W|°C|C|MHz|GHz|%|[KMGT]i?B(?:\/s)?|[KMGT]b\/s|mV|J|RPM)(?=\s|$)|([\d.]+)\/([\d.]+)\s?([KMGT]i?B)(?=\s|$)|\S+/g;

function cellsOf(line: string): readonly string[] {
  return [...line.matchAll(cell)].flatMap(([all, used, total, unit]) => (used === undefined ? (all === "VRAM_USAGE" ? ["VRAM_USED", "VRAM_TOTAL"] : [all]) : [`${used} ${unit}`, `${total} ${unit}`]));
}

const measured = /^(power|gpu_t|gpu_temp|hotspot_temp|gfx_util|gfx%|gfx_clk|gfx_clock|mem_util|vram_used)$/;

/** `GPU  XCP  POWER  GPU_T  MEM_T  GFX_CLK  GFX%  …  VRAM_USAGE`, capitals apart by blanks; `TIMESTAMP` stands first while it watches. */
export const monitorTool: TableTool = {
  id: "amd-smi",
  cellsOf,
  layoutOf(cells) {
    const names = cells.map((each) => each.toLowerCase());
    if (cells.some((each) => each !== each.toUpperCase()) || !names.includes("gpu")) return null;
    if (isProcessTable(names)) return { names, of: { index: names.indexOf("gpu") }, columns: {} };
    return names.some((name) => measured.test(name)) ? layoutBy(cells, amdRole, ["index"]) : null;
  },
  everyMs: 1000,
  uuid: amdUuid,
  isForeign: (_, { names }) => (isProcessTable(names) ? "process-list" : false),
};

const gpuLine = /^GPU: (\d{1,3})\s*$/;
const member = /^\s+([A-Z][A-Z0-9_]*): *(\S.*?)\s*$/;

export function isMetricText(head: string): boolean {
  return /^GPU: \d{1,3}\s*$/m.test(head) && /^\s+(?:SOCKET_POWER|AVERAGE_SOCKET_POWER|GFX_ACTIVITY|GFX_USAGE|USED_VRAM|VRAM_USED): /m.test(head);
}

/** A GPU's part begins with `GPU: 0`; its members stand indented below it, however deep. */
export function metricTextReader(job: LogFormatJob, sink: LogSink): BytesReader {
  const devices = polledDevices(job, sink, { groups: [deviceReadings], everyMs: monitorTool.everyMs });
  let gpu: { readonly index: number; readonly line: number; readonly cells: Map<TableRole, readonly [cell: string, column: QuantityColumn | undefined]> } | null = null;
  let gpus = 0;
  /** While it watches, the time stands once, before the GPUs of a poll. */
  let time: string | null = null;

  function line(text: string, number: number, isTerminated: boolean): LedgerError | null {
    if (!isTerminated) {
      sink.repaired("truncated-last-line");
      return null;
    }
    const index = gpuLine.exec(text)?.[1];
    if (index !== undefined || /^CPU: \d/.test(text)) {
      const trouble = takeGpu();
      gpu = index === undefined ? null : { index: Number(index), line: number, cells: new Map() };
      return trouble;
    }
    const stamp = /^TIMESTAMP: *(\S.*?)\s*$/i.exec(text)?.[1];
    if (stamp !== undefined || !/^\s/.test(text)) {
      const trouble = takeGpu();
      gpu = null;
      if (stamp !== undefined) time = stamp;
      else devices.timeLine(text);
      return trouble;
    }
    const [, name = "", value = ""] = member.exec(text) ?? [];
    const found = name === "" ? null : amdRole(name);
    if (gpu !== null && found !== null && found[0] !== "index" && !gpu.cells.has(found[0])) gpu.cells.set(found[0], [value, found[1]]);
    return null;
  }

  function takeGpu(): LedgerError | null {
    if (gpu === null) return null;
    gpus += 1;
    const { index, line: at, cells } = gpu;
    const stated = (role: TableRole): string => cells.get(role)?.[0] ?? "";
    const read = (role: TableRole): number => {
      const [value, column] = cells.get(role) ?? [];
      return value === undefined || column === undefined ? Number.NaN : readQuantityText(column, value, sink);
    };
    return devices.take({
      time: stated("time") === "" ? time : stated("time"),
      host: null,
      uuid: amdUuid(stated("uuid").toLowerCase()),
      pciBusId: normalizedPciBusId(stated("pci")),
      index,
      name: stated("name"),
      memoryTotalMiB: missingReason(stated("memory-total")) === null ? read("memory-total") : Number.NaN,
      values: [Float64Array.of(read("utilization"), read("memory-used"), read("power"))],
    }, `GPU: ${index}`, at);
  }

  const lines = textLines(sink, line);
  return { takes: "bytes", bytes: lines.bytes, end: () => lines.end() ?? takeGpu() ?? devices.end(), hasGpuSeries: () => gpus > 0, version: () => null };
}
