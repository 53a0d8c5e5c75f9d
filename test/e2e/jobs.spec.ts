import { readFileSync, rmSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
import { dialogsAnswer, goTo, openSample, patience, settled, startJourney } from "./journey.ts";
import type { Journey } from "./journey.ts";

test.describe.configure({ mode: "serial", timeout: patience });

let journey: Journey;
let page: Page;
let folder = "";
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-e2e-jobs-"));
  journey = await startJourney();
  ({ page } = journey);
  await openSample(page);
  await goTo(page, "efficiency");
});
test.afterAll(async () => {
  await journey.close();
  rmSync(folder, { recursive: true, force: true });
});
test.afterEach(() => {
  expect(journey.complaints).toEqual([]);
});

const section = (): Locator => page.getByRole("region", { name: "Jobs" });
const table = (): Locator => section().getByRole("table", { name: "Jobs" });
/** The cents of an amount as it stands on the page. */
const cents = (text: string): number => Math.round(Number(text.replaceAll(/[^\d.-]/g, "")) * 100);

test("the jobs of the month stand with what they held and cost; with what no job held they are the machines' bill", async () => {
  await section().scrollIntoViewIfNeeded();
  await expect(section().locator(".tile")).toHaveCount(5);
  await expect(section().locator(".tile").first()).toContainText(/\d+ jobs/);
  const foot = table().locator(".job-foot");
  await expect(foot).toHaveCount(3);
  const cost = async (row: number): Promise<number> => cents((await foot.nth(row).getByRole("cell").allInnerTexts()).at(-9) ?? "");
  const [jobs, nobody, machines] = [await cost(0), await cost(1), await cost(2)];
  expect(jobs).toBeGreaterThan(0);
  // Each of the three is rounded alone.
  expect(Math.abs(jobs + nobody - machines)).toBeLessThanOrEqual(1);
});

test("added up by team, and narrowed to one of them by its name", async () => {
  await section().getByRole("button", { name: "Team", exact: true }).first().click();
  await settled(page);
  await expect(table().getByRole("rowheader", { name: "Foundation models" })).toBeVisible();
  await table().getByRole("button", { name: "Only Vision" }).click();
  await settled(page);
  await expect(section().getByText("Team Vision")).toBeVisible();
  await expect(table().getByRole("row").nth(1)).toContainText("Vision");
  await section().getByRole("button", { name: "No longer only Vision" }).click();
});

test("a figure of a job explains itself down to the line of the list", async () => {
  await settled(page);
  await section().getByRole("searchbox", { name: "Job number or name" }).fill("pretrain");
  await settled(page);
  await table().getByRole("row").nth(1).getByRole("button", { name: /^Cost: / }).click();
  const panel = page.getByRole("dialog", { name: "Cost of the hours held" });
  await expect(panel.locator(".formula")).toContainText("GPU-hours held ÷ GPU-hours billed");
  await expect(panel.getByRole("table", { name: "Sources" })).toContainText("sacct_202609.txt");
  await panel.getByRole("button", { name: /^Show the 1 row$/ }).click();
  const rows = page.getByRole("dialog", { name: "The rows behind it" });
  const cells = rows.getByRole("row").nth(1).getByRole("cell");
  await expect(cells.nth(0)).toHaveText(/^sacct_20260[89]\.txt$/);
  await expect(cells.nth(1)).toHaveText(/^\d+$/);
  await page.keyboard.press("Escape");
  await expect(rows).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
});

test("a job opens its GPUs over its time by keyboard, and one of them its host minute by minute", async () => {
  await table().getByRole("button", { name: /^Job \d+ over its time$/ }).first().focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: /^Job \d+$/ });
  await expect(dialog.getByRole("table", { name: /GPUs over its time/ }).getByRole("rowheader").first()).toBeVisible();
  await expect(dialog).toContainText("Start");
  await dialog.getByRole("button", { name: "Memory held" }).click();
  await expect(dialog.getByRole("button", { name: "Memory held" })).toHaveAttribute("aria-pressed", "true");
  await dialog.getByRole("button", { name: /, minute by minute$/ }).first().click();
  const minutes = page.getByRole("dialog", { name: /, minute by minute$/ });
  await expect(minutes.getByRole("button", { name: /^Job \d+ of / }).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(minutes).toHaveCount(0);
});

test("the table goes out as a file with exact amounts", async () => {
  const file = join(folder, "jobs.csv");
  await dialogsAnswer(journey.app, { save: file });
  await section().getByRole("button", { name: "Export the jobs" }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
  await expect(page.getByText("jobs.csv").first()).toBeVisible();
  const lines = readFileSync(file, "utf8").split("\r\n");
  expect(lines[0]).toContain("GPU-hours held");
  expect(lines[1]).toContain("pretrain");
});
