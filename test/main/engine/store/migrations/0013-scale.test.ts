import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { migrations } from "../../../../../main/engine/store/migrations/index.ts";
import { openLedger } from "../../../../../main/engine/store/open.ts";
import { encodeSegments } from "../../../../../main/engine/store/traces.ts";
import { addDevice } from "../../ledger-with.ts";
import { opened } from "../../reports/look.ts";

it("keeps the traces as they are, and finds days, devices and sample counts without reading one", () => {
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-scale-"));
  try {
    const path = join(folder, "company.gpuledger");
    const before = opened(openLedger(path, { create: true, migrations: migrations.filter(({ version }) => version < 13) }));
    const blob = encodeSegments({ startMs: Uint32Array.of(0), lengthMs: Uint32Array.of(60_000), value: Float32Array.of(50) });
    const add = before.db.prepare("INSERT INTO gpu_trace (DeviceId, Metric, Day, BatchId, SampleCount, Segments) VALUES (?, ?, ?, ?, ?, ?)");
    const devices = [addDevice(before.db, { host: "a" }), addDevice(before.db, { host: "b" })];
    for (const device of devices) for (const [day, batch] of [[20_000, 1], [20_001, 1], [20_001, 2]]) for (const metric of ["utilization", "power"]) add.run(device, metric, day, batch, metric === "power" ? 7 : 3, blob);
    const read = "SELECT * FROM gpu_trace ORDER BY DeviceId, Metric, Day, BatchId";
    const rows = before.db.prepare(read).all();
    before.close();

    const { db, close } = opened(openLedger(path, { create: false, migrations: migrations.filter(({ version }) => version <= 13) }));
    expect(db.prepare(read).all()).toEqual(rows);
    const asked = [
      "SELECT BatchId, sum(SampleCount) AS samples FROM gpu_trace INDEXED BY gpu_trace_by_day WHERE Day >= 20001 AND Day < 20002 AND Metric = 'utilization' GROUP BY BatchId ORDER BY BatchId",
      "SELECT DISTINCT DeviceId FROM gpu_trace INDEXED BY gpu_trace_by_day WHERE Day BETWEEN 20000 AND 20001 AND Metric IN ('power') ORDER BY DeviceId",
      "SELECT DISTINCT Day FROM gpu_trace WHERE BatchId IN (1) ORDER BY Day",
    ];
    for (const text of asked) expect(db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all().map(({ detail }) => detail).join("; ")).toMatch(/COVERING INDEX gpu_trace_by_/);
    expect(db.prepare(asked[0] ?? "").all()).toEqual([{ BatchId: 1, samples: 6 }, { BatchId: 2, samples: 6 }]);
    expect(db.prepare(asked[1] ?? "").pluck().all()).toEqual(devices);
    expect(db.prepare(asked[2] ?? "").pluck().all()).toEqual([20_000, 20_001]);
    close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
