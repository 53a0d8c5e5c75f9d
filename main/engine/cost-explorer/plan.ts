/** What a pull would ask of Cost Explorer, before anything is sent: pure, with what the ledger keeps already. */
import { PRICE_PER_REQUEST, priceText, type ConnectCall, type PlannedRequest, type PullPart, type PullPlan, type PullWish } from "../../../shared/contract/connect.ts";
import { monthsOf, parsePeriod } from "../../../shared/domain/period.ts";

/** A request as the ledger keeps it. */
export interface KeptRequest {
  readonly slot: string;
  readonly question: string;
  readonly nextToken: string | null;
  readonly isDone: boolean;
  readonly isFinal: boolean;
  readonly askedAt: string;
  readonly pages: number;
}

/** Months before the running one that Cost Explorer holds by day (formats/billing.md 2.6). */
const MONTHS_BACK = 12;
/** AWS refreshes its figures up to three times a day: what is younger is not asked again. */
const FRESH_MILLISECONDS = 12 * 3_600_000;
/** A page that AWS gave a token for is taken up again within a day, later from its start: tokens end. */
const TOKEN_MILLISECONDS = 24 * 3_600_000;

/** How many pages a question may have before the person is asked again. */
const PAGES_AGREED = 3;

const METRICS = ["UnblendedCost", "NetUnblendedCost", "AmortizedCost", "NetAmortizedCost"] as const;
/** The service name by which Cost Explorer knows machines. */
const COMPUTE = "Amazon Elastic Compute Cloud - Compute";

/** null when none of the period lies within what Cost Explorer holds; `from` says where that begins. */
export function planPull(wish: PullWish, now: Date, kept: readonly KeptRequest[], requestsSent: number): { readonly plan: PullPlan | null; readonly from: string } {
  const today = now.toISOString().slice(0, 10);
  const from = monthBefore(today.slice(0, 7), MONTHS_BACK);
  const period = parsePeriod(wish.period);
  const all = period === null ? [] : monthsOf(period);
  // On the first of a month nothing of it is over yet.
  const months = all.filter((month) => month >= from && `${month}-01` < today);
  const isForecastAlone = wish.parts.every((part) => part === "forecast" || part === "recommendations");
  if (months.length === 0 && !isForecastAlone) return { plan: null, from };
  const asked = questionsOf(wish.parts, months, today);
  const requests = asked.map((question) => withWhatIsKept(question, wish, now, kept));
  const requestsToSend = requests.filter(({ state }) => state !== "kept").length;
  const plan: PullPlan = {
    period: wish.period,
    profile: wish.profile,
    months,
    monthsLeftOut: all.filter((month) => !months.includes(month)),
    requests,
    requestsToSend,
    price: priceText(requestsToSend),
    mostRequests: Math.max(1, requestsToSend * PAGES_AGREED),
    pricePerRequest: PRICE_PER_REQUEST,
    requestsSent,
  };
  return { plan, from };
}

interface Asked {
  readonly part: PullPart;
  readonly call: ConnectCall;
  readonly month: string | null;
  /** What tells it from others of the same call. */
  readonly variant: string;
  readonly question: Readonly<Record<string, unknown>>;
}

function questionsOf(parts: readonly PullPart[], months: readonly string[], today: string): Asked[] {
  const asked: Asked[] = [];
  if (parts.includes("costs")) for (const month of months) asked.push(...costsOf(month, today));
  const [first] = months;
  if (parts.includes("commitments") && first !== undefined) asked.push(...commitmentsOf(spanOf(first, months.at(-1) ?? first, today), `${first}/${months.at(-1) ?? first}`));
  if (parts.includes("recommendations")) asked.push(...recommendations());
  if (parts.includes("forecast")) asked.push(forecastFrom(today));
  return asked;
}

/** A month by day: every service by record type, and machines by type and way of buying. Two groups at most are allowed. */
function costsOf(month: string, today: string): Asked[] {
  const common = { TimePeriod: spanOf(month, month, today), Granularity: "DAILY" };
  const by = (...keys: readonly string[]): readonly object[] => keys.map((Key) => ({ Type: "DIMENSION", Key }));
  return [
    { part: "costs", call: "GetCostAndUsage", month, variant: "services", question: { ...common, Metrics: METRICS, GroupBy: by("SERVICE", "RECORD_TYPE") } },
    {
      part: "costs",
      call: "GetCostAndUsage",
      month,
      variant: "machines",
      // Usage adds up over units; running hours are one unit.
      question: {
        ...common,
        Metrics: [...METRICS, "UsageQuantity"],
        GroupBy: by("INSTANCE_TYPE", "PURCHASE_TYPE"),
        Filter: { And: [{ Dimensions: { Key: "SERVICE", Values: [COMPUTE] } }, { Dimensions: { Key: "USAGE_TYPE_GROUP", Values: ["EC2: Running Hours"] } }] },
      },
    },
  ];
}

function commitmentsOf(TimePeriod: Span, variant: string): Asked[] {
  const question = { TimePeriod, Granularity: "MONTHLY" };
  const calls = ["GetReservationUtilization", "GetReservationCoverage", "GetSavingsPlansUtilization", "GetSavingsPlansCoverage"] as const;
  return calls.map((call) => ({ part: "commitments", call, month: null, variant, question }));
}

/** Both terms, without and with all of it paid first, from the last thirty days. */
function recommendations(): Asked[] {
  const LookbackPeriodInDays = "THIRTY_DAYS";
  return (["ONE_YEAR", "THREE_YEARS"] as const).flatMap((TermInYears) =>
    (["NO_UPFRONT", "ALL_UPFRONT"] as const).flatMap((PaymentOption): Asked[] => [
      { part: "recommendations", call: "GetSavingsPlansPurchaseRecommendation", month: null, variant: `COMPUTE_SP/${TermInYears}/${PaymentOption}`, question: { SavingsPlansType: "COMPUTE_SP", TermInYears, PaymentOption, LookbackPeriodInDays } },
      { part: "recommendations", call: "GetReservationPurchaseRecommendation", month: null, variant: `EC2/${TermInYears}/${PaymentOption}`, question: { Service: COMPUTE, TermInYears, PaymentOption, LookbackPeriodInDays } },
    ]),
  );
}

/** The running month from today, and the two after it. */
function forecastFrom(today: string): Asked {
  const End = `${monthBefore(today.slice(0, 7), -3)}-01`;
  return { part: "forecast", call: "GetCostForecast", month: null, variant: "three-months", question: { TimePeriod: { Start: today, End }, Metric: "UNBLENDED_COST", Granularity: "MONTHLY", PredictionIntervalLevel: 80 } };
}

interface Span {
  readonly Start: string;
  /** Excluded; not after today, as AWS asks for it of commitments. */
  readonly End: string;
}
function spanOf(first: string, last: string, today: string): Span {
  const end = `${monthBefore(last, -1)}-01`;
  return { Start: `${first}-01`, End: end < today ? end : today };
}

function withWhatIsKept({ part, call, month, variant, question }: Asked, { profile, isRefresh }: PullWish, now: Date, kept: readonly KeptRequest[]): PlannedRequest {
  const slot = [call, variant, month ?? "", profile ?? ""].join("|");
  const base = { slot, part, call, month, question };
  const age = (request: KeptRequest): number => now.getTime() - Date.parse(request.askedAt);
  const begun = kept.find((request) => request.slot === slot && !request.isDone);
  if (begun !== undefined && begun.question === JSON.stringify(question) && begun.nextToken !== null && age(begun) < TOKEN_MILLISECONDS) {
    return { ...base, state: "begun", nextToken: begun.nextToken, pagesKept: begun.pages };
  }
  const done = kept.find((request) => request.slot === slot && request.isDone);
  // Of a month that was running when it was asked, the whole is another question.
  const isGood = done !== undefined && ((done.isFinal && done.question === JSON.stringify(question)) || age(done) < FRESH_MILLISECONDS) && !isRefresh;
  return { ...base, state: done === undefined ? "new" : isGood ? "kept" : "old", nextToken: null, pagesKept: done?.pages ?? 0 };
}

/** The label of the month `count` before; after it where the count is below 0. */
function monthBefore(month: string, count: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 - count;
  return `${String(Math.floor(index / 12)).padStart(4, "0")}-${String((index % 12) + 1).padStart(2, "0")}`;
}
