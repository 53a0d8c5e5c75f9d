/** The AWS SDK behind one function: a request in, a page or its trouble in words out. Credentials are read by the SDK and kept by nobody. */
import {
  CostExplorerClient,
  GetCostAndUsageCommand,
  GetCostForecastCommand,
  GetReservationCoverageCommand,
  GetReservationPurchaseRecommendationCommand,
  GetReservationUtilizationCommand,
  GetSavingsPlansCoverageCommand,
  GetSavingsPlansPurchaseRecommendationCommand,
  GetSavingsPlansUtilizationCommand,
} from "@aws-sdk/client-cost-explorer";
import type { ConnectCall } from "../../shared/contract/connect.ts";
import type { Reply, Request } from "./messages.ts";
import { awsProfiles } from "./profiles.ts";
import { troubleOf } from "./trouble.ts";

/** Cost Explorer is in one region for all accounts of a partition; the SDK finds it from any region of that partition. */
const usualRegion = "us-east-1";
const connectWithinMilliseconds = 10_000;
const answerWithinMilliseconds = 60_000;

interface Call {
  /** The name that the field with the token has, in the question and in the answer; null where an answer is one page. */
  readonly token: "NextPageToken" | "NextToken" | null;
  send(client: CostExplorerClient, input: never): Promise<object>;
}

const calls: Readonly<Record<ConnectCall, Call>> = {
  GetCostAndUsage: { token: "NextPageToken", send: (client, input) => client.send(new GetCostAndUsageCommand(input)) },
  GetReservationUtilization: { token: "NextPageToken", send: (client, input) => client.send(new GetReservationUtilizationCommand(input)) },
  GetReservationCoverage: { token: "NextPageToken", send: (client, input) => client.send(new GetReservationCoverageCommand(input)) },
  GetSavingsPlansUtilization: { token: null, send: (client, input) => client.send(new GetSavingsPlansUtilizationCommand(input)) },
  GetSavingsPlansCoverage: { token: "NextToken", send: (client, input) => client.send(new GetSavingsPlansCoverageCommand(input)) },
  GetReservationPurchaseRecommendation: { token: "NextPageToken", send: (client, input) => client.send(new GetReservationPurchaseRecommendationCommand(input)) },
  GetSavingsPlansPurchaseRecommendation: { token: "NextPageToken", send: (client, input) => client.send(new GetSavingsPlansPurchaseRecommendationCommand(input)) },
  GetCostForecast: { token: null, send: (client, input) => client.send(new GetCostForecastCommand(input)) },
};

/** Answers requests of one profile after another; a client is made at the first of each. */
export function createAsker(): { ask(request: Request): Promise<Reply>; close(): void } {
  // A person's computer is no machine of AWS: without this the SDK would look for one on the network when no login is found.
  process.env["AWS_EC2_METADATA_DISABLED"] ??= "true";
  const clients = new Map<string | null, Promise<CostExplorerClient>>();
  return {
    async ask({ profile, call, question, nextToken }) {
      const { token, send } = calls[call];
      try {
        let client = clients.get(profile);
        if (client === undefined) clients.set(profile, (client = clientOf(profile)));
        const input = nextToken === null || token === null ? question : { ...question, [token]: nextToken };
        const { $metadata: _metadata, ...answer } = (await send(await client, input as never)) as Record<string, unknown>;
        const next = token === null ? undefined : answer[token];
        return { answer: JSON.stringify(answer), nextToken: typeof next === "string" && next !== "" ? next : null };
      } catch (fault) {
        return troubleOf(fault, { profile, call, isKnownProfile: profile === null || awsProfiles().includes(profile) });
      }
    },
    close() {
      for (const client of clients.values()) void client.then((open) => open.destroy());
    },
  };
}

async function clientOf(profile: string | null): Promise<CostExplorerClient> {
  const settings = {
    ...(profile === null ? {} : { profile }),
    // Every attempt is a request that may be paid: whoever counts them tries again, not the SDK.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: connectWithinMilliseconds, requestTimeout: answerWithinMilliseconds, throwOnRequestTimeout: true },
  };
  const client = new CostExplorerClient(settings);
  try {
    await client.config.region();
    return client;
  } catch {
    return new CostExplorerClient({ ...settings, region: usualRegion });
  }
}
