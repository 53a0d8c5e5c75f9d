import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exportPdf, paperOf } from "../../../main/app/export-pdf.ts";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { err, ok } from "../../../shared/result.ts";

const request = { report: "review", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null } as const;
const bytes = new TextEncoder().encode("%PDF-1.4");
const hands = { ask: () => Promise.resolve(ok({ report: "review" })), print: () => Promise.resolve(bytes), paper: "A4" as const, reference: () => "r1" };

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "gpu-ledger-pdf-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("exporting a PDF", () => {
  it("writes the file that was chosen and answers with its name", async () => {
    const file = join(folder, "review.pdf");
    expect(await exportPdf({ request, as: "pdf", language: "en", file }, hands)).toEqual(ok({ file: "review.pdf" }));
    expect(readFileSync(file, "utf8")).toBe("%PDF-1.4");
  });

  it("passes on what the engine refuses, and writes nothing", async () => {
    const file = join(folder, "review.pdf");
    const refused = err(ledgerError("report.no-data", { period: "2026-09" }));
    expect(await exportPdf({ request, as: "pdf", language: "en", file }, { ...hands, ask: () => Promise.resolve(refused) })).toEqual(refused);
    expect(existsSync(file)).toBe(false);
  });

  it("says that a file cannot be written, and that a drawing failed", async () => {
    const nowhere = join(folder, "no/such/folder/review.pdf");
    expect(await exportPdf({ request, as: "pdf", language: "en", file: nowhere }, hands)).toEqual(err(ledgerError("file.not-writable", { file: "review.pdf" })));
    expect(await exportPdf({ request, as: "pdf", language: "en", file: join(folder, "a.pdf") }, { ...hands, print: () => Promise.reject(new Error("gone")) })).toEqual(err(ledgerError("app.fault", { reference: "r1" })));
  });

  it("takes Letter where Letter is the paper", () => {
    expect([paperOf("US"), paperOf("CA"), paperOf("DE"), paperOf("CN")]).toEqual(["Letter", "Letter", "A4", "A4"]);
  });
});
