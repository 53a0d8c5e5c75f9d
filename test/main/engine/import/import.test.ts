import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ImportOutcome, ImportPreview, PreviewFile } from "../../../../shared/contract/methods.ts";
import type { LedgerEvent } from "../../../../shared/contract/events.ts";
import type { Result } from "../../../../shared/result.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { smallDisk } from "../small-disk.ts";
import { focusBill, smiLog } from "./bills-of.ts";

const project = join(import.meta.dirname, "../../../..");
let folder = "";
let engine: Engine;
let events: LedgerEvent[] = [];
const engines: Engine[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-import-"));
  events = [];
  engine = engineOf("inline");
  must(await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true }));
});
afterEach(async () => {
  for (const each of engines.splice(0)) await each.close();
  rmSync(folder, { recursive: true, force: true });
});

function engineOf(jobRunner: "inline" | "thread"): Engine {
  const made = createEngine({
    ledgerPath: null,
    userDataFolder: join(folder, "data"),
    resourcesFolder: join(project, "resources"),
    jobRunner,
    readerFile: new URL(`file://${join(project, "main/engine/import/reader.ts")}`),
    emit: (event) => events.push(event),
  });
  engines.push(made);
  return made;
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

function file(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

async function preview(...files: string[]): Promise<ImportPreview> {
  return must(await engine.ask("import.preview", { files, options: { timezone: "UTC" } }));
}

async function post({ plan }: { readonly plan: string }): Promise<ImportOutcome> {
  return must(await engine.ask("import.post", { plan }));
}

async function totals(): Promise<unknown> {
  return must(await engine.ask("totals.read", { period: null, by: ["month"] })).rows.map(({ month, rows, currency, BilledCost }) => [month, rows, currency, BilledCost]);
}

const states = (files: readonly PreviewFile[]): unknown[] => files.map(({ state, error }) => (error === null ? state : error.code));

describe("importing", () => {
  it("posts a bill whose totals are the file's, and says nothing new of the same bytes", async () => {
    const path = file("bill.csv", focusBill([{ day: "2026-09-01", cost: "0.000000000000000001" }, { day: "2026-09-02", cost: "1.5" }]));
    const looked = await preview(path);
    expect(looked.files).toMatchObject([{ kind: "billing", format: "focus", state: "ready", rowsRead: 2, rowsPosted: 2, periods: ["2026-09"], batch: null }]);
    expect(await totals()).toEqual([]);
    const posted = await post(looked);
    expect(posted.files).toMatchObject([{ path, state: "posted", batch: 1, totals: { USD: { BilledCost: "1.500000000000000001" } } }]);
    expect(await totals()).toEqual([["2026-09", 2, "USD", "1.500000000000000001"]]);

    const again = await preview(file("copy.csv", readFileSync(path)));
    expect(again.files).toMatchObject([{ state: "unchanged", batch: 1, rowsRead: 2, totals: { USD: { BilledCost: "1.500000000000000001" } } }]);
    expect(await post(again)).toMatchObject({ revision: posted.revision, files: [{ state: "unchanged", batch: 1 }] });
    expect(must(await engine.ask("batches.list", {}))).toHaveLength(1);
  });

  it("says what a restated bill would change before it does", async () => {
    await post(await preview(file("first.csv", focusBill([
      { day: "2026-09-01", cost: "1" }, { day: "2026-09-02", cost: "2" }, { day: "2026-09-03", cost: "4", description: "gone" }, { day: "2026-09-01", cost: "8", account: "b" },
    ]))));
    const looked = await preview(file("second.csv", focusBill([{ day: "2026-09-01", cost: "1" }, { day: "2026-09-02", cost: "3" }, { day: "2026-09-03", cost: "5" }])));
    expect(looked.files[0]?.deliveries).toEqual([
      {
        delivery: 2, coverage: "held", providerName: "AWS", billingAccountId: "1", datasetKind: "cash-and-accrual", period: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-03",
        coversAllAccounts: false, replacesBatches: [1],
        changes: [
          { currency: "USD", kind: "changed", cells: 1, rows: 1, was: "2", becomes: "3" },
          { currency: "USD", kind: "new", cells: 1, rows: 1, was: null, becomes: "5" },
          { currency: "USD", kind: "same", cells: 1, rows: 1, was: "1", becomes: "1" },
          { currency: "USD", kind: "kept-from-older", cells: 1, rows: 1, was: "8", becomes: "8" },
          { currency: "USD", kind: "removed", cells: 1, rows: 1, was: "4", becomes: null },
        ],
      },
    ]);
    await post(looked);
    expect(await totals()).toEqual([["2026-09", 4, "USD", "17"]]);
  });

  it("undoes and redoes through the door, with words for what cannot be", async () => {
    await post(await preview(file("bill.csv", focusBill([{ day: "2026-09-01", cost: "1" }]))));
    expect(await engine.ask("batches.undo", { batch: 7 })).toMatchObject({ error: { code: "batch.not-found", params: { batch: 7 } } });
    expect(await engine.ask("batches.redo", { batch: 1 })).toMatchObject({ error: { code: "batch.not-undone" } });
    must(await engine.ask("batches.undo", { batch: 1 }));
    expect(await totals()).toEqual([]);
    expect(await engine.ask("batches.undo", { batch: 1 })).toMatchObject({ error: { code: "batch.already-undone" } });
    must(await engine.ask("batches.redo", { batch: 1 }));
    expect(await totals()).toEqual([["2026-09", 1, "USD", "1"]]);
    expect(must(await engine.ask("batches.list", {}))).toMatchObject([{ batch: 1, state: "posted", isShown: true, cellsKept: true, files: ["bill.csv"] }]);
  });

  it("posts all files of a plan together, and refuses a plan whose file has changed since", async () => {
    const bill = file("bill.csv", focusBill([{ day: "2026-09-01", cost: "1" }]));
    const log = file("node-1.csv", smiLog("2026-09-01", [10, 20]));
    const looked = await preview(bill, log, file("notes.txt", "nothing of ours\n"));
    expect(states(looked.files)).toEqual(["ready", "ready", "import.unrecognized"]);
    writeFileSync(bill, focusBill([{ day: "2026-09-01", cost: "2" }]));
    utimesSync(bill, new Date(), new Date(0));
    expect(await engine.ask("import.post", { plan: looked.plan })).toEqual({ ok: false, error: { code: "import.changed", params: { file: "bill.csv" } } });
    expect(must(await engine.ask("ledger.status", {})).isEmpty).toBe(true);

    must(await engine.ask("import.discard", { plan: looked.plan }));
    expect(await engine.ask("import.post", { plan: looked.plan })).toMatchObject({ error: { code: "import.plan-gone" } });
    const posted = await post(await preview(bill, log));
    expect(posted.files.map(({ state, batch }) => [state, batch])).toEqual([["posted", 1], ["posted", 2]]);
    expect(events.filter(({ name }) => name === "ledger.changed")).toHaveLength(1);
  });

  it("lists what is in a folder and below, refusing what no format knows", async () => {
    file("in/a.csv", focusBill([{ day: "2026-09-01", cost: "1" }]));
    file("in/deep/b.csv", focusBill([{ day: "2026-08-01", cost: "2" }]));
    file("in/deep/photo.bin", Buffer.from([0xff, 0xd8, 0, 1, 2, 3, 0, 0]));
    file("in/empty.csv", "");
    file("in/.hidden", "x");
    mkdirSync(join(folder, "nothing"));
    const looked = await preview(join(folder, "in"), join(folder, "nothing"), join(folder, "missing.csv"));
    expect(looked.files.map(({ path, state, error }) => [path.slice(folder.length + 1), error === null ? state : error.code])).toEqual([
      ["in/a.csv", "ready"],
      ["in/deep/b.csv", "ready"],
      ["in/deep/photo.bin", "import.not-text"],
      ["in/empty.csv", "import.empty"],
      ["nothing", "import.no-files"],
      ["missing.csv", "import.not-found"],
    ]);
  });

  it("refuses a bill of which not one row can be read, with the reason of each", async () => {
    const { files } = await preview(file("bad.csv", focusBill([{ day: "2026-09-01", cost: "twelve" }])));
    expect(files).toMatchObject([
      { state: "refused", error: { code: "import.no-rows-usable", params: { file: "bad.csv", rows: 1 } }, rowsRead: 1, rowsPosted: 0, rowsSetAside: 1, setAside: [{ line: 2, column: "BilledCost", value: "twelve", reason: "decimal" }] },
    ]);
  });

  it("adds the numbered parts of one export, which are unchanged or refused only together", async () => {
    const one = file("export-00001.csv", focusBill([{ day: "2026-09-01", cost: "1" }, { day: "2026-09-02", cost: "2" }]));
    const two = file("export-00002.csv", focusBill([{ day: "2026-09-02", cost: "4" }, { day: "2026-09-03", cost: "8" }]));
    const posted = await post(await preview(one, two));
    expect(posted.files.map(({ state, batch, rowsPosted }) => [state, batch, rowsPosted])).toEqual([["posted", 1, 2], ["posted", 1, 2]]);
    expect(await totals()).toEqual([["2026-09", 4, "USD", "15"]]);
    expect(must(await engine.ask("batches.list", {}))).toMatchObject([{ batch: 1, rowsPosted: 4, files: ["export-00001.csv", "export-00002.csv"], totals: { USD: { BilledCost: "15" } } }]);
    expect(states((await preview(one, two)).files)).toEqual(["unchanged", "unchanged"]);

    file("export-00002.csv", focusBill([{ day: "2026-09-02", cost: "5" }, { day: "2026-09-03", cost: "8" }]));
    const restated = await preview(one, two);
    expect(states(restated.files)).toEqual(["ready", "ready"]);
    await post(restated);
    expect(await totals()).toEqual([["2026-09", 4, "USD", "16"]]);
    writeFileSync(one, focusBill([{ day: "2026-09-01", cost: "7" }]));
    writeFileSync(two, "");
    expect(states((await preview(one, two)).files)).toEqual(["import.empty", "import.empty"]);
    expect(await totals()).toEqual([["2026-09", 4, "USD", "16"]]);
  });

  it.each([
    ["bill-000000000000.csv", "bill-000000000001.csv"],
    ["000000000000.csv", "000000000001.csv"],
    ["bill_part1of2.csv", "bill_part2of2.csv"],
    ["September Part 1.csv", "September Part 2.csv"],
  ])("%s and %s are parts of one export", async (first, second) => {
    await post(await preview(file(first, focusBill([{ day: "2026-09-01", cost: "1" }, { day: "2026-09-02", cost: "2" }])), file(second, focusBill([{ day: "2026-09-02", cost: "4" }]))));
    expect(await totals()).toEqual([["2026-09", 3, "USD", "7"]]);
  });

  it.each([
    ["bill (1).csv", "bill (2).csv"],
    ["export-202609011200.csv", "export-202609021200.csv"],
    ["a.csv", "b.csv"],
  ])("%s and %s are two exports, of which the later counts where they overlap; how many rows of the other do not is said", async (first, second) => {
    const before = file(first, focusBill([{ day: "2026-09-01", cost: "1" }, { day: "2026-09-02", cost: "2" }, { day: "2026-09-02", cost: "3", account: "other" }]));
    const previewed = await preview(before, file(second, focusBill([{ day: "2026-09-02", cost: "4" }])));
    expect(previewed.files.map(({ repairs }) => repairs["covered-by-later-file"])).toEqual([1, undefined]);
    await post(previewed);
    expect(await totals()).toEqual([["2026-09", 3, "USD", "8"]]);
  });

  it("takes the same file twice in one import once", async () => {
    const text = focusBill([{ day: "2026-09-01", cost: "1" }]);
    const posted = await post(await preview(file("a.csv", text), file("b.csv", text)));
    expect(posted.files.map(({ state }) => state)).toEqual(["posted", "unchanged"]);
    expect(await totals()).toEqual([["2026-09", 1, "USD", "1"]]);
  });

  it("lists rows set aside with line, column, value and reason", async () => {
    const text = focusBill([{ day: "2026-09-01", cost: "1" }, { day: "2026-09-02", cost: "2" }]).replace("AWS,1,a,2026-09-01T00:00:00Z,2026-10-01T00:00:00Z,2026-09-02T00:00:00Z", "AWS,1,a,2026-09-01T00:00:00Z,2026-10-01T00:00:00Z,yesterday");
    const posted = await post(await preview(file("bill.csv", text)));
    expect(posted.files).toMatchObject([{ rowsRead: 2, rowsPosted: 1, rowsSetAside: 1 }]);
    expect(must(await engine.ask("import.set-aside", { batch: 1, offset: 0, limit: 10 }))).toEqual([{ file: "bill.csv", line: 3, column: "ChargePeriodStart", value: "yesterday", reason: "utc-time" }]);
    expect(await engine.ask("import.set-aside", { batch: 9, offset: 0, limit: 10 })).toMatchObject({ error: { code: "batch.not-found" } });
  });

  it("imports a log, joins its host by the person's word, and works hours out anew", async () => {
    const rows = [0, 1].map((hour) => ({ day: "2026-09-01", hour, cost: "12", resource: "i-0123456789abcdef0", description: "p5.48xlarge instance" }));
    await post(await preview(file("bill.csv", focusBill(rows))));
    await post(await preview(file("trainer.csv", smiLog("2026-09-01", Array.from({ length: 60 }, () => 0)))));
    const list = must(await engine.ask("match.list", {}));
    expect(list).toMatchObject({ hosts: [{ host: "trainer", devices: 1, gpuModel: "H100", resource: null }], unmatchedResources: [{ resource: "i-0123456789abcdef0", effectiveCost: "24" }] });
    must(await engine.ask("match.save", { host: "trainer", resource: "i-0123456789abcdef0", validFrom: null, validTo: null }));
    expect(must(await engine.ask("match.list", {}))).toMatchObject({ hosts: [{ resource: "i-0123456789abcdef0", rule: "user-map" }], unmatchedResources: [] });
    expect(must(await engine.ask("figure.explain", { metric: "telemetry-cost-coverage", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null })).figure.value).toBeGreaterThan(0);
    expect(await engine.ask("match.save", { host: "trainer", resource: "x", validFrom: "2026-09-02", validTo: "2026-09-01" })).toMatchObject({ error: { code: "match.invalid" } });

    must(await engine.ask("policy.save", { idleAtOrUnderPercent: 5, busyAtOrOverPercent: 10, minimumSeconds: 60, bridgeSeconds: 0, parkedMemoryShare: 0.1 }));
    await engine.close();
    engine = engineOf("inline");
    const status = must(await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: false }));
    expect(status).toMatchObject({ hoursUnderOldPolicy: false, idlePolicy: { minimumSeconds: 60 }, months: [{ label: "2026-09", hasBill: true, hasTelemetry: true }] });
  });
});

describe("in the reader thread", () => {
  it("answers questions while it reads, and stops when told to", async () => {
    await engine.close();
    engine = engineOf("thread");
    must(await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: false }));
    const rows = Array.from({ length: 15_000 }, (_, index) => ({ day: `2026-09-${String((index % 30) + 1).padStart(2, "0")}`, cost: "1", resource: `r-${index % 5000}`, hour: index % 24 }));
    const path = file("big.csv", focusBill(rows));
    const reading = engine.ask("import.preview", { files: [path], options: {} });
    while (!events.some(({ name }) => name === "import.progress")) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(must(await engine.ask("ledger.status", {})).isEmpty).toBe(true);
    must(await engine.ask("import.cancel", { plan: null }));
    const answer = await reading;
    if (!answer.ok) {
      expect(answer.error).toEqual({ code: "import.cancelled", params: { file: "big.csv" } });
      const posted = await post(await preview(path));
      expect(posted.files).toMatchObject([{ state: "posted", rowsPosted: 15_000 }]);
    } else await post(answer.value);
    expect(await totals()).toEqual([["2026-09", 15_000, "USD", "15000"]]);
  }, 30_000);
});

describe("a ledger that cannot be written", () => {
  it("is read by a second window, which writes when the first has closed", async () => {
    const bill = file("bill.csv", focusBill([{ day: "2026-09-01", cost: "1" }]));
    const second = engineOf("inline");
    expect(must(await second.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: false }))).toMatchObject({ isReadOnly: true });
    await post(await preview(bill));
    expect(must(await second.ask("ledger.status", {}))).toMatchObject({ isEmpty: false, revision: 2 });
    expect(await second.ask("import.preview", { files: [bill], options: {} })).toEqual({ ok: false, error: { code: "ledger.in-use", params: { file: "own.gpuledger" } } });
    expect(await second.ask("batches.undo", { batch: 1 })).toMatchObject({ error: { code: "ledger.in-use" } });
    await engine.close();
    must(await second.ask("batches.undo", { batch: 1 }));
    engine = second;
    expect(await totals()).toEqual([]);
  });

  it.for(["inline", "thread"] as const)("on a full disk says so and loses nothing (%s)", async (jobRunner, { skip }) => {
    const disk = smallDisk(2500);
    if (disk === null) return skip("no disk of its own can be mounted here");
    try {
      const path = join(disk.path, "small.gpuledger");
      engine = engineOf(jobRunner);
      must(await engine.ask("ledger.open", { file: path, create: true }));
      await post(await preview(file("bill.csv", focusBill([{ day: "2026-09-01", cost: "1" }]))));
      const rows = Array.from({ length: 20_000 }, (_, index) => ({ day: "2026-09-02", cost: "1", resource: `r-${index}` }));
      const big = file("big.csv", focusBill(rows));
      expect(await engine.ask("import.preview", { files: [big], options: {} })).toEqual({ ok: false, error: { code: "ledger.disk-full", params: { file: "small" } } });
      expect(await totals()).toEqual([["2026-09", 1, "USD", "1"]]);
      await engine.close();
      engine = engineOf(jobRunner);
      must(await engine.ask("ledger.open", { file: path, create: false }));
      expect(await totals()).toEqual([["2026-09", 1, "USD", "1"]]);
      disk.grow(8000);
      await post(await preview(file("next.csv", focusBill([{ day: "2026-09-03", cost: "2" }]))));
      expect(await totals()).toEqual([["2026-09", 2, "USD", "3"]]);
    } finally {
      await engine.close();
      disk.remove();
    }
  });

  it("in a read-only place is read, and says why it is not written", async ({ skip }) => {
    const disk = smallDisk(4000);
    if (disk === null) return skip("no disk of its own can be mounted here");
    try {
      const path = join(disk.path, "kept.gpuledger");
      engine = engineOf("inline");
      must(await engine.ask("ledger.open", { file: path, create: true }));
      const bill = file("bill.csv", focusBill([{ day: "2026-09-01", cost: "1" }]));
      await post(await preview(bill));
      await engine.close();
      disk.makeReadOnly();
      engine = engineOf("inline");
      expect(must(await engine.ask("ledger.open", { file: path, create: false }))).toMatchObject({ isReadOnly: true, isEmpty: false });
      expect(await totals()).toEqual([["2026-09", 1, "USD", "1"]]);
      for (const answer of [
        await engine.ask("import.preview", { files: [bill], options: {} }),
        await engine.ask("batches.undo", { batch: 1 }),
        await engine.ask("ledger.open", { file: join(disk.path, "new.gpuledger"), create: true }),
      ]) expect(answer).toMatchObject({ ok: false, error: { code: "ledger.read-only" } });
    } finally {
      await engine.close();
      disk.remove();
    }
  });
});
