import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../../../../../main/cli/index.ts";
import { readBill } from "../../../../../main/engine/import/bills.ts";
import { sniff } from "../../../../../main/engine/import/sniff.ts";
import { createEngine, type Engine } from "../../../../../main/engine/serve.ts";
import { openMemoryLedger } from "../../../../../main/engine/store/open.ts";
import type { ColumnMapping, MappingGuess } from "../../../../../shared/contract/mapping.ts";
import type { PreviewFile } from "../../../../../shared/contract/methods.ts";
import { newBatch, plain, quiet, shippedReference } from "../../import/read-bill.ts";

const resourcesFolder = join(import.meta.dirname, "../../../../../resources");

let folder: string;
let engine: Engine;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "mapped-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder, jobRunner: "inline", emit: () => undefined });
  const opened = await engine.ask("ledger.open", { file: join(folder, "mine.gpuledger"), create: true });
  if (!opened.ok) throw new Error(opened.error.code);
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, ...lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

async function guess(path: string): Promise<MappingGuess> {
  const answer = await engine.ask("mapping.guess", { file: path, planned: null });
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

async function preview(path: string, mapping?: ColumnMapping): Promise<PreviewFile & { readonly plan: string }> {
  const answer = await engine.ask("import.preview", { files: [path], options: mapping === undefined ? {} : { mappings: [mapping] } });
  const [first] = answer.ok ? answer.value.files : [];
  if (!answer.ok || first === undefined) throw new Error(JSON.stringify(answer));
  return { ...first, plan: answer.value.plan };
}

const rental = [
  "gpu_type,gpu_count,start_time,end_time,total_duration_minutes,per_minute_rate,total_cost,team",
  "H100 SXM,8,2026-09-01 00:00:00,2026-09-01 01:30:00,90,0.3,27.000000001,vision",
  "A100 80GB,2,2026-09-02 10:00:00,2026-09-02 11:00:00,60,0.05,3,nlp",
];

describe("a bill that no format knows", () => {
  it("is guessed by names and values, and what the file does not say is named", async () => {
    const { mapping, missing, unsure, knownAs } = await guess(file("rental.csv", ...rental));
    expect(mapping.columns).toMatchObject({ start: "start_time", end: "end_time", billed: "total_cost", gpuModel: "gpu_type", gpuCount: "gpu_count", quantity: "total_duration_minutes", team: "team" });
    expect(mapping.constants).toEqual({ unit: "Minutes" });
    expect(missing).toEqual(["currency", "provider"]);
    // 90 minutes of a machine with 8 GPUs are 12 GPU-hours, 90 minutes of GPU time are 1.5: only a person knows.
    expect(unsure).toEqual([{ field: "quantityIs", columns: ["total_duration_minutes"] }]);
    expect(knownAs).toBeNull();
  });

  it("reads like any other once it is mapped: exact, with its GPU-hours, and remembered for the same header in any order", async () => {
    const path = file("rental.csv", ...rental);
    expect(await preview(path)).toMatchObject({ state: "refused", error: { code: "import.unrecognized" } });
    const { mapping } = await guess(path);
    const complete: ColumnMapping = { ...mapping, constants: { ...mapping.constants, provider: "Small Host", currency: "USD" }, quantityIs: "instance-hours" };
    const read = await preview(path, complete);
    expect(read).toMatchObject({ state: "ready", format: "mapped", rowsRead: 2, rowsPosted: 2, rowsSetAside: 0, totals: { USD: { BilledCost: "30.000000001", EffectiveCost: "30.000000001" } } });
    expect(await engine.ask("import.post", { plan: read.plan })).toMatchObject({ ok: true });
    const teams = await engine.ask("totals.read", { period: "2026-09", by: ["team"] });
    expect(JSON.stringify(teams)).toContain("27.000000001");

    const rows = await engine.ask("rows.read", { ref: { metric: "spend", period: "2026-09", scope: {}, basis: "BilledCost", currency: "USD" }, of: "charges", offset: 0, limit: 10 });
    expect(rows).toMatchObject({ ok: true, value: { total: 2, rows: [{ file: "rental.csv", line: 2 }, { line: 3 }] } });

    const turned = file("october.csv", "team,total_cost,per_minute_rate,total_duration_minutes,end_time,start_time,gpu_count,gpu_type", "vision,1.5,0.1,15,2026-10-01 00:15:00,2026-10-01 00:00:00,1,L4");
    // Posting kept it: the next file with these columns is read by it, and says so.
    expect(await preview(turned)).toMatchObject({ state: "ready", format: "mapped", rowsPosted: 1, periods: ["2026-10"], mapping: { name: "rental.csv", isSaved: true }, reasons: [{ code: "mapping-saved", params: { mapping: "rental.csv" } }], totals: { USD: { BilledCost: "1.5" } } });
    expect(await guess(turned)).toMatchObject({ isSaved: true, missing: [], mapping: { constants: { provider: "Small Host" } } });
    expect(await engine.ask("mapping.list", {})).toMatchObject({ ok: true, value: { mappings: [{ name: "rental.csv", mapping: complete, lastUse: { file: "rental.csv" } }] } });
  });

  it("counts GPU-hours by what the person said the quantity is", async () => {
    const path = file("rental.csv", ...rental);
    const { mapping } = await guess(path);
    const sniffed = await sniff(path);
    if (!sniffed.ok) throw new Error(sniffed.error.code);
    const hoursBy = async (quantityIs: ColumnMapping["quantityIs"]): Promise<readonly unknown[]> => {
      const ledger = openMemoryLedger();
      try {
        const told = { ...mapping, constants: { ...mapping.constants, provider: "Small Host", currency: "USD" }, quantityIs };
        const reading = await readBill({ sniffed: sniffed.value, formatId: "mapped", batchId: newBatch(ledger.db), options: { mapping: told }, reference: shippedReference() }, ledger.db, quiet);
        if (!reading.ok) throw new Error(reading.error.code);
        return plain(ledger.db, reading.value).cells.map(({ x_GpuModel, GpuHours }) => [x_GpuModel, GpuHours]);
      } finally {
        ledger.close();
      }
    };
    expect(await hoursBy("instance-hours")).toEqual([["H100", 12], ["A100", 2]]);
    expect(await hoursBy("gpu-hours")).toEqual([["H100", 1.5], ["A100", 1]]);
    expect(await hoursBy(null)).toEqual([["H100", null], ["A100", null]]);
  });

  it("sets rows aside that do not say when or how much, a row of totals among them", async () => {
    const path = file("host.csv", "日期,产品,金额（元）,部门", "2026-09-01,GPU 租用,\"1,234.50\",训练", "2026-09-02,GPU 租用,(12.25),训练", "2026-09-03,GPU 租用,\"12,34\",训练", "合计,,\"1,222.25\",");
    const { mapping, missing } = await guess(path);
    expect(mapping).toMatchObject({ columns: { start: "日期", service: "产品", billed: "金额（元）", team: "部门" }, constants: { currency: "CNY" }, endIs: "last-day", isGrouped: true });
    // `1,234.50` and `12,34` contradict each other, so that nobody guesses what the comma is.
    expect(missing).toEqual(["provider", "decimalMark"]);
    const read = await preview(path, { ...mapping, decimalMark: ".", constants: { ...mapping.constants, provider: "本地机房" } });
    expect(read).toMatchObject({ rowsRead: 4, rowsPosted: 2, rowsSetAside: 2, totals: { CNY: { BilledCost: "1222.25" } } });
    expect(read.setAside.map(({ line, reason }) => [line, reason])).toEqual([[4, "decimal"], [5, "utc-time"]]);
  });

  it.each([
    [["1,234", "2,345"], null],
    [["1,234", "2,345.5"], "."],
    [["1.234,5", "7"], ","],
    [["12,5", "3"], ","],
    [["0.125", "1.5"], "."],
    [["1,234,567"], "."],
  ] as const)("amounts %j have the decimal mark %j", async (amounts, mark) => {
    const { mapping } = await guess(file("marks.csv", "date,cost,currency,vendor", ...amounts.map((amount) => `2026-09-01,"${amount}",EUR,Host`)));
    expect(mapping.decimalMark).toBe(mark);
  });

  it("takes none of two columns that are as likely", async () => {
    const { mapping, unsure, missing } = await guess(file("two.csv", "date,cost,amount,currency,vendor", "2026-09-01,1,2,USD,Host"));
    expect(unsure).toContainEqual({ field: "billed", columns: ["cost", "amount"] });
    expect(mapping.columns.billed).toBeUndefined();
    expect(missing).toEqual(["billed"]);
    expect(await preview(file("two.csv", "date,cost,amount,currency,vendor", "2026-09-01,1,2,USD,Host"), mapping)).toMatchObject({ state: "refused", error: { code: "import.mapping-incomplete", params: { fields: "billed" } } });
  });

  it("whose dates fit both orders is refused unless its mapping says which", async () => {
    const path = file("dates.csv", "date,cost,currency,vendor", "03/04/2026,1,EUR,Host", "05/04/2026,2,EUR,Host");
    const { mapping } = await guess(path);
    expect(await preview(path, mapping)).toMatchObject({ state: "refused", error: { code: "import.dates-ambiguous" } });
    expect(await preview(path, { ...mapping, dateOrder: "day-first" })).toMatchObject({ state: "ready", periods: ["2026-04"], totals: { EUR: { BilledCost: "3" } } });
  });

  it("takes times without a zone in the one it was given", async () => {
    const path = file("night.csv", "start,end,amount,currency,vendor", "2026-10-01 00:30,2026-10-01 01:30,1,CNY,Host");
    const { mapping } = await guess(path);
    expect(await preview(path, mapping)).toMatchObject({ periods: ["2026-10"] });
    const rows = await preview(path, { ...mapping, zoneMinutes: 480 });
    expect(rows).toMatchObject({ periods: ["2026-10"], repairs: { "billing-period-assumed": 1 } });
  });

  it("names a mapped column that a file lacks", async () => {
    const { mapping } = await guess(file("a.csv", "date,cost,currency,vendor", "2026-09-01,1,EUR,Host"));
    expect(await preview(file("b.csv", "date,costs,currency,vendor", "2026-09-01,1,EUR,Host"), mapping)).toMatchObject({ state: "refused", error: { code: "import.column-missing", params: { columns: "cost" } } });
  });

  it("does not keep a file of a known format beside it from being read", async () => {
    const { mapping } = await guess(file("a.csv", "date,cost,currency,vendor", "2026-09-01,1,EUR,Host"));
    const known = file("known.csv", "ChargePeriodStart,ChargePeriodEnd,BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,BillingAccountId,BillingPeriodStart,BillingPeriodEnd,ChargeCategory,ProviderName,ServiceName", "2026-09-01T00:00:00Z,2026-09-02T00:00:00Z,5,5,5,5,EUR,1,2026-09-01T00:00:00Z,2026-10-01T00:00:00Z,Usage,Host,Compute");
    expect(await preview(known, mapping)).toMatchObject({ state: "ready", format: "focus", totals: { EUR: { BilledCost: "5" } } });
  });
});

describe("the terminal", () => {
  it("prints a guess and imports by it, and needs it only once", async () => {
    const run = async (...words: readonly string[]): Promise<{ code: number; out: string }> => {
      let out = "";
      const code = await runCli(words, { out: (text) => (out += text), err: () => undefined, environment: {} });
      return { code, out };
    };
    const ledger = join(folder, "terminal.gpuledger");
    const path = file("lambda-september.csv", "date,instance_type,instance_hours,cost_usd", "2026-09-01,gpu_8x_h100_sxm5,2,47.84");
    const printed = await run("mapping", path);
    const guessed = JSON.parse(printed.out) as MappingGuess;
    expect(guessed).toMatchObject({ missing: [], mapping: { constants: { provider: "Lambda", currency: "USD", unit: "Hours" }, columns: { instanceType: "instance_type", quantity: "instance_hours" } } });
    const mapping = file("mapping.json", JSON.stringify({ ...guessed.mapping, quantityIs: "instance-hours" }));
    const first = await run("import", path, "--ledger", ledger, "--mapping", mapping, "--json");
    expect(first.code).toBe(0);
    const totals = JSON.parse((await run("totals", "--ledger", ledger, "--by", "provider", "--json")).out) as unknown;
    expect(JSON.stringify(totals)).toContain("47.84");
    const second = await run("import", file("lambda-october.csv", "date,instance_type,instance_hours,cost_usd", "2026-10-01,gpu_1x_a10,5,3.75"), "--ledger", ledger, "--json");
    expect(second.code).toBe(0);
    expect(second.out).toContain('"mapped"');
  });
});
