/** Which column of an nvidia-smi log is what: by its header, by the order the person gave, or by what its cells look like. */

import { wholeCells } from "./whole-cells.ts";

/** What the ledger reads; everything else of some two hundred columns is left alone. */
export const columnRoles = ["timestamp", "date", "host", "uuid", "pci", "index", "name", "utilization", "memory-used", "memory-total", "power", "power-average", "power-instant", "mig", "persistence"] as const;
export type ColumnRole = (typeof columnRoles)[number];

export interface Columns {
  readonly count: number;
  readonly of: Partial<Readonly<Record<ColumnRole, number>>>;
  /** Unit in the header, `[MiB]`, by column number. */
  readonly units: readonly (string | null)[];
  readonly names: readonly string[];
}

/** Canonical query names, their aliases, and the names that scripts give their own headers. Compared without case, spaces and `_` for `.`. */
const roleOfName: Readonly<Record<string, ColumnRole>> = {
  timestamp: "timestamp",
  time: "timestamp",
  datetime: "timestamp",
  "date.time": "timestamp",
  date: "date",
  ts: "timestamp",
  hostname: "host",
  host: "host",
  node: "host",
  nodename: "host",
  "node.name": "host",
  uuid: "uuid",
  "gpu.uuid": "uuid",
  "pci.bus.id": "pci",
  "gpu.bus.id": "pci",
  "bus.id": "pci",
  index: "index",
  gpu: "index",
  "gpu.index": "index",
  "gpu.id": "index",
  "gpu.idx": "index",
  id: "index",
  idx: "index",
  device: "index",
  name: "name",
  "gpu.name": "name",
  "utilization.gpu": "utilization",
  "gpu.utilization": "utilization",
  "gpu.util": "utilization",
  "util.gpu": "utilization",
  gpuutil: "utilization",
  gpuutilization: "utilization",
  utilization: "utilization",
  "memory.used": "memory-used",
  "mem.used": "memory-used",
  "used.memory": "memory-used",
  "gpu.memory.used": "memory-used",
  memoryused: "memory-used",
  "memory.total": "memory-total",
  "mem.total": "memory-total",
  "total.memory": "memory-total",
  "gpu.memory.total": "memory-total",
  memorytotal: "memory-total",
  "power.draw": "power",
  power: "power",
  "gpu.power": "power",
  "gpu.power.draw": "power",
  powerdraw: "power",
  "power.draw.average": "power-average",
  "power.draw.instant": "power-instant",
  "mig.mode.current": "mig",
  "mig.mode": "mig",
  "persistence.mode": "persistence",
};

/** Names that only other tools' headers have: hl-smi, amd-smi, xpu-smi; and counters that nvidia-smi does not query, which a mapping keeps. */
const foreignName = /^(utilization\.aip|gfx|gfx\.activity|deviceid|vram\.used|tags|(?:pipe\.)?(?:sm|tensor|dram|gr|gr\.engine)\.active(?:\.(?:pct|percent|ratio))?)$/;
/** `--query-compute-apps` lists processes: their memory is not the device's. */
const processName = /^(pid|process\.name|used\.gpu\.memory)$/;

export const metricRoles: readonly ColumnRole[] = ["utilization", "memory-used", "power", "power-average", "power-instant"];

/** Units that scripts put behind a name instead of in brackets, `memory_used_MiB`, `utilization_gpu_pct`. */
const unitBehind = /^(.+)\.(mib|gib|kib|mb|gb|kb|bytes|w|mw|kw|watts?|milliwatts|pct|perc|percent|percentage|ratio|fraction)$/;

/** A header cell in one spelling, and the unit in brackets behind it, or as the end of its name. */
export function headerCell(cell: string): { readonly name: string; readonly unit: string | null } {
  const found = /^(.*?)\s*[[(]([^\])]*)[\])]$/.exec(cell.trim());
  const name = (found?.[1] ?? cell.trim()).toLowerCase().replace(/[\s_.]+/g, ".");
  const behind = found === null ? unitBehind.exec(name) : null;
  const isKnown = behind !== null && Object.hasOwn(roleOfName, behind[1] ?? "") && !Object.hasOwn(roleOfName, name);
  return isKnown ? { name: behind[1] ?? "", unit: behind[2] ?? null } : { name, unit: found?.[2] ?? null };
}

/** The columns of a header record, or null if the record is none: a header names at least one thing we know and holds no value. */
export function columnsOfHeader(cells: readonly string[]): Columns | null {
  const headers = cells.map(headerCell);
  const of: Partial<Record<ColumnRole, number>> = {};
  let known = 0;
  headers.forEach(({ name }, index) => {
    const role = Object.hasOwn(roleOfName, name) ? roleOfName[name] : undefined;
    if (role === undefined) return;
    known += 1;
    of[role] ??= index;
  });
  // A date beside a time of day is half of the timestamp; alone it is all of it.
  if (of.timestamp === undefined && of.date !== undefined) {
    of.timestamp = of.date;
    delete of.date;
  }
  const looksNvidia = headers.some(({ name, unit }) => (name.includes(".") && /^(utilization|memory|power|clocks|temperature|pcie?|ecc|fan|encoder|mig)\./.test(name)) || (unit !== null && /^(%|MiB|MB|W|MHz|us|°C|C)$/i.test(unit)));
  if (known === 0 && !looksNvidia) return null;
  // A trailing comma makes an empty name; an empty name elsewhere, or a number, means that this is data.
  if (headers.some(({ name }, index) => (name === "" && index < headers.length - 1) || /^[\d.:/+-]+$|=/.test(name))) return null;
  return { count: cells.length, of, units: headers.map(({ unit }) => unit), names: cells.map((cell) => cell.trim()) };
}

export function isForeignHeader(cells: readonly string[]): boolean {
  return cells.some((cell) => foreignName.test(headerCell(cell).name));
}

export function isProcessHeader(cells: readonly string[]): boolean {
  return cells.some((cell) => processName.test(headerCell(cell).name));
}

/** Whether a header uses nvidia-smi's own names for at least one thing. */
export function hasQueryName(cells: readonly string[]): boolean {
  return cells.some((cell) => /^(utilization\.(gpu|memory)|memory\.(used|free|total)|power\.draw|clocks\.|temperature\.(gpu|memory)|pci\.bus.id|pstate|mig\.mode|persistence.mode|driver.version)/i.test(cell.trim()));
}

/** The columns in the order that the person gave, `timestamp,index,utilization.gpu`; null if none of them is a name we know. */
export function columnsOfOption(option: string): Columns | null {
  const columns = columnsOfHeader(option.split(","));
  return columns !== null && Object.keys(columns.of).length > 0 ? columns : null;
}

/**
 * The columns of a file without header, from records that carry units. Null when anything the ledger would read is in doubt: two columns of
 * percents, say, may be gpu and memory utilization in either order.
 */
export function columnsByLooks(pieces: readonly (readonly string[])[]): Columns | null {
  const records = pieces.map((record) => cellsOf(record));
  const [first] = records;
  if (first === undefined || records.some((record) => record.length !== first.length)) return null;
  const of: Partial<Record<ColumnRole, number>> = {};
  const columns = first.map((_, index) => records.map((record) => (record[index] ?? "").trim()));
  const all = (index: number, pattern: RegExp): boolean => {
    const stated = (columns[index] ?? []).filter((cell) => !/^\[?(n\/a|not supported)/i.test(cell));
    return stated.length > 0 && stated.every((cell) => pattern.test(cell));
  };
  const which = (pattern: RegExp): number[] => columns.flatMap((_, index) => (all(index, pattern) ? [index] : []));
  const single: readonly (readonly [ColumnRole, RegExp])[] = [
    ["timestamp", /^\d{4}[/-]\d{2}[/-]\d{2}[ T]\d{2}:\d{2}:\d{2}/],
    ["uuid", /^(GPU|MIG)-[0-9a-f-]{36}/i],
    ["pci", /^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.\d$/i],
    ["name", /^(NVIDIA|Tesla|GeForce|Quadro|GRID)\b/],
    ["utilization", /^\d{1,3} ?%$/],
    ["power", /^\d+[.,]\d+ ?W$/],
  ];
  for (const [role, pattern] of single) {
    const found = which(pattern);
    if (found.length > 1) return null;
    if (found[0] !== undefined) of[role] = found[0];
  }
  // One column of MiB may be used, free or total, two may be any pair of them.
  if (which(/^\d+ ?MiB$/).length > 0) return null;
  // One column of bare whole numbers that counts 0, 1, … to the last GPU and begins again is the index; 45, 46 would be a temperature.
  const bare = which(/^\d+$/);
  const [only] = bare;
  if (bare.length === 1 && only !== undefined && countsDevices(columns[only] ?? [])) of.index = only;
  const hasMetric = of.utilization !== undefined || of.power !== undefined;
  const hasIdentity = of.uuid !== undefined || of.pci !== undefined || of.index !== undefined;
  return of.timestamp !== undefined && hasMetric && hasIdentity ? { count: first.length, of, units: first.map(() => null), names: first.map((_, index) => `#${index + 1}`) } : null;
}

/** What was cut apart at decimal commas, `100,50 W`, put together again. */
function cellsOf(pieces: readonly string[]): readonly string[] {
  const spans = wholeCells(pieces, null, { time: undefined, hasDecimals: () => false }) ?? [];
  return spans.map(([first, last]) => pieces.slice(first, last + 1).join(",").trim().replace(/^"(.*)"$/, "$1"));
}

function countsDevices(cells: readonly string[]): boolean {
  const devices = new Set(cells).size;
  return cells.every((cell, row) => Number(cell) === row % devices);
}
