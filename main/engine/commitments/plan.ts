/** What to reserve: the ledger's demand of one pool against every price that is known for it. */
import type { ExplorerRecommendation } from "../../../shared/contract/connect.ts";
import { ledgerError, type LedgerError } from "../../../shared/contract/errors.ts";
import type { PlanAnswer, PlanBaseline, PlanInputs, PoolLine } from "../../../shared/contract/plan.ts";
import type { Figure } from "../../../shared/domain/figure.ts";
import { dayOf, monthsOf, parsePeriod, type PeriodLabel } from "../../../shared/domain/period.ts";
import { add, decimal, divide, fromNumber, isNegative, isPositive, isZero, rational, type Rational, toNumber, whole, ZERO } from "../../../shared/domain/rational.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { dateOf } from "../budgets/calendar.ts";
import { GUARD_DAYS } from "../planning/recommendation.ts";
import { futureUsage, MILLIONTHS, rankedHours, rankedUnitHours, rankHours, type UsageRank } from "../planning/usage-rank.ts";
import { message } from "../reports/context.ts";
import type { Db } from "../store/sql.ts";
import { billedDays, type Demand, demandOf, type PoolKey, poolsUsed, poolText, type PoolUse, useOf, type Window, windowOf } from "./baseline.ts";
import { type SourcedTerm, termsOfCommitments } from "./contracts.ts";
import { datedSource, gpuFigure, hourly, moneyFigure, nameOfPool, priceFigure } from "./figures.ts";
import { convertibleOf, layersOf, levelsOf, spotOf } from "./layers.ts";
import { type Asked, bySaving, byTerm, heldCandidate, isCommitment, listCandidate, type OnDemand, optionOf, quoteCandidate, recommendedOf, renewalCandidate, unpricedOf, withRenewalNote } from "./options.ts";
import { commitmentLine, coverageNow, portfolioOf } from "./portfolio-lines.ts";
import { type HeldCommitment, heldCommitments } from "./portfolio.ts";
import type { KnownPrice, PricesOfPool } from "./prices.ts";
import { adviceOf, answerOf, assumptionsOf, contextOf } from "./sentences.ts";
import { capacitySpans, inPool, type PoolStanding, standingOf } from "./standing.ts";

export interface PlanRequest {
  readonly period: PeriodLabel;
  readonly scope: Scope;
  /** Null: that of most of the scope's GPU-hours. */
  readonly currency: string | null;
  readonly inputs: PlanInputs;
}

export interface PlanLedger {
  readonly db: Db;
  readonly prices: PricesOfPool;
  /** What AWS recommended when it was asked. */
  readonly recommendations: readonly ExplorerRecommendation[];
}

/** Days before an end from which a commitment counts as ending. */
const ENDING_DAYS = 90;

/**
 * errors  period.invalid; report.no-data without a bill; plan.no-usage without GPU time in the window; plan.price-negative, plan.price-missing for a
 *         quote; plan.no-on-demand-price
 */
export function planOf(ledger: PlanLedger, request: PlanRequest): Result<PlanAnswer> {
  const { db } = ledger;
  const span = parsePeriod(request.period);
  if (span === null) return err(ledgerError("period.invalid", { text: request.period }));
  const refused = refusedQuote(request.inputs);
  if (refused !== null) return err(refused);
  const inputs = request.inputs;
  const anyWindow = windowOf(billedDays(db, null), request.period, inputs.weeks);
  if (anyWindow === null) return err(ledgerError("report.no-data", { period: request.period }));
  const held = heldCommitments(db, monthsOf(span), request.scope);
  const terms = termsOfCommitments(db);
  const useOfAny = useOf(db, anyWindow, request.scope);
  const used = poolsUsed(useOfAny);
  const currency = request.currency ?? mainCurrencyOf(used);
  const pools = poolLines(used.filter((use) => use.currency === currency), held, terms, anyWindow.end);
  const pool = inputs.pool === null ? pools[0] : pools.find(({ key }) => key === inputs.pool);
  if (pool === undefined || currency === null) {
    return err(ledgerError("plan.no-usage", { period: request.period }));
  }
  const billed = billedDays(db, pool.provider);
  const window = windowOf(billed, request.period, inputs.weeks) ?? anyWindow;
  const use = window.start === anyWindow.start && window.end === anyWindow.end ? useOfAny : useOf(db, window, request.scope);
  const demand = demandOf(db, pool, use, inputs, billed);
  const usage = rankHours(Float64Array.from(demand.units.filter((units) => units !== null)));
  if (rankedHours(usage) === 0 || isZero(rankedUnitHours(usage))) return err(ledgerError("plan.no-usage", { period: request.period }));

  const known = ledger.prices(pool, pool.gpusAMachine);
  const onDemand = onDemandPrice(used, pool, known, inputs, window);
  if (onDemand === null) return err(ledgerError("plan.no-on-demand-price", { pool: nameOfPool(pool) }));
  const own = held.map((each) => standingOf(each, terms.get(each.id.toLowerCase()) ?? null, monthsOf(span), window.end)).filter(({ held: { currency: of } }) => of === currency);
  const ofPool = own.flatMap((standing) => inPool(standing, pool));
  const ending = inputs.renewsExpiring ? [] : ofPool.filter(({ endDay }) => endDay !== null && endDay > window.end && endDay - window.end <= ENDING_DAYS);
  const lot = inputs.lotGpus === null ? (pool.gpusAMachine === null ? null : fromNumber(pool.gpusAMachine)) : decimal(inputs.lotGpus);
  // What replaces a commitment that ends starts when that ends; everything else starts after the window.
  const startDay = ending.reduce((first, { endDay }) => Math.min(first, endDay ?? first), ending[0]?.endDay ?? window.end);
  const usageOver = (termMonths: number): { readonly usage: UsageRank; readonly standsOn: Rational } => {
    const spans = capacitySpans(ofPool, inputs, startDay, termMonths);
    return { usage: futureUsage(usage, spans), standsOn: spans.at(-1)?.capacity ?? ZERO };
  };
  const asked: Asked = { pool, inputs, window, onDemand, lot, currency, usageOver, startDay, hasEnding: ending.length > 0 };
  const options = [
    ...known.filter(isCommitment).map((price) => optionOf(asked, listCandidate(price, window))),
    ...heldCandidate(ofPool, ending, window).map((candidate) => optionOf(asked, candidate)),
    ...ending.length === 0 ? [] : [optionOf(asked, renewalCandidate(ending, inputs, window))],
    ...inputs.quotes.flatMap((quote, index) => (quote.kind === "spot" || (quote.kind === "renewal" && ending.length > 0) ? [] : [optionOf(asked, quoteCandidate(quote, index, window))])),
  ].sort(byTerm);
  const best = recommendedOf(options, inputs);
  const runnerUp = best === null ? null : (recommendedOf(options.filter(({ termMonths }) => termMonths !== best.termMonths), inputs) ?? options.filter(({ termMonths }) => termMonths !== best.termMonths).sort(bySaving)[0] ?? null);
  const shown = options.find(({ id }) => id === inputs.option) ?? best ?? options.toSorted(bySaving)[0] ?? null;
  const ranked = options.map((option) => withRenewalNote(option, options));
  const lines = own.map((standing) => commitmentLine(standing, asked, options, poolText(pool)));
  const coveredNow = coverageNow(used, pool);
  const answer = answerOf(best, options, asked, ending);
  return ok({
    period: request.period,
    scope: request.scope,
    inputs: { ...inputs, pool: pool.key },
    pools,
    pool,
    currency,
    otherCurrencies: [...new Set(used.map((use) => use.currency))].filter((other) => other !== currency).sort(),
    baseline: baselineOf(demand, usage, window, ofPool),
    onDemand: { price: priceFigure(onDemand.price, currency, onDemand.basis), source: onDemand.source },
    lotGpus: lot === null ? null : toNumber(lot),
    options: ranked,
    recommended: best?.id ?? null,
    runnerUp: runnerUp?.id ?? null,
    shown: shown?.id ?? null,
    unpriced: unpricedOf(pool, options),
    layers: layersOf(options, asked),
    levels: shown === null ? null : levelsOf(demand, shown, asked),
    spot: spotOf(known, shown, asked),
    convertible: convertibleOf(options, asked),
    advice: adviceOf(ledger.recommendations, pool),
    commitments: lines,
    portfolio: portfolioOf(own, coveredNow, currency),
    startsOn: dateOf(startDay),
    answer,
    context: contextOf(best, answer),
    assumptions: assumptionsOf(asked, demand, options, ofPool),
  });
}

/** A quote that cannot be reckoned with: an amount below 0, or no amount at all. */
function refusedQuote({ quotes, onDemandHourly, lotGpus, maximumGpus, migrationCost, gpus }: PlanInputs): LedgerError | null {
  const stated = [["on-demand", onDemandHourly], ["lot", lotGpus], ["maximum", maximumGpus], ["migration", migrationCost], ["gpus", gpus]] as const;
  for (const [what, text] of stated) if (text !== null && isNegative(decimal(text))) return ledgerError("plan.price-negative", { pricedAs: what, value: text });
  if (onDemandHourly !== null && isZero(decimal(onDemandHourly))) return ledgerError("plan.price-missing", { pricedAs: "on-demand" });
  if (lotGpus !== null && isZero(decimal(lotGpus))) return ledgerError("plan.price-missing", { pricedAs: "lot" });
  for (const { kind, upfront, hourly, monthly } of quotes) {
    const amounts = [upfront, hourly, monthly].filter((text) => text !== null);
    const negative = amounts.find((text) => isNegative(decimal(text)));
    if (negative !== undefined) return ledgerError("plan.price-negative", { pricedAs: kind, value: negative });
    if (amounts.every((text) => isZero(decimal(text)))) return ledgerError("plan.price-missing", { pricedAs: kind });
  }
  return null;
}

function mainCurrencyOf(used: readonly PoolUse[]): string | null {
  const hours = new Map<string, number>();
  for (const { currency, gpuHours } of used) hours.set(currency, (hours.get(currency) ?? 0) + gpuHours);
  return [...hours].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0] ?? null;
}

/** The pools with usage: those with a commitment that ends soon first, then by what runs on demand. */
function poolLines(used: readonly PoolUse[], held: readonly HeldCommitment[], terms: ReadonlyMap<string, SourcedTerm>, today: number): PoolLine[] {
  return [...Map.groupBy(used, poolText)]
    .map(([key, uses]): PoolLine => {
      const [first] = uses;
      if (first === undefined) throw new Error("a group has a row");
      const hoursOf = (way: PoolUse["way"]): number => uses.filter((use) => use.way === way).reduce((total, { gpuHours }) => total + gpuHours, 0);
      const onDemand = uses.find(({ way }) => way === "on-demand");
      const ends = held
        .filter(({ byPool }) => byPool.some(({ pool }) => poolText(pool) === key))
        .map(({ id }) => terms.get(id.toLowerCase())?.term.endsOn ?? null)
        .flatMap((endsOn) => (endsOn === null ? [] : [dayOf(`${endsOn}T00:00:00Z`) - today]))
        .filter((days) => days > 0);
      const { provider, region, gpuModel, instanceType, currency } = first;
      return {
        key, provider, region, gpuModel, instanceType, currency,
        gpusAMachine: uses.map(({ gpusAMachine }) => gpusAMachine).find((count) => count !== null) ?? null,
        gpuHours: uses.reduce((total, { gpuHours }) => total + gpuHours, 0),
        onDemandGpuHours: hoursOf("on-demand"),
        coveredGpuHours: hoursOf("covered"),
        spotGpuHours: hoursOf("spot"),
        onDemandCost: moneyFigure(onDemand === undefined ? 0n : onDemand.costAttos, currency, "billed"),
        endsInDays: ends.length === 0 ? null : Math.min(...ends),
      };
    })
    .filter(({ gpuHours }) => gpuHours > 0)
    .sort((a, b) => {
      const isEnding = ({ endsInDays }: PoolLine): boolean => endsInDays !== null && endsInDays <= ENDING_DAYS;
      const [x, y] = [costOf(a), costOf(b)];
      return Number(isEnding(b)) - Number(isEnding(a)) || (x > y ? -1 : x < y ? 1 : a.key < b.key ? -1 : 1);
    });
}

function costOf({ onDemandCost: { value } }: PoolLine): bigint {
  return typeof value === "bigint" ? value : 0n;
}

/** p: the person's price, else what the window's bills charged, else the list. Null where none is known. */
function onDemandPrice(used: readonly PoolUse[], pool: PoolKey, known: readonly KnownPrice[], { onDemandHourly }: PlanInputs, window: Window): OnDemand | null {
  if (onDemandHourly !== null) return { price: decimal(onDemandHourly), basis: "assumed", source: { kind: "quote", date: null, ageDays: null, isOld: false, source: null } };
  const billed = used.find((use) => use.way === "on-demand" && poolText(use) === poolText(pool));
  if (billed !== undefined && billed.costAttos !== null && billed.costAttos > 0n && billed.pricedGpuHours > 0) {
    return { price: hourly(billed.costAttos, billed.pricedGpuHours), basis: "billed", source: { kind: "bill", date: null, ageDays: null, isOld: false, source: null } };
  }
  const listed = known.find(({ kind }) => kind === "on-demand");
  return listed === undefined || !isPositive(listed.hourly) ? null : { price: listed.hourly, basis: "assumed", source: datedSource("list", listed.priceDate, listed.source, window) };
}

function baselineOf({ units, knownHours, spreadShare, leftOut }: Demand, usage: UsageRank, window: Window, ofPool: readonly PoolStanding[]): PlanBaseline {
  const at = (share: number): Figure => gpuFigure(quantile(usage, share), "billed");
  const unknownHours = units.length - knownHours;
  const capacity = ofPool.filter(({ endDay }) => endDay === null || endDay > window.end).reduce((total, { poolGpus }) => add(total, poolGpus), ZERO);
  return {
    firstDay: dateOf(window.start),
    endDay: dateOf(window.end),
    hours: units.length,
    knownHours,
    units,
    mean: gpuFigure(divide(rankedUnitHours(usage), whole(rankedHours(usage))), "billed"),
    p10: at(0.1),
    median: at(0.5),
    p90: at(0.9),
    most: at(1),
    spreadShare,
    leftOut,
    capacity: gpuFigure(capacity),
    warnings: [
      ...(spreadShare > 0 ? [message("commit.warning.by-day", { ratio: { ratio: spreadShare, digits: 0 } })] : []),
      ...(unknownHours > 0 ? [message("commit.warning.unknown-hours", { count: { count: unknownHours } })] : []),
      ...(knownHours < GUARD_DAYS * 24 ? [message("commit.warning.short")] : []),
    ],
  };
}

/** The usage that a share of the hours stays at or under. */
function quantile({ levels, hours }: UsageRank, share: number): Rational {
  const all = hours.at(-1) ?? 0;
  const wanted = Math.max(1, all - Math.ceil(share * all) + 1);
  const index = hours.findIndex((reached) => reached >= wanted);
  const level = levels[index === -1 ? levels.length - 1 : index] ?? 0;
  return rational(BigInt(level), BigInt(MILLIONTHS));
}
