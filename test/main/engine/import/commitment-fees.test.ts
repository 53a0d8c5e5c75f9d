/** Google's older commitments: a fee on rows of its own, credits on what it covers. Worked by hand. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerOf, makeWorld, type World } from "../../../errors/world.ts";
import { money, query, readAll, type Db } from "../../../../main/engine/store/sql.ts";
import { openLedger } from "../../../../main/engine/store/open.ts";
import { opened } from "../reports/look.ts";
import { decodeGpuChargeHours } from "../../../../main/engine/store/gpu-charge-hours.ts";

let folder: string;
let world: World;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "fees-"));
  world = await makeWorld(folder);
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Row {
  readonly sku: string;
  readonly cost: string;
  readonly quantity?: string;
  readonly resource?: string;
  readonly hour?: number;
  readonly day?: string;
  readonly region?: string;
  readonly model?: string;
  readonly credits?: readonly (readonly [type: string, amount: string])[];
}
const header = "billing_account_id,service.description,sku.description,usage_start_time,usage_end_time,project.id,location.region,cost,currency,usage.amount_in_pricing_units,usage.pricing_unit,credits,invoice.month,cost_type,resource.global_name,consumption_model.id";
const bill = (rows: readonly Row[]): string =>
  [header, ...rows.map(({ sku, cost, quantity = "8", resource = "", hour = 0, day = "2026-09-10", region = "us-central1", model = "", credits = [] }) => {
    const at = (value: number): string => `${day}T${String(value).padStart(2, "0")}:00:00Z`;
    const list = `"${JSON.stringify(credits.map(([type, amount]) => ({ name: type, amount, type }))).replaceAll('"', '""')}"`;
    return ["01-A", "Compute Engine", sku, at(hour), at(hour + 1), "p", region, cost, "USD", quantity, "hour", list, "202609", "regular", resource, model].join(",");
  })].join("\n");
const h100 = "Nvidia H100 80GB GPU running in Iowa";
const fee = "Commitment v1: Nvidia H100 80GB in Iowa for 1 year";
const cud = "COMMITTED_USAGE_DISCOUNT";

/** What shows, by SKU and resource: effective and billed. */
function shown(): Record<string, readonly [string, string]> {
  const { db, close } = reader();
  try {
    const rows = readAll(db, query<{ name: string; effective: bigint; billed: bigint }>("name", "effective", "billed")`
      SELECT s.ChargeDescription || ' ' || ifnull(s.ResourceId, '') || CASE WHEN s.RegionId = 'us-central1' THEN '' ELSE s.RegionId END AS name, ${money("EffectiveCost", "c")} AS effective, ${money("BilledCost", "c")} AS billed
      FROM charge_day_current c JOIN series s ON s.SeriesId = c.SeriesId ORDER BY 1`);
    return Object.fromEntries(rows.map(({ name, effective, billed }) => [name.trim(), [text(effective), text(billed)] as const]));
  } finally {
    close();
  }
}
function reader(): { readonly db: Db; close(): void } {
  const ledger = opened(openLedger(world.ledger, { create: false }));
  return { db: ledger.db, close: () => ledger.close() };
}
const text = (attos: bigint): string => String(Number(attos) / 1e18);

describe("a fee of a commitment", () => {
  it("is spread over what it covers by the credits, and keeps what nobody used", async () => {
    // Committed 8 GPUs for two hours, 40 an hour. One machine fully covered for an hour, one by half: 12 of 16 GPU-hours are used.
    const file = world.file("gcp.csv", bill([
      { sku: fee, cost: "40" },
      { sku: fee, cost: "40", hour: 1 },
      { sku: h100, cost: "80", resource: "a", credits: [[cud, "-80"]] },
      { sku: h100, cost: "80", resource: "b", hour: 1, credits: [[cud, "-40"], ["PROMOTION", "0"]] },
      { sku: "A3 Instance Core running in Iowa", cost: "5", resource: "a", credits: [["DISCOUNT", "-1"]] },
    ]));
    await world.post(file);
    expect(shown()).toEqual({ [fee]: ["20", "80"], [`${h100} a`]: ["40", "0"], [`${h100} b`]: ["60", "40"], "A3 Instance Core running in Iowa a": ["4", "4"] });
    expect(answerOf(await world.engine.ask("totals.read", { period: null, by: [] })).rows).toMatchObject([{ BilledCost: "124", EffectiveCost: "124" }]);
    expect(answerOf(await world.engine.ask("batches.list", {}))[0]?.totals).toMatchObject({ USD: { BilledCost: "124", EffectiveCost: "124" } });
  });

  it("gives the hours of a GPU what their day costs", async () => {
    await world.post(world.file("gcp.csv", bill([
      { sku: fee, cost: "40", quantity: "16" },
      { sku: h100, cost: "80", resource: "a", credits: [[cud, "-80"]] },
      { sku: h100, cost: "80", resource: "a", hour: 5, credits: [[cud, "-80"]] },
    ])));
    const { db, close } = reader();
    const hours = db.prepare("SELECT Hours FROM gpu_charge_hours").pluck().all() as Uint8Array[];
    close();
    expect(hours.flatMap((each) => decodeGpuChargeHours(each)).map(({ hour, gpuHours, effectiveAttos }) => [hour, gpuHours, text(effectiveAttos ?? -1n)])).toEqual([[216, 8, "20"], [221, 8, "20"]]);
  });

  it("of another model, region or day covers nothing else; what is dollar based covers what no other does", async () => {
    await world.post(world.file("gcp.csv", bill([
      { sku: fee, cost: "40" },
      { sku: fee, cost: "7", region: "europe-west4" },
      { sku: "Commitment v1: Nvidia L4 in Iowa for 1 year", cost: "3" },
      { sku: "Commitment - dollar based v1: GCE for 1 year", cost: "10" },
      { sku: h100, cost: "80", resource: "a", credits: [[cud, "-80"]] },
      { sku: "N2 Instance Core running in Iowa", cost: "12", resource: "n", credits: [["COMMITTED_USAGE_DISCOUNT_DOLLAR_BASE", "-12"]] },
      { sku: h100, cost: "80", resource: "b", day: "2026-09-11", credits: [[cud, "-80"]] },
    ])));
    // The fee of L4 has no usage of its kind in the delivery, so it goes with the dollar-based one: 3 + 10 on what no other fee covers.
    expect(shown()).toEqual({
      [`${h100} a`]: ["40", "0"], [`${h100} b`]: ["0", "0"], "N2 Instance Core running in Iowa n": ["13", "0"],
      [fee]: ["0", "40"], [`${fee} europe-west4`]: ["7", "7"],
      "Commitment v1: Nvidia L4 in Iowa for 1 year": ["0", "3"], "Commitment - dollar based v1: GCE for 1 year": ["0", "10"],
    });
  });

  it("is not moved onto usage that was taken back together with its credit, which costs what is billed of it", async () => {
    // Machine b was billed by mistake another day: cost and credit come back on a row of usage. Of the fee of 40, all goes to a.
    await world.post(world.file("gcp.csv", bill([
      { sku: fee, cost: "40" },
      { sku: h100, cost: "80", resource: "a", credits: [[cud, "-80"]] },
      { sku: h100, cost: "-80", quantity: "-8", resource: "b", credits: [[cud, "80"]] },
      { sku: h100, cost: "-30", quantity: "-3", resource: "c", credits: [[cud, "20"]] },
    ])));
    expect(shown()).toEqual({ [fee]: ["0", "40"], [`${h100} a`]: ["40", "0"], [`${h100} b`]: ["0", "0"], [`${h100} c`]: ["-10", "-10"] });
    expect(answerOf(await world.engine.ask("totals.read", { period: null, by: [] })).rows).toMatchObject([{ BilledCost: "30", EffectiveCost: "30" }]);
    expect(answerOf(await world.engine.ask("batches.list", {}))[0]?.totals).toMatchObject({ USD: { BilledCost: "30", EffectiveCost: "30" } });
    const { db, close } = reader();
    const hours = db.prepare("SELECT Hours FROM gpu_charge_hours").pluck().all() as Uint8Array[];
    close();
    expect(hours.flatMap((each) => decodeGpuChargeHours(each)).map(({ effectiveAttos }) => text(effectiveAttos ?? -1n)).sort()).toEqual(["-10", "0", "40"]);
  });

  it("of today's spend-based model is offset on its own row, and nothing is spread", async () => {
    await world.post(world.file("gcp.csv", bill([
      { sku: "Commitment - dollar based v1: Compute Flexible for 1 year", cost: "50", credits: [["FEE_UTILIZATION_OFFSET", "-44.1"]] },
      { sku: h100, cost: "44.1", resource: "a", model: "AB12" },
    ])));
    expect(shown()).toEqual({ [`${h100} a`]: ["44.1", "44.1"], "Commitment - dollar based v1: Compute Flexible for 1 year": ["5.9", "5.9"] });
  });

  it("of a delivery in parts is spread over the usage of the other part", async () => {
    const parts = [bill([{ sku: fee, cost: "40" }]), bill([{ sku: h100, cost: "80", resource: "a", credits: [[cud, "-80"]] }])];
    const files = parts.map((part, index) => world.file(`part_0_000${index + 1}.csv`, part));
    const { plan } = answerOf(await world.engine.ask("import.preview", { files, options: {} }));
    answerOf(await world.engine.ask("import.post", { plan }));
    expect(shown()).toEqual({ [fee]: ["0", "40"], [`${h100} a`]: ["40", "0"] });
  });

  it("adds to what was billed over the term, used and unused, whatever is covered (property)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ day: fc.integer({ min: 1, max: 3 }), cost: fc.integer({ min: 1, max: 10 ** 9 }), covered: fc.integer({ min: 0, max: 100 }) }), { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 10 ** 9 }), async (uses, paid) => {
        const rows: Row[] = [
          ...[1, 2, 3].map((day) => ({ sku: fee, cost: `${paid}e-9`, day: `2026-09-0${day}` })),
          ...uses.map(({ day, cost, covered }, index) => ({ sku: h100, cost: `${cost}e-9`, day: `2026-09-0${day}`, resource: `r${index}`, credits: [[cud, `-${(cost * covered) / 100}e-9`]] as const })),
        ];
        const inner = mkdtempSync(join(folder, "each-"));
        const each = await makeWorld(inner);
        try {
          await each.post(each.file("gcp.csv", bill(rows)));
          const [total] = answerOf(await each.engine.ask("totals.read", { period: null, by: [] })).rows;
          expect(total?.EffectiveCost).toBe(total?.BilledCost);
        } finally {
          await each.close();
        }
      }),
      { numRuns: 15 },
    );
  });
});
