import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { wordsOf } from "../../../../main/cli/words.ts";
import { sumCarbon } from "../../../../main/engine/carbon/rows.ts";
import { keepFactors } from "../../../../main/engine/factors/store.ts";
import { readFactors } from "../../../../main/engine/factors/read.ts";
import { printerOf } from "../../../../main/engine/print/index.ts";
import { carbonAnswer, carbonOf, saveCarbonSettings } from "../../../../main/engine/reports/carbon-rows.ts";
import { explainFigure, readReport, type ReportContext } from "../../../../main/engine/reports/index.ts";
import { keepBudget, statusOf, storedBudgets } from "../../../../main/engine/teams/budgets.ts";
import { energyTiers, type CarbonAmounts, type CarbonDimension } from "../../../../shared/contract/carbon.ts";
import type { Series } from "../../../../shared/domain/charge.ts";
import { defaultThresholds } from "../../../../shared/contract/teams.ts";
import { addGpuHourCosts, ledgerWith } from "../ledger-with.ts";
import { contextOf, requestOf } from "./company.ts";
import { cell, has, opened, table, value } from "./look.ts";

const h100: Partial<Series> = { x_GpuModel: "H100", x_AcceleratorId: "nvidia-h100-sxm5-80gb", x_InstanceType: "p5.48xlarge", RegionId: "us-east-1", x_Team: "vision", ResourceId: "i-1" };
const a100: Partial<Series> = { x_GpuModel: "A100", x_AcceleratorId: "nvidia-a100-pcie-80gb", x_InstanceType: "Standard_NC96ads_A100_v4", RegionId: "westeurope", ProviderName: "Microsoft", x_Team: "speech", ResourceId: "vm-2" };
const l4: Partial<Series> = { x_GpuModel: "L4", x_AcceleratorId: "nvidia-l4", x_InstanceType: "g6.12xlarge", RegionId: "us-east-1", x_Team: "speech", ResourceId: "i-3" };
const odd: Partial<Series> = { x_GpuModel: "p9", RegionId: "moon-1", x_Team: "lab", ResourceId: "i-4" };

/** Measured, measured in part, not seen at all, and of a GPU and region that no table knows. */
function company(...more: Parameters<typeof addGpuHourCosts>[1]): ReportContext {
  const ledger = ledgerWith({ deliveries: [{ month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-30", cells: [{ day: "2026-09-22", series: h100, cost: "700", GpuHours: 8 }] }] });
  addGpuHourCosts(ledger, [
    { hour: "2026-09-22T08:00:00Z", series: h100, GpuHours: 8, KnownGpuHours: 8, UsefulGpuHours: 4, EnergyWattHours: 4321.987, EffectiveCost: "80" },
    { hour: "2026-09-23T08:00:00Z", series: h100, GpuHours: 8, KnownGpuHours: 8, UsefulGpuHours: 2, EffectiveCost: "80" },
    { hour: "2026-09-22T08:00:00Z", series: a100, GpuHours: 4, KnownGpuHours: 3, UsefulGpuHours: 3, EnergyWattHours: 777.777, EffectiveCost: "12" },
    { hour: "2026-09-22T08:00:00Z", series: l4, GpuHours: 4, EffectiveCost: "4" },
    ...more,
  ]);
  return contextOf(ledger);
}
const september = { period: "2026-09", scope: {} } as const;
const total = (context: ReportContext): CarbonAmounts => sumCarbon(opened(carbonOf(context, september)).rows);

describe("energy and emissions", () => {
  it("can be worked out on paper", () => {
    const { rows } = opened(carbonOf(company(), september));
    const row = rows.find(({ resource }) => resource === "vm-2");
    // 3 of 4 GPU-hours measured at 777.777 Wh; one unseen at its rated 300 W. Host: (96 × 2.12 + 880 × 0.392) ÷ 4 = 137.12 W a GPU.
    expect(row).toMatchObject({ gpuMilliwattHours: 1_077_777n, hostMilliwattHours: 548_480n, itMilliwattHours: 1_626_257n, grade: "B", ghgScope: 3 });
    // PUE of the region 1.14 (2023), the Netherlands' 253 g/kWh (2025); 1,853,933 mWh × 253 = µg.
    expect(row).toMatchObject({ facilityMilliwattHours: 1_853_933n, locationMicrograms: 1_853_933n * 253n, marketMicrograms: 1_853_933n * 253n });
    // 862.5 kg × 4 h ÷ 35,040 h; 0.08 L/kWh.
    expect(row?.embodiedMicrograms?.central).toBe(98_458_904n);
    expect(row?.waterMicrolitres).toBe(130_101n);
  });

  it("models hours with a utilization alone between no load and full load, and takes the rated power for hours that nobody saw", () => {
    const tiers = total(company()).tiers;
    // H100: 8 GPU-hours, 2 of them useful: 8 × 77 W + 2 × (700 − 77) W. L4: 4 h × 72 W; A100: 1 h × 300 W.
    expect(tiers).toEqual({
      counter: { gpuHours: 0, milliwattHours: 0n }, power: { gpuHours: 11, milliwattHours: 5_099_764n },
      model: { gpuHours: 8, milliwattHours: 1_862_000n }, rated: { gpuHours: 5, milliwattHours: 588_000n },
    });
  });

  it("adds up by every dimension, to the last milliwatt-hour and microgram", () => {
    const answer = opened(carbonAnswer(company({ hour: "2026-09-24T08:00:00Z", series: odd, GpuHours: 2, EffectiveCost: "2" }), september));
    for (const dimension of Object.keys(answer.groups) as CarbonDimension[]) {
      expect(sumCarbon(answer.groups[dimension].map(({ amounts }) => amounts))).toEqual(answer.total);
    }
  });

  it("comes to the same by plain SQL over the ledger's days and the shipped tables", () => {
    const context = company();
    const db = new Database(":memory:");
    for (const [name, file] of [["region", "regions"], ["grid", "grid_intensity"], ["pue", "pue"], ["gpu", "accelerators"], ["machine", "instance_types"], ["host", "host_power"]] as const) load(db, name, file);
    load(db, "maps", "grid_intensity_electricity_maps");
    db.exec("CREATE TABLE day (SeriesId, Region, Provider, Gpu, Machine, GpuHours REAL, PowerHours REAL, PowerMwh REAL, ModelHours REAL, ModelUseful REAL)");
    const insert = db.prepare("INSERT INTO day VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const row of context.ledger.db
      .prepare(`SELECT e.SeriesId, RegionId, CASE ProviderName WHEN 'Microsoft' THEN 'azure' ELSE 'aws' END, x_AcceleratorId, x_InstanceType, e.GpuHours, PowerGpuHours, PowerMilliwattHours, ModelGpuHours, ModelUsefulGpuHours
                FROM gpu_energy_day_current e JOIN series s ON s.SeriesId = e.SeriesId`)
      .raw()
      .all()) insert.run(...(row as unknown[]));
    const computed = db
      .prepare<unknown[], { gpu: number; host: number; facility: number; location: number }>(`
        WITH series AS (
          SELECT Region, Provider, Gpu, Machine, sum(GpuHours) AS hours, sum(PowerMwh) AS measured, sum(ModelHours) AS modeled, sum(ModelUseful) AS useful, sum(GpuHours - PowerHours - ModelHours) AS unseen
          FROM day GROUP BY SeriesId
        ), known AS (
          SELECT s.*, CAST(gpu.tdp_w AS REAL) AS full, CASE gpu.idle_w WHEN '' THEN gpu.tdp_w * 0.11 ELSE CAST(gpu.idle_w AS REAL) END AS idle,
            (m.vcpu * (SELECT watts FROM host WHERE component = 'vcpu') + m.memory_gib * (SELECT watts FROM host WHERE component = 'memory-gib')) / m.accelerator_count
              + CASE WHEN CAST(m.accelerator_count AS REAL) >= 8 THEN (SELECT watts FROM host WHERE component = 'network-per-gpu') ELSE 0 END AS hostWatts,
            (SELECT p.pue FROM pue p WHERE p.provider = s.Provider AND p.region = s.Region AND p.kind = 'region' AND p.pue <> '' ORDER BY p.year DESC LIMIT 1) AS pue,
            coalesce(
              (SELECT g.gco2e_per_kwh FROM region r JOIN grid g ON g.zone = 'EGRID:' || r.egrid_subregion WHERE r.provider = s.Provider AND r.region = s.Region ORDER BY g.year DESC LIMIT 1),
              (SELECT g.gco2e_per_kwh FROM region r JOIN maps g ON g.zone = r.country WHERE r.provider = s.Provider AND r.region = s.Region ORDER BY g.year DESC LIMIT 1)
            ) AS factor
          FROM series s JOIN gpu ON gpu.id = s.Gpu JOIN machine m ON m.provider = s.Provider AND m.instance_type = s.Machine
        ), energy AS (
          SELECT *, measured + round((modeled * idle + useful * (full - idle)) * 1000) + round(unseen * full * 1000) AS gpuMwh, round(hours * hostWatts * 1000) AS hostMwh FROM known
        ), site AS (SELECT *, round((gpuMwh + hostMwh) * pue) AS siteMwh FROM energy)
        SELECT sum(gpuMwh) AS gpu, sum(hostMwh) AS host, sum(siteMwh) AS facility, sum(round(siteMwh * factor)) AS location FROM site`)
      .get();
    const sums = total(context);
    expect(computed).toEqual({ gpu: Number(sums.gpuMilliwattHours), host: Number(sums.hostMilliwattHours), facility: Number(sums.facilityMilliwattHours), location: Number(sums.locationMicrograms) });
  });

  it("comes to the same from the exported CSV alone", async () => {
    const context = company();
    const document = opened(readReport(context, requestOf("carbon")));
    const printed = await printerOf("csv")?.print(document, await wordsOf("en"));
    const cells = parse(typeof printed === "string" ? printed : new TextDecoder().decode(printed), { columns: true, bom: true }) as unknown as { block: string; row: string; column: string; value: string; text: string }[];
    const lines = Map.groupBy(cells.filter(({ block, row }) => block === "calculation" && row !== "Total"), ({ row }) => row);
    let [facility, location] = [0, 0];
    for (const line of lines.values()) {
      const of = (column: string): number => Number(line.find((each) => each.column === column)?.value || line.find((each) => each.column === column)?.text);
      const site = Math.round((of("GPU kWh") + of("Host kWh")) * of("PUE") * 1e6);
      facility += site;
      location += Math.round(site * of("Grid g/kWh"));
    }
    const sums = total(context);
    expect([lines.size, facility, location]).toEqual([3, Number(sums.facilityMilliwattHours), Number(sums.locationMicrograms)]);
  });

  it("says what is not calculated, and takes none of it as zero", () => {
    const context = company({ hour: "2026-09-24T08:00:00Z", series: odd, GpuHours: 2, EffectiveCost: "2" });
    const { gaps, total: sums, groups } = opened(carbonAnswer(context, september));
    expect(groups.team.find(({ key }) => key === "lab")?.amounts).toMatchObject({ gpuHours: 2, gpuMilliwattHours: null, locationMicrograms: null, hostMilliwattHours: null });
    expect(gaps.filter(({ subject }) => subject === "moon-1" || subject === "p9").map(({ reason, gpuHours }) => [reason, gpuHours])).toEqual([["gpu-power-unknown", 2], ["region-unknown", 2], ["water-missing", 2]]);
    expect([sums.covered.location, sums.gpuHours]).toEqual([24, 26]);
    const document = opened(readReport(context, requestOf("carbon")));
    expect(cell(table(document, "by-team"), "team lab", "location")).toEqual(expect.objectContaining({ figure: expect.objectContaining({ value: null, why: "no-energy" }) as unknown }));
    expect(has(document, "gaps")).toBe(true);
  });
});

describe("factors of one's own", () => {
  const own = (context: ReportContext, csv: string): void => {
    keepFactors(context.ledger.db, opened(readFactors(new TextEncoder().encode(csv), "own.csv")).factors, "own.csv", "2026-10-01T00:00:00Z");
  };

  it("beat the shipped ones and say so; contracts and the residual mix make the market-based figure, beside the other", () => {
    const context = company();
    own(context, "kind,provider,region,value,unit,share,year,source\ncontract,Microsoft,westeurope,12,g/kWh,60%,2026,wind farm\nresidual,Microsoft,westeurope,0.48,kg/kWh,,2026,AIB\npue,Microsoft,westeurope,1.3,ratio,,2026,own meter\n");
    const { rows, factors } = opened(carbonOf(context, { period: "2026-09", scope: { region: ["westeurope"] } }));
    // 1,626,257 mWh × 1.3, then × 253, and × (0.6 × 12 + 0.4 × 480) = 199.2.
    expect(rows[0]).toMatchObject({ facilityMilliwattHours: 2_114_134n, locationMicrograms: 2_114_134n * 253n, marketMicrograms: 421_135_493n });
    expect(rows[0]?.covered).toMatchObject({ market: 4, location: 4 });
    expect(factors.find(({ kind }) => kind === "pue")).toMatchObject({ origin: "own", value: "1.3", beats: { value: "1.14" } });
  });

  it("hold in their months alone", () => {
    const context = company();
    own(context, "kind,value,unit,from,to,source\npue,2,ratio,2026-10,2026-12,meter\n");
    expect(total(context)).toEqual(total(company()));
  });

  it("make up for a region and a GPU that no table knows", () => {
    const context = company({ hour: "2026-09-24T08:00:00Z", series: odd, GpuHours: 2, EffectiveCost: "2" });
    own(context, "kind,provider,region,subject,value,low,unit,source\ngrid,AWS,moon-1,,100,,g/kWh,mission\ngpu-power,,,p9,1,0.1,kW,label\n");
    // 2 h × 1,000 W × the fleet's PUE of AWS for 2025 (1.14) × 100 g/kWh.
    const row = opened(carbonOf(context, { period: "2026-09", scope: { team: ["lab"] } })).rows[0];
    expect(row).toMatchObject({ gpuMilliwattHours: 2_000_000n, grade: "D" });
    expect(row?.locationMicrograms).toBe((row?.facilityMilliwattHours ?? 0n) * 100n);
  });
});

describe("units of work", () => {
  it("divide the emissions of their team in their months, and stand beside the other intensities", () => {
    const context = company();
    const csv = "kind,subject,value,unit,from,to,source\nwork,vision,250,1M tokens,2026-09,2026-09,serving log\nwork,vision,999,1M tokens,2026-08,2026-08,serving log\nwork,,7,runs,2026,2026,no month\n";
    const { factors, setAside } = opened(readFactors(new TextEncoder().encode(csv), "own.csv"));
    expect(setAside).toMatchObject([{ params: { column: "from", line: 4 } }]);
    keepFactors(context.ledger.db, factors, "own.csv", "2026-10-01T00:00:00Z");
    const vision = sumCarbon(opened(carbonOf(context, { period: "2026-09", scope: { team: ["vision"] } })).rows);
    const grams = Number((vision.locationMicrograms ?? 0n) + (vision.embodiedMicrograms?.central ?? 0n)) / 1e6;
    const document = opened(readReport(context, requestOf("carbon")));
    const id = `work ${JSON.stringify(["1M tokens", "vision"])}`;
    expect(value(table(document, "intensity"), id, "value")).toBeCloseTo(grams / 250, 9);
    const ref = { metric: "carbon-per-unit-of-work", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null, params: { unit: "1M tokens", team: "vision" } } as const;
    expect(opened(explainFigure(context, ref)).figure.value).toBeCloseTo(grams / 250, 9);
    expect(opened(explainFigure(context, { ...ref, params: { unit: "images" } })).figure).toMatchObject({ value: null, why: "no-work-units" });
  });
});

describe("the report", () => {
  it("tells Scope 2 from Scope 3 by who owns the hardware, and the cost at the company's price", () => {
    const context = company();
    saveCarbonSettings(context.ledger.db, { ownedProviders: ["microsoft"], pricePerTonne: "80", priceCurrency: "EUR", gridChoice: "nearest" });
    const document = opened(readReport(context, requestOf("carbon")));
    expect(table(document, "scopes").rows.map(({ id }) => id)).toEqual(["scope 3", "scope 2"]);
    const sums = total(context);
    const micrograms = (sums.locationMicrograms ?? 0n) + (sums.embodiedMicrograms?.central ?? 0n);
    expect(value(table(document, "price"), "own", "cost")).toBe(micrograms * 80_000_000n);
  });

  it("holds to life-cycle factors where that is chosen", () => {
    const context = company();
    saveCarbonSettings(context.ledger.db, { ownedProviders: [], pricePerTonne: null, priceCurrency: null, gridChoice: "life-cycle" });
    const { factors } = opened(carbonOf(context, september));
    expect(new Set(factors.filter(({ kind }) => kind === "grid").map(({ boundary }) => boundary))).toEqual(new Set(["life-cycle"]));
  });

  it("explains a figure with its lines and its factors, whose parts add up to it", () => {
    const context = company();
    const explained = opened(explainFigure(context, { metric: "emissions-location", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null }));
    const [calculation, factors] = explained.splits;
    expect([calculation?.id, factors?.id]).toEqual(["calculation", "factors"]);
    const at = calculation?.columns.findIndex(({ id }) => id === "location") ?? 0;
    const parts = (calculation?.rows ?? []).map((row) => (row.cells[at] as { figure: { value: number } }).figure.value);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(explained.figure.value as number, 9);
    expect(explained.range?.low.value).toBeLessThan(explained.figure.value as number);
  });

  it("grades every row by how most of its energy is known", () => {
    const document = opened(readReport(company(), requestOf("carbon")));
    expect(table(document, "quality").rows.map(({ id }) => id)).toEqual(["grade A", "grade B", "grade C", "grade D"]);
    expect(cell(table(document, "by-gpuModel"), "gpuModel L4", "grade")).toEqual({ text: "D" });
    expect(energyTiers).toHaveLength(4);
  });
});

describe("a budget in kg CO2e", () => {
  it("counts what was emitted, day by day", () => {
    const context = company();
    opened(readReport(context, requestOf("carbon")));
    keepBudget(context.ledger.db, {
      id: null, parent: null, name: "Vision", level: "team", kind: "carbon", currency: null, basis: null, span: "month", scope: { team: ["vision"] }, owner: null, thresholds: [...defaultThresholds], months: { "2026-09": "10" },
    });
    const [plan] = storedBudgets(context.ledger.db);
    if (plan === undefined) throw new Error("no budget");
    const emitted = sumCarbon(opened(carbonOf(context, { period: "2026-09", scope: { team: ["vision"] } })).rows).locationMicrograms ?? 0n;
    expect(Number(statusOf(context.ledger, plan, "2026-09").actual)).toBeCloseTo(Number(emitted) / 1e9, 9);
  });
});

function load(db: Database.Database, name: string, file: string): void {
  const rows = parse(readFileSync(join(import.meta.dirname, `../../../../resources/reference/${file}.csv`)), { columns: true }) as unknown as Record<string, string>[];
  const columns = Object.keys(rows[0] ?? {});
  db.exec(`CREATE TABLE ${name} (${columns.map((column) => `"${column}"`).join(", ")})`);
  const insert = db.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => "?").join(", ")})`);
  for (const row of rows) insert.run(...columns.map((column) => row[column]));
}
