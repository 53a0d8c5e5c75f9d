import { describe, expect, it } from "vitest";
import { runCli } from "../../../main/cli/index.ts";
import { calculatorFields, calculatorIds } from "../../../shared/contract/calculators.ts";

async function terminal(...words: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(words, { out: (text) => out.push(text), err: (text) => err.push(text), environment: {} });
  return { code, out: out.join(""), err: err.join("") };
}
const batch = ["calc", "batch", "--gpu-memory", "80", "--parameters", "7B", "--bytes-per-parameter", "2", "--sample-memory", "0.9"];

describe("calculators in the terminal", () => {
  it("are listed with the options of each", async () => {
    const { code, out } = await terminal("calc");
    expect(code).toBe(0);
    for (const id of calculatorIds) for (const field of calculatorFields[id]) expect([id, out.includes(id), out.includes(`--${field.id}`)]).toEqual([id, true, true]);
  });

  it("answer with formula and what is true of it, in both languages", async () => {
    const { code, out } = await terminal(...batch);
    expect(code).toBe(0);
    expect(out).toContain("Batch size\t70\n");
    expect(out).toContain("batch = ⌊(GPU memory");
    expect((await terminal(...batch, "--lang", "zh-CN")).out).toContain("批大小\t70\n");
  });

  it("answer as data: exact values with unit, basis and what is missing", async () => {
    const { out } = await terminal("calc", "serving", "--price", "3.6", "--tokens-per-second", "1000", "--json");
    const { results, inputs } = JSON.parse(out) as { results: unknown[]; inputs: unknown[] };
    expect(inputs).toContainEqual({ field: "price", value: "3.6", from: "person" });
    expect(results).toContainEqual({ id: "usage-based", value: "1", unit: "rate", basis: "derived", missing: [], why: null });
    expect(results).toContainEqual({ id: "allocation-based", value: null, basis: "derived", missing: ["load"], why: null });
  });

  it("show stages and checks as a table", async () => {
    const { out } = await terminal("calc", "host", "--machine", "p5.48xlarge");
    expect(out).toMatch(/Host memory\t2,199.GB\t1,280.GB/);
    expect(out).toContain("GPUs: 8, from the catalog");
  });

  it("refuse what cannot be, and wrong use, each in its own way", async () => {
    expect(await terminal("calc", "host", "--gpus", "1000000")).toMatchObject({ code: 1, err: expect.stringContaining("GPUs: “1000000” lies outside 1 to 100000") as string });
    expect(await terminal("calc", "serving", "--price=-1")).toMatchObject({ code: 1, err: expect.stringContaining("calculator.out-of-range") as string });
    expect(await terminal("calc", "weather")).toMatchObject({ code: 2, err: expect.stringContaining("use.invalid") as string });
    expect(await terminal("calc", "batch", "--tokens", "2T")).toMatchObject({ code: 2, err: expect.stringContaining("--tokens") as string });
    expect(await terminal("calc", "batch", "--gpu-memory")).toMatchObject({ code: 2, err: expect.stringContaining("use.missing") as string });
    expect(await terminal("totals", "--parameters", "7B")).toMatchObject({ code: 2 });
    expect(await terminal("calc", "spot", "--log", "no-such-file.csv")).toMatchObject({ code: 1, err: expect.stringContaining("import.not-found") as string });
  });
});
