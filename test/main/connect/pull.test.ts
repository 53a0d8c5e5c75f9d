import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "rolldown";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { childConnection } from "../../../main/connect/connection.ts";
import type { Connection } from "../../../main/connect/messages.ts";
import { createPuller } from "../../../main/connect/puller.ts";
import { createEngine, type Engine } from "../../../main/engine/serve.ts";
import type { PullOrder, PullOutcome, PullPart } from "../../../shared/contract/connect.ts";
import type { Result } from "../../../shared/result.ts";
import { focusBill } from "../engine/import/bills-of.ts";
import { connectionWith, startLocalAws, type LocalAws } from "./local-aws.ts";

const resourcesFolder = join(import.meta.dirname, "../../../resources");
let folder = "";
let aws: LocalAws;
let engine: Engine;
let now = new Date("2026-10-05T12:00:00Z");
const waited: number[] = [];

beforeEach(async () => {
  now = new Date("2026-10-05T12:00:00Z");
  waited.length = 0;
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-pull-"));
  aws = await startLocalAws();
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder, jobRunner: "inline", emit: () => undefined, now: () => now });
  await engine.ask("ledger.open", { file: join(folder, "mine.gpuledger"), create: true });
});
afterEach(async () => {
  await engine.close();
  await aws.close();
  rmSync(folder, { recursive: true, force: true });
});

const september: PullOrder = { period: "2026-09", profile: null, parts: ["costs"], isRefresh: false, mostRequests: 100 };

function puller(connect: () => Connection = () => connectionWith(aws.environment)) {
  return createPuller({
    ask: (name, input) => engine.ask(name, input),
    connect,
    progress: () => undefined,
    reference: () => "test",
    wait: (milliseconds) => {
      waited.push(milliseconds);
      return Promise.resolve();
    },
  });
}

async function outcomeOf(pulled: Promise<Result<PullOutcome | null>>): Promise<PullOutcome> {
  const result = await pulled;
  if (!result.ok || result.value === null) throw new Error(JSON.stringify(result));
  return result.value;
}

async function answers() {
  const read = await engine.ask("connect.read", {});
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
}

describe("a pull", () => {
  it("asks page after page, keeps every digit, and signs with the login it found", async () => {
    const outcome = await outcomeOf(puller()(september));
    // Two questions for a month by day, of which one has two pages.
    expect(outcome).toEqual({ requestsSent: 3, price: "0.03", answered: 2, asked: 2, state: "done", error: null, refused: [] });
    expect(aws.asked.map(({ question }) => question["NextPageToken"])).toEqual([undefined, "page-two", undefined]);
    expect(aws.asked[0]?.question).toEqual({
      TimePeriod: { Start: "2026-09-01", End: "2026-10-01" },
      Granularity: "DAILY",
      Metrics: ["UnblendedCost", "NetUnblendedCost", "AmortizedCost", "NetAmortizedCost"],
      GroupBy: [{ Type: "DIMENSION", Key: "SERVICE" }, { Type: "DIMENSION", Key: "RECORD_TYPE" }],
    });
    expect(aws.asked[0]?.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDLOCALTEST\/\d{8}\/us-east-1\/ce\/aws4_request/);

    const { months, requestsSent } = await answers();
    expect(requestsSent).toBe(3);
    expect(months).toHaveLength(1);
    expect(months[0]).toMatchObject({
      month: "2026-09",
      currency: "USD",
      isEstimated: false,
      unblended: "150",
      amortized: "150",
      billed: null,
      effective: null,
      machines: [{ instanceType: "p5.48xlarge", purchaseType: "Savings Plans", amortized: "120.0000000001", hours: "24", gpuModel: "H100" }],
    });
    expect(months[0]?.recordTypes).toEqual([
      { recordType: "Savings Plan Covered Usage", unblended: "200.1234567891", amortized: "120.0000000001" },
      { recordType: "Tax", unblended: "19.9999999998", amortized: "19.9999999998" },
      { recordType: "Savings Plan Recurring Fee", unblended: "130.0000000002", amortized: "10.0000000001" },
      { recordType: "Savings Plan Negation", unblended: "-200.1234567891", amortized: "0" },
    ]);
  });

  it("says before what it costs, and asks nothing twice", async () => {
    const plan = await engine.ask("connect.plan", { period: "2026-Q3", profile: null, parts: ["costs"], isRefresh: false });
    expect(plan).toMatchObject({ ok: true, value: { months: ["2026-07", "2026-08", "2026-09"], requestsToSend: 6, price: "0.06", mostRequests: 18, requestsSent: 0 } });
    await puller()(september);
    now = new Date("2026-11-20T12:00:00Z");
    expect(await engine.ask("connect.plan", { period: "2026-Q3", profile: null, parts: ["costs"], isRefresh: false })).toMatchObject({ ok: true, value: { requestsToSend: 4, requestsSent: 0 } });
    expect(await outcomeOf(puller()(september))).toMatchObject({ requestsSent: 0, price: "0.00", asked: 0, state: "done" });
    expect(aws.asked).toHaveLength(3);
    // Unless the person wants it.
    expect(await outcomeOf(puller()({ ...september, isRefresh: true }))).toMatchObject({ requestsSent: 3 });
    expect((await answers()).months).toHaveLength(1);
  });

  it("asks a running month again after half a day, and the whole month once it is over", async () => {
    const october: PullOrder = { ...september, period: "2026-10" };
    await puller()(october);
    expect(aws.asked[0]?.question["TimePeriod"]).toEqual({ Start: "2026-10-01", End: "2026-10-05" });
    expect(await outcomeOf(puller()(october))).toMatchObject({ requestsSent: 0 });
    now = new Date("2026-10-06T12:00:00Z");
    expect(await outcomeOf(puller()(october))).toMatchObject({ requestsSent: 3 });
    now = new Date("2026-11-20T12:00:00Z");
    expect(await outcomeOf(puller()(october))).toMatchObject({ requestsSent: 3 });
    expect(aws.asked.at(-1)?.question["TimePeriod"]).toEqual({ Start: "2026-10-01", End: "2026-11-01" });
    expect((await answers()).months.map(({ month, unblended }) => [month, unblended])).toEqual([["2026-10", "150"]]);
  });

  it("never sends more than was agreed to, and goes on from the page where it stopped", async () => {
    const stopped = await outcomeOf(puller()({ ...september, mostRequests: 1 }));
    expect(stopped).toMatchObject({ requestsSent: 1, answered: 0, asked: 2, state: "limit", error: { code: "connect.limit" } });
    expect((await answers()).months).toEqual([]);
    expect(await outcomeOf(puller()(september))).toMatchObject({ requestsSent: 2, answered: 2, state: "done" });
    expect(aws.asked.map(({ question }) => question["NextPageToken"])).toEqual([undefined, "page-two", undefined]);
    expect((await answers()).months[0]?.unblended).toBe("150");
  });

  it("begins an answer anew when AWS no longer knows the page", async () => {
    await puller()({ ...september, mostRequests: 1 });
    const usual: unknown[] = [];
    aws.tell("GetCostAndUsage", (question) => {
      if (question["NextPageToken"] === "page-two" && usual.length === 0) {
        usual.push(question);
        return { error: "InvalidNextTokenException", message: "The pagination token is invalid." };
      }
      return { ResultsByTime: [] };
    });
    expect(await outcomeOf(puller()(september))).toMatchObject({ requestsSent: 3, answered: 2, state: "done" });
    expect(aws.asked.slice(1).map(({ question }) => question["NextPageToken"])).toEqual(["page-two", undefined, undefined]);
  });

  it("waits when it is throttled, counts every try, and goes on", async () => {
    let left = 2;
    aws.tell("GetCostAndUsage", (question) => (JSON.stringify(question).includes("INSTANCE_TYPE") && left-- > 0 ? { error: "ThrottlingException", message: "Rate exceeded" } : { ResultsByTime: [] }));
    expect(await outcomeOf(puller()(september))).toMatchObject({ requestsSent: 4, answered: 2, state: "done" });
    expect(waited).toEqual([1000, 3000]);
  });

  it("keeps an earlier answer until the new one is whole", async () => {
    await puller()(september);
    aws.tell("GetCostAndUsage", (question) => (question["NextPageToken"] === undefined ? { ResultsByTime: [], NextPageToken: "more" } : { error: "InternalServerException", status: 500 }));
    expect(await outcomeOf(puller()({ ...september, isRefresh: true }))).toMatchObject({ state: "stopped", error: { code: "connect.refused" } });
    expect((await answers()).months[0]?.unblended).toBe("150");
  });

  it("is never added to the bill of the same month: both stand beside each other", async () => {
    writeFileSync(join(folder, "bill.csv"), focusBill([{ day: "2026-09-01", cost: "149.5" }]));
    const preview = await engine.ask("import.preview", { files: [join(folder, "bill.csv")], options: {} });
    if (!preview.ok) throw new Error(preview.error.code);
    await engine.ask("import.post", { plan: preview.value.plan });
    const before = await engine.ask("totals.read", { period: "2026-09", by: ["month", "provider"] });
    await puller()({ ...september, parts: ["costs", "commitments", "recommendations", "forecast"] });
    expect(await engine.ask("totals.read", { period: "2026-09", by: ["month", "provider"] })).toEqual(before);
    expect((await answers()).months[0]).toMatchObject({ unblended: "150", billed: "149.5" });
    // And it can be taken out again, but not what it cost.
    await engine.ask("connect.forget", {});
    expect(await answers()).toMatchObject({ months: [], recommendations: [], requestsSent: 16 });
  });

  it("reads commitments, recommendations and the forecast as AWS states them", async () => {
    const outcome = await outcomeOf(puller()({ ...september, parts: ["commitments", "recommendations", "forecast"] }));
    expect(outcome).toMatchObject({ answered: 13, asked: 13, state: "done" });
    const { commitments, recommendations, forecast } = await answers();
    expect(commitments).toEqual([
      // There are no reservations: AWS says that the data are not there, which is no error.
      { month: "2026-09", profile: null, kind: "reservation", utilizationPercent: null, coveragePercent: "0", unused: null, netSavings: null },
      { month: "2026-09", profile: null, kind: "savings-plan", utilizationPercent: "92.3076923076923077", coveragePercent: "99.25604", unused: "10", netSavings: "70.1234567891" },
    ]);
    expect(recommendations.filter(({ kind, termYears, payment }) => kind === "savings-plan" && termYears === 3 && payment === "NO_UPFRONT")).toMatchObject([
      { product: "COMPUTE_SP", lookbackDays: 30, currency: "USD", hourlyCommitment: "130.25", monthlySavings: "52000.75", generatedAt: "2026-10-04T03:00:00Z" },
    ]);
    expect(recommendations.filter(({ kind }) => kind === "reservation")).toHaveLength(4);
    expect(forecast.map(({ month, mean, low, high }) => [month, mean, low, high])).toEqual(["2026-10", "2026-11", "2026-12"].map((month) => [month, "100.5", "90.1", "111.9"]));
    expect(aws.asked.find(({ call }) => call === "GetCostForecast")?.question).toEqual({ TimePeriod: { Start: "2026-10-05", End: "2027-01-01" }, Metric: "UNBLENDED_COST", Granularity: "MONTHLY", PredictionIntervalLevel: 80 });
  });

  it("makes the calls that it may, and says which it may not", async () => {
    aws.tell("GetCostForecast", () => ({ error: "AccessDeniedException", message: "User is not authorized to perform: ce:GetCostForecast" }));
    const outcome = await outcomeOf(puller()({ ...september, parts: ["costs", "forecast"] }));
    expect(outcome).toMatchObject({ answered: 2, asked: 3, state: "done", refused: [{ code: "connect.access-denied", params: { action: "ce:GetCostForecast" } }] });
  });

  it("writes no key of the login into the ledger", async () => {
    await puller()({ ...september, profile: "team" });
    await engine.close();
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of files) {
      const bytes = readFileSync(join(parentPath, name)).toString("latin1");
      expect(bytes.includes("AKIDLOCALTEST") || bytes.includes("local-secret"), name).toBe(false);
    }
  });
});

describe("trouble", () => {
  const cases: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ["access denied", { error: "AccessDeniedException", message: "User: x is not authorized to perform: ce:GetCostAndUsage" }, "connect.access-denied"],
    ["not enabled", { error: "AccessDeniedException", message: "User not enabled for cost explorer access" }, "connect.not-enabled"],
    ["no data yet", { error: "DataUnavailableException", message: "Data is not available. Please try to adjust the time period." }, "connect.no-data"],
    ["an expired login", { error: "ExpiredTokenException", message: "The security token included in the request is expired" }, "connect.login-expired"],
    ["keys that are gone", { error: "UnrecognizedClientException", message: "The security token included in the request is invalid." }, "connect.keys-invalid"],
    ["a wrong clock", { error: "InvalidSignatureException", message: "Signature expired: 20260901T000000Z is now earlier than 20261001T000000Z" }, "connect.clock-wrong"],
    ["throttling without end", { error: "ThrottlingException", message: "Rate exceeded" }, "connect.throttled"],
    ["a limit", { error: "LimitExceededException", message: "You made too many calls in a short period of time." }, "connect.throttled"],
    ["anything else", { error: "BillExpirationException", message: "The requested report expired." }, "connect.refused"],
  ];
  it.each(cases)("names %s", async (_, told, code) => {
    aws.tell("GetCostAndUsage", () => told);
    const outcome = await outcomeOf(puller()(september));
    expect(outcome).toMatchObject({ answered: 0, state: "stopped", error: { code } });
    // What was sent is counted, and asked anew the next time.
    expect((await answers()).requestsSent).toBe(aws.asked.length);
    expect(await engine.ask("connect.plan", { period: "2026-09", profile: null, parts: ["costs"], isRefresh: false })).toMatchObject({ ok: true, value: { requestsToSend: 2 } });
  });

  const signedOut = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined };
  it.each([
    ["no login at all", null, "connect.no-login"],
    ["a profile that is not there", "nowhere", "connect.profile-unknown"],
    ["an SSO profile that is signed out", "signed-out", "connect.login-expired"],
  ] as const)("names %s, and counts no request for it", async (_, profile, code) => {
    const outcome = await outcomeOf(puller(() => connectionWith({ ...aws.environment, ...signedOut }))({ ...september, profile }));
    expect(outcome).toMatchObject({ requestsSent: 0, state: "stopped", error: { code } });
    expect(aws.asked).toEqual([]);
  });

  it("names an AWS that cannot be reached", async () => {
    await aws.close();
    expect(await outcomeOf(puller()(september))).toMatchObject({ requestsSent: 0, state: "stopped", error: { code: "connect.unreachable" } });
    expect(waited).toEqual([1000, 3000, 9000]);
    aws = await startLocalAws();
  });

  it("refuses a period that Cost Explorer does not hold", async () => {
    const parts: PullPart[] = ["costs"];
    expect(await engine.ask("connect.plan", { period: "2024-01", profile: null, parts, isRefresh: false })).toMatchObject({ ok: false, error: { code: "connect.period-beyond", params: { period: "2024-01", from: "2025-10" } } });
    expect(await engine.ask("connect.plan", { period: "2025", profile: null, parts, isRefresh: false })).toMatchObject({ ok: true, value: { months: ["2025-10", "2025-11", "2025-12"] } });
  });

  it("runs one pull at a time, and ends it when the person cancels", async () => {
    const pull = puller();
    aws.tell("GetCostAndUsage", () => {
      void pull(null);
      return { ResultsByTime: [], NextPageToken: "more" };
    });
    const running = pull(september);
    expect(await pull(september)).toMatchObject({ ok: false, error: { code: "connect.busy" } });
    expect(await outcomeOf(running)).toMatchObject({ requestsSent: 1, state: "cancelled" });
  });
});

it("works in a process of its own, which ends with the pull", async () => {
  await build({ input: join(import.meta.dirname, "../../../main/connect/process.ts"), platform: "node", output: { dir: join(folder, "built"), entryFileNames: "connect.mjs", chunkFileNames: "[name]-[hash].mjs" }, logLevel: "silent" });
  const before = { ...process.env };
  Object.assign(process.env, aws.environment);
  try {
    const outcome = await outcomeOf(puller(() => childConnection(pathToFileURL(join(folder, "built/connect.mjs"))))(september));
    expect(outcome).toMatchObject({ requestsSent: 3, state: "done" });
    expect((await answers()).months[0]?.unblended).toBe("150");
  } finally {
    process.env = before;
  }
}, 60_000);
