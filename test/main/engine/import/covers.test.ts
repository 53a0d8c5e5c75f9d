/** A delivery that the person says is its whole month: what it does not hold goes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runCli } from "../../../../main/cli/index.ts";
import { answerOf, makeWorld, type World } from "../../../errors/world.ts";
import { focusBill } from "./bills-of.ts";

let folder: string;
let world: World;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "covers-"));
  world = await makeWorld(folder);
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** September of two accounts: 1, 2 and 4 on three days of the first, 8 of the second. */
const long = focusBill([{ day: "2026-09-01", cost: "1" }, { day: "2026-09-10", cost: "2" }, { day: "2026-09-20", cost: "4" }, { day: "2026-09-10", cost: "8", account: "b" }]);
/** The first account's tenth alone, restated. */
const short = focusBill([{ day: "2026-09-10", cost: "16" }]);
const billed = async () => answerOf(await world.engine.ask("totals.read", { period: null, by: ["month"] })).rows.map(({ BilledCost }) => BilledCost);
const previewOf = async (file: string) => answerOf(await world.engine.ask("import.preview", { files: [file], options: {} }));

it("removes the days and accounts it does not hold, says so before posting, and gives them back on undo", async () => {
  await world.post(world.file("long.csv", long));
  await world.post(world.file("october.csv", focusBill([{ day: "2026-10-01", cost: "32" }])));
  const { plan, files } = await previewOf(world.file("short.csv", short));
  const [held] = files[0]?.deliveries ?? [];
  expect(held).toMatchObject({ coverage: "held", firstDay: "2026-09-10", lastDay: "2026-09-10", coversAllAccounts: false });
  expect(held?.changes.map(({ kind, rows, was, becomes }) => [kind, rows, was, becomes])).toEqual([["changed", 1, "2", "16"], ["kept-from-older", 3, "13", "13"]]);
  const widened = answerOf(await world.engine.ask("import.cover", { plan, delivery: held?.delivery ?? 0, covers: "period" }));
  expect(widened).toMatchObject({ coverage: "widened", firstDay: "2026-09-01", lastDay: "2026-09-30", coversAllAccounts: true, replacesBatches: [1] });
  expect(widened.changes.map(({ kind, rows, was, becomes }) => [kind, rows, was, becomes])).toEqual([["changed", 1, "2", "16"], ["removed", 3, "13", null]]);
  const outcome = answerOf(await world.engine.ask("import.post", { plan }));
  expect(await billed()).toEqual(["16", "32"]);
  answerOf(await world.engine.ask("batches.undo", { batch: outcome.files[0]?.batch ?? 0 }));
  expect(await billed()).toEqual(["15", "32"]);
  answerOf(await world.engine.ask("batches.redo", { batch: outcome.files[0]?.batch ?? 0 }));
  expect(await billed()).toEqual(["16", "32"]);
});

it("goes back to what the delivery holds", async () => {
  await world.post(world.file("long.csv", long));
  const { plan, files } = await previewOf(world.file("short.csv", short));
  const delivery = files[0]?.deliveries[0]?.delivery ?? 0;
  answerOf(await world.engine.ask("import.cover", { plan, delivery, covers: "period" }));
  expect(answerOf(await world.engine.ask("import.cover", { plan, delivery, covers: "held" }))).toEqual(files[0]?.deliveries[0]);
  answerOf(await world.engine.ask("import.post", { plan }));
  expect(await billed()).toEqual(["29"]);
});

it("is not asked of a report that is whole by its format, and refuses what is in no plan", async () => {
  const aws = "bill/BillingPeriodStartDate,bill/BillingPeriodEndDate,lineItem/LineItemType,lineItem/UsageStartDate,lineItem/UsageEndDate,lineItem/UnblendedCost,lineItem/CurrencyCode\n2026-09-01,2026-10-01,Usage,2026-09-15T00:00:00Z,2026-09-15T01:00:00Z,1.5,USD";
  const { plan, files } = await previewOf(world.file("cur.csv", aws));
  const [whole] = files[0]?.deliveries ?? [];
  expect(whole?.coverage).toBe("whole");
  expect(answerOf(await world.engine.ask("import.cover", { plan, delivery: whole?.delivery ?? 0, covers: "held" }))).toEqual(whole);
  for (const [of, delivery] of [[plan, 999], ["none", whole?.delivery ?? 0]] as const) {
    expect(await world.engine.ask("import.cover", { plan: of, delivery, covers: "period" })).toMatchObject({ ok: false, error: { code: "import.plan-gone" } });
  }
});

it("is an option in the terminal", async () => {
  const ledger = join(folder, "terminal.gpuledger");
  const run = async (...words: string[]) => {
    let [out, told] = ["", ""];
    const code = await runCli([...words, "--ledger", ledger], { out: (text) => (out += text), err: (text) => (told += text), environment: {} });
    return { code, out, told };
  };
  await run("import", world.file("long.csv", long));
  expect(await run("import", world.file("short.csv", short), "--covers", "all")).toMatchObject({ code: 2 });
  expect((await run("import", world.file("short.csv", short), "--covers", "period")).code).toBe(0);
  expect(JSON.parse((await run("totals", "--json")).out)).toMatchObject({ rows: [{ month: "2026-09", BilledCost: "16" }] });
});
