/** Logs of tools that print their devices poll by poll: identities to series, stated or missing times to polls, what hinders a row to its reason. */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import type { TimestampReading } from "../../import/timestamp.ts";
import type { TraceMetric } from "../../store/traces.ts";
import type { DeviceIdentity, DeviceSeries, Holds, LogFormatJob, LogSink } from "./format.ts";
import { deviceKey } from "./identity.ts";
import { pollTimes, timeOfLine } from "./poll-times.ts";
import { setLineAside } from "./text-lines.ts";

/** Metrics that each sample states together. */
export interface MetricGroup {
  readonly metrics: readonly TraceMetric[];
  readonly holds: Holds;
}

/** What most tools print of a device. */
export const deviceReadings: MetricGroup = { metrics: ["utilization", "memory-used", "power"], holds: "forward" };

export interface PolledDevice {
  /** As the log writes it; null where it states none. A number is milliseconds since the log began. */
  readonly time: string | number | null;
  /** Null where the log names no host. */
  readonly host: string | null;
  readonly uuid: string | null;
  readonly pciBusId: string | null;
  readonly index: number | null;
  readonly name?: string;
  readonly memoryTotalMiB?: number;
  /** Readings in the order of the groups and their metrics, NaN for unknown; null for a group that the log does not hold. */
  readonly values: readonly (Float64Array | null)[];
}

export interface PolledDevices {
  /** A device of a poll. `line` is what is set aside if it cannot be read. */
  readonly take: (device: PolledDevice, line: string, number: number) => LedgerError | null;
  readonly nextPoll: () => void;
  /** Whether a line that is no row states the time of the rows below it, as scripts print it before each poll. */
  readonly timeLine: (line: string) => boolean;
  readonly end: () => LedgerError | null;
}

/** `everyMs`: how far the tool's polls lie apart unless it is told otherwise; for logs without times. */
export function polledDevices(job: LogFormatJob, sink: LogSink, { groups, everyMs }: { readonly groups: readonly MetricGroup[]; readonly everyMs: number }): PolledDevices {
  const times = pollTimes(job, sink, everyMs);
  const known = new Map<string, readonly DeviceSeries[]>();
  const inPoll = new Set<string>();
  let lineTime: TimestampReading | null = null;

  function take({ time, host, uuid, pciBusId, index, name, memoryTotalMiB, values }: PolledDevice, line: string, number: number): LedgerError | null {
    sink.rowRead();
    const isNamed = uuid !== null || pciBusId !== null || index !== null;
    const identity: DeviceIdentity = { host: host ?? job.host, uuid, pciBusId, index: isNamed ? index : 0 };
    const key = deviceKey(identity);
    let series = known.get(key);
    if (series === undefined) {
      if (!isNamed) sink.repaired("assumed-single-gpu");
      series = groups.map(({ metrics, holds }) => sink.series(identity, metrics, holds));
      known.set(key, series);
    }
    series[0]?.describe({
      ...(name === undefined || name === "" ? {} : { name }),
      ...(memoryTotalMiB === undefined || !(memoryTotalMiB > 0) ? {} : { memoryTotalMiB }),
      ...(index === null ? {} : { index }),
      ...(pciBusId === null ? {} : { pciBusId }),
    });
    if (time === null && lineTime === null) {
      if (inPoll.has(key)) nextPoll();
      inPoll.add(key);
    }
    let isCounted = false;
    for (const [at, each] of values.entries()) {
      const group = series[at];
      if (each === null || group === undefined) continue;
      if (typeof time === "number") times.since(time, group, each);
      else if (time === null && lineTime === null) times.timeless(group, each, !isCounted);
      else {
        const outcome = time === null ? group.add(lineTime as TimestampReading, each) : times.stated(time, group, each);
        if (outcome === "zone-needed") return ledgerError("import.zone-needed", { file: job.sniffed.name });
        if (outcome === "hour-skipped" || outcome === "no-time") {
          setLineAside(sink, line, number, { column: "timestamp", value: time ?? "" }, "local-time");
          return null;
        }
      }
      isCounted = true;
    }
    return null;
  }

  function nextPoll(): void {
    inPoll.clear();
    times.nextPoll();
  }

  function timeLine(line: string): boolean {
    const found = timeOfLine(line, job.dateOrder);
    lineTime = found ?? lineTime;
    return found !== null;
  }

  return { take, nextPoll, timeLine, end: times.end };
}

/** Work without any memory held, in the first sample after the driver started (field notes 3.1, a): 100 %, unless the driver was kept loaded. */
export function isLowTrust(utilization: number, memoryUsed: number, persistence: string | null): boolean {
  if (memoryUsed !== 0 || persistence === "enabled") return false;
  return persistence === "disabled" ? utilization > 0 : utilization === 100;
}
