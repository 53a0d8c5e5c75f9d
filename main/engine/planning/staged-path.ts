import { compare, divide, multiply, ONE, ratio, type Rational } from "../../../shared/domain/rational.ts";

export interface PathInputs {
  /** A month's work in hours of one GPU. */
  readonly workHours: Rational | null;
  readonly neededMemoryGigabytes: Rational | null;
  readonly gpuMemoryGigabytes: Rational | null;
  /** Hours in which a month's work must be done. */
  readonly deadlineHours: Rational | null;
  readonly nodeGpus: Rational | null;
  /** Measured: throughput of the node ÷ (GPUs × throughput of one). */
  readonly nodeEfficiency: Rational | null;
  readonly clusterGpus: Rational | null;
  readonly clusterEfficiency: Rational | null;
  readonly efficiencyFloor: Rational;
  readonly singleHourly: Rational | null;
  /** Of one GPU, as all prices here. */
  readonly nodeHourly: Rational | null;
  readonly clusterHourly: Rational | null;
  /** Effective price of the commitment, due every hour. */
  readonly reservedHourly: Rational | null;
  readonly monthHours: Rational;
}

export const stageIds = ["single", "node", "cluster", "reserved"] as const;
export type StageId = (typeof stageIds)[number];
export type StageTest = "memory" | "time" | "efficiency" | "use";

export interface Stage {
  readonly id: StageId;
  readonly gpus: Rational | null;
  /** What must be true to enter, and whether it is: null where a number is missing. */
  readonly tests: readonly { readonly test: StageTest; readonly has: Rational | null; readonly needs: Rational | null; readonly passes: boolean | null }[];
  /** Hours on the clock for a month's work. */
  readonly wallHours: Rational | null;
  /** Whether the work fits: memory and time. */
  readonly fits: boolean | null;
  /** Share of the hours of the month. */
  readonly use: Rational | null;
  readonly monthly: Rational | null;
  /** Cost ÷ hours of work of one GPU. */
  readonly perWorkHour: Rational | null;
  /** `fits`: one GPU is enough. `enter`: the one before is not, and all tests pass. `wait`: not yet, or not at all. */
  readonly state: "fits" | "enter" | "wait" | "unknown";
}

/**
 * The way from one GPU to a reserved cluster: each stage with the test to enter it and what it costs a month.
 *
 * single    one GPU on demand: its test is that the work fits its memory and the time
 * node      enter when one GPU is too small or too slow, and the measured efficiency of the node is above the floor
 * cluster   enter when the node is too small or too slow, and the measured efficiency of the cluster is above the floor
 * reserved  enter when the cluster is used for more than the break-even share, committed price ÷ on-demand price (model a.2)
 * hours     work ÷ (GPUs × efficiency); cost = hours × GPUs × price, for the reserved all hours of the month
 */
export function stagedPath(inputs: PathInputs): readonly Stage[] {
  const single = stageOf(inputs, { id: "single", gpus: ONE, efficiency: ONE, hourly: inputs.singleHourly, before: null });
  const node = stageOf(inputs, { id: "node", gpus: inputs.nodeGpus, efficiency: inputs.nodeEfficiency, hourly: inputs.nodeHourly, before: single });
  const cluster = stageOf(inputs, { id: "cluster", gpus: inputs.clusterGpus, efficiency: inputs.clusterEfficiency, hourly: inputs.clusterHourly, before: node });
  return [single, node, cluster, reservedStage(inputs, cluster)];
}

interface StagePlan {
  readonly id: StageId;
  readonly gpus: Rational | null;
  readonly efficiency: Rational | null;
  readonly hourly: Rational | null;
  readonly before: Stage | null;
}

function stageOf(inputs: PathInputs, { id, gpus, efficiency, hourly, before }: StagePlan): Stage {
  const { workHours, neededMemoryGigabytes: needed, gpuMemoryGigabytes: perGpu, deadlineHours } = inputs;
  const memory = gpus === null || perGpu === null ? null : multiply(gpus, perGpu);
  const wallHours = workHours === null || gpus === null || efficiency === null ? null : ratio(workHours, multiply(gpus, efficiency));
  const fitsMemory = memory === null || needed === null ? null : compare(memory, needed) >= 0;
  const fitsTime = wallHours === null || deadlineHours === null ? null : compare(wallHours, deadlineHours) <= 0;
  const isEfficient = efficiency === null ? null : compare(efficiency, inputs.efficiencyFloor) >= 0;
  const tests: Stage["tests"] = [
    { test: "memory", has: memory, needs: needed, passes: fitsMemory },
    { test: "time", has: wallHours, needs: deadlineHours, passes: fitsTime },
    ...(before === null ? [] : [{ test: "efficiency" as const, has: efficiency, needs: inputs.efficiencyFloor, passes: isEfficient }]),
  ];
  const fits = every([fitsMemory, fitsTime]);
  const monthly = wallHours === null || gpus === null || hourly === null ? null : multiply(multiply(wallHours, gpus), hourly);
  return {
    id,
    gpus,
    tests,
    wallHours,
    fits,
    use: wallHours === null ? null : ratio(wallHours, inputs.monthHours),
    monthly,
    perWorkHour: monthly === null || workHours === null ? null : ratio(monthly, workHours),
    state: stateOf(before, fits, isEfficient),
  };
}

/** One that fits is enough until it does not; then the next is entered if it passes. */
function stateOf(before: Stage | null, fits: boolean | null, isEfficient: boolean | null): Stage["state"] {
  if (before === null) return fits === null ? "unknown" : fits ? "fits" : "wait";
  if (before.fits === true) return "wait";
  if (before.fits === null || fits === null || isEfficient === null) return "unknown";
  return fits && isEfficient ? "enter" : "wait";
}

function reservedStage({ workHours, clusterHourly, reservedHourly, monthHours }: PathInputs, cluster: Stage): Stage {
  const breakEven = reservedHourly === null || clusterHourly === null ? null : ratio(reservedHourly, clusterHourly);
  const passes = breakEven === null || cluster.use === null ? null : compare(cluster.use, breakEven) > 0;
  const monthly = cluster.gpus === null || reservedHourly === null ? null : multiply(multiply(cluster.gpus, monthHours), reservedHourly);
  return {
    id: "reserved",
    gpus: cluster.gpus,
    tests: [{ test: "use", has: cluster.use, needs: breakEven, passes }],
    wallHours: cluster.wallHours,
    fits: cluster.fits,
    use: cluster.use,
    monthly,
    perWorkHour: monthly === null || workHours === null || workHours.numerator === 0n ? null : divide(monthly, workHours),
    state: cluster.state !== "enter" ? cluster.state === "unknown" ? "unknown" : "wait" : passes === null ? "unknown" : passes ? "enter" : "wait",
  };
}

function every(answers: readonly (boolean | null)[]): boolean | null {
  if (answers.includes(false)) return false;
  return answers.includes(null) ? null : true;
}
