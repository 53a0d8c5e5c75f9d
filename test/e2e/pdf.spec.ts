import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { dialogsAnswer, openSample, patience, startJourney } from "./journey.ts";

const project = join(import.meta.dirname, "../..");
const sample = join(project, "dist/sample/sample.gpuledger");
const hasPoppler = spawnSync("pdftotext", ["-v"]).error === undefined;
const hasSample = existsSync(sample);

let folder: string;
test.beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "gpu-ledger-pdf-"))));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const language of ["en", "zh-CN"] as const) {
  for (const report of ["review", "monthly"] as const) {
    test(`the terminal prints ${report} in ${language} on one page, with the sentence and the total of the text`, () => {
      test.skip(!hasPoppler, "pdftotext is not installed (poppler-utils)");
      test.skip(!hasSample, "the sample company is not built");
      test.setTimeout(patience);
      const file = join(folder, `${report}-${language}.pdf`);
      const ask = ["report", report, "--ledger", sample, "--period", "2026-09", "--lang", language];
      expect(cli([...ask, "--as", "pdf", "--out", file]).status).toBe(0);
      const document = JSON.parse(cli([...ask, "--as", "json"]).stdout) as { readonly answer: { readonly text: string } };
      const [total = "no total"] = /\$[\d,]+\.\d\d/.exec(document.answer.text) ?? [];
      const printed = squeezed(spawnSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" }).stdout);
      expect(printed).toContain(squeezed(document.answer.text));
      expect(printed).toContain(squeezed(total));
      const info = spawnSync("pdfinfo", [file], { encoding: "utf8" }).stdout;
      expect(info).toMatch(/Pages:\s+1\n/);
      expect(info).toMatch(/Tagged:\s+yes/);
    });
  }
}

test("the window exports a PDF of the report it shows, and nothing breaks its rules", async () => {
  test.skip(!hasSample, "the sample company is not built");
  test.setTimeout(patience);
  const journey = await startJourney();
  try {
    await openSample(journey.page);
    const file = join(folder, "window.pdf");
    await dialogsAnswer(journey.app, { save: file });
    await journey.page.getByRole("button", { name: "Export" }).click();
    await journey.page.getByRole("menuitem", { name: "PDF" }).click();
    await expect.poll(() => existsSync(file) && statSync(file).size > 0, { timeout: 60_000 }).toBe(true);
    expect(readFileSync(file).subarray(0, 5).toString()).toBe("%PDF-");
    expect(journey.complaints).toEqual([]);
  } finally {
    await journey.close();
  }
});

function cli(words: readonly string[]): { readonly status: number | null; readonly stdout: string } {
  return spawnSync(process.execPath, [join(project, "scripts/cli.mjs"), ...words], { cwd: project, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}

/** Lines break on paper where they do not in a sentence. */
function squeezed(text: string): string {
  return text.replaceAll(/\s+/gu, "");
}
