import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { appear, dialogsAnswer, goTo, looks, openSample, settled, startJourney } from "./journey.ts";
import type { Journey } from "./journey.ts";

const fixtures = join(import.meta.dirname, "../fixtures");
let journey: Journey;
test.beforeAll(async () => {
  journey = await startJourney();
  await openSample(journey.page);
});
test.afterAll(() => journey.close());

test("offers are ranked for a need, compared, and change with the person's own measurements and prices", async () => {
  const { app, page, complaints } = journey;
  await goTo(page, "offers");
  await expect(page.locator(".offers-table tbody tr").first()).toBeVisible();
  await expect(page.locator("main .answer")).toContainText("per million tokens");

  // A jurisdiction leaves offers of it alone.
  await page.getByLabel("Countries (DE, US, EU …)").fill("FI");
  await expect(page.locator("main .answer")).toContainText("Finland");
  await page.getByRole("button", { name: "Start again" }).click();
  await expect(page.locator("main .answer")).not.toContainText("Finland");

  const boxes = page.locator(".offers-table .check");
  await boxes.nth(0).click();
  await boxes.nth(2).click();
  await expect(page.getByRole("table", { name: "Side by side" }).getByRole("row", { name: /^Must be as fast as/ })).toContainText("×");

  // Own benchmarks, from a log.
  await page.getByRole("tab", { name: "Own benchmarks" }).click();
  await dialogsAnswer(app, { open: [join(fixtures, "benchmarks/log.csv")] });
  await page.getByRole("button", { name: "Import CSV" }).click();
  await page.getByRole("button", { name: "Take them" }).click();
  await expect(page.getByRole("table", { name: "Benchmarks" })).toContainText("llama-3-70b");
  await expect(page.getByRole("table", { name: "Scaling over GPUs" })).toContainText("80.8");

  // A price sheet, looked at before it is taken.
  await page.getByRole("tab", { name: "Price book" }).click();
  await dialogsAnswer(app, { open: [join(fixtures, "prices/aws-offer.csv")] });
  await page.getByRole("button", { name: "Import price sheet" }).click();
  await expect(page.locator(".form-dialog")).toContainText("1 cheaper");
  await page.getByRole("button", { name: "Take it" }).click();
  await expect(page.locator(".price-table tbody tr").first()).toContainText("sheet aws-offer.csv");
  await expect(page.locator(".price-table")).toContainText("list of the app");

  // A bad one is refused in words.
  await dialogsAnswer(app, { open: [join(fixtures, "benchmarks/log.csv")] });
  await page.getByRole("button", { name: "Import price sheet" }).click();
  await expect(page.locator(".toast")).toContainText("is no price sheet");
  await settled(page);
  expect(complaints).toEqual([]);
});

for (const look of [looks[0], looks[3]]) {
  test(`every part of it passes axe, ${look.language} ${look.theme}`, async () => {
    const { page } = journey;
    await appear(page, look);
    await goTo(page, "offers");
    for (const part of [0, 1, 2]) {
      await page.getByRole("tab").nth(part).click();
      await expect(page.locator("main table").first()).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" ")}`)).toEqual([]);
    }
  });
}
