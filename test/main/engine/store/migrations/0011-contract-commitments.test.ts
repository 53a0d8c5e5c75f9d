import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { contractCommitments } from "../../../../../main/engine/commitments/contracts.ts";
import { migrations } from "../../../../../main/engine/store/migrations/index.ts";
import { openLedger } from "../../../../../main/engine/store/open.ts";
import { opened } from "../../reports/look.ts";

it("keeps the groups of deliveries as they were, without a report's number, and lets reports of several numbers stand side by side", () => {
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-contracts-"));
  try {
    const path = join(folder, "company.gpuledger");
    const before = opened(openLedger(path, { create: true, migrations: migrations.filter(({ version }) => version < 11) }));
    const group = (extra = "", value = ""): string =>
      `INSERT INTO delivery_group (ProviderName, DatasetKind, BillingAccountId, BillingPeriodStart, BillingPeriodEnd, Month, CurrentGeneration${extra})
       VALUES ('Oracle', 'cash-and-accrual', NULL, '2026-09-01T00:00:00Z', '2026-10-01T00:00:00Z', '2026-09', 3${value})`;
    before.db.exec(group());
    before.close();
    const after = opened(openLedger(path, { create: false, migrations: migrations.filter(({ version }) => version <= 11) }));
    expect(after.db.prepare("SELECT GroupId, ProviderName, Month, CurrentGeneration, ReportNumber FROM delivery_group").all()).toEqual([
      { GroupId: 1, ProviderName: "Oracle", Month: "2026-09", CurrentGeneration: 3, ReportNumber: "" },
    ]);
    expect(() => after.db.exec(group())).toThrow(/UNIQUE/);
    after.db.exec(group(", ReportNumber", ", '0001000000603747'"));
    expect(() => after.db.exec(group(", ReportNumber", ", '0001000000603747'"))).toThrow(/UNIQUE/);
    expect(contractCommitments(after.db)).toEqual([]);
    after.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
