import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { firstLedger } from "../../../../../main/engine/store/migrations/0001-first-ledger.ts";
import { migrations } from "../../../../../main/engine/store/migrations/index.ts";
import { openLedger } from "../../../../../main/engine/store/open.ts";
import { storedBudgets } from "../../../../../main/engine/teams/budgets.ts";
import { replaceRules, storedRules } from "../../../../../main/engine/teams/rules.ts";
import { seriesOf } from "../../ledger-with.ts";
import { opened } from "../../reports/look.ts";

it("keeps a ledger of the first version as it was, without rules and without budgets", () => {
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-teams-"));
  try {
    const path = join(folder, "company.gpuledger");
    const before = opened(openLedger(path, { create: true, migrations: [firstLedger] }));
    seriesOf(before.db, { x_Team: "vision", ServiceName: "S3" });
    const rows = before.db.prepare("SELECT * FROM series").all();
    before.close();
    const after = opened(openLedger(path, { create: false, migrations }));
    expect(after.db.prepare("SELECT * FROM series").all()).toEqual(rows);
    expect([storedRules(after.db), storedBudgets(after.db)]).toEqual([[], []]);
    replaceRules(after.db, [{ name: "all", team: "data", conditions: [{ source: "column", key: "service", op: "exists" }], fromMonth: null, toMonth: null }]);
    expect(after.db.prepare("SELECT x_Team FROM series").pluck().all()).toEqual(["data"]);
    after.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
