import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { startLocalAws } from "../main/connect/local-aws.ts";
import type { LocalAws } from "../main/connect/local-aws.ts";
import { dialogsAnswer, patience, settled, startJourney } from "./journey.ts";
import type { Journey } from "./journey.ts";

test.describe.configure({ mode: "serial", timeout: patience });

const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-pulled-"));
let aws: LocalAws;
let journey: Journey;
let page: Page;
test.beforeAll(async () => {
  aws = await startLocalAws();
  const { HOME: _home, ...environment } = aws.environment;
  journey = await startJourney(environment);
  ({ page } = journey);
});
test.afterAll(async () => {
  await journey.close();
  await aws.close();
  rmSync(folder, { recursive: true, force: true });
});
test.afterEach(() => {
  expect(journey.complaints).toEqual([]);
});

test("the third door of the first screen says what a pull costs, and sends nothing before the person agrees", async () => {
  await dialogsAnswer(journey.app, { save: join(folder, "mine.gpuledger") });
  await page.getByRole("button", { name: /^Pull from AWS/ }).click();
  const dialog = page.getByRole("dialog", { name: "Pull from AWS" });
  await expect(dialog).toContainText("2 requests at least, $0.02");
  await dialog.getByText("What AWS recommends to buy").click();
  await expect(dialog).toContainText("10 requests at least, $0.10");
  expect(aws.asked).toEqual([]);
  await dialog.getByRole("textbox", { name: /^Requests at most/ }).fill("1");
  await dialog.getByRole("button", { name: "Send, for at most $0.01" }).click();
  await expect(dialog.getByRole("alert")).toContainText("The pull stopped at the number of requests you agreed to (1 sent)");
  expect(aws.asked).toHaveLength(1);
});

test("a pull goes on where it stopped, and what came stands beside the bills", async () => {
  const dialog = page.getByRole("dialog", { name: "Pull from AWS" });
  await dialog.getByRole("button", { name: /^Send, for at most/ }).click();
  await expect(dialog).toHaveCount(0);
  await settled(page);
  expect(aws.asked[1]?.question["NextPageToken"]).toBe("page-two");
  const months = page.getByRole("table", { name: "Cost Explorer" });
  await expect(months).toContainText("$150.00");
  await expect(page.getByRole("table", { name: "By record type" }).getByRole("row", { name: /^Total/ })).toContainText("150.00");
  await expect(page.getByRole("table", { name: "Machines with GPUs" })).toContainText("p5.48xlarge");
  await expect(page.getByRole("table", { name: "What AWS recommends" })).toContainText("$130.25 an hour");
  // The window itself asked nobody for anything, and the process that did is gone.
  const processes = await journey.app.evaluate(({ app }) => app.getAppMetrics().map(({ serviceName, name }) => serviceName ?? name ?? ""));
  expect(processes.filter((name) => name.includes("connection"))).toEqual([]);
});

test("taken out, nothing of it is left but what it cost", async () => {
  await page.getByRole("button", { name: "Take out" }).click();
  await expect(page.getByRole("table", { name: "Cost Explorer" })).toHaveCount(0);
});
