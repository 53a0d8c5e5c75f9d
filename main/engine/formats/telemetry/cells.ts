/** Cells of logs as numbers: every spelling of "not available" is unknown with its reason, and no sentinel passes for a measurement. */
import type { LogRepair, LogSink } from "./format.ts";

export type Quantity = "percent" | "memory" | "power";

/** One column of a quantity, compiled once: what a bare number means, and the bytes of the unit that its values usually carry. */
export interface QuantityColumn {
  readonly quantity: Quantity;
  /** Multiplies a bare number into percent, MiB or W. */
  readonly bareFactor: number;
  readonly usualUnit: Uint8Array;
  readonly hasDecimalComma: boolean;
}

/** A unit that is none of the quantity's makes bare numbers unreadable, each counted: NaN times whatever stands there is unknown. */
export function quantityColumn(quantity: Quantity, headerUnit: string | null, hasDecimalComma: boolean): QuantityColumn {
  const usual = { percent: "%", memory: "MiB", power: "W" }[quantity];
  const bareFactor = headerUnit === null || headerUnit === "" ? 1 : (unitFactor(quantity, headerUnit) ?? Number.NaN);
  return { quantity, bareFactor, usualUnit: new TextEncoder().encode(usual), hasDecimalComma };
}

/** The cell's value in percent, MiB or W, within the bounds of a real device; NaN if unknown, with the reason counted. */
export function readQuantity(column: QuantityColumn, bytes: Uint8Array, start: number, end: number, sink: LogSink): number {
  let from = start;
  let to = end;
  while (from < to && (bytes[from] as number) <= 32) from++;
  while (to > from && (bytes[to - 1] as number) <= 32) to--;
  // The plain case, digits with at most one point and the usual unit or none, without a string.
  let at = from;
  let number = 0;
  let scale = 0;
  while (at < to) {
    const byte = bytes[at] as number;
    if (byte >= 48 && byte <= 57) {
      number = number * 10 + (byte - 48);
      if (scale > 0) scale *= 10;
    } else if (byte === 46 && scale === 0) scale = 1;
    else break;
    at++;
  }
  // Where commas part decimals, `1.024 MiB` is a thousand or one: it is told from a decimal by nothing.
  const isThousand = scale === 1000 && column.hasDecimalComma && column.quantity === "memory" && bytes[from] !== 48;
  if (at > from && at - from < 16 && scale !== 1 && !isThousand) {
    const value = scale > 1 ? number / scale : number;
    if (at === to) return withinBounds(column.quantity, value, value * column.bareFactor, sink);
    while (at < to && bytes[at] === 32) at++;
    if (isSame(bytes, at, to, column.usualUnit)) return withinBounds(column.quantity, value, value, sink);
  }
  return readOdd(column, text(bytes, from, to), sink);
}

/** Why a text is no value, or null if it may be one. */
export function missingReason(cell: string): LogRepair | null {
  const plain = cell.trim().replace(/^\[(.*)\]$/, "$1").trim().toLowerCase();
  return missingTexts.get(plain) ?? (plain.startsWith("n/a") ? "value-not-available" : null);
}

const missingTexts = new Map<string, LogRepair>([
  ...["", "n/a", "na", "n.a.", "nan", "+inf", "-inf", "inf", "infinity", "null", "none", "nil", "undefined", "-", "--", "—", "–", "?", "unknown", "no data", "<<<null>>>", "not found"].map((each) => [each, "value-not-available"] as const),
  ...["not supported", "unsupported", "function not found", "requested functionality has been deprecated", "not active"].map((each) => [each, "value-not-supported"] as const),
  ["insufficient permissions", "value-not-permitted"],
  ...["unknown error", "gpu requires reset", "err!", "error", "gpu is lost"].map((each) => [each, "value-gpu-error"] as const),
]);

/** Blanks of DCGM and NVML by type (int32 and its neighbors, uint32, double, int64), and their hundredfold where a tool made percents. */
export function isSentinel(value: number): boolean {
  return (value >= 2_147_483_632 && value <= 2_147_483_647) || value === 4_294_967_295 || value >= 1.407e14;
}

/** `stated` is the number as written, for sentinels; `value` is in the ledger's unit. */
function withinBounds(quantity: Quantity, stated: number, value: number, sink: LogSink): number {
  if (isSentinel(stated)) {
    sink.repaired("value-sentinel");
    return Number.NaN;
  }
  if (Number.isNaN(value)) {
    sink.repaired("value-unreadable");
    return Number.NaN;
  }
  if (quantity === "percent") {
    if (value >= 0 && value <= 100) return value;
    if (value > 100 && value <= 100.9) {
      sink.repaired("percent-capped");
      return 100;
    }
    sink.repaired("percent-out-of-range");
    return Number.NaN;
  }
  const most = quantity === "power" ? mostWatts : mostMebibytes;
  if (value >= 0 && value <= most) return value;
  sink.repaired(quantity === "power" ? "power-out-of-range" : "memory-out-of-range");
  return Number.NaN;
}

/** Watts that were reckoned, within the same bounds. */
export function boundedWatts(watts: number, sink: LogSink): number {
  return withinBounds("power", 0, watts, sink);
}

/** W. No single accelerator draws more; above it a reading is an error (import rule of the field notes, 2.2). */
const mostWatts = 3000;
/** MiB, 1 TiB. No single accelerator has more. */
const mostMebibytes = 1024 * 1024;

const numberWithUnit = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z%％]*)$/i;

function readOdd(column: QuantityColumn, cell: string, sink: LogSink): number {
  const missing = missingReason(cell);
  if (missing !== null) {
    sink.repaired(missing);
    return Number.NaN;
  }
  // `70,89` is a decimal: a comma that stands within a cell parts no cells. Three digits after it could be thousands, so they are not read.
  if (column.hasDecimalComma && column.quantity === "memory" && /^[1-9]\d{0,2}(\.\d{3})+(?![.\d])/.test(cell)) {
    sink.repaired("value-unreadable");
    return Number.NaN;
  }
  const pointed = cell.replace(/^(\d+),(\d{1,2})(?!\d)/, "$1.$2");
  const found = numberWithUnit.exec(pointed);
  const value = found === null ? Number.NaN : Number(found[1]);
  const unit = found?.[2] ?? "";
  const factor = unit === "" ? column.bareFactor : unitFactor(column.quantity, unit);
  if (Number.isNaN(value) || factor === null) {
    sink.repaired("value-unreadable");
    return Number.NaN;
  }
  return withinBounds(column.quantity, value, value * factor, sink);
}

/** nvidia-smi of old drivers writes MB where it means MiB. */
const unitFactors: Record<Quantity, Readonly<Record<string, number>>> = {
  percent: { "%": 1, percent: 1, pct: 1, perc: 1, percentage: 1, ratio: 100, fraction: 100, frac: 100 },
  memory: { mib: 1, mb: 1, m: 1, gib: 1024, gb: 1024, kib: 1 / 1024, kb: 1 / 1024, b: 1 / 1_048_576, byte: 1 / 1_048_576, bytes: 1 / 1_048_576, mebibytes: 1, megabytes: 1, tib: 1_048_576 },
  power: { w: 1, watt: 1, watts: 1, mw: 1 / 1000, milliwatts: 1 / 1000, kw: 1000, kilowatts: 1000 },
};
function unitFactor(quantity: Quantity, unit: string): number | null {
  const key = unit.trim().toLowerCase().replace("％", "%");
  return Object.hasOwn(unitFactors[quantity], key) ? (unitFactors[quantity][key] as number) : null;
}

export function text(bytes: Uint8Array, from: number, to: number): string {
  return decoder.decode(bytes.subarray(from, to));
}
const decoder = new TextDecoder();

function isSame(bytes: Uint8Array, from: number, to: number, expected: Uint8Array): boolean {
  if (to - from !== expected.length) return false;
  for (let at = 0; at < expected.length; at++) if (bytes[from + at] !== expected[at]) return false;
  return true;
}

/** The same for a cell that is a text already. */
export function readQuantityText(column: QuantityColumn, cell: string, sink: LogSink): number {
  const bytes = encoder.encode(cell);
  return readQuantity(column, bytes, 0, bytes.length, sink);
}
const encoder = new TextEncoder();

/** A column whose bare numbers are multiplied by `bareFactor` into percent, MiB or W. */
export function scaledColumn(quantity: Quantity, bareFactor = 1): QuantityColumn {
  return { ...quantityColumn(quantity, null, false), bareFactor };
}
