/** Logs that are tables with a header of their tool's: what each column is, and rows to devices. */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import { missingReason, readQuantityText } from "./cells.ts";
import type { QuantityColumn } from "./cells.ts";
import type { BytesReader, LogFormatJob, LogRepair, LogSink } from "./format.ts";
import { normalizedIndex, normalizedPciBusId } from "./identity.ts";
import { deviceReadings, polledDevices } from "./polled-devices.ts";
import { setLineAside, textLines } from "./text-lines.ts";

export type TableRole = "time" | "host" | "uuid" | "pci" | "index" | "partition" | "name" | "memory-total" | "utilization" | "memory-used" | "power";

export interface TableTool {
  readonly id: string;
  /** How a line comes apart, where not at its commas. */
  readonly cellsOf?: (line: string) => readonly string[];
  /** The columns of a header line that is the tool's; null for any other line. */
  readonly layoutOf: (cells: readonly string[]) => TableLayout | null;
  /** How far polls lie apart that state no time. */
  readonly everyMs: number;
  /** The spelling of the tool's own device numbers, lower case; null for what is none. */
  readonly uuid?: (cell: string) => string | null;
  /** What a device is called, where the cell says more or less than that. */
  readonly deviceName?: (cell: string) => string;
  /** Rows of something else than a device, and what they are counted as: nothing for `true`. */
  readonly isForeign?: (cells: readonly string[], layout: TableLayout) => boolean | LogRepair;
}

export interface TableLayout {
  readonly names: readonly string[];
  readonly of: Readonly<Partial<Record<TableRole, number>>>;
  readonly columns: Readonly<Partial<Record<TableRole, QuantityColumn>>>;
}

/** A layout from the first column of each role; null unless all of `required` are there. */
export function layoutBy(cells: readonly string[], roleOf: (name: string) => readonly [TableRole, QuantityColumn?] | null, required: readonly TableRole[]): TableLayout | null {
  const of: Partial<Record<TableRole, number>> = {};
  const columns: Partial<Record<TableRole, QuantityColumn>> = {};
  cells.forEach((cell, at) => {
    const found = roleOf(cell.trim());
    if (found === null || of[found[0]] !== undefined) return;
    of[found[0]] = at;
    if (found[1] !== undefined) columns[found[0]] = found[1];
  });
  return required.every((role) => of[role] !== undefined) ? { names: cells.map((cell) => cell.trim()), of, columns } : null;
}

export function recognizeTable(tool: TableTool, { head }: Sniffed): Recognition {
  const layout = head.split(/\r?\n/).slice(0, 100).map((line) => tool.layoutOf(cellsBy(tool, line))).find((each) => each !== null) ?? null;
  const columns = layout === null ? [] : Object.values(layout.of).map((at) => layout.names[at] ?? "");
  return { formatId: tool.id, score: layout === null ? 0 : 1, version: null, reasons: layout === null ? [] : [{ code: "columns-present", params: { columns: columns.join(", ") } }], missing: [] };
}

export function tableReader(tool: TableTool, job: LogFormatJob, sink: LogSink): BytesReader {
  const devices = polledDevices(job, sink, { groups: [deviceReadings], everyMs: tool.everyMs });
  let layout: TableLayout | null = null;
  let hasSeries = false;
  const isSplit = holdsPartitions(tool, job.sniffed.head);

  function line(text: string, number: number, isTerminated: boolean): LedgerError | null {
    if (text.trim() === "") return null;
    const cells = cellsBy(tool, text);
    const header = tool.layoutOf(cells);
    if (header !== null && isTerminated) {
      if (layout !== null) sink.repaired("repeated-header");
      layout = header;
      hasSeries ||= [header.of.utilization, header.of["memory-used"], header.of.power].some((at) => at !== undefined);
      return null;
    }
    // Warnings of the tool, ahead of its header or between its tables, are none of its rows.
    if (layout === null || /^(?:(?:warning|error)\b|process info:)/i.test(text.trim())) {
      devices.timeLine(text);
      return null;
    }
    if (!isTerminated) {
      sink.repaired("truncated-last-line");
      return null;
    }
    const { of, columns, names } = layout;
    if (cells.length < names.length && devices.timeLine(text)) return null;
    const partition = of.partition === undefined ? 0 : Number((cells[of.partition] ?? "").trim());
    const foreign = tool.isForeign?.(cells, layout) ?? false;
    if (foreign !== false || partition > 0) {
      sink.rowRead();
      sink.rowIgnored();
      if (typeof foreign === "string") sink.repaired(foreign);
      else if (partition > 0) sink.repaired("mig-utilization-unknown");
      return null;
    }
    const isTrailing = cells.length === names.length + 1 && (cells.at(-1) ?? "").trim() === "";
    if (cells.length !== names.length && !isTrailing) {
      sink.rowRead();
      setLineAside(sink, text, number, { column: "", value: text }, "column-count");
      return null;
    }
    const cell = (role: TableRole): string => (of[role] === undefined ? "" : (cells[of[role]] ?? "").trim());
    const read = (role: TableRole): number => {
      const column = columns[role];
      return column === undefined ? Number.NaN : readQuantityText(column, cell(role), sink);
    };
    // The first row of a split device tells the power and memory of all of it, and the activity of its first part.
    const isPart = isSplit && of.partition !== undefined;
    if (isPart) sink.repaired("mig-utilization-unknown");
    const uuid = tool.uuid?.(cell("uuid").toLowerCase()) ?? null;
    const pciBusId = normalizedPciBusId(cell("pci"));
    const index = normalizedIndex(cell("index").replace(/^card/i, ""));
    const isIdentified = uuid !== null || pciBusId !== null || index !== null;
    if (!isIdentified && (of.uuid ?? of.pci ?? of.index) !== undefined) {
      sink.rowRead();
      setLineAside(sink, text, number, { column: names[of.index ?? of.uuid ?? of.pci ?? 0] ?? "", value: cell("index") || cell("uuid") }, "gpu-identity");
      return null;
    }
    const host = cell("host");
    const name = missingReason(cell("name")) === null ? cell("name") : "";
    const totalText = cell("memory-total");
    const time = cell("time");
    return devices.take({
      time: of.time === undefined ? null : time,
      host: missingReason(host) === null ? host : null,
      uuid,
      pciBusId,
      index,
      name: tool.deviceName?.(name) ?? name,
      memoryTotalMiB: missingReason(totalText) === null ? read("memory-total") : Number.NaN,
      values: [Float64Array.of(isPart ? Number.NaN : read("utilization"), read("memory-used"), read("power"))],
    }, text, number);
  }

  const lines = textLines(sink, line);
  return { takes: "bytes", bytes: lines.bytes, end: () => lines.end() ?? devices.end(), hasGpuSeries: () => hasSeries, version: () => null };
}

function cellsBy({ cellsOf }: TableTool, line: string): readonly string[] {
  return cellsOf === undefined ? splitCells(line) : cellsOf(line);
}

/** Whether a file's first rows list parts of devices beside the first. */
function holdsPartitions(tool: TableTool, head: string): boolean {
  let at: number | null = null;
  for (const line of head.split(/\r?\n/)) {
    const cells = cellsBy(tool, line);
    const header = tool.layoutOf(cells);
    if (header !== null) at = header.of.partition ?? null;
    else if (at !== null && Number((cells[at] ?? "").trim()) > 0) return true;
  }
  return false;
}

/** Cells between commas; a quote opens a cell only at its start, elsewhere it is a letter; commas within quotes or within brackets that were opened in the same cell part none. */
export function splitCells(line: string, delimiter = ","): string[] {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  let depth = 0;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] as string;
    if (letter === '"' && (isQuoted || cell.trim() === "")) {
      if (isQuoted && line[at + 1] === '"') {
        cell += letter;
        at += 1;
      } else isQuoted = !isQuoted;
      continue;
    }
    if (!isQuoted) {
      // A list begins its cell; a name such as `Navi 22 [Radeon]` does not.
      if (letter === "[" && cell.trim() === "") depth += 1;
      else if (letter === "]" && depth > 0) depth -= 1;
      else if (letter === delimiter && depth === 0) {
        cells.push(cell);
        cell = "";
        continue;
      }
    }
    cell += letter;
  }
  cells.push(cell);
  return cells;
}
