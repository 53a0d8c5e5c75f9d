/** Days that cost too much or too little, by team, provider and service, merged into events, with what made them. */
import type { AnomalyDetail, AnomalyLine, AnomalyList, AnomalyScope } from "../../../shared/contract/teams.ts";
import type { CostBasis } from "../../../shared/domain/figure.ts";
import { formatAttos, sumAttos } from "../../../shared/domain/money.ts";
import { decimal, divideHalfEven, fromNumber, toNumber } from "../../../shared/domain/rational.ts";
import { DEFAULT_ANOMALY_POLICY, judgedDays, watch, type AnomalyEvent, type AnomalyPolicy } from "../budgets/anomalies.ts";
import { dateOf, dayNumber } from "../budgets/calendar.ts";
import { falseAlarms } from "../budgets/false-alarms.ts";
import { query, readAll, scopeFilter, sql, sumMoney } from "../store/sql.ts";
import type { LedgerAt } from "./budgets.ts";
import { coveredDays, dailyRows, dailySeries, keptAt, type DailySeries } from "./daily.ts";

/** So many false alarms a month, over all scopes, are borne. */
const TARGET_ALARMS = 1;
/** Of the median day of the whole ledger: what is smaller is not worth a person's minute. */
const SMALLEST_SHARE = 0.005;
const MINIMUM_SHARE = 0.1;

interface Watched {
  readonly scope: AnomalyScope;
  readonly events: readonly AnomalyEvent[];
  readonly series: DailySeries;
  /** The limit that held for it. */
  readonly z: AnomalyPolicy["z"];
}

interface Watching {
  /** Everything. */
  readonly total: DailySeries;
  readonly scopes: readonly Watched[];
  readonly policy: AnomalyPolicy;
  readonly z: number;
  readonly minimumAmount: bigint;
}

/**
 * Watches the whole, every team, and every team's provider and service. An event of a wider scope that a narrower one explains to four fifths
 * is said of the narrower one only (model g.10).
 */
function watching(ledger: LedgerAt, currency: string, basis: CostBasis): Watching {
  return keptAt(ledger, `anomalies ${currency} ${basis}`, () => {
    const rows = dailyRows(ledger, currency, basis, {});
    const covered = coveredDays(ledger);
    const total = dailySeries(rows, covered, "money");
    const known = total.history.filter((cost) => cost !== null).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const median = known[Math.floor(known.length / 2)] ?? 0n;
    const minimumAmount = BigInt(Math.round(Number(median) * SMALLEST_SHARE));
    const teams = [...Map.groupBy(rows, ({ team }) => team)];
    // A scope whose dearest day stays below the smallest amount can raise nothing.
    const narrow = teams.flatMap(([team, own]) =>
      [...Map.groupBy(own, ({ provider, service }) => `${provider}\u0000${service}`).values()]
        .filter((part) => part.some(({ attos }) => attos !== null && attos >= minimumAmount))
        .map((part) => ({ scope: { team, provider: part[0]?.provider ?? null, service: part[0]?.service ?? null }, series: dailySeries(part, covered, "money") })),
    );
    const wide: readonly { readonly scope: AnomalyScope; readonly series: DailySeries }[] = [{ scope: {}, series: total }, ...teams.map(([team, own]) => ({ scope: { team }, series: dailySeries(own, covered, "money") }))];
    const all = rows.length === 0 ? [] : [...wide, ...narrow];
    const { zForTarget } = falseAlarms({ z: 3.5, scopes: all.length, days: 30, targetAlarms: TARGET_ALARMS });
    const z = Math.max(toNumber(DEFAULT_ANOMALY_POLICY.z), zForTarget ?? 0);
    const policy: AnomalyPolicy = { z: decimal(z.toFixed(6)), minimumShare: fromNumber(MINIMUM_SHARE), minimumAmount };
    const watched = all.map(({ scope, series }): Watched => ({ scope, series, ...watch(dateOf(series.firstDay), series.history, policy) }));
    return { total, scopes: watched.map((wider) => ({ ...wider, events: wider.events.filter((event) => !isExplained(event, wider.scope, watched)) })), policy, z, minimumAmount };
  });
}

function isExplained(event: AnomalyEvent, scope: AnomalyScope, watched: readonly Watched[]): boolean {
  return watched.some(
    (other) =>
      depthOf(other.scope) > depthOf(scope) &&
      (scope.team === undefined || other.scope.team === scope.team) &&
      other.events.some(
        (narrower) => narrower.direction === event.direction && narrower.start <= event.end && narrower.end >= event.start && Math.abs(toNumber(narrower.impact)) >= 0.8 * Math.abs(toNumber(event.impact)),
      ),
  );
}

function depthOf({ team, service }: AnomalyScope): number {
  return service !== undefined ? 2 : team !== undefined ? 1 : 0;
}

export function anomalyId(scope: AnomalyScope, direction: string, start: string): string {
  return JSON.stringify([scope, direction, start]);
}

interface Word {
  readonly scopeKey: string;
  readonly direction: "up" | "down";
  readonly fromDay: string;
  readonly untilDay: string;
  readonly isExpected: number;
  readonly because: string;
  readonly who: string;
  readonly at: string;
}

/** Events that touch a period, largest first, those that are expected last. */
export function anomaliesOf(ledger: LedgerAt, period: string, firstDay: number, endDay: number, currency: string | null, basis: CostBasis): AnomalyList {
  if (currency === null) return { period, currency, events: [], rule: { z: 3.5, scopes: 0, expectedFalseAlarmsAMonth: 0, minimumAmount: "0", minimumShare: MINIMUM_SHARE }, rate: null };
  const { total: whole, scopes, z, minimumAmount } = watching(ledger, currency, basis);
  const words = readAll(ledger.db, query<Word>("scopeKey", "direction", "fromDay", "untilDay", "isExpected", "because", "who", "at")`-- anomalies.words
    SELECT ScopeKey AS scopeKey, Direction AS direction, FromDay AS fromDay, UntilDay AS untilDay, IsExpected AS isExpected, Because AS because, Who AS who, At AS at
    FROM anomaly_word
    ORDER BY WordId DESC`);
  const events = scopes
    .flatMap(({ scope, events: own }) => own.map((event) => ({ scope, event })))
    .filter(({ event }) => dayNumber(event.start) < endDay && dayNumber(event.end) >= firstDay)
    .map(({ scope, event }): AnomalyLine & { readonly attos: bigint } => {
      const key = JSON.stringify(scope);
      const word = words.find(({ scopeKey, direction, fromDay, untilDay }) => scopeKey === key && direction === event.direction && fromDay <= event.start && event.start <= untilDay);
      const attos = divideHalfEven(event.impact.numerator, event.impact.denominator);
      return {
        id: anomalyId(scope, event.direction, event.start),
        scope,
        start: event.start,
        end: event.end,
        direction: event.direction,
        kind: event.kind,
        flaggedDays: event.flaggedDays,
        impact: formatAttos(attos),
        z: toNumber(event.maximumAbsoluteZ),
        word: word === undefined ? null : { isExpected: word.isExpected === 1, because: word.because, who: word.who, at: word.at, until: word.untilDay },
        attos,
      };
    })
    .sort((a, b) => Number(a.word?.isExpected === true) - Number(b.word?.isExpected === true) || (magnitude(a.attos) > magnitude(b.attos) ? -1 : magnitude(a.attos) < magnitude(b.attos) ? 1 : a.id < b.id ? -1 : 1));
  let total = 0n;
  for (let day = firstDay; day < endDay; day += 1) total += whole.usageOf(day);
  const unexpected = sumAttos(events.filter(({ direction, word }) => direction === "up" && word?.isExpected !== true).map(({ attos }) => attos));
  return {
    period,
    currency,
    events: events.map(({ attos: _attos, ...line }) => line),
    rule: {
      z,
      scopes: scopes.length,
      expectedFalseAlarmsAMonth: falseAlarms({ z, scopes: scopes.length, days: 30, targetAlarms: null }).expectedAlarms,
      minimumAmount: formatAttos(minimumAmount),
      minimumShare: MINIMUM_SHARE,
    },
    rate: total <= 0n ? null : Number(unexpected) / Number(total),
  };
}

const DRIVERS = 20;

interface DriverRow {
  readonly seriesId: number;
  readonly resource: string | null;
  readonly resourceName: string | null;
  readonly description: string | null;
  readonly isNow: number;
  readonly attos: bigint;
  readonly quantity: number | null;
}

/** The expected band around an event, and the series that made it. */
export function anomalyDetail(ledger: LedgerAt, scope: AnomalyScope, start: number, end: number, currency: string | null, basis: CostBasis): AnomalyDetail {
  if (currency === null) return { currency, days: [], drivers: [], otherDifference: "0" };
  const key = JSON.stringify(scope);
  const { scopes, policy } = watching(ledger, currency, basis);
  const watched = scopes.find((candidate) => JSON.stringify(candidate.scope) === key);
  const bands = watched === undefined ? [] : judgedDays(dateOf(watched.series.firstDay), watched.series.history, { ...policy, z: watched.z });
  const judged = new Map(bands.map((day) => [day.day, day]));
  const narrowed = {
    ...(scope.team === undefined ? {} : { team: [scope.team] }),
    ...(scope.provider === undefined ? {} : { provider: [scope.provider] }),
    ...(scope.service === undefined ? {} : { service: [scope.service] }),
  };
  const series = dailySeries(dailyRows(ledger, currency, basis, narrowed), coveredDays(ledger), "money");
  const days = Array.from({ length: end - start + 1 }, (_, index) => start + index);
  const before = days.flatMap((day) => [1, 2, 3, 4].map((week) => day - 7 * week)).filter((day) => day < start);
  const rows = readAll(ledger.db, query<DriverRow>("seriesId", "resource", "resourceName", "description", "isNow", "attos", "quantity")`-- anomalies.drivers
    SELECT
      c.SeriesId AS seriesId, s.ResourceId AS resource, s.ResourceName AS resourceName, s.ChargeDescription AS description, c.Day >= ${start} AS isNow,
      ${sumMoney(basis, "c")} AS attos, sum(coalesce(c.GpuHours, c.ConsumedQuantity)) AS quantity
    FROM charge_day_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE c.Day IN (SELECT value FROM json_each(${JSON.stringify([...new Set([...days, ...before])])})) AND s.BillingCurrency = ${currency}
      AND s.ChargeCategory = 'Usage' AND s.x_PeriodSeconds IS NULL ${scopeFilter(narrowed, "s", sql`c.Month`)}
    GROUP BY c.SeriesId, c.Day >= ${start}`);
  const weeks = Math.max(1, Math.round(before.length / days.length));
  const drivers = [...Map.groupBy(rows, ({ seriesId }) => seriesId)].map(([seriesId, own]) => {
    const [now, then] = [own.find(({ isNow }) => isNow === 1), own.find(({ isNow }) => isNow === 0)];
    const usual = then === undefined ? 0n : divideHalfEven(then.attos, BigInt(weeks));
    // A series without a row on a day that bills cover has cost nothing.
    const spent = now === undefined ? 0n : now.attos;
    const sample = now ?? then;
    return { seriesId, resource: sample?.resource ?? null, resourceName: sample?.resourceName ?? null, description: sample?.description ?? null, cause: causeOf(now, then), usual, spent, difference: spent - usual };
  });
  const sorted = drivers.filter(({ difference }) => difference !== 0n).sort((a, b) => (magnitude(a.difference) > magnitude(b.difference) ? -1 : magnitude(a.difference) < magnitude(b.difference) ? 1 : a.seriesId - b.seriesId));
  return {
    currency,
    days: Array.from({ length: 70 }, (_, index) => end - 49 + index)
      .filter((day) => series.lastDay !== null && day >= series.firstDay && day <= series.lastDay)
      .map((day) => {
        const cost = series.history[day - series.firstDay] ?? null;
        const judgedDay = judged.get(day);
        const text = (amount: bigint | undefined): string | null => (amount === undefined ? null : formatAttos(amount));
        return { day: dateOf(day), cost: cost === null ? null : formatAttos(cost), expected: text(judgedDay?.expected), low: text(judgedDay?.low), high: text(judgedDay?.high), isFlagged: judgedDay?.isFlagged ?? false };
      }),
    drivers: sorted.slice(0, DRIVERS).map(({ usual, spent, difference, ...driver }) => ({ ...driver, before: formatAttos(usual), now: formatAttos(spent), difference: formatAttos(difference) })),
    otherDifference: formatAttos(sumAttos(sorted.slice(DRIVERS).map(({ difference }) => difference))),
  };
}

/** New or gone; else by price where a unit costs a tenth more or less than before, else by volume. */
function causeOf(now: DriverRow | undefined, then: DriverRow | undefined): "new" | "gone" | "price" | "volume" {
  if (then === undefined) return "new";
  if (now === undefined) return "gone";
  if (now.quantity === null || then.quantity === null || now.quantity <= 0 || then.quantity <= 0 || then.attos === 0n) return "volume";
  const ratio = Number(now.attos) / now.quantity / (Number(then.attos) / then.quantity);
  return Math.abs(ratio - 1) > 0.1 ? "price" : "volume";
}

function magnitude(attos: bigint): bigint {
  return attos < 0n ? -attos : attos;
}
