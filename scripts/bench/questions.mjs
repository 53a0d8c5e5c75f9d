/**
 * How long the questions of the reports take on a large ledger: each is asked in several variants (months, teams), once to warm up and then
 * again and again in turn, so that no answer is simply the last one once more. The engine answers in process, as it does in the app.
 * Run alone: `node scripts/bench/questions.mjs ask LEDGER [TIMES]`; scripts/bench.mjs calls benchQuestions().
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { asChild, cpuSecondsSince, inChild, must, peakMiB } from "./measure.mjs";

const self = fileURLToPath(import.meta.url);

/** Per question: milliseconds of the first time, and of the warm ones the median and the 95th percentile; of the processor too, which a busy machine does not lengthen. */
export function benchQuestions({ ledger, times = 20 }) {
  return inChild(self, "ask", ledger, times);
}

const teams = ["vision", "speech", "search", "ads"];

/** `months`: the last ones of the ledger. */
const questionsOf = (months) => [
  { question: "totals of a month by team", variants: months.map((period) => ["totals.read", { period, by: ["team"] }]) },
  { question: "totals of all months by service", variants: [["totals.read", { period: null, by: ["month", "service"] }]] },
  { question: "charges by day of a tag's team, 90 days", variants: teams.map((team) => ["pivot.read", { view: { table: "charges", by: ["day"], filters: [{ dimension: "team", among: [team] }], sort: { column: "day", descending: false } }, period: "2026-Q3", scope: {}, currency: null, offset: 0, limit: 100 }]) },
  { question: "GPU hours by day of a tag's team, 90 days", variants: teams.map((team) => ["pivot.read", { view: { table: "gpu-hours", by: ["day"], filters: [{ dimension: "team", among: [team] }], sort: { column: "day", descending: false } }, period: "2026-Q3", scope: {}, currency: null, offset: 0, limit: 100 }]) },
  { question: "review, a team's quarter", variants: teams.map((team) => ["report.read", { report: "review", period: "2026-Q3", scope: { team: [team] }, basis: "EffectiveCost", currency: null }]) },
  ...["review", "efficiency", "kpis", "budgets", "showback", "carbon", "commitments"].map((report) => ({
    question: `${report}, a month`,
    variants: months.map((period) => ["report.read", { report, period, scope: {}, basis: "EffectiveCost", currency: null }]),
  })),
];

async function ask(ledgerPath, times = "20") {
  const { createEngine } = await import("../../main/engine/serve.ts");
  const { wordsOf } = await import("../../main/cli/words.ts");
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-bench-"));
  const slow = new Map();
  const engine = createEngine({ ledgerPath, userDataFolder: folder, resourcesFolder: fileURLToPath(new URL("../../resources", import.meta.url)), jobRunner: "inline", emit: () => undefined, wordsOf });
  const timed = async ([name, input]) => {
    const start = performance.now();
    const cpu = process.cpuUsage();
    must(await engine.ask(name, input));
    return { ms: performance.now() - start, cpuMs: cpuSecondsSince(cpu) * 1000 };
  };
  const percentile = (measured, key, share) => round(measured.map((each) => each[key]).sort((one, other) => one - other)[Math.min(measured.length - 1, Math.ceil(measured.length * share) - 1)]);
  const status = must(await engine.ask("ledger.status", {}));
  const questions = questionsOf(status.months.map(({ label }) => label).sort().slice(-4));
  const { onSlowQuery } = await import("../../main/engine/store/sql.ts");
  const answers = [];
  for (const { question, variants } of questions) {
    let isFirst = true;
    const end = onSlowQuery(({ query, milliseconds }) => slow.set(`${question}: ${query}${isFirst ? ", first time" : ""}`, milliseconds));
    const first = await timed(variants[0]);
    for (const variant of variants.slice(1)) await timed(variant);
    isFirst = false;
    const warm = [];
    for (let time = 0; time < Math.max(Number(times), variants.length); time += 1) warm.push(await timed(variants[time % variants.length]));
    end();
    answers.push({
      question, firstMs: Math.round(first.ms), firstCpuMs: Math.round(first.cpuMs),
      medianMs: percentile(warm, "ms", 0.5), medianCpuMs: percentile(warm, "cpuMs", 0.5), p95Ms: percentile(warm, "ms", 0.95), p95CpuMs: percentile(warm, "cpuMs", 0.95),
    });
  }
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
  return { answers, slow: Object.fromEntries(slow), peakMiB: peakMiB() };
}

function round(milliseconds) {
  return Math.round(milliseconds * 10) / 10;
}

await asChild(self, { ask });
