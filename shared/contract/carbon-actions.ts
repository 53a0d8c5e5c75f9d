/** What would emit less, as things to do: a machine in a cleaner region, a machine that does not idle. */
export interface CarbonAction {
  /** Of the action that takes it up; of idle time the key of the finding that says what it costs, so that one action is both. */
  readonly key: string;
  readonly kind: "region" | "idle";
  readonly provider: string | null;
  readonly gpuModel: string | null;
  readonly instanceType: string | null;
  /** The region now, and the one to move to; null where nothing moves. */
  readonly region: string | null;
  readonly to: string | null;
  /** Of idle time. */
  readonly resource: string | null;
  readonly resourceName: string | null;
  readonly team: string | null;
  readonly owner: string | null;
  /** Location-based, a month of the period, less than was emitted. Energy of the host while GPUs idle is in none. */
  readonly micrograms: bigint;
  /** Saved a month, exact decimal text in `currency`; below 0 what it costs more by the price lists; null where that is not known. */
  readonly saving: string | null;
  readonly currency: string | null;
  /** Stands in the register of actions. */
  readonly isTaken: boolean;
}
export interface CarbonActionsAnswer {
  readonly period: string;
  /** The largest first. What moves and what stops overlaps, so they are never added. */
  readonly lines: readonly CarbonAction[];
}
