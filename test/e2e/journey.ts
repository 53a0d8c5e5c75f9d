import { expect } from "@playwright/test";
import type { ConsoleMessage, ElectronApplication, Locator, Page } from "@playwright/test";
import { launchApp } from "./launch.ts";
import type { LaunchedApp } from "./launch.ts";

/** Where a machine is slow or shared, a step may take its time; on a quiet one none of it is used. */
export const patience = 180_000;

/** Every language in every theme. */
export const looks = [
  { language: "en", theme: "light" },
  { language: "en", theme: "dark" },
  { language: "zh-CN", theme: "light" },
  { language: "zh-CN", theme: "dark" },
] as const;
export type Look = (typeof looks)[number];

export interface Journey extends LaunchedApp {
  /** What the page complained of: errors on its console, faults nobody caught, words missing in a catalog, breaches of its own policy. */
  readonly complaints: readonly string[];
}

/** Starts the app in English and light, whatever the system speaks, and listens for complaints. */
export async function startJourney(env: Readonly<Record<string, string>> = {}): Promise<Journey> {
  const launched = await launchApp({ LANG: "en_US.UTF-8", LANGUAGE: "en_US", LC_ALL: "en_US.UTF-8", TZ: "UTC", ...env });
  const complaints: string[] = [];
  launched.page.on("console", (message: ConsoleMessage) => {
    if (message.type() === "error" || /missing words|Content Security Policy/i.test(message.text())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  launched.page.on("pageerror", (error) => complaints.push(`fault: ${error.message}`));
  launched.page.setDefaultTimeout(60_000);
  return { ...launched, complaints };
}

/** What the system's dialogs answer from now on, since no test can click in them. An empty list is a dialog closed without a choice. */
export async function dialogsAnswer(app: ElectronApplication, answers: { readonly open?: readonly string[]; readonly save?: string | null }): Promise<void> {
  await app.evaluate(({ dialog }, { open, save }) => {
    if (open !== undefined) dialog.showOpenDialog = () => Promise.resolve({ canceled: open.length === 0, filePaths: [...open] });
    if (save !== undefined) dialog.showSaveDialog = () => Promise.resolve({ canceled: save === null, filePath: save ?? "" });
  }, answers);
}

/** From the first screen into the sample company, as a newcomer goes. */
export async function openSample(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Look at the sample company" }).click();
  await expect(page.locator("h1")).toBeVisible({ timeout: 90_000 });
  await expect(answer(page)).toContainText("September 2026", { timeout: 90_000 });
}

/** Goes to a screen by the rail, whatever the language, and waits until nothing on it is old or on its way. */
export async function goTo(page: Page, screen: string): Promise<void> {
  await page.locator(`nav a[href^="#/${screen}"]`).click();
  await settled(page);
}

/** Screens of the rail by the name in their address, but for those named: whatever is built later is looked at too. */
export async function otherScreens(page: Page, known: readonly string[]): Promise<readonly string[]> {
  const addresses = await page.locator("nav.rail a").evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  return addresses.flatMap((address) => /^#\/([a-z-]+)/.exec(address)?.[1] ?? []).filter((screen) => !known.includes(screen));
}

/** Writes a budget on the Budgets screen, its months as history suggests, and leaves the form open; saved by `saveForm`. */
export async function writeBudget(page: Page, name: string): Promise<void> {
  await page.locator(".page-head .link.main").click();
  await page.locator(".form-dialog input").first().fill(name);
  await page.locator(".form-year .link").click();
  await expect(page.locator(".months-grid input").first()).not.toHaveValue("");
}

/** The main action of the form over the page, which goes with it. */
export async function saveForm(page: Page): Promise<void> {
  await page.locator(".form-dialog footer .link.main").click();
  await expect(page.locator(".form-dialog")).toHaveCount(0);
  await settled(page);
}

/** Nothing is being asked: no skeleton, no page marked busy. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator("main h1").first()).toBeVisible();
  await expect(page.locator('main .skeleton, main [aria-busy="true"]')).toHaveCount(0);
}

/** The answer of a screen, as a sentence. */
export function answer(page: Page): Locator {
  return page.locator("main .answer").first();
}

/** Chooses from one of the pickers of the top bar, or from a choice of the settings. */
export async function pick(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: label }).first().click();
  await page.getByRole("option", { name: option }).first().click();
  await settled(page);
}

/** Speaks and shows otherwise, as the window remembers it, without a way through the settings. */
export async function appear(page: Page, look: Look): Promise<void> {
  await page.evaluate(({ language, theme }) => {
    localStorage.setItem("window.language", language);
    localStorage.setItem("window.theme", theme);
  }, look);
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", look.language);
  await expect(page.locator("html")).toHaveAttribute("data-theme", look.theme);
}

/** A window of this size inside, the same on every screen. */
export async function sizeOf(app: ElectronApplication, page: Page, width: number, height: number): Promise<void> {
  await app.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height), { width, height });
  await expect.poll(() => page.evaluate(() => [innerWidth, innerHeight])).toEqual([width, height]);
}

/** Files dropped on a part of the page from outside, as the system hands them over: a file made in a page has no path and would not count. */
export async function dropFiles(page: Page, onto: string, paths: readonly string[]): Promise<void> {
  await page.evaluate(() => {
    const field = document.createElement("input");
    field.type = "file";
    field.multiple = true;
    field.id = "carrier-of-dropped-files";
    field.hidden = true;
    document.body.append(field);
  });
  await page.locator("#carrier-of-dropped-files").setInputFiles([...paths]);
  await page.evaluate((selector) => {
    const field = document.querySelector<HTMLInputElement>("#carrier-of-dropped-files");
    const target = document.querySelector(selector);
    if (field === null || target === null) throw new Error(`nothing to drop on: ${selector}`);
    const dataTransfer = new DataTransfer();
    for (const file of field.files ?? []) dataTransfer.items.add(file);
    for (const type of ["dragenter", "dragover", "drop"]) target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    field.remove();
  }, onto);
}
