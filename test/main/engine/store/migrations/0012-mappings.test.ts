import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { savedMapping, savedMappings, shapeOf } from "../../../../../main/engine/import/mappings.ts";
import { migrations } from "../../../../../main/engine/store/migrations/index.ts";
import { openLedger } from "../../../../../main/engine/store/open.ts";
import { opened } from "../../reports/look.ts";

/** As the version before kept them: a setting for each header, under a hash of its sorted names. */
function settingOf(prefix: "column-mapping" | "log-mapping", mapping: { readonly header: readonly string[] }): readonly [string, string] {
  return [`${prefix}.${createHash("sha256").update([...mapping.header].sort().join("\n")).digest("hex").slice(0, 32)}`, JSON.stringify(mapping)];
}

const bill = (name: string, header: readonly string[]) => ({
  name, header, columns: { start: header[0], billed: header[1] }, constants: { currency: "EUR", provider: "Rack" }, zoneMinutes: 0, dateOrder: null, startIs: "instant", endIs: "last-day", decimalMark: ".", isGrouped: false, quantityIs: null, hoursFromPeriod: false, emptyWords: [],
});
const log = (name: string, header: readonly string[]) => ({ kind: "log", name, header, columns: { time: header[0], utilization: header[1] }, units: {}, isMeanUpTo: false });

it("carries the mappings of the versions before over by name, one a header, and leaves other settings alone", () => {
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-mappings-"));
  try {
    const path = join(folder, "company.gpuledger");
    const before = opened(openLedger(path, { create: true, migrations: migrations.filter(({ version }) => version < 12) }));
    const set = before.db.prepare("INSERT INTO setting (Key, Value) VALUES (?, ?)");
    set.run("fiscal-start", "4");
    set.run(...settingOf("column-mapping", bill("cost.csv", ["day", "cost"])));
    set.run(...settingOf("column-mapping", bill("cost.csv", ["day", "sum"])));
    set.run(...settingOf("log-mapping", log("load.csv", ["load", "time"])));
    // A header that was told to be both was read as a bill.
    set.run(...settingOf("log-mapping", log("both.csv", ["cost", "day"])));
    set.run("column-mapping.0123456789abcdef0123456789abcdef", "not json");
    before.close();

    const { db, close } = opened(openLedger(path, { create: false, migrations: migrations.filter(({ version }) => version <= 12) }));
    expect(db.prepare("SELECT Key FROM setting ORDER BY Key").pluck().all()).toEqual(["fiscal-start"]);
    const kept = savedMappings(db);
    expect(kept.map(({ name }) => name)).toEqual(["cost.csv", "cost.csv (2)", "load.csv"]);
    expect(kept.map(({ savedAt, lastUse }) => [savedAt, lastUse])).toEqual([[null, null], [null, null], [null, null]]);
    // Found for their headers, in whatever order.
    expect(savedMapping(db, shapeOf(["cost", "day"]))?.mapping).toMatchObject({ constants: { provider: "Rack" }, columns: { billed: "cost" } });
    expect(savedMapping(db, shapeOf(["sum", "day"]))?.mapping).toMatchObject({ columns: { billed: "sum" } });
    expect(savedMapping(db, shapeOf(["time", "load"]))?.mapping).toMatchObject({ kind: "log", name: "load.csv" });
    close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
