import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { answer, appear, dialogsAnswer, goTo, openSample, patience, saveForm, settled, startJourney } from "./journey.ts";
import type { Journey, Look } from "./journey.ts";

/** Calculators and vendor selection as a person uses them: by keyboard, with own numbers, to the report that is signed. */
test.describe.configure({ mode: "serial", timeout: patience });

const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-calculators-"));
let journey: Journey;
let page: Page;
test.beforeAll(async () => {
  journey = await startJourney();
  ({ page } = journey);
  await openSample(page);
});
test.afterAll(async () => {
  await journey.close();
  rmSync(folder, { recursive: true });
});
test.afterEach(() => {
  expect(journey.complaints).toEqual([]);
});

test("what is typed is worked out at once, and what cannot be is said", async () => {
  await goTo(page, "offers");
  await page.getByRole("tab", { name: "Calculators" }).click();
  await expect(answer(page)).toHaveText("70 samples fit beside the weights.");
  const bytes = page.getByLabel("Bytes per parameter");
  await bytes.fill("1");
  await expect(answer(page)).toHaveText("79 samples fit beside the weights.");
  await bytes.fill("0");
  await expect(page.getByText("Bytes per parameter: “0” is not above 0.")).toBeVisible();
  await expect(bytes).toHaveAttribute("aria-invalid", "true");
  await page.getByRole("button", { name: "Fill in the example" }).click();
  await expect(answer(page)).toHaveText("70 samples fit beside the weights.");
});

test("the ledger's own measurements stand beside: memory seen full, busy time replayed", async () => {
  await page.getByRole("button", { name: "GPU model of the ledger" }).click();
  await page.getByRole("option", { name: "H100" }).click();
  await expect(page.getByRole("row", { name: /Fullest this model was seen/ })).toContainText("measured");
  await page.getByRole("button", { name: "Billing granularity" }).click();
  await expect(page.getByRole("table", { name: "Billing granularity" }).getByRole("row", { name: /by started hours/ })).toContainText("GPU-h");
});

test("the claimed saving is tested on an own interruption log", async () => {
  const log = join(folder, "runs.csv");
  writeFileSync(log, "start,end,reason\n2026-09-01T00:00Z,2026-09-01T10:00Z,preempted\n2026-09-02T00:00Z,2026-09-02T14:00Z,preempted\n");
  await page.getByRole("button", { name: "Spot with checkpoints" }).click();
  await expect(page.getByRole("row", { name: /The claim/ })).toContainText("85 % does not hold".replace(" %", "\u202f%"));
  await dialogsAnswer(journey.app, { open: [log] });
  await page.getByRole("button", { name: "Choose a file …" }).click();
  await expect(page.getByText("Your log: 2 runs, 24.0 hours, 2 interruptions, so 12.0 hours between two.")).toBeVisible();
  await expect(page.getByRole("row", { name: /^Mean time between interruptions/ })).toContainText("measured");
});

test("a calculator is chosen by keyboard alone", async () => {
  await page.getByRole("button", { name: "Batch size" }).focus();
  for (const _step of [1, 2]) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(answer(page)).toContainText("cost", { timeout: 10_000 });
  await expect(page.getByRole("button", { name: "Serving", exact: true })).toHaveAttribute("aria-current", "true");
});

test("vendors are scored with evidence, compared, and decided on in a report", async () => {
  await page.getByRole("tab", { name: "Vendor selection" }).click();
  await expect(answer(page)).toHaveText("No vendor is compared yet.");
  await page.getByRole("button", { name: "New selection" }).click();
  await saveForm(page);
  for (const [name, score] of [["alpha", "8"], ["beta", "6"]] as const) {
    await page.getByRole("button", { name: "Add a vendor" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Vendor", { exact: true }).fill(name);
    for (const field of await dialog.getByLabel("Score, 0 to 10").all()) await field.fill(score);
    await dialog.getByRole("group", { name: "Benchmark" }).getByLabel("Evidence").fill("run 12, three times");
    await saveForm(page);
  }
  await expect(answer(page)).toHaveText("alpha leads with 8.00 of 10.");
  await page.getByRole("button", { name: "Pilot", exact: true }).click();
  const pilot = page.getByRole("dialog");
  await pilot.getByLabel("First day (2026-09-01)").fill("2026-09-01");
  await pilot.getByLabel("Last day").fill("2026-09-30");
  await pilot.getByLabel("Planned cost").fill("100,000");
  await saveForm(page);
  await expect(page.getByRole("table", { name: /^Pilot with alpha/ }).getByRole("row", { name: /^Cost/ })).toContainText("100,000.00");
  await page.getByRole("button", { name: "Weights and decision" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Decided for" }).click();
  await page.getByRole("option", { name: "alpha" }).click();
  await saveForm(page);
  await expect(answer(page)).toHaveText("Decided for alpha, which leads with 8.00 of 10.");

  const file = join(folder, "decision.pdf");
  await dialogsAnswer(journey.app, { save: file });
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: /PDF/ }).click();
  await expect.poll(() => statSync(file, { throwIfNoEntry: false })?.size ?? 0, { timeout: 60_000 }).toBeGreaterThan(10_000);
});

for (const look of [{ language: "en", theme: "light" }, { language: "zh-CN", theme: "dark" }] as const satisfies readonly Look[]) {
  test(`axe finds nothing in ${look.language}, ${look.theme}`, async () => {
    await appear(page, look);
    await page.locator('nav a[href^="#/offers"]').click();
    await page.locator('[role="tab"][data-key="calculators"]').click();
    await expect(page.locator(".calc-main").first()).toBeVisible();
    for (let index = 0; index < 10; index += 1) {
      await page.locator(".calc-list button").nth(index).click();
      await settled(page);
      await clean(`calculator ${index + 1}`);
    }
    await page.locator('[role="tab"][data-key="vendors"]').click();
    await expect(page.locator(".vendors .statement").first()).toBeVisible();
    await clean("vendor selection");
    for (const index of [1, 3, 4]) {
      await page.locator(".vendor-actions button").nth(index).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await clean(`form ${index}`);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    }
  });
}

async function clean(where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => ({ where, id, nodes: nodes.map(({ html }) => html) }))).toEqual([]);
}
