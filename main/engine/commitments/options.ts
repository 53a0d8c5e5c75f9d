/** Every way to buy that is priced, worked out for a pool's usage; and which of them is recommended. */
import type { PaymentKind, PlanInput, PlanInputs, PlanOption, PoolLine, PriceSource, QuoteKind, UsageCurve } from "../../../shared/contract/plan.ts";
import type { Message } from "../../../shared/contract/report.ts";
import type { Basis, Figure } from "../../../shared/domain/figure.ts";
import { add, compare, decimal, fromNumber, isPositive, isZero, multiply, ONE, ratio, type Rational, smaller, subtract, toDecimal, toNumber, whole, ZERO } from "../../../shared/domain/rational.ts";
import { figureOf } from "../metrics/metric.ts";
import { effectiveHourlyOf, HOURS_A_MONTH, type OptionOutcome, type OptionTerms, workOutOption } from "../planning/plan-option.ts";
import { coveredUnitHours, rankedHours, type UsageRank } from "../planning/usage-rank.ts";
import { providerOf } from "../reference/type-names.ts";
import { message } from "../reports/context.ts";
import type { Window } from "./baseline.ts";
import { attosOf, attosOfNumber, datedSource, dayParam, gpuFigure, moneyFigure, numberFigure, priceFigure, ratioFigure } from "./figures.ts";
import type { KnownPrice } from "./prices.ts";
import type { PoolStanding } from "./standing.ts";

export interface OnDemand {
  readonly price: Rational;
  readonly basis: Basis;
  readonly source: PriceSource;
}

export interface Asked {
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

export function isCommitment(price: KnownPrice): price is KnownPrice & { readonly kind: QuoteKind } {
  return price.kind !== "on-demand" && price.kind !== "spot" && isPositive(add(add(price.hourly, price.monthly), price.upfront));
}

export function listCandidate(price: KnownPrice & { readonly kind: QuoteKind }, window: Window): Candidate {
  const { kind, termMonths, payment, isConvertible, upfront, hourly: perHour, monthly, priceDate, source, isOwn } = price;
  return {
    id: `list ${kind} ${termMonths} ${payment ?? ""}${isConvertible ? " convertible" : ""}`, kind, name: optionName(kind, termMonths, payment, isConvertible),
    terms: { termMonths, upfront, hourly: perHour, monthly, monthlyTiming: kind === "subscription" ? "advance" : "arrears", isSavingsPlan: kind === "savings-plan" },
    payment, isConvertible, source: datedSource(isOwn ? "quote" : "list", priceDate, source, window), basis: "assumed", limit: null,
  };
}

export function quoteCandidate({ kind, termMonths, payment, upfront, hourly: perHour, monthly, isConvertible, quotedOn, note }: PlanInputs["quotes"][number], index: number, window: Window): Candidate {
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
export function heldCandidate(standings: readonly PoolStanding[], ending: readonly PoolStanding[], window: Window): Candidate[] {
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
export function renewalCandidate(ending: readonly PoolStanding[], { quotes }: PlanInputs, window: Window): Candidate {
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

export function optionOf(asked: Asked, candidate: Candidate): PlanOption {
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

export function byTerm(a: PlanOption, b: PlanOption): number {
  return a.termMonths - b.termMonths || compareValue(b.figures.price, a.figures.price) || (a.id < b.id ? -1 : 1);
}

export function bySaving(a: PlanOption, b: PlanOption): number {
  return compareValue(b.figures.saving, a.figures.saving) || a.termMonths - b.termMonths || (a.id < b.id ? -1 : 1);
}

function compareValue({ value: a }: Figure, { value: b }: Figure): number {
  if (typeof a !== "bigint" || typeof b !== "bigint") return 0;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The option that saves most; never one that is dearer, or whose price is older than the window unless the person accepts that. At a tie the shorter term. */
export function recommendedOf(options: readonly PlanOption[], { acceptsOldPrices }: PlanInputs): PlanOption | null {
  return options.filter(({ decision, source }) => decision === "commit" && (acceptsOldPrices || !source.isOld)).toSorted(bySaving)[0] ?? null;
}

/** Says at the renewal how it stands to a new purchase of the same term. */
export function withRenewalNote(option: PlanOption, options: readonly PlanOption[]): PlanOption {
  if (option.id !== "renew") return option;
  const rival = cheapestNew(options, option.termMonths);
  if (rival === null) return { ...option, notes: [...option.notes, message("commit.note.no-new-price")] };
  const premium = ratio(subtract(exactPrice(option), exactPrice(rival)), exactPrice(rival));
  if (premium === null || isZero(premium)) return option;
  const note = message(isPositive(premium) ? "commit.note.renewal-above" : "commit.note.renewal-below", { ratio: { ratio: Math.abs(toNumber(premium)) } });
  return { ...option, notes: [...option.notes, note] };
}

export function cheapestNew(options: readonly PlanOption[], termMonths: number): PlanOption | null {
  return options.filter((other) => other.id !== "renew" && other.source.kind !== "current" && other.termMonths === termMonths).toSorted((a, b) => compare(exactPrice(a), exactPrice(b)))[0] ?? null;
}

export function exactPrice({ exact }: PlanOption): Rational {
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

export function unpricedOf({ provider }: PoolLine, options: readonly PlanOption[]): Message[] {
  const id = providerOf(provider);
  const sold = id === null ? soldElsewhere : (soldBy[id] ?? (["alibaba", "tencent", "huawei", "baidu"].includes(id) ? soldInChina : soldElsewhere));
  const isPriced = ([kind, months, payment]: (typeof sold)[number]): boolean => options.some((option) => option.kind === kind && option.termMonths === months && (payment === null || option.payment === payment) && option.source.kind !== "current");
  return sold.filter((each) => !isPriced(each)).map(([kind, months, payment]) => optionName(kind, months, payment, false));
}
