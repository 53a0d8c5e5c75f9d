/** What the traces of each device say beyond its hours: growth of memory, and the other counters while it works. The long part, run by the reader. */
import { activityOf } from "../hours/activity.ts";
import { meanBetween, type Trace } from "../hours/timeline.ts";
import { traceOf } from "../hours/work-out.ts";
import { giveWay, type JobControl } from "../import/control.ts";
import { memoryGrowth, type MemoryGrowth } from "../metrics/model/memory-growth.ts";
import { query, readAll, type Db } from "../store/sql.ts";
import type { TraceMetric } from "../store/traces.ts";

export interface DeviceScan {
  readonly deviceId: number;
  readonly host: string;
  readonly gpuModel: string | null;
  readonly acceleratorId: string | null;
  readonly share: number;
  readonly memoryTotalMiB: number | null;
  /** Seconds with the activity counter, and those of them at work. */
  readonly knownSeconds: number;
  readonly workSeconds: number;
  /** Activity at or under which 95 % of the known time lies, a ratio; null with none. */
  readonly activityP95: number | null;
  readonly memoryGrowth: MemoryGrowth | null;
  readonly memoryPeakMiB: number | null;
  readonly memoryKnownSeconds: number;
  /** Means over the time at work in which the counter was measured, ratios; null: not measured. */
  readonly tensor: CounterWhileWorking | null;
  readonly sm: CounterWhileWorking | null;
  readonly dram: CounterWhileWorking | null;
  readonly smP95: number | null;
}
export interface CounterWhileWorking {
  readonly mean: number;
  readonly seconds: number;
}

interface ScannedDevice {
  readonly DeviceId: number;
  readonly Host: string;
  readonly GpuModel: string | null;
  readonly AcceleratorId: string | null;
  readonly Share: number;
  readonly MemoryTotalMiB: number | null;
}

const live = { withBatches: [], withoutBatches: [] } as const;
/** A device is at work from this activity on: the upper threshold of the usual idle rule. */
const AT_WORK = 10;

export function scanDevices({ db, control }: { readonly db: Db; readonly control: JobControl }, { firstDay, endDay }: { readonly firstDay: number; readonly endDay: number }): DeviceScan[] {
  const devices = readAll(db, query<ScannedDevice>("DeviceId", "Host", "GpuModel", "AcceleratorId", "Share", "MemoryTotalMiB")`-- scan.devices
    SELECT d.DeviceId, d.Host, d.GpuModel, d.AcceleratorId, d.Share, d.MemoryTotalMiB
    FROM device AS d
    WHERE EXISTS (SELECT 1 FROM gpu_trace AS t WHERE t.DeviceId = d.DeviceId AND t.Day >= ${firstDay} AND t.Day < ${endDay})
    ORDER BY d.DeviceId`);
  return devices.map((device, index) => {
    giveWay(control);
    control.progress(index, devices.length);
    return scanDevice(db, device, firstDay, endDay);
  });
}

function scanDevice(db: Db, { DeviceId, Host, GpuModel, AcceleratorId, Share, MemoryTotalMiB }: ScannedDevice, firstDay: number, endDay: number): DeviceScan {
  const read = (metric: TraceMetric): Trace => traceOf(db, live, DeviceId, metric, firstDay, endDay - 1);
  const activity = activityOf(read("engine-active"), read("utilization")).trace;
  const memory = read("memory-used");
  const [tensor, sm, dram] = [read("tensor-active"), read("sm-active"), read("dram-active")];
  const work = workOf(activity);
  const known = levels(activity);
  const smLevels = levels(sm);
  const memoryLevels = levels(memory);
  return {
    deviceId: DeviceId,
    host: Host,
    gpuModel: GpuModel,
    acceleratorId: AcceleratorId,
    share: Share,
    memoryTotalMiB: MemoryTotalMiB,
    knownSeconds: known.seconds,
    workSeconds: work.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1000,
    activityP95: known.p95 === null ? null : known.p95 / 100,
    memoryGrowth: MemoryTotalMiB === null ? null : memoryGrowth(Array.from(memory.value, (value, index) => ({ start: (memory.startMs[index] as number) / 1000, end: (memory.endMs[index] as number) / 1000, value })), MemoryTotalMiB),
    memoryPeakMiB: memoryLevels.peak,
    memoryKnownSeconds: memoryLevels.seconds,
    tensor: whileWorking(tensor, work),
    sm: whileWorking(sm, work),
    dram: whileWorking(dram, work),
    smP95: smLevels.p95 === null ? null : smLevels.p95 / 100,
  };
}

interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
}

function workOf(activity: Trace): Stretch[] {
  const found: { startMs: number; endMs: number }[] = [];
  for (let index = 0; index < activity.value.length; index += 1) {
    if ((activity.value[index] as number) < AT_WORK) continue;
    const [startMs, endMs] = [activity.startMs[index] as number, activity.endMs[index] as number];
    const last = found.at(-1);
    if (last?.endMs === startMs) last.endMs = endMs;
    else found.push({ startMs, endMs });
  }
  return found;
}

/** Time-weighted mean of a counter over the stretches in which it was measured. */
function whileWorking(trace: Trace, work: readonly Stretch[]): CounterWhileWorking | null {
  if (trace.value.length === 0) return null;
  let [sum, seconds] = [0, 0];
  for (const { startMs, endMs } of work) {
    const part = knownBetween(trace, startMs, endMs);
    const mean = part === 0 ? null : meanBetween(trace, startMs, endMs);
    if (mean === null) continue;
    sum += (mean / 100) * part;
    seconds += part / 1000;
  }
  return seconds === 0 ? null : { mean: sum / 1000 / seconds, seconds };
}

function knownBetween({ startMs, endMs }: Trace, from: number, to: number): number {
  let [low, high] = [0, startMs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((endMs[middle] as number) <= from) low = middle + 1;
    else high = middle;
  }
  let known = 0;
  for (let index = low; index < startMs.length && (startMs[index] as number) < to; index += 1) known += Math.min(to, endMs[index] as number) - Math.max(from, startMs[index] as number);
  return known;
}

/** Known seconds, the highest value, and the percent (to a tenth) at or under which 95 % of the time lies. */
function levels({ startMs, endMs, value }: Trace): { readonly seconds: number; readonly peak: number | null; readonly p95: number | null } {
  const bins = new Float64Array(BINS + 1);
  let [total, peak] = [0, -Infinity];
  for (let index = 0; index < value.length; index += 1) {
    const each = value[index] as number;
    const ms = (endMs[index] as number) - (startMs[index] as number);
    total += ms;
    peak = Math.max(peak, each);
    const bin = Math.min(BINS, Math.max(0, Math.ceil(each * 10)));
    bins[bin] = (bins[bin] as number) + ms;
  }
  if (total === 0) return { seconds: 0, peak: null, p95: null };
  let seen = 0;
  const bin = bins.findIndex((ms) => (seen += ms) >= total * 0.95);
  return { seconds: total / 1000, peak, p95: bin / 10 };
}

/** Tenths of a percent. */
const BINS = 1000;
