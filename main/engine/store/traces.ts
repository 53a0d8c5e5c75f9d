/**
 * What one device did on one metric and UTC day, as one batch saw it: segments (start, length, value) in milliseconds of the day.
 * Segments are sorted and do not overlap within a blob; a hole is unknown. Values are float32 in the metric's unit.
 *
 * A segment of length 0 is a mark: here the source was asked and had no value, so no earlier sample holds beyond it (maths.md d.2).
 * `isCarried` says that the first segment is the rest of a sample of the day before, so a sample at midnight itself beats it.
 *
 * Blob, little-endian: u8 layout = 1, u8 flags (1 = carried), u8 value encoding, u8 0, u32 count, then for each segment the LEB128
 * start less the end of the one before and the LEB128 length, then all values. It takes 4 to 8 bytes a segment instead of 12.
 */
export interface Segments {
  readonly startMs: Uint32Array;
  readonly lengthMs: Uint32Array;
  readonly value: Float32Array;
}
export interface DayTrace extends Segments {
  readonly isCarried: boolean;
}

/** Metrics of gpu_trace and their units. Percent is 0 to 100; the utilizations are different counters and never averaged together. */
export const traceMetrics = {
  utilization: "percent",
  "memory-used": "MiB",
  power: "W",
  /** Mean power between two readings of an energy counter. */
  "counted-power": "W",
  "engine-active": "percent",
  "sm-active": "percent",
  "tensor-active": "percent",
  "dram-active": "percent",
} as const;
export type TraceMetric = keyof typeof traceMetrics;

export const dayMs = 86_400_000;

const layout = 1;
const carriedFlag = 1;
const headerBytes = 8;
const asFloat32 = 0;
const asByte = 1;
const asHundredths = 2;
const asUint16 = 3;
const valueBytes = [4, 1, 2, 2] as const;

/** The blob of a day. Segments must be sorted, not overlap and lie within the day: anything else is a fault of the caller. */
export function encodeSegments(segments: Segments & { readonly isCarried?: boolean }): Uint8Array {
  const { startMs, lengthMs, value } = segments;
  const count = startMs.length;
  const times = new Uint8Array(count * 10);
  let at = 0;
  let end = 0;
  for (let index = 0; index < count; index++) {
    const start = startMs[index] as number;
    const length = lengthMs[index] as number;
    if (start < end || start + length > dayMs) throw new RangeError(`trace segment ${index} overlaps or leaves its day`);
    at = writeVarint(times, at, start - end);
    at = writeVarint(times, at, length);
    end = start + length;
  }
  const encoding = narrowestEncoding(value);
  const blob = new Uint8Array(headerBytes + at + count * (valueBytes[encoding] as number));
  const view = new DataView(blob.buffer);
  blob[0] = layout;
  blob[1] = segments.isCarried === true ? carriedFlag : 0;
  blob[2] = encoding;
  view.setUint32(4, count, true);
  blob.set(times.subarray(0, at), headerBytes);
  at += headerBytes;
  for (let index = 0; index < count; index++) {
    const each = value[index] as number;
    if (encoding === asByte) blob[at + index] = each;
    else if (encoding === asUint16) view.setUint16(at + 2 * index, each, true);
    else if (encoding === asHundredths) view.setUint16(at + 2 * index, Math.round(each * 100), true);
    else view.setFloat32(at + 4 * index, each, true);
  }
  return blob;
}

/** The segments of a blob, marks of length 0 included. A blob that is not ours is a fault. */
export function decodeSegments(blob: Uint8Array): DayTrace {
  if (blob.length < headerBytes || blob[0] !== layout) throw new RangeError("not a trace blob");
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  const count = view.getUint32(4, true);
  const encoding = blob[2] as number;
  const startMs = new Uint32Array(count);
  const lengthMs = new Uint32Array(count);
  const value = new Float32Array(count);
  let at = headerBytes;
  let end = 0;
  for (let index = 0; index < count; index++) {
    // Two varints, read in line: this loop runs once for every sample of every report's days.
    for (let part = 0; part < 2; part++) {
      let number = 0;
      let shift = 0;
      for (;;) {
        const byte = blob[at++] as number;
        number |= (byte & 127) << shift;
        if (byte < 128) break;
        shift += 7;
      }
      end += number;
      if (part === 0) startMs[index] = end;
      else lengthMs[index] = number;
    }
  }
  for (let index = 0; index < count; index++) {
    if (encoding === asByte) value[index] = blob[at + index] as number;
    else if (encoding === asUint16) value[index] = view.getUint16(at + 2 * index, true);
    else if (encoding === asHundredths) value[index] = view.getUint16(at + 2 * index, true) / 100;
    else value[index] = view.getFloat32(at + 4 * index, true);
  }
  return { startMs, lengthMs, value, isCarried: ((blob[1] as number) & carriedFlag) !== 0 };
}

/**
 * What several batches together know of one device, metric and day; blobs in posting order, newest last. Marks are gone from the answer.
 * Every instant takes the sample that began last among those that hold there; of samples with equal start the newest batch's counts,
 * once. So a file read in parts, in any order, gives what the whole file gives.
 */
export function mergeTraces(blobs: readonly Uint8Array[]): Segments {
  const traces = blobs.map(decodeSegments);
  const [only] = traces;
  if (traces.length === 1 && only !== undefined) return withoutMarks(only);

  const total = traces.reduce((sum, { startMs }) => sum + startMs.length, 0);
  const starts = new Uint32Array(total);
  const ends = new Uint32Array(total);
  const values = new Float32Array(total);
  const order: number[] = [];
  const rank = new Float64Array(total);
  let filled = 0;
  traces.forEach((trace, batch) => {
    for (let index = 0; index < trace.startMs.length; index++) {
      const start = trace.startMs[index] as number;
      starts[filled] = start;
      ends[filled] = start + (trace.lengthMs[index] as number);
      values[filled] = trace.value[index] as number;
      // The rest of yesterday's sample ranks below every sample that was really taken at midnight.
      const isCarried = index === 0 && trace.isCarried;
      rank[filled] = start * 2 * (traces.length + 1) + (isCarried ? 0 : traces.length + 1) + batch;
      order.push(filled++);
    }
  });
  order.sort((one, other) => (rank[one] as number) - (rank[other] as number));

  const merged = growingSegments(total + 8);
  /** Samples that still hold, the last begun on top. */
  const holding: number[] = [];
  let now = 0;
  for (let position = 0; position <= order.length; position++) {
    const next = order[position];
    const until = next === undefined ? dayMs : (starts[next] as number);
    while (now < until) {
      const top = holding.at(-1);
      if (top === undefined) break;
      const end = Math.min(ends[top] as number, until);
      if (end > now) {
        merged.add(now, end - now, values[top] as number);
        now = end;
      }
      if ((ends[top] as number) <= now) holding.pop();
    }
    now = until;
    if (next === undefined) break;
    const following = order[position + 1];
    if (following !== undefined && starts[following] === starts[next]) continue; // the newer of two equal timestamps counts
    if ((ends[next] as number) === (starts[next] as number)) holding.length = 0; // a mark
    else holding.push(next);
  }
  return merged.take();
}

/** The part of segments inside [fromMs, toMs), cut at its edges. */
export function cutSegments(segments: Segments, fromMs: number, toMs: number): Segments {
  const part = growingSegments(64);
  for (let index = firstEndingAfter(segments, fromMs); index < segments.startMs.length; index++) {
    const start = Math.max(segments.startMs[index] as number, fromMs);
    if (start >= toMs) break;
    const end = Math.min((segments.startMs[index] as number) + (segments.lengthMs[index] as number), toMs);
    if (end > start) part.add(start, end - start, segments.value[index] as number);
  }
  return part.take();
}

export interface GrowingSegments {
  readonly count: () => number;
  readonly add: (startMs: number, lengthMs: number, value: number) => void;
  readonly take: () => Segments;
}

/** Segments under construction, in typed memory that doubles as needed. */
export function growingSegments(capacity: number): GrowingSegments {
  let startMs = new Uint32Array(capacity);
  let lengthMs = new Uint32Array(capacity);
  let value = new Float32Array(capacity);
  let count = 0;
  return {
    count: () => count,
    add(start, length, each) {
      if (count === startMs.length) {
        startMs = grown(startMs, new Uint32Array(count * 2 + 8));
        lengthMs = grown(lengthMs, new Uint32Array(count * 2 + 8));
        value = grown(value, new Float32Array(count * 2 + 8));
      }
      startMs[count] = start;
      lengthMs[count] = length;
      value[count] = each;
      count++;
    },
    take: () => ({ startMs: startMs.slice(0, count), lengthMs: lengthMs.slice(0, count), value: value.slice(0, count) }),
  };
}

function grown<T extends Uint32Array | Float32Array>(from: T, into: T): T {
  into.set(from);
  return into;
}

function withoutMarks(trace: Segments): Segments {
  if (!trace.lengthMs.includes(0)) return { startMs: trace.startMs, lengthMs: trace.lengthMs, value: trace.value };
  const kept = growingSegments(trace.startMs.length);
  trace.startMs.forEach((start, index) => {
    if (trace.lengthMs[index] !== 0) kept.add(start, trace.lengthMs[index] as number, trace.value[index] as number);
  });
  return kept.take();
}

function firstEndingAfter({ startMs, lengthMs }: Segments, ms: number): number {
  let low = 0;
  let high = startMs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((startMs[middle] as number) + (lengthMs[middle] as number) > ms) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whole percents, mebibytes and hundredths of a watt, which is what the tools print, need one or two bytes and lose nothing. */
function narrowestEncoding(value: Float32Array): number {
  let fitsByte = true;
  let fitsUint16 = true;
  let fitsHundredths = true;
  for (const each of value) {
    if (!(each >= 0 && each <= 65_535) || Object.is(each, -0)) return asFloat32;
    const isWhole = Number.isInteger(each);
    if (!isWhole) fitsUint16 = false;
    if (!isWhole || each > 255) fitsByte = false;
    if (each > 655.35 || Math.fround(Math.round(each * 100) / 100) !== each) fitsHundredths = false;
    if (!fitsUint16 && !fitsHundredths) return asFloat32;
  }
  if (fitsByte) return asByte;
  return fitsUint16 ? asUint16 : asHundredths;
}

function writeVarint(into: Uint8Array, position: number, number: number): number {
  let rest = number;
  let at = position;
  while (rest > 127) {
    into[at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  into[at++] = rest;
  return at;
}
