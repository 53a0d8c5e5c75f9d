import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../../../main/cli/arguments.ts";
import { runCli } from "../../../main/cli/index.ts";
import { isPaper, wordsOf } from "../../../main/cli/pdf.ts";

describe("a PDF from the terminal", () => {
  it("is asked of the app by the same words, with whole paths", () => {
    const line = parseCommandLine(["report", "review", "--ledger", "a.gpuledger", "--period", "2026-09", "--as", "pdf", "--out", "a.pdf", "--scope", "team=Vision", "--scope", "team="]);
    if (!line.ok) throw new Error(line.error.code);
    const again = parseCommandLine(wordsOf(line.value));
    expect(again).toEqual({ ok: true, value: { ...line.value, options: { ...line.value.options, ledger: resolve("a.gpuledger"), out: resolve("a.pdf") } } });
  });

  it("needs a file to be written to, as a workbook does", async () => {
    for (const as of ["pdf", "xlsx"]) {
      const said: string[] = [];
      const code = await runCli(["report", "review", "--ledger", "a.gpuledger", "--period", "2026-09", "--as", as, "--lang", "en"], { out: () => undefined, err: (text) => void said.push(text), environment: {} });
      expect([code, said.join("").split(":")[0]]).toEqual([2, "use.missing"]);
    }
  });

  it("is printed on A4 or Letter and no other paper", () => {
    expect(["A4", "Letter", "a4", "A3"].map(isPaper)).toEqual([true, true, false, false]);
  });
});
