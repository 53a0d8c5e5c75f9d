import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { methods } from "../../../shared/contract/methods.ts";
import { appMethodNames, methodNames, type MethodName } from "../../../shared/contract/names.ts";
import { fileToken } from "../../../shared/contract/token.ts";
import { wordsOf } from "../../../main/cli/words.ts";
import { createEngine, type Engine } from "../../../main/engine/serve.ts";
import { focusBill, smiLog } from "./import/bills-of.ts";

/**
 * Whatever the contract lets through, at the ends of what may be said, is answered or refused in words: never by a fault of ours. Questions are
 * made from the contract's own schemas, so that a new one is asked too.
 */
let folder = "";
let engine: Engine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-extremes-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder: join(import.meta.dirname, "../../../resources"), jobRunner: "inline", emit: () => undefined, now: () => new Date("2026-10-02T08:00:00Z"), wordsOf });
  await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true });
  writeFileSync(join(folder, "bill.csv"), focusBill(Array.from({ length: 6 }, (_, hour) => ({ day: "2026-09-01", hour, cost: "98.32", resource: "i-0123456789abcdef0", description: "p5.48xlarge instance hours" }))));
  writeFileSync(join(folder, "i-0123456789abcdef0.csv"), smiLog("2026-09-01", Array.from({ length: 120 }, (_, minute) => (minute < 60 ? 0 : 80))));
  const preview = await engine.ask("import.preview", { files: [join(folder, "bill.csv"), join(folder, "i-0123456789abcdef0.csv")], options: { timezone: "UTC" } });
  if (preview.ok) await engine.ask("import.post", { plan: preview.value.plan });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What people may write: the ends of the years, days that do not exist, numbers at their bounds, names of all kinds. */
const texts = [
  "2026-09", "9999-12", "0000-01", "0001-01", "9999-11", "2026-Q3", "9999-Q4", "0000-Q1", "2026", "9999", "0000",
  "2026-09-01", "9999-12-31", "0001-01-01", "0000-01-01", "2026-09-01T00:00:00Z", "9999-12-31T23:00:00Z", "0001-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "2026-99-99T99:00:00Z", "2026-13-45",
  "0", "1", "-1", "0.000000000000000001", "999999999999", "-999999999999.999999999999999999", "100", "999", "1e9", "9223372036.854775807", "9223372037", "NaN", "USD", "EUR", "XXX", "i-0123456789abcdef0", "H100", "research",
  "a", "名称", "\u{1F600}", "'; DROP TABLE setting; --", "%", "*[", "(", "__proto__", "constructor", "..", " ", "\n", "12.4", "550.54.15", "UTC", "Etc/GMT-14", "08:00", "0.5", "US", "other", "invoice:9", "token", "x".repeat(60),
];
const numbers = [0, 1, 2, 3, 12, 24, 36, 48, 100, 500, -1, 0.5, 1e-9, 86_400, 1e9, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE];

/** Questions so full of conditions that chance alone asks none of them: what is said otherwise, they are asked with. */
const step = { score: "8", evidence: "run 12", source: "bench.csv", foundOn: "2026-09-01" };
const usual: Readonly<Partial<Record<MethodName, object>>> = {
  "budget.save": { budget: { id: null, parent: null, name: "research", level: "team", kind: "money", currency: "USD", basis: "EffectiveCost", span: "month", scope: {}, owner: null, thresholds: [], months: { "2026-09": "100" } }, by: null },
  "budget.suggest": { kind: "money", currency: "USD", basis: "EffectiveCost", scope: {}, months: 36 },
  "benchmark.save": { benchmark: { id: null, workload: "llama", unit: "token", acceleratorId: "nvidia-h100-sxm5-80gb", instanceType: null, gpus: 8, unitsPerSecond: "1000", precision: null, stack: null, measuredOn: "2026-09-01", source: "own run" }, by: null },
  "selection.save": { selection: { id: null, name: "clouds", currency: "USD", workload: "", weights: { benchmark: "35", elasticity: "20", ecosystem: "15", support: "15", pilot: "15" }, minimums: { benchmark: null, elasticity: null, ecosystem: null, support: null, pilot: null }, vendors: [{ name: "alpha", steps: { benchmark: step, elasticity: step, ecosystem: step, support: step, pilot: step }, quotes: [] }], pilot: null, decision: { vendor: null, reason: "", by: "" } }, by: null },
  "anomaly.detail": { scope: {}, start: "2026-08-30", end: "2026-09-02", currency: "USD", basis: "EffectiveCost" },
};

/** Inputs that a schema takes, from the lists above; three times of four a field is as `base` says it. */
function inputsOf(schema: z.core.$ZodType, base: unknown = undefined): fc.Arbitrary<unknown> {
  return base === undefined ? anyOf(schema, base) : fc.oneof({ weight: 3, arbitrary: fc.constant(base) }, { weight: 1, arbitrary: anyOf(schema, base) });
}

function anyOf(schema: z.core.$ZodType, base: unknown): fc.Arbitrary<unknown> {
  if (schema === fileToken) return fc.constantFrom(...["bill.csv", "none.csv", "none/out.csv", ".", "out.csv", "out.zip"].map((name) => join(folder, name)));
  if (schema instanceof z.ZodObject) return fc.record(Object.fromEntries(Object.entries(schema.shape as Record<string, z.core.$ZodType>).map(([name, field]) => [name, inputsOf(field, (base as Record<string, unknown> | undefined)?.[name])])));
  if (schema instanceof z.ZodOptional) return fc.oneof(fc.constant(undefined), inputsOf(schema.unwrap()));
  if (schema instanceof z.ZodNullable) return fc.oneof(fc.constant(null), inputsOf(schema.unwrap()));
  if (schema instanceof z.ZodReadonly) return inputsOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return fc.array(inputsOf(schema.element, undefined), { minLength: 0, maxLength: 3 });
  if (schema instanceof z.ZodTuple) return fc.tuple(...schema.def.items.map((item) => inputsOf(item)));
  if (schema instanceof z.ZodRecord) return fc.dictionary(inputsOf(schema.keyType) as fc.Arbitrary<string>, inputsOf(schema.valueType), { maxKeys: 3 });
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map((option) => inputsOf(option)));
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodLazy) return inputsOf(schema.unwrap());
  const fitting = [...texts, ...numbers].filter((value) => z.safeParse(schema, value).success);
  if (fitting.length === 0) throw new Error(`no value for ${schema._zod.def.type}: ${JSON.stringify(schema._zod.def)}`);
  return fc.constantFrom(...fitting);
}

/** Which change what all others are asked of. */
const apart: readonly MethodName[] = ["ledger.open", "ledger.close", "sample.open"];
const asked = methodNames.filter((name) => !(appMethodNames as readonly MethodName[]).includes(name) && !apart.includes(name));

describe("at the ends of what may be said", () => {
  // What is saved is then what the others are asked of, and by the second turn all of them.
  for (const turn of [1, 2]) {
    for (const name of asked) {
      it(`${name} is answered, or refused in words (turn ${turn})`, async () => {
        let taken = 0;
        await fc.assert(
          fc.asyncProperty(anyOf(methods[name].input, usual[name]), async (input) => {
            const answer = await engine.ask(name, input);
            taken += methods[name].input.safeParse(input).success ? 1 : 0;
            expect(answer).not.toMatchObject({ error: { code: "app.fault" } });
          }),
          { numRuns: 25, seed: turn, endOnFailure: false },
        );
        // A question that the contract never lets through would prove nothing.
        expect(taken).toBeGreaterThan(0);
      });
    }
  }

  it("a plan that runs beyond the years of four digits is refused by name", async () => {
    const asked = { kind: "money", currency: "USD", basis: "EffectiveCost", scope: {}, months: 36 } as const;
    for (const fromMonth of ["9999-12", "0000-01"]) expect(await engine.ask("budget.suggest", { ...asked, fromMonth })).toEqual({ ok: false, error: { code: "contract.invalid", params: { question: "budget.suggest", path: "fromMonth" } } });
    expect(await engine.ask("budget.suggest", { ...asked, fromMonth: "9899-12" })).toMatchObject({ ok: true });
  });

  it("half a surrogate pair and a NUL are refused by name wherever they stand", async () => {
    for (const broken of ["\uD800", "a\uDC00b", "a\0b"]) {
      expect(await engine.ask("plan.scenarios", {})).toMatchObject({ ok: true });
      expect(await engine.ask("settings.save", { values: { theme: broken } })).toEqual({ ok: false, error: { code: "contract.invalid", params: { question: "settings.save", path: "values.theme" } } });
      expect(await engine.ask("settings.save", { values: { [broken]: "dark" } })).toMatchObject({ error: { code: "contract.invalid", params: { path: "values" } } });
      expect(await engine.ask("import.preview", { files: [join(folder, "bill.csv"), broken], options: {} })).toMatchObject({ error: { code: "contract.invalid", params: { path: "files.1" } } });
      expect(await engine.ask("match.save", { host: broken, resource: null, validFrom: null, validTo: null })).toMatchObject({ error: { code: "contract.invalid", params: { path: "host" } } });
    }
    expect(await engine.ask("settings.save", { values: { theme: "\u{1F600}" } })).toMatchObject({ ok: true });
  });
});
