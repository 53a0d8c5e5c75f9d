import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { answer, dialogsAnswer, dropFiles, goTo, patience, startJourney } from "./journey.ts";
import type { Journey } from "./journey.ts";
import { zipOf } from "../main/engine/import/archives-of.ts";

test.describe.configure({ mode: "serial", timeout: patience });

const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-mapping-"));
const july = billOf("july.csv", "2026-07", ["1200.50", "310.25"]);
const august = billOf("august.csv", "2026-08", ["900.00", "99.75"]);
const house = file("house.csv", "Day;Sum;Unit\n2026-06-04;40.75;vision\n");
const archive = file("boxes.zip", zipOf([{ name: "a/may.csv", bytes: "On,Fee,Of\n2026-05-01,1.25,x\n" }, { name: "b/june.csv", bytes: "On,Fee,Of\n2026-06-01,2.50,x\n" }]));
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
  await expect(needed).toBeVisible();
  // Left without a word, it gives the focus back to what opened it.
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Say what its columns mean" })).toBeFocused();
  await page.keyboard.press("Enter");
  // When and how much is told by what stands there; in which currency and of whom, by nobody yet.
  await expect(dialog.getByRole("alert")).toContainText("Still needed: Currency, Provider.");
  await expect(dialog.getByRole("button", { name: "Use it" })).toBeDisabled();
  await expect(needed.getByRole("row", { name: /^Start or date/ })).toContainText("2026-07-03");
  await expect(needed.getByRole("row", { name: /^Billed cost/ })).toContainText("by what stands there");
  await choose("Resource", "Box");
  await needed.getByRole("textbox", { name: "Currency, the same for all rows" }).fill("EUR");
  await needed.getByRole("textbox", { name: "Provider, the same for all rows" }).fill("Rack & Roll");
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await dialog.getByRole("textbox", { name: "Kept under the name" }).fill("Rack invoices");
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
  await expect(page.locator(".reasons")).toContainText("It has the columns of the saved mapping “Rack invoices”");
  await page.getByRole("button", { name: "Discard", exact: true }).click();
});

test("two more layouts, one of them inside an archive, are told one after another in one import", async () => {
  await dropFiles(page, ".drop-area", [house, archive]);
  const question = page.getByRole("region", { name: "2 layouts are not known yet" });
  await expect(question.getByRole("listitem")).toHaveCount(2);
  await expect(question).toContainText("and 1 more with these columns");
  await question.getByRole("listitem").nth(1).getByRole("button").click();
  let dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("It holds for all 2 files with these columns.");
  await dialog.getByRole("textbox", { name: "Currency, the same for all rows" }).fill("EUR");
  await dialog.getByRole("textbox", { name: "Provider, the same for all rows" }).fill("Boxes");
  await dialog.getByRole("button", { name: "Use it" }).click();
  await page.getByRole("region", { name: "What do the columns of house.csv mean?" }).getByRole("button", { name: "Say what its columns mean" }).click();
  dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Currency, the same for all rows" }).fill("EUR");
  await dialog.getByRole("textbox", { name: "Provider, the same for all rows" }).fill("House");
  await dialog.getByRole("button", { name: "Use it" }).click();
  await expect(page.getByRole("table", { name: "Files on the desk" }).getByText("ready to post")).toHaveCount(3);
  // 1.25 + 2.50 of the archive, 40.75 of the house.
  await expect(answer(page)).toHaveText("Posting adds €44.50 of effective cost to the ledger.");
  await page.getByRole("button", { name: "Post 3 files" }).click();
  await expect(page.locator(".toast")).toHaveText("3 files were posted.");
});

test("Settings lists what is kept; one is renamed, written to a file, deleted, and taken in again", async () => {
  await goTo(page, "settings");
  const list = page.getByRole("table", { name: "Column mappings" });
  await expect(list.getByRole("rowheader")).toHaveText(["boxes.zip › a/may.csv", "house.csv", "Rack invoices"]);
  await expect(list.getByRole("row", { name: /^Rack invoices/ })).toContainText("july.csv");
  await list.getByRole("button", { name: "Rename house.csv" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("House invoices");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await dialogsAnswer(journey.app, { open: [join(folder, "house.json")], save: join(folder, "house.json") });
  await list.getByRole("button", { name: "Export House invoices" }).click();
  await expect(page.locator(".toast")).toHaveText("Written: house.json");
  await list.getByRole("button", { name: "Delete House invoices" }).click();
  await page.getByRole("dialog", { name: "Delete “House invoices”?" }).getByRole("button", { name: "Delete" }).click();
  await expect(list.getByRole("rowheader")).toHaveText(["boxes.zip › a/may.csv", "Rack invoices"]);
  await page.getByRole("region", { name: "Column mappings" }).getByRole("button", { name: "Import", exact: true }).click();
  await expect(list.getByRole("rowheader")).toHaveText(["boxes.zip › a/may.csv", "House invoices", "Rack invoices"]);
});

/** Chooses the column of one line of the dialog. */
async function choose(field: string, column: string): Promise<void> {
  await page.getByRole("row", { name: new RegExp(`^${field}`) }).getByRole("button").click();
  await page.getByRole("option", { name: column, exact: true }).click();
}

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** A made-up bill whose columns carry names that no format has. */
function billOf(name: string, month: string, [first, second]: readonly [string, string]): string {
  const path = join(folder, name);
  writeFileSync(path, ["When,Box,Paid out,What for", `${month}-03,rack-1,${first},GPU box`, `${month}-04,rack-2,${second},GPU box`].join("\n"));
  return path;
}
