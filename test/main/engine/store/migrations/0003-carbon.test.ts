import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { firstLedger } from "../../../../../main/engine/store/migrations/0001-first-ledger.ts";
import { teams } from "../../../../../main/engine/store/migrations/0002-teams.ts";
import { carbon } from "../../../../../main/engine/store/migrations/0003-carbon.ts";
import { openLedger } from "../../../../../main/engine/store/open.ts";
import { opened } from "../../reports/look.ts";

it("keeps the energy that power samples had told, by day, and leaves the time without any to the model", () => {
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-carbon-"));
  try {
    const path = join(folder, "company.gpuledger");
    const before = opened(openLedger(path, { create: true, migrations: [firstLedger, teams] }));
    const hour = before.db.prepare("INSERT INTO gpu_hour_cost (Day, Generation, HourStart, SeriesId, GpuHours, KnownGpuHours, UsefulGpuHours, IdleGpuHours, MemoryKnownGpuHours, MemoryUsedGpuHours, EnergyWattHours) VALUES (20718, 4, ?, 7, 8, ?, ?, 0, 0, 0, ?)");
    hour.run(497_232, 8, 6, 4321.5);
    hour.run(497_233, 5, 2, null);
    hour.run(497_234, 0, 0, null);
    before.close();
    const after = opened(openLedger(path, { create: false, migrations: [firstLedger, teams, carbon] }));
    expect(after.db.prepare("SELECT Day, Generation, SeriesId, GpuHours, PowerGpuHours, PowerMilliwattHours, ModelGpuHours, ModelUsefulGpuHours FROM gpu_energy_day").all()).toEqual([
      { Day: 20_718, Generation: 4, SeriesId: 7, GpuHours: 24, PowerGpuHours: 8, PowerMilliwattHours: 4_321_500, ModelGpuHours: 5, ModelUsefulGpuHours: 2 },
    ]);
    expect(after.db.prepare("SELECT count(*) FROM carbon_factor").pluck().get()).toBe(0);
    after.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
