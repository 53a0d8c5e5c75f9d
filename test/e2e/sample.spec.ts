import { expect, test } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
import { answer, goTo, openSample, patience, pick, settled, startJourney } from "./journey.ts";
import type { Journey } from "./journey.ts";

test.describe.configure({ mode: "serial", timeout: patience });

let journey: Journey;
let page: Page;
test.beforeAll(async () => {
  journey = await startJourney();
  ({ page } = journey);
});
test.afterAll(async () => {
  await journey.close();
});
test.afterEach(() => {
  expect(journey.complaints).toEqual([]);
});

test("a newcomer opens the sample company and is told what the month cost and what stood idle", async () => {
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("What did the GPUs cost, and what did the money buy?");
  await openSample(page);
  await expect(answer(page)).toHaveText(/^September 2026 cost \$[\d,]+\.\d\d, [\d.]+\s?% (more|less) than August; idle GPUs account for \$[\d,]+\.\d\d of it\.$/);
  await expect(page.locator(".tile")).toHaveCount(4);
  await expect(page.locator(".tile .sparkline")).toHaveCount(4);
  await expect(page.locator(".whose")).toContainText("Sample data");
});

test("what the teams cost adds up to the spend, and so does why it changed", async () => {
  const spend = cents(await page.locator(".tile [data-figure]").first().innerText());
  const teams = section(page, "Teams");
  const actual = await column(teams, 0);
  expect(actual.total).toBe(spend);
  expect(actual.rows.reduce((sum, each) => sum + each, 0)).toBe(spend);
  const bridge = await column(section(page, "Why it changed"), 0);
  expect(bridge.rows.reduce((sum, each) => sum + each, 0)).toBe(spend);
  expect(bridge.total).toBe(spend);
});

test("a figure explains itself by mouse: formula, inputs, coverage, files", async () => {
  await page.locator(".tile [data-figure]").nth(1).click();
  const panel = page.getByRole("dialog", { name: "Cost per useful GPU-hour" });
  await expect(panel.locator(".formula")).toContainText("GPU cost of observed hours ÷ useful GPU-hours");
  await expect(panel.getByRole("table", { name: "Inputs" }).getByRole("row")).toHaveCount(5);
  await expect(panel).toContainText("Coverage");
  await expect(panel.getByRole("table", { name: "Sources" })).toContainText(".csv");
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
});

test("a figure under the pointer explains itself by ?, and shows its rows with file and line", async () => {
  await page.locator(".tile [data-figure]").first().hover();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Spend" })).toBeVisible();
  await page.getByRole("button", { name: /^Show the [\d,]+ rows$/ }).click();
  const rows = page.getByRole("dialog", { name: "The rows behind it" });
  const first = rows.getByRole("row").nth(1).getByRole("cell");
  await expect(first.nth(0)).toHaveText(/\.csv(\.gz)?$/);
  await expect(first.nth(1)).toHaveText(/^\d+$/);
  await rows.getByRole("button", { name: "Device hours" }).click();
  await expect(rows.getByRole("row").nth(1)).toBeVisible();
  await rows.getByRole("button", { name: "Close" }).click();
  await expect(rows).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("Efficiency shows the four ways of the money, the fleet, and idle episodes with their evidence", async () => {
  await goTo(page, "efficiency");
  for (const way of ["Productive", "Busy, inefficient", "Held idle", "Dead idle"]) await expect(page.locator(".ways-labels dt", { hasText: way })).toBeVisible();
  await expect(page.locator(".fleet [role=row]").nth(1)).toBeVisible();
  const episodes = page.locator("section", { has: page.getByRole("heading", { name: /idle episodes/i }) }).last();
  await expect(episodes.locator("tbody tr").first()).toBeVisible();
  expect(await episodes.locator("tbody tr").count()).toBeGreaterThan(3);
});

test("Imports shows which months are complete and every file that was imported", async () => {
  await goTo(page, "imports");
  await expect(page.getByRole("table", { name: "Complete?" })).toBeVisible();
  const batches = page.getByRole("table", { name: "Imports" });
  await expect(batches.getByRole("row").nth(1)).toContainText(/\.csv/);
  await expect(batches.getByRole("button", { name: /^Undo the import of/ }).first()).toBeVisible();
});

test("period, scope and basis stay across screens, and stand in the address", async () => {
  await goTo(page, "review");
  await pick(page, "Period", "August 2026");
  await expect(answer(page)).toContainText("August 2026");
  await pick(page, "Cost basis", /^List/);
  await page.getByRole("button", { name: /^Scope/ }).click();
  await page.getByRole("dialog", { name: "Scope" }).getByText("Vision", { exact: true }).click();
  await page.getByRole("dialog", { name: "Scope" }).getByRole("button", { name: "Close" }).click();
  await settled(page);
  expect(await address(page)).toBe("#/review?period=2026-08&basis=ListCost&team=Vision");
  await goTo(page, "efficiency");
  expect(await address(page)).toBe("#/efficiency?period=2026-08&basis=ListCost&team=Vision");
  await expect(page.getByRole("button", { name: "Scope: Vision" })).toBeVisible();
  await page.goBack();
  await expect(page.locator('nav a[aria-current="page"]')).toHaveText("Review");
  await page.reload();
  await settled(page);
  await expect(answer(page)).toContainText("August 2026");
  await expect(page.getByRole("button", { name: "Scope: Vision" })).toBeVisible();
});

test("copy command gives the terminal command of the page, which the notice shows too", async () => {
  await page.getByRole("button", { name: "Copy command" }).click();
  const command = page.locator(".toast code");
  await expect(command).toContainText("report review --ledger");
  await expect(command).toContainText("--period 2026-08 --basis ListCost --scope team=Vision --lang en");
  expect(await journey.app.evaluate(({ clipboard }) => clipboard.readText())).toBe(await command.innerText());
});

test("the palette finds a screen, a month, a team by a part of its name", async () => {
  await command("everything", "Show everything");
  await expect(page.getByRole("button", { name: /^Scope: 3 providers/ })).toBeVisible();
  await command("july 2026", "July 2026");
  await expect(answer(page)).toContainText("July 2026");
  await command("setti", "Settings");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
});

test("the language and the theme switch at once and stay", async () => {
  await pick(page, "Theme", "Dark");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await pick(page, "Language", "简体中文");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("设置");
  await page.reload();
  await settled(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("设置");
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(paper);
  await goTo(page, "review");
  await expect(answer(page)).toContainText("2026年7月");
  expect(await page.locator("main").innerText()).not.toMatch(/\b(idle|cost|teams|spend)\b/i);
  await goTo(page, "settings");
  await pick(page, "语言", "English");
  await pick(page, "Theme", "Light");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
});

test("one click removes the sample company", async () => {
  await page.getByRole("button", { name: "remove" }).click();
  await expect(page.getByRole("button", { name: "Look at the sample company" })).toBeVisible();
});

async function command(typed: string, name: string): Promise<void> {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog");
  await palette.getByRole("searchbox").fill(typed);
  await palette.getByRole("menuitem", { name }).first().click();
  await expect(palette).toHaveCount(0);
  await settled(page);
}

function address(of: Page): Promise<string> {
  return of.evaluate(() => location.hash);
}

function section(of: Page, title: string): Locator {
  return of.locator("section", { has: of.getByRole("heading", { name: title }) });
}

/** One column of figures of a table, in cents: its rows and its total. */
async function column(table: Locator, index: number): Promise<{ readonly rows: readonly number[]; readonly total: number }> {
  const read = (rows: Locator): Promise<string[]> => rows.locator(`td.n:nth-of-type(${index + 1})`).allInnerTexts();
  const rows = await read(table.locator("tbody tr:not(.total):not(.detail)"));
  const [total = ""] = await read(table.locator("tbody tr.total"));
  return { rows: rows.map(cents), total: cents(total) };
}

/** "$1,234.56" or "−3.20" in cents. */
function cents(text: string): number {
  const digits = text.replaceAll(/[^\d]/g, "");
  return text.includes("−") ? -Number(digits) : Number(digits);
}
