import { createHash } from "node:crypto";
import { chmodSync, closeSync, constants, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writePack } from "../../../main/engine/esg/write.ts";
import { makeFolder, readText, writeWhole } from "../../../main/engine/files.ts";

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

it("keeps a link and replaces what it points at, and leaves files of the person's beside it alone", () => {
  writeFileSync(join(folder, "real.csv"), "old");
  writeFileSync(join(folder, "link.csv.new"), "mine");
  chmodSync(join(folder, "real.csv"), 0o640);
  symlinkSync("real.csv", join(folder, "link.csv"));
  expect(writeWhole(join(folder, "link.csv"), "new")).toMatchObject({ ok: true });
  expect(["real.csv", "link.csv", "link.csv.new"].map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(["new", "new", "mine"]);
  expect(readdirSync(folder).sort()).toEqual(["link.csv", "link.csv.new", "real.csv"]);
  if (process.platform !== "win32") expect(statSync(join(folder, "real.csv")).mode & 0o777).toBe(0o640);
});

it.skipIf(process.platform === "win32")("writes into a pipe as it is", () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  // Opened both ways, so that neither end waits for the other.
  const end = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  expect(writeWhole(pipe, "rows")).toMatchObject({ ok: true });
  const read = Buffer.alloc(10);
  expect(read.subarray(0, readSync(end, read)).toString()).toBe("rows");
  closeSync(end);
});

it("makes folders in folders, and ends where the system allows none", () => {
  makeFolder(join(folder, "a/b/c"));
  makeFolder(join(folder, "a/b/c"));
  expect(existsSync(join(folder, "a/b/c"))).toBe(true);
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolder(join(folder, "file/below"))).toThrow();
});

it.skipIf(!existsSync("/proc/self"))("says in words that nothing can be written among processes, and does not try for ever", () => {
  for (const place of ["/proc/x", "/proc/x/y", "/proc/x.zip", "/proc/x/y.zip"]) expect(writePack(place, packOf({ "README.txt": "a" }), new Date(0))).toMatchObject({ error: { code: "file.not-writable" } });
});

/** A pack as it is written, its list at the end. */
function packOf(files: Readonly<Record<string, string>>) {
  const list = Object.entries(files).map(([name, text]) => ({ name, sha256: createHash("sha256").update(text).digest("hex") }));
  return [...Object.entries(files), ["pack.json", JSON.stringify({ figuresSha256: "0".repeat(64), files: list })] as const].map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
}

function textsIn(place: string): Readonly<Record<string, string>> {
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.sort().map((file): [string, string] => [file.slice(place.length + 1), readFileSync(file, "utf8")]));
}

const first = { "README.txt": "one", "csv/by-team.csv": "1", "esg-2026-Q3.xlsx": "x" };

it("replaces a pack and leaves what else lies in its folder", () => {
  const pack = join(folder, "pack");
  expect(writePack(pack, packOf(first), new Date(0))).toMatchObject({ ok: true });
  writeFileSync(join(pack, "notes.txt"), "mine");
  writeFileSync(join(pack, "csv/mine.csv"), "mine");
  expect(writePack(pack, packOf({ "README.txt": "two", "csv/by-team.csv": "2", "esg-2026.xlsx": "y" }), new Date(0))).toMatchObject({ ok: true });
  const { "pack.json": _list, ...texts } = textsIn(pack);
  expect(texts).toEqual({ "README.txt": "two", "csv/by-team.csv": "2", "csv/mine.csv": "mine", "esg-2026.xlsx": "y", "notes.txt": "mine" });
  expect(readdirSync(folder)).toEqual(["pack"]);
});

it("leaves the earlier pack as it was where a file of the new one cannot be written", () => {
  const pack = join(folder, "pack");
  writePack(pack, packOf(first), new Date(0));
  const before = textsIn(pack);
  // The last file would lie below the first, which is none of the folders.
  expect(writePack(pack, packOf({ "README.txt": "two", "README.txt/below.csv": "2" }), new Date(0))).toMatchObject({ error: { code: "file.not-writable" } });
  expect(textsIn(pack)).toEqual(before);
  expect(readdirSync(folder)).toEqual(["pack"]);
});

it("takes away nothing that it did not write, whatever a list in the folder says", () => {
  const pack = join(folder, "pack");
  mkdirSync(join(pack, "csv"), { recursive: true });
  const outside = join(folder, "outside.csv");
  for (const file of [outside, join(pack, "thesis.docx"), join(pack, "csv/own.csv")]) writeFileSync(file, "mine");
  const sha256 = createHash("sha256").update("mine").digest("hex");
  const list = (names: readonly string[]) => writeFileSync(join(pack, "pack.json"), JSON.stringify({ figuresSha256: "0".repeat(64), files: names.map((name) => ({ name, sha256 })) }));
  list(["../outside.csv", "thesis.docx", "csv/../../outside.csv", outside]);
  expect(writePack(pack, packOf(first), new Date(0))).toMatchObject({ ok: true });
  expect(["../outside.csv", "thesis.docx", "csv/own.csv"].map((name) => readFileSync(join(pack, name), "utf8"))).toEqual(["mine", "mine", "mine"]);
});

it("does not write over a file of the pack that a person has changed, nor into a folder with another tool's list", () => {
  const pack = join(folder, "pack");
  writePack(pack, packOf(first), new Date(0));
  writeFileSync(join(pack, "README.txt"), "my notes");
  expect(writePack(pack, packOf({ ...first, "README.txt": "two" }), new Date(0))).toMatchObject({ error: { code: "file.exists", params: { file: "pack/README.txt" } } });
  expect(readFileSync(join(pack, "README.txt"), "utf8")).toBe("my notes");
  const other = join(folder, "other");
  mkdirSync(other);
  for (const text of ["{}", "[]", "not json", JSON.stringify({ name: "my-package", files: ["a.js"] })]) {
    writeFileSync(join(other, "pack.json"), text);
    expect(writePack(other, packOf(first), new Date(0))).toMatchObject({ error: { code: "file.exists", params: { file: "other" } } });
    expect(textsIn(other)).toEqual({ "pack.json": text });
  }
});
