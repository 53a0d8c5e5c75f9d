import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { dialogsAnswer, goTo, openSample, patience, startJourney, type Journey } from "./journey.ts";

/** The Carbon screen: what a provider reports beside our figures, and the pack that is handed in. */
let journey: Journey;
const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-carbon-"));
test.beforeAll(async () => {
  test.setTimeout(patience);
  journey = await startJourney();
  await openSample(journey.page);
});
test.afterAll(async () => {
  await journey.close();
  rmSync(folder, { recursive: true });
});

test("every figure of the screen opens its explanation", async () => {
  const { page } = journey;
  await goTo(page, "carbon");
  await expect(page.locator(".answer")).toContainText("by location");
  await page.locator(".tile [data-figure]").nth(1).click();
  await expect(page.locator(".explain .formula")).toContainText("grid factor");
  await page.keyboard.press("Escape");
  await expect(page.locator(".explain")).toBeHidden();
});

test("a provider's report is previewed, imported, held beside our figure, and taken back", async () => {
  const { app, page } = journey;
  await dialogsAnswer(app, { open: [join(import.meta.dirname, "../fixtures/emissions/aws-carbon-emissions.csv")] });
  await page.getByRole("button", { name: "Import a provider's report" }).click();
  const form = page.locator(".form-dialog");
  await expect(form).toContainText("row of an older model version");
  await form.locator(".link.main").click();
  await expect(form).toBeHidden();
  const compared = page.locator(".carbon-work section").filter({ hasText: "The ledger's figure" });
  await expect(compared).toContainText("less its scope 1 and 3");
  await compared.locator("tr.total [data-figure]").first().click();
  await expect(page.locator(".explain .formula")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator(".explain")).toBeHidden();
  await page.getByRole("button", { name: "Take back" }).click();
  await expect(page.locator(".report-list")).toContainText("taken back");
});

test("the ESG pack is written with its statement, and remembered", async () => {
  test.setTimeout(patience);
  const { app, page } = journey;
  const pack = join(folder, "pack");
  await dialogsAnswer(app, { save: pack });
  await page.getByRole("button", { name: "ESG pack" }).click();
  await expect(page.getByText("written to pack")).toBeVisible({ timeout: patience });
  expect(readFileSync(join(pack, "statement-2026-09.pdf")).subarray(0, 5).toString()).toBe("%PDF-");
  expect(existsSync(join(pack, "csv/evidence.csv"))).toBe(true);
  await expect(page.locator(".carbon-work")).toContainText("#1");
  expect(journey.complaints).toEqual([]);
});
