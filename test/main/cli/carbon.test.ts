import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../../../main/cli/index.ts";
import { createEngine } from "../../../main/engine/serve.ts";
import { focusBill, smiLog } from "../engine/import/bills-of.ts";

let folder = "";
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-cli-carbon-"));
  const hours = Array.from({ length: 10 }, (_, hour) => ({ day: "2026-09-01", hour, cost: "98.32", resource: "i-0123456789abcdef0", description: "p5.48xlarge instance hours" }));
  await run("import", file("bill.csv", focusBill(hours)), file("i-0123456789abcdef0.csv", smiLog("2026-09-01", Array.from({ length: 120 }, () => 80))), "--timezone", "UTC", "--ledger", ledger());
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const ledger = (): string => join(folder, "mine.gpuledger");
function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}
async function run(...argv: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  let [out, error] = ["", ""];
  const code = await runCli(argv, { out: (text) => void (out += text), err: (text) => void (error += text), environment: { LANG: "en_US.UTF-8" } });
  return { code, out, error };
}
const carbon = (...words: readonly string[]) => run("carbon", ...words, "--ledger", ledger());

describe("carbon factors in the terminal", () => {
  it("are looked at, taken, listed and taken out, each with what the months come to", async () => {
    const factors = file("factors.csv", "kind,provider,region,value,unit,source\ngrid,AWS,,400,g/kWh,own study\npue,,,0.9,ratio,own meter\n");
    const preview = await carbon("factors", "import", factors, "--preview");
    expect(preview).toMatchObject({ code: 0, error: "" });
    expect(preview.out).toMatch(/1 new factor, 0 held already, 1 line set aside; nothing was taken yet\.\n {2}factors\.csv, line 3: a PUE of 0\.9 is below 1/);
    expect((await carbon("factors", "list")).out).toBe("No carbon factors of your own.\n");
    const taken = await carbon("factors", "import", factors, "--json");
    expect(JSON.parse(taken.out)).toMatchObject({ added: 1, same: 0, setAside: [{ code: "factor.pue-below-one" }] });
    expect((await carbon("factors", "list")).out).toContain("Grid  AWS  *  400 g CO2e/kWh  (stated 400 g/kWh)  own study  factors.csv:2");
    expect((await carbon("factors", "import", factors)).out).toContain("0 factors taken, 1 held already");
    expect((await carbon("factors", "remove", "1")).out).toContain("Factor 1 is removed.");
    expect(await carbon("factors", "remove", "1")).toMatchObject({ code: 1, error: expect.stringContaining("no carbon factor with the number 1") as string });
  });

  it("change the figures of a closed month only where that is said", async () => {
    // Without a region there are no emissions: a factor for the provider makes them.
    const factors = file("factors.csv", "kind,provider,value,unit,source\ngrid,AWS,400,g/kWh,own study\n");
    const before = JSON.parse((await run("report", "carbon", "--period", "2026-09", "--as", "json", "--ledger", ledger())).out) as { answer: { key: string } };
    expect(before.answer.key).toBe("carbon.answer.no-factor");
    const engine = createEngine({ ledgerPath: ledger(), userDataFolder: join(folder, "data"), resourcesFolder: join(import.meta.dirname, "../../../resources"), jobRunner: "inline", emit: () => undefined });
    await engine.ask("month.close", { month: "2026-09", note: null, by: "Ada" });
    await engine.close();
    expect(await carbon("factors", "import", factors)).toMatchObject({ code: 1, error: expect.stringContaining("restates closed months: 2026-09") as string });
    const restated = await carbon("factors", "import", factors, "--restate");
    expect(restated.code).toBe(0);
    expect(restated.out).toMatch(/September 2026 \(closed\): (\d+) → \1; — → \d+; — → \d+/);
  });

  it("are not needed for energy counters: what a log counts is grade A, from import to report", async () => {
    const labels = 'gpu="0",UUID="GPU-7b0c1d2e-0000-4000-8000-000000000021",modelName="NVIDIA H100 80GB HBM3",Hostname="i-0123456789abcdef0",DCGM_FI_DRIVER_VERSION="580.10"';
    const from = Date.parse("2026-09-01T04:00:00Z");
    // An hour of readings a minute apart, 18 kJ each: 300 W.
    const lines = Array.from({ length: 61 }, (_, minute) => {
      const at = from + minute * 60_000;
      return `DCGM_FI_DEV_GPU_UTIL{${labels}} 80 ${at}\nDCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{${labels}} ${1_000_000_000 + minute * 18_000_000} ${at}`;
    });
    expect((await run("import", file("counters.prom", `${lines.join("\n")}\n`), "--ledger", ledger())).code).toBe(0);
    const document = JSON.parse((await run("report", "carbon", "--period", "2026-09", "--as", "json", "--ledger", ledger())).out) as { blocks: { id: string; rows: { id: string; cells: { figure?: { value: number } }[] }[] }[] };
    const graded = document.blocks.find(({ id }) => id === "quality")?.rows.find(({ id }) => id === "grade A");
    expect(graded?.cells[2]?.figure?.value).toBeCloseTo(1, 6);
    expect(graded?.cells[3]?.figure?.value).toBeCloseTo(0.3, 6);
  });

  it("say what would emit less, with what it saves, and need a period", async () => {
    expect((await carbon("actions")).code).toBe(2);
    const { lines } = JSON.parse((await carbon("actions", "--period", "2026-09", "--json")).out) as { readonly lines: readonly { readonly kind: string; readonly micrograms: string }[] };
    const said = await carbon("actions", "--period", "2026-09");
    expect(said.code).toBe(0);
    // The machine is busy in the hours that are seen, so nothing idles; AWS prices it in other regions or nowhere.
    expect(lines.filter(({ kind }) => kind === "idle")).toEqual([]);
    expect(said.out.trimEnd().split("\n")).toHaveLength(lines.length === 0 ? 1 : lines.length + 1);
    if (lines.length === 0) expect(said.out).toBe("Nothing would emit less, as far as is known.\n");
  });

  it("has settings of ownership, price and grid, and refuses a price without a currency", async () => {
    expect((await carbon("settings", "--carbon-price", "80")).code).toBe(2);
    expect((await carbon("settings", "--owned", "Own racks, AWS", "--carbon-price", "80", "--currency", "EUR", "--grid", "life-cycle")).out).toBe("Owned hardware: Own racks, AWS; internal price of a tonne: 80 EUR; grid factors: life-cycle only.\n");
    expect((await carbon("settings", "--carbon-price", "none")).out).toContain("internal price of a tonne: —");
    expect((await carbon("settings", "--grid", "best")).code).toBe(2);
  });
});
