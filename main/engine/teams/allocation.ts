/** What a change of rules would move, and what nobody has yet. */
import type { AllocationInbox, AllocationPreview, InboxLine } from "../../../shared/contract/teams.ts";
import { shownParts } from "../../../shared/contract/table.ts";
import type { AllocationRule, PoolSource } from "../../../shared/domain/allocation.ts";
import { formatAttos, sumAttos } from "../../../shared/domain/money.ts";
import { assignerOf, spanIn, type TeamSpan } from "../allocation/assign.ts";
import { suggestRule, type Teamed } from "../allocation/suggest.ts";
import { classOf, type ChargeClass } from "../metrics/charges.ts";
import { share } from "../metrics/metric.ts";
import { isOneOf, query, readAll, readOne, sql, sumMoney, type Db, type Fragment } from "../store/sql.ts";
import { poolOf, storedPools } from "./shared-costs.ts";
import { currentSpans, seriesFacts, type SeriesFacts } from "./rules.ts";

interface SeriesSpend {
  readonly seriesId: number;
  readonly month: string;
  readonly chargeClass: ChargeClass;
  readonly attos: bigint;
}

/** The currency with the most rows in some months; null without any. */
export function mainCurrency(db: Db, months: readonly string[] | null): string | null {
  return readOne(db, query<{ currency: string }>("currency")`-- allocation.currency
    SELECT s.BillingCurrency AS currency
    FROM charge_month_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    ${within(months)}
    GROUP BY s.BillingCurrency
    ORDER BY sum(c.RowCount) DESC, s.BillingCurrency
    LIMIT 1`)?.currency ?? null;
}

/** Effective cost by series and billing month, as `charge_month` has it. */
function spendBySeries(db: Db, months: readonly string[] | null, currency: string): SeriesSpend[] {
  return readAll(db, query<SeriesSpend>("seriesId", "month", "chargeClass", "attos")`-- allocation.spend
    SELECT c.SeriesId AS seriesId, c.Month AS month, ${classOf} AS chargeClass, ${sumMoney("EffectiveCost", "c")} AS attos
    FROM charge_month_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE s.BillingCurrency = ${currency} ${months === null ? sql`` : sql`AND ${isOneOf("Month", months, "c")}`}
    GROUP BY c.SeriesId, c.Month`);
}

/** What these rules would change, in effective cost. Nothing is written. */
export function previewRules(db: Db, rules: readonly AllocationRule[], period: string, months: readonly string[] | null, asked: string | null): AllocationPreview {
  const currency = asked ?? mainCurrency(db, months);
  const spends = currency === null ? [] : spendBySeries(db, months, currency);
  const assign = assignerOf(rules);
  const current = currentSpans(db);
  const wanted = new Set(spends.map(({ seriesId }) => seriesId));
  const draft = new Map(seriesFacts(db).filter(({ seriesId }) => wanted.has(seriesId)).map((facts): [number, readonly TeamSpan[]] => [facts.seriesId, assign(facts)]));
  const moves = new Map<string, { from: string | null; to: string | null; series: Set<number>; attos: bigint }>();
  const teams = new Map<string | null, { before: bigint; after: bigint }>();
  const byRule = rules.map(() => ({ series: new Set<number>(), attos: 0n }));
  for (const { seriesId, month, attos } of spends) {
    const from = spanIn(current.get(seriesId) ?? nobodys, month).team;
    const { team: to, rule } = spanIn(draft.get(seriesId) ?? nobodys, month);
    addTo(teams, from, "before", attos);
    addTo(teams, to, "after", attos);
    const taken = rule === null ? undefined : byRule[rule];
    if (taken !== undefined) {
      taken.series.add(seriesId);
      taken.attos += attos;
    }
    if (from === to) continue;
    const key = JSON.stringify([from, to]);
    const move = moves.get(key) ?? { from, to, series: new Set(), attos: 0n };
    move.series.add(seriesId);
    move.attos += attos;
    moves.set(key, move);
  }
  const total = sumAttos(spends.map(({ attos }) => attos));
  const allocated = (of: "before" | "after"): bigint => sumAttos([...teams].filter(([team]) => team !== null).map(([, amounts]) => amounts[of]));
  const sorted = [...moves.values()].sort((a, b) => bySize(a.attos, b.attos));
  return {
    period,
    currency,
    moves: sorted.map(({ from, to, series, attos }) => ({ from, to, series: series.size, amount: formatAttos(attos) })),
    moved: formatAttos(sumAttos(sorted.map(({ attos }) => attos))),
    byRule: byRule.map(({ series, attos }) => ({ series: series.size, amount: formatAttos(attos) })),
    byTeam: [...teams].sort(([, a], [, b]) => bySize(a.after, b.after)).map(([team, { before, after }]) => ({ team, before: formatAttos(before), after: formatAttos(after) })),
    allocatedShareBefore: share(allocated("before"), total),
    allocatedShareAfter: share(allocated("after"), total),
    total: formatAttos(total),
  };
}

const INBOX_LINES = 200;

/** Spend of nobody in some months that no shared pool takes, largest first, each with what could be done about it. */
export function inboxOf(db: Db, period: string, months: readonly string[], asked: string | null): AllocationInbox {
  const currency = asked ?? mainCurrency(db, months);
  const spends = currency === null ? [] : spendBySeries(db, months, currency);
  const facts = new Map(seriesFacts(db).map((series): [number, SeriesFacts] => [series.seriesId, series]));
  const spans = currentSpans(db);
  const lines = new Map<string, { chargeClass: ChargeClass; facts: SeriesFacts; series: Set<number>; attos: bigint }>();
  const pools = storedPools(db);
  const teamed: Teamed[] = [];
  let sharedOut = 0n;
  for (const { seriesId, month, chargeClass, attos } of spends) {
    const series = facts.get(seriesId);
    if (series === undefined) continue;
    const { team } = spanIn(spans.get(seriesId) ?? nobodys, month);
    if (team !== null) {
      teamed.push({ row: series, team, attos });
      continue;
    }
    const { provider, account, service, resource } = series.columns;
    if (poolOf(pools, { team, chargeClass, service: service ?? null }) !== -1) {
      sharedOut += attos;
      continue;
    }
    const key = JSON.stringify([chargeClass, provider, account, service, resource]);
    const line = lines.get(key) ?? { chargeClass, facts: series, series: new Set<number>(), attos: 0n };
    line.series.add(seriesId);
    line.attos += attos;
    lines.set(key, line);
  }
  const sorted = [...lines.values()].sort((a, b) => bySize(a.attos, b.attos));
  const unallocated = sumAttos(sorted.map(({ attos }) => attos));
  const total = unallocated + sharedOut + sumAttos(teamed.map(({ attos }) => attos));
  const suggest = suggestRule(teamed);
  const takenBy = (rule: AllocationRule): bigint => {
    const assign = assignerOf([rule]);
    return sumAttos(sorted.filter((line) => assign(line.facts).some((span) => span.rule === 0)).map(({ attos }) => attos));
  };
  const shown = sorted.slice(0, INBOX_LINES);
  const rest = sorted.slice(INBOX_LINES);
  return {
    period,
    currency,
    total: formatAttos(total),
    unallocated: formatAttos(unallocated),
    unallocatedShown: formatAttos(shownRest(teamed, unallocated, currency)),
    shared: formatAttos(sharedOut),
    allocatedShare: share(total - unallocated, total),
    lines: shown.map(({ chargeClass, facts: { columns, tags }, facts: row, series, attos }): InboxLine => {
      const found = sharedByNature(chargeClass) === null ? suggest(row) : null;
      const source = sharedByNature(chargeClass);
      return {
        chargeClass,
        provider: columns.provider ?? null,
        account: columns.account ?? null,
        accountName: columns.accountName ?? null,
        service: columns.service ?? null,
        resource: columns.resource ?? null,
        resourceName: columns.resourceName ?? null,
        tags: [...tags].filter(([key]) => key === key.toLowerCase() && !/[/:]/.test(key)).map(([key, value]) => `${key}=${value}`),
        series: series.size,
        amount: formatAttos(attos),
        suggestion:
          source !== null
            ? { kind: "share", pool: { name: chargeClass, source, method: "proportional", shares: [] } }
            : found === null
              ? null
              : { kind: "rule", rule: found.rule, because: found.because, share: found.share, takes: formatAttos(takenBy(found.rule)) },
      };
    }),
    more: { lines: rest.length, amount: formatAttos(sumAttos(rest.map(({ attos }) => attos))) },
  };
}

/** What the rows of the teams leave of what is shown of all, for nobody: the rule of every table (`shownParts`). */
function shownRest(teamed: readonly Teamed[], rest: bigint, currency: string | null): bigint {
  if (currency === null) return rest;
  const teams = new Map<string, bigint>();
  for (const { team, attos } of teamed) teams.set(team, (teams.get(team) ?? 0n) + attos);
  const parts = [...teams].map(([team, amount]) => ({ id: `team ${team}`, amount }));
  return shownParts([...parts, { id: "not-allocated", amount: rest, isRest: true }], currency).get("not-allocated") ?? rest;
}

/** What no rule can give to one team with reason: it is shared out, or stays with the company. */
function sharedByNature(chargeClass: ChargeClass): PoolSource | null {
  return chargeClass === "gpu" || chargeClass === "other" ? null : { kind: "class", chargeClass };
}

const nobodys: readonly TeamSpan[] = [{ fromMonth: null, toMonth: null, team: null, rule: null }];

function addTo(teams: Map<string | null, { before: bigint; after: bigint }>, team: string | null, side: "before" | "after", attos: bigint): void {
  const amounts = teams.get(team) ?? { before: 0n, after: 0n };
  amounts[side] += attos;
  teams.set(team, amounts);
}

/** Larger amounts first, whatever their sign. */
function bySize(a: bigint, b: bigint): number {
  const [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  return x > y ? -1 : x < y ? 1 : 0;
}

function within(months: readonly string[] | null): Fragment {
  return months === null ? sql`` : sql`WHERE ${isOneOf("Month", months, "c")}`;
}
