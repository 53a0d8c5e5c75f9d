import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { finished } from "node:stream/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "csv-parse/sync";
import type { Locator, Page } from "@playwright/test";
import { answer, appear, dialogsAnswer, dropFiles, goTo, patience, pick, settled, startJourney } from "./journey.ts";
import type { Journey } from "./journey.ts";
import { writeOwnFiles } from "./own-files.ts";

test.describe.configure({ mode: "serial", timeout: patience });

const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-own-"));
const { bill, log } = writeOwnFiles(folder);
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

test("a person's own bill and log: the zone is asked once, and the preview says what posting would change", async () => {
  await dialogsAnswer(journey.app, { open: [bill, log], save: join(folder, "mine.gpuledger") });
  await page.getByRole("button", { name: "Open my files" }).click();
  const question = page.getByRole("region", { name: "In which time zone was i-0f00dcafe0123456.csv written?" });
  await question.getByRole("textbox", { name: "Time zone" }).or(question.getByRole("combobox", { name: "Time zone" })).fill("UTC");
  await question.getByRole("button", { name: "Use this" }).click();
  await expect(page.getByRole("table", { name: "Files on the desk" }).getByText("ready to post")).toHaveCount(2);
  await expect(question).toHaveCount(0);
  await expect(answer(page)).toHaveText("Posting adds $241.25 of effective cost to the ledger.");
  const changes = page.getByRole("table", { name: "What would change" });
  await expect(changes.getByRole("row", { name: /^New/ })).toContainText("241.25");
  await expect(page.getByRole("table", { name: "Totals of the file" })).toContainText("241.25");
  await page.getByRole("button", { name: "i-0f00dcafe0123456.csv" }).click();
  const facts = page.getByRole("table", { name: "What the log holds" });
  await expect(facts.getByRole("row", { name: /^GPUs/ })).toContainText("4");
  await expect(facts.getByRole("row", { name: /^Time zone/ })).toContainText("UTC, as you said");
  await expect(page.getByRole("table", { name: "Hosts and what was billed" })).toContainText("i-0f00dcafe0123456");
});

test("posted, Efficiency shows the idle $120.00 split as the log has it, with its evidence", async () => {
  await page.getByRole("button", { name: "Post 2 files" }).click();
  await expect(page.locator(".toast")).toHaveText("2 files were posted.");
  await goTo(page, "efficiency");
  expect(await ways()).toEqual({ productive: "96.00", busy: "24.00", held: "60.00", dead: "60.00" });
  await expect(page.locator("main")).toContainText("$120.00");
  const episodes = page.locator("section", { has: page.getByRole("heading", { name: "Idle episodes" }) }).last();
  await expect(episodes).toContainText("i-0f00dcafe0123456");
  await goTo(page, "review");
  await expect(answer(page)).toHaveText("August 2026 cost $241.25; idle GPUs account for $120.00 of it.");
});

test("the idle money opens its inputs and its rows, down to the lines of the bill", async () => {
  await answer(page).getByRole("button", { name: "$120.00" }).click();
  const panel = page.getByRole("dialog", { name: "Idle cost" });
  await expect(panel.locator(".explain-value")).toContainText("$120.00");
  await expect(panel.getByRole("table", { name: "Sources" })).toContainText("august.csv");
  await panel.getByRole("button", { name: /^Show the/ }).click();
  const rows = page.getByRole("dialog", { name: "The rows behind it" });
  await expect(rows.getByRole("row").nth(1).getByRole("cell").nth(0)).toHaveText("august.csv");
  await expect(rows.getByRole("row").nth(1).getByRole("cell").nth(1)).toHaveText(/^\d+$/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("another idle rule changes the idle money without a new import, and the usual rule brings it back", async () => {
  await goTo(page, "efficiency");
  const minimum = page.getByRole("textbox", { name: /^Counts from an idle time of/ });
  const labels = page.locator(".ways-labels");
  await minimum.fill("780");
  await minimum.press("Tab");
  await page.getByRole("button", { name: "Save the rules" }).click();
  // The twelve idle hours are shorter than thirteen, so all of them are work that was not done well.
  await expect(labels).toContainText("144.00");
  await expect(labels).not.toContainText("60.00");
  await page.getByRole("button", { name: "Back to the usual rules" }).click();
  await page.getByRole("button", { name: "Save the rules" }).click();
  await expect(labels).not.toContainText("144.00");
  expect(Object.values(await ways())).toEqual(["96.00", "24.00", "60.00", "60.00"]);
});

test("the same money stands there in Chinese", async () => {
  await appear(page, { language: "zh-CN", theme: "light" });
  await goTo(page, "review");
  await expect(answer(page)).toContainText("2026年8月");
  await expect(answer(page)).toContainText("120.00");
  await goTo(page, "efficiency");
  expect(Object.values(await ways())).toEqual(["96.00", "24.00", "60.00", "60.00"]);
  await appear(page, { language: "en", theme: "light" });
  await settled(page);
});

test("an import that is undone is gone, and done again it is back", async () => {
  await goTo(page, "imports");
  await page.getByRole("button", { name: "Undo the import of i-0f00dcafe0123456.csv" }).click();
  await expect(page.locator(".toast")).toContainText("is undone");
  await goTo(page, "review");
  await expect(answer(page)).not.toContainText("$120.00");
  await expect(answer(page)).toContainText("$241.25");
  await goTo(page, "imports");
  await page.getByRole("button", { name: "Redo the import of i-0f00dcafe0123456.csv" }).click();
  await expect(page.locator(".toast")).toContainText("is back in the ledger");
  await goTo(page, "review");
  await expect(answer(page)).toHaveText("August 2026 cost $241.25; idle GPUs account for $120.00 of it.");
});

test("the same bytes again, dropped on the desk, change nothing", async () => {
  await goTo(page, "imports");
  const copy = join(folder, "the same again.csv");
  writeFileSync(copy, readFileSync(bill));
  await dropFiles(page, ".drop-area", [copy]);
  await expect(answer(page)).toHaveText("These files are in the ledger already; nothing would change.");
  await expect(page.getByRole("button", { name: /^Post/ })).toBeDisabled();
  await discard();
});

test("a restated bill shows the difference before it counts", async () => {
  const restated = join(folder, "august restated.csv");
  writeFileSync(restated, readFileSync(bill, "utf8").replace(",1.25,1.25,1.25,1.25,", ",2.00,2.00,2.00,2.00,"));
  await dropFiles(page, ".drop-area", [restated]);
  await expect(answer(page)).toHaveText("Posting adds $0.75 of effective cost to the ledger.");
  const changed = page.getByRole("table", { name: "What would change" }).getByRole("row", { name: /^Changed/ });
  await expect(changed).toContainText("1.25");
  await expect(changed).toContainText("2.00");
  await expect(changed).toContainText("+0.75");
  await expect(page.getByRole("table", { name: "Covers" })).toContainText(/import \d+/);
  await page.getByRole("button", { name: "Post 1 file" }).click();
  await expect(page.locator(".toast")).toHaveText("1 file was posted.");
  await goTo(page, "review");
  await expect(answer(page)).toContainText("$242.00");
  await expect(answer(page)).toContainText("$120.00");
});

test("a file that nobody can read says so in words, and what to do, and the rest of the desk can be posted", async () => {
  await goTo(page, "imports");
  const letter = join(folder, "letter.txt");
  const nothing = join(folder, "nothing.csv");
  writeFileSync(letter, "Dear all,\nplease find the numbers attached.\n");
  writeFileSync(nothing, "");
  await dropFiles(page, ".drop-area", [letter, nothing]);
  const files = page.getByRole("table", { name: "Files on the desk" });
  await expect(files.getByRole("row", { name: /letter\.txt/ })).toContainText("Check that it is the whole export with its header line; a bill or log of your own shape is read by a column mapping. Nothing of it was imported.");
  await expect(files.getByRole("row", { name: /nothing\.csv/ })).toContainText("nothing.csv is empty. Export it again from its source.");
  await expect(answer(page)).toHaveText("None of these files can be posted as they are.");
  await discard();
});

test("a large import that is cancelled leaves the ledger as it was", async () => {
  const large = join(folder, "large.csv");
  await writeLargeBill(large, 300_000);
  await dropFiles(page, ".drop-area", [large]);
  const work = page.locator(".status-bar .work");
  await expect(work).toContainText(/Reading large\.csv: [\d,]+ rows/);
  await work.getByRole("button", { name: "Cancel" }).click();
  await expect(page.locator("main .refused")).toContainText("The import of large.csv was cancelled.");
  await discard();
  await goTo(page, "review");
  await expect(answer(page)).toContainText("$242.00");
  await expect(answer(page)).toContainText("August 2026");
});

test("a bill in another currency is never added to the first, and its currency stays across screens", async () => {
  const euros = join(folder, "august in euros.csv");
  const twoRows = readFileSync(bill, "utf8").split("\n").slice(0, 3).join("\n");
  writeFileSync(euros, `${twoRows.replaceAll(",USD,", ",EUR,").replaceAll("999988887777", "999988886666").replaceAll("i-0f00dcafe0123456", "i-0f00dcafe0654321")}\n`);
  await goTo(page, "imports");
  await dropFiles(page, ".drop-area", [euros]);
  await page.getByRole("button", { name: "Post 1 file" }).click();
  await expect(page.locator(".toast")).toHaveText("1 file was posted.");
  await goTo(page, "review");
  await expect(answer(page)).toContainText("$242.00");
  await pick(page, "Currency", "EUR");
  await expect(answer(page)).toContainText("€20.00");
  await goTo(page, "efficiency");
  expect(await page.evaluate(() => location.hash)).toBe("#/efficiency?currency=EUR");
  await expect(answer(page)).toContainText("€20.00");
  await pick(page, "Currency", "USD");
});

const foundation = join(import.meta.dirname, "../../../shared/samples/billing/focus/focus-1.0_foundation-sample_1000rows_multi-provider.csv");

test("the sample bill of the FOCUS Foundation: its totals to the last digit, and its ten GPU rows without telemetry", async () => {
  test.skip(!existsSync(foundation), "the FOCUS Foundation's sample bill is not here");
  await goTo(page, "imports");
  await dropFiles(page, ".drop-area", [foundation]);
  await expect(page.getByRole("button", { name: "Post 1 file" })).toBeEnabled();
  const totals = page.getByRole("table", { name: "Totals of the file" });
  const expected = exactTotals(readFileSync(foundation, "utf8"));
  for (const [name, cost] of [["Billed", "BilledCost"], ["Effective", "EffectiveCost"], ["List", "ListCost"], ["Contracted", "ContractedCost"]] as const) {
    await expect(totals.getByRole("row", { name: new RegExp(`^${name}`) })).toContainText(expected[cost]);
  }
  await page.getByRole("button", { name: "Post 1 file" }).click();
  await expect(page.locator(".toast")).toHaveText("1 file was posted.");

  for (const [basis, cost] of [["BilledCost", "BilledCost"], ["EffectiveCost", "EffectiveCost"], ["ListCost", "ListCost"]] as const) {
    await page.evaluate((hash) => (location.hash = hash), `#/review?period=2024&basis=${basis}`);
    const exact = expected[cost];
    await expect(answer(page)).toContainText(`2024 cost $${Number(exact).toFixed(2)}`);
    await page.locator(".tile [data-figure]").first().click();
    await expect(page.locator(".explain-value")).toContainText(`exactly $${exact}`);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }

  await page.evaluate(() => (location.hash = "#/efficiency?period=2024-09"));
  await expect(answer(page)).toHaveText("$13.00 of GPU time in September 2024 has no utilisation log: what it did is not known.");
  const blind = page.locator("section", { has: page.getByRole("heading", { name: "GPU spend without telemetry" }) }).last();
  await expect(blind.locator("tbody tr:not(.total)")).toHaveCount(10);
  await expect(blind.locator("tbody tr:not(.total)", { hasText: "A10G" })).toHaveCount(8);
  await expect(blind.locator("tbody tr:not(.total)", { hasText: "M60" })).toHaveCount(2);
  await expect(blind.locator("tr.total")).toContainText("13.00");
});

async function discard(): Promise<void> {
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("table", { name: "Files on the desk" })).toHaveCount(0);
}

/** The four ways of the money, as Efficiency shows them. */
async function ways(): Promise<Record<string, string>> {
  const labels = page.locator(".ways-labels > div");
  await expect(labels).toHaveCount(4);
  const amount = (label: Locator): Promise<string> => label.locator("dd [data-figure]").first().innerText();
  const [productive, busy, held, dead] = await Promise.all([0, 1, 2, 3].map((index) => amount(labels.nth(index))));
  return { productive: productive ?? "", busy: busy ?? "", held: held ?? "", dead: dead ?? "" };
}

/** A bill of one day after the other, as large as it takes to be caught reading it. */
async function writeLargeBill(path: string, rows: number): Promise<void> {
  const [header = "", first = ""] = readFileSync(bill, "utf8").split("\n", 2);
  const file = createWriteStream(path);
  file.write(`${header}\n`);
  for (let row = 0; row < rows; row += 1) {
    const written = file.write(`${first.replaceAll("i-0f00dcafe0123456", `i-0f00dcafe${String(row % 5000).padStart(7, "0")}`)}\n`);
    if (!written) await new Promise<void>((resolve) => file.once("drain", () => resolve()));
  }
  file.end();
  await finished(file);
}

/** Exact sums of the four costs of a bill, in the form in which amounts are read aloud: "20.52" with every digit after it. */
function exactTotals(text: string): Record<"BilledCost" | "EffectiveCost" | "ListCost" | "ContractedCost", string> {
  const rows: string[][] = parse(text);
  const [header = []] = rows;
  const sum = (name: string): string => {
    const index = header.indexOf(name);
    const attos = rows.slice(1).reduce((total, row) => total + attosOf(row[index] ?? ""), 0n);
    const digits = attos.toString().padStart(19, "0");
    const fraction = digits.slice(-18).replace(/0+$/, "").padEnd(2, "0");
    return `${digits.slice(0, -18).replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction}`;
  };
  return { BilledCost: sum("BilledCost"), EffectiveCost: sum("EffectiveCost"), ListCost: sum("ListCost"), ContractedCost: sum("ContractedCost") };
}

/** A decimal, with an exponent or without, in units of 10^-18. */
function attosOf(text: string): bigint {
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] = /^(-?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text.trim()) ?? [];
  const places = 18 + Number(exponent) - fraction.length;
  const digits = BigInt(`${whole}${fraction}` === "" ? "0" : `${whole}${fraction}`);
  const value = places >= 0 ? digits * 10n ** BigInt(places) : digits / 10n ** BigInt(-places);
  return sign === "-" ? -value : value;
}
