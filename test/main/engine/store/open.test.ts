import { copyFileSync, mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrations } from "../../../../main/engine/store/migrations/index.ts";
import { openLedger, type OpenLedger, type OpenOptions } from "../../../../main/engine/store/open.ts";

let folder = "";
const open: OpenLedger[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-open-"));
});
afterEach(() => {
  for (const ledger of open.splice(0)) ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

function opened(path: string, options: OpenOptions = { create: true }): OpenLedger {
  const result = openLedger(path, options);
  if (!result.ok) throw new Error(result.error.code);
  open.push(result.value);
  return result.value;
}

function refusal(path: string, options: OpenOptions = { create: false }): unknown {
  const result = openLedger(path, options);
  if (result.ok) {
    result.value.close();
    return "opened";
  }
  return result.error;
}

describe("opening a ledger", () => {
  it("makes one that is strict, durable and knows what it is", () => {
    const ledger = opened(join(folder, "company.gpuledger"));
    expect(ledger.name).toBe("company");
    expect(ledger.isReadOnly).toBe(false);
    expect(ledger.revision()).toBe(1);
    expect(ledger.db.pragma("journal_mode", { simple: true })).toBe("wal");
    expect(ledger.db.pragma("foreign_keys", { simple: true })).toBe(1);
    expect(ledger.db.pragma("synchronous", { simple: true })).toBe(2);
    const loose = ledger.db.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'").pluck().all();
    expect(loose).toEqual([]);
  });

  it("refuses what is missing, empty, another file, another database, cut short, or a folder", () => {
    expect(refusal(join(folder, "none.gpuledger"))).toEqual({ code: "ledger.not-found", params: { file: "none.gpuledger" } });

    writeFileSync(join(folder, "empty"), "");
    expect(refusal(join(folder, "empty"))).toMatchObject({ code: "ledger.not-a-ledger" });

    writeFileSync(join(folder, "text"), "line\n".repeat(1000));
    expect(refusal(join(folder, "text"), { create: true })).toMatchObject({ code: "ledger.not-a-ledger" });

    const other = new Database(join(folder, "other.db"));
    other.exec("CREATE TABLE t (a)");
    other.close();
    const before = readFileSync(join(folder, "other.db"));
    expect(refusal(join(folder, "other.db"), { create: true })).toMatchObject({ code: "ledger.not-a-ledger" });
    expect(readFileSync(join(folder, "other.db")).equals(before)).toBe(true);

    opened(join(folder, "whole")).close();
    copyFileSync(join(folder, "whole"), join(folder, "cut"));
    truncateSync(join(folder, "cut"), 20_000);
    expect(refusal(join(folder, "cut"))).toMatchObject({ code: "ledger.damaged" });

    mkdirSync(join(folder, "folder"));
    expect(refusal(join(folder, "folder"))).toMatchObject({ code: "ledger.not-a-ledger" });
  });

  it("leaves a ledger of a newer version as it is", () => {
    const path = join(folder, "newer");
    opened(path).close();
    const db = new Database(path);
    db.pragma("journal_mode = DELETE");
    db.pragma("user_version = 99");
    db.close();
    const before = readFileSync(path);
    expect(refusal(path)).toEqual({ code: "ledger.newer", params: { file: "newer", version: 99, supported: migrations.at(-1)?.version } });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("copies the file before it migrates", () => {
    const path = join(folder, "old");
    opened(path).close();
    const last = migrations.at(-1)?.version ?? 0;
    const next = { version: last + 1, name: "next-test", sql: "CREATE TABLE added (A INTEGER) STRICT;" };
    const ledger = opened(path, { create: false, migrations: [...migrations, next] });
    expect(ledger.db.prepare("SELECT count(*) FROM added").pluck().get()).toBe(0);
    expect(readdirSync(folder)).toContain(`old.version-${last}`);
    const copy = opened(join(folder, `old.version-${last}`), { create: false });
    expect(copy.db.pragma("user_version", { simple: true })).toBe(last);
  });

  it("lets one write; a second reads, and may write once the first has closed", () => {
    const path = join(folder, "shared");
    const first = opened(path);
    const second = opened(path, { create: false });
    expect(second.isReadOnly).toBe(true);
    expect(second.whyNotWritable()).toEqual({ code: "ledger.in-use", params: { file: "shared" } });
    expect(() => second.bump()).toThrow(/readonly/);
    expect(readdirSync(folder).filter((name) => name.includes("lock"))).toEqual(["shared-lock"]);
    first.bump();
    expect(second.revision()).toBe(2);
    first.close();
    expect(second.whyNotWritable()).toBeNull();
    expect(second.isReadOnly).toBe(false);
    expect(second.bump()).toBe(3);
  });
});
