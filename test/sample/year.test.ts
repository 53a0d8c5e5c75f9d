import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine, type Engine } from "../../main/engine/serve.ts";
import type { TableBlock } from "../../shared/contract/report.ts";
import { formatAttos, parseAmount, sumAttos } from "../../shared/domain/money.ts";
import type { SampleTruth } from "../../scripts/sample/generate.ts";
import { opened } from "../main/engine/reports/look.ts";

const folder = join(import.meta.dirname, "../../dist/sample");
const isBuilt = existsSync(join(folder, "truth.json")) && existsSync(join(folder, "files"));

/** The year of the sample company as its analyst lives it: a month's bills come in, are held against the invoices, and the month is closed. */
describe.skipIf(!isBuilt)(`the sample company's year${isBuilt ? "" : " (not built: run npm run build)"}`, () => {
  let home = "";
  let engine: Engine;
  let truth: SampleTruth;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "gpu-ledger-year-"));
    truth = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8")) as SampleTruth;
    engine = createEngine({ ledgerPath: null, userDataFolder: join(home, "data"), resourcesFolder: join(import.meta.dirname, "../../resources"), jobRunner: "inline", emit: () => undefined, now: () => new Date("2026-10-06T08:00:00Z") });
    opened(await engine.ask("ledger.open", { file: join(home, "year.gpuledger"), create: true }));
  });
  afterAll(async () => {
    await engine.close();
    rmSync(home, { recursive: true, force: true });
  });

  const monthsOf = (): string[] => Object.keys(truth.totals.byMonth).map((key) => key.slice(0, 7));
  const costsOf = (totals: Readonly<Record<string, { readonly EffectiveCost: string | null; readonly BilledCost: string | null }>>, month: string) =>
    Object.entries(totals).filter(([key]) => key.startsWith(`${month} `)).map(([key, costs]) => ({ name: key.slice(8, -4), ...costs }));

  it("closes month by month, each reconciled and with the totals of the generator's truth", async () => {
    for (const month of monthsOf()) {
      const files = truth.files.filter((file) => file.kind === "billing" && file.month === month).map(({ path }) => join(folder, "files", path));
      for (const file of files) {
        const { plan } = opened(await engine.ask("import.preview", { files: [file], options: {} }));
        opened(await engine.ask("import.post", { plan }));
      }
      for (const { name: provider, BilledCost } of costsOf(truth.totals.byMonthAndProvider, month)) opened(await engine.ask("invoice.save", { month, provider, currency: "USD", amount: BilledCost, by: "Ana" }));
      const before = opened(await engine.ask("month.read", { month }));
      expect(before.items.find(({ id }) => id === "sources-complete"), month).toMatchObject({ state: "done" });
      expect(before.items.find(({ id }) => id === "reconciled"), month).toMatchObject({ state: "done", open: 0, of: 3 });
      expect(before.invoices.map(({ difference }) => difference), month).toEqual(["0", "0", "0"]);
      opened(await engine.ask("month.close", { month, note: null, by: "Ana" }));

      const [whole] = costsOf(truth.totals.byMonth, month);
      const review = opened(await engine.ask("report.read", { report: "monthly", period: month, scope: {}, basis: "EffectiveCost", currency: null }));
      const figures = review.blocks.find((block): block is TableBlock => block.id === "teams");
      if (figures === undefined) throw new Error("the month has its teams");
      const spendAt = figures.columns.findIndex(({ id }) => id === "spend");
      const shown = (row: { readonly cells: TableBlock["rows"][number]["cells"] } | null): string => {
        const cell = row?.cells[spendAt];
        if (cell === undefined || !("figure" in cell) || typeof cell.figure.value !== "bigint") throw new Error("spend is an amount");
        return formatAttos(cell.figure.value);
      };
      expect(shown(figures.total), month).toBe(whole?.EffectiveCost);
      for (const { name: team, EffectiveCost } of costsOf(truth.totals.byMonthAndTeam, month).filter(({ name }) => name !== "—")) {
        expect(shown(figures.rows.find(({ id }) => id === `team ${team}`) ?? null), `${month} ${team}`).toBe(EffectiveCost);
      }
    }
  }, 300_000);

  it("stays closed: nothing that came in later changed a month that was frozen", async () => {
    const states = [];
    for (const month of monthsOf()) states.push(opened(await engine.ask("month.read", { month })));
    expect(states.map(({ state, differences }) => ({ state, differences }))).toEqual(monthsOf().map(() => ({ state: "closed", differences: [] })));
  }, 120_000);

  it("adds up: the months closed are the year", async () => {
    const totals = opened(await engine.ask("totals.read", { period: null, by: ["month"] }));
    const months = monthsOf();
    const year = sumAttos(totals.rows.filter(({ month }) => months.includes(month ?? "")).map(({ EffectiveCost }) => parseAmount(EffectiveCost ?? "0")?.value ?? 0n));
    expect(formatAttos(year)).toBe(formatAttos(sumAttos(Object.values(truth.totals.byMonth).map(({ EffectiveCost }) => parseAmount(EffectiveCost ?? "0")?.value ?? 0n))));
  });
});
