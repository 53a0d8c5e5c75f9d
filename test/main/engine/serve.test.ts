import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MethodName } from "../../../shared/contract/names.ts";
import { appMethodNames, methodNames } from "../../../shared/contract/names.ts";
import { handlers } from "../../../main/engine/handlers/index.ts";
import { createEngine, type Engine } from "../../../main/engine/serve.ts";
import { focusBill } from "./import/bills-of.ts";

let folder = "";
let engine: Engine;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-serve-"));
  engine = engineOn(null);
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

function engineOn(ledgerPath: string | null, resourcesFolder = join(import.meta.dirname, "../../../resources")): Engine {
  return createEngine({ ledgerPath, userDataFolder: join(folder, "data"), resourcesFolder, jobRunner: "inline", emit: () => undefined, now: () => new Date("2026-10-02T08:00:00Z") });
}

describe("the engine's door", () => {
  it("answers every question of the contract but those of the app", () => {
    expect(Object.keys(handlers).sort()).toEqual(methodNames.filter((name) => !(appMethodNames as readonly MethodName[]).includes(name)).sort());
  });

  it("refuses what is no question, and names the part of an input that does not fit", async () => {
    for (const name of ["files.choose", "constructor", "__proto__", "report.write"] as MethodName[]) {
      expect(await engine.ask(name, {})).toEqual({ ok: false, error: { code: "contract.invalid", params: { question: name, path: "" } } });
    }
    const request = { report: "review", period: "2026-13", scope: {}, basis: "EffectiveCost", currency: null };
    expect(await engine.ask("report.read", request as never)).toEqual({ ok: false, error: { code: "contract.invalid", params: { question: "report.read", path: "period" } } });
    expect(await engine.ask("report.read", { ...request, period: "2026-09", scope: { team: [7] } } as never)).toMatchObject({ error: { params: { path: "scope.team.0" } } });
    expect(await engine.ask("batches.undo", { batch: 1, more: true } as never)).toMatchObject({ error: { code: "contract.invalid" } });
  });

  it("without a ledger says so, and its status is the first-run state", async () => {
    expect(await engine.ask("ledger.status", {})).toMatchObject({ ok: true, value: { name: null, isEmpty: true, months: [] } });
    expect(await engine.ask("batches.list", {})).toEqual({ ok: false, error: { code: "ledger.none-open", params: {} } });
    expect(await engine.ask("ledger.open", { file: null, create: false })).toMatchObject({ error: { code: "ledger.none-open" } });
  });

  it("keeps the error of a ledger that could not be opened as the answer about it", async () => {
    writeFileSync(join(folder, "bill.csv"), "a,b\n1,2\n".repeat(100));
    await engine.close();
    engine = engineOn(join(folder, "bill.csv"));
    expect(await engine.ask("ledger.status", {})).toEqual({ ok: false, error: { code: "ledger.not-a-ledger", params: { file: "bill.csv" } } });
    expect(await engine.ask("totals.read", { period: null, by: [] })).toMatchObject({ error: { code: "ledger.not-a-ledger" } });
  });

  it("keeps the open ledger when another cannot be opened", async () => {
    await engine.ask("ledger.open", { file: join(folder, "a.gpuledger"), create: true });
    expect(await engine.ask("ledger.open", { file: join(folder, "none.gpuledger"), create: false })).toMatchObject({ error: { code: "ledger.not-found" } });
    expect(await engine.ask("ledger.status", {})).toMatchObject({ ok: true, value: { name: "a", isReadOnly: false } });
  });

  it("makes the person's own ledger when none is named, and finds it again", async () => {
    expect(await engine.ask("ledger.open", { file: null, create: true })).toMatchObject({ ok: true, value: { name: "ledger" } });
    expect(existsSync(join(folder, "data/ledger.gpuledger"))).toBe(true);
    await engine.ask("ledger.close", {});
    expect(await engine.ask("ledger.open", { file: null, create: false })).toMatchObject({ ok: true, value: { name: "ledger" } });
  });

  it("answers a fault of ours with a reference, and logs where it was but nothing of what the files hold", async () => {
    await engine.ask("ledger.open", { file: join(folder, "secret-name.gpuledger"), create: true });
    const table = handlers as unknown as Record<string, unknown>;
    const original = table["batches.list"];
    table["batches.list"] = () => {
      throw new Error("a message that quotes 12.34 USD");
    };
    const answer = await engine.ask("batches.list", {});
    table["batches.list"] = original;
    const log = readFileSync(join(folder, "data/log/engine.log"), "utf8").trim().split("\n").map((line) => JSON.parse(line) as Record<string, unknown>);
    const reference = !answer.ok && answer.error.code === "app.fault" ? answer.error.params.reference : "";
    expect(log.find(({ event }) => event === "app.fault")).toMatchObject({ at: "2026-10-02T08:00:00.000Z", question: "batches.list", reference, kind: "Error" });
    expect(JSON.stringify(log)).not.toMatch(/12\.34|secret-name/);
  });

  it("keeps the person's settings whatever ledger is open, and the mark of a sample with its ledger", async () => {
    expect(await engine.ask("settings.save", { values: { language: "zh-CN", theme: "dark" } })).toMatchObject({ ok: true, value: { language: "zh-CN", theme: "dark" } });
    await engine.ask("ledger.open", { file: join(folder, "a.gpuledger"), create: true });
    expect(await engine.ask("settings.save", { values: { theme: null, "ledger.is-sample": "true" } })).toEqual({ ok: true, value: { language: "zh-CN", "ledger.is-sample": "true" } });
    expect(await engine.ask("ledger.status", {})).toMatchObject({ ok: true, value: { isSample: true } });
  });

  it("opens the person's own copy of the built sample company", async () => {
    const project = join(folder, "project");
    mkdirSync(join(project, "dist/sample/files"), { recursive: true });
    cpSync(join(import.meta.dirname, "../../../resources"), join(project, "resources"), { recursive: true });
    await engine.ask("ledger.open", { file: join(project, "dist/sample/sample.gpuledger"), create: true });
    await engine.ask("settings.save", { values: { "ledger.is-sample": "true" } });
    const bill = join(project, "dist/sample/files/aws/bill.csv");
    mkdirSync(join(bill, ".."), { recursive: true });
    writeFileSync(bill, focusBill([{ day: "2026-09-01", cost: "1" }]));
    const preview = await engine.ask("import.preview", { files: [bill], options: {} });
    if (!preview.ok) throw new Error(preview.error.code);
    await engine.ask("import.post", { plan: preview.value.plan });
    await engine.close();
    engine = engineOn(null, join(project, "resources"));
    expect(await engine.ask("sample.open", {})).toMatchObject({ ok: true, value: { name: "sample", isSample: true, isReadOnly: false } });
    expect(existsSync(join(folder, "data/sample/sample.gpuledger"))).toBe(true);
    expect(await engine.ask("sample.open", {})).toMatchObject({ ok: true });
    rmSync(join(project, "dist"), { recursive: true });
    const ref = { metric: "spend", period: "2026-09", scope: {}, basis: "BilledCost", currency: null } as const;
    expect(await engine.ask("rows.read", { ref, of: "charges", offset: 0, limit: 5 })).toMatchObject({ ok: true, value: { total: 1, rows: [{ file: "bill.csv", line: 2 }], missing: [] } });
  });
});
