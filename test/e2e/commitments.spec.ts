import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { answer, dialogsAnswer, goTo, openSample, patience, saveForm, settled, startJourney } from "./journey.ts";
import type { Journey } from "./journey.ts";

/** What shall we reserve? From the first answer to a signed memo, as a person goes. */
test.describe.configure({ mode: "serial", timeout: patience });

const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-commitments-"));
let journey: Journey;
test.beforeAll(async () => {
  journey = await startJourney();
  await openSample(journey.page);
  await goTo(journey.page, "commitments");
});
test.afterAll(async () => {
  await journey.close();
  rmSync(folder, { recursive: true });
});

test("begins with what ends soon, and says what to do", async () => {
  const { page } = journey;
  await expect(answer(page)).toContainText("Renew 20 A100");
  await expect(page.locator(".note.warning")).toContainText("billed by the day");
  await expect(page.locator(".portfolio tbody tr").filter({ hasText: "61 days" })).toHaveCount(2);
});

test("works out every figure in place", async () => {
  const { page } = journey;
  await page.locator(".commit-options tr.recommended [data-figure]").nth(3).click();
  const worked = page.locator(".worked");
  await expect(worked.locator(".formula")).toHaveText("price ÷ on-demand price");
  await expect(worked.locator(".worked-result")).toContainText("54.9");
  await page.keyboard.press("Escape");
  await expect(worked).toHaveCount(0);
  // The numbers of the sentences open the same.
  const said = answer(page).locator("[data-figure]");
  await expect(said).toHaveText([/^20$/, /^\$\d+\.\d+/, /^\$[\d,]+\.\d\d$/]);
  await said.last().click();
  await expect(worked.getByRole("heading", { name: "Saves a month" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.locator("main .context [data-figure]").first().click();
  await expect(worked.locator(".formula")).toHaveText("price ÷ on-demand price");
  await page.keyboard.press("Escape");
  await expect(worked).toHaveCount(0);
});

test("follows the slider, and works the page out at its level", async () => {
  const { page } = journey;
  const slider = page.getByRole("slider", { name: "Level" });
  const told = page.locator(".level-slider output");
  await expect(told).toContainText("20 GPUs");
  await slider.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(told).toContainText("16 GPUs");
  await page.getByRole("button", { name: "Work out 16 GPUs" }).click();
  await settled(page);
  await expect(page.locator(".commit-options tr.recommended td").nth(1)).toHaveText("16");
  await page.getByRole("button", { name: "Back to the best level" }).click();
  await settled(page);
  await expect(page.locator(".commit-options tr.recommended td").nth(1)).toHaveText("20");
});

test("is taken up as an action, and looks up in the bill when a commitment ends", async () => {
  const { page } = journey;
  await page.getByRole("button", { name: "Take it up" }).click();
  await expect(page.getByText("register of actions")).toBeVisible();
  await page.locator(".portfolio .row-toggle").nth(1).click();
  await page.getByRole("button", { name: "Look it up in the bill" }).click();
  await expect(page.locator('.form-dialog [role="status"]')).toHaveText("Its rows in the bill do not say when it ends.");
  await page.keyboard.press("Escape");
  await expect(page.locator(".form-dialog")).toHaveCount(0);
});

test("holds a quote against the renewal, and keeps both as a scenario", async () => {
  const { page } = journey;
  await page.getByRole("button", { name: "Enter a quote" }).click();
  await page.getByRole("textbox", { name: "Months" }).fill("36");
  await page.getByRole("textbox", { name: "Hourly" }).fill("1.96");
  await page.getByRole("textbox", { name: "Quoted on" }).fill("2026-09-22");
  await saveForm(page);
  await expect(answer(page)).toContainText("Buy 24 A100 new");
  await page.getByRole("button", { name: "Save as a scenario" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Buy new");
  await saveForm(page);
  await expect(page.locator(".scenarios thead")).toContainText("Buy new");
  await expect(page.locator(".scenarios tr.strong td")).toHaveCount(2);
});

test("looks at other GPU time, and has nothing that a reader cannot reach", async () => {
  const { page } = journey;
  await page.locator(".pool-picker button").click();
  await page.getByRole("option", { name: /L4 · Google Cloud/ }).click();
  await settled(page);
  await expect(answer(page)).toContainText("Reserve 4 L4");
  await expect(page.locator(".commit-options tbody tr")).toHaveCount(4);
  await page.locator(".more .link").click();
  await expect(page.locator(".more table")).toHaveCount(3);
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)).toEqual([]);
});

test("refuses in words where all usage is left out, and shows the way on", async () => {
  const { page } = journey;
  await page.locator(".pool-picker button").click();
  await page.getByRole("option", { name: /A100 · Google Cloud/ }).click();
  await settled(page);
  await expect(page.locator(".refused")).toContainText("all that was used is left out");
  await page.getByRole("button", { name: "Count spot and one-offs in" }).click();
  await settled(page);
  await expect(answer(page)).toContainText("Reserve 8 A100");
});

test("writes the decision memo", async () => {
  const { page, app } = journey;
  const file = join(folder, "memo.pdf");
  await dialogsAnswer(app, { save: file });
  await page.getByRole("button", { name: "Decision memo" }).click();
  await expect(page.getByText("memo.pdf")).toBeVisible({ timeout: patience });
  expect(readFileSync(file).subarray(0, 5).toString()).toBe("%PDF-");
  expect(journey.complaints).toEqual([]);
});
