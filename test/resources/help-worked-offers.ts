import { type Candidate, chooseOffers } from "../../main/engine/planning/offers.ts";
import { priceBook } from "../../main/engine/reference/price-book.ts";
import { type Benchmark, defaultNeed, type Need, type StatedPrice } from "../../shared/contract/offers.ts";
import { decimal, rational, whole } from "../../shared/domain/rational.ts";

/** The results of the page on offers, by the functions that the page speaks of. */
export function offersWorked(): Readonly<Record<string, readonly string[]>> {
  const h100: Candidate = {
    provider: "aws", instanceType: "h", region: "r", country: null, location: null, mode: "on-demand", payment: null, isConvertible: false, scope: "machine", currency: "USD", pricePerHour: decimal("55.04"), priceOrigin: "list", priceSource: "", priceDate: "2026-07-20", ageDays: 0,
    discountPercent: null, isSuperseded: false, acceleratorId: "h100", accelerator: "H100", asic: null, gpus: whole(8), memoryGb: whole(80), bandwidthTbs: null, peakTflops: new Map([["bf16", whole(989)]]), gpuLink: null, hasRdma: false, isConfidential: false, watts: null, pue: null, grid: null,
  };
  const a100: Candidate = { ...h100, instanceType: "a", pricePerHour: decimal("29.38"), acceleratorId: "a100", accelerator: "A100", peakTflops: new Map([["bf16", whole(312)]]) };
  const benchmark: Benchmark = { id: 1, workload: "chat", unit: "token", acceleratorId: "h100", instanceType: null, gpus: 8, unitsPerSecond: "2500", precision: null, stack: null, measuredOn: "2026-08-01", source: "" };
  const choose = (candidates: readonly Candidate[], change: Partial<Need> = {}, benchmarks: readonly Benchmark[] = []) =>
    chooseOffers({ need: { ...defaultNeed, workload: "chat", totalMemoryGb: null, ...change }, candidates, benchmarks, tiers: ["50000", "200000"], limit: 10, rejectedLimit: 0 });
  const estimated = choose([h100, a100]);
  const [h, a] = estimated.ranked;
  const measured = choose([h100, a100], {}, [benchmark]);
  const cards = { task: "other", unit: "image", billionParameters: null, tflopPerUnit: "1", mfu: "0.5" } as const;
  const one: Candidate = { ...h100, gpus: whole(1), pricePerHour: whole(2), peakTflops: new Map([["bf16", whole(100)]]) };
  const half = choose([{ ...one, mode: "commit-1y", payment: "none", pricePerHour: whole(1) }, one], { ...cards, units: String(4380 * 180_000) });
  const committed = half.ranked.find(({ mode }) => mode === "commit-1y");
  const part = choose([{ ...one, gpus: rational(1n, 2n) }], { ...cards, units: "1", virtualizationLoss: "0.4" });
  const scaled = choose([{ ...one, gpus: whole(8) }], { ...cards, units: "1" }, [{ ...benchmark, unit: "image", gpus: 1, unitsPerSecond: "40" }, { ...benchmark, id: 2, unit: "image", unitsPerSecond: "256" }]);
  const efficiency = (scaled.ranked[0]?.unitsPerSecond ?? 0) / (8 * 40);
  const tiers = choose([h100, { ...h100, mode: "commit-3y", payment: "partial", pricePerHour: decimal("22.5") }]).tiers;
  const stated: StatedPrice = { provider: "aws", instanceType: "h", region: "r", mode: "on-demand", payment: null, isConvertible: false, currency: "USD", pricePerHour: "55.04", upfront: "0", acceleratorId: null, acceleratorCount: 8, scope: "machine", priceDate: "2026-07-20", origin: "list", source: "", id: null, isSuperseded: false };
  const held = (price: StatedPrice, percent: string | null): string => {
    const discounts = percent === null ? [] : [{ id: 1, name: "", provider: "aws", instanceType: null, region: null, mode: null, percent, fromDay: "2026-01-01", untilDay: null, note: null }];
    return priceBook([price], discounts, "2026-12-01").prices[0]?.effectivePerHour ?? "";
  };
  const count = (value: number | undefined): string => Math.round(value ?? Number.NaN).toLocaleString("en-US");
  const fixed = (value: string | number | undefined, digits = 2): string => Number(value).toFixed(digits);
  const free = tiers[0]?.picks.find(({ kind }) => kind === "free");
  return {
    "offers#ranking": [count(h?.unitsPerSecond), fixed(h?.costPer), count(Number(h?.cost)), count(a?.unitsPerSecond), fixed(a?.costPer), count(Number(a?.cost)), fixed(1 / (a?.breakEvenSpeedUp ?? Number.NaN)), fixed(1 / (a?.speedUp ?? Number.NaN))],
    "offers#benchmarks": [`${fixed(measured.mfuUsed * 100, 1)}%`, fixed(measured.ranked.find(({ accelerator }) => accelerator === "H100")?.costPer), count(measured.ranked.find(({ accelerator }) => accelerator === "A100")?.unitsPerSecond), `${fixed(efficiency * 100, 1)}%`, fixed(1 / efficiency)],
    "offers#committed": [count(Number(committed?.cost)), `${fixed((committed?.utilization ?? 0) * 100, 1)}%`, fixed((part.ranked[0]?.unitsPerSecond ?? 0) / 50)],
    "offers#tiers": [count(free?.hours), count(free?.gpuHours), count(tiers[1]?.picks.find(({ kind }) => kind === "committed")?.allYear)],
    "offers#prices": [held(stated, "10"), fixed(held({ ...stated, mode: "commit-3y", payment: "partial", pricePerHour: "12.5", upfront: "262800" }, null))],
  };
}
