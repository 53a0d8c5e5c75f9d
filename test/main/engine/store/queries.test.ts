import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultPlanInputs } from "../../../../shared/contract/plan.ts";
import { metricIds } from "../../../../shared/domain/figure.ts";
import { defaultStopRule } from "../../../../shared/contract/findings.ts";
import { reportIds } from "../../../../shared/contract/report.ts";
import { wordsOf } from "../../../../main/cli/words.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { inspectLedger } from "../../../../main/engine/store/inspect.ts";
import { onPrepared, type Db } from "../../../../main/engine/store/sql.ts";
import { openLedger } from "../../../../main/engine/store/open.ts";
import { viewStatements } from "../../../../main/engine/store/views/index.ts";
import { focusBill, smiLog } from "../import/bills-of.ts";

/**
 * Every question is asked of a small ledger that holds a bill and a log that meet, so that every query of the engine is prepared. Preparing
 * compares the columns that a query names with those that SQLite answers with (store/sql.ts); here its plan is looked at as well.
 */
const engineFolder = join(import.meta.dirname, "../../../../main/engine");
const asked: { readonly db: Db; readonly text: string }[] = [];
const plans = new Map<string, string>();
let folder = "";
let engine: Engine;
let end: () => void;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-queries-"));
  mkdirSync(join(folder, "project/dist/sample"), { recursive: true });
  symlinkSync(join(engineFolder, "../../resources"), join(folder, "project/resources"), "junction");
  const sample = openLedger(join(folder, "project/dist/sample/sample.gpuledger"), { create: true });
  if (sample.ok) sample.value.close();
  end = onPrepared((db, text) => {
    asked.push({ db, text });
    plans.set(text, planOf(db, text));
  });
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder: join(folder, "project/resources"), jobRunner: "inline", emit: () => undefined, wordsOf });
  await engine.ask("sample.open", {});
  await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true });
  await everyQuestion();
  const hours = Array.from({ length: 48 }, (_, hour) => ({ day: "2026-09-01", hour, cost: "98.32", resource: "i-0123456789abcdef0", description: "p5.48xlarge instance hours" }));
  await importText("bill.csv", focusBill([...hours, { day: "2026-09-01", cost: "3" }]));
  await importText("restated.csv", focusBill([...hours, { day: "2026-09-01", cost: "4" }]));
  await importText("i-0123456789abcdef0.csv", smiLog("2026-09-01", Array.from({ length: 600 }, (_, minute) => (minute < 300 ? 0 : 80))));
  await importText("restated.csv", focusBill([...hours, { day: "2026-09-01", cost: "4" }]));
  await importText("part-00001.csv", focusBill([{ day: "2026-08-01", cost: "3" }]), focusBill([{ day: "2026-08-02", cost: "3" }]));
  // So many deliveries of one group that the oldest keeps only its totals.
  for (const cost of ["5", "6", "7", "8"]) await importText(`again-${cost}.csv`, focusBill([...hours, { day: "2026-09-01", cost }]));
  // The same account under another name of its provider: counted twice.
  await importText("twice.csv", focusBill([{ day: "2026-09-01", cost: "3", provider: "Amazon Web Services" }]));
  // Rows set aside; days so far apart that ownership is not written for each; a preview that a killed program leaves behind.
  await importText("broken.csv", `${focusBill([{ day: "2026-09-01", cost: "3", provider: "Other" }])}${focusBill([{ day: "2026-09-01", cost: "?", provider: "Other" }]).split("\n")[1] ?? ""}\n`);
  await importText("far.csv", focusBill(Array.from({ length: 12 }, (_, index) => ({ provider: "Far", account: `far-${index}`, month: "2026-09", day: index === 0 ? "1970-01-01" : "2026-09-01", cost: "1" }))));
  // A machine that was there for an hour, weeks before the others.
  await importText("short.csv", focusBill([{ day: "2026-08-20", hour: 3, cost: "98.32", resource: "i-0123456789abcdef9", description: "p5.48xlarge instance hours" }]));
  // A machine that is billed by the day.
  await importText("by-day.csv", focusBill([{ day: "2026-08-21", cost: "2359.68", resource: "i-0123456789abcdef8", description: "p5.48xlarge instance hours" }]).replace("2026-08-21T01:00:00Z", "2026-08-22T00:00:00Z"));
  // A fee of Google's, and what it covers.
  await importText("gcp.csv", `service.description,sku.description,usage_start_time,usage_end_time,project.id,cost,currency,credits,cost_type
Compute Engine,Commitment v1: Nvidia L4 in Iowa,2026-09-01T00:00:00Z,2026-09-01T01:00:00Z,p,1,USD,[],regular
Compute Engine,Nvidia L4 GPU running in Iowa,2026-09-01T00:00:00Z,2026-09-01T01:00:00Z,p,2,USD,"[{'type': 'COMMITTED_USAGE_DISCOUNT', 'amount': -2}]",regular
`);
  await importText("jobs.txt", "JobID|Account|Start|End|NodeList|AllocTRES\n1|lab|2026-09-01T00:00:00|2026-09-01T02:00:00|i-0123456789abcdef0|gres/gpu=8\n2|lab|2026-09-01T00:00:00|2026-09-11T00:00:00|i-0123456789abcdef0|gres/gpu=8\n");
  // A file that is gone is looked for elsewhere.
  rmSync(join(folder, "again-8.csv"));
  await everyQuestion();
  writeFileSync(join(folder, "left.csv"), focusBill([{ day: "2026-09-09", cost: "3" }]));
  writeFileSync(join(folder, "left-too.csv"), focusBill([{ day: "2026-09-09", cost: "4" }]));
  await engine.ask("import.preview", { files: [join(folder, "left.csv"), join(folder, "left-too.csv")], options: {} });
  await engine.ask("ledger.close", {});
  await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: false });
  await engine.ask("ledger.close", {});
  inspectLedger(join(folder, "own.gpuledger"));
}, 60_000);
afterAll(async () => {
  end();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function importText(name: string, text: string, second?: string): Promise<void> {
  writeFileSync(join(folder, name), text);
  const files = [join(folder, name)];
  if (second !== undefined) {
    writeFileSync(join(folder, name.replace("1.", "2.")), second);
    files.push(join(folder, name.replace("1.", "2.")));
  }
  const preview = await engine.ask("import.preview", { files, options: { timezone: "UTC" } });
  if (!preview.ok) throw new Error(preview.error.code);
  const bill = preview.value.files.flatMap(({ deliveries }) => deliveries)[0]?.delivery ?? 0;
  for (const covers of ["period", "held"] as const) await engine.ask("import.cover", { plan: preview.value.plan, delivery: bill, covers });
  const posted = await engine.ask("import.post", { plan: preview.value.plan });
  expect(posted).toMatchObject({ ok: true });
}

async function everyQuestion(): Promise<void> {
  const faults: unknown[] = [];
  const ask = async (...[name, input]: Parameters<Engine["ask"]>): Promise<void> => {
    const answer = await engine.ask(name, input);
    if (!answer.ok && answer.error.code === "app.fault") faults.push([name, input]);
  };
  await ask("ledger.status", {});
  await ask("settings.save", { values: { "ledger.is-sample": "false" } });
  await ask("stop-rule.save", { rule: { ...defaultStopRule, stopsHeld: true } });
  await ask("mapping.save", { mapping: { kind: "log", name: "own", header: ["time", "util"], columns: { time: "time", utilization: "util" }, units: {}, isMeanUpTo: false } });
  await ask("aggregate.read", { period: "2026-09", scope: {}, currency: null });
  await ask("timeline.read", { host: "i-0123456789abcdef0", from: "2026-09-01T00:00:00Z", hours: 6 });
  await ask("findings.read", { period: "2026-09", scope: {}, currency: null });
  await ask("stops.replay", { period: "2026-09", scope: {}, currency: null, rule: null });
  await ask("batches.list", {});
  await ask("scope.values", {});
  await ask("match.list", {});
  await ask("match.save", { host: "other", resource: "i-1", validFrom: "2026-09-01", validTo: null });
  await ask("import.set-aside", { batch: 1, offset: 0, limit: 10 });
  await ask("totals.read", { period: "2026", by: ["month", "provider", "service", "team"] });
  for (const scope of [{}, { gpuModel: ["H100"], team: ["research", null] }]) {
    for (const report of reportIds) await ask("report.read", { report, period: "2026-09", scope, basis: "EffectiveCost", currency: null });
    for (const metric of metricIds) {
      const ref = { metric, period: "2026-09", scope, basis: "EffectiveCost", currency: null } as const;
      await ask("figure.explain", ref);
      for (const of of ["charges", "gpu-hours"] as const) await ask("rows.read", { ref, of, offset: 0, limit: 5 });
    }
  }
  const view = { table: "charges", by: ["team", "day"], filters: [{ dimension: "service", contains: "e" }], sort: { column: "EffectiveCost", descending: true } } as const;
  await ask("pivot.read", { view, period: "2026-09", scope: {}, currency: null, offset: 0, limit: 10 });
  await ask("pivot.read", { view: { ...view, table: "gpu-hours", by: ["team", "day"], sort: null }, period: "2026-09", scope: {}, currency: null, offset: 0, limit: 10 });
  await ask("pivot.rows", { view, keys: ["research", "2026-09-01"], period: "2026-09", scope: {}, currency: null, offset: 0, limit: 10 });
  await ask("sources.state", {});
  await ask("sources.relocate", { files: [folder] });
  await ask("set-aside.export", { batch: 1, language: "en", file: join(folder, "aside.csv") });
  await ask("set-aside.correct", { batch: 1, sheet: join(folder, "aside.csv"), file: join(folder, "corrected.csv") });
  await everyTeamQuestion(ask);
  writeFileSync(join(folder, "factors.csv"), "kind,value,unit,source\npue,1.3,ratio,own meter\n");
  await ask("carbon-settings.save", { settings: { ownedProviders: [], pricePerTonne: "80", priceCurrency: "USD", gridChoice: "nearest" }, by: null });
  await ask("factors.import", { file: join(folder, "factors.csv"), isPreview: false, restate: true, by: null });
  await ask("factors.list", {});
  await ask("carbon.read", { period: "2026-09", scope: {} });
  await ask("budget.save", { budget: { id: null, parent: null, name: "carbon", level: "team", kind: "carbon", currency: null, basis: null, span: "month", scope: {}, owner: null, thresholds: [{ type: "actual", percent: "50" }], months: { "2026-09": "1" } }, by: null });
  await ask("budgets.list", { month: "2026-09" });
  await ask("factors.remove", { id: 1, isPreview: true, restate: false, by: null });
  await ask("calculator.facts", { month: null });
  const step = { score: "8", evidence: "run 12", source: "bench.csv", foundOn: "2026-09-01" };
  const steps = { benchmark: step, elasticity: step, ecosystem: step, support: step, pilot: step };
  const selection = { id: null, name: "clouds", currency: "USD", workload: "", weights: { benchmark: "35", elasticity: "20", ecosystem: "15", support: "15", pilot: "15" }, minimums: { benchmark: null, elasticity: null, ecosystem: null, support: null, pilot: null }, vendors: [{ name: "alpha", steps, quotes: [] }], pilot: { vendor: "alpha", firstDay: "2026-09-01", lastDay: "2026-10-02", provider: null, gpuModel: null, team: null, plannedGpuHours: "100", plannedCost: "200", plannedUse: "0.6" }, decision: { vendor: null, reason: "", by: "" } };
  await ask("selection.save", { selection, by: "Ana" });
  await ask("selections.list", {});
  await ask("selection.read", { id: 1 });
  for (const calculator of ["batch", "granularity"] as const) await ask("calculator.run", { calculator, inputs: { "gpu-model": "H100" }, currency: null, month: null, log: null });
  const asked = { period: "2026-09", scope: {}, currency: null, inputs: { ...defaultPlanInputs, leavesOutOneOffs: false } };
  await ask("plan.read", asked);
  await ask("plan.read", { ...asked, inputs: { ...asked.inputs, leavesOutIdle: true } });
  await ask("plan.save", { name: "as it is", ...asked, by: null });
  await ask("plan.scenarios", {});
  await ask("plan.compare", { ids: [1] });
  await ask("commitment.save", { term: { commitment: "c-1", startsOn: null, endsOn: "2026-12-01", termMonths: 12, payment: null, gpus: null, isConvertible: null, renewalHourly: null, note: null }, by: null });
  await ask("commitments.terms", {});
  await ask("commitments.contracts", {});
  await ask("commitment.look-up", { commitment: "c-1" });
  await ask("batches.undo", { batch: 2 });
  await ask("batches.redo", { batch: 2 });
  await ask("allocation.read", {});
  await ask("allocation.preview", { rules: [], period: "2026-09", currency: null });
  await ask("allocation.save", { rules: [], by: null });
  await ask("allocation.inbox", { period: "2026-09", currency: null });
  await ask("shared-costs.save", { pools: [], by: null });
  await ask("changes.list", { area: null, offset: 0, limit: 10 });
  await ask("policy.save", { idleAtOrUnderPercent: 5, busyAtOrOverPercent: 10, minimumSeconds: 600, bridgeSeconds: 0, parkedMemoryShare: 0.1 });
  expect(faults).toEqual([]);
}

type Ask = (...question: Parameters<Engine["ask"]>) => Promise<void>;

async function everyTeamQuestion(ask: Ask): Promise<void> {
  const asked = { period: "2026-09", currency: null };
  const by = "Ana";
  const rules = [
    { name: "machine", team: "research", conditions: [{ source: "column", key: "resource", op: "prefix", value: "i-" }], fromMonth: "2026-09", toMonth: null },
    { name: "host", team: "lab", conditions: [{ source: "column", key: "host", op: "exists" }, { source: "tag", key: "team", op: "exists" }], fromMonth: null, toMonth: null },
  ] as const;
  await ask("allocation.save", { rules, by });
  await ask("shared-costs.save", { pools: [{ name: "rest", source: { kind: "rest" }, method: "even", shares: [] }], by });
  await ask("virtual-tags.save", { rules: [{ tag: "env", value: "prod", conditions: [{ source: "column", key: "provider", op: "equals", value: "AWS" }] }], by });
  await ask("accounts.save", { accounts: { clearing: "6999", teams: { research: "6100" } }, by });
  for (const question of ["allocation.preview", "allocation.inbox"] as const) await ask(question, question === "allocation.inbox" ? asked : { ...asked, rules });
  await ask("allocation.read", {});
  await ask("budgets.export", { file: join(folder, "plan.csv") });
  await ask("journal.export", { ...asked, basis: "EffectiveCost", file: join(folder, "journal.csv") });
  const budget = { id: null, parent: null, name: "research", level: "team", kind: "money", currency: "USD", basis: "EffectiveCost", span: "month", scope: {}, owner: null, thresholds: [{ type: "actual", percent: "50" }], months: { "2026-09": "1" } };
  await ask("budget.save", { budget, by });
  await ask("budget.save", { budget: { ...budget, name: "hours", kind: "gpu-hours", parent: 1 }, by });
  await ask("planned-changes.save", { changes: [{ name: "more", team: null, currency: "USD", fromDay: "2026-10-01", toDay: null, isDaily: true, amount: "5" }], by });
  await ask("budgets.list", { month: null });
  await ask("budgets.check", {});
  await ask("budget.burn-down", { id: 1, month: null });
  await ask("budget.suggest", { kind: "money", currency: null, basis: null, scope: {}, fromMonth: "2026-10", months: 3 });
  await ask("alerts.list", { onlyOpen: true });
  await ask("alert.answer", { id: 1, reason: "new cluster", action: "none", by });
  await ask("forecast.read", { kind: "money", scope: {}, currency: null, basis: "EffectiveCost" });
  await ask("anomalies.read", { ...asked, basis: "EffectiveCost" });
  await ask("anomaly.detail", { scope: {}, start: "2026-09-01", end: "2026-09-01", currency: null, basis: "EffectiveCost" });
  await ask("anomaly.answer", { scope: {}, direction: "up", from: "2026-09-01", until: "2026-09-30", isExpected: true, because: "a run", by });
  const action = { id: null, findingKey: null, kind: "idle", subject: "stop it", resource: "i-0123456789abcdef0", team: null, owner: null, dueOn: null, state: "done", currency: "USD", expected: "5", realised: null, note: null };
  await ask("action.save", { action, by });
  await ask("actions.read", { ...asked, basis: "EffectiveCost" });
  const emissions = join(folder, "emissions.csv");
  writeFileSync(emissions, "usage_month,billing_account_id,carbon_footprint_total_kgCO2e.location_based\n2026-09-01,A,1\n");
  await ask("provider-emissions.preview", { file: emissions });
  await ask("provider-emissions.import", { file: emissions, sha256: null, by });
  await ask("provider-emissions.undo", { report: 1, by });
  await ask("provider-emissions.redo", { report: 1, by });
  await ask("provider-emissions.list", {});
  await ask("provider-emissions.compare", { period: "2026-09" });
  await ask("esg.export", { period: "2026-09", scope: {}, language: "en", file: join(folder, "esg.zip"), by, statement: null });
  await ask("esg.list", {});
  const jobsOf = { period: "2026-09", scope: {}, currency: null } as const;
  for (const by of ["job", "team"]) await ask("jobs.read", { ...jobsOf, by, filter: {}, sort: null, offset: 0, limit: 10 });
  const held = await engine.ask("jobs.read", { period: "2026-09", scope: {}, currency: null, by: "job", filter: {}, sort: null, offset: 0, limit: 10 });
  // A short job is looked at by the minute, one of ten days by the hour.
  for (const { job } of held.ok && held.value.lines.length > 0 ? held.value.lines : [{ job: "1:1" }]) await ask("jobs.timeline", { ...jobsOf, job: job ?? "1:1", offset: 0 });
  await ask("jobs.of-host", { host: "i-0123456789abcdef0", from: "2026-09-01T00:00:00Z", hours: 6 });
  await ask("figure.explain", { ...jobsOf, metric: "gpu-hours-cost", basis: "EffectiveCost", params: { jobs: "cost" } });
  await ask("carbon.actions", { period: "2026-09", currency: null });
  await ask("carbon.regions", { period: "2026-09", scope: {}, need: "country" });
  await ask("invoice.save", { month: "2026-09", provider: "AWS", currency: "USD", amount: "5", by });
  await ask("month.close", { month: "2026-09", note: null, by });
  await ask("month.read", { month: "2026-09" });
  await ask("month.reopen", { month: "2026-09", reason: "late bill", by });
  await ask("changes.list", { area: "budget", offset: 0, limit: 10 });
  await ask("price.save", { price: { id: null, provider: "aws", instanceType: "p5.48xlarge", region: "us-east-1", mode: "on-demand", payment: null, currency: "USD", pricePerHour: "40", upfront: "0", acceleratorId: null, acceleratorCount: null, priceDate: "2026-09-01", note: null }, by });
  await ask("prices.list", { text: "", provider: null, mode: null, origin: "own", on: null, offset: 0, limit: 10 });
  await ask("benchmarks.list", {});
  await ask("mapping.list", {});
  await ask("mapping.rename", { id: 1, name: "Night log" });
  await ask("mapping.export", { ids: null, file: join(folder, "mappings.json") });
  const page = { slot: "GetCostAndUsage|services|2026-09|", call: "GetCostAndUsage", profile: null, month: "2026-09", question: "{}", page: 0, answer: "{}", nextToken: null } as const;
  await ask("connect.keep", page);
  await ask("connect.plan", { period: "2026-09", profile: null, parts: ["costs"], isRefresh: false });
  await ask("connect.read", {});
  writeFileSync(join(folder, "invoices.csv"), "Month,Provider,Currency,Amount\n2026-09,AWS,USD,7\n");
  await ask("invoices.import", { file: join(folder, "invoices.csv"), isPreview: false, by });
  await ask("invoice-item.save", { month: "2026-09", provider: "AWS", currency: "USD", item: "tax", because: "not-in-export", amount: "1", note: null, by });
  await ask("reconcile.read", { period: "2026-09" });
  await ask("rate.save", { base: "EUR", quote: "USD", day: "2026-09-01", rate: "1.1", source: null, by });
  await ask("quality.read", { period: "2026-09" });
  await ask("quality.prices", { period: "2026-09" });
  await ask("rates.list", {});
  await ask("rates.read", { base: "EUR", quote: "USD", offset: 0, limit: 10 });
  await ask("totals.converted", { period: "2026-09", by: ["month", "provider", "service", "team", "currency"], scope: {}, in: "EUR" });
  await ask("report.read", { report: "commitments", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null, in: "EUR" });
  for (const report of reportIds) await ask("report.read", { report, period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null });
  const inEuro = { period: "2026-09", scope: {}, currency: "~EUR" } as const;
  for (const report of reportIds) await ask("report.read", { report, basis: "EffectiveCost", ...inEuro });
  await ask("figure.explain", { metric: "idle-cost", basis: "EffectiveCost", ...inEuro });
  await ask("budget.remove", { id: 1, by });
}

/** Tables that grow with what is imported: no question may read one from end to end without an index. */
const bigTables = new Set(["charge_day", "charge_month", "charge_line_day", "gpu_trace", "gpu_hour", "gpu_hour_counter", "gpu_hour_cost", "gpu_cost_day", "gpu_series_day", "gpu_device_day", "gpu_activity_day", "gpu_charge_hours", "day_owner", "source_block", "set_aside", "delivery_day"]);

function planOf(db: Db, text: string): string {
  if (!/^\s*(--.*\n\s*)*(SELECT|WITH)/i.test(text)) return "";
  const parameters = Array.from({ length: text.split("?").length - 1 }, () => null);
  return (db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...parameters) as { detail: string }[]).map(({ detail }) => detail).join("\n");
}

/** Aliases of the text and of the views that it may use, with the tables they stand for. */
function tablesBehind(text: string): Map<string, Set<string>> {
  const aliases = new Map<string, Set<string>>();
  for (const [, alias = ""] of text.matchAll(/\)\s+(?:AS\s+)?(\w+)\s/gi)) aliases.set(alias, new Set(["a subquery"]));
  for (const source of [text, ...viewStatements]) {
    for (const [, table = "", alias] of source.matchAll(/\b(?:FROM|JOIN)\s+(\w+)(?:\s+(?:AS\s+)?(?!ON\b|WHERE\b|CROSS\b|JOIN\b|LEFT\b|ORDER\b|GROUP\b|INDEXED\b|LIMIT\b|SET\b)(\w+))?/gi)) {
      for (const name of [table, alias ?? table]) aliases.set(name, (aliases.get(name) ?? new Set()).add(table));
    }
  }
  return aliases;
}

describe("queries", () => {
  it("are all prepared by the questions asked here, and name the columns that they answer with", () => {
    const named = readdirSync(engineFolder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => [...readFileSync(join(engineFolder, file), "utf8").matchAll(/`\s*--\s*([a-z][\w.-]+)\s*\n/g)].map(([, name]) => name ?? ""));
    const prepared = new Set(asked.map(({ text }) => /--\s*([\w.-]+)/.exec(text)?.[1]));
    expect(named.filter((name) => !prepared.has(name)).sort()).toEqual([]);
    expect(named.length).toBeGreaterThan(30);
  });

  it("read no big table from end to end", () => {
    const scans = [...plans].flatMap(([text, plan]) => {
      const aliases = tablesBehind(text);
      return [...plan.matchAll(/^SCAN (\w+)(.*)$/gm)]
        .filter(([, alias = "", how = ""]) => !how.includes("INDEX") && [...(aliases.get(alias) ?? [])].some((table) => bigTables.has(table)))
        .filter(([, alias = ""]) => /\b(FROM|JOIN)\b/.test(text) && ![...(aliases.get(alias) ?? [])].some((table) => !bigTables.has(table)))
        .map(([line]) => `${/--\s*([\w.-]+)/.exec(text)?.[1] ?? text}: ${line}`);
    });
    expect([...new Set(scans)].sort()).toEqual([]);
  });
});
