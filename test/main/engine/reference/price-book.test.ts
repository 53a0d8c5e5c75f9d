import { describe, expect, it } from "vitest";
import { priceBook } from "../../../../main/engine/reference/price-book.ts";
import type { Discount, StatedPrice } from "../../../../shared/contract/offers.ts";

const listed: StatedPrice = {
  provider: "aws", instanceType: "p5.48xlarge", region: "us-east-1", mode: "on-demand", payment: null, isConvertible: false, currency: "USD", pricePerHour: "50", upfront: "0",
  acceleratorId: "nvidia-h100-sxm5-80gb", acceleratorCount: 8, scope: "machine", priceDate: "2026-07-20", origin: "list", source: "list", id: null, isSuperseded: false,
};
const discount: Discount = { id: 1, name: "EDP", provider: "AWS", instanceType: null, region: null, mode: null, percent: "10", fromDay: "2026-01-01", untilDay: "2026-12-31", note: null };
const held = (stated: readonly StatedPrice[], discounts: readonly Discount[] = [], on = "2026-12-01") => priceBook(stated, discounts, on).prices.map(({ origin, statedPerHour, effectivePerHour, discount: taken, ageDays, beaten }) => ({ origin, statedPerHour, effectivePerHour, discount: taken?.name ?? null, ageDays, beaten: beaten.map((price) => price.origin) }));

describe("the price book", () => {
  it("lets a sheet win over the list and the person over both, and shows what was beaten", () => {
    const sheet: StatedPrice = { ...listed, origin: "sheet", id: 3, pricePerHour: "48", priceDate: "2026-11-01", source: "offer.csv" };
    const own: StatedPrice = { ...listed, origin: "own", id: 1, pricePerHour: "40", priceDate: "2026-11-15", source: "quote" };
    expect(held([listed])).toEqual([{ origin: "list", statedPerHour: "50", effectivePerHour: "50", discount: null, ageDays: 134, beaten: [] }]);
    expect(held([listed, sheet])).toMatchObject([{ origin: "sheet", effectivePerHour: "48", ageDays: 30, beaten: ["list"] }]);
    expect(held([own, listed, sheet])).toMatchObject([{ origin: "own", effectivePerHour: "40", beaten: ["sheet", "list"] }]);
  });

  it("takes a negotiated discount off the list within its days, and never off an own price", () => {
    expect(held([listed], [discount])).toMatchObject([{ statedPerHour: "50", effectivePerHour: "45", discount: "EDP" }]);
    expect(held([listed], [discount], "2026-12-31")).toMatchObject([{ effectivePerHour: "45" }]);
    expect(held([listed], [discount], "2027-01-01")).toMatchObject([{ effectivePerHour: "50", discount: null }]);
    expect(held([{ ...listed, origin: "own", id: 1 }], [discount])).toMatchObject([{ effectivePerHour: "50", discount: null }]);
    expect(held([listed], [{ ...discount, provider: "azure" }, { ...discount, mode: "spot" }, { ...discount, instanceType: "g6" }, { ...discount, region: "eu-west-1" }])).toMatchObject([{ discount: null }]);
    expect(held([listed], [discount, { ...discount, id: 2, name: "P5 deal", instanceType: "p5.", percent: "12.5" }])).toMatchObject([{ effectivePerHour: "43.75", discount: "P5 deal" }]);
  });

  it("spreads an upfront fee over the hours of the term", () => {
    expect(held([{ ...listed, mode: "commit-3y", payment: "partial", pricePerHour: "12.5", upfront: "262800" }])).toMatchObject([{ effectivePerHour: "22.5" }]);
    expect(held([{ ...listed, mode: "subscription-1m", payment: "all", pricePerHour: "0", upfront: "5475" }])).toMatchObject([{ effectivePerHour: "7.5" }]);
  });

  it("keeps a superseded list only where there is no other, and finds prices that hold in every region", () => {
    const old: StatedPrice = { ...listed, pricePerHour: "90", isSuperseded: true, priceDate: "2026-11-30" };
    expect(held([old, listed])).toMatchObject([{ effectivePerHour: "50", beaten: ["list"] }]);
    const book = priceBook([listed, { ...listed, region: "*", pricePerHour: "60" }], [], "2026-12-01");
    expect(book.find("aws", "p5.48xlarge", "us-east-1").map(({ effectivePerHour }) => effectivePerHour)).toEqual(["50"]);
    expect(book.find("AWS", "P5.48xlarge", "eu-west-1").map(({ effectivePerHour }) => effectivePerHour)).toEqual(["60"]);
    expect(book.find("aws", "p9.48xlarge", "eu-west-1")).toEqual([]);
  });
});
