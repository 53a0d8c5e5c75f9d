import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { answer, appear, dialogsAnswer, goTo, patience, pick, saveForm, startJourney } from "./journey.ts";
import type { Journey } from "./journey.ts";
import { writeOwnFiles } from "./own-files.ts";

test.describe.configure({ mode: "serial", timeout: patience });

const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-invoices-"));
const { bill } = writeOwnFiles(folder);
let journey: Journey;
let page: Page;
test.beforeAll(async () => {
  journey = await startJourney();
  ({ page } = journey);
});
test.afterAll(async () => {
  await journey.close();
  rmSync(folder, { recursive: true });
});
test.afterEach(() => {
  expect(journey.complaints).toEqual([]);
});

test("the total of an invoice is held against the ledger, class by class, until nothing is unexplained", async () => {
  await dialogsAnswer(journey.app, { open: [bill], save: join(folder, "mine.gpuledger") });
  await page.getByRole("button", { name: "Open my files" }).click();
  await page.getByRole("button", { name: "Post 1 file" }).click();
  await expect(page.locator(".toast")).toHaveText("1 file was posted.");
  const providers = page.getByRole("table", { name: "Reconcile to the invoice" });
  await expect(providers.getByRole("row", { name: /^AWS/ })).toContainText("$241.25");
  await providers.getByRole("textbox", { name: "Invoice total of AWS, USD" }).fill("250.00");
  await page.keyboard.press("Enter");
  const difference = page.getByRole("table", { name: /^From the invoice to 0.00/ });
  await expect(difference.getByRole("row", { name: /^less usage/ })).toContainText("−241.25");
  await expect(difference.getByRole("row", { name: "Unexplained 8.75" })).toBeVisible();
  await page.getByRole("button", { name: "Explain a part" }).click();
  await page.locator(".form-dialog").getByRole("textbox", { name: "Note, if any" }).fill("VAT on the invoice only");
  await saveForm(page);
  await expect(difference.getByRole("row", { name: /^Unexplained/ })).toContainText("0.00");
  await expect(providers.getByRole("row", { name: /^AWS/ })).toContainText("reconciled");
  await goTo(page, "review");
  await expect(page.locator(".close-month").getByRole("row", { name: /^Reconciled to the invoices/ })).toContainText("done");
});

test("a list of invoices is shown before it is kept", async () => {
  await goTo(page, "imports");
  writeFileSync(join(folder, "invoices.csv"), "Month,Provider,Currency,Amount\n2026-08,Amazon,USD,241.25\n");
  await dialogsAnswer(journey.app, { open: [join(folder, "invoices.csv")] });
  await page.getByRole("button", { name: "Import invoice totals" }).click();
  await expect(page.locator(".form-dialog").getByRole("row", { name: /August 2026/ })).toContainText("AWS");
  await saveForm(page);
  const difference = page.getByRole("table", { name: /^From the invoice to 0.00/ });
  await difference.getByRole("button", { name: "take back" }).click();
  await expect(difference.getByRole("row", { name: /^Unexplained/ })).toContainText("0.00");
});

test("rates are imported once, and Review shows the month in one currency by the rate of each day", async () => {
  await goTo(page, "settings");
  writeFileSync(join(folder, "eurofxref.csv"), "Date,USD,CNY\n2026-08-03,1.10,7.70\n");
  await dialogsAnswer(journey.app, { open: [join(folder, "eurofxref.csv")] });
  await page.getByRole("button", { name: "Import rates" }).click();
  await expect(page.locator(".form-dialog")).toContainText("2 new");
  await saveForm(page);
  await expect(page.getByRole("table", { name: "Currencies and rates" }).getByRole("row", { name: /^EUR\/USD/ })).toContainText("1.10");
  await goTo(page, "review");
  const converted = page.getByRole("table", { name: "In one currency" });
  await expect(converted.getByRole("row", { name: /^AWS/ })).toContainText("$241.25");
  await expect(converted.getByRole("row", { name: /^All of it/ })).toContainText("219.32");
  await expect(page.getByRole("table", { name: "Rates used" })).toContainText("1 EUR = 1.10 USD");
});

test("everything is shown converted by choosing so at the top, on every screen, and says so", async () => {
  await pick(page, "Currency", "≈ EUR");
  await expect(answer(page)).toContainText("€219.32");
  await expect(page.locator("main .context").first()).toContainText("Converted to EUR from USD");
  expect(await page.evaluate(() => location.hash)).toContain("in=EUR");
  await page.getByRole("button", { name: "Copy command" }).click();
  await expect(page.locator(".toast")).toContainText("--in EUR");
  await page.locator(".tile [data-figure]").first().click();
  const explained = page.getByRole("table", { name: "By the currency of the bill" });
  await expect(explained.getByRole("row", { name: /^USD/ })).toContainText("1 USD = 0.909091 EUR");
  await expect(page.getByRole("table", { name: "Rates used" }).last()).toContainText("eurofxref.csv");
  await clean("a converted figure, explained");
  await page.keyboard.press("Escape");
  await goTo(page, "ledger");
  await expect(answer(page)).toContainText("€219.32");
  await goTo(page, "budgets");
  await expect(page.locator(".showback")).toContainText("This is not converted to EUR");
  await pick(page, "Currency", "USD");
  await goTo(page, "review");
  await expect(answer(page)).toContainText("$241.25");
});

for (const look of [{ language: "en", theme: "light" }, { language: "zh-CN", theme: "dark" }] as const) {
  test(`axe finds nothing on what was added, in ${look.language}, ${look.theme}`, async () => {
    await appear(page, look);
    for (const screen of ["review", "settings", "imports"]) {
      await goTo(page, screen);
      await clean(screen);
    }
    await page.locator(".reconcile .statement .link").first().waitFor();
    await page.locator(".drop-area .link").nth(2).click();
    await page.locator(".pull-price").waitFor();
    await clean("the pull, before it is agreed to");
    await page.keyboard.press("Escape");
    await expect(page.locator(".form-dialog")).toHaveCount(0);
  });
}

async function clean(state: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => `${state}: ${id} ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)).toEqual([]);
}
