/** Replays a stop rule on the traces of machines, device by device: the long part of a replay, run by the reader. */
import type { StopRule } from "../../../shared/contract/findings.ts";
import { activityOf } from "../hours/activity.ts";
import { idleStates, type Trace } from "../hours/timeline.ts";
import { traceOf } from "../hours/work-out.ts";
import { giveWay, type JobControl } from "../import/control.ts";
import type { TimeWindow } from "../metrics/model/segments.ts";
import { windowsWithin } from "../metrics/model/schedule.ts";
import { complement, intersection, replaySchedule, replayStops, union, type DeviceActivity, type ReplayedMachine } from "../metrics/model/stop-replay.ts";
import { query, readAll, type Db } from "../store/sql.ts";

/** A billed machine and the hosts of its logs, each in the hours in which it is that machine. */
export interface MachineToReplay {
  readonly resource: string;
  readonly hosts: readonly { readonly host: string; readonly fromHour: number; readonly toHour: number }[];
}
export interface ReplayInput {
  readonly machines: readonly MachineToReplay[];
  readonly firstDay: number;
  readonly endDay: number;
  readonly rule: StopRule;
  /** Share of a card's memory from which it counts as held. */
  readonly heldFrom: number;
}
export interface MachineReplay extends ReplayedMachine {
  readonly resource: string;
  /** Cards with telemetry in the period. */
  readonly gpusSeen: number;
}

interface ReplayDevice {
  readonly DeviceId: number;
  readonly Host: string;
  readonly Uuid: string | null;
  readonly MemoryTotalMiB: number | null;
  readonly Share: number;
}

const daySeconds = 86_400;

/** What the rule would have done with each machine, from traces of all batches that show. */
export function replayMachines({ db, control }: { readonly db: Db; readonly control: JobControl }, { machines, firstDay, endDay, rule, heldFrom }: ReplayInput): MachineReplay[] {
  const window: TimeWindow = { start: firstDay * daySeconds, end: endDay * daySeconds };
  const allowed = allowedWindows(rule, window);
  const byHost = Map.groupBy(
    readAll(db, query<ReplayDevice>("DeviceId", "Host", "Uuid", "MemoryTotalMiB", "Share")`-- replay.devices
      SELECT d.DeviceId, d.Host, d.Uuid, d.MemoryTotalMiB, d.Share
      FROM device AS d
      WHERE EXISTS (SELECT 1 FROM gpu_trace AS t WHERE t.DeviceId = d.DeviceId AND t.Day >= ${firstDay} AND t.Day < ${endDay})
      ORDER BY d.DeviceId`),
    ({ Host }) => Host,
  );
  return machines.map(({ resource, hosts }, index) => {
    giveWay(control);
    control.progress(index, machines.length);
    const devices: DeviceActivity[] = [];
    let gpusSeen = 0;
    for (const { host, fromHour, toHour } of hosts) {
      const joined = { start: Math.max(window.start, fromHour * 3600), end: Math.min(window.end, toHour * 3600) };
      if (joined.start >= joined.end) continue;
      const all = byHost.get(host) ?? [];
      const split = new Set(all.flatMap(({ Uuid }) => /^mig-gpu-(.{36})\//.exec(Uuid ?? "")?.[1] ?? []));
      for (const device of all) {
        // A card that is split is seen by its slices: whether the card itself works is not told.
        if (device.Uuid === null || !device.Uuid.startsWith("mig-")) gpusSeen += device.Share;
        if (device.Uuid === null || !split.has(device.Uuid)) devices.push(deviceActivity(db, device, joined, rule, heldFrom));
      }
    }
    const { stops, lastKnownAt, idleSince } = rule.stopsBy === "schedule" ? replaySchedule(devices, allowed, rule, window.end) : replayStops(devices, allowed, { idleSeconds: rule.minimumSeconds, bridgeSeconds: rule.bridgeSeconds, falseStopSeconds: rule.falseStopSeconds, restartSeconds: rule.restartSeconds });
    return { resource, gpusSeen, stops, lastKnownAt, idleSince };
  });
}

/** The zone of the hours in which a machine is kept on is one that exists: then the windows in which the rule may stop. */
export function allowedWindows({ keepOn }: Pick<StopRule, "keepOn">, window: TimeWindow): readonly TimeWindow[] {
  if (keepOn === null || keepOn.weekdays.length === 0) return [window];
  const dateOf = (second: number): string => new Date(second * 1000).toISOString().slice(0, 10);
  const onWindows = Object.fromEntries(keepOn.weekdays.map((weekday) => [weekday, [[keepOn.from, keepOn.to] as const]]));
  // A local date may be a day ahead of or behind the UTC date.
  const kept = windowsWithin(onWindows, keepOn.zone, dateOf(window.start - daySeconds), dateOf(window.end + 2 * daySeconds), { start: window.start - 2 * daySeconds, end: window.end + 2 * daySeconds });
  return complement(kept ?? [], window);
}

/** Known idle and working time of one device under the rule, with a day before the window so that the state between the thresholds is known. */
function deviceActivity(db: Db, { DeviceId, MemoryTotalMiB }: ReplayDevice, window: TimeWindow, rule: StopRule, heldFrom: number): DeviceActivity {
  const [firstDay, lastDay] = [Math.floor(window.start / daySeconds), Math.ceil(window.end / daySeconds) - 1];
  const utilization = activityOf(traceOf(db, live, DeviceId, "engine-active", firstDay - 1, lastDay), traceOf(db, live, DeviceId, "utilization", firstDay - 1, lastDay)).trace;
  const { isIdle } = idleStates(utilization, { idleAtOrUnderPercent: rule.idleAtOrUnderPercent, busyAtOrOverPercent: rule.busyAtOrOverPercent, minimumSeconds: 0, bridgeSeconds: rule.bridgeSeconds, parkedMemoryShare: heldFrom });
  const idle = intersection(stretchesOf(utilization, (index) => isIdle[index] === 1), [window]);
  const busy = intersection(stretchesOf(utilization, (index) => isIdle[index] !== 1), [window]);
  if (rule.stopsHeld) return { idle, busy };
  // A model in memory keeps the machine: it is in use. Where nobody knows what memory holds, nobody knows whether it may be stopped.
  if (MemoryTotalMiB === null || MemoryTotalMiB <= 0) return { idle: [], busy };
  const memory = traceOf(db, live, DeviceId, "memory-used", firstDay, lastDay);
  const isHeld = (index: number): boolean => (memory.value[index] as number) / MemoryTotalMiB >= heldFrom;
  const held = intersection(idle, stretchesOf(memory, isHeld));
  return { idle: intersection(idle, stretchesOf(memory, (index) => !isHeld(index))), busy: union([...busy, ...held]), held };
}

const live = { withBatches: [], withoutBatches: [] } as const;

/** Segments of a kind as stretches in seconds; those that adjoin are one. */
function stretchesOf(trace: Trace, isOfKind: (index: number) => boolean): readonly TimeWindow[] {
  const found: { start: number; end: number }[] = [];
  for (let index = 0; index < trace.value.length; index += 1) {
    if (!isOfKind(index)) continue;
    const [start, end] = [(trace.startMs[index] as number) / 1000, (trace.endMs[index] as number) / 1000];
    const last = found.at(-1);
    if (last !== undefined && last.end === start) last.end = end;
    else if (end > start) found.push({ start, end });
  }
  return found;
}
