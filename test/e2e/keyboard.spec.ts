import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { answer, patience, settled, startJourney } from "./journey.ts";
import type { Journey } from "./journey.ts";

/** The main journey by keyboard alone. Whatever has the focus can be seen to have it, at every step. */
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

test("Tab and Enter lead into the sample company", async () => {
  await tabTo("Look at the sample company");
  await page.keyboard.press("Enter");
  await expect(answer(page)).toContainText("September 2026", { timeout: 90_000 });
});

test("the first Tab of a page offers to skip to it", async () => {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await tabTo("Skip to the page");
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
});

test("? on a figure explains it, its rows open and close, and Escape gives the focus back to the figure", async () => {
  await tabTo(/^Spend: /);
  await page.keyboard.press("?");
  const panel = page.getByRole("dialog", { name: "Spend" });
  await expect(panel.locator(".formula")).toBeVisible();
  await tabTo(/^Show the [\d,]+ rows$/);
  await page.keyboard.press("Enter");
  const rows = page.getByRole("dialog", { name: "The rows behind it" });
  await expect(rows.getByRole("row").nth(1).getByRole("cell").nth(1)).toHaveText(/^\d+$/);
  await tabTo("The rows behind it");
  const before = await rows.locator(".rows-scroll").evaluate((element) => element.scrollTop);
  await page.keyboard.press("PageDown");
  await expect.poll(() => rows.locator(".rows-scroll").evaluate((element) => element.scrollTop)).toBeGreaterThan(before);
  await page.keyboard.press("Escape");
  await expect(rows).toHaveCount(0);
  await expect(panel.getByRole("button", { name: /^Show the/ })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Spend: / })).toBeFocused();
});

test("the figures of a table are one stop of Tab, and the arrows move between them", async () => {
  await tabUntil(async () => page.evaluate(() => document.activeElement?.closest("table") !== null));
  const first = await place();
  await page.keyboard.press("ArrowDown");
  const second = await place();
  expect(second.row).toBeGreaterThan(first.row);
  expect(second.table).toBe(first.table);
  await page.keyboard.press("ArrowUp");
  expect(await place()).toEqual(first);
  await page.keyboard.press("Tab");
  const after = await place();
  expect(after.table).not.toBe(first.table);
  await page.keyboard.press("Shift+Tab");
  expect(await place()).toEqual(first);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a picker opens, moves and chooses by arrows and Enter", async () => {
  await tabTo(/^September 2026.*Period$/);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("option", { name: "August 2026" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expectFocusSeen();
  await page.keyboard.press("Enter");
  await settled(page);
  await expect(answer(page)).toContainText("August 2026");
});

test("the scope is ticked with Space and closed with Escape", async () => {
  await tabTo(/^Scope: /);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Scope" })).toBeVisible();
  await tabTo("Vision");
  await page.keyboard.press("Space");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Scope: Vision" })).toBeFocused();
  await settled(page);
});

test("Ctrl+K, a few letters and Enter go to another screen", async () => {
  await page.keyboard.press("Control+k");
  await page.keyboard.type("effic");
  await expect(page.getByRole("menuitem")).toHaveCount(1);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await settled(page);
  await expect(page.locator('nav a[aria-current="page"]')).toHaveText("Efficiency");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("an idle rule is typed, and taken back before it is saved", async () => {
  const minimum = page.getByRole("textbox", { name: /^Counts from an idle time of/ });
  const before = await minimum.inputValue();
  await tabTo(/^Counts from an idle time of/);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("60");
  await tabTo("Save the rules");
  await tabTo("Revert");
  await page.keyboard.press("Enter");
  await expect(minimum).toHaveValue(before);
});

test("the rail leads to every screen, and the sample is removed", async () => {
  for (const name of ["Imports", "Settings", "Review"]) {
    await tabTo(name);
    await page.keyboard.press("Enter");
    await settled(page);
    await expect(page.locator('nav a[aria-current="page"]')).toHaveText(name);
  }
  await tabTo("remove");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Look at the sample company" })).toBeVisible();
});

/** Presses Tab until what is named so has the focus, in one round of the page. */
async function tabTo(name: string | RegExp): Promise<void> {
  await tabUntil(async () => {
    const label = await nameOfFocused();
    return typeof name === "string" ? label.startsWith(name) : name.test(label);
  }, String(name));
}

async function tabUntil(isThere: () => Promise<boolean>, what = "what was looked for"): Promise<void> {
  const passed = new Set<string>();
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press("Tab");
    await expectFocusSeen();
    if (await isThere()) return;
    passed.add(await nameOfFocused());
  }
  throw new Error(`Tab does not lead to ${what}; it passed ${[...passed].join(" | ")}`);
}

/** The name of the focused element, near enough: its label, what labels it, or its text. */
function nameOfFocused(): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return "";
    const labelled = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).map((id) => (id === element.id ? (element.getAttribute("aria-label") ?? element.textContent) : (document.getElementById(id)?.textContent ?? "")));
    const text = labelled.join(" ").trim() || (element.getAttribute("aria-label") ?? (element.closest("label") ?? element).textContent ?? "");
    return text.replaceAll(/\s+/g, " ").trim();
  });
}

/** What has the focus differs from how it looks without: an outline, a ring, or the place of the cursor in a field. */
async function expectFocusSeen(): Promise<void> {
  const seen = await page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { isSeen: true, what: "" };
    const shows = (candidate: Element | null): boolean => {
      if (candidate === null) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(candidate);
      return (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
    };
    // A box that is ticked stands beside its input, inside one label; an option that is active is marked by its listbox.
    const active = element.getAttribute("aria-activedescendant");
    const near = [element, element.closest("label"), element.closest("label")?.querySelector("i") ?? null, active === null ? null : document.getElementById(active)];
    return { isSeen: near.some(shows), what: element.outerHTML.slice(0, 200) };
  });
  expect(seen.isSeen ? "" : seen.what, "the focus can be seen").toBe("");
}

/** Where the focused figure stands: which table, row and column. */
function place(): Promise<{ readonly table: number; readonly row: number; readonly column: number }> {
  return page.evaluate(() => {
    const cell = document.activeElement?.closest("td, th") ?? null;
    const row = cell?.closest("tr") ?? null;
    const table = row?.closest("table") ?? null;
    return {
      table: table === null ? -1 : [...document.querySelectorAll("table")].indexOf(table),
      row: row === null ? -1 : row.rowIndex,
      column: cell === null || row === null ? -1 : [...row.children].indexOf(cell),
    };
  });
}
