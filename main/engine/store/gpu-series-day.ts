/**
 * The codec of `gpu_series_day.Series`: every GPU series of a UTC day, in columns, so that a question over months of days reads a blob a day
 * instead of a row a series. It says what `gpu_cost_day` says, and in which hours each series ran.
 *
 * layout   little-endian, columns one after another: u8 layout = 1 and seven of 0; u32 n series, m seen, h hours that are not as the others, and 0;
 *          f64 GPU-hours [n], priced GPU-hours [n], GPU-hours of most of its hours [n], those of the other hours [h], then the six ways in which hours
 *          were seen [m each]; of the cost [n] and of each of its six parts [m] u32 low and i32 high words of nanos and i32 rest;
 *          u32 series [n], hours billed [n], flags [n], of each seen series its place among the n [m], of each other hour 24 × place + hour [h]
 * hours    whole billionths of a GPU-hour, so that sums are the same in any order; hours of the day as they are
 * money    nanos and what is left below, both with the sign of the amount. The parts of a series that was not seen are not there: all is unknown.
 * flags    bit 0 to 23: the series ran in that hour; bit 24: the bill states no cost
 */
import { splitAttos } from "./sql.ts";

/** The six parts of a cost, in the order of their columns. */
export const costParts = ["ProductiveCost", "BusyInefficientCost", "HeldIdleCost", "DeadIdleCost", "IdleMemoryUnknownCost", "UnknownCost"] as const;
export type CostPart = (typeof costParts)[number];
/** The ways in which hours were seen, in the order of their columns. */
export const seenHours = ["KnownGpuHours", "UsefulGpuHours", "IdleGpuHours", "MemoryKnownGpuHours", "MemoryUsedGpuHours", "PricedUsefulGpuHours"] as const;
export type SeenHours = (typeof seenHours)[number];

/** One series in a UTC day. Hours are whole billionths of a GPU-hour. */
export interface SeriesOfDay {
  readonly seriesId: number;
  readonly hourCount: number;
  readonly gpuHours: number;
  readonly pricedGpuHours: number;
  /** null where the bill states none. */
  readonly effectiveAttos: bigint | null;
  /** null: nothing was seen of it. `parts` are null where the cost is. */
  readonly seen: { readonly hours: readonly number[]; readonly parts: readonly bigint[] | null } | null;
  /** GPU-hours billed in each of the 24 hours; 0 where the machine did not run. */
  readonly ran: Float64Array;
}

/** Amounts of one column: nanos in two words and the rest below. */
export interface AmountColumn {
  readonly low: Uint32Array;
  readonly high: Int32Array;
  readonly rest: Int32Array;
}

/** The columns of a day as they lie in the blob. */
export interface GpuSeriesDay {
  readonly count: number;
  readonly seenCount: number;
  readonly series: Uint32Array;
  readonly hourCount: Uint32Array;
  readonly flags: Uint32Array;
  readonly gpuHours: Float64Array;
  readonly pricedGpuHours: Float64Array;
  readonly cost: AmountColumn;
  /** Of each seen series its place among all. */
  readonly seenAt: Uint32Array;
  readonly seen: Readonly<Record<SeenHours, Float64Array>>;
  readonly parts: Readonly<Record<CostPart, AmountColumn>>;
  /** GPU-hours of most hours in which a series ran, and of those that differ, each with 24 × place + hour, ascending. */
  readonly usual: Float64Array;
  readonly other: Float64Array;
  readonly otherAt: Uint32Array;
}

/** Flags of a series. */
export const NO_COST = 1 << 24;
const HOURS_A_DAY = 24;
const HEADER_BYTES = 24;
const LAYOUT = 1;
const LOW_WORD = 0xffff_ffffn;

/** The blob of a day; series in any order, each at most once. Throws AmountOutOfRange. */
export function encodeGpuSeriesDay(all: readonly SeriesOfDay[]): Uint8Array {
  const rows = [...all].sort((a, b) => a.seriesId - b.seriesId);
  const seen = rows.flatMap((row, place) => (row.seen === null ? [] : [{ ...row.seen, place }]));
  const others = rows.flatMap(({ ran }, place) => othersOf(ran).map((hour) => ({ at: place * HOURS_A_DAY + hour, gpuHours: ran[hour] as number })));
  const [n, m, h] = [rows.length, seen.length, others.length];
  const bytes = new Uint8Array(bytesOf(n, m, h));
  bytes[0] = LAYOUT;
  new Uint32Array(bytes.buffer, 8, 4).set([n, m, h, 0]);
  const day = columnsOf(bytes.buffer, n, m, h);
  rows.forEach((row, place) => {
    day.series[place] = row.seriesId;
    day.hourCount[place] = row.hourCount;
    day.flags[place] = hoursRun(row.ran) | (row.effectiveAttos === null ? NO_COST : 0);
    day.gpuHours[place] = row.gpuHours;
    day.pricedGpuHours[place] = row.pricedGpuHours;
    day.usual[place] = usualOf(row.ran);
    putAmount(day.cost, place, row.effectiveAttos ?? 0n);
  });
  others.forEach(({ at, gpuHours }, index) => {
    day.otherAt[index] = at;
    day.other[index] = gpuHours;
  });
  seen.forEach(({ hours, parts, place }, index) => {
    day.seenAt[index] = place;
    seenHours.forEach((name, way) => (day.seen[name][index] = hours[way] as number));
    costParts.forEach((name, part) => putAmount(day.parts[name], index, parts?.[part] ?? 0n));
  });
  return bytes;
}

/** The columns of a blob. One that is not ours is a fault. */
export function decodeGpuSeriesDay(blob: Uint8Array): GpuSeriesDay {
  // Columns of eight bytes want to lie at multiples of eight.
  const own = blob.byteOffset % 8 === 0 ? blob : blob.slice();
  const [n = 0, m = 0, h = 0] = new Uint32Array(own.buffer, own.byteOffset + 8, 4);
  if (own[0] !== LAYOUT || own.byteLength !== bytesOf(n, m, h)) throw new TypeError("not a day of GPU series");
  return columnsOf(own.buffer, n, m, h, own.byteOffset);
}

/** Calls `visit` with the GPU-hours of every hour of the day (0 to 23) in which the series at a place ran; with `wanted`, only at places where that is not 0. */
export function eachHourRun({ count, flags, usual, other, otherAt }: GpuSeriesDay, visit: (place: number, hour: number, gpuHours: number) => void, wanted?: Uint8Array): void {
  let next = 0;
  for (let place = 0; place < count; place += 1) {
    if (wanted?.[place] === 0) {
      while ((otherAt[next] ?? Number.POSITIVE_INFINITY) < (place + 1) * HOURS_A_DAY) next += 1;
      continue;
    }
    for (let hour = 0; hour < HOURS_A_DAY; hour += 1) {
      if (((flags[place] as number) & (1 << hour)) === 0) continue;
      const isOther = otherAt[next] === place * HOURS_A_DAY + hour;
      visit(place, hour, (isOther ? other[next] : usual[place]) as number);
      if (isOther) next += 1;
    }
  }
}

function hoursRun(ran: Float64Array): number {
  return ran.reduce((mask, gpuHours, hour) => (gpuHours > 0 ? mask | (1 << hour) : mask), 0);
}

/** The GPU-hours that most hours have; 0 where it did not run. */
function usualOf(ran: Float64Array): number {
  const counts = new Map<number, number>();
  for (const gpuHours of ran) if (gpuHours > 0) counts.set(gpuHours, (counts.get(gpuHours) ?? 0) + 1);
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0] as [number, number])[0];
}

function othersOf(ran: Float64Array): number[] {
  const usual = usualOf(ran);
  return [...ran.keys()].filter((hour) => (ran[hour] as number) > 0 && ran[hour] !== usual);
}

function putAmount({ low, high, rest }: AmountColumn, place: number, attos: bigint): void {
  const { nanos, rest: below } = splitAttos(attos);
  low[place] = Number(nanos & LOW_WORD);
  high[place] = Number(nanos >> 32n);
  rest[place] = Number(below);
}

function bytesOf(n: number, m: number, h: number): number {
  return HEADER_BYTES + 8 * (3 * n + h + seenHours.length * m) + 4 * (3 * n + 3 * costParts.length * m + 3 * n + m + h);
}

function columnsOf(buffer: ArrayBufferLike, n: number, m: number, h: number, start = 0): GpuSeriesDay {
  let at = start + HEADER_BYTES;
  const doubles = (count: number): Float64Array => new Float64Array(buffer, (at += 8 * count) - 8 * count, count);
  const words = (count: number): Uint32Array => new Uint32Array(buffer, (at += 4 * count) - 4 * count, count);
  const signed = (count: number): Int32Array => new Int32Array(buffer, (at += 4 * count) - 4 * count, count);
  const amounts = (count: number): AmountColumn => ({ low: words(count), high: signed(count), rest: signed(count) });
  const gpuHours = doubles(n);
  const pricedGpuHours = doubles(n);
  const usual = doubles(n);
  const other = doubles(h);
  const seen = Object.fromEntries(seenHours.map((name) => [name, doubles(m)])) as Record<SeenHours, Float64Array>;
  const cost = amounts(n);
  const parts = Object.fromEntries(costParts.map((name) => [name, amounts(m)])) as Record<CostPart, AmountColumn>;
  return { count: n, seenCount: m, gpuHours, pricedGpuHours, usual, other, seen, cost, parts, series: words(n), hourCount: words(n), flags: words(n), seenAt: words(m), otherAt: words(h) };
}
