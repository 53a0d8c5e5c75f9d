import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explainFigure, readReport } from "../../../../main/engine/reports/index.ts";
import type { ReportDocument } from "../../../../shared/contract/report.ts";
import type { Series } from "../../../../shared/domain/charge.ts";
import { formatAttos } from "../../../../shared/domain/money.ts";
import { addGpuHourCosts, ledgerWith, type CellSpec, type GpuHourCostSpec } from "../ledger-with.ts";
import { contextOf, requestOf } from "./company.ts";
import { has, opened, sumOf, table, tiles } from "./look.ts";

/** Ledgers of two months with any mix of teams, models, ways of buying and kinds of charges, in two currencies. */
const amount = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
const series: fc.Arbitrary<Partial<Series>> = fc
  .record({
    x_Team: fc.constantFrom("a", "b", null),
    ProviderName: fc.constantFrom("AWS", "Google Cloud"),
    ServiceName: fc.constantFrom("compute", "storage", null),
    x_GpuModel: fc.constantFrom("H100", "L4", null),
    x_PurchaseOption: fc.constantFrom("on-demand" as const, "spot" as const, "savings-plan" as const, null),
    ChargeCategory: fc.constantFrom("Usage" as const, "Usage" as const, "Purchase" as const, "Tax" as const, "Credit" as const),
    CommitmentDiscountStatus: fc.constantFrom("Used", "Unused", null, null),
    BillingCurrency: fc.constantFrom("USD", "USD", "EUR"),
  })
  .map((entry) => entry);
const cells = fc.array(
  fc.record({ series, attos: amount, list: fc.option(amount), hours: fc.option(fc.integer({ min: 0, max: 500 })) }).map(({ series: dimensions, attos, list, hours }): Omit<CellSpec, "day"> => ({
    series: dimensions,
    cost: formatAttos(attos),
    ListCost: list === null ? null : formatAttos(list),
    GpuHours: dimensions.x_GpuModel === null ? null : hours,
  })),
  { minLength: 1, maxLength: 12 },
);
const gpuHours = fc.array(
  fc.record({
    team: fc.constantFrom("a", "b", null),
    model: fc.constantFrom("H100", "L4"),
    option: fc.constantFrom("on-demand" as const, "savings-plan" as const, null),
    resource: fc.constantFrom("i-1", "i-2", null),
    hour: fc.integer({ min: 0, max: 719 }),
    parts: fc.tuple(...new Array(6).fill(fc.bigInt({ min: 0n, max: 10n ** 22n })) as fc.Arbitrary<bigint>[]),
  }),
  { maxLength: 12 },
);
const partNames = ["ProductiveCost", "BusyInefficientCost", "HeldIdleCost", "DeadIdleCost", "IdleMemoryUnknownCost", "UnknownCost"] as const;

function ledgerOf(august: readonly Omit<CellSpec, "day">[], september: readonly Omit<CellSpec, "day">[], hours: readonly (typeof gpuHours extends fc.Arbitrary<(infer Hour)[]> ? Hour : never)[]) {
  const merged = (day: string, list: readonly Omit<CellSpec, "day">[]): CellSpec[] => {
    const seen = new Set<string>();
    return list.flatMap((entry) => {
      const key = JSON.stringify([entry.series, entry.ListCost === null]);
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ day, ...entry }];
    });
  };
  const ledger = ledgerWith({
    deliveries: [
      { month: "2026-08", firstDay: "2026-08-01", lastDay: "2026-08-31", cells: merged("2026-08-02", august) },
      { month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-30", cells: merged("2026-09-02", september) },
    ],
  });
  const taken = new Set<string>();
  addGpuHourCosts(
    ledger,
    hours.flatMap(({ team, model, option, resource, hour, parts }): GpuHourCostSpec[] => {
      const key = JSON.stringify([team, model, option, resource, hour]);
      if (taken.has(key)) return [];
      taken.add(key);
      const isKnown = parts.some((part, index) => index < 5 && part > 0n);
      return [{
        hour: new Date(Date.UTC(2026, 8, 1, hour)).toISOString(),
        series: { x_Team: team, x_GpuModel: model, x_PurchaseOption: option, ResourceId: resource },
        GpuHours: 8,
        KnownGpuHours: isKnown ? 4 : 0,
        UsefulGpuHours: isKnown ? 2 : 0,
        EffectiveCost: formatAttos(parts.reduce((sum, part) => sum + part, 0n)),
        ...Object.fromEntries(partNames.map((name, index) => [name, formatAttos(parts[index] as bigint)])),
      }];
    }),
  );
  return ledger;
}

function closes(document: ReportDocument, id: string, columns: readonly string[]): void {
  if (!has(document, id)) return;
  const block = table(document, id);
  for (const column of columns) {
    const total = block.total?.cells[block.columns.findIndex((entry) => entry.id === column)];
    if (total === undefined || !("figure" in total) || total.figure.value === null) continue;
    expect([id, column, sumOf(block, column)]).toEqual([id, column, total.figure.value]);
  }
}

describe("parts", () => {
  it("add up to their whole in every table of every ledger", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(cells, cells, gpuHours, (august, september, hours) => {
        const context = contextOf(ledgerOf(august, september, hours));
        const review = opened(readReport(context, requestOf("review", { currency: "USD" })));
        if (has(review, "bridge")) closes(review, "bridge", ["amount"]);
        closes(review, "movers", ["spend", "change"]);
        closes(review, "teams", ["spend", "change", "idle"]);
        const efficiency = opened(readReport(context, requestOf("efficiency", { currency: "USD" })));
        closes(efficiency, "four-ways", ["cost"]);
        for (const id of ["teams", "models"]) closes(efficiency, id, ["cost", "productive", "busy", "held", "dead", "idle-memory-unknown", "unknown"]);
        closes(efficiency, "episodes", ["cost"]);
        closes(efficiency, "without-telemetry", ["cost"]);
        for (const metric of ["spend", "idle-cost"] as const) {
          const explanation = opened(explainFigure(context, { metric, period: "2026-09", scope: {}, basis: "EffectiveCost", currency: "USD" }));
          for (const split of explanation.splits) closes({ blocks: [split] } as unknown as ReportDocument, split.id, ["figure"]);
        }
      }),
      { numRuns: 12 },
    );
  });

  it("never mix currencies, and scopes part the whole", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(cells, (september) => {
        const context = contextOf(ledgerOf([], september, []));
        const spendOf = (currency: string, scope: Parameters<typeof requestOf>[1] = {}): bigint => {
          const document = readReport(context, requestOf("review", { currency, ...scope }));
          const spend = document.ok ? tiles(document.value)[0]?.figure : undefined;
          return typeof spend?.value === "bigint" ? spend.value : 0n;
        };
        for (const currency of ["USD", "EUR"]) {
          const seen = new Set<string>();
          const stated = september
            .filter((entry) => {
              const key = JSON.stringify([entry.series, entry.ListCost === null]);
              return !seen.has(key) && seen.add(key);
            })
            .filter((entry) => entry.series?.BillingCurrency === currency);
          const whole = spendOf(currency);
          expect(formatAttos(whole)).toBe(formatAttos(stated.reduce((sum, { cost }) => sum + attosOf(cost as string), 0n)));
          const byTeam = ["a", "b", null].reduce((sum, team) => sum + spendOf(currency, { scope: { team: [team] } }), 0n);
          expect(byTeam).toBe(whole);
        }
      }),
      { numRuns: 8 },
    );
  });
});

function attosOf(text: string): bigint {
  const [, sign = "", integer = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const magnitude = BigInt(integer) * 10n ** 18n + BigInt(fraction.padEnd(18, "0"));
  return sign === "-" ? -magnitude : magnitude;
}
