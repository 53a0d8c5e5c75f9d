import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import yauzl from "yauzl";
import { wordsOf } from "../../../../main/cli/words.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import type { MethodOutput } from "../../../../shared/contract/methods.ts";
import { answerOf } from "../../../errors/world.ts";
import { smiLog } from "../import/bills-of.ts";
import { readSheets } from "../print/sheets.ts";

const resourcesFolder = join(import.meta.dirname, "../../../../resources");
let folder = "";
let engine: Engine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-esg-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: folder, resourcesFolder, jobRunner: "inline", emit: () => undefined, now: () => new Date("2026-12-01T09:00:00Z"), wordsOf });
  answerOf(await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true }));
  await imported("bill.csv", billOf([...hours("vision", "us-east-1", "i-0123456789abcdef0", 40), ...hours("=1+1", "eu-west-1", "i-1123456789abcdef0", 30), ...hours("", "nowhere-9", "i-2123456789abcdef0", 7)]));
  await imported("i-0123456789abcdef0.csv", smiLog("2026-09-01", Array.from({ length: 900 }, (_, minute) => (minute < 300 ? 0 : 80))));
}, 60_000);
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Hour {
  readonly team: string;
  readonly region: string;
  readonly resource: string;
  readonly hour: number;
}
const hours = (team: string, region: string, resource: string, count: number): Hour[] => Array.from({ length: count }, (_, hour) => ({ team, region, resource, hour }));

/** A FOCUS bill of machines with eight H100 each, an hour a row from 1 September. */
function billOf(rows: readonly Hour[]): string {
  const head = "ProviderName,BillingAccountId,SubAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency,BilledCost,EffectiveCost,ListCost,ContractedCost,ConsumedQuantity,ConsumedUnit,PricingQuantity,PricingUnit,ServiceName,RegionId,ResourceId,ChargeDescription,Tags";
  const at = (hour: number): string => new Date(Date.UTC(2026, 8, 1, hour)).toISOString().replace(".000Z", "Z");
  return `${[head, ...rows.map(({ team, region, resource, hour }) => ["AWS", "1", "a", "2026-09-01T00:00:00Z", "2026-10-01T00:00:00Z", at(hour), at(hour + 1), "Usage", "USD", "98.32", "98.32", "98.32", "98.32", "1", "Hours", "1", "Hours", "Amazon Elastic Compute Cloud", region, resource, "p5.48xlarge instance hours", team === "" ? "" : `"{""team"": ""${team}""}"`].join(","))].join("\n")}\n`;
}

async function imported(name: string, text: string): Promise<void> {
  writeFileSync(join(folder, name), text);
  const { plan } = answerOf(await engine.ask("import.preview", { files: [join(folder, name)], options: { timezone: "UTC" } }));
  answerOf(await engine.ask("import.post", { plan }));
}

async function exported(name: string, part: { readonly language?: "en" | "zh-CN"; readonly period?: string } = {}): Promise<MethodOutput<"esg.export">> {
  return answerOf(await engine.ask("esg.export", { period: part.period ?? "2026-Q3", scope: {}, language: part.language ?? "en", file: join(folder, name), by: "Wei", statement: null }));
}

const csv = (pack: string, table: string): Record<string, string>[] => parse(readFileSync(join(folder, pack, "csv", `${table}.csv`), "utf8"), { columns: true });

/** The pack's CSV files as tables of a database of their own: nothing of the product reckons in what follows. */
function asDatabase(pack: string): Database.Database {
  const db = new Database(":memory:");
  for (const file of readdirSync(join(folder, pack, "csv"))) {
    const rows: string[][] = parse(readFileSync(join(folder, pack, "csv", file), "utf8"));
    const [head = [], ...lines] = rows;
    const name = file.replace(".csv", "").replaceAll("-", "_");
    db.exec(`CREATE TABLE ${name} (${head.map((column) => `"${column}" TEXT`).join(", ")})`);
    const insert = db.prepare(`INSERT INTO ${name} VALUES (${head.map(() => "nullif(?, '')").join(", ")})`);
    for (const line of lines) insert.run(...line);
  }
  return db;
}

describe("an ESG pack", () => {
  it("has the totals of the screen to the last digit, worked out again from its files by plain SQL", async () => {
    await exported("pack");
    const screen = answerOf(await engine.ask("carbon.read", { period: "2026-Q3", scope: {} }));
    const db = asDatabase("pack");
    const whole = (column: string): string => `sum(CAST(replace(${column}, '.', '') AS INTEGER))`;
    const total = db.prepare(`SELECT ${whole("location_kg")} AS location, ${whole("market_kg")} AS market, ${whole("embodied_kg")} AS embodied, ${whole("facility_kwh")} AS facility, ${whole("gpu_hours")} AS hours FROM evidence`).safeIntegers().get();
    expect(total).toEqual({
      location: screen.total.locationMicrograms,
      market: screen.total.marketMicrograms,
      embodied: screen.total.embodiedMicrograms?.central,
      facility: screen.total.facilityMilliwattHours,
      hours: BigInt(Math.round(screen.total.gpuHours * 1e9)),
    });
    const line = db.prepare("SELECT replace(value, '.', '') AS value FROM summary WHERE line = 'scope-3-cloud-location'").pluck().get() as string;
    expect(BigInt(line)).toBe(screen.total.locationMicrograms);
    for (const [table, column] of [["by_team", "team"], ["by_region", "region"], ["by_provider", "provider"], ["by_model", "gpu_model"], ["by_month", "month"]] as const) {
      const parts = db.prepare(`SELECT p.location_kg AS stated, e.location AS summed FROM ${table} p LEFT JOIN (SELECT ${column}, ${whole("location_kg")} AS location FROM evidence GROUP BY ${column}) e ON e.${column} IS nullif(p.${column}, 'none stated') WHERE p.${column} <> 'Total'`).safeIntegers().all() as { stated: string | null; summed: bigint | null }[];
      expect(parts.length).toBeGreaterThan(0);
      for (const { stated, summed } of parts) expect(stated === null ? null : BigInt(stated.replace(".", ""))).toBe(summed);
    }
    db.close();
  });

  it("lets each row be worked out from its factors", () => {
    const rows = csv("pack", "evidence").filter(({ location_kg: kilograms }) => kilograms !== "");
    expect(rows.length).toBe(2);
    for (const row of rows) {
      const number = (column: string): number => Number(row[column]);
      expect(number("facility_kwh")).toBeCloseTo(number("it_kwh") * number("pue"), 5);
      expect(number("location_kg")).toBeCloseTo((number("facility_kwh") * number("grid_g_per_kwh")) / 1000, 8);
      const kinds = csv("pack", "factors").filter(({ factor = "" }) => (row["factors"] ?? "").split("; ").includes(factor)).map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(["pue", "grid", "gpu-power"]));
    }
  });

  it("names the file and the lines of a row, and the log its energy was measured in", () => {
    const row = csv("pack", "evidence").find(({ team }) => team === "vision");
    expect(row).toMatchObject({ bill_source: "B1", bill_lines: "2-41", bill_rows: "40", log_sources: "L1" });
    const sources = csv("pack", "sources").map(({ source, file }) => [source, file]);
    expect(sources).toEqual([["B1", "bill.csv"], ["L1", "i-0123456789abcdef0.csv"]]);
    const [, first] = readFileSync(join(folder, "bill.csv"), "utf8").split("\n");
    expect(first).toContain("i-0123456789abcdef0");
  });

  it("says what is missing, and fills none of it", () => {
    expect(csv("pack", "gaps").map(({ gap, subject }) => [gap, subject])).toEqual(expect.arrayContaining([["period-partial", ""], ["month-open", "2026-09"], ["region-unknown", "nowhere-9"]]));
    expect(csv("pack", "evidence").find(({ region }) => region === "nowhere-9")).toMatchObject({ location_kg: "", market_kg: "" });
    expect(csv("pack", "summary").find(({ line }) => line === "days-covered")).toMatchObject({ value: "2", note: expect.stringContaining("nothing is extrapolated") as string });
  });

  it("lets no text run as a formula, in CSV or in the workbook", async () => {
    expect(csv("pack", "by-team").map(({ team }) => team)).toContain("'=1+1");
    const sheets = await readSheets(readFileSync(join(folder, "pack/esg-2026-Q3.xlsx")));
    const cells = sheets.flatMap(({ rows }) => rows.flat()).filter((cell) => typeof cell === "string");
    expect(cells).toContain("'=1+1");
    expect(cells.filter((cell) => /^[=@]/.test(cell))).toEqual([]);
  });

  it("is remembered: the same figures are the same issue, others say what changed", async () => {
    const again = await exported("again");
    expect(again).toMatchObject({ issue: 1, isSame: true });
    expect(csv("again", "changes")[0]?.["what"]).toBe("Nothing has changed since issue #1 of 1 Dec 2026, 09:00.");
    await imported("more.csv", billOf([...hours("vision", "us-east-1", "i-0123456789abcdef0", 40), ...hours("=1+1", "eu-west-1", "i-1123456789abcdef0", 40), ...hours("", "nowhere-9", "i-2123456789abcdef0", 7)]));
    expect(await exported("changed")).toMatchObject({ issue: 2, isSame: false });
    const changes = csv("changed", "changes");
    expect(changes[0]?.["what"]).toContain("Since issue #1");
    expect(changes.find(({ what, measure }) => what === "total" && measure === "gpu_hours")).toMatchObject({ before: "616.000000000", now: "696.000000000", difference: "80.000000000" });
    expect(answerOf(await engine.ask("esg.list", {})).issues.map(({ issue }) => issue)).toEqual([2, 1]);
  });

  it("comes in Chinese with the same figures, and as a ZIP with the same files", async () => {
    const folderPack = await exported("zh", { language: "zh-CN" });
    const zipped = await exported("zh.zip", { language: "zh-CN" });
    expect(zipped.files).toEqual(folderPack.files);
    const names = await new Promise<string[]>((resolve, reject) => {
      const found: string[] = [];
      yauzl.open(join(folder, "zh.zip"), (error, zip) => {
        if (error !== null) return reject(error);
        zip.on("entry", ({ fileName }: { fileName: string }) => found.push(fileName));
        zip.on("end", () => resolve(found));
      });
    });
    expect(names).toEqual(zipped.files);
    expect(csv("zh", "summary").map(({ value }) => value)).toEqual(csv("changed", "summary").map(({ value }) => value));
    expect(csv("zh", "summary").find(({ line }) => line === "scope-1")).toMatchObject({ what: "范围 1" });
  });

  it("replaces an earlier pack, and leaves a folder alone that is none", async () => {
    writeFileSync(join(folder, "pack/notes.txt"), "mine");
    await exported("pack");
    expect(readdirSync(join(folder, "pack")).sort()).toEqual(["README.txt", "csv", "esg-2026-Q3.xlsx", "notes.txt", "pack.json"]);
    mkdirSync(join(folder, "other"));
    writeFileSync(join(folder, "other/notes.txt"), "mine");
    expect(await engine.ask("esg.export", { period: "2026-09", scope: {}, language: "en", file: join(folder, "other"), by: null, statement: null })).toMatchObject({ ok: false, error: { code: "file.exists" } });
  });

  it("is frozen once its months are closed", async () => {
    answerOf(await engine.ask("month.close", { month: "2026-09", note: null, by: "Wei" }));
    expect((await exported("frozen", { period: "2026-09" })).isFrozen).toBe(true);
    expect(csv("frozen", "months")).toEqual([expect.objectContaining({ month: "2026-09", state: "closed", closed_by: "Wei", totals_changed_since: "0" })]);
  });

  it("is refused for a period without GPU-hours", async () => {
    expect(await engine.ask("esg.export", { period: "2025", scope: {}, language: "en", file: join(folder, "none"), by: null, statement: null })).toMatchObject({ ok: false, error: { code: "report.no-data" } });
  });
});
