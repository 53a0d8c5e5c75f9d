/** What a device did minute by minute, for a look at single hours. Pure. */
import type { IdlePolicy } from "../../../shared/contract/report.ts";
import { eachPart, eachState, meanBetween, type DeviceTraces, type IdleStates, type Trace } from "./timeline.ts";

/** As in HeatBlock: -2 unknown, -3 held idle, -4 dead idle, -5 idle with memory unknown, else utilization 0 to 100. */
const UNKNOWN = -2;
const codes = { held: -3, dead: -4, "idle-memory-unknown": -5 } as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export interface DeviceMinutes {
  readonly states: readonly number[];
  /** Mean over the known time; null with none. */
  readonly utilization: number | null;
  /** The most memory in use, as a share of the card; null where it is not known. */
  readonly memoryPeak: number | null;
  readonly powerMeanWatts: number | null;
}

/** The minutes of some whole hours: each the state that most of it had, unknown where most of it is. */
export function deviceMinutes(traces: DeviceTraces, states: IdleStates, policy: IdlePolicy, fromHour: number, toHour: number): DeviceMinutes {
  const start = fromHour * HOUR_MS;
  const count = (toHour - fromHour) * 60;
  const kinds = ["active", "held", "dead", "idle-memory-unknown"] as const;
  const spent = kinds.map(() => new Float64Array(count));
  const useful = new Float64Array(count);
  eachState(traces, states, policy, fromHour, toHour, (_hour, from, to, state, index) => {
    const bins = spent[kinds.indexOf(state)] as Float64Array;
    for (let minute = Math.floor((from - start) / MINUTE_MS); start + minute * MINUTE_MS < to; minute += 1) {
      const ms = Math.min(to, start + (minute + 1) * MINUTE_MS) - Math.max(from, start + minute * MINUTE_MS);
      bins[minute] = (bins[minute] as number) + ms;
      if (state === "active") useful[minute] = (useful[minute] as number) + ms * (traces.utilization.value[index] as number);
    }
  });
  const [active, held, dead, memoryUnknown] = spent as [Float64Array, Float64Array, Float64Array, Float64Array];
  return {
    states: Array.from({ length: count }, (_, minute) => {
      const [work, kept, empty, open] = [active, held, dead, memoryUnknown].map((bins) => bins[minute] as number) as [number, number, number, number];
      const unknown = MINUTE_MS - work - kept - empty - open;
      // On a tie, the one that claims less waste.
      const candidates = [[work, Math.round((useful[minute] as number) / (work || 1))], [unknown, UNKNOWN], [open, codes["idle-memory-unknown"]], [kept, codes.held], [empty, codes.dead]] as const;
      return candidates.reduce((best, candidate) => (candidate[0] > best[0] ? candidate : best))[1];
    }),
    utilization: ratioOf(meanBetween(traces.utilization, start, toHour * HOUR_MS)),
    memoryPeak: traces.memoryTotalMiB === null || traces.memoryTotalMiB <= 0 ? null : peakOf(traces.memoryUsed, traces.memoryTotalMiB, fromHour, toHour),
    powerMeanWatts: meanBetween(traces.power, start, toHour * HOUR_MS),
  };
}

function ratioOf(percent: number | null): number | null {
  return percent === null ? null : percent / 100;
}

function peakOf(memory: Trace, total: number, fromHour: number, toHour: number): number | null {
  let peak: number | null = null;
  eachPart(memory, fromHour, toHour, (_hour, _start, _end, index) => {
    peak = Math.max(peak ?? 0, (memory.value[index] as number) / total);
  });
  return peak;
}
