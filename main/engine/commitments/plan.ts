/** What to reserve: the ledger's demand of one pool against every price that is known for it. */
import { ledgerError, type LedgerError } from "../../../shared/contract/errors.ts";
import type {
  CommitmentLine, CommitmentTerm, PlanAnswer, PlanBaseline, PlanInput, PlanInputs, PlanLayers, PlanLevels, PlanOption, PoolLine, PaymentKind, PriceSource, QuoteKind, SpotBlend, UsageCurve,
} from "../../../shared/contract/plan.ts";
import type { Message } from "../../../shared/contract/report.ts";
import type { Basis, Figure, MetricId, Unit } from "../../../shared/domain/figure.ts";
import { dayOf, monthsOf, parsePeriod, type PeriodLabel } from "../../../shared/domain/period.ts";
import { add, compare, decimal, divide, divideHalfEven, fromNumber, isNegative, isPositive, isZero, multiply, ONE, parseDecimal, rational, ratio, smaller, subtract, toDecimal, toNumber, whole, ZERO, type Rational } from "../../../shared/domain/rational.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { dateOf } from "../budgets/calendar.ts";
import { figureOf } from "../metrics/metric.ts";
import { optimalLayers } from "../planning/commitment-layers.ts";
import { expiryState } from "../planning/expiry.ts";
import { convertibleBreakEven, renewalCheck, sunkCommitment } from "../planning/offer.ts";
import { effectiveHourlyOf, HOURS_A_MONTH, workOutOption, type OptionOutcome, type OptionTerms } from "../planning/plan-option.ts";
import { commitmentLevels, GUARD_DAYS } from "../planning/recommendation.ts";
import { coveredUnitHours, futureUsage, MILLIONTHS, profileOfRank, rankedHours, rankedUnitHours, rankHours, unitHoursAbove, type CapacitySpan, type UsageRank } from "../planning/usage-rank.ts";
import { providerOf } from "../reference/type-names.ts";
import { message } from "../reports/context.ts";
import type { Db } from "../store/sql.ts";
import { billedDays, demandOf, poolText, poolsUsed, windowOf, type Demand, type PoolKey, type PoolUse, type Window } from "./baseline.ts";
import { heldCommitments, type HeldCommitment } from "./portfolio.ts";
import type { KnownPrice, PricesOfPool } from "./prices.ts";
import { storedTerms } from "./scenarios.ts";

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
}

/** Days before an end from which a commitment counts as ending. */
const ENDING_DAYS = 90;
const DAYS_A_YEAR = 365;

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
  const terms = new Map(storedTerms(db).map((term) => [term.commitment, term]));
  const used = poolsUsed(db, anyWindow, request.scope);
  const currency = request.currency ?? mainCurrencyOf(used);
  const pools = poolLines(used.filter((use) => use.currency === currency), held, terms, anyWindow.end);
  const pool = inputs.pool === null ? pools[0] : pools.find(({ key }) => key === inputs.pool);
  if (pool === undefined || currency === null) {
    return err(ledgerError("plan.no-usage", { period: request.period }));
  }
  const billed = billedDays(db, pool.provider);
  const window = windowOf(billed, request.period, inputs.weeks) ?? anyWindow;
  const demand = demandOf(db, pool, window, request.scope, inputs, billed);
  const usage = rankHours(Float64Array.from(demand.units.filter((units) => units !== null)));
  if (rankedHours(usage) === 0 || isZero(rankedUnitHours(usage))) return err(ledgerError("plan.no-usage", { period: request.period }));

  const known = ledger.prices(pool, pool.gpusAMachine);
  const onDemand = onDemandPrice(used, pool, known, inputs, window);
  if (onDemand === null) return err(ledgerError("plan.no-on-demand-price", { pool: nameOfPool(pool) }));
  const own = held.map((each) => standingOf(each, terms.get(each.id) ?? null, monthsOf(span), window.end)).filter(({ held: { currency: of } }) => of === currency);
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
    commitments: lines,
    portfolio: portfolioOf(own, coveredNow, currency),
    startsOn: dateOf(startDay),
    answer: answerOf(best, options, asked, ending),
    context: contextOf(best, asked),
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
function poolLines(used: readonly PoolUse[], held: readonly HeldCommitment[], terms: ReadonlyMap<string, CommitmentTerm>, today: number): PoolLine[] {
  return [...Map.groupBy(used, poolText)]
    .map(([key, uses]): PoolLine => {
      const [first] = uses;
      if (first === undefined) throw new Error("a group has a row");
      const hoursOf = (way: PoolUse["way"]): number => uses.filter((use) => use.way === way).reduce((total, { gpuHours }) => total + gpuHours, 0);
      const onDemand = uses.find(({ way }) => way === "on-demand");
      const ends = held
        .filter(({ byPool }) => byPool.some(({ pool }) => poolText(pool) === key))
        .map(({ id }) => terms.get(id)?.endsOn ?? null)
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

export function nameOfPool({ provider, region, gpuModel, instanceType }: PoolKey): string {
  return [provider, gpuModel, instanceType, region].filter((part) => part !== null).join(" · ");
}

interface OnDemand {
  readonly price: Rational;
  readonly basis: Basis;
  readonly source: PriceSource;
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

/** Attos over GPU-hours as a price, to the atto. */
function hourly(attos: bigint, gpuHours: number): Rational {
  return rational(divideHalfEven(attos * 1_000_000_000n, BigInt(Math.round(gpuHours * 1e9))), 10n ** 18n);
}

function datedSource(kind: PriceSource["kind"], date: string | null, source: string | null, window: Window): PriceSource {
  const day = date === null ? null : dayOf(`${date}T00:00:00Z`);
  return { kind, date, ageDays: day === null ? null : Math.max(0, window.end - day), isOld: day !== null && day < window.start, source };
}

// Commitments that are held

interface Standing {
  readonly held: HeldCommitment;
  readonly term: CommitmentTerm | null;
  /** Effective price of a GPU-hour it covers; null if it covered none. */
  readonly rate: Rational | null;
  /** GPUs it holds; null where that cannot be told. */
  readonly gpus: Rational | null;
  readonly endDay: number | null;
  readonly startDay: number | null;
}

/** What a commitment holds: all that it cost over what a GPU-hour of it cost, spread over the hours of the period. */
function standingOf(held: HeldCommitment, term: CommitmentTerm | null, months: readonly string[], today: number): Standing {
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
  return { held, term, rate, gpus: stated ?? (all === null ? null : toGpus(all)), endDay, startDay };
}

/** A count that is whole but for a few hours without a bill is that whole count. */
function toGpus(count: Rational): Rational {
  const near = Math.round(toNumber(count));
  return near > 0 && Math.abs(toNumber(count) - near) < 0.01 * near ? whole(near) : rational(BigInt(Math.round(toNumber(count) * 1000)), 1000n);
}

interface PoolStanding extends Standing {
  /** Its part in the pool, by what it cost there. */
  readonly poolGpus: Rational;
}

function inPool(standing: Standing, pool: PoolLine): PoolStanding[] {
  const part = standing.held.byPool.find(({ pool: of }) => poolText(of) === pool.key);
  if (part === undefined || standing.gpus === null) return [];
  const all = standing.held.byPool.reduce((total, { costAttos }) => total + costAttos, 0n);
  const share = all > 0n && part.costAttos !== all ? rational(part.costAttos, all) : ONE;
  return [{ ...standing, poolGpus: multiply(standing.gpus, share) }];
}

/** GPUs of existing commitments in force over the days of a term that starts on a day, until each ends. */
function capacitySpans(standings: readonly PoolStanding[], { netsExisting, renewsExpiring }: PlanInputs, startDay: number, termMonths: number): CapacitySpan[] {
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

// Options

interface Asked {
  readonly pool: PoolLine;
  readonly inputs: PlanInputs;
  readonly window: Window;
  readonly onDemand: OnDemand;
  readonly lot: Rational | null;
  readonly currency: string;
  readonly usageOver: (termMonths: number) => { readonly usage: UsageRank; readonly standsOn: Rational };
  /** The day from which an option holds. */
  readonly startDay: number;
  readonly hasEnding: boolean;
}

interface Candidate {
  readonly id: string;
  readonly kind: QuoteKind;
  readonly name: Message;
  readonly terms: OptionTerms;
  readonly payment: PaymentKind | null;
  readonly isConvertible: boolean | null;
  readonly source: PriceSource;
  readonly basis: Basis;
  /** No more than this can be had, such as what ends. */
  readonly limit: Rational | null;
}

function isCommitment(price: KnownPrice): price is KnownPrice & { readonly kind: QuoteKind } {
  return price.kind !== "on-demand" && price.kind !== "spot" && isPositive(add(add(price.hourly, price.monthly), price.upfront));
}

function listCandidate(price: KnownPrice & { readonly kind: QuoteKind }, window: Window): Candidate {
  const { kind, termMonths, payment, isConvertible, upfront, hourly: perHour, monthly, priceDate, source, isOwn } = price;
  return {
    id: `list ${kind} ${termMonths} ${payment ?? ""}${isConvertible ? " convertible" : ""}`, kind, name: optionName(kind, termMonths, payment, isConvertible),
    terms: { termMonths, upfront, hourly: perHour, monthly, monthlyTiming: kind === "subscription" ? "advance" : "arrears", isSavingsPlan: kind === "savings-plan" },
    payment, isConvertible, source: datedSource(isOwn ? "quote" : "list", priceDate, source, window), basis: "assumed", limit: null,
  };
}

function quoteCandidate({ kind, termMonths, payment, upfront, hourly: perHour, monthly, isConvertible, quotedOn, note }: PlanInputs["quotes"][number], index: number, window: Window): Candidate {
  return {
    id: `quote ${index}`, kind, name: optionName(kind, termMonths, payment, isConvertible),
    terms: {
      termMonths, upfront: decimalOr(upfront), hourly: decimalOr(perHour), monthly: decimalOr(monthly), monthlyTiming: kind === "subscription" ? "advance" : "arrears", isSavingsPlan: kind === "savings-plan",
    },
    payment, isConvertible, source: datedSource("quote", quotedOn, note, window), basis: "assumed", limit: null,
  };
}

function decimalOr(text: string | null): Rational {
  return text === null ? ZERO : decimal(text);
}

/** What the pool is committed at today and does not end, as if more of it could be bought at that price. */
function heldCandidate(standings: readonly PoolStanding[], ending: readonly PoolStanding[], window: Window): Candidate[] {
  const lasting = standings.filter((standing) => !ending.includes(standing) && standing.rate !== null && (standing.endDay === null || standing.endDay > window.end));
  const [latest] = lasting.toSorted((a, b) => (b.startDay ?? 0) - (a.startDay ?? 0) || (a.held.id < b.held.id ? -1 : 1));
  if (latest === undefined || latest.rate === null) return [];
  const isPlan = /savings/i.test(latest.held.type ?? "");
  const termMonths = latest.term?.termMonths ?? 12;
  const kind = isPlan ? "savings-plan" : "commitment";
  return [{
    id: `current ${latest.held.id}`, kind, name: message("commit.option.current", { name: { message: optionName(kind, termMonths, latest.term?.payment ?? null, false) } }),
    terms: { termMonths, upfront: ZERO, hourly: latest.rate, monthly: ZERO, monthlyTiming: "arrears", isSavingsPlan: false },
    payment: latest.term?.payment ?? null, isConvertible: latest.term?.isConvertible ?? null, source: { kind: "current", date: null, ageDays: null, isOld: false, source: latest.held.name }, basis: "billed", limit: null,
  }];
}

/** Renewing all that ends, at the renewal price that was quoted, else at today's. */
function renewalCandidate(ending: readonly PoolStanding[], { quotes }: PlanInputs, window: Window): Candidate {
  const gpus = ending.reduce((total, { poolGpus }) => add(total, poolGpus), ZERO);
  const quote = quotes.find(({ kind }) => kind === "renewal");
  const termMonths = quote?.termMonths ?? ending.map(({ term }) => term?.termMonths ?? 12).reduce((a, b) => Math.max(a, b), 1);
  const name = message("commit.option.renew", { name: { message: optionName("commitment", termMonths, null, false) } });
  if (quote !== undefined) return { ...quoteCandidate(quote, quotes.indexOf(quote), window), id: "renew", name, limit: gpus };
  const money = ending.reduce((total, { poolGpus, rate, term }) => add(total, multiply(poolGpus, term === null || term.renewalHourly === null ? (rate ?? ZERO) : decimal(term.renewalHourly))), ZERO);
  const isQuoted = ending.some(({ term }) => term !== null && term.renewalHourly !== null);
  return {
    id: "renew", kind: "renewal", name,
    terms: { termMonths, upfront: ZERO, hourly: ratio(money, gpus) ?? ZERO, monthly: ZERO, monthlyTiming: "arrears", isSavingsPlan: false },
    payment: null, isConvertible: null, source: { kind: isQuoted ? "quote" : "current", date: null, ageDays: null, isOld: false, source: null }, basis: isQuoted ? "assumed" : "billed", limit: gpus,
  };
}

export function optionName(kind: QuoteKind, termMonths: number, payment: PaymentKind | null, isConvertible: boolean): Message {
  const term = termMonths % 12 === 0 ? message("commit.years", { count: { count: termMonths / 12 } }) : message("commit.months", { count: { count: termMonths } });
  const base = kind === "savings-plan" || kind === "subscription" || kind === "capacity-block" ? message(`commit.kind.${kind}`, { term: { message: term } }) : term;
  const paid = payment === null || kind === "subscription" || kind === "capacity-block" ? base : message("commit.with-payment", { term: { message: base }, payment: { message: message(`commit.payment.${payment}`) } });
  return isConvertible ? message("commit.convertible", { name: { message: paid } }) : paid;
}

function optionOf(asked: Asked, candidate: Candidate): PlanOption {
  const { inputs, onDemand, currency, usageOver } = asked;
  const { terms } = candidate;
  const { usage, standsOn } = usageOver(terms.termMonths);
  const own = inputs.maximumGpus === null ? null : decimal(inputs.maximumGpus);
  const maximum = candidate.limit === null ? own : own === null ? candidate.limit : smaller(own, candidate.limit);
  const level = inputs.option === candidate.id && inputs.gpus !== null ? decimal(inputs.gpus) : null;
  const outcome = workOutOption(usage, terms, onDemand.price, { lot: asked.lot, maximum }, {
    monthlyGrowth: fromNumber(inputs.growthPercentAMonth / 100), annualDecline: fromNumber(inputs.declinePercentAYear / 100), annualDiscountRate: inputs.discountPercentAYear / 100,
  }, level);
  const isDear = outcome.offer.breakEvenUtilization !== null && compare(outcome.offer.breakEvenUtilization, ONE) >= 0;
  const price = effectiveHourlyOf(terms);
  const notes = [
    ...(isDear ? [message("commit.note.dearer")] : []),
    ...(candidate.source.isOld ? [message(inputs.acceptsOldPrices ? "commit.note.old-accepted" : "commit.note.old", { day: dayParam(candidate.source.date) })] : []),
    ...(candidate.source.kind === "current" ? [message("commit.note.current")] : []),
  ];
  return {
    id: candidate.id,
    name: candidate.name,
    kind: candidate.kind,
    termMonths: terms.termMonths,
    payment: candidate.payment,
    isConvertible: candidate.isConvertible,
    source: candidate.source,
    figures: figuresOf(outcome, terms, candidate, asked),
    inputs: inputsOf(outcome, terms, usage, asked, candidate.basis),
    exact: { committedHourly: toDecimal(price), onDemandHourly: toDecimal(onDemand.price), gpus: toDecimal(outcome.optimum.commitment) },
    moneyHourly: outcome.moneyHourly === null ? null : figureOf("gpu-hour-price", attosOf(outcome.moneyHourly.chosen), `${currency}/hour`, "derived", 1),
    decision: isDear ? "on_demand" : isPositive(outcome.savingAMonth) ? "commit" : isZero(outcome.savingAMonth) && isPositive(outcome.optimum.commitment) ? "indifferent" : "on_demand",
    notes,
    risks: outcome.risks.map(({ risk, savingAMonth }) => ({ risk, saving: moneyFigure(attosOf(savingAMonth), currency, "assumed") })),
    sensitivity: outcome.sensitivity.map(({ usageChange, decline, discountRate, netPresentValue }) => ({
      usagePercent: Math.round(toNumber(usageChange) * 100), declinePercent: Math.round(toNumber(decline) * 100), ratePercent: Math.round(discountRate * 100), value: moneyFigure(attosOfNumber(netPresentValue), currency, "assumed"),
    })),
    standsOn: toNumber(standsOn),
    curve: curveOf(usage),
  };
}

function dayParam(day: string | null): { readonly instant: string; readonly precision: "day" } {
  return { instant: `${day ?? "1970-01-01"}T00:00:00Z`, precision: "day" };
}

function curveOf({ levels, hours }: UsageRank): UsageCurve {
  return { levels: [...levels], hours: Array.from(hours, (reached, index) => reached - (hours[index - 1] ?? 0)) };
}

function figuresOf({ offer, optimum, savingAMonth, upfrontTotal, value, breakEvenDrop }: OptionOutcome, terms: OptionTerms, { basis }: Candidate, { currency, onDemand }: Asked): PlanOption["figures"] {
  const isBought = isPositive(optimum.commitment);
  const price = effectiveHourlyOf(terms);
  const weighed = (of: Rational | null): Rational | null => (isBought ? of : null);
  const months = (of: Rational | number | null, basis: Basis = "derived"): Figure => numberFigure("spend", of === null || !isBought ? null : typeof of === "number" ? of : toNumber(of), "months", basis);
  return {
    price: priceFigure(price, currency, basis),
    discount: ratioFigure("effective-savings-rate", offer.discount),
    level: gpuFigure(optimum.commitment),
    lowest: gpuFigure(optimum.optimalLow),
    highest: gpuFigure(optimum.optimalHigh),
    utilization: ratioFigure("commitment-utilization", optimum.utilization),
    coverage: ratioFigure("commitment-coverage", optimum.coverage),
    breakEven: ratioFigure("commitment-utilization", offer.breakEvenUtilization),
    payback: months(offer.paybackMonths),
    exit: months(offer.exitBreakEvenMonths),
    cashPositive: numberFigure("spend", value === null || !isBought ? null : value.firstMonthCumulativeNonNegative, "count", "assumed"),
    presentValue: moneyFigure(value === null ? null : attosOfNumber(value.netPresentValue), currency, "assumed"),
    returnRate: value === null || value.internalRateOfReturn === null ? { ...numberFigure("effective-savings-rate", null, "ratio", "assumed"), why: "no-denominator" } : numberFigure("effective-savings-rate", value.internalRateOfReturn, "ratio", "assumed"),
    saving: moneyFigure(attosOf(savingAMonth), currency, onDemand.basis === "assumed" || basis === "assumed" ? "assumed" : "derived"),
    upfront: moneyFigure(attosOf(upfrontTotal), currency, basis),
    waste: moneyFigure(isBought ? attosOf(unusedAMonth(optimum.utilization, multiply(price, optimum.commitment))) : 0n, currency, "derived"),
    breakEvenDrop: ratioFigure("commitment-utilization", weighed(breakEvenDrop)),
  };
}

/** Unused cost of a month of 730 hours: what is committed an hour × the part unused × 730. */
function unusedAMonth(utilization: Rational | null, committedAnHour: Rational): Rational {
  return utilization === null ? ZERO : multiply(multiply(committedAnHour, subtract(ONE, utilization)), whole(HOURS_A_MONTH));
}

function inputsOf({ optimum }: OptionOutcome, terms: OptionTerms, usage: UsageRank, { onDemand, currency, inputs }: Asked, basis: Basis): Readonly<Record<PlanInput, Figure>> {
  const hours = rankedHours(usage);
  const price = effectiveHourlyOf(terms);
  return {
    onDemand: priceFigure(onDemand.price, currency, onDemand.basis),
    upfront: moneyFigure(attosOf(terms.upfront), currency, basis),
    hourly: priceFigure(terms.hourly, currency, basis),
    monthly: moneyFigure(attosOf(terms.monthly), currency, basis),
    term: numberFigure("spend", terms.termMonths, "count", basis),
    termHours: numberFigure("gpu-hours", terms.termMonths * HOURS_A_MONTH, "count", "assumed"),
    hours: numberFigure("gpu-hours", hours, "count", "billed"),
    used: numberFigure("gpu-hours", toNumber(coveredUnitHours(usage, optimum.commitment)), "gpu-hours", "billed"),
    committed: numberFigure("gpu-hours", toNumber(multiply(optimum.commitment, whole(hours))), "gpu-hours", "derived"),
    level: gpuFigure(optimum.commitment),
    utilization: ratioFigure("commitment-utilization", optimum.utilization),
    price: priceFigure(price, currency, basis),
    discountRate: numberFigure("effective-savings-rate", inputs.discountPercentAYear / 100, "ratio", "assumed"),
    decline: numberFigure("effective-savings-rate", inputs.declinePercentAYear / 100, "ratio", "assumed"),
    growth: numberFigure("effective-savings-rate", inputs.growthPercentAMonth / 100, "ratio", "assumed"),
    rank: numberFigure("gpu-hours", Number((BigInt(hours) * price.numerator * onDemand.price.denominator) / (price.denominator * onDemand.price.numerator)) + 1, "count", "derived"),
  };
}

function byTerm(a: PlanOption, b: PlanOption): number {
  return a.termMonths - b.termMonths || compareValue(b.figures.price, a.figures.price) || (a.id < b.id ? -1 : 1);
}

function bySaving(a: PlanOption, b: PlanOption): number {
  return compareValue(b.figures.saving, a.figures.saving) || a.termMonths - b.termMonths || (a.id < b.id ? -1 : 1);
}

function compareValue({ value: a }: Figure, { value: b }: Figure): number {
  if (typeof a !== "bigint" || typeof b !== "bigint") return 0;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The option that saves most; never one that is dearer, or whose price is older than the window unless the person accepts that. At a tie the shorter term. */
function recommendedOf(options: readonly PlanOption[], { acceptsOldPrices }: PlanInputs): PlanOption | null {
  return options.filter(({ decision, source }) => decision === "commit" && (acceptsOldPrices || !source.isOld)).toSorted(bySaving)[0] ?? null;
}

/** Says at the renewal how it stands to a new purchase of the same term. */
function withRenewalNote(option: PlanOption, options: readonly PlanOption[]): PlanOption {
  if (option.id !== "renew") return option;
  const rival = cheapestNew(options, option.termMonths);
  if (rival === null) return { ...option, notes: [...option.notes, message("commit.note.no-new-price")] };
  const premium = ratio(subtract(exactPrice(option), exactPrice(rival)), exactPrice(rival));
  if (premium === null || isZero(premium)) return option;
  const note = message(isPositive(premium) ? "commit.note.renewal-above" : "commit.note.renewal-below", { ratio: { ratio: Math.abs(toNumber(premium)) } });
  return { ...option, notes: [...option.notes, note] };
}

function cheapestNew(options: readonly PlanOption[], termMonths: number): PlanOption | null {
  return options.filter((other) => other.id !== "renew" && other.source.kind !== "current" && other.termMonths === termMonths).toSorted((a, b) => compare(exactPrice(a), exactPrice(b)))[0] ?? null;
}

function exactPrice({ exact }: PlanOption): Rational {
  return decimal(exact.committedHourly);
}

/** What the provider of a pool sells to be reserved, as far as it is known to us. */
const soldBy: Readonly<Partial<Record<string, readonly (readonly [QuoteKind, number, PaymentKind | null])[]>>> = {
  aws: [["commitment", 12, "no-upfront"], ["commitment", 12, "partial-upfront"], ["commitment", 12, "all-upfront"], ["commitment", 36, "no-upfront"], ["commitment", 36, "partial-upfront"], ["commitment", 36, "all-upfront"], ["savings-plan", 12, "no-upfront"], ["savings-plan", 36, "no-upfront"], ["capacity-block", 1, null]],
  azure: [["commitment", 12, "no-upfront"], ["commitment", 12, "all-upfront"], ["commitment", 36, "no-upfront"], ["commitment", 36, "all-upfront"], ["savings-plan", 12, "no-upfront"], ["savings-plan", 36, "no-upfront"]],
  gcp: [["commitment", 12, "no-upfront"], ["commitment", 36, "no-upfront"]],
  oracle: [["subscription", 12, null]],
};
const soldInChina: readonly (readonly [QuoteKind, number, PaymentKind | null])[] = [["subscription", 1, null], ["subscription", 12, null]];
const soldElsewhere: readonly (readonly [QuoteKind, number, PaymentKind | null])[] = [["commitment", 12, "no-upfront"], ["subscription", 1, null]];

function unpricedOf({ provider }: PoolLine, options: readonly PlanOption[]): Message[] {
  const id = providerOf(provider);
  const sold = id === null ? soldElsewhere : (soldBy[id] ?? (["alibaba", "tencent", "huawei", "baidu"].includes(id) ? soldInChina : soldElsewhere));
  const isPriced = ([kind, months, payment]: (typeof sold)[number]): boolean => options.some((option) => option.kind === kind && option.termMonths === months && (payment === null || option.payment === payment) && option.source.kind !== "current");
  return sold.filter((each) => !isPriced(each)).map(([kind, months, payment]) => optionName(kind, months, payment, false));
}

// Layers, levels, spot, convertible

/** The long base with yearly layers on top, where a one-year and a longer price are known. */
function layersOf(options: readonly PlanOption[], { inputs, onDemand, currency, usageOver }: Asked): PlanLayers | null {
  const cheapest = (isOf: (months: number) => boolean): PlanOption | null => options.filter(({ termMonths, decision, source }) => isOf(termMonths) && decision === "commit" && (inputs.acceptsOldPrices || !source.isOld)).toSorted((a, b) => compare(exactPrice(a), exactPrice(b)))[0] ?? null;
  const long = cheapest((months) => months > 12 && months % 12 === 0);
  if (long === null) return null;
  const short = cheapest((months) => months === 12);
  const years = long.termMonths / 12;
  const growth = 1 + inputs.growthPercentAMonth / 100;
  // The mean of a year's months, to six digits: multipliers are an outlook, not a measurement.
  const yearMultipliers = Array.from({ length: years }, (_, year) => Number((Array.from({ length: 12 }, (__, month) => growth ** (year * 12 + month)).reduce((sum, each) => sum + each, 0) / 12).toFixed(6)));
  const yearPrices = Array.from({ length: years }, (_, year) => Number(((1 - inputs.declinePercentAYear / 100) ** year).toFixed(6)));
  const { usage } = usageOver(long.termMonths);
  const layers = optimalLayers({
    profile: profileOfRank(usage),
    yearMultipliers: yearMultipliers.map(fromNumber),
    yearPrices: yearPrices.map(fromNumber),
    longHourly: exactPrice(long),
    shortHourly: short === null ? null : exactPrice(short),
    onDemandHourly: onDemand.price,
  });
  return {
    long: { option: long.id, gpus: gpuFigure(layers.longCommitment) },
    short: short === null ? null : { option: short.id, gpus: layers.shortCommitments.map((gpus) => gpuFigure(gpus)) },
    yearMultipliers,
    yearPrices,
    // A year of the model has the hours of the window; a month of 730 hours is its part.
    savingAMonth: moneyFigure(attosOf(multiply(divide(layers.saving, whole(rankedHours(usage) * years)), whole(HOURS_A_MONTH))), currency, "assumed"),
  };
}

function levelsOf({ units }: Demand, option: PlanOption, { onDemand }: Asked): PlanLevels {
  const taken = Math.floor(option.standsOn * MILLIONTHS);
  const levels = commitmentLevels(units.map((each) => (each === null ? null : Math.max(0, each - taken))), windowDaysOf(units.length), { committedHourly: exactPrice(option), onDemandHourly: onDemand.price });
  const figure = (level: Rational | null): Figure => (level === null ? numberFigure("gpu-hours", null, "gpus", "derived") : gpuFigure(level));
  return {
    windows: levels.windows.map(({ days, stable, optimal }) => ({ days, stable: figure(stable), optimal: figure(optimal) })),
    stable: figure(levels.stable),
    optimal: figure(levels.optimal),
    cautious: figure(levels.cautious),
    spread: figure(levels.spread),
  };
}

function windowDaysOf(hours: number): 7 | 28 | 56 | 91 {
  const days = hours / 24;
  return days >= 91 ? 91 : days >= 56 ? 56 : days >= 28 ? 28 : 7;
}

/** What could run on spot of that which is above the level shown. */
function spotOf(known: readonly KnownPrice[], shown: PlanOption | null, { inputs, onDemand, currency, usageOver, window }: Asked): SpotBlend | null {
  const quote = inputs.quotes.find(({ kind, hourly: perHour }) => kind === "spot" && perHour !== null);
  const listed = known.find(({ kind }) => kind === "spot");
  const price = quote === undefined || quote.hourly === null ? (listed?.hourly ?? null) : decimal(quote.hourly);
  if (price === null || compare(price, onDemand.price) >= 0) return null;
  const source = quote === undefined ? datedSource("list", listed?.priceDate ?? null, listed?.source ?? null, window) : datedSource("quote", quote.quotedOn, quote.note, window);
  const { usage } = usageOver(shown?.termMonths ?? 12);
  const over = unitHoursAbove(usage, shown === null ? ZERO : decimal(shown.exact.gpus));
  const aMonth = multiply(divide(over, whole(rankedHours(usage))), whole(HOURS_A_MONTH));
  const saving = multiply(multiply(aMonth, fromNumber(inputs.spotPercent / 100)), subtract(onDemand.price, price));
  return { price: priceFigure(price, currency, "assumed"), source, percent: inputs.spotPercent, saving: moneyFigure(attosOf(saving), currency, "assumed") };
}

/** From which chance of a change on an exchangeable commitment is right, where both are priced for one term (model a.5); the switch is half-way. */
function convertibleOf(options: readonly PlanOption[], { onDemand, currency }: Asked): PlanAnswer["convertible"] {
  for (const convertible of options.filter(({ isConvertible }) => isConvertible === true)) {
    const standard = options.filter((other) => other.isConvertible === false && other.termMonths === convertible.termMonths && other.payment === convertible.payment && other.id !== "renew").toSorted((a, b) => compare(exactPrice(a), exactPrice(b)))[0];
    if (standard === undefined) continue;
    const hours = whole(convertible.termMonths * HOURS_A_MONTH);
    const utilization = standard.figures.utilization.value;
    const found = convertibleBreakEven({
      standardTotal: multiply(exactPrice(standard), hours), convertibleTotal: multiply(exactPrice(convertible), hours), replacementHourly: onDemand.price,
      utilization: typeof utilization === "number" ? fromNumber(Number(utilization.toFixed(6))) : ONE, hoursRemainingAtSwitch: divide(hours, whole(2)), salvage: ZERO,
    });
    return { premium: moneyFigure(attosOf(found.premium), currency, "assumed"), probability: ratioFigure("effective-savings-rate", found.breakEvenProbability), standard: standard.id, convertible: convertible.id };
  }
  return null;
}

// The portfolio

function commitmentLine(standing: Standing, asked: Asked, options: readonly PlanOption[], pool: string): CommitmentLine {
  const { held, term, rate, gpus, endDay, startDay } = standing;
  const { window, currency, onDemand, inputs } = asked;
  const all = held.usedAttos + held.unusedAttos;
  const state = endDay === null ? null : expiryState(endDay, window.end);
  const isHere = held.pool !== null && poolText(held.pool) === pool;
  const utilization = all > 0n ? rational(held.usedAttos, all) : null;
  const canDecide = isHere && state !== null && state.daysLeft > 0 && gpus !== null && rate !== null && utilization !== null;
  const sunk = !canDecide ? null : sunkCommitment({
    units: gpus, effectiveHourly: rate, termHours: whole(Math.max(1, ((endDay ?? 0) - (startDay ?? window.start)) * 24)), elapsedHours: whole(Math.max(0, (window.end - (startDay ?? window.start)) * 24)),
    usedUnitHours: ZERO, expectedUnits: multiply(gpus, utilization), onDemandHourly: onDemand.price, recurringHourly: term?.payment === "all-upfront" ? ZERO : rate, netResale: ZERO,
  });
  return {
    id: held.id,
    name: held.name,
    type: held.type,
    provider: held.provider,
    gpuModel: held.pool?.gpuModel ?? null,
    pool: held.pool === null ? null : poolText(held.pool),
    currency,
    gpus: gpus === null ? numberFigure("gpu-hours", null, "gpus", "derived") : gpuFigure(gpus, term !== null && term.gpus !== null ? "assumed" : "derived"),
    price: rate === null ? figureOf("gpu-hour-price", null, `${currency}/gpu-hour`, "billed", 1, "no-gpu-hours") : priceFigure(rate, currency, "billed"),
    utilization: ratioFigure("commitment-utilization", utilization),
    cost: moneyFigure(all, currency, "billed"),
    unused: moneyFigure(held.unusedAttos, currency, "billed"),
    savingsRate: ratioFigure("effective-savings-rate", held.listAttos === null ? null : subtract(ONE, rational(all, held.listAttos)), "no-list-price"),
    term,
    daysLeft: state?.daysLeft ?? null,
    window: state?.window ?? null,
    checks: state === null ? [] : state.checks.map(({ daysBefore, day, isPast }) => ({ daysBefore, day: dateOf(day), isPast })),
    obligation: moneyFigure(sunk === null ? null : attosOf(sunk.remainingObligation), currency, "derived"),
    keeping: moneyFigure(sunk === null ? null : attosOf(sunk.valueOfKeeping), currency, "assumed"),
    decision: sunk?.decision ?? null,
    renewal: !isHere || state === null || state.daysLeft <= 0 || gpus === null || rate === null ? null : renewalOf(standing, gpus, rate, options, asked, utilization ?? ONE, inputs),
  };
}

function renewalOf({ term }: Standing, gpus: Rational, rate: Rational, options: readonly PlanOption[], { currency, onDemand }: Asked, utilization: Rational, { quotes, migrationCost }: PlanInputs): CommitmentLine["renewal"] {
  const months = term?.termMonths ?? 12;
  const hours = whole(months * HOURS_A_MONTH);
  const quoted = options.find(({ id }) => id === "renew");
  const price = quotes.some(({ kind }) => kind === "renewal") && quoted !== undefined ? exactPrice(quoted) : term === null || term.renewalHourly === null ? rate : decimal(term.renewalHourly);
  const rival = cheapestNew(options, months);
  const total = (of: Rational): Rational => multiply(multiply(of, gpus), hours);
  const check = renewalCheck({
    renewalPrice: total(price), newPrice: rival === null ? total(price) : total(exactPrice(rival)), migrationCost: rival === null ? ZERO : decimal(migrationCost),
    onDemandHourly: onDemand.price, expectedUsedHours: multiply(multiply(gpus, hours), utilization), alternatives: [],
  });
  const best = check.options.find(({ id }) => rival !== null || id !== "new_purchase")?.id ?? "renew";
  return {
    renewal: priceFigure(price, currency, term !== null && term.renewalHourly !== null ? "assumed" : "billed"),
    purchase: rival === null ? { ...priceFigure(ZERO, currency, "assumed"), value: null, why: "no-quote" } : priceFigure(exactPrice(rival), currency, "assumed"),
    onDemand: priceFigure(multiply(onDemand.price, utilization), currency, onDemand.basis),
    premium: ratioFigure("effective-savings-rate", rival === null ? null : check.renewalPremium, "no-quote"),
    best,
  };
}

interface CoverageNow {
  readonly covered: number;
  readonly eligible: number;
}

function coverageNow(used: readonly PoolUse[], pool: PoolLine): CoverageNow {
  const own = used.filter((use) => use.currency === pool.currency && use.way !== "spot");
  const sum = (of: readonly PoolUse[]): number => of.reduce((total, { gpuHours }) => total + gpuHours, 0);
  return { covered: sum(own.filter(({ way }) => way === "covered")), eligible: sum(own) };
}

/** Utilization, waste and savings rate of all that is held in the period; coverage in GPU-hours of the window. */
function portfolioOf(own: readonly Standing[], { covered, eligible }: CoverageNow, currency: string): PlanAnswer["portfolio"] {
  const used = own.reduce((total, { held }) => total + held.usedAttos, 0n);
  const unused = own.reduce((total, { held }) => total + held.unusedAttos, 0n);
  const listed = own.filter(({ held }) => held.listAttos !== null);
  const list = listed.reduce((total, { held }) => total + (held.listAttos ?? 0n), 0n);
  const paid = listed.reduce((total, { held }) => total + held.usedAttos + held.unusedAttos, 0n);
  return {
    utilization: ratioFigure("commitment-utilization", used + unused > 0n ? rational(used, used + unused) : null, "no-commitments"),
    coverage: numberFigure("commitment-coverage", eligible > 0 ? covered / eligible : null, "ratio", "billed"),
    unused: moneyFigure(unused, currency, "billed"),
    savingsRate: ratioFigure("effective-savings-rate", list > 0n ? subtract(ONE, rational(paid, list)) : null, "no-list-price"),
  };
}

// Sentences

function answerOf(best: PlanOption | null, options: readonly PlanOption[], { pool, currency }: Asked, ending: readonly PoolStanding[]): Message {
  const params = { gpu: { text: pool.gpuModel ?? nameOfPool(pool) } };
  if (best === null) return options.length === 0 ? message("commit.answer.no-price", params) : message("commit.answer.none-pays", params);
  const level = best.figures.level.value;
  const facts = {
    ...params, count: { count: typeof level === "number" ? Math.round(level * 1000) / 1000 : 0 }, gpus: { figure: best.figures.level }, option: { message: best.name }, price: { figure: best.figures.price }, saving: { figure: best.figures.saving },
  };
  const renew = options.find(({ id }) => id === "renew");
  if (best.id === "renew") return message("commit.answer.renew", facts);
  if (ending.length > 0 && renew !== undefined && compare(exactPrice(renew), exactPrice(best)) > 0) {
    const [a, b] = [best.figures.saving.value, renew.figures.saving.value];
    const more = typeof a === "bigint" && typeof b === "bigint" ? a - b : 0n;
    return message("commit.answer.instead", { ...facts, renewal: { figure: renew.figures.price }, more: { figure: moneyFigure(more, currency, "assumed") } });
  }
  return message(best.moneyHourly === null ? "commit.answer.buy" : "commit.answer.plan", { ...facts, ...(best.moneyHourly === null ? {} : { money: { figure: best.moneyHourly } }) });
}

function contextOf(best: PlanOption | null, { hasEnding }: Asked): Message[] {
  if (best === null) return [];
  const { saving, breakEven, utilization, exit, breakEvenDrop } = best.figures;
  return [
    ...(hasEnding ? [message("commit.context.saving", { saving: { figure: saving } })] : []),
    message("commit.context.use", { breakEven: { figure: breakEven }, used: { figure: utilization } }),
    ...(typeof exit.value === "number" && exit.value <= best.termMonths ? [message("commit.context.exit", { months: { number: exit.value, digits: 1 }, term: { count: best.termMonths } })] : []),
    ...(breakEvenDrop.value === null ? [] : [message("commit.context.drop", { drop: { figure: breakEvenDrop } })]),
  ];
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

function assumptionsOf({ inputs, window, pool, onDemand, lot, startDay, hasEnding }: Asked, demand: Demand, options: readonly PlanOption[], ofPool: readonly PoolStanding[]): Message[] {
  const unknownEnds = ofPool.filter(({ endDay }) => endDay === null).length;
  const listed = options.filter(({ source }) => source.kind === "list").map(({ source }) => source.date ?? "").sort()[0];
  return [
    message("commit.assume.window", { from: dayParam(dateOf(window.start)), to: dayParam(dateOf(window.end - 1)), hours: { count: demand.knownHours } }),
    message("commit.assume.repeats"),
    ...(hasEnding ? [message("commit.assume.starts", { day: dayParam(dateOf(startDay)) })] : []),
    message(`commit.assume.on-demand.${onDemand.source.kind === "quote" ? "given" : onDemand.source.kind === "bill" ? "billed" : "listed"}`, { day: dayParam(onDemand.source.date) }),
    ...(listed === undefined ? [] : [message("commit.assume.list", { day: dayParam(listed) })]),
    message(inputs.renewsExpiring ? "commit.assume.renewed" : "commit.assume.not-renewed"),
    ...(unknownEnds === 0 ? [] : [message("commit.assume.unknown-ends", { count: { count: unknownEnds } })]),
    ...(inputs.netsExisting ? [] : [message("commit.assume.not-netted")]),
    message("commit.assume.outlook", { growth: { number: inputs.growthPercentAMonth, digits: 1 }, decline: { number: inputs.declinePercentAYear, digits: 0 }, rate: { number: inputs.discountPercentAYear, digits: 1 } }),
    message("commit.assume.month"),
    ...(lot === null ? [] : [message("commit.assume.lot", { gpus: { number: toNumber(lot) } })]),
    ...(pool.gpusAMachine === null ? [message("commit.assume.no-count")] : []),
    message("commit.assume.exclusive"),
  ];
}

// Figures

export function attosOf({ numerator, denominator }: Rational): bigint {
  return divideHalfEven(numerator * 10n ** 18n, denominator);
}

/** A present value is worked out in doubles: to the hundredth of a cent it is exact enough, and says so as an assumption. */
function attosOfNumber(value: number): bigint {
  const text = parseDecimal(value.toFixed(6));
  return text === null ? 0n : attosOf(text);
}

function moneyFigure(attos: bigint | null, currency: string, basis: Basis): Figure {
  return figureOf("spend", attos, currency, basis, 1, "not-stated");
}

function priceFigure(price: Rational, currency: string, basis: Basis): Figure {
  return figureOf("gpu-hour-price", attosOf(price), `${currency}/gpu-hour`, basis, 1);
}

function ratioFigure(metric: MetricId, share: Rational | null, why: Figure["why"] = "no-denominator"): Figure {
  return figureOf(metric, share === null ? null : toNumber(share), "ratio", "derived", 1, why);
}

function numberFigure(metric: MetricId, value: number | null, unit: Unit, basis: Basis): Figure {
  return figureOf(metric, value, unit, basis, 1, "not-stated");
}

function gpuFigure(gpus: Rational, basis: Basis = "derived"): Figure {
  const value = toNumber(gpus);
  return numberFigure("gpu-hours", value, Number.isInteger(value) ? "count" : "gpus", basis);
}
