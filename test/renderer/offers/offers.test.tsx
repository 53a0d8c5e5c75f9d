// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Candidate, chooseOffers } from "../../../main/engine/planning/offers.ts";
import { priceBook } from "../../../main/engine/reference/price-book.ts";
import { Offers } from "../../../renderer/offers/Offers.tsx";
import { offersCommand } from "../../../renderer/offers/command.ts";
import { firstDraft, needOf, shifted, useOffers } from "../../../renderer/state/offers.ts";
import type { MethodInput } from "../../../shared/contract/methods.ts";
import { defaultNeed, type PriceList, type StatedPrice } from "../../../shared/contract/offers.ts";
import { decimal, whole } from "../../../shared/domain/rational.ts";
import { ok, type Result } from "../../../shared/result.ts";
import { documentsIn } from "../documents.ts";
import { showWindow, type Answers } from "../window.tsx";

const { status } = documentsIn("en");

const h100: Candidate = {
  provider: "aws", instanceType: "p5.48xlarge", region: "us-east-1", country: "US", location: "N. Virginia", mode: "on-demand", payment: null, isConvertible: false, scope: "machine", currency: "USD", pricePerHour: decimal("55.04"),
  priceOrigin: "list", priceSource: "list", priceDate: "2026-07-20", ageDays: 134, discountPercent: null, isSuperseded: false, acceleratorId: "nvidia-h100-sxm5-80gb", accelerator: "H100 SXM5 80 GB", asic: null, gpus: whole(8),
  memoryGb: whole(80), bandwidthTbs: decimal("3.35"), peakTflops: new Map([["bf16", whole(989)], ["fp8", whole(1979)]]), gpuLink: "nvswitch", hasRdma: true, isConfidential: false, watts: whole(1000), pue: decimal("1.15"), grid: { grams: whole(340), year: 2024 },
};
const candidates: readonly Candidate[] = [
  h100,
  { ...h100, provider: "gcp", instanceType: "a2-highgpu-8g", region: "europe-north1", country: "FI", location: "Finland", pricePerHour: decimal("29.38"), acceleratorId: "nvidia-a100-sxm4-40gb", accelerator: "A100 SXM4 40 GB", memoryGb: whole(40), peakTflops: new Map([["bf16", whole(312)]]), grid: { grams: whole(68), year: 2024 } },
  { ...h100, instanceType: "inf2.48xlarge", acceleratorId: "aws-inferentia2", accelerator: "Inferentia2", asic: "neuron", pricePerHour: decimal("12.98"), gpus: whole(12), memoryGb: whole(32), peakTflops: new Map([["bf16", whole(190)]]), hasRdma: false },
  { ...h100, instanceType: "g6.xlarge", acceleratorId: "nvidia-l4", accelerator: "L4", pricePerHour: decimal("0.8"), gpus: whole(1), memoryGb: whole(24), peakTflops: new Map([["bf16", whole(121)]]) },
];
const stated: readonly StatedPrice[] = [
  { provider: "aws", instanceType: "p5.48xlarge", region: "us-east-1", mode: "on-demand", payment: null, isConvertible: false, currency: "USD", pricePerHour: "55.04", upfront: "0", acceleratorId: "nvidia-h100-sxm5-80gb", acceleratorCount: 8, scope: "machine", priceDate: "2026-07-20", origin: "list", source: "list", id: null, isSuperseded: false },
  { provider: "aws", instanceType: "p5.48xlarge", region: "us-east-1", mode: "on-demand", payment: null, isConvertible: false, currency: "USD", pricePerHour: "50", upfront: "0", acceleratorId: "nvidia-h100-sxm5-80gb", acceleratorCount: 8, scope: "machine", priceDate: "2026-11-01", origin: "sheet", source: "offer.csv", id: 1, isSuperseded: false },
];
const book = priceBook(stated, [], "2026-12-01");
const prices: PriceList = {
  on: "2026-12-01", total: 1, prices: book.prices, counts: { all: 1, own: 0, sheet: 1, discounted: 0 }, providers: ["aws"], regions: ["us-east-1"], lists: [{ provider: "aws", prices: 1, oldest: "2026-07-20", newest: "2026-07-20", source: "list" }],
  sheets: [{ id: 1, format: "aws-offer", file: "offer.csv", priceDate: "2026-11-01", importedAt: "2026-11-02T10:00:00Z", importedBy: "Ana", prices: 1, rowsRead: 5, rowsSkipped: 3 }], discounts: [], own: [],
};
const find = ({ need, tiers, limit, rejectedLimit }: MethodInput<"offers.find">): Result<unknown> => ok(chooseOffers({ need, candidates, benchmarks: [], tiers, limit, rejectedLimit }));
const answers: Answers = {
  "app.info": ok({ version: "1", platform: "linux", isPackaged: true }),
  "offers.find": find,
  "benchmarks.list": ok({ benchmarks: [], workloads: [], scaling: [], accelerators: [{ id: "nvidia-h100-sxm5-80gb", label: "H100 SXM5 80 GB" }] }),
  "prices.list": ok(prices),
  "price.save": ok({ revision: 2, id: 1 }),
};

beforeEach(() => useOffers.setState(useOffers.getInitialState()));
afterEach(cleanup);

describe("offers in the window", () => {
  it("answer with a sentence, rank what fits, and say why the rest does not", async () => {
    const shown = showWindow(<Offers status={status} />, { answers });
    expect((await screen.findByText(/^Rent/)).textContent).toContain("12 × Inferentia2 on AWS in N. Virginia, on demand");
    const table = screen.getByRole("table", { name: "Ranked offers" });
    expect(within(table).getAllByRole("row")).toHaveLength(4);
    expect(within(screen.getByRole("table", { name: "Why the others do not fit" })).getByRole("row", { name: /too little memory in all/ })).toBeTruthy();
    expect(screen.getByText(/Models are compiled with the Neuron SDK/)).toBeTruthy();
    expect(shown.missing).toEqual([]);
  });

  it("stand side by side, measured by the first that was chosen", async () => {
    showWindow(<Offers status={status} />, { answers });
    fireEvent.click(await screen.findByRole("checkbox", { name: "Compare gcp a2-highgpu-8g europe-north1 on-demand" }));
    fireEvent.click(screen.getByRole("checkbox", { name: "Compare aws p5.48xlarge us-east-1 on-demand" }));
    const table = screen.getByRole("table", { name: "Side by side" });
    // 55.04 ÷ 29.38 and 989 ÷ 312: the H100 must be 1.87 times as fast, and is 3.17 times.
    expect(within(table).getByRole("row", { name: /^Must be as fast as/ }).textContent).toContain("×1.87");
    expect(within(table).getByRole("row", { name: /^Is as fast as/ }).textContent).toContain("×3.17");
  });

  it("rank anew as the need changes, and say which field is not understood", async () => {
    const shown = showWindow(<Offers status={status} />, { answers });
    fireEvent.change(await screen.findByLabelText("Countries (DE, US, EU …)"), { target: { value: "eu" } });
    await waitFor(() => expect(screen.getByText(/^Rent/).textContent).toContain("Google Cloud in Finland"));
    fireEvent.change(screen.getByLabelText("Budget a year"), { target: { value: "much" } });
    expect((await screen.findByRole("alert")).textContent).toContain("Budget a year");
    expect(shown.asked.filter(({ name }) => name === "offers.find").every(({ input }) => !JSON.stringify(input).includes("much"))).toBe(true);
  });

  it("show every price with who states it, how old it is and what it wins over, and let the person state another", async () => {
    const shown = showWindow(<Offers status={status} />, { answers });
    fireEvent.click(await screen.findByRole("tab", { name: "Price book" }));
    const row = within(await screen.findByRole("table", { name: "Prices that hold" })).getByRole("row", { name: /p5\.48xlarge/ });
    expect(row.textContent).toBe("AWS p5.48xlargeus-east-1on demand50.0000USDsheet offer.csv1 Nov 202630 days old$55.0400 of 2026-07-20 (list of the app)");
    fireEvent.click(within(row).getByRole("button", { name: "AWS p5.48xlarge" }));
    fireEvent.click(await screen.findByRole("button", { name: "Save" }));
    expect((await screen.findByRole("alert")).textContent).toContain("a price of 0 or more");
    fireEvent.change(screen.getByLabelText("Price an hour"), { target: { value: "41.5" } });
    fireEvent.change(screen.getByLabelText("Price of"), { target: { value: "2026-11-30" } });
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "price.save")?.input).toMatchObject({ price: { id: null, provider: "aws", instanceType: "p5.48xlarge", region: "us-east-1", pricePerHour: "41.5", priceDate: "2026-11-30" } }));
    expect(shown.missing).toEqual([]);
  });

  it("speak Chinese", async () => {
    const shown = showWindow(<Offers status={status} />, { answers, language: "zh-CN" });
    expect((await screen.findByText(/^在 AWS/)).textContent).toContain("租用");
    expect(shown.missing).toEqual([]);
  });
});

describe("a need as it is typed", () => {
  it("means exact units and shares", () => {
    expect(needOf(firstDraft)).toEqual({ need: { ...defaultNeed, modes: ["on-demand", "commit-1y", "commit-3y", "savings-1y", "savings-3y", "subscription-1m", "subscription-1y"] }, wrong: null });
    expect([shifted("50000", 6), shifted("0.5", 6), shifted("10", -2), shifted("2.5", -2), shifted("0", 6), shifted("x", 6)]).toEqual(["50000000000", "500000", "0.1", "0.025", "0", "x"]);
    expect(needOf({ ...firstDraft, gpus: "1.5" })).toEqual({ need: null, wrong: "gpus" });
    expect(needOf({ ...firstDraft, mfu: "130" })).toEqual({ need: null, wrong: "mfu" });
    expect(needOf({ ...firstDraft, units: "0" })).toEqual({ need: null, wrong: "units" });
  });

  it("is copied as the terminal's command", () => {
    const { need } = needOf({ ...firstDraft, countries: "us, eu", gpus: "16", confidential: true });
    expect(need === null ? "" : offersCommand(need, { ledgerName: "mine", language: "en", isPackaged: true })).toBe("gpu-ledger --headless offers --need gpus=16,countries=US+EU,confidential=yes,modes=on-demand+commit-1y+commit-3y+savings-1y+savings-3y+subscription-1m+subscription-1y --ledger mine.gpuledger --lang en");
  });
});
