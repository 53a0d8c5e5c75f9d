import { expect, it } from "vitest";
import { bookPrices } from "../../../../main/engine/commitments/prices.ts";
import { priceBook } from "../../../../main/engine/reference/price-book.ts";
import type { StatedPrice } from "../../../../shared/contract/offers.ts";
import { toDecimal } from "../../../../shared/domain/rational.ts";

const stated = (of: Partial<StatedPrice>): StatedPrice => ({
  provider: "aws", instanceType: "p5.48xlarge", region: "us-east-1", mode: "on-demand", payment: null, isConvertible: false, currency: "USD", pricePerHour: "40", upfront: "0", acceleratorId: null, acceleratorCount: 8,
  scope: "machine", priceDate: "2026-09-01", origin: "list", source: "list", id: null, isSuperseded: false, ...of,
});
const pool = { provider: "AWS", region: "us-east-1", gpuModel: "H100", instanceType: "p5.48xlarge", currency: "USD" };

it("gives one GPU's part of each price, a discount taken off upfront and hourly alike", () => {
  const discount = { id: 1, name: "EDP", provider: "aws", instanceType: null, region: null, mode: "commit-1y" as const, percent: "10", fromDay: "2026-01-01", untilDay: null, note: null };
  const prices = bookPrices(priceBook([
    stated({}),
    stated({ mode: "commit-1y", payment: "partial", pricePerHour: "16", upfront: "70080" }),
    stated({ mode: "subscription-1m", pricePerHour: "24" }),
    stated({ mode: "spot", pricePerHour: "1", isSuperseded: true }),
    stated({ mode: "commit-3y", payment: "none", pricePerHour: "8", currency: "CNY" }),
  ], [discount], "2026-09-30"))(pool, 8);
  expect(prices.map(({ kind, termMonths, payment, upfront, hourly, monthly }) => [kind, termMonths, payment, toDecimal(upfront), toDecimal(hourly), toDecimal(monthly)])).toEqual([
    ["commitment", 12, "partial-upfront", "7884", "1.8", "0"],
    ["on-demand", 0, null, "0", "5", "0"],
    ["subscription", 1, null, "0", "0", "2190"],
  ]);
});

it("knows no price of a machine whose GPUs are not counted, or of another place", () => {
  const prices = bookPrices(priceBook([stated({})], [], "2026-09-30"));
  expect(prices(pool, null)).toEqual([]);
  expect(prices({ ...pool, region: "eu-west-1" }, 8)).toEqual([]);
  expect(prices({ ...pool, provider: "Somebody" }, 8)).toEqual([]);
});
