/** What Cost Explorer said, from its pages as they came. Amounts are decimal text there, and stay exact. */
import { priceText, type ExplorerAnswers, type ExplorerCommitments, type ExplorerForecast, type ExplorerMonth, type ExplorerRecommendation } from "../../../shared/contract/connect.ts";
import { formatAttos, parseAmount } from "../../../shared/domain/money.ts";
import { familyKey, familyOfType, providerOf } from "../reference/type-names.ts";
import type { Reference } from "../reference/catalog.ts";
import { isOneOf, query, readAll, sumMoneyOrNull, type Db } from "../store/sql.ts";
import { answersIn, requestsSent, type Answer, type Page } from "./keep.ts";

/** All that shows. The bills of AWS stand beside it and are never added to it. */
export function explorerAnswers(db: Db, reference: Reference): ExplorerAnswers {
  const answers = answersIn(db);
  const sent = requestsSent(db, null);
  return {
    months: monthsIn(answers, awsBills(db, [...new Set(answers.flatMap(({ month }) => (month === null ? [] : [month])))]), (type) => gpuModelOf(reference, type)),
    commitments: commitmentsIn(answers),
    recommendations: recommendationsOf(answers),
    forecast: answers.filter(({ call }) => call === "GetCostForecast").flatMap(forecastOf),
    requestsSent: sent,
    price: priceText(sent),
  };
}

/** What AWS recommends to buy, for whoever compares it with a recommendation of ours. */
export function recommendationsIn(db: Db): readonly ExplorerRecommendation[] {
  return recommendationsOf(answersIn(db));
}

/** What Cost Explorer says a month cost, unblended; null where it was not asked. Of several profiles the one asked last. */
export function explorerUnblended(db: Db, month: string, currency: string): string | null {
  const lines = monthsIn(answersIn(db).filter((answer) => answer.month === month), [], () => null).filter((line) => line.currency === currency);
  return lines.sort((a, b) => compare(b.askedAt, a.askedAt))[0]?.unblended ?? null;
}

const METRICS = ["UnblendedCost", "NetUnblendedCost", "AmortizedCost", "NetAmortizedCost"] as const;
type MetricName = (typeof METRICS)[number];
type Sums = Readonly<Record<MetricName, bigint | null>> & { readonly hours: bigint | null };

interface Group {
  readonly keys: readonly string[];
  readonly currency: string;
  readonly sums: Sums;
}

interface Bill {
  readonly month: string;
  readonly currency: string;
  readonly billed: bigint | null;
  readonly effective: bigint | null;
}

function monthsIn(answers: readonly Answer[], bills: readonly Bill[], modelOf: (instanceType: string) => string | null): ExplorerMonth[] {
  const costs = answers.filter(({ call, month }) => call === "GetCostAndUsage" && month !== null);
  const byServices = costs.filter(({ question }) => !asksFor(question, "INSTANCE_TYPE"));
  const lines = byServices.flatMap((answer): ExplorerMonth[] => {
    const { month, profile } = answer;
    if (month === null) return [];
    const groups = groupsOf(answer);
    const machines = costs.filter((other) => other.month === month && other.profile === profile && asksFor(other.question, "INSTANCE_TYPE")).flatMap(groupsOf);
    return [...new Set(groups.map(({ currency }) => currency))].sort().map((currency) => {
      const own = groups.filter((group) => group.currency === currency);
      const bill = bills.find((line) => line.month === month && line.currency === currency);
      const total = (metric: MetricName): string | null => text(sumOf(own, (sums) => sums[metric]));
      return {
        month,
        profile,
        currency,
        askedAt: answer.askedAt,
        isEstimated: !answer.isFinal,
        unblended: total("UnblendedCost"),
        netUnblended: total("NetUnblendedCost"),
        amortized: total("AmortizedCost"),
        netAmortized: total("NetAmortizedCost"),
        billed: text(bill?.billed ?? null),
        effective: text(bill?.effective ?? null),
        recordTypes: ranked(own, ([, recordType = ""]) => [recordType]).map(({ keys, groups: of }) => ({
          recordType: keys[0] ?? "",
          unblended: text(sumOf(of, (sums) => sums.UnblendedCost)) ?? "0",
          amortized: text(sumOf(of, (sums) => sums.AmortizedCost)) ?? "0",
        })),
        machines: ranked(machines.filter((group) => group.currency === currency && modelOf(group.keys[0] ?? "") !== null), (keys) => keys).map(({ keys: [instanceType = "", purchaseType = ""], groups: of }) => ({
          instanceType,
          purchaseType,
          amortized: text(sumOf(of, (sums) => sums.AmortizedCost)) ?? "0",
          hours: text(sumOf(of, (sums) => sums.hours)) ?? "0",
          gpuModel: modelOf(instanceType),
        })),
      };
    });
  });
  return lines.sort((a, b) => (a.month < b.month ? 1 : a.month > b.month ? -1 : compare(a.profile ?? "", b.profile ?? "") || compare(a.currency, b.currency)));
}

/** Every group of every day of every page, by its currency. */
function groupsOf({ pages }: Answer): Group[] {
  return pages.flatMap((page) =>
    listAt(page, "ResultsByTime").flatMap((result) =>
      listAt(result, "Groups").map((group) => {
        const metrics = recordAt(group, "Metrics");
        const sums = Object.fromEntries(METRICS.map((metric) => [metric, amountAt(recordAt(metrics, metric), "Amount")])) as Record<MetricName, bigint | null>;
        return { keys: (group["Keys"] as readonly string[] | undefined) ?? [], currency: textAt(recordAt(metrics, "UnblendedCost"), "Unit") ?? "USD", sums: { ...sums, hours: amountAt(recordAt(metrics, "UsageQuantity"), "Amount") } };
      }),
    ),
  );
}

/** Groups with the same key added, the largest amortized amount first. */
function ranked(groups: readonly Group[], keyOf: (keys: readonly string[]) => readonly string[]): { readonly keys: readonly string[]; readonly groups: readonly Group[] }[] {
  const byKey = new Map<string, { readonly keys: readonly string[]; readonly groups: Group[] }>();
  for (const group of groups) {
    const keys = keyOf(group.keys);
    const name = JSON.stringify(keys);
    const known = byKey.get(name);
    if (known === undefined) byKey.set(name, { keys, groups: [group] });
    else known.groups.push(group);
  }
  const weight = ({ groups: of }: { readonly groups: readonly Group[] }): bigint => {
    const amount = sumOf(of, (sums) => sums.AmortizedCost) ?? 0n;
    return amount < 0n ? -amount : amount;
  };
  return [...byKey.entries()].sort(([nameA, a], [nameB, b]) => (weight(a) > weight(b) ? -1 : weight(a) < weight(b) ? 1 : compare(nameA, nameB))).map(([, line]) => line);
}

function sumOf(groups: readonly Group[], of: (sums: Sums) => bigint | null): bigint | null {
  let total: bigint | null = null;
  for (const { sums } of groups) {
    const amount = of(sums);
    if (amount !== null) total = total === null ? amount : total + amount;
  }
  return total;
}

function commitmentsIn(answers: readonly Answer[]): ExplorerCommitments[] {
  const lines = new Map<string, ExplorerCommitments>();
  const note = (kind: ExplorerCommitments["kind"], profile: string | null, period: Page, facts: Partial<ExplorerCommitments>): void => {
    const month = textAt(period, "Start")?.slice(0, 7);
    if (month === undefined) return;
    const key = `${month} ${kind} ${profile ?? ""}`;
    const known = lines.get(key) ?? { month, profile, kind, utilizationPercent: null, coveragePercent: null, unused: null, netSavings: null };
    lines.set(key, { ...known, ...facts });
  };
  for (const { call, profile, pages } of answers) {
    for (const page of pages) {
      if (call === "GetReservationUtilization") {
        for (const line of listAt(page, "UtilizationsByTime")) {
          const total = recordAt(line, "Total");
          note("reservation", profile, recordAt(line, "TimePeriod"), { utilizationPercent: textAt(total, "UtilizationPercentage"), unused: textAt(total, "RICostForUnusedHours"), netSavings: textAt(total, "NetRISavings") });
        }
      } else if (call === "GetReservationCoverage") {
        for (const line of listAt(page, "CoveragesByTime")) {
          note("reservation", profile, recordAt(line, "TimePeriod"), { coveragePercent: textAt(recordAt(recordAt(line, "Total"), "CoverageHours"), "CoverageHoursPercentage") });
        }
      } else if (call === "GetSavingsPlansUtilization") {
        for (const line of listAt(page, "SavingsPlansUtilizationsByTime")) {
          const utilization = recordAt(line, "Utilization");
          note("savings-plan", profile, recordAt(line, "TimePeriod"), { utilizationPercent: textAt(utilization, "UtilizationPercentage"), unused: textAt(utilization, "UnusedCommitment"), netSavings: textAt(recordAt(line, "Savings"), "NetSavings") });
        }
      } else if (call === "GetSavingsPlansCoverage") {
        for (const line of listAt(page, "SavingsPlansCoverages")) {
          note("savings-plan", profile, recordAt(line, "TimePeriod"), { coveragePercent: textAt(recordAt(line, "Coverage"), "CoveragePercentage") });
        }
      }
    }
  }
  return [...lines.values()].sort((a, b) => (a.month < b.month ? 1 : a.month > b.month ? -1 : compare(a.kind, b.kind) || compare(a.profile ?? "", b.profile ?? "")));
}

function recommendationsOf(answers: readonly Answer[]): ExplorerRecommendation[] {
  return answers.flatMap((answer) =>
    answer.call === "GetSavingsPlansPurchaseRecommendation" ? answer.pages.flatMap((page) => savingsPlansOf(answer, page))
    : answer.call === "GetReservationPurchaseRecommendation" ? answer.pages.flatMap((page) => reservationsOf(answer, page))
    : [],
  );
}

function savingsPlansOf(answer: Answer, page: Page): ExplorerRecommendation[] {
  const generatedAt = textAt(recordAt(page, "Metadata"), "GenerationTimestamp");
  const recommendation = recordAt(page, "SavingsPlansPurchaseRecommendation");
  return listAt(recommendation, "SavingsPlansPurchaseRecommendationDetails").map((detail) => {
    const plan = recordAt(detail, "SavingsPlansDetails");
    return {
      ...commonOf(answer, recommendation),
      kind: "savings-plan",
      generatedAt,
      product: textAt(recommendation, "SavingsPlansType") ?? "",
      currency: textAt(detail, "CurrencyCode") ?? "USD",
      region: textAt(plan, "Region"),
      instanceType: null,
      instanceFamily: textAt(plan, "InstanceFamily"),
      instances: null,
      hourlyCommitment: textAt(detail, "HourlyCommitmentToPurchase"),
      upfront: textAt(detail, "UpfrontCost"),
      monthlySavings: textAt(detail, "EstimatedMonthlySavingsAmount"),
      savingsPercent: textAt(detail, "EstimatedSavingsPercentage"),
      breakEvenMonths: null,
      averageUtilizationPercent: textAt(detail, "EstimatedAverageUtilization"),
    };
  });
}

function reservationsOf(answer: Answer, page: Page): ExplorerRecommendation[] {
  const generatedAt = textAt(recordAt(page, "Metadata"), "GenerationTimestamp");
  return listAt(page, "Recommendations").flatMap((recommendation) =>
    listAt(recommendation, "RecommendationDetails").map((detail): ExplorerRecommendation => {
      const machine = recordAt(recordAt(detail, "InstanceDetails"), "EC2InstanceDetails");
      return {
        ...commonOf(answer, recommendation),
        kind: "reservation",
        generatedAt,
        product: textAt(answer.question, "Service") ?? "",
        currency: textAt(detail, "CurrencyCode") ?? "USD",
        region: textAt(machine, "Region"),
        instanceType: textAt(machine, "InstanceType"),
        instanceFamily: textAt(machine, "Family"),
        instances: textAt(detail, "RecommendedNumberOfInstancesToPurchase"),
        hourlyCommitment: null,
        upfront: textAt(detail, "UpfrontCost"),
        monthlySavings: textAt(detail, "EstimatedMonthlySavingsAmount"),
        savingsPercent: textAt(detail, "EstimatedMonthlySavingsPercentage"),
        breakEvenMonths: textAt(detail, "EstimatedBreakEvenInMonths"),
        averageUtilizationPercent: textAt(detail, "AverageUtilization"),
      };
    }),
  );
}

function commonOf({ profile, askedAt, question }: Answer, recommendation: Page): Pick<ExplorerRecommendation, "profile" | "askedAt" | "termYears" | "payment" | "lookbackDays"> {
  const stated = (name: string): string | null => textAt(recommendation, name) ?? textAt(question, name);
  return {
    profile,
    askedAt,
    termYears: stated("TermInYears") === "THREE_YEARS" ? 3 : 1,
    payment: stated("PaymentOption") ?? "",
    lookbackDays: { SEVEN_DAYS: 7, THIRTY_DAYS: 30, SIXTY_DAYS: 60 }[stated("LookbackPeriodInDays") ?? ""] ?? 0,
  };
}

function forecastOf({ pages, profile, askedAt }: Answer): ExplorerForecast[] {
  return pages.flatMap((page) => {
    const currency = textAt(recordAt(page, "Total"), "Unit") ?? "USD";
    return listAt(page, "ForecastResultsByTime").flatMap((line): ExplorerForecast[] => {
      const [month, mean] = [textAt(recordAt(line, "TimePeriod"), "Start")?.slice(0, 7), textAt(line, "MeanValue")];
      if (month === undefined || mean === null) return [];
      return [{ month, profile, currency, mean, low: textAt(line, "PredictionIntervalLowerBound"), high: textAt(line, "PredictionIntervalUpperBound"), askedAt }];
    });
  });
}

/** What the bills of AWS say by billing month. */
function awsBills(db: Db, months: readonly string[]): Bill[] {
  interface Row extends Bill {
    readonly provider: string | null;
  }
  const rows = readAll(db, query<Row>("month", "provider", "currency", "billed", "effective")`-- connect.bills
    SELECT c.Month AS month, s.ProviderName AS provider, s.BillingCurrency AS currency, ${sumMoneyOrNull("BilledCost", "c")} AS billed, ${sumMoneyOrNull("EffectiveCost", "c")} AS effective
    FROM charge_month_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE ${isOneOf("Month", months, "c")}
    GROUP BY c.Month, s.ProviderName, s.BillingCurrency
    ORDER BY c.Month, s.ProviderName, s.BillingCurrency`);
  const bills = new Map<string, Bill>();
  for (const { month, provider, currency, billed, effective } of rows) {
    if (providerOf(provider) !== "aws") continue;
    const key = `${month} ${currency}`;
    const known = bills.get(key);
    const sum = (a: bigint | null, b: bigint | null): bigint | null => (a === null ? b : b === null ? a : a + b);
    bills.set(key, known === undefined ? { month, currency, billed, effective } : { month, currency, billed: sum(known.billed, billed), effective: sum(known.effective, effective) });
  }
  return [...bills.values()];
}

function gpuModelOf({ lookups }: Reference, instanceType: string): string | null {
  const family = familyOfType("aws", instanceType);
  return family === null ? null : (lookups.familyByKey.get(familyKey("aws", family))?.model ?? null);
}

function asksFor(question: Page, key: string): boolean {
  return listAt(question, "GroupBy").some((group) => group["Key"] === key);
}

// AWS leaves out what it has no value for: every field is looked for, none is taken for granted.

function recordAt(record: Page, name: string): Page {
  const value = record[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Page) : {};
}

function listAt(record: Page, name: string): readonly Page[] {
  const value = record[name];
  return Array.isArray(value) ? value.filter((item): item is Page => typeof item === "object" && item !== null) : [];
}

function textAt(record: Page, name: string): string | null {
  const value = record[name];
  return typeof value === "string" && value !== "" ? value : null;
}

function amountAt(record: Page, name: string): bigint | null {
  const stated = textAt(record, name);
  return stated === null ? null : (parseAmount(stated)?.value ?? null);
}

function text(attos: bigint | null): string | null {
  return attos === null ? null : formatAttos(attos);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
