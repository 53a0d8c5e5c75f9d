import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as zlib from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ImportOutcome, ImportPreview, PreviewFile } from "../../../../shared/contract/methods.ts";
import type { Result } from "../../../../shared/result.ts";
import { membersOf } from "../../../../main/engine/import/scan/archive.ts";
import { openSource } from "../../../../main/engine/import/scan/source.ts";
import { SourceError } from "../../../../main/engine/import/scan/failure.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { tarOf, zipOf, type ZipMember } from "./archives-of.ts";
import { focusBill, smiLog } from "./bills-of.ts";

const project = join(import.meta.dirname, "../../../..");
const { gzipSync } = zlib;
const zstdCompressSync = (zlib as { readonly zstdCompressSync?: (bytes: Buffer | string) => Buffer }).zstdCompressSync;
let folder = "";
let engine: Engine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-archives-"));
  engine = createEngine({
    ledgerPath: null,
    userDataFolder: join(folder, "data"),
    resourcesFolder: join(project, "resources"),
    jobRunner: "inline",
    readerFile: new URL(`file://${join(project, "main/engine/import/reader.ts")}`),
    emit: () => undefined,
  });
  must(await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true }));
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
function file(name: string, bytes: string | Buffer): string {
  const path = join(folder, "in", name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}
async function preview(...files: string[]): Promise<ImportPreview> {
  return must(await engine.ask("import.preview", { files, options: { timezone: "UTC" } }));
}
async function post({ plan }: { readonly plan: string }): Promise<ImportOutcome> {
  return must(await engine.ask("import.post", { plan }));
}
async function totals(): Promise<unknown> {
  return must(await engine.ask("totals.read", { period: null, by: ["month"] })).rows.map(({ month, rows, currency, BilledCost }) => [month, rows, currency, BilledCost]);
}
const states = ({ files }: ImportPreview): unknown[] => files.map(({ state, error }: PreviewFile) => (error === null ? state : error.code));
const names = ({ files }: ImportPreview): string[] => files.map(({ path }) => path.slice(join(folder, "in").length + 1));

const september = focusBill([{ day: "2026-09-01", cost: "0.000000000000000001" }, { day: "2026-09-02", cost: "1.5" }]);
const october = focusBill([{ day: "2026-10-01", cost: "2.25" }]);

describe("archives", () => {
  it.each([
    ["zip", () => file("bills.zip", zipOf([{ name: "2026/september.csv", bytes: september }, { name: "2026/october.csv.gz", bytes: gzipSync(october), isStored: true }, { name: "2026/", bytes: "", isStored: true }]))],
    ["tar", () => file("bills.tar", tarOf([{ name: "2026", type: "5" }, { name: "2026/september.csv", bytes: september }, { name: "2026/october.csv.gz", bytes: gzipSync(october) }]))],
    ["tar.gz, whatever its name", () => file("bills.bin", gzipSync(tarOf([{ name: "2026/september.csv", bytes: september }, { name: "2026/october.csv.gz", bytes: gzipSync(october) }])))],
  ])("lists each member as a file of its own and posts what is a bill: %s", async (_kind, archive) => {
    const path = archive();
    const seen = await preview(path);
    expect(names(seen).map((name) => name.replace(/^bills\.\w+/, "bills"))).toEqual(["bills › 2026/october.csv.gz", "bills › 2026/september.csv"]);
    expect(states(seen)).toEqual(["ready", "ready"]);
    await post(seen);
    expect(await totals()).toEqual([["2026-10", 1, "USD", "2.25"], ["2026-09", 2, "USD", "1.500000000000000001"]].sort());
    expect(states(await preview(path))).toEqual(["unchanged", "unchanged"]);
    // A member is its bytes, wherever they lie.
    expect(states(await preview(file("september.csv", september)))).toEqual(["unchanged"]);
  });

  it("shows the rows behind a figure out of the archive, and says when it is gone or another", async () => {
    for (const [index, [name, bytes]] of ([["rows.zip", zipOf([{ name: "a/b.csv", bytes: september }])], ["rows.tgz", gzipSync(tarOf([{ name: "first.txt", bytes: "x" }, { name: "a/b.csv.gz", bytes: gzipSync(october) }]))]] as const).entries()) {
      const path = file(name, bytes);
      const month = index === 0 ? "2026-09" : "2026-10";
      await post(await preview(path));
      const rows = async () => must(await engine.ask("rows.read", { ref: { metric: "spend", period: month, scope: {}, basis: "BilledCost", currency: null }, of: "charges", offset: 0, limit: 10 }));
      const page = await rows();
      expect(page.rows.map(({ file: shown, line }) => [shown, line])).toEqual(index === 0 ? [["rows.zip › a/b.csv", 2], ["rows.zip › a/b.csv", 3]] : [["rows.tgz › a/b.csv.gz", 2]]);
      writeFileSync(path, zipOf([{ name: "a/b.csv", bytes: october + october }]));
      expect((await rows()).missing).toEqual([{ code: "rows.file-changed", params: { file: page.rows[0]?.file } }]);
      rmSync(path);
      expect((await rows()).missing).toEqual([{ code: "rows.file-missing", params: { file: page.rows[0]?.file } }]);
    }
  });

  it("reads logs out of archives", async () => {
    const seen = await preview(file("logs.zip", zipOf([{ name: "node-1.csv", bytes: smiLog("2026-09-01", [10, 20]) }])));
    expect(states(seen)).toEqual(["ready"]);
    expect(seen.files[0]?.telemetry?.hosts).toEqual(["node-1"]);
  });

  it.runIf(zstdCompressSync !== undefined)("reads zst, alone and in a zip", async () => {
    const seen = await preview(file("september.csv.zst", zstdCompressSync?.(september) ?? ""), file("more.zip", zipOf([{ name: "october.csv.zst", bytes: zstdCompressSync?.(october) ?? "", isStored: true }])));
    expect(states(seen)).toEqual(["ready", "ready"]);
    await post(seen);
    expect(await totals()).toEqual(expect.arrayContaining([["2026-09", 2, "USD", "1.500000000000000001"], ["2026-10", 1, "USD", "2.25"]]));
  });

  it("refuses members that are no bills, archives in archives, and what is locked, each by its name", async () => {
    const seen = await preview(
      file("mixed.zip", zipOf([
        { name: "bill.csv", bytes: september },
        { name: "inner.zip", bytes: zipOf([{ name: "x.csv", bytes: october }]), isStored: true },
        { name: "locked.csv", bytes: october, flags: 1 },
        { name: "notes.txt", bytes: "nothing here\n" },
        { name: "nothing.csv", bytes: "", isStored: true },
        { name: "__MACOSX/._bill.csv", bytes: "x" },
      ])),
    );
    expect(names(seen).map((name, index) => [name, states(seen)[index]])).toEqual([
      ["mixed.zip › bill.csv", "ready"],
      ["mixed.zip › inner.zip", "import.archive-nested"],
      ["mixed.zip › locked.csv", "import.encrypted"],
      ["mixed.zip › notes.txt", "import.unrecognized"],
      ["mixed.zip › nothing.csv", "import.empty"],
    ]);
  });

  it("writes nothing anywhere, whatever members are called", async () => {
    const before = readdirSync(folder);
    const path = file("tricks.zip", zipOf([{ name: "../../../evil.csv", bytes: september }, { name: "/etc/evil.csv", bytes: october }, { name: "a\\..\\evil.csv", bytes: focusBill([{ day: "2026-08-01", cost: "1" }]) }]));
    const seen = await preview(path);
    expect(names(seen)).toEqual(["tricks.zip › a/evil.csv", "tricks.zip › etc/evil.csv", "tricks.zip › evil.csv"]);
    await post(seen);
    expect(readdirSync(folder).sort()).toEqual([...before, "in"].sort());
    const tar = file("tricks.tar", tarOf([{ name: "../evil.csv", bytes: focusBill([{ day: "2026-07-01", cost: "1" }]) }, { name: "link.csv", type: "2" }]));
    expect(names(await preview(tar))).toEqual(["tricks.tar › evil.csv"]);
  });

  it("tells two members of one name apart, and reads names of Chinese systems", async () => {
    const gb = Buffer.from([0xd5, 0xcb, 0xb5, 0xa5, 0x2e, 0x63, 0x73, 0x76]);
    const members: ZipMember[] = [{ name: "same.csv", bytes: september }, { name: "same.csv", bytes: october }, { name: gb, bytes: focusBill([{ day: "2026-08-01", cost: "3" }]) }];
    const seen = await preview(file("names.zip", zipOf(members)));
    expect(names(seen)).toEqual(["names.zip › same.csv", "names.zip › same.csv (2)", "names.zip › 账单.csv"]);
    await post(seen);
    expect(await totals()).toHaveLength(3);
  });

  it("refuses what would burst, by its claims and by what comes out", async () => {
    const claimed = zipOf(Array.from({ length: 30 }, (_member, index) => ({ name: `${index}.csv`, bytes: "x", claims: { size: 0xff_ff_ff_00 } })));
    expect(states(await preview(file("claims.zip", claimed)))).toEqual(["import.archive-bursting"]);
    const source = await openSource({ path: file("burst.csv.gz", gzipSync(Buffer.alloc(300 * 1024 * 1024))), compression: "gzip", encoding: "utf-8", markLength: 0, isHashed: false });
    const target = new Uint8Array(4 * 1024 * 1024);
    await expect((async () => { while ((await source.read(target, 0, target.length)) > 0); })()).rejects.toMatchObject({ failure: "bursting" });
    await source.close();
    expect(await totals()).toEqual([]);
  });

  it("refuses a member whose bytes are not what the archive says", async () => {
    expect(states(await preview(file("crc.zip", zipOf([{ name: "bill.csv", bytes: september, isStored: true, claims: { crc: 1 } }]))))).toEqual(["import.unreadable"]);
  });

  it("refuses a tar that was cut between two members", async () => {
    expect(states(await preview(file("cut.tar", tarOf([{ name: "bill.csv", bytes: september }], { isWhole: false }))))).toEqual(["import.truncated"]);
    expect(states(await preview(file("none.tar", tarOf([{ name: "folder", type: "5" }]))))).toEqual(["import.empty"]);
  });

  const whole: readonly (readonly [string, Buffer])[] = [
    ["t.zip", zipOf([{ name: "a.csv", bytes: september }, { name: "b.csv", bytes: october }])],
    ["t.tar", tarOf([{ name: "a.csv", bytes: september }, { name: "b.csv", bytes: october }])],
    ["t.tar.gz", gzipSync(tarOf([{ name: "a.csv", bytes: september }, { name: "b.csv", bytes: october }]))],
    ...(zstdCompressSync === undefined ? [] : [["t.csv.zst", zstdCompressSync(september)] as const]),
  ];
  it.each(whole)("cut anywhere, %s is refused or holds whole members only", async (name, bytes) => {
    const step = Math.max(1, Math.floor(bytes.length / 60));
    for (let length = 1; length < bytes.length; length += step) {
      const seen = await preview(file(name, bytes.subarray(0, length)));
      for (const { state, rowsRead } of seen.files) expect([state === "refused", rowsRead === 2 || rowsRead === 1]).toContain(true);
      // Of an archive that lost its end nothing is read at all.
      if (name !== "t.tar" || length < bytes.length - 1024) expect(seen.files.map(({ state }) => state)).toEqual(["refused"]);
      must(await engine.ask("import.discard", { plan: seen.plan }));
    }
  }, 120_000);

  it("with any byte changed an archive is listed or refused with a reason", async () => {
    for (const [name, bytes] of whole.filter(([each]) => each.includes(".tar") || each.endsWith(".zip"))) {
      for (let at = 0; at < bytes.length; at += Math.max(1, Math.floor(bytes.length / 150))) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ 0x5a;
        const listed = await membersOf(file(name, changed)).catch((fault: unknown) => fault);
        expect(listed === null || Array.isArray(listed) || listed instanceof SourceError).toBe(true);
      }
    }
  }, 60_000);
});
