/** What a plan says: its answer, its context, what it assumes. */
import type { ExplorerRecommendation } from "../../../shared/contract/connect.ts";
import type { PlanOption, PoolLine } from "../../../shared/contract/plan.ts";
import type { Message } from "../../../shared/contract/report.ts";
import type { Figure } from "../../../shared/domain/figure.ts";
import { parseAmount } from "../../../shared/domain/money.ts";
import { compare, toNumber } from "../../../shared/domain/rational.ts";
import { dateOf } from "../budgets/calendar.ts";
import { providerOf } from "../reference/type-names.ts";
import { message } from "../reports/context.ts";
import type { Demand } from "./baseline.ts";
import { dayParam, moneyFigure, nameOfPool } from "./figures.ts";
import { type Asked, exactPrice } from "./options.ts";
import type { PoolStanding } from "./standing.ts";

export function answerOf(best: PlanOption | null, options: readonly PlanOption[], { pool, currency }: Asked, ending: readonly PoolStanding[]): Message {
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

/** What stands under the answer: what it saves against on demand only where the answer is held against a renewal. */
export function contextOf(best: PlanOption | null, answer: Message): Message[] {
  if (best === null) return [];
  const { saving, breakEven, utilization, exit, breakEvenDrop } = best.figures;
  return [
    ...(answer.key === "commit.answer.instead" ? [message("commit.context.saving", { saving: { figure: saving } })] : []),
    message("commit.context.use", { breakEven: { figure: breakEven }, used: { figure: utilization } }),
    ...(typeof exit.value === "number" && exit.value <= best.termMonths ? [message("commit.context.exit", { months: { number: exit.value, digits: 1 }, term: { count: best.termMonths } })] : []),
    ...(breakEvenDrop.value === null ? [] : [message("commit.context.drop", { drop: { figure: breakEvenDrop } })]),
  ];
}

export function assumptionsOf({ inputs, window, pool, onDemand, lot, startDay, hasEnding }: Asked, demand: Demand, options: readonly PlanOption[], ofPool: readonly PoolStanding[]): Message[] {
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

/** What AWS recommends for the pool, as it states it: reservations of the machine type, and savings plans, which are for all machines. */
export function adviceOf(recommendations: readonly ExplorerRecommendation[], { provider, instanceType, region, currency }: PoolLine): Message[] {
  if (providerOf(provider) !== "aws") return [];
  return recommendations
    .filter((each) => each.currency === currency && (each.region === null || each.region === region) && (each.kind === "savings-plan" || each.instanceType === instanceType))
    .map(({ kind, termYears, instances, hourlyCommitment, monthlySavings, lookbackDays, generatedAt, askedAt }) => {
      const money = (text: string | null): Figure => moneyFigure(text === null ? null : (parseAmount(text)?.value ?? null), currency, "assumed");
      const facts = { term: { message: message("commit.years", { count: { count: termYears } }) }, saving: { figure: money(monthlySavings) }, days: { count: lookbackDays }, at: { instant: generatedAt ?? askedAt, precision: "day" as const } };
      return kind === "savings-plan" ? message("commit.advice.savings-plan", { ...facts, money: { figure: money(hourlyCommitment) } }) : message("commit.advice.reservation", { ...facts, instances: { text: instances ?? "" }, type: { text: instanceType ?? "" } });
    });
}
