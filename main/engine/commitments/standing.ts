/** What a commitment holds, until when, and how much of it lies in a pool. */
import type { CommitmentTerm, PlanInputs, PoolLine } from "../../../shared/contract/plan.ts";
import { dayOf, parsePeriod } from "../../../shared/domain/period.ts";
import { add, decimal, divide, multiply, ONE, rational, type Rational, toNumber, whole, ZERO } from "../../../shared/domain/rational.ts";
import type { CapacitySpan } from "../planning/usage-rank.ts";
import { poolText } from "./baseline.ts";
import type { SourcedTerm } from "./contracts.ts";
import { hourly } from "./figures.ts";
import type { HeldCommitment } from "./portfolio.ts";

const DAYS_A_YEAR = 365;

export interface Standing {
  readonly held: HeldCommitment;
  readonly term: CommitmentTerm | null;
  /** Where a contract states its end. */
  readonly contract: SourcedTerm["contract"];
  /** Effective price of a GPU-hour it covers; null if it covered none. */
  readonly rate: Rational | null;
  /** GPUs it holds; null where that cannot be told. */
  readonly gpus: Rational | null;
  readonly endDay: number | null;
  readonly startDay: number | null;
}

/** What a commitment holds: all that it cost over what a GPU-hour of it cost, spread over the hours of the period. */
export function standingOf(held: HeldCommitment, sourced: SourcedTerm | null, months: readonly string[], today: number): Standing {
  const term = sourced?.term ?? null;
  const rate = held.gpuHours > 0 && held.usedAttos > 0n ? hourly(held.usedAttos, held.gpuHours) : null;
  const dayIn = (text: string | null | undefined): number | null => (text === null || text === undefined ? null : dayOf(`${text}T00:00:00Z`));
  const [startDay, endDay] = [dayIn(term?.startsOn), dayIn(term?.endsOn)];
  const bounds = parsePeriod(months[0] ?? "");
  const last = parsePeriod(months.at(-1) ?? "");
  const from = Math.max(startDay ?? -Infinity, bounds === null ? today : dayOf(bounds.start));
  const to = Math.min(endDay === null || endDay <= from ? Infinity : endDay, last === null ? today : dayOf(last.end), Math.max(today, from + 1));
  const hours = Math.max(1, (to - from) * 24);
  const stated = term === null || term.gpus === null ? null : decimal(term.gpus);
  const all = rate === null ? null : divide(divide(rational(held.usedAttos + held.unusedAttos, 10n ** 18n), rate), whole(hours));
  return { held, term, contract: sourced?.contract ?? null, rate, gpus: stated ?? (all === null ? null : toGpus(all)), endDay, startDay };
}

/** A count that is whole but for a few hours without a bill is that whole count. */
function toGpus(count: Rational): Rational {
  const near = Math.round(toNumber(count));
  return near > 0 && Math.abs(toNumber(count) - near) < 0.01 * near ? whole(near) : rational(BigInt(Math.round(toNumber(count) * 1000)), 1000n);
}

export interface PoolStanding extends Standing {
  /** Its part in the pool, by what it cost there. */
  readonly poolGpus: Rational;
}

export function inPool(standing: Standing, pool: PoolLine): PoolStanding[] {
  const part = standing.held.byPool.find(({ pool: of }) => poolText(of) === pool.key);
  if (part === undefined || standing.gpus === null) return [];
  const all = standing.held.byPool.reduce((total, { costAttos }) => total + costAttos, 0n);
  const share = all > 0n && part.costAttos !== all ? rational(part.costAttos, all) : ONE;
  return [{ ...standing, poolGpus: multiply(standing.gpus, share) }];
}

/** GPUs of existing commitments in force over the days of a term that starts on a day, until each ends. */
export function capacitySpans(standings: readonly PoolStanding[], { netsExisting, renewsExpiring }: PlanInputs, startDay: number, termMonths: number): CapacitySpan[] {
  const days = Math.max(1, Math.round((termMonths * DAYS_A_YEAR) / 12));
  if (!netsExisting || standings.length === 0) return [{ capacity: ZERO, days }];
  const held = standings.filter(({ endDay }) => renewsExpiring || endDay === null || endDay > startDay);
  const ends = renewsExpiring ? [] : held.flatMap(({ endDay }) => (endDay === null ? [] : [endDay - startDay])).filter((day) => day < days);
  const cuts = [0, ...[...new Set(ends)].sort((a, b) => a - b), days];
  return cuts.slice(0, -1).map((from, index) => ({
    days: (cuts[index + 1] ?? days) - from,
    capacity: held.filter(({ endDay }) => renewsExpiring || endDay === null || endDay - startDay > from).reduce((total, { poolGpus }) => add(total, poolGpus), ZERO),
  }));
}
