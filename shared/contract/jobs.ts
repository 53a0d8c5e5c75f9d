/** GPUs that a scheduler gave to jobs: what they held, and what the machines did and cost meanwhile. */
export const jobGroupings = ["job", "team", "user", "account", "partition"] as const;
export type JobGrouping = (typeof jobGroupings)[number];

export interface JobLine {
  /** The job's number, or whose or where the jobs are; null: not stated. */
  readonly key: string | null;
  /** Of a single job: its name, and when it began (Unix seconds). */
  readonly name: string | null;
  readonly startSecond: number | null;
  readonly jobs: number;
  /** GPUs × hours held in the period, of jobs of which both are known; null where of none. Held, not used. */
  readonly gpuHours: number | null;
  /** The share of the jobs of which they are known, 0 to 1. */
  readonly gpuHoursCoverage: number;
  /** What the hosts' GPUs did in the hours held, by GPU-hours held, 0 to 1; null where no log knows it. */
  readonly utilization: number | null;
  readonly idleShare: number | null;
  /** The share of the GPU-hours held that a log covers, 0 to 1. */
  readonly telemetryCoverage: number;
  /** A host had more GPUs than the job held of it: utilization and idleness are then the host's. */
  readonly isOfHost: boolean;
  /** Effective cost of the GPU-hours held, exact decimal text in the answer's currency; null where no bill knows it. */
  readonly cost: string | null;
  /** The share of the GPU-hours held that a bill covers, 0 to 1. */
  readonly costCoverage: number;
}

export interface JobsAnswer {
  readonly period: string;
  readonly by: JobGrouping;
  readonly currency: string | null;
  /** Most GPU-hours first. */
  readonly lines: readonly JobLine[];
  readonly total: JobLine;
}
