import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { appear, dialogsAnswer, goTo, looks, openSample, otherScreens, settled, sizeOf, startJourney } from "../e2e/journey.ts";
import type { Journey, Look } from "../e2e/journey.ts";
import { writeOwnFiles } from "../e2e/own-files.ts";

/** Every screen of the sample company in both languages and themes, for the eye: docs/screens/NAME-THEME-LANGUAGE.png. */
const folder = join(import.meta.dirname, "../../docs/screens");

let journey: Journey;
const own = mkdtempSync(join(tmpdir(), "gpu-ledger-screens-"));
test.beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  journey = await startJourney();
  await sizeOf(journey.app, journey.page, 1440, 900);
});
test.afterAll(async () => {
  await journey.close();
  rmSync(own, { recursive: true });
});

async function shoot(page: Page, name: string, { language, theme }: Look): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(folder, `${name}-${theme}-${language === "en" ? "en" : "zh"}.png`), animations: "disabled", caret: "hide" });
}

test("the first screen", async () => {
  for (const look of looks) {
    await appear(journey.page, look);
    await expect(journey.page.locator(".doors")).toBeVisible();
    await shoot(journey.page, "welcome", look);
  }
});

test("the screens of the sample company", async () => {
  const { app, page } = journey;
  await appear(page, { language: "en", theme: "light" });
  await openSample(page);
  const { bill, log } = writeOwnFiles(own);
  for (const look of looks) {
    await appear(page, look);
    await goTo(page, "review");
    await shoot(page, "review", look);
    await sizeOf(app, page, 1024, 700);
    await shoot(page, "review-1024", look);
    await sizeOf(app, page, 1440, 900);

    await page.locator(".tile [data-figure]").nth(1).click();
    await expect(page.locator(".explain .formula")).toBeVisible();
    await shoot(page, "explain", look);
    await page.keyboard.press("Escape");
    await page.locator(".tile [data-figure]").first().click();
    await page.locator(".explain-foot .link.main").click();
    await expect(page.locator(".rows-row").first()).toBeVisible();
    await expect(page.locator(".rows-cell.file").nth(1)).not.toHaveText("…");
    await shoot(page, "rows", look);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");

    await goTo(page, "efficiency");
    await expect(page.locator("main .ways svg").first()).toBeVisible();
    await shoot(page, "efficiency", look);
    await page.locator("main").evaluate((main) => main.scrollTo({ top: main.scrollHeight }));
    await expect(page.locator(".stop-rules .statement")).toBeVisible();
    await page.locator("main").evaluate((main) => main.scrollTo({ top: main.scrollHeight }));
    await shoot(page, "efficiency-end", look);
    await page.locator(".findings").evaluate((findings) => findings.scrollIntoView({ block: "start" }));
    await page.locator(".findings .row-toggle").first().click();
    await shoot(page, "findings", look);
    await page.locator("main").evaluate((main) => main.scrollTo({ top: 0 }));
    await page.locator(".fleet-row .row-toggle").first().click();
    await expect(page.locator(".timeline-plot svg")).toBeVisible();
    await shoot(page, "timeline", look);
    await page.keyboard.press("Escape");

    await goTo(page, "review");
    await expect(page.locator(".indicators tbody tr").first()).toBeVisible();
    await page.locator(".indicators").evaluate((section) => section.scrollIntoView({ block: "start" }));
    await shoot(page, "indicators", look);
    await expect(page.locator(".close-month")).toBeVisible();
    await page.locator("main").evaluate((main) => main.scrollTo({ top: main.scrollHeight }));
    await shoot(page, "review-end", look);
    await page.locator(".work-unexpected tbody button").first().click();
    await expect(page.locator(".form-dialog .statement")).toBeVisible();
    await shoot(page, "unexpected-cost", look);
    await page.keyboard.press("Escape");

    await goTo(page, "carbon");
    await expect(page.locator(".carbon-work")).toBeVisible();
    await shoot(page, "carbon", look);
    await page.locator("main").evaluate((main) => main.scrollTo({ top: main.scrollHeight }));
    await shoot(page, "carbon-end", look);

    await goTo(page, "offers");
    await expect(page.locator(".offers-table tbody tr").first()).toBeVisible();
    await shoot(page, "offers", look);
    await page.locator(".offers-table .check").nth(0).click();
    await page.locator(".offers-table .check").nth(2).click();
    await expect(page.locator(".side-by-side")).toBeVisible();
    await page.locator("main").evaluate((main) => main.scrollTo({ top: main.scrollHeight }));
    await shoot(page, "offers-end", look);
    await page.locator(".side-by-side").evaluate((table) => table.parentElement?.querySelector("button")?.click());
    await page.locator("main").evaluate((main) => main.scrollTo({ top: 0 }));
    await page.locator("main .tab").nth(2).click();
    await expect(page.locator(".price-table tbody tr").first()).toBeVisible();
    await shoot(page, "price-book", look);
    await page.locator("main .tab").first().click();

    await goTo(page, "budgets");
    await expect(page.locator(".burn-down svg")).toBeVisible();
    await shoot(page, "budgets", look);
    await page.locator(".budgets-page .stack .link").first().click();
    await expect(page.locator(".form-dialog")).toBeVisible();
    await shoot(page, "budget-form", look);
    await page.keyboard.press("Escape");
    await page.locator(".budgets-page .stack .link").nth(1).click();
    await expect(page.locator(".form-dialog")).toBeVisible();
    await shoot(page, "budget-move", look);
    await page.keyboard.press("Escape");
    await expect(page.locator(".pair.ahead")).toBeVisible();
    await page.locator(".pair.ahead").evaluate((pair) => pair.scrollIntoView({ block: "start" }));
    await shoot(page, "budget-forecast", look);
    await page.locator(".showback").evaluate((section) => section.scrollIntoView({ block: "start" }));
    await shoot(page, "showback", look);
    await expect(page.locator(".allocation")).toBeVisible();
    await page.locator("main").evaluate((main) => main.scrollTo({ top: main.scrollHeight }));
    await shoot(page, "allocation", look);

    await goTo(page, "imports");
    await expect(page.locator("main table").first()).toBeVisible();
    await shoot(page, "imports", look);
    await page.locator(".reconcile").evaluate((section) => section.scrollIntoView({ block: "start" }));
    await shoot(page, "reconcile", look);
    await page.locator("main").evaluate((main) => main.scrollTo({ top: 0 }));
    await page.locator(".drop-area button").nth(2).click();
    await expect(page.locator(".pull-price")).toBeVisible();
    await shoot(page, "pull", look);
    await page.keyboard.press("Escape");
    await expect(page.locator(".form-dialog")).toHaveCount(0);
    await dialogsAnswer(app, { open: [bill, log] });
    await page.locator(".drop-area button").first().click();
    await expect(page.locator(".question")).toBeVisible();
    await shoot(page, "imports-asked", look);
    await page.locator(".question button").last().click();
    await expect(page.locator(".preview")).toBeVisible();
    await shoot(page, "imports-preview", look);
    await page.locator(".page-head .actions button").first().click();
    await expect(page.locator(".preview")).toHaveCount(0);

    for (const screen of await otherScreens(page, ["review", "efficiency", "budgets", "imports"])) {
      await goTo(page, screen);
      await shoot(page, screen, look);
      const tabs = page.locator('main [role="tab"]');
      for (let index = 1; index < (await tabs.count()); index += 1) {
        await tabs.nth(index).click();
        await settled(page);
        await shoot(page, `${screen}-${(await tabs.nth(index).getAttribute("data-key")) ?? index}`, look);
      }
    }
  }
});
