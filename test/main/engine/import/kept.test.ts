import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { afterEach, beforeEach, expect, it } from "vitest";
import { wordsOf } from "../../../../main/cli/words.ts";
import { keepSources, keptFolderOf, unkept } from "../../../../main/engine/import/kept.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { openLedger, type OpenLedger } from "../../../../main/engine/store/open.ts";
import type { RowsPage } from "../../../../shared/contract/methods.ts";
import { answerOf } from "../../../errors/world.ts";
import { focusBill } from "./bills-of.ts";

const resourcesFolder = join(import.meta.dirname, "../../../../resources");
let folder: string;
let ledger: string;
let engine: Engine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-kept-"));
  ledger = join(folder, "mine.gpuledger");
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder, jobRunner: "inline", emit: () => undefined, wordsOf: async (language) => wordsOf(language) });
  answerOf(await engine.ask("ledger.open", { file: ledger, create: true }));
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

const september = focusBill([{ day: "2026-09-01", cost: "1" }, { day: "2026-09-02", cost: "2.5" }]);

async function post(path: string): Promise<number> {
  const { plan } = answerOf(await engine.ask("import.preview", { files: [path], options: {} }));
  return answerOf(await engine.ask("import.post", { plan })).files[0]?.batch ?? 0;
}
const rows = async (): Promise<RowsPage> => answerOf(await engine.ask("rows.read", { ref: { metric: "spend", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null }, of: "charges", offset: 0, limit: 10 }));
function own(): OpenLedger {
  const opened = openLedger(ledger, { create: false });
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
}
/** What the window does behind the scenes. */
async function keep(most = 1 << 30): Promise<number> {
  await engine.ask("ledger.close", {});
  const { db, close } = own();
  const kept = await keepSources(keptFolderOf(db) ?? "", unkept(db), most, () => false);
  close();
  answerOf(await engine.ask("ledger.open", { file: ledger, create: false }));
  return kept;
}

it.each([
  ["a file as it is", "september.csv", (): string | Buffer => september, ".csv.gz"],
  ["a gz", "september.csv.gz", (): Buffer => gzipSync(september), ".csv.gz"],
  ["UTF-16", "september.csv", (): Buffer => Buffer.from(`\uFEFF${september}`, "utf16le"), ".csv.gz"],
])("shows the rows of %s from its copy when the original is gone", async (_, name, content, ending) => {
  const bill = join(folder, name);
  writeFileSync(bill, content());
  await post(bill);
  const before = await rows();
  expect(await keep()).toBe(1);
  expect(readdirSync(`${ledger}.sources`)).toEqual([expect.stringMatching(new RegExp(`^[0-9a-f]{64}\\${ending}$`))]);
  rmSync(bill);
  expect(await rows()).toEqual(before);
  expect(before.rows).toHaveLength(2);
  // Kept already: nothing is left to do.
  expect(await keep()).toBe(0);
});

it("keeps no more than the person allows, and drops all copies when told to", async () => {
  const bill = join(folder, "september.csv");
  writeFileSync(bill, september);
  await post(bill);
  expect(await keep(10)).toBe(0);
  expect(await keep()).toBe(1);
  expect(answerOf(await engine.ask("sources.state", {}))).toMatchObject({ unkeptFiles: 0, mostMegabytes: 2048 });
  answerOf(await engine.ask("sources.drop", {}));
  expect(existsSync(`${ledger}.sources`)).toBe(false);
  expect((await rows()).rows).toHaveLength(2);
});

it("finds a file that was moved, by its bytes, where the person says, or beside others", async () => {
  const bill = join(folder, "september.csv");
  writeFileSync(bill, september);
  await post(bill);
  mkdirSync(join(folder, "archive"));
  renameSync(bill, join(folder, "archive", "2026-09 renamed.csv"));
  writeFileSync(join(folder, "archive", "other.csv"), september.replace("2.5", "2.6"));
  expect((await rows()).missing).toMatchObject([{ code: "rows.file-missing" }]);
  expect(answerOf(await engine.ask("sources.relocate", { files: [join(folder, "archive")] })).found).toBe(1);
  expect(await rows()).toMatchObject({ missing: [], rows: [{ line: 2 }, { line: 3 }] });
});

it("exports rows set aside, takes the corrected ones back in their places, and the corrected file imports whole", async () => {
  const bill = join(folder, "september.csv");
  writeFileSync(bill, september.replace("2.5", "2.5x"));
  const batch = await post(bill);
  expect((await rows()).total).toBe(1);
  const sheet = join(folder, "aside.csv");
  answerOf(await engine.ask("set-aside.export", { batch, language: "en", file: sheet }));
  const table = parse<Record<string, string>>(readFileSync(sheet, "utf8"), { bom: true, columns: true });
  expect(table).toMatchObject([{ File: "september.csv", Line: "3" }]);
  expect(Object.values(table[0] ?? {})).toContain("2.5x");
  writeFileSync(sheet, readFileSync(sheet, "utf8").replaceAll("2.5x", "2.5"));
  const corrected = join(folder, "september corrected.csv");
  expect(answerOf(await engine.ask("set-aside.correct", { batch, sheet, file: corrected }))).toEqual({ file: "september corrected.csv", rows: 1, leftOut: [] });
  await post(corrected);
  expect(await rows()).toMatchObject({ total: 2, missing: [], rows: [{ file: "september corrected.csv", line: 2 }, { line: 3 }] });
  expect(answerOf(await engine.ask("totals.read", { period: "2026-09", by: ["month"] })).rows).toMatchObject([{ EffectiveCost: "3.5" }]);
});

it("keeps the cells of columns that the corrected sheet no longer has, and takes a sheet as a German Excel saves it", async () => {
  const bill = join(folder, "september.csv");
  writeFileSync(bill, september.replace("2.5", "2.5x"));
  const batch = await post(bill);
  const sheet = join(folder, "aside.csv");
  writeFileSync(sheet, "File;Line;Column;Reason;BilledCost\r\nseptember.csv;3;BilledCost;;2.5\r\n");
  const corrected = join(folder, "corrected.csv");
  expect(answerOf(await engine.ask("set-aside.correct", { batch, sheet, file: corrected }))).toEqual({ file: "corrected.csv", rows: 1, leftOut: [] });
  expect(parse(readFileSync(corrected, "utf8"))).toEqual(parse(september));
});

it("names the lines of records too long to carry over, and writes one that the sheet fills", async () => {
  const bill = join(folder, "september.csv");
  const [head = "", first = "", second = ""] = september.split("\n");
  const long = `${"x".repeat(17 * 1024 * 1024)},`;
  writeFileSync(bill, [head, first, long, second.replace("2.5", "2.5x"), long, ""].join("\n"));
  const batch = await post(bill);
  const sheet = join(folder, "aside.csv");
  answerOf(await engine.ask("set-aside.export", { batch, language: "en", file: sheet }));
  const table = parse<Record<string, string>>(readFileSync(sheet, "utf8"), { bom: true, columns: true });
  expect(table.map(({ Line, Reason }) => [Line, Reason])).toEqual([["3", "a row under 16 MiB"], ["4", expect.any(String)], ["5", "a row under 16 MiB"]]);
  const filled = readFileSync(sheet, "utf8").replaceAll("2.5x", "2.5").replace(/september\.csv,5,,[^,]*,.*/, (row) => row.split(",").slice(0, 4).concat(second).join(","));
  writeFileSync(sheet, filled);
  const corrected = join(folder, "corrected.csv");
  expect(answerOf(await engine.ask("set-aside.correct", { batch, sheet, file: corrected }))).toEqual({ file: "corrected.csv", rows: 2, leftOut: [3] });
  expect(parse(readFileSync(corrected, "utf8"))).toEqual(parse([head, first, second, second].join("\n")));
});

it("leaves nothing behind where the corrected file cannot be written", async () => {
  const bill = join(folder, "september.csv");
  writeFileSync(bill, september.replace("2.5", "2.5x"));
  const batch = await post(bill);
  const sheet = join(folder, "aside.csv");
  answerOf(await engine.ask("set-aside.export", { batch, language: "en", file: sheet }));
  mkdirSync(join(folder, "taken"));
  expect(await engine.ask("set-aside.correct", { batch, sheet, file: join(folder, "taken") })).toMatchObject({ error: { code: "file.not-writable" } });
  expect(await engine.ask("set-aside.correct", { batch, sheet, file: join(folder, "none", "corrected.csv") })).toMatchObject({ error: { code: "file.not-writable" } });
  expect(readdirSync(folder).filter((name) => name.endsWith(".new"))).toEqual([]);
});
