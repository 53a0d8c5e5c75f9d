import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { keepScenario, keepTerm, storedScenarios, storedTerms } from "../../../../../main/engine/commitments/scenarios.ts";
import { migrations } from "../../../../../main/engine/store/migrations/index.ts";
import { openLedger } from "../../../../../main/engine/store/open.ts";
import { defaultPlanInputs } from "../../../../../shared/contract/plan.ts";
import { opened } from "../../reports/look.ts";

it("leaves a ledger of the versions before as it was, with room for scenarios and terms", () => {
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-plans-"));
  try {
    const path = join(folder, "company.gpuledger");
    const before = opened(openLedger(path, { create: true, migrations: migrations.filter(({ version }) => version < 4) }));
    before.db.prepare("INSERT INTO setting (Key, Value) VALUES ('fiscal-start', '4')").run();
    before.close();
    const after = opened(openLedger(path, { create: false, migrations: migrations.filter(({ version }) => version <= 4) }));
    expect(after.db.prepare("SELECT Value FROM setting WHERE Key = 'fiscal-start'").pluck().get()).toBe("4");
    expect([storedScenarios(after.db), storedTerms(after.db)]).toEqual([[], []]);
    const author = { who: "me", at: "2026-10-01T00:00:00Z" };
    const scenario = { name: "one", period: "2026-09", scope: { provider: ["AWS"] }, currency: null, inputs: defaultPlanInputs };
    const id = keepScenario(after.db, scenario, author);
    // A name is kept once: saved again, it is the same scenario with what is asked now.
    expect(keepScenario(after.db, { ...scenario, period: "2026-10" }, author)).toBe(id);
    expect(storedScenarios(after.db)).toEqual([{ ...scenario, id, period: "2026-10", savedAt: author.at, savedBy: "me" }]);
    const term = { commitment: "c-1", startsOn: null, endsOn: "2026-12-01", termMonths: 12, payment: "all-upfront", gpus: "8", isConvertible: false, renewalHourly: null, note: null } as const;
    keepTerm(after.db, term, author);
    keepTerm(after.db, { ...term, isConvertible: null, gpus: null }, author);
    expect(storedTerms(after.db)).toEqual([{ ...term, isConvertible: null, gpus: null }]);
    after.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
