import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../../../../main/cli/index.ts";
import { guessLogMapping, guessMapping } from "../../../../main/engine/formats/index.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import type { LogMapping } from "../../../../shared/contract/log-mapping.ts";
import type { ColumnMapping } from "../../../../shared/contract/mapping.ts";
import type { AnyMapping } from "../../../../shared/contract/mappings.ts";
import type { ImportPreview, MethodInput, MethodOutput } from "../../../../shared/contract/methods.ts";
import type { MethodName } from "../../../../shared/contract/names.ts";
import { zipOf } from "./archives-of.ts";

const resourcesFolder = join(import.meta.dirname, "../../../../resources");

let folder: string;
let engine: Engine;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "mappings-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder, jobRunner: "inline", emit: () => undefined, now: () => new Date("2026-10-02T08:00:00Z") });
  await asked("ledger.open", { file: join(folder, "mine.gpuledger"), create: true });
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function asked<N extends MethodName>(name: N, input: MethodInput<N>): Promise<MethodOutput<N>> {
  const answer = await engine.ask(name, input);
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const rack = (month: string, amount: string): string => `When,Paid out,Box\n${month}-03,${amount},rack-1\n`;
const house = (day: string, amount: string): string => `Tag der Rechnung;Summe;Abteilung\n${day};${amount};vision\n`;
const load = (minute: string, value: number): string => `zeit,rechner,karte,last\n2026-09-01T10:${minute}:00Z,node-7,0,${value}\n`;

const plainBill = { zoneMinutes: 0, dateOrder: null, startIs: "instant", endIs: "last-day", decimalMark: ".", isGrouped: false, quantityIs: null, hoursFromPeriod: false, emptyWords: [] } as const;
const rackMapping: ColumnMapping = { name: "Rack invoices", header: ["When", "Paid out", "Box"], columns: { start: "When", billed: "Paid out", resource: "Box" }, constants: { currency: "EUR", provider: "Rack" }, ...plainBill };
const houseMapping: ColumnMapping = { name: "House invoices", header: ["Tag der Rechnung", "Summe", "Abteilung"], columns: { start: "Tag der Rechnung", billed: "Summe", team: "Abteilung" }, constants: { currency: "EUR", provider: "House" }, ...plainBill };
const loadMapping: LogMapping = { kind: "log", name: "Load log", header: ["zeit", "rechner", "karte", "last"], columns: { time: "zeit", host: "rechner", index: "karte", utilization: "last" }, units: { utilization: "percent" }, isMeanUpTo: false };

const preview = (files: readonly string[], mappings: readonly AnyMapping[] = []): Promise<ImportPreview> => asked("import.preview", { files: [...files], options: mappings.length === 0 ? {} : { mappings: [...mappings] } });
const stateOf = ({ files }: ImportPreview) => files.map(({ state, format, error }) => [state, format, error?.code ?? null]);

describe("several layouts in one import", () => {
  it("each take their own mapping: two bills and a log, one after another and all at once", async () => {
    const files = [file("rack.csv", rack("2026-08", "10.5")), file("house.csv", house("2026-08-04", "4")), file("load.csv", load("00", 40))];
    expect(stateOf(await preview(files))).toEqual(files.map(() => ["refused", null, "import.unrecognized"]));
    // The first is said; the others are still asked for, as files that nothing knows.
    expect(stateOf(await preview(files, [rackMapping]))).toEqual([["ready", "mapped", null], ["refused", null, "import.unrecognized"], ["refused", null, "import.unrecognized"]]);
    const all = await preview(files, [loadMapping, houseMapping, rackMapping]);
    expect(stateOf(all)).toEqual([["ready", "mapped", null], ["ready", "mapped", null], ["ready", "mapped-log", null]]);
    expect(all.files.map(({ totals }) => totals["EUR"]?.BilledCost ?? null)).toEqual(["10.5", "4", null]);
    expect(all.files[2]?.telemetry?.hosts).toEqual(["node-7"]);
  });

  it("are told apart by their headers, whatever the order of columns; a known file beside them stays what it is", async () => {
    const focus = "ChargePeriodStart,ChargePeriodEnd,BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,BillingAccountId,BillingPeriodStart,BillingPeriodEnd,ChargeCategory,ProviderName,ServiceName,When,Paid out\n2026-09-01T00:00:00Z,2026-09-02T00:00:00Z,5,5,5,5,EUR,1,2026-09-01T00:00:00Z,2026-10-01T00:00:00Z,Usage,Host,Compute,x,y\n";
    const files = [file("a.csv", rack("2026-08", "1")), file("b.csv", "Box,When,Paid out\nrack-2,2026-09-01,2\n"), file("focus.csv", focus)];
    const { files: [first, second, known] } = await preview(files, [rackMapping, houseMapping]);
    expect(first?.shape).toBe(second?.shape);
    expect([first, second, known].map((each) => [each?.format, each?.mapping?.name ?? null])).toEqual([["mapped", "Rack invoices"], ["mapped", "Rack invoices"], ["focus", null]]);
  });
});

describe("files in archives and folders", () => {
  it("take the mapping of their header: chunks of a folder, of a zip, and compressed ones", async () => {
    file("chunks/one.csv", rack("2026-05", "1"));
    file("chunks/deeper/two.csv.gz", gzipSync(rack("2026-06", "2")));
    const zip = file("more.zip", zipOf([{ name: "x/three.csv", bytes: rack("2026-07", "4") }, { name: "x/four.csv", bytes: rack("2026-08", "8") }, { name: "load.csv", bytes: load("00", 70) }]));
    const asIs = await preview([join(folder, "chunks"), zip]);
    expect(asIs.files).toHaveLength(5);
    const shapes = asIs.files.map(({ shape }) => shape);
    expect(new Set(shapes).size).toBe(2);
    expect(new Set(shapes.filter((_, index) => !asIs.files[index]?.path.endsWith("load.csv"))).size).toBe(1);
    // What the columns mean is guessed from the member where it lies.
    const index = asIs.files.findIndex(({ path }) => path.endsWith("three.csv"));
    expect(await asked("mapping.guess", { file: null, planned: { plan: asIs.plan, index } })).toMatchObject({ file: "more.zip › x/three.csv", header: ["When", "Paid out", "Box"], sample: [["2026-07-03", "4", "rack-1"]] });
    expect(await engine.ask("mapping.guess", { file: null, planned: { plan: asIs.plan, index: 9 } })).toMatchObject({ error: { code: "import.plan-gone" } });

    const read = await preview([join(folder, "chunks"), zip], [rackMapping, loadMapping]);
    expect(read.files.map(({ state }) => state)).toEqual(["ready", "ready", "ready", "ready", "ready"]);
    expect(await asked("import.post", { plan: read.plan })).toMatchObject({ files: [{ state: "posted" }, { state: "posted" }, { state: "posted" }, { state: "posted" }, { state: "posted" }] });
    expect((await asked("totals.read", { period: "2026", by: [] })).rows).toMatchObject([{ currency: "EUR", BilledCost: "15", rows: 4 }]);
    // Rows of a member are shown from its archive.
    const rows = await asked("rows.read", { ref: { metric: "spend", period: "2026-07", scope: {}, basis: "BilledCost", currency: "EUR" }, of: "charges", offset: 0, limit: 5 });
    expect(rows.rows.map(({ file: name, line }) => [name, line])).toEqual([["more.zip › x/three.csv", 2]]);
  });

  it("that are numbered parts are one delivery, read by one mapping, and asked for as one layout", async () => {
    for (const [number, amount] of [["1", "1"], ["2", "2"], ["3", "4"]] as const) file(`export/cost-0000${number}.csv`, `When,Paid out,Box\n2026-07-0${number},${amount},rack-1\n`);
    const asIs = await preview([join(folder, "export")]);
    expect(stateOf(asIs)).toEqual([1, 2, 3].map(() => ["refused", null, "import.unrecognized"]));
    expect(new Set(asIs.files.map(({ shape }) => shape)).size).toBe(1);
    const read = await preview([join(folder, "export")], [rackMapping]);
    expect(stateOf(read)).toEqual([1, 2, 3].map(() => ["ready", "mapped", null]));
    await asked("import.post", { plan: read.plan });
    expect((await asked("totals.read", { period: null, by: [] })).rows).toMatchObject([{ BilledCost: "7", rows: 3 }]);
    expect(await asked("batches.list", {})).toMatchObject([{ files: ["cost-00001.csv", "cost-00002.csv", "cost-00003.csv"] }]);
    expect((await asked("mapping.list", {})).mappings).toMatchObject([{ name: "Rack invoices" }]);
  });

  it("are looked into by the terminal: the first that no format knows is guessed", async () => {
    const zip = file("more.zip", zipOf([{ name: "a-notes.txt", bytes: "" }, { name: "b.csv", bytes: rack("2026-07", "4") }]));
    expect(await asked("mapping.guess", { file: zip, planned: null })).toMatchObject({ file: "more.zip › b.csv", header: ["When", "Paid out", "Box"] });
  });
});

describe("saved mappings", () => {
  async function posted(name: string, content: string, mappings: readonly AnyMapping[] = []): Promise<number> {
    const { plan } = await preview([file(name, content)], mappings);
    return (await asked("import.post", { plan })).files[0]?.batch ?? 0;
  }

  it("are kept by posting, proposed with their reason when the header comes again, and say where they were used last", async () => {
    const first = await posted("july.csv", rack("2026-07", "1"), [rackMapping]);
    const { mappings: [kept] } = await asked("mapping.list", {});
    expect(kept).toEqual({ id: 1, name: "Rack invoices", mapping: rackMapping, savedAt: "2026-10-02T08:00:00.000Z", lastUse: { at: "2026-10-02T08:00:00.000Z", file: "july.csv", batch: first } });
    const again = await preview([file("august.csv", rack("2026-08", "2"))]);
    expect(again.files).toMatchObject([{ state: "ready", mapping: { name: "Rack invoices", isSaved: true }, reasons: [{ code: "mapping-saved", params: { mapping: "Rack invoices", columns: "When, Paid out, Box" } }] }]);
    await asked("import.discard", { plan: again.plan });
    const second = await posted("august.csv", rack("2026-08", "2"));
    expect((await asked("mapping.list", {})).mappings).toMatchObject([{ lastUse: { file: "august.csv", batch: second } }]);
  });

  it("give way to one for the same header; a preview that is not posted keeps none", async () => {
    const { plan } = await preview([file("july.csv", rack("2026-07", "1"))], [rackMapping]);
    expect((await asked("mapping.list", {})).mappings).toEqual([]);
    await asked("import.post", { plan });
    await posted("august.csv", rack("2026-08", "1"), [{ ...rackMapping, name: "Rack, net", constants: { currency: "USD", provider: "Rack" } }]);
    expect((await asked("mapping.list", {})).mappings.map(({ name, mapping }) => [name, mapping])).toEqual([["Rack, net", { ...rackMapping, name: "Rack, net", constants: { currency: "USD", provider: "Rack" } }]]);
  });

  it("made for another header read a file that has their columns, and are kept for its own", async () => {
    await posted("wide.csv", "When,Paid out,Box,Note\n2026-07-03,1,rack-1,hall 2\n", [rackMapping]);
    expect((await asked("mapping.list", {})).mappings.map(({ name, mapping }) => [name, mapping.header])).toEqual([["Rack invoices", ["When", "Paid out", "Box", "Note"]]]);
    expect((await preview([file("next.csv", "Note,When,Paid out,Box\n,2026-08-03,1,rack-1\n")])).files).toMatchObject([{ state: "ready", mapping: { isSaved: true } }]);
  });

  it("are renamed, and no two have one name", async () => {
    await asked("mapping.save", { mapping: rackMapping });
    expect(await asked("mapping.save", { mapping: { ...houseMapping, name: "Rack invoices" } })).toMatchObject({ name: "Rack invoices (2)" });
    const { mappings } = await asked("mapping.list", {});
    expect(mappings.map(({ name }) => name)).toEqual(["Rack invoices", "Rack invoices (2)"]);
    expect(await engine.ask("mapping.rename", { id: 2, name: "Rack invoices" })).toMatchObject({ error: { code: "mapping.name-taken" } });
    await asked("mapping.rename", { id: 2, name: "House" });
    expect((await asked("mapping.list", {})).mappings.map(({ name, mapping }) => [name, mapping.name])).toEqual([["House", "House"], ["Rack invoices", "Rack invoices"]]);
  });

  it("go to a file and come back from it in another ledger", async () => {
    for (const mapping of [rackMapping, loadMapping]) await asked("mapping.save", { mapping });
    const out = join(folder, "mappings.json");
    expect(await asked("mapping.export", { ids: null, file: out })).toEqual({ file: "mappings.json", count: 2 });
    await asked("ledger.open", { file: join(folder, "other.gpuledger"), create: true });
    await asked("mapping.save", { mapping: { ...rackMapping, zoneMinutes: 60 } });
    expect((await asked("mapping.import", { file: out })).mappings).toEqual([{ name: "Load log", was: "new" }, { name: "Rack invoices", was: "changed" }]);
    expect((await asked("mapping.import", { file: out })).mappings.map(({ was }) => was)).toEqual(["same", "same"]);
    expect((await asked("mapping.list", {})).mappings.map(({ mapping }) => mapping)).toEqual([loadMapping, rackMapping]);
    // One mapping alone, as `mapping FILE` prints it inside a guess.
    await asked("mapping.import", { file: file("guess.json", JSON.stringify({ file: "x", mapping: houseMapping })) });
    expect((await asked("mapping.list", {})).mappings.map(({ name }) => name)).toEqual(["House invoices", "Load log", "Rack invoices"]);
    // And several of them in a list.
    const byHand = file("both.json", JSON.stringify([{ file: "bill.csv", mapping: rackMapping, missing: [] }, houseMapping]));
    expect((await asked("mapping.import", { file: byHand })).mappings.map(({ name }) => name)).toEqual(["Rack invoices", "House invoices"]);
  });

  it("are taken from a file all or none", async () => {
    const wrong = file("wrong.json", JSON.stringify({ mappings: [rackMapping, { ...houseMapping, columns: { start: "Tag der Rechnung" } }] }));
    expect(await engine.ask("mapping.import", { file: wrong })).toMatchObject({ error: { code: "import.mapping-incomplete", params: { fields: "billed" } } });
    expect(await engine.ask("mapping.import", { file: file("bill.csv", rack("2026-07", "1")) })).toMatchObject({ error: { code: "mapping.unreadable", params: { part: "JSON" } } });
    expect((await asked("mapping.list", {})).mappings).toEqual([]);
  });

  it("once deleted read no file any more; what was imported stays", async () => {
    await posted("july.csv", rack("2026-07", "1"), [rackMapping]);
    await asked("mapping.remove", { id: 1 });
    expect((await asked("mapping.list", {})).mappings).toEqual([]);
    expect(stateOf(await preview([file("august.csv", rack("2026-08", "1"))]))).toEqual([["refused", null, "import.unrecognized"]]);
    expect((await asked("totals.read", { period: null, by: [] })).rows).toMatchObject([{ BilledCost: "1" }]);
  });
});

describe("the terminal", () => {
  const run = async (...words: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> => {
    let [out, err] = ["", ""];
    const code = await runCli([...words, "--lang", "en"], { out: (text) => (out += text), err: (text) => (err += text), environment: {} });
    return { code, out, err };
  };

  it("imports several layouts by a file of mappings, lists, shows, exports, imports and deletes them", async () => {
    const ledger = join(folder, "terminal.gpuledger");
    const mappings = file("mappings.json", JSON.stringify({ mappings: [rackMapping, loadMapping] }));
    expect((await run("import", file("rack.csv", rack("2026-07", "1")), file("load.csv", load("00", 50)), "--ledger", ledger, "--mapping", mappings)).code).toBe(0);
    const list = await run("mapping", "list", "--ledger", ledger);
    expect(list.out.split("\n").map((line) => line.split("\t").slice(0, 3))).toEqual([["Load log", "a log of GPUs", "4 columns"], ["Rack invoices", "a bill", "3 columns"], [""]]);
    expect(list.out).toMatch(/Rack invoices\t.*\track\.csv, .*, import \d+\n/);
    expect(JSON.parse((await run("mapping", "show", "Rack invoices", "--ledger", ledger)).out)).toEqual(rackMapping);
    const out = join(folder, "one.json");
    expect((await run("mapping", "export", "Load log", "--ledger", ledger, "--out", out)).code).toBe(0);
    expect(JSON.parse(readFileSync(out, "utf8"))).toEqual({ mappings: [loadMapping] });
    expect((await run("mapping", "delete", "Load log", "--ledger", ledger)).code).toBe(0);
    expect((await run("mapping", "import", out, "--ledger", ledger)).out).toBe("Load log\tnew\n");
    expect((await run("mapping", "list", "--ledger", ledger, "--json")).out).toContain('"Load log"');
  });

  it("says what is wrong with a question about mappings", async () => {
    const ledger = join(folder, "mine.gpuledger");
    expect((await run("mapping")).code).toBe(2);
    expect((await run("mapping", "list")).code).toBe(2);
    expect((await run("mapping", "export", "--ledger", ledger)).code).toBe(2);
    expect(await run("mapping", "show", "Nothing", "--ledger", ledger)).toMatchObject({ code: 1, out: "", err: expect.stringContaining("There is no saved column mapping “Nothing”.") as string });
  });
});

describe("a guess", () => {
  it("of a bill goes by what stands in columns whose names say nothing", () => {
    const header = ["c1", "c2", "c3", "c4", "c5", "c6"];
    const sample = [["2026-09-01", "$12.50", "USD", "i-0123456789abcdef0", "us-east-1", "H100"], ["2026-09-02", "$3.00", "USD", "i-0123456789abcdef1", "eu-west-1", "A100 80GB"]];
    const { mapping, byValues, unsure } = guessMapping({ file: "x.csv", header, sample });
    expect(mapping.columns).toEqual({ start: "c1", billed: "c2", currency: "c3", resource: "c4", region: "c5", gpuModel: "c6" });
    expect([...byValues].sort()).toEqual(["billed", "currency", "gpuModel", "region", "resource", "start"]);
    expect(unsure).toEqual([]);
  });

  it("of a bill takes no plain number for an amount, no capitals for a currency, and none of two that are as likely", () => {
    const guessed = guessMapping({ file: "x.csv", header: ["a", "b", "c", "d", "e"], sample: [["8", "FRA", "12.50", "9.75", "1/2"], ["4", "LHR", "1.50", "2.25", "3/4"]] });
    expect(guessed.mapping.columns).toEqual({});
    expect(guessed.unsure.filter(({ field }) => field === "billed")).toEqual([{ field: "billed", columns: ["c", "d"] }]);
    expect(guessed.byValues).toEqual([]);
  });

  it("of a log goes by UUIDs, addresses, times, percentages, watts and amounts of memory", () => {
    const uuid = (digit: number) => `GPU-0000000${digit}-0000-0000-0000-000000000001`;
    const header = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const sample = [["2026-09-01 10:00:00", uuid(1), "00000000:3B:00.0", "NVIDIA H100 80GB HBM3", "37 %", "312.4 W", "40960 MiB", "81559 MiB"], ["2026-09-01 10:01:00", uuid(2), "00000000:86:00.0", "NVIDIA H100 80GB HBM3", "0 %", "68.1 W", "3 MiB", "81559 MiB"]];
    const { mapping, byValues, unsure } = guessLogMapping({ file: "x.csv", header, sample });
    expect(mapping.columns).toEqual({ time: "a", uuid: "b", pci: "c", name: "d", utilization: "e", power: "f", memoryUsed: "g", memoryTotal: "h" });
    expect(byValues).toHaveLength(8);
    expect(unsure).toEqual([]);
    // Cells state their units: none is assumed.
    expect(mapping.units).toEqual({});
  });

  it("of a log names both of two percentages, and takes neither", () => {
    const { mapping, unsure } = guessLogMapping({ file: "x.csv", header: ["a", "b"], sample: [["37 %", "12 %"]] });
    expect([mapping.columns, unsure]).toEqual([{}, [{ field: "utilization", columns: ["a", "b"] }]]);
  });

  it("of a log knows Chinese names", () => {
    const header = ["采集时间", "主机名", "GPU序号", "GPU利用率(%)", "已用显存(MiB)", "总显存(MiB)", "功耗(W)"];
    const { mapping } = guessLogMapping({ file: "x.csv", header, sample: [["2026-09-01 10:00:00", "node-7", "0", "37", "40960", "81559", "312.4"]] });
    expect(mapping.columns).toEqual({ time: "采集时间", host: "主机名", index: "GPU序号", utilization: "GPU利用率(%)", memoryUsed: "已用显存(MiB)", memoryTotal: "总显存(MiB)", power: "功耗(W)" });
    expect(mapping.units).toEqual({ utilization: "percent", memoryUsed: "MiB", memoryTotal: "MiB", power: "W" });
  });
});
