/** The commitments that are held, as they are shown: use, waste, end, and the check of a renewal. */
import type { CommitmentLine, PlanAnswer, PlanInputs, PlanOption, PoolLine } from "../../../shared/contract/plan.ts";
import { decimal, multiply, ONE, rational, type Rational, subtract, whole, ZERO } from "../../../shared/domain/rational.ts";
import { dateOf } from "../budgets/calendar.ts";
import { figureOf } from "../metrics/metric.ts";
import { expiryState } from "../planning/expiry.ts";
import { renewalCheck, sunkCommitment } from "../planning/offer.ts";
import { HOURS_A_MONTH } from "../planning/plan-option.ts";
import { poolText, type PoolUse } from "./baseline.ts";
import { attosOf, gpuFigure, moneyFigure, numberFigure, priceFigure, ratioFigure } from "./figures.ts";
import { type Asked, cheapestNew, exactPrice } from "./options.ts";
import type { Standing } from "./standing.ts";

export function commitmentLine(standing: Standing, asked: Asked, options: readonly PlanOption[], pool: string): CommitmentLine {
  const { held, term, contract, rate, gpus, endDay, startDay } = standing;
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
    termSource: contract,
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

export function coverageNow(used: readonly PoolUse[], pool: PoolLine): CoverageNow {
  const own = used.filter((use) => use.currency === pool.currency && use.way !== "spot");
  const sum = (of: readonly PoolUse[]): number => of.reduce((total, { gpuHours }) => total + gpuHours, 0);
  return { covered: sum(own.filter(({ way }) => way === "covered")), eligible: sum(own) };
}

/** Utilization, waste and savings rate of all that is held in the period; coverage in GPU-hours of the window. */
export function portfolioOf(own: readonly Standing[], { covered, eligible }: CoverageNow, currency: string): PlanAnswer["portfolio"] {
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
