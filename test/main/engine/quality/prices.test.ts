/** Unit price × quantity against cost: a finding with its rows, which changes nothing. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compareProduct } from "../../../../main/engine/quality/prices.ts";
import { answerOf, makeWorld, type World } from "../../../errors/world.ts";

describe("a cost and its product", () => {
  it.each([
    // 3.673 × 24 = 88.152
    ["3.673", "24", "88.152", true],
    ["3.673", "24", "88.15", true],
    ["3.673", "24", "88.16", true],
    // half of 0.001 × 24 is 0.012, half of the cost's last decimal 0.005: 0.017 at most
    ["3.673", "24", "88.17", false],
    ["3.673", "24", "88.2", true],
    ["1E-05", "1e2", "0.001", true],
    ["1E-05", "1e2", "0.003", false],
    ["-2", "3", "-6", true],
    ["2", "3", "-6", false],
    // Whole numbers are exact.
    ["98", "1", "98.32", false],
    ["9007199254740993", "3", "27021597764222979", true],
    ["9007199254740993", "3", "27021597764222978", false],
    ["2", "0", "5", false],
  ] as const)("%s × %s against %s", (price, quantity, cost, agrees) => {
    expect(compareProduct(price, quantity, cost, ".")).toBe(agrees);
  });

  it("is not compared where one is not stated, or 0 stands for what is not known", () => {
    for (const [price, quantity, cost] of [["", "1", "1"], ["1", "", "1"], ["1", "1", ""], ["0", "1", "5"], ["5", "1", "0"], ["x", "1", "1"]] as const) expect(compareProduct(price, quantity, cost, ".")).toBeNull();
  });

  it("is read with a comma where the file has one", () => {
    expect([compareProduct("1,5", "2", "3,0", ","), compareProduct("1,5", "2", "4,0", ",")]).toEqual([true, false]);
  });
});

describe("the files of a month", () => {
  let folder: string;
  let world: World;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "prices-"));
    world = await makeWorld(folder);
  });
  afterEach(async () => {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const bill = [
    "ChargeCategory,ChargeClass,ChargePeriodStart,BillingCurrency,BilledCost,EffectiveCost,ListCost,ListUnitPrice,ContractedCost,ContractedUnitPrice,PricingQuantity",
    "Usage,,2026-09-01,USD,10,10,20,10,15,7.5,2",
    "Usage,,2026-09-01,USD,10,10,21,10,15,7.5,2",
    "Usage,Correction,2026-09-01,USD,10,10,99,10,99,7.5,2",
    "Usage,,2026-09-02,USD,10,10,0,10,16,7.5,2",
    "Usage,,2026-09-02,USD,10,10,,,,,2",
  ].join("\n");
  const checked = async (period = "2026-09") => answerOf(await world.engine.ask("quality.prices", { period }));

  it("name each row that is off by file and line, count the others, and leave the amounts alone", async () => {
    await world.post(world.file("september.csv.gz", gzipSync(bill)));
    expect(await checked()).toEqual({
      rowsChecked: 3, rowsOff: 2, missing: [],
      rows: [
        { file: "september.csv.gz", line: 3, column: "ListCost", unitPrice: "10", quantity: "2", cost: "21", product: "20" },
        { file: "september.csv.gz", line: 5, column: "ContractedCost", unitPrice: "7.5", quantity: "2", cost: "16", product: "15" },
      ],
    });
    expect(answerOf(await world.engine.ask("totals.read", { period: null, by: [] })).rows).toMatchObject([{ BilledCost: "50", EffectiveCost: "50" }]);
    expect(await checked("2026-08")).toMatchObject({ rowsChecked: 0, rowsOff: 0 });
  });

  it("say which could not be read again", async () => {
    await world.post(world.file("september.csv", bill));
    writeFileSync(join(folder, "september.csv"), "gone");
    expect(await checked()).toMatchObject({ rowsChecked: 0, missing: [{ code: "rows.file-changed", params: { file: "september.csv" } }] });
  });

  it("take Azure's price in its pricing currency", async () => {
    const azure = "date,costInBillingCurrency,costInPricingCurrency,billingCurrency,effectivePrice,quantity,chargeType,meterCategory,subscriptionId,unitOfMeasure\n09/13/2026,80.5,88.152,EUR,3.673,24,Usage,VM,s,1 Hour\n09/14/2026,80.5,90,EUR,3.673,24,Usage,VM,s,1 Hour";
    await world.post(world.file("azure.csv", azure));
    expect(await checked()).toMatchObject({ rowsChecked: 2, rowsOff: 1, rows: [{ line: 3, column: "costInPricingCurrency", product: "88.152" }] });
  });
});
