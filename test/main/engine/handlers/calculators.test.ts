import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wordsOf } from "../../../../main/cli/words.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { calculatorFields, calculatorIds, type CalculatorAnswer, type CalculatorId } from "../../../../shared/contract/calculators.ts";
import { shownValue, whyUnknown } from "../../../../shared/contract/calculator-text.ts";
import { catalogs, languages } from "../../../../shared/i18n/index.ts";

const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-calculators-"));
let engine: Engine;
beforeAll(() => {
  engine = createEngine({ ledgerPath: null, userDataFolder: folder, resourcesFolder: join(import.meta.dirname, "../../../../resources"), jobRunner: "inline", emit: () => undefined });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

const ask = async (calculator: CalculatorId, inputs: Readonly<Record<string, string>>, log: string | null = null) => engine.ask("calculator.run", { calculator, inputs, currency: null, month: null, log });
const run = async (calculator: CalculatorId, inputs: Readonly<Record<string, string>>, log: string | null = null): Promise<CalculatorAnswer> => {
  const answer = await ask(calculator, inputs, log);
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
};
const examples = (id: CalculatorId): Record<string, string> => Object.fromEntries(calculatorFields[id].flatMap(({ id: field, example }) => (example === undefined ? [] : [[field, example]])));
const valueOf = ({ lines }: CalculatorAnswer, id: string): number | string | null => {
  const shown = lines.find((line) => line.id === id)?.shown ?? null;
  return shown === null ? null : "message" in shown ? shown.message.key : Number(shown.value);
};

describe("calculators, without a ledger", () => {
  it("work out the examples of the mathematics", async () => {
    expect(valueOf(await run("batch", examples("batch")), "batch-size")).toBe(70);
    const training = await run("training", examples("training"));
    expect(valueOf(training, "gpu-hours")).toBeCloseTo(58982.1, 1);
    expect(valueOf(training, "cost")).toBeCloseTo(147455, 0);
    const serving = await run("serving", examples("serving"));
    expect([valueOf(serving, "usage-based"), valueOf(serving, "allocation-based"), valueOf(serving, "break-even-load")]).toEqual([1, 4, 0.5]);
    const spot = await run("spot", examples("spot"));
    expect(valueOf(spot, "saving")).toBeCloseTo(0.838546, 6);
    expect(valueOf(spot, "claim")).toBe("calc.spot.claim-fails");
    expect(valueOf(spot, "interval-exact")).toBeCloseTo(1.51604 * 60, 3);
    const owned = await run("owned", examples("owned"));
    expect([valueOf(owned, "owned-monthly"), valueOf(owned, "break-even-hours")]).toEqual([expect.closeTo(56.6813, 4), expect.closeTo(69.7772, 4)]);
    expect(valueOf(await run("slice", { "gpu-price": "4", "compute-share": "50", "memory-share": "50", loss: "40" }), "full-equivalent")).toBeCloseTo(6.66667, 5);
    expect(valueOf(await run("host", examples("host")), "ram-ratio")).toBe(1.6);
    expect(valueOf(await run("path", examples("path")), "stage")).toBe("calc.path.stage-node");
    expect(valueOf(await run("serverless", examples("serverless")), "serverless-monthly")).toBeCloseTo(840, 9);
  });

  it.each(calculatorIds)("%s says of each result what is missing for it, and makes nothing up", async (id) => {
    const answer = await run(id, {});
    for (const line of answer.lines) if (line.shown === null) expect([line.id, line.missing.length > 0 || line.why !== null]).toEqual([line.id, true]);
    expect(answer.lines.filter(({ shown }) => shown !== null && !("message" in shown)).map((line) => line.id)).toEqual([]);
  });

  it.each(calculatorIds.flatMap((id) => languages.map((language) => ({ id, language }))))("$id is worded in $language to the last line", async ({ id, language }) => {
    const words = await wordsOf(language);
    const said = (key: string): void => expect([key, catalogs[language][key] !== undefined]).toEqual([key, true]);
    for (const field of calculatorFields[id]) {
      said(`calc.field.${field.id}`);
      for (const choice of field.choices ?? []) said(`calc.choice.${choice}`);
    }
    for (const key of ["name", "what", "formula", "true"]) said(`calc.${key}.${id}`);
    for (const answer of [await run(id, examples(id)), await run(id, {})]) {
      for (const line of answer.lines) said(`calc.line.${id}.${line.id}`);
      for (const column of answer.table?.columns ?? []) said(`calc.column.${column}`);
      const texts = [...answer.notes.map((note) => words.text(note)), ...answer.lines.map((line) => (line.shown === null ? whyUnknown(line, words) : shownValue(line.shown, answer.currency, words))), ...(answer.table?.rows.flatMap(({ cells }) => cells.map((cell) => shownValue(cell, answer.currency, words))) ?? [])];
      expect(texts.filter((text) => /\{\{|undefined|NaN|^(calc|why)\./.test(text) || text === "")).toEqual([]);
    }
  });

  it("take the machine of the catalog for what is left open, and the person's word before it", async () => {
    const answer = await run("host", { machine: "p5.48xlarge", vcpus: "10" });
    expect(answer.inputs.filter(({ field }) => field === "gpus" || field === "vcpus")).toEqual([{ field: "gpus", value: "8", from: "catalog" }, { field: "vcpus", value: "10", from: "person" }]);
  });

  it("test the claim on the person's own log, and bound the mean time where nothing was interrupted", async () => {
    const file = join(folder, "runs.csv");
    writeFileSync(file, "hours,interrupted\n10,yes\n14,yes\n24,no\n");
    const inputs = { "spot-price": "1.8", "on-demand-price": "12", checkpoint: "3", restart: "12" };
    const answer = await run("spot", inputs, file);
    expect(valueOf(answer, "mean-time")).toBe(24);
    expect(answer.lines.find(({ id }) => id === "mean-time")?.basis).toBe("measured");
    expect(valueOf(answer, "saving")).toBeCloseTo(0.838546, 6);
    writeFileSync(file, "hours,interrupted\n300,no\n");
    const never = await run("spot", inputs, file);
    expect(valueOf(never, "mean-time")).toBe(100);
    expect(never.notes.map(({ key }) => key)).toContain("calc.spot.note.rule-of-three");
  });

  it("take a vendor's band for a rough mean time where nothing better is known", async () => {
    const { "mean-time": _mean, ...inputs } = examples("spot");
    const answer = await run("spot", { ...inputs, band: "5" });
    expect(valueOf(answer, "mean-time")).toBeCloseTo(14231.9, 1);
    expect(answer.notes.map(({ key }) => key)).toContain("calc.spot.note.band");
    expect(valueOf(await run("spot", { ...inputs, band: "5", "mean-time": "24" }), "mean-time")).toBe(24);
  });

  it("word what cannot be", async () => {
    const codes = async (calculator: CalculatorId, inputs: Readonly<Record<string, string>>) => {
      const answer = await ask(calculator, inputs);
      return answer.ok ? null : answer.error;
    };
    expect(await codes("batch", { "gpu-memory": "0" })).toEqual({ code: "calculator.not-positive", params: { field: "gpu-memory", value: "0" } });
    expect(await codes("host", { gpus: "1000000" })).toMatchObject({ code: "calculator.out-of-range", params: { field: "gpus", from: "1", to: "100000" } });
    expect(await codes("serving", { price: "-1" })).toMatchObject({ code: "calculator.out-of-range" });
    expect(await codes("owned", { capex: "100", residual: "200" })).toEqual({ code: "calculator.contradiction", params: { field: "residual", other: "capex" } });
    expect(await codes("host", { machine: "p99.huge" })).toMatchObject({ code: "calculator.not-in-catalog" });
    expect(await codes("slice", { profile: "nvidia-a100/9g" })).toMatchObject({ code: "calculator.not-in-catalog" });
    expect(await codes("batch", { tokens: "1" })).toMatchObject({ code: "contract.invalid" });
    // Interruptions so frequent that no useful hour is ever done: no number, and no advice for spot.
    const endless = await run("spot", { ...examples("spot"), "mean-time": "0.0001", instances: "1000" });
    expect(valueOf(endless, "cost-per-useful-hour")).toBeNull();
    expect(endless.notes.map(({ key }) => key)).toContain("calc.spot.note.endless");
  });
});
