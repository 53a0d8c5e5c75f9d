import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readRates } from "../../../../main/engine/rates/csv.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { sumAttos, parseAmount } from "../../../../shared/domain/money.ts";
import { focusBill } from "../import/bills-of.ts";

const resourcesFolder = join(import.meta.dirname, "../../../../resources");
let folder = "";
let engine: Engine;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-rates-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder, jobRunner: "inline", emit: () => undefined });
  await engine.ask("ledger.open", { file: join(folder, "mine.gpuledger"), create: true });
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const ecb = "Date,USD,CNY,JPY,\n2026-09-02,1.10,7.70,N/A,\n2026-09-01,1.0832,7.7161,156.31,\n";

async function importRates(text = ecb) {
  const file = join(folder, "rates.csv");
  writeFileSync(file, text);
  const answer = await engine.ask("rates.import", { file, base: "EUR", isPreview: false, by: "Ana" });
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

async function importBill(rows: Parameters<typeof focusBill>[0]): Promise<void> {
  const file = join(folder, "bill.csv");
  writeFileSync(file, focusBill(rows));
  const preview = await engine.ask("import.preview", { files: [file], options: {} });
  if (!preview.ok) throw new Error(preview.error.code);
  await engine.ask("import.post", { plan: preview.value.plan });
}

const converted = async (by: ("month" | "provider" | "team" | "currency")[], target = "EUR", period: string | null = "2026-09") => {
  const answer = await engine.ask("totals.converted", { period, by, scope: {}, in: target });
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value;
};
const attos = (text: string | null): bigint => parseAmount(text ?? "")?.value ?? 0n;

describe("rates", () => {
  it("are read from a file of the European Central Bank, and each is there once", async () => {
    expect(await importRates()).toMatchObject({ added: 5, changed: 0, same: 0, pairs: 3, firstDay: "2026-09-01", lastDay: "2026-09-02" });
    expect(await importRates(ecb.replace("7.70", "7.71"))).toMatchObject({ added: 0, changed: 1, same: 4 });
    const list = await engine.ask("rates.list", {});
    expect(list.ok && list.value.pairs).toEqual([
      { base: "EUR", quote: "CNY", days: 2, firstDay: "2026-09-01", lastDay: "2026-09-02", lastRate: "7.71", source: "rates.csv" },
      { base: "EUR", quote: "JPY", days: 1, firstDay: "2026-09-01", lastDay: "2026-09-01", lastRate: "156.31", source: "rates.csv" },
      { base: "EUR", quote: "USD", days: 2, firstDay: "2026-09-01", lastDay: "2026-09-02", lastRate: "1.10", source: "rates.csv" },
    ]);
    const read = await engine.ask("rates.read", { base: "EUR", quote: "USD", offset: 0, limit: 10 });
    expect(read.ok && read.value.rates.map(({ day, rate }) => [day, rate])).toEqual([["2026-09-02", "1.10"], ["2026-09-01", "1.0832"]]);
  });

  it("are read from rows of two currencies and a rate, in Chinese too, and from the bank's daily file", () => {
    expect(readRates("日期,源币种,目标币种,汇率\n2026年9月1日,USD,CNY,7.1234\n", "r.csv", "EUR")).toEqual({ ok: true, value: [{ base: "USD", quote: "CNY", day: "2026-09-01", rate: "7.1234" }] });
    expect(readRates("Date, USD, JPY, \n01 September 2026, 1.0832, 156.31, \n", "r.csv", "EUR")).toMatchObject({ ok: true, value: [{ quote: "USD", day: "2026-09-01", rate: "1.0832" }, { quote: "JPY" }] });
  });

  it.each([
    ["a day that could be two", "Date,USD\n01/02/2026,1.1\n", { code: "import.value-invalid", params: { line: 2, value: "01/02/2026" } }],
    ["a rate that is none", "Date,USD\n2026-09-01,1.1\n2026-09-02,about 1\n", { code: "import.value-invalid", params: { line: 3, column: "USD", value: "about 1" } }],
    ["a rate of zero", "Date,USD\n2026-09-01,0\n", { code: "import.value-invalid", params: { value: "0", expected: "rate" } }],
    ["a rate of a currency to itself", "Date,From,To,Rate\n2026-09-01,EUR,EUR,1\n2026-09-02,EUR,EUR,1.1\n", { code: "import.value-invalid", params: { line: 3, column: "To", value: "EUR", expected: "other-currency" } }],
    ["no currencies", "Date,Amount\n2026-09-01,1\n", { code: "import.column-missing" }],
    ["no day", "From,To,Rate\nUSD,CNY,7\n", { code: "import.column-missing" }],
  ])("refuse %s, the file as a whole", (_, text, error) => {
    expect(readRates(text, "r.csv", "EUR")).toMatchObject({ ok: false, error });
  });

  it("may be written by hand, changed and taken out, and the change is on record", async () => {
    const save = (rate: string | null) => engine.ask("rate.save", { base: "USD", quote: "EUR", day: "2026-09-01", rate, source: "treasury", by: "Ana" });
    await save("0.9");
    await save("0.91");
    expect(await engine.ask("rates.list", {})).toMatchObject({ ok: true, value: { pairs: [{ base: "USD", quote: "EUR", lastRate: "0.91", source: "treasury" }] } });
    await save(null);
    expect(await engine.ask("rates.list", {})).toMatchObject({ ok: true, value: { pairs: [], currencies: [] } });
    const changes = await engine.ask("changes.list", { area: "rates", offset: 0, limit: 10 });
    expect(changes.ok && changes.value.changes.map(({ what }) => what)).toEqual(["removed", "changed", "added"]);
  });
});

describe("totals in one currency", () => {
  it("take every day by the rate of its day, directly, backwards and through the euro", async () => {
    await importRates();
    await importBill([
      { day: "2026-09-01", cost: "108.32" },
      { day: "2026-09-02", cost: "110" },
      { day: "2026-09-02", cost: "77", currency: "CNY", provider: "Alibaba Cloud", account: "b" },
      { day: "2026-09-03", cost: "5", currency: "EUR", provider: "Other", account: "c" },
    ]);
    const { rows, whole, missing, coverage, rates } = await converted(["provider"]);
    expect(rows.map(({ provider, EffectiveCost, stated }) => [provider, EffectiveCost, stated?.currency, stated?.EffectiveCost])).toEqual([
      ["AWS", "200", "USD", "218.32"],
      ["Alibaba Cloud", "10", "CNY", "77"],
      ["Other", "5", "EUR", "5"],
    ]);
    expect(whole).toMatchObject({ BilledCost: "215", EffectiveCost: "215" });
    expect([missing, coverage]).toEqual([[], 1]);
    expect(rates.map(({ base, quote, day, rate, source, daysUsed }) => [base, quote, day, rate, source, daysUsed])).toEqual([
      ["EUR", "CNY", "2026-09-02", "7.70", "rates.csv", 1],
      ["EUR", "USD", "2026-09-01", "1.0832", "rates.csv", 1],
      ["EUR", "USD", "2026-09-02", "1.10", "rates.csv", 1],
    ]);
    // CNY to USD goes through the euro: 77 ÷ 7.70 × 1.10.
    const dollars = await converted(["currency"], "USD");
    expect(dollars.rows.map(({ currency, EffectiveCost }) => [currency, EffectiveCost])).toEqual([["CNY", "11"], ["EUR", "5.5"], ["USD", "218.32"]]);
  });

  it("leave out what no rate covers, say so, and never hold it for zero", async () => {
    await importRates();
    await importBill([{ day: "2026-09-09", cost: "110" }, { day: "2026-09-10", cost: "3" }, { day: "2026-09-11", cost: "4" }]);
    const { whole, missing, coverage } = await converted(["provider"]);
    // A rate holds for seven days: that of the 2nd until the 9th.
    expect(whole.EffectiveCost).toBe("100");
    expect(missing).toEqual([{ currency: "USD", days: 2, firstDay: "2026-09-10", lastDay: "2026-09-11", amount: "7" }]);
    expect(coverage).toBeCloseTo(1 / 3);
    expect((await converted([], "GBP")).whole.EffectiveCost).toBeNull();
  });

  it("have parts that add up to the whole to the last digit, in every grouping", async () => {
    await importRates("Date,USD\n2026-09-01,3\n2026-09-02,7\n");
    await importBill(["a", "b", "c"].flatMap((team, index) => ["2026-09-01", "2026-09-02", "2026-09-03"].map((day) => ({ day, cost: `0.10000000000000000${index + 1}`, team, account: team }))));
    const wholes = await Promise.all(([["team"], ["provider"], ["month", "team"], []] as const).map((by) => converted([...by])));
    for (const { rows, whole } of wholes) expect(sumAttos(rows.map(({ EffectiveCost }) => attos(EffectiveCost)))).toBe(attos(whole.EffectiveCost));
    expect(new Set(wholes.map(({ whole }) => whole.EffectiveCost)).size).toBe(1);
  });
});
