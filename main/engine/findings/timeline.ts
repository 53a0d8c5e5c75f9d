/** A host's devices minute by minute: the zoom of the fleet map. */
import type { HostTimeline } from "../../../shared/contract/findings.ts";
import type { IdlePolicy } from "../../../shared/contract/report.ts";
import { startOfDay, startOfHour } from "../../../shared/domain/period.ts";
import { activityOf } from "../hours/activity.ts";
import { deviceMinutes } from "../hours/minutes.ts";
import { idleStates } from "../hours/timeline.ts";
import { traceOf } from "../hours/work-out.ts";
import { query, readAll, readOne, type Db } from "../store/sql.ts";

interface HostDevice {
  readonly DeviceId: number;
  readonly Label: string;
  readonly GpuModel: string | null;
  readonly MemoryTotalMiB: number | null;
}

const live = { withBatches: [], withoutBatches: [] } as const;
const HOURS_A_DAY = 24;

/** A day more on either side is read, so that an idle stretch is judged whole. */
export function hostTimeline(db: Db, host: string, fromHour: number, hours: number, policy: IdlePolicy): HostTimeline {
  const [firstDay, lastDay] = [Math.floor(fromHour / HOURS_A_DAY) - 1, Math.floor((fromHour + hours - 1) / HOURS_A_DAY) + 1];
  const devices = readAll(db, query<HostDevice>("DeviceId", "Label", "GpuModel", "MemoryTotalMiB")`-- timeline.devices
    SELECT DeviceId, coalesce('GPU ' || CAST(DeviceIndex AS TEXT), PciBusId, Uuid, '') AS Label, GpuModel, MemoryTotalMiB
    FROM device
    WHERE Host = ${host}
    ORDER BY DeviceIndex, PciBusId, DeviceId`);
  const span = readOne(db, query<{ first: number | null; last: number | null }>("first", "last")`-- timeline.span
    SELECT min(t.Day) AS first, max(t.Day) AS last
    FROM device d
    JOIN gpu_trace t ON t.DeviceId = d.DeviceId
    JOIN batch b ON b.BatchId = t.BatchId AND b.State = 'posted'
    WHERE d.Host = ${host}`);
  return {
    host,
    start: startOfHour(fromHour),
    minutes: hours * 60,
    devices: devices.map(({ DeviceId, Label, GpuModel, MemoryTotalMiB }) => {
      const read = (metric: string) => traceOf(db, live, DeviceId, metric, firstDay, lastDay);
      const utilization = activityOf(read("engine-active"), read("utilization")).trace;
      const traces = { utilization, memoryUsed: read("memory-used"), power: read("power"), memoryTotalMiB: MemoryTotalMiB };
      return { id: DeviceId, label: Label, gpuModel: GpuModel, ...deviceMinutes(traces, idleStates(utilization, policy), policy, fromHour, fromHour + hours) };
    }),
    firstAt: span === null || span.first === null ? null : startOfDay(span.first),
    lastAt: span === null || span.last === null ? null : startOfDay(span.last + 1),
  };
}
