/**
 * Cost Explorer on this computer, for the real SDK: the service's JSON 1.1 protocol over loopback, with answers of the recorded shapes
 * and made-up amounts. The SDK is led here by its own environment variable, AWS_ENDPOINT_URL_COST_EXPLORER.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConnectCall } from "../../../shared/contract/connect.ts";
import { createAsker } from "../../../main/connect/aws.ts";
import type { Connection } from "../../../main/connect/messages.ts";

export interface Asked {
  readonly call: ConnectCall;
  readonly question: Readonly<Record<string, unknown>>;
  readonly authorization: string;
}
/** An answer, or an error as AWS writes it. */
export type Told = Readonly<Record<string, unknown>> | { readonly error: string; readonly message?: string; readonly status?: number };

export interface LocalAws {
  readonly asked: Asked[];
  /** Environment that leads the SDK here, with a login of its own. */
  readonly environment: Readonly<Record<string, string>>;
  /** Changes how one call is answered. */
  tell(call: ConnectCall, answer: (question: Readonly<Record<string, unknown>>, count: number) => Told): void;
  close(): Promise<void>;
}

export async function startLocalAws(): Promise<LocalAws> {
  const asked: Asked[] = [];
  const answers = new Map<ConnectCall, (question: Readonly<Record<string, unknown>>, count: number) => Told>(Object.entries(usualAnswers) as [ConnectCall, (question: Readonly<Record<string, unknown>>) => Told][]);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const call = String(request.headers["x-amz-target"]).replace("AWSInsightsIndexService.", "") as ConnectCall;
      const question = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Readonly<Record<string, unknown>>;
      const count = asked.filter((each) => each.call === call).length;
      asked.push({ call, question, authorization: request.headers.authorization ?? "" });
      const told = answers.get(call)?.(question, count) ?? { error: "UnknownOperationException" };
      response.setHeader("content-type", "application/x-amz-json-1.1");
      if ("error" in told) response.writeHead(typeof told["status"] === "number" ? told["status"] : 400).end(JSON.stringify({ __type: told.error, message: told["message"] ?? "" }));
      else response.end(JSON.stringify(told));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-aws-"));
  writeFileSync(join(folder, "config"), ssoProfile);
  writeFileSync(join(folder, "credentials"), "[team]\naws_access_key_id = AKIDLOCALTEST\naws_secret_access_key = local-secret-of-nobody\n");
  return {
    asked,
    environment: {
      AWS_ENDPOINT_URL_COST_EXPLORER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_ACCESS_KEY_ID: "AKIDLOCALTEST",
      AWS_SECRET_ACCESS_KEY: "local-secret-of-nobody",
      AWS_CONFIG_FILE: join(folder, "config"),
      AWS_SHARED_CREDENTIALS_FILE: join(folder, "credentials"),
      HOME: folder,
    },
    tell: (call, answer) => void answers.set(call, answer),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A profile whose login nobody has made: the SDK looks for its token and finds none. */
const ssoProfile = `[profile team]
region = eu-central-1
[profile signed-out]
sso_session = company
sso_account_id = 111122223333
sso_role_name = Billing
region = eu-central-1
[sso-session company]
sso_start_url = https://company.invalid/start
sso_region = eu-central-1
sso_registration_scopes = sso:account:access
`;

/** The request's process, in this one: the environment is set for the time of the pull. */
export function connectionWith(environment: Readonly<Record<string, string | undefined>>): Connection {
  const before = Object.fromEntries(Object.keys(environment).map((name) => [name, process.env[name]]));
  setAll(environment);
  const { ask, close } = createAsker();
  return {
    send: ask,
    end() {
      close();
      setAll(before);
    },
  };
}

function setAll(environment: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

const money = (Amount: string): object => ({ Amount, Unit: "USD" });

/** A group of one day, with one amount for unblended and net, another for amortized. */
export function group(keys: readonly string[], unblended: string, amortized = unblended, hours?: string): object {
  return {
    Keys: keys,
    Metrics: {
      UnblendedCost: money(unblended),
      NetUnblendedCost: money(unblended),
      AmortizedCost: money(amortized),
      NetAmortizedCost: money(amortized),
      ...(hours === undefined ? {} : { UsageQuantity: { Amount: hours, Unit: "Hrs" } }),
    },
  };
}

export function day(start: string, groups: readonly object[], isEstimated = false): object {
  return { TimePeriod: { Start: start, End: new Date(Date.parse(`${start}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10) }, Total: {}, Groups: groups, Estimated: isEstimated };
}

function monthsBetween({ Start, End }: { readonly Start: string; readonly End: string }): string[] {
  const months: string[] = [];
  for (let at = Start.slice(0, 7); `${at}-01` < End; at = new Date(Date.UTC(Number(at.slice(0, 4)), Number(at.slice(5, 7)), 1)).toISOString().slice(0, 7)) months.push(at);
  return months;
}

const periodOf = (question: Readonly<Record<string, unknown>>): { Start: string; End: string } => question["TimePeriod"] as { Start: string; End: string };
const asksForMachines = (question: Readonly<Record<string, unknown>>): boolean => JSON.stringify(question["GroupBy"]).includes("INSTANCE_TYPE");

/** Amounts have as many digits as AWS gives them, so that a float anywhere on the way would show. */
const usualAnswers: Readonly<Record<ConnectCall, (question: Readonly<Record<string, unknown>>) => Told>> = {
  GetCostAndUsage: (question) => {
    const { Start } = periodOf(question);
    if (asksForMachines(question)) return { ResultsByTime: [day(Start, [group(["p5.48xlarge", "Savings Plans"], "0", "120.0000000001", "24"), group(["m7i.large", "On Demand Instances"], "1.5", "1.5", "24")])] };
    const next = question["NextPageToken"] === undefined;
    const services = next
      ? [group(["Amazon Elastic Compute Cloud - Compute", "Savings Plan Covered Usage"], "200.1234567891", "120.0000000001"), group(["Amazon Elastic Compute Cloud - Compute", "Savings Plan Negation"], "-200.1234567891", "0")]
      : [group(["Savings Plans for AWS Compute usage", "Savings Plan Recurring Fee"], "130.0000000002", "10.0000000001"), group(["Tax", "Tax"], "19.9999999998")];
    return { GroupDefinitions: question["GroupBy"], ResultsByTime: [day(Start, services)], DimensionValueAttributes: [], ...(next ? { NextPageToken: "page-two" } : {}) };
  },
  GetReservationUtilization: () => ({ error: "DataUnavailableException", message: "The requested data is unavailable." }),
  GetReservationCoverage: (question) => ({
    CoveragesByTime: monthsBetween(periodOf(question)).map((month) => ({ TimePeriod: { Start: `${month}-01`, End: `${month}-28` }, Groups: [], Total: { CoverageHours: { OnDemandHours: "24", ReservedHours: "0", TotalRunningHours: "24", CoverageHoursPercentage: "0" } } })),
    Total: {},
  }),
  GetSavingsPlansUtilization: (question) => ({
    SavingsPlansUtilizationsByTime: monthsBetween(periodOf(question)).map((month) => ({
      TimePeriod: { Start: `${month}-01`, End: `${month}-28` },
      Utilization: { TotalCommitment: "130", UsedCommitment: "120", UnusedCommitment: "10", UtilizationPercentage: "92.3076923076923077" },
      Savings: { NetSavings: "70.1234567891", OnDemandCostEquivalent: "200.1234567891" },
      AmortizedCommitment: { AmortizedRecurringCommitment: "130", AmortizedUpfrontCommitment: "0", TotalAmortizedCommitment: "130" },
    })),
    Total: {},
  }),
  GetSavingsPlansCoverage: (question) => ({
    SavingsPlansCoverages: monthsBetween(periodOf(question)).map((month) => ({ Attributes: {}, TimePeriod: { Start: `${month}-01`, End: `${month}-28` }, Coverage: { SpendCoveredBySavingsPlans: "200.1234567891", OnDemandCost: "1.5", TotalCost: "201.6234567891", CoveragePercentage: "99.25604" } })),
  }),
  GetSavingsPlansPurchaseRecommendation: ({ SavingsPlansType, TermInYears, PaymentOption, LookbackPeriodInDays }) => ({
    Metadata: { RecommendationId: "rec-1", GenerationTimestamp: "2026-10-04T03:00:00Z" },
    SavingsPlansPurchaseRecommendation: {
      AccountScope: "PAYER",
      SavingsPlansType,
      TermInYears,
      PaymentOption,
      LookbackPeriodInDays,
      SavingsPlansPurchaseRecommendationDetails: [
        { SavingsPlansDetails: { OfferingId: "offer-1" }, AccountId: "111122223333", UpfrontCost: "0", EstimatedROI: "41.2", CurrencyCode: "USD", EstimatedSPCost: "93600", EstimatedOnDemandCost: "150000", EstimatedSavingsAmount: "52000", EstimatedSavingsPercentage: "34.6", HourlyCommitmentToPurchase: "130.25", EstimatedAverageUtilization: "96.5", EstimatedMonthlySavingsAmount: "52000.75" },
      ],
    },
  }),
  GetReservationPurchaseRecommendation: ({ TermInYears, PaymentOption, LookbackPeriodInDays }) => ({
    Metadata: { RecommendationId: "rec-2", GenerationTimestamp: "2026-10-04T03:00:00Z" },
    Recommendations: [
      {
        AccountScope: "PAYER",
        TermInYears,
        PaymentOption,
        LookbackPeriodInDays,
        RecommendationDetails: [
          { AccountId: "111122223333", InstanceDetails: { EC2InstanceDetails: { Family: "g5", InstanceType: "g5.xlarge", Region: "US East (N. Virginia)", Platform: "Linux/UNIX", Tenancy: "shared", CurrentGeneration: true, SizeFlexEligible: true } }, RecommendedNumberOfInstancesToPurchase: "3", AverageUtilization: "98.1", EstimatedBreakEvenInMonths: "7.4", CurrencyCode: "USD", EstimatedMonthlySavingsAmount: "512.3", EstimatedMonthlySavingsPercentage: "38.2", UpfrontCost: "0", RecurringStandardMonthlyCost: "829.1" },
        ],
      },
    ],
  }),
  GetCostForecast: (question) => ({
    Total: money("300.5"),
    ForecastResultsByTime: monthsBetween(periodOf(question)).map((month) => ({ TimePeriod: { Start: `${month}-01`, End: `${month}-28` }, MeanValue: "100.5", PredictionIntervalLowerBound: "90.1", PredictionIntervalUpperBound: "111.9" })),
  }),
};
