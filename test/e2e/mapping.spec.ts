import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { answer, dialogsAnswer, dropFiles, goTo, patience, startJourney } from "./journey.ts";
import type { Journey } from "./journey.ts";

test.describe.configure({ mode: "serial", timeout: patience });

const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-mapping-"));
const july = billOf("july.csv", "2026-07", ["1200.50", "310.25"]);
const august = billOf("august.csv", "2026-08", ["900.00", "99.75"]);
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

test("a bill of one's own shape: its columns are told once, and the preview shows its totals", async () => {
  await dialogsAnswer(journey.app, { open: [july], save: join(folder, "mine.gpuledger") });
  await page.getByRole("button", { name: "Open my files" }).click();
  await page.getByRole("region", { name: "What do the columns of july.csv mean?" }).getByRole("button", { name: "Say what its columns mean" }).click();
  const dialog = page.getByRole("dialog", { name: "What the columns of july.csv mean" });
  const needed = dialog.getByRole("table", { name: "Needed" });
  await expect(dialog.getByRole("alert")).toContainText("Still needed: Start or date, Billed cost, Currency, Provider.");
  await expect(dialog.getByRole("button", { name: "Use it" })).toBeDisabled();
  await choose("Start or date", "When");
  await expect(needed.getByRole("row", { name: /^Start or date/ })).toContainText("2026-07-03");
  await choose("Billed cost", "Paid out");
  await needed.getByRole("textbox", { name: "Currency, the same for all rows" }).fill("EUR");
  await needed.getByRole("textbox", { name: "Provider, the same for all rows" }).fill("Rack & Roll");
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Use it" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(answer(page)).toHaveText("Posting adds €1,510.75 of effective cost to the ledger.");
  await expect(page.getByRole("table", { name: "Totals of the file" })).toContainText("1,510.75");
});

test("once it is posted, the next file with these columns is read by itself", async () => {
  await page.getByRole("button", { name: "Post 1 file" }).click();
  await expect(page.locator(".toast")).toHaveText("1 file was posted.");
  await goTo(page, "imports");
  await dropFiles(page, ".drop-area", [august]);
  await expect(page.getByRole("table", { name: "Files on the desk" }).getByText("ready to post")).toHaveCount(1);
  await expect(answer(page)).toHaveText("Posting adds €999.75 of effective cost to the ledger.");
  await expect(page.getByRole("button", { name: "Say what its columns mean" })).toHaveCount(0);
});

/** Chooses the column of one line of the dialog. */
async function choose(field: string, column: string): Promise<void> {
  await page.getByRole("row", { name: new RegExp(`^${field}`) }).getByRole("button").click();
  await page.getByRole("option", { name: column, exact: true }).click();
}

/** A made-up bill whose columns carry names that no format has. */
function billOf(name: string, month: string, [first, second]: readonly [string, string]): string {
  const path = join(folder, name);
  writeFileSync(path, ["When,Box,Paid out,What for", `${month}-03,rack-1,${first},GPU box`, `${month}-04,rack-2,${second},GPU box`].join("\n"));
  return path;
}
