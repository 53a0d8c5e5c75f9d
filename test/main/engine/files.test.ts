import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writePack } from "../../../main/engine/esg/write.ts";
import { readText, writeWhole } from "../../../main/engine/files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-files-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("writes a file whole, and says in words where there is no place for it, below a file too", () => {
  expect(writeWhole(join(folder, "a.csv"), "a")).toEqual({ ok: true, value: { file: "a.csv" } });
  for (const place of [join(folder, "a.csv", "b.csv"), join(folder, "none", "b.csv"), folder]) expect(writeWhole(place, "b")).toMatchObject({ error: { code: "file.not-writable" } });
  for (const place of [join(folder, "a.csv", "pack.zip"), join(folder, "a.csv", "pack")]) expect(writePack(place, [], new Date(0))).toMatchObject({ error: { code: "file.not-writable" } });
  expect(readFileSync(join(folder, "a.csv"), "utf8")).toBe("a");
  expect(readdirSync(folder)).toEqual(["a.csv"]);
});

it("reads text as spreadsheets save it", () => {
  const file = join(folder, "a.csv");
  for (const content of [Buffer.from("\uFEFF月份"), Buffer.from("\uFEFF月份", "utf16le"), Buffer.from("d4c2b7dd", "hex"), Buffer.from("月份")]) {
    writeFileSync(file, content);
    expect(readText(file)).toEqual({ ok: true, value: "月份" });
  }
  expect(readText(join(folder, "b.csv"))).toMatchObject({ error: { code: "import.not-found" } });
});
