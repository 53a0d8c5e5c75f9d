/** Reports that come several a day: they add to each other, and only the same report replaces. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { answerOf, makeWorld, type World } from "../../../errors/world.ts";
import { focusBill } from "./bills-of.ts";

let folder: string;
let world: World;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "reports-"));
  world = await makeWorld(folder);
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const header = "lineItem/referenceNo,lineItem/tenantId,lineItem/intervalUsageStart,lineItem/intervalUsageEnd,product/service,product/compartmentId,product/Description,usage/billedQuantity,cost/productSku,cost/unitPrice,cost/myCost,cost/currencyCode,cost/billingUnitReadable,cost/skuUnitDescription";
/** Rows of one day, each an hour of one compartment. */
const oracle = (rows: readonly (readonly [hour: number, cost: string])[]): string =>
  [header, ...rows.map(([hour, cost]) => `r${hour},t1,2026-09-03T${String(hour).padStart(2, "0")}:00Z,2026-09-03T${String(hour + 1).padStart(2, "0")}:00Z,COMPUTE,c1,OCI - Compute - GPU4,8,B1,1,${cost},USD,1 NONE HOURS GPU,GPU Per Hour`)].join("\n");
const billed = async () => answerOf(await world.engine.ask("totals.read", { period: null, by: ["month"] })).rows.map(({ BilledCost }) => BilledCost);

it("adds Oracle's reports of one day, in whatever import they come, and replaces a report by its number", async () => {
  const morning = await world.post(world.file("reports_cost-csv_0001000000603747.csv", oracle([[0, "1"], [1, "2"]])));
  await world.post(world.file("reports_cost-csv_0001000000603748.csv", oracle([[6, "4"], [7, "8"]])));
  expect(await billed()).toEqual(["15"]);
  // Sent again under its number, in another folder: it replaces itself alone.
  await world.post(world.file("again/reports_cost-csv_0001000000603747.csv", oracle([[0, "1"], [1, "2.5"]])));
  expect(await billed()).toEqual(["15.5"]);
  answerOf(await world.engine.ask("batches.undo", { batch: morning }));
  expect(await billed()).toEqual(["15.5"]);
});

it("says the same when they come in one import", async () => {
  const files = [oracle([[0, "1"], [1, "2"]]), oracle([[6, "4"], [7, "8"]])].map((text, index) => world.file(`reports_cost-csv_000100000060374${index}.csv`, text));
  const { plan } = answerOf(await world.engine.ask("import.preview", { files, options: {} }));
  answerOf(await world.engine.ask("import.post", { plan }));
  expect(await billed()).toEqual(["15"]);
});

it("adds Oracle's FOCUS reports of one day by their numbers, and not other exports", async () => {
  const bill = (cost: string): string => focusBill([{ day: "2026-09-03", cost, provider: "Oracle" }]);
  await world.post(world.file("0001000001530921.csv", bill("1")));
  await world.post(world.file("0001000001530922-00001.csv", bill("2")));
  expect(await billed()).toEqual(["3"]);
  await world.post(world.file("export-1.csv", bill("10").replaceAll("Oracle", "Other")));
  await world.post(world.file("export-2.csv", bill("20").replaceAll("Oracle", "Other")));
  expect(await billed()).toEqual(["23"]);
});

it("names it when a file without a number holds the same days again", async () => {
  await world.post(world.file("reports_cost-csv_0001000000603747.csv", oracle([[0, "1"]])));
  await world.post(world.file("september.csv", oracle([[0, "1"], [1, "2"]])));
  const { findings } = answerOf(await world.engine.ask("quality.read", { period: "2026-09" }));
  expect(findings.filter(({ check }) => check === "counted-twice").map(({ rows, amount }) => [rows, amount])).toEqual([[1, "1"]]);
});
