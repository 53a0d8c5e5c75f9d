/** Bills as other programs dress them: wrapped answers of interfaces, titles above the header, dates and amounts as spreadsheets save them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerOf, makeWorld, type World } from "../../../errors/world.ts";

let folder: string;
let world: World;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "dresses-"));
  world = await makeWorld(folder);
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

async function previewOf(name: string, content: string) {
  const { files } = answerOf(await world.engine.ask("import.preview", { files: [world.file(name, content)], options: {} }));
  const [file] = files;
  if (file === undefined) throw new Error("no file");
  return { format: file.format, error: file.error, rows: [file.rowsRead, file.rowsPosted], billed: Object.fromEntries(Object.entries(file.totals).map(([currency, { BilledCost }]) => [currency, BilledCost])), setAside: file.setAside, periods: file.periods };
}
const header = "BilledCost,ChargeCategory,ChargePeriodStart,BillingCurrency";
const table = (...rows: readonly string[]): string => [header, ...rows].join("\n");

describe("an interface's answer", () => {
  const charges = [
    { type: "charge", description: "Instance 1 GPU charge: hours * $/hr", timestamp: 1788220800, quantity: "10.000", rate: "0.1000", amount: "1.000", instance_id: 1, tags: [{ a: 1 }] },
    { type: "charge", description: "Instance 1 [storage] {charge}", timestamp: 1788220800, quantity: "240", rate: "0.0001", amount: "0.024", instance_id: 1 },
  ];
  const dresses = {
    "the list itself": JSON.stringify(charges),
    "wrapped on one line": JSON.stringify({ success: true, errors: [], note: "[{", results: charges, next_token: "x", totals: [{ amount: "99" }] }),
    "wrapped twice, over lines": JSON.stringify({ data: { page: 1, items: charges }, total: { amount: "99" } }, null, 1),
    "a line each": charges.map((charge) => JSON.stringify(charge)).join("\n"),
  };
  it.each(Object.entries(dresses))("is read as %s", async (_dress, text) => {
    expect(await previewOf("charges.json", text)).toMatchObject({ format: "vast", rows: [2, 2], billed: { USD: "1.024" } });
  });

  it("is read in GB18030 as in UTF-8, its names whole", async () => {
    // 云服务器 in GB18030.
    const name = Buffer.from([0xd4, 0xc6, 0xb7, 0xfe, 0xce, 0xf1, 0xc6, 0xf7]);
    const [before = "", after = ""] = JSON.stringify([{ BilledCost: 1.5, ChargeCategory: "Usage", ChargePeriodStart: "2026-09-01", BillingCurrency: "CNY", ServiceName: "|" }]).split("|");
    await world.post(world.file("gb.json", Buffer.concat([Buffer.from(before), name, Buffer.from(after)])));
    expect(answerOf(await world.engine.ask("totals.read", { period: null, by: ["service"] })).rows).toMatchObject([{ service: "云服务器", BilledCost: "1.5" }]);
    const { rows, columns } = answerOf(await world.engine.ask("rows.read", { ref: { metric: "spend", period: "2026-09", scope: {}, basis: "BilledCost", currency: null }, of: "charges", offset: 0, limit: 10 }));
    expect(rows[0]?.values[columns.indexOf("ServiceName")]).toBe("云服务器");
  });

  it("is refused in words where what it wraps is no bill", async () => {
    expect(await previewOf("answer.json", JSON.stringify({ items: [{ a: 1 }] }))).toMatchObject({ error: { code: "import.unrecognized" } });
  });
});

describe("a header below a title", () => {
  it("is found, with its own separator, and places count from the top of the file", async () => {
    const text = ["Costs of ACME, all accounts", "From 2026-09-01, to 2026-09-30", "", header.replaceAll(",", ";"), "1,5;Usage;2026-09-01;EUR", "2,x;Usage;2026-09-02;EUR", "2,25;Usage;2026-09-03;EUR"].join("\r\n");
    expect(await previewOf("console.csv", text)).toMatchObject({ format: "focus", rows: [3, 2], billed: { EUR: "3.75" }, setAside: [{ line: 6, column: "BilledCost", value: "2,x" }] });
    await world.post(join(folder, "console.csv"));
    const { rows } = answerOf(await world.engine.ask("rows.read", { ref: { metric: "spend", period: "2026-09", scope: {}, basis: "BilledCost", currency: null }, of: "charges", offset: 0, limit: 10 }));
    expect(rows.map(({ line }) => line)).toEqual([5, 7]);
  });

  it("is not looked for among the rows of a file that is something else", async () => {
    expect(await previewOf("notes.csv", ["a,b", ...Array.from({ length: 40 }, () => "1,2"), header, "1,Usage,2026-09-01,USD"].join("\n"))).toMatchObject({ error: { code: "import.unrecognized" } });
  });
});

describe("what a spreadsheet saved", () => {
  it("dates in its country's order are read where one of them proves it", async () => {
    expect(await previewOf("us.csv", table("1,Usage,9/1/2026 0:00,USD", "2,Usage,9/13/2026,USD"))).toMatchObject({ rows: [2, 2], billed: { USD: "3" }, periods: ["2026-09"] });
    expect(await previewOf("uk.csv", table("1,Usage,1/9/2026,USD", "2,Usage,13/9/2026,USD"))).toMatchObject({ rows: [2, 2], periods: ["2026-09"] });
    // With points they begin with the day.
    expect(await previewOf("de.csv", table("1,Usage,01.09.2026,USD", "2,Usage,02.09.2026,USD"))).toMatchObject({ rows: [2, 2], periods: ["2026-09"] });
  });

  it("dates that fit both orders, or prove both, are refused in words", async () => {
    expect(await previewOf("both.csv", table("1,Usage,9/1/2026,USD", "2,Usage,9/2/2026,USD"))).toMatchObject({ error: { code: "import.dates-ambiguous", params: { column: "ChargePeriodStart", value: "9/1/2026" } } });
    expect(await previewOf("mixed.csv", table("1,Usage,9/13/2026,USD", "2,Usage,13/9/2026,USD"))).toMatchObject({ error: { code: "import.dates-ambiguous" } });
  });

  it("the same holds for the native exports", async () => {
    const aws = "bill/BillingPeriodStartDate,bill/BillingPeriodEndDate,lineItem/LineItemType,lineItem/UsageStartDate,lineItem/UsageEndDate,lineItem/UnblendedCost,lineItem/CurrencyCode\n9/1/2026 0:00,10/1/2026 0:00,Usage,9/15/2026 1:00,9/15/2026 2:00,1.5,USD";
    expect(await previewOf("cur.csv", aws)).toMatchObject({ format: "aws-cur", rows: [1, 1], periods: ["2026-09"] });
    const gcp = "service.description,sku.description,usage_start_time,usage_end_time,project.id,cost,currency,cost_type\nCompute Engine,Core,9/15/2026 1:00,9/15/2026 2:00,p,1.5,USD,regular";
    expect(await previewOf("gcp.csv", gcp)).toMatchObject({ format: "gcp", rows: [1, 1], periods: ["2026-09"] });
    const oci = "lineItem/intervalUsageStart,lineItem/intervalUsageEnd,product/Description,usage/billedQuantity,cost/myCost,cost/currencyCode,cost/billingUnitReadable\n15/9/2026 1:00,15/9/2026 2:00,Compute,1,1.5,USD,1 NONE HOURS OCPU";
    expect(await previewOf("oci.csv", oci)).toMatchObject({ format: "oci", rows: [1, 1], periods: ["2026-09"] });
  });

  it("brackets of accountants are a minus; what may be thousands is set aside, never guessed", async () => {
    const read = await previewOf("brackets.csv", table("(12.50),Credit,2026-09-01,USD", "20,Usage,2026-09-01,USD", "(1e1),Credit,2026-09-01,USD", "(-1),Usage,2026-09-01,USD", "(),Usage,2026-09-01,USD", '"1,234.56",Usage,2026-09-01,USD'));
    expect(read).toMatchObject({ rows: [6, 3], billed: { USD: "-2.5" } });
    expect(read.setAside.map(({ line, value }) => [line, value])).toEqual([[5, "(-1)"], [6, "()"], [7, "1,234.56"]]);
  });
});
