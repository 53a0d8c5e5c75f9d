/**
 * The codec of `gpu_charge_hours.Hours`: what one GPU series cost, hour by hour, in one UTC month of charge time.
 *
 * layout   24 bytes an hour, little-endian, ascending by hour: u16 hour of the month (0 is its first hour), u16 flags
 *          (bit 0: the source states no EffectiveCost; bit 1: some of it is the even share of a charge longer than an hour), f64 GPU-hours, i64 nanos, i32 attos below a nano (0 to 999,999,999)
 * money    nanos × 1e9 + rest is the amount in attos
 */
export interface GpuChargeHour {
  /** Hours since the start of the month, UTC. */
  readonly hour: number;
  readonly gpuHours: number;
  /** null where the source states no EffectiveCost for some of it. */
  readonly effectiveAttos: bigint | null;
  /** The bill does not say in which hour: this is an even share of a longer charge (hours/spread.ts moves it to where work was seen). */
  readonly isSpread?: boolean;
}

const BYTES_AN_HOUR = 24;
const NO_COST = 1;
const SPREAD = 2;
const ATTOS_A_NANO = 1_000_000_000n;
const NANO_ATTOS = 1e9;
const WORD = 2 ** 32;

/** Hours in any order, each at most once. */
export function encodeGpuChargeHours(hours: readonly GpuChargeHour[]): Uint8Array {
  const writer = createGpuChargeHoursWriter(hours.length);
  for (const { hour, gpuHours, effectiveAttos, isSpread = false } of [...hours].sort((a, b) => a.hour - b.hour)) {
    if (effectiveAttos === null) writer.add(hour, gpuHours, null, 0, isSpread);
    else writer.addAttos(hour, gpuHours, effectiveAttos, isSpread);
  }
  return writer.take();
}

/** Lays hours down one after another, which must come ascending, without making an object of each. */
export interface GpuChargeHoursWriter {
  /** An amount in whole nanos and attos beside, of any sign, both whole numbers below 2^52; null for nanos where the source states none. */
  add(hour: number, gpuHours: number, nanos: number | null, rest: number, isSpread: boolean): void;
  /** The same with an amount that may be beyond that. */
  addAttos(hour: number, gpuHours: number, attos: bigint, isSpread: boolean): void;
  /** What was laid down; the writer begins anew. */
  take(): Uint8Array;
}

/** `most` hours between two calls of `take`. */
export function createGpuChargeHoursWriter(most: number): GpuChargeHoursWriter {
  const bytes = new Uint8Array(most * BYTES_AN_HOUR);
  const view = new DataView(bytes.buffer);
  let at = 0;

  function begin(hour: number, gpuHours: number, flags: number): void {
    view.setUint16(at, hour, true);
    view.setUint16(at + 2, flags, true);
    view.setFloat64(at + 4, gpuHours, true);
  }

  return {
    add(hour, gpuHours, nanos, rest, isSpread) {
      begin(hour, gpuHours, (nanos === null ? NO_COST : 0) | (isSpread ? SPREAD : 0));
      const up = nanos === null ? 0 : Math.floor(rest / NANO_ATTOS);
      const whole = nanos === null ? 0 : nanos + up;
      const high = Math.floor(whole / WORD);
      view.setUint32(at + 12, whole - high * WORD, true);
      view.setInt32(at + 16, high, true);
      view.setInt32(at + 20, nanos === null ? 0 : rest - up * NANO_ATTOS, true);
      at += BYTES_AN_HOUR;
    },
    addAttos(hour, gpuHours, attos, isSpread) {
      begin(hour, gpuHours, isSpread ? SPREAD : 0);
      const nanos = floorDivide(attos, ATTOS_A_NANO);
      view.setBigInt64(at + 12, nanos, true);
      view.setInt32(at + 20, Number(attos - nanos * ATTOS_A_NANO), true);
      at += BYTES_AN_HOUR;
    },
    take() {
      const taken = bytes.slice(0, at);
      at = 0;
      return taken;
    },
  };
}

export function decodeGpuChargeHours(bytes: Uint8Array): GpuChargeHour[] {
  const hours: GpuChargeHour[] = [];
  eachGpuChargeHour(bytes, 0, Number.POSITIVE_INFINITY, (hour, gpuHours, nanos, rest, isSpread) => {
    hours.push({ hour, gpuHours, effectiveAttos: nanos === null ? null : nanos * ATTOS_A_NANO + BigInt(rest), ...(isSpread ? { isSpread } : {}) });
  });
  return hours;
}

/** Calls `visit` for the hours of the month from `fromHour` (inclusive) to `toHour` (exclusive), ascending, without making an object of each. */
export function eachGpuChargeHour(
  bytes: Uint8Array,
  fromHour: number,
  toHour: number,
  visit: (hour: number, gpuHours: number, nanos: bigint | null, rest: number, isSpread: boolean) => void,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = firstFrom(view, fromHour); at + BYTES_AN_HOUR <= bytes.byteLength; at += BYTES_AN_HOUR) {
    const hour = view.getUint16(at, true);
    if (hour >= toHour) return;
    const flags = view.getUint16(at + 2, true);
    const isKnown = (flags & NO_COST) === 0;
    visit(hour, view.getFloat64(at + 4, true), isKnown ? view.getBigInt64(at + 12, true) : null, isKnown ? view.getInt32(at + 20, true) : 0, (flags & SPREAD) !== 0);
  }
}

/** Whether some hour is the even share of a charge longer than an hour. */
export function hasSpreadHours(bytes: Uint8Array): boolean {
  for (let at = 2; at < bytes.byteLength; at += BYTES_AN_HOUR) if (((bytes[at] as number) & SPREAD) !== 0) return true;
  return false;
}

/** Where the first hour lies that is not before `fromHour`. */
function firstFrom(view: DataView, fromHour: number): number {
  let low = 0;
  let high = Math.floor(view.byteLength / BYTES_AN_HOUR);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (view.getUint16(middle * BYTES_AN_HOUR, true) < fromHour) low = middle + 1;
    else high = middle;
  }
  return low * BYTES_AN_HOUR;
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}
