import { expect, test } from "@playwright/test";
import { answer, appear, goTo, openSample, startJourney } from "./journey.ts";
import type { Journey } from "./journey.ts";

test.describe.configure({ mode: "serial" });
let journey: Journey;
test.beforeAll(async () => {
  journey = await startJourney();
  await appear(journey.page, { language: "en", theme: "light" });
  await openSample(journey.page);
});
test.afterAll(() => journey.close());

test("the rows of the ledger add up to what Review says the month cost", async () => {
  const { page } = journey;
  const spend = await answer(page).getByRole("button").first().textContent();
  await goTo(page, "ledger");
  await expect(answer(page)).toContainText(`add up to ${spend}`);
});

test("a group opens the lines of its files", async () => {
  const { page } = journey;
  await page.getByRole("button", { name: "Show the rows of Google Cloud, Invoice" }).click();
  const rows = page.getByRole("dialog", { name: "The rows behind it" });
  await expect(rows.getByRole("row").nth(1).getByRole("cell").nth(0)).toContainText(/\.(csv|json)/);
  await expect(rows.getByRole("row").nth(1).getByRole("cell").nth(1)).toHaveText(/^[\d,]+$/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a click on a value narrows to it, GPU-hours scroll by the hour, and a view is kept by name", async () => {
  const { page } = journey;
  await page.getByRole("group", { name: "Table" }).getByRole("button", { name: "GPU-hours" }).click();
  await page.getByRole("button", { name: "Only Microsoft" }).first().click();
  await expect(page.getByText("Provider is Microsoft")).toBeVisible();
  await page.getByRole("button", { name: "Add a column" }).click();
  await page.getByRole("menuitem", { name: "Hour" }).click();
  await expect(answer(page)).toContainText("720 groups");
  await page.locator(".pivot-scroll").evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
  await expect(page.locator(".pivot-row").last()).toContainText("2026");
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByRole("textbox", { name: "Name of the view" }).fill("Azure by the hour");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.locator(".toast")).toHaveText("The view is saved.");
  await expect(page.locator(".page-head")).toContainText("Azure by the hour");
  expect(journey.complaints).toEqual([]);
});
