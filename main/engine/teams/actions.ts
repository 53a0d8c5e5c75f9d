/** What the data say could be saved, and what became of it. */
import type { ActionInput, ActionLine, ActionsAnswer, FindingLine } from "../../../shared/contract/teams.ts";
import type { CostBasis } from "../../../shared/domain/figure.ts";
import { formatAttos, sumAttos } from "../../../shared/domain/money.ts";
import { dayOf, type PeriodLabel } from "../../../shared/domain/period.ts";
import { monthAfter, monthBefore } from "../allocation/assign.ts";
import { identifiedSavings } from "../budgets/savings.ts";
import { dateOf, dayNumber } from "../budgets/calendar.ts";
import type { Gathered } from "../reports/gather.ts";
import { keptStopReplay, notReplayedOf, stopSavings } from "../findings/stops.ts";
import { isUnused } from "../metrics/charges.ts";
import { isOneOf, money, prepared, query, readAll, readOne, splitAttos, sumMoney, type Db } from "../store/sql.ts";
import { anomaliesOf, anomalyDetail } from "./anomalies.ts";
import { ownerIn } from "./owners.ts";
import { rightsizings } from "./rightsizing.ts";
import { amountOf, type LedgerAt } from "./budgets.ts";

interface ActionRow {
  readonly id: number;
  readonly findingKey: string | null;
  readonly kind: ActionLine["kind"];
  readonly subject: string;
  readonly resource: string | null;
  readonly team: string | null;
  readonly owner: string | null;
  readonly dueOn: string | null;
  readonly state: ActionLine["state"];
  readonly currency: string | null;
  readonly expectedAttos: bigint | null;
  readonly realisedAttos: bigint | null;
  readonly note: string | null;
  readonly madeAt: string;
  readonly doneAt: string | null;
}

export function storedActions(ledger: LedgerAt): ActionLine[] {
  return readAll(ledger.db, query<ActionRow>(
    "id", "findingKey", "kind", "subject", "resource", "team", "owner", "dueOn", "state", "currency", "expectedAttos", "realisedAttos", "note", "madeAt", "doneAt",
  )`-- actions.list
    SELECT
      ActionId AS id, FindingKey AS findingKey, Kind AS kind, Subject AS subject, Resource AS resource, Team AS team, Owner AS owner, DueOn AS dueOn, State AS state,
      Currency AS currency, ${money("Expected")} AS expectedAttos, ${money("Realised")} AS realisedAttos, Note AS note, MadeAt AS madeAt, DoneAt AS doneAt
    FROM action
    ORDER BY State = 'done', State = 'rejected', DueOn IS NULL, DueOn, ActionId`).map(({ expectedAttos, realisedAttos, ...row }) => ({
    ...row,
    expected: expectedAttos === null ? null : formatAttos(expectedAttos),
    realised: realisedAttos === null ? null : formatAttos(realisedAttos),
    measured: measuredSaving(ledger.db, row),
  }));
}

/** Keeps an action and returns its id. Inside the caller's transaction. */
export function keepAction(db: Db, { id, findingKey, kind, subject, resource, team, owner, dueOn, state, currency, expected, realised, note }: ActionInput, at: string): number {
  const pair = (text: string | null): readonly [bigint | null, bigint | null] => {
    if (text === null) return [null, null];
    const { nanos, rest } = splitAttos(amountOf(text));
    return [nanos, rest];
  };
  const values = [findingKey, kind, subject, resource, team, owner, dueOn, state, currency, ...pair(expected), ...pair(realised), note];
  if (id !== null) {
    prepared(db, `UPDATE action SET FindingKey = ?, Kind = ?, Subject = ?, Resource = ?, Team = ?, Owner = ?, DueOn = ?, State = ?, Currency = ?, ExpectedNanos = ?, ExpectedRest = ?,
      RealisedNanos = ?, RealisedRest = ?, Note = ?, DoneAt = CASE WHEN ? = 'done' THEN coalesce(DoneAt, ?) END WHERE ActionId = ?`).run(...values, state, at, id);
    return id;
  }
  const insert = prepared(db, `INSERT INTO action (FindingKey, Kind, Subject, Resource, Team, Owner, DueOn, State, Currency, ExpectedNanos, ExpectedRest, RealisedNanos, RealisedRest, Note, MadeAt, DoneAt)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  return Number(insert.run(...values, at, state === "done" ? at : null).lastInsertRowid);
}

/** Findings of a period (one month is what a month's saving is; of longer ones the mean month), and the register of actions. */
export function actionsOf(gathered: Gathered, period: PeriodLabel): ActionsAnswer {
  const { context, currency, asked } = gathered;
  const ledger = context.ledger;
  // Each is in the currency that its machine is billed in, whatever the page is converted to.
  const actions = storedActions(context.convertedFrom?.billed ?? ledger);
  const taken = new Set(actions.map(({ findingKey }) => findingKey));
  const all = currency === null ? [] : findingsOf(gathered, currency, asked.basis);
  const findings = all.filter(({ key }) => !taken.has(key));
  const open = actions.filter(({ state, currency: own }) => (state === "open" || state === "agreed") && own === currency);
  const costs = new Map(all.map(({ key, cost }) => [key, amountOf(cost)]));
  const identified = identifiedSavings([
    ...findings.flatMap(({ key, resource, expected, cost }) => (expected === null ? [] : [{ on: resource ?? key, saving: amountOf(expected), cost: amountOf(cost) }])),
    ...open.flatMap(({ id, findingKey, resource, expected }) => (expected === null ? [] : [{ on: resource ?? findingKey ?? `action ${id}`, saving: amountOf(expected), cost: findingKey === null ? null : (costs.get(findingKey) ?? null) }])),
  ]);
  const year = (gathered.months.at(-1) ?? "").slice(0, 4);
  // What the person wrote counts before what was measured.
  const realised = actions.flatMap(({ state, doneAt, realised: said, measured, currency: own }) => {
    const saved = said ?? measured;
    return state === "done" && saved !== null && own === currency && doneAt?.startsWith(year) === true ? [amountOf(saved)] : [];
  });
  return { period, currency, actions, findings, identified: formatAttos(identified), realised: realised.length === 0 ? null : formatAttos(sumAttos(realised)) };
}

/** Idle time that can stop, machines that could be smaller, commitments that nothing used, costs that nobody expected; dearest first. */
function findingsOf(gathered: Gathered, currency: string, basis: CostBasis): FindingLine[] {
  const months = BigInt(gathered.months.length);
  const { ledger } = gathered.context;
  const hosts = new Map(gathered.hosts().map(({ resource, host }) => [resource.toLowerCase(), host]));
  const replay = keptStopReplay(gathered);
  const [saved, whyNotOf] = [stopSavings(replay), notReplayedOf(replay)];
  const ownerOf = ownerIn(ledger.db);
  const idle = [...Map.groupBy(gathered.gpuHours().filter(({ resource }) => resource !== null), ({ resource }) => resource)].flatMap(([resource, rows]): FindingLine[] => {
    // What is committed costs the same, idle or not, until its term ends.
    const stoppable = rows.filter(({ purchaseOption }) => purchaseOption === "on-demand" || purchaseOption === "spot");
    const idleCost = sumAttos(stoppable.map((row) => row.heldIdleAttos + row.deadIdleAttos + row.idleMemoryUnknownAttos));
    // The stop plan's own figure: short pauses cost, and no rule can stop a machine for them.
    const saving = saved(resource ?? "");
    const cost = sumAttos(rows.map(({ costAttos }) => costAttos));
    if (idleCost <= 0n || (saving === 0n && idleCost * LITTLE_IDLE < cost)) return [];
    const team = rows[0]?.team ?? null;
    const whyNot = whyNotOf(resource ?? "");
    return [{
      key: JSON.stringify(["idle", resource]), kind: "idle", resource, resourceName: resource === null ? null : (hosts.get(resource.toLowerCase()) ?? null), team, about: rows[0]?.gpuModel ?? null, since: null,
      owner: ownerOf(resource, team), idleCost: formatAttos(idleCost / months), expected: saving === null ? null : formatAttos(saving / months), cost: formatAttos(cost / months),
      notReplayed: whyNot === null ? null : { why: whyNot.why, gpusSeen: whyNot.gpusSeen, gpusBilled: whyNot.gpusBilled },
    }];
  });
  const others = [...smaller(gathered, months), ...unusedCommitments(gathered, currency, months), ...unexpected(gathered, ledger, currency, basis)].map((line) => ({ ...line, owner: ownerOf(line.resource, line.team), idleCost: null, notReplayed: null }));
  return [...idle, ...others].sort((a, b) => {
    const [x, y] = [amountOf(a.expected ?? "0"), amountOf(b.expected ?? "0")];
    return x > y ? -1 : x < y ? 1 : compareIdle(a, b) || (a.key < b.key ? -1 : 1);
  });
}

/** Idle time that no rule would stop is worth a word from a twentieth of the machine's cost on. */
const LITTLE_IDLE = 20n;

/** Without a saving, the dearest idle time first. */
function compareIdle(a: FindingLine, b: FindingLine): number {
  const [x, y] = [amountOf(a.idleCost ?? "0"), amountOf(b.idleCost ?? "0")];
  return x > y ? -1 : x < y ? 1 : 0;
}

type Line = Omit<FindingLine, "owner" | "idleCost" | "notReplayed">;

/** Machines that could be smaller; what idles too saves the larger of the two only. */
function smaller(gathered: Gathered, months: bigint): Line[] {
  return rightsizings(gathered).map(({ resource, host, team, to, saving, cost }) => ({
    key: JSON.stringify(["rightsizing", resource]), kind: "rightsizing", resource, resourceName: host, team, about: to, since: null,
    expected: formatAttos(saving / months), cost: formatAttos(cost / months),
  }));
}

function unusedCommitments({ context, months: labels }: Gathered, currency: string, months: bigint): Line[] {
  interface Unused {
    readonly commitment: string | null;
    readonly name: string | null;
    readonly service: string | null;
    readonly attos: bigint;
  }
  return readAll(context.ledger.db, query<Unused>("commitment", "name", "service", "attos")`-- actions.unused-commitments
    SELECT coalesce(s.CommitmentDiscountId, s.CapacityReservationId, s.ResourceId) AS commitment, max(s.CommitmentDiscountName) AS name, max(s.ServiceName) AS service, ${sumMoney("EffectiveCost", "c")} AS attos
    FROM charge_month_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE ${isOneOf("Month", labels, "c")} AND s.BillingCurrency = ${currency} AND ${isUnused}
    GROUP BY 1`)
    .filter(({ attos }) => attos > 0n)
    .map(({ commitment, name, service, attos }) => ({
      key: JSON.stringify(["commitment", commitment]), kind: "commitment", resource: commitment, resourceName: name, team: null, about: service, since: null,
      // Using it saves what would be bought elsewhere, at most what it costs.
      expected: formatAttos(attos / months), cost: formatAttos(attos / months),
    }));
}

/** Levels that rose and stayed, unless someone said why: a month of what they add. Spikes are over and save nothing. */
function unexpected({ firstDay, endDay, asked }: Gathered, ledger: LedgerAt, currency: string, basis: CostBasis): Line[] {
  return anomaliesOf(ledger, asked.period, firstDay, endDay, currency, basis)
    .events.filter(({ direction, kind, word }) => direction === "up" && kind === "level_shift" && word === null)
    .map(({ id, scope, start, end, impact, flaggedDays }) => {
      const [driver] = anomalyDetail(ledger, scope, dayNumber(start), dayNumber(end), currency, basis).drivers;
      const monthly = (amountOf(impact) * 30n) / BigInt(Math.max(1, flaggedDays));
      return {
        key: JSON.stringify(["anomaly", id]), kind: "anomaly" as const, resource: driver?.resource ?? null, resourceName: driver?.resourceName ?? null, team: scope.team ?? null, about: scope.service ?? null,
        since: start, expected: formatAttos(monthly), cost: formatAttos(driver === undefined ? monthly : (amountOf(driver.now) * 30n) / BigInt(dayNumber(end) - dayNumber(start) + 1)),
      };
    });
}

/** What a resource cost in the month before the action was done, less the first whole month after; null until bills cover that month. */
function measuredSaving(db: Db, { state, doneAt, resource, currency }: Pick<ActionRow, "state" | "doneAt" | "resource" | "currency">): string | null {
  if (state !== "done" || doneAt === null || resource === null || currency === null) return null;
  const doneIn = dateOf(dayOf(doneAt)).slice(0, 7);
  const [before, after] = [monthBefore(doneIn), monthAfter(doneIn)];
  const costIn = (month: string): bigint =>
    readAll(db, query<{ attos: bigint }>("attos")`-- actions.cost-of-resource
      SELECT ${sumMoney("EffectiveCost", "c")} AS attos
      FROM charge_month_current c
      JOIN series s ON s.SeriesId = c.SeriesId
      WHERE c.Month = ${month} AND s.ResourceId = ${resource} AND s.BillingCurrency = ${currency}`).reduce((sum, { attos }) => sum + attos, 0n);
  const [was, is] = [costIn(before), costIn(after)];
  const covered = readOne(db, query<{ last: number | null }>("last")`-- actions.covered
    SELECT max(d.LastDay) AS last FROM delivery d JOIN batch b ON b.BatchId = d.BatchId AND b.State = 'posted'`);
  if (covered?.last === null || covered === null || covered.last < dayNumber(`${monthAfter(after)}-01`) - 1) return null;
  return formatAttos(was - is);
}
