import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { recognizeBilling } from "../../main/engine/formats/index.ts";
import { sniff } from "../../main/engine/import/sniff.ts";
import { answerOf, makeWorld } from "../errors/world.ts";
import type { PlainReading } from "../main/engine/import/read-bill.ts";
import { readingOf } from "../main/engine/import/read-bill.ts";

/** Real bills, where they are at hand: `../shared/samples/billing` beside the project. */
const samples = join(import.meta.dirname, "../../../shared/samples/billing");
const isPresent = existsSync(samples);
const bills = (folder: string, pattern: RegExp): string[] => (isPresent ? readdirSync(join(samples, folder)).filter((name) => pattern.test(name)) : []);

describe.skipIf(!isPresent)("real bills (skipped where ../shared/samples is absent)", () => {
  it.each(bills("focus", /rows(100|_multi-provider)|1000rows/))("focus/%s adds to the file's own sums, digit for digit", async (name) => {
    const path = join(samples, "focus", name);
    const table = independently(path);
    const reading = await readingOf(path);
    expect(reading).toMatchObject({ format: "focus", rowsRead: table.length, rowsPosted: table.length, rowsSetAside: 0 });
    for (const column of ["BilledCost", "EffectiveCost", "ListCost", "ContractedCost"] as const) {
      const stated = table.map((row) => row[column] ?? "").filter((text) => text !== "" && text !== "NULL");
      expect({ column, total: reading.totals["USD"]?.[column] }).toEqual({ column, total: sumOf(stated) });
    }
  });

  it("the Foundation sample has ten GPU rows, of g5.4xlarge and g3.4xlarge", async () => {
    const { cells } = await readingOf(join(samples, "focus/focus-1.0_foundation-sample_1000rows_multi-provider.csv"));
    const gpu = cells.filter((cell) => cell["x_GpuModel"] !== undefined);
    expect(gpu.reduce((sum, cell) => sum + Number(cell["rows"]), 0)).toBe(10);
    expect([...new Set(gpu.map((cell) => cell["x_InstanceType"]))].sort()).toEqual(["g3.4xlarge", "g5.4xlarge"]);
    expect(gpu.every((cell) => typeof cell["GpuHours"] === "number")).toBe(true);
  });

  it.each(bills("focus", /scenarios|contract_commitment|\.json$/))("focus/%s is no bill, and is refused with the reason", async (name) => {
    const sniffed = await sniff(join(samples, "focus", name));
    if (!sniffed.ok) throw new Error(sniffed.error.code);
    const refused = recognizeBilling(sniffed.value);
    expect(refused.ok).toBe(false);
    if (refused.ok) return;
    const { code, params } = refused.error;
    if (name.includes("scenarios")) expect({ code, params }).toMatchObject({ code: "import.column-missing", params: { format: "focus", columns: "ChargePeriodStart" } });
    else if (name.includes("contract")) expect({ code, params }).toEqual({ code: "import.other-dataset", params: { file: name, dataset: "focus-contract-commitment" } });
    else expect({ code, params }).toMatchObject({ code: "import.unrecognized", params: { closest: null } });
  });

  it.each(bills("focus", /contract_commitment/))("focus/%s is read as what was agreed, every row, to the file's own sum", async (name) => {
    const folder = mkdtempSync(join(tmpdir(), "contracts-"));
    const world = await makeWorld(folder);
    try {
      const path = join(samples, "focus", name);
      await world.post(path);
      const { contracts } = answerOf(await world.engine.ask("commitments.contracts", {}));
      const table = independently(path);
      const sorted = (texts: readonly string[]): string[] => [...texts].sort();
      expect(sorted(contracts.map(({ commitment }) => commitment))).toEqual(sorted(table.map((row) => row["ContractCommitmentId"] ?? "")));
      expect(sumOf(contracts.flatMap(({ cost }) => cost ?? []))).toBe(sumOf(table.map((row) => row["ContractCommitmentCost"] ?? "").filter((text) => text !== "")));
      expect(answerOf(await world.engine.ask("totals.read", { period: null, by: [] })).rows).toEqual([]);
    } finally {
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("names of FOCUS 0.5 are read", async () => {
    expect(await readingOf(join(samples, "focus/focus_validator_all_pass_0.5.csv"))).toMatchObject({ version: "0.5", rowsPosted: 2, totals: { USD: { BilledCost: "1.1", EffectiveCost: "1.01", ListCost: null } } });
  });

  it("a real Cost and Usage Report adds to its unblended cost, digit for digit", async () => {
    const path = join(samples, "aws-cur-legacy/focus_converters_sample-anonymous-aws-export-dataset.csv");
    const table = independently(path);
    const reading: PlainReading = await readingOf(path);
    const unblended = sumOf(table.map((row) => row["lineItem/UnblendedCost"] ?? ""));
    expect(reading).toMatchObject({ format: "aws-cur", rowsRead: 1281, rowsPosted: 1281, periods: ["2023-11"], totals: { USD: { BilledCost: unblended, EffectiveCost: unblended } } });
  });

  it("covered usage of an open month costs its savings plan's rate", async () => {
    expect(await readingOf(join(samples, "aws-cur-legacy/koku_2023-06-01-not-final.csv"))).toMatchObject({
      rowsPosted: 3, periods: ["2023-06"], repairs: { "zone-assumed-utc": 3 }, totals: { NOK: { BilledCost: "30", EffectiveCost: "0.3", ListCost: "30", ContractedCost: null } },
    });
  });

  it("a header alone is a bill without rows", async () => {
    expect(await readingOf(join(samples, "aws-cur-legacy/koku_empty_frame.csv"))).toMatchObject({ rowsRead: 0, rowsPosted: 0, totals: {}, deliveries: [] });
  });

  it.each(["koku_test_cur.csv", "koku_test_cur.csv.gz"])("%s has rows one cell short of its header, all alike: the last column states nothing", async (name) => {
    const table: Record<string, string>[] = parse(readFileSync(join(samples, "aws-cur-legacy/koku_test_cur.csv")), { columns: true, relax_column_count: true });
    expect(await readingOf(join(samples, "aws-cur-legacy", name))).toMatchObject({
      rowsRead: 19, rowsPosted: 19, rowsSetAside: 0, repairs: { "missing-last-cells": 19 }, totals: { USD: { BilledCost: sumOf(table.map((row) => row["lineItem/UnblendedCost"] ?? "")) } },
    });
  });
});

/** Every sample that is listed, by what is said of it there: a bill is posted, a header alone has no rows, what is no bill is refused with a reason. */
describe.skipIf(!isPresent)("the samples as they are listed", () => {
  const listed = !isPresent ? [] : readFileSync(join(samples, "SOURCES.md"), "utf8").split("\n").flatMap((line) => {
    const [, path = "", , , , note = ""] = line.split("|").map((cell) => cell.trim());
    return path.includes("/") && existsSync(join(samples, path)) ? [{ path, note }] : [];
  });

  it("are all there", () => {
    const present = readdirSync(samples, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name !== "SOURCES.md");
    expect(listed.length).toBe(present.length);
  });

  it.each(listed)("$path: $note", async ({ path, note }) => {
    const folder = mkdtempSync(join(tmpdir(), "listed-"));
    const world = await makeWorld(folder);
    try {
      const { files } = answerOf(await world.engine.ask("import.preview", { files: [join(samples, path)], options: {} }));
      if (note.startsWith("not a bill")) expect(files.map(({ state, error }) => [state, error?.code.startsWith("import.")])).toEqual([["refused", true]]);
      // Those of opencost have one example row below the header, one of them with a date alone.
      else if (note === "header only") expect(files.map(({ rowsRead, error }) => [rowsRead, error?.code])).toEqual([path.endsWith("BOM.csv") ? [1, "import.no-rows-usable"] : path.includes("opencost") ? [1, undefined] : [0, undefined]]);
      else {
        const bills = files.filter(({ state }) => state === "ready");
        expect(bills.length).toBeGreaterThan(0);
        for (const { rowsRead, rowsPosted, rowsSetAside } of bills) expect([rowsPosted > 0, rowsPosted + rowsSetAside]).toEqual([true, rowsRead]);
      }
    } finally {
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 120_000);
});

/** Another reader's reading: csv-parse. */
function independently(path: string): Record<string, string>[] {
  return parse(readFileSync(path), { columns: true, bom: true });
}

/** Decimal texts added as whole numbers of 1e-30. */
function sumOf(texts: readonly string[]): string | null {
  if (texts.length === 0) return null;
  let total = 0n;
  for (const text of texts) {
    const [, sign, whole = "", decimals = "", exponent = "0"] = /^(-?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
    const shift = 30 - decimals.length + Number(exponent);
    const magnitude = shift >= 0 ? BigInt(whole + decimals) * 10n ** BigInt(shift) : BigInt(whole + decimals) / 10n ** BigInt(-shift);
    total += sign === "-" ? -magnitude : magnitude;
  }
  const digits = (total < 0n ? -total : total).toString().padStart(31, "0");
  return `${total < 0n ? "-" : ""}${digits.slice(0, -30)}.${digits.slice(-30)}`.replace(/0+$/, "").replace(/\.$/, "");
}
