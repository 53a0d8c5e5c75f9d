/** Utilization held to one counter, and the others beside it, each with what it measured (maths.md d.1). */
import type { Message, MessageParam, TableBlock } from "../../../shared/contract/report.ts";
import { utilizationCounters, type KeptCounter, type UtilizationCounter } from "../../../shared/domain/counter.ts";
import { sumGpuHours, type GpuHourFacts } from "../metrics/gpu-hours-where-met.ts";
import { gpuUtilization } from "../metrics/gpu-utilization.ts";
import { coverageOf, figureOf } from "../metrics/metric.ts";
import { column, row, shown, words } from "./cells.ts";
import { message } from "./context.ts";
import { refTo, type Gathered } from "./gather.ts";
import { activityCountersOf } from "./ladder.ts";

/** The edge of a bill cuts some hours: so little measured by one counter alone is no second counter. */
const NOTICED = 0.001;

/** The counter's name, for a sentence. */
export function counterName(counter: KeptCounter | null): MessageParam {
  return { message: message(`activity-ladder.${counter ?? "none"}`) };
}

/** Counters that measured some of the rows' GPU-hours, the page's first; `unknown` last, where days of before the split are in it. */
function countersIn(hours: GpuHourFacts): readonly KeptCounter[] {
  const { counters } = sumGpuHours(hours.rows);
  const order = [hours.counter, ...utilizationCounters.filter((counter) => counter !== hours.counter), "unknown" as const];
  return order.filter((counter) => counter !== null).filter((counter) => counter === hours.counter || counters[counter] !== undefined);
}

/** Every counter with its own mean and coverage. null where one counter is all there is. */
export function countersTable(gathered: Gathered, hours: GpuHourFacts): TableBlock | null {
  const inIt = countersIn(hours);
  if (inIt.length < 2) return null;
  const { counters, gpuHours } = sumGpuHours(hours.rows);
  return {
    kind: "table",
    id: "counters",
    title: message("counters.title"),
    note: message("counters.note"),
    chart: null,
    columns: [
      column("counter", "text", 1, message("column.counter")),
      column("utilization", "figure", 1, message("column.utilization")),
      column("hours", "figure", 1, message("column.known-gpu-hours")),
      column("coverage", "figure", 1, message("column.of-gpu-hours")),
      column("part", "text", 1, message("column.used-for")),
    ],
    rows: inIt.map((counter) => {
      const known = counters[counter]?.knownGpuHours ?? 0;
      const mean = counter === "unknown" ? figureOf("gpu-utilization", null, "ratio", "measured", coverageOf(known, gpuHours), "not-measured") : gpuUtilization.figure({ ...hours, counter });
      return row(`counter ${counter}`, [
        words(`activity-ladder.${counter}`),
        counter === "unknown" ? shown(mean) : shown(mean, refTo(gathered, "gpu-utilization", {}, { counter })),
        shown(figureOf("gpu-hours", known, "gpu-hours", "measured", 1)),
        shown(figureOf("telemetry-coverage", coverageOf(known, gpuHours), "ratio", "measured", 1)),
        words(counter === hours.counter ? "counters.headline" : "counters.beside"),
      ], counter === hours.counter ? "plain" : "muted");
    }),
    total: null,
  };
}

/**
 * Where the headline's counter leaves out hours that another one measured: what each says, with its share of the GPU-hours. null where the
 * headline speaks for all that is observed.
 */
export function besideHeadline(gathered: Gathered, hours: GpuHourFacts): Message | null {
  const { counters, gpuHours, knownGpuHours } = sumGpuHours(hours.rows);
  const { counter } = hours;
  if (counter === null || gpuHours === 0 || knownGpuHours - (counters[counter]?.knownGpuHours ?? 0) <= NOTICED * gpuHours) return null;
  const other = otherActivity(counter).filter((each) => counters[each] !== undefined).sort((a, b) => (counters[b]?.knownGpuHours ?? 0) - (counters[a]?.knownGpuHours ?? 0))[0];
  const covered = (of: KeptCounter): MessageParam => ({ ratio: coverageOf(counters[of]?.knownGpuHours ?? 0, gpuHours) });
  if (other === undefined) return message("counters.sentence-unknown", { counter: counterName(counter), ratio: covered(counter), left: covered("unknown") });
  const figure = gpuUtilization.figure({ ...hours, counter: other });
  return message("counters.sentence", {
    counter: counterName(counter),
    ratio: covered(counter),
    other: counterName(other),
    utilization: { figure, explain: refTo(gathered, "gpu-utilization", {}, { counter: other }) },
    otherRatio: covered(other),
  });
}

function otherActivity(counter: UtilizationCounter): UtilizationCounter[] {
  return (["engine-active", "utilization"] as const).filter((each) => each !== counter);
}

/** The rules behind utilization: which counter the headline goes by, and by which the idle states and the work go. */
export function counterLines(gathered: Gathered, hours: GpuHourFacts): Message[] {
  const lines = [message(`rules.counter.${hours.counter ?? "utilization"}`)];
  const { knownGpuHours } = sumGpuHours(hours.rows);
  const { engineSeconds, gpuUtilSeconds } = activityCountersOf(gathered, knownGpuHours);
  if (engineSeconds > 0) {
    const engine = engineSeconds / (engineSeconds + gpuUtilSeconds);
    if (engine < 1 - NOTICED) lines.push(message("rules.counter.mixed", { engine: { ratio: engine }, gpuUtil: { ratio: 1 - engine } }));
  }
  return lines;
}
