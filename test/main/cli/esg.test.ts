import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../../main/cli/index.ts";
import type { PdfPrinter } from "../../../main/cli/pdf.ts";
import { focusBill } from "../engine/import/bills-of.ts";

let folder = "";
let ledger = "";
const inTerminal = async (words: readonly string[], pdf?: PdfPrinter): Promise<{ readonly code: number; readonly out: string; readonly said: string }> => {
  let [out, said] = ["", ""];
  const code = await runCli([...words], { out: (text) => (out += text), err: (text) => (said += text), environment: {}, ...(pdf === undefined ? {} : { pdf }) });
  return { code, out, said };
};
const drawn: PdfPrinter = ({ report, title }, { language, paper }) => Promise.resolve(new TextEncoder().encode(`%PDF ${report} ${title.key} ${language} ${paper}`));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-esg-cli-"));
  ledger = join(folder, "own.gpuledger");
  writeFileSync(join(folder, "bill.csv"), focusBill(Array.from({ length: 10 }, (_, hour) => ({ day: "2026-09-01", hour, cost: "98.32", resource: "i-0123456789abcdef0", description: "p5.48xlarge instance hours" }))));
  await inTerminal(["import", join(folder, "bill.csv"), "--ledger", ledger]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("gpu-ledger esg", () => {
  it("writes the pack with the statement that the app draws, in the language asked for", async () => {
    const out = join(folder, "pack");
    const { code, said } = await inTerminal(["esg", "--ledger", ledger, "--period", "2026", "--out", out, "--lang", "zh-CN", "--paper", "Letter"], drawn);
    expect(code).toBe(0);
    expect(readFileSync(join(out, "statement-2026.pdf"), "utf8")).toBe("%PDF esg esg.title zh-CN Letter");
    expect(said).toContain("账本覆盖该期间 365 天中的 1 天");
    expect(readFileSync(join(out, "README.txt"), "utf8")).toContain("如何将一项合计追溯");
  });

  it("answers as JSON for scripts, and narrows the boundary", async () => {
    const { code, out } = await inTerminal(["esg", "--ledger", ledger, "--period", "2026-09", "--out", join(folder, "narrow.zip"), "--scope", "team=research", "--json"], drawn);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ issue: 2, isSame: false, isFrozen: false, hasStatement: true, coveredDays: 1, days: 30 });
    expect(existsSync(join(folder, "narrow.zip"))).toBe(true);
  });

  it.each([
    [["esg", "--period", "2026", "--out", "x"], "use.missing", 2],
    [["esg", "--ledger", "LEDGER", "--out", "x"], "use.missing", 2],
    [["esg", "--ledger", "LEDGER", "--period", "2026"], "use.missing", 2],
    [["esg", "--ledger", "LEDGER", "--period", "September", "--out", "x"], "period.invalid", 2],
    [["esg", "--ledger", "LEDGER", "--period", "2026", "--out", "x", "--paper", "A5"], "use.invalid", 2],
    [["esg", "--ledger", "LEDGER", "--period", "2020", "--out", "x"], "report.no-data", 1],
    [["emissions"], "use.missing", 2],
    [["emissions", "undo", "9", "--ledger", "LEDGER"], "emissions.not-found", 1],
    [["emissions", "compare", "--ledger", "LEDGER"], "use.missing", 2],
  ])("%j is refused as %s", async (words, code, exit) => {
    const { code: ended, said } = await inTerminal(words.map((word) => (word === "LEDGER" ? ledger : word === "x" ? join(folder, "never") : word)), drawn);
    expect([ended, said.split(":")[0]]).toEqual([exit, code]);
    expect(existsSync(join(folder, "never"))).toBe(false);
  });
});

describe("gpu-ledger emissions", () => {
  const report = join(import.meta.dirname, "../../fixtures/emissions/aws-carbon-emissions.csv");

  it("previews, imports, compares, takes back and puts back", async () => {
    expect((await inTerminal(["emissions", "import", report, "--ledger", ledger, "--preview"])).out).toContain("ready to be imported");
    expect((await inTerminal(["emissions", "list", "--ledger", ledger])).out).toContain("No emissions report");
    const { out } = await inTerminal(["emissions", "import", report, "--ledger", ledger]);
    expect(out).toContain("report 1");
    expect(out).toContain("line 7, total_lbm_emissions_value is “-2”, but an amount of 0 or more was expected");
    expect((await inTerminal(["emissions", "import", report, "--ledger", ledger])).out).toContain("already imported");
    expect((await inTerminal(["emissions", "compare", "--ledger", ledger, "--period", "2026-09"])).out).toContain("The provider's report");
    const compared = JSON.parse((await inTerminal(["emissions", "compare", "--ledger", ledger, "--period", "2026-09", "--json"])).out) as { readonly providers: readonly { readonly methods: readonly { readonly reportMicrograms: string }[] }[] };
    expect(compared.providers[0]?.methods[0]?.reportMicrograms).toBe("14900000100000");
    expect((await inTerminal(["emissions", "undo", "1", "--ledger", ledger])).out).toContain("taken back");
    expect((await inTerminal(["emissions", "list", "--ledger", ledger])).out).toContain("taken back");
    expect((await inTerminal(["emissions", "redo", "1", "--ledger", ledger, "--json"])).out).toContain("posted");
  });
});
