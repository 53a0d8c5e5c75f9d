import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { answer, appear, dialogsAnswer, dropFiles, goTo, otherScreens, patience, saveForm, settled, startJourney, writeBudget } from "./journey.ts";
import type { Journey, Look } from "./journey.ts";
import { writeOwnFiles } from "./own-files.ts";

/** axe finds nothing on any screen in any state, in both languages and themes; and the page complained of nothing on the way. */
test.describe.configure({ mode: "serial", timeout: 4 * patience });

const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-axe-"));
const { bill, log } = writeOwnFiles(folder);
let journey: Journey;
let page: Page;
test.beforeAll(async () => {
  const broken = readFileSync(bill, "utf8").replace(",10.00,10.00,12.50,12.50,", ",ten,10.00,12.50,12.50,");
  writeFileSync(join(folder, "one row aside.csv"), broken);
  writeFileSync(join(folder, "letter.txt"), "Dear all,\n");
  journey = await startJourney();
  ({ page } = journey);
});
test.afterAll(async () => {
  await journey.close();
  rmSync(folder, { recursive: true });
});

/** Colors come with the theme and names with the language, so two looks hold every color and every name. */
const looks: readonly Look[] = [
  { language: "en", theme: "light" },
  { language: "zh-CN", theme: "dark" },
];

test("axe does look: it finds a button without a name", async () => {
  await page.evaluate(() => document.body.insertAdjacentHTML("beforeend", `<button id="nameless"></button>`));
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().include("#nameless").analyze();
  expect(violations.map(({ id }) => id)).toContain("button-name");
});

for (const look of looks) {
  test(`it finds nothing in ${look.language}, ${look.theme}`, async () => {
    await appear(page, look);
    await expect(page.locator(".doors")).toBeVisible();
    await clean("first run");

    await dialogsAnswer(journey.app, { open: [join(folder, "letter.txt")], save: join(folder, `empty-${look.language}-${look.theme}.gpuledger`) });
    await page.locator(".door").first().click();
    await expect(page.locator(".files .alert-mark")).toBeVisible();
    await clean("a refused file on the desk");
    await discard();
    await clean("imports of an empty ledger");
    await goTo(page, "review");
    await clean("a report of an empty ledger");
    await page.locator(".whose button").click();
    await expect(page.locator(".doors")).toBeVisible();

    await page.locator(".door").nth(1).click();
    await settled(page);
    await expect(answer(page)).toContainText("2026");
    await expect(page.locator(".close-month")).toBeVisible();
    await clean("review");
    await page.locator(".work-actions tbody button").first().click();
    await expect(page.locator(".form-dialog")).toBeVisible();
    await clean("an action being taken up");
    await page.keyboard.press("Escape");
    await page.locator(".work-unexpected tbody button").first().click();
    await expect(page.locator(".form-dialog .statement")).toBeVisible();
    await clean("an unexpected cost");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);

    await page.locator(".top-bar .pick-button").first().click();
    await expect(page.getByRole("listbox")).toBeVisible();
    await clean("a picker that is open");
    await page.keyboard.press("Escape");
    await page.locator(".top-bar .pick-button").nth(1).click();
    await expect(page.locator(".scope-box")).toBeVisible();
    await clean("the scope that is open");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("menuitem").first()).toBeVisible();
    await clean("the palette");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);

    await page.locator(".tile [data-figure]").first().click();
    await expect(page.locator(".explain .formula")).toBeVisible();
    await clean("an explanation");
    await page.locator(".explain-foot .link.main").click();
    await expect(page.locator(".rows-row").first()).toBeVisible();
    // The hours of devices have the fewest columns, and are otherwise drawn as the rows of bills are.
    await page.locator(".rows-dialog header [aria-pressed=false]").click();
    await expect(page.locator(".rows-row").first()).toBeVisible();
    await clean("the rows behind it");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);

    await goTo(page, "efficiency");
    await expect(page.locator(".stop-rules .statement")).toBeVisible();
    await page.locator(".findings .row-toggle").first().click();
    await page.locator(".aggregate button").click();
    await expect(page.locator(".aggregate .statement")).toBeVisible();
    await clean("efficiency");
    await page.locator(".fleet-row .row-toggle").first().click();
    await expect(page.locator(".timeline-plot svg")).toBeVisible();
    await clean("a machine minute by minute");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await goTo(page, "budgets");
    await expect(page.locator(".allocation")).toBeVisible();
    await clean("no budgets");
    await writeBudget(page, `GPU ${look.language}`);
    await clean("a budget being written");
    await saveForm(page);
    await expect(page.locator(".burn-down svg")).toBeVisible();
    await page.locator(".burn-first .section-head button").first().click();
    await clean("budgets, one of them day by day");
    await page.locator(".allocation .section-head button").last().click();
    await expect(page.locator(".form-dialog")).toBeVisible();
    await clean("a rule being written");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.evaluate(() => (location.hash = "#/review?period=2031-01"));
    await expect(page.locator(".refused")).toBeVisible();
    await clean("a report that is refused");
    await page.evaluate(() => (location.hash = "#/review"));
    await goTo(page, "imports");
    await clean("imports");
    await dropFiles(page, ".drop-area", [join(folder, "one row aside.csv"), log]);
    await expect(page.locator(".question")).toBeVisible();
    await clean("a preview with a question");
    await page.locator(".question button").last().click();
    await expect(page.locator(".question")).toHaveCount(0);
    await expect(page.locator(".set-aside")).toBeVisible();
    await clean("a preview with a row set aside");
    await page.locator(".file-button").last().click();
    await clean("the preview of a log");
    await discard();

    for (const screen of await otherScreens(page, ["review", "efficiency", "budgets", "imports"])) {
      await goTo(page, screen);
      await clean(screen);
    }
    await page.locator(".whose button").click();
    await expect(page.locator(".doors")).toBeVisible();
    expect(journey.complaints).toEqual([]);
  });
}

/** axe on the page as it is now; what it finds is named with the state it was found in. */
async function clean(state: string): Promise<void> {
  // Without legacy mode axe opens a page of its own, which the app refuses.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect.soft(violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ target, failureSummary }) => `${target.join(" ")}: ${failureSummary ?? ""}`) })), state).toEqual([]);
}

async function discard(): Promise<void> {
  await page.locator(".page-head .actions button").first().click();
  await expect(page.locator(".files")).toHaveCount(0);
}
