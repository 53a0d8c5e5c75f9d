import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { migrations } from "../../../../../main/engine/store/migrations/index.ts";
import { openLedger } from "../../../../../main/engine/store/open.ts";
import { opened } from "../../reports/look.ts";

it("adds a place for jobs to a ledger that has none, and refuses 0 GPUs: what is not known is NULL", () => {
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-jobs-"));
  try {
    const path = join(folder, "company.gpuledger");
    const before = opened(openLedger(path, { create: true, migrations: migrations.filter(({ version }) => version < 14) }));
    before.db.exec("INSERT INTO batch (BatchId, Kind, State, FormatId, RowsRead, RowsPosted, RowsSetAside, Report) VALUES (7, 'telemetry', 'posted', 'slurm-sacct', 0, 0, 0, '{}')");
    before.close();

    const { db, close } = opened(openLedger(path, { create: false, migrations: migrations.filter(({ version }) => version <= 14) }));
    expect(db.prepare("SELECT BatchId, State FROM batch").all()).toEqual([{ BatchId: 7, State: "posted" }]);
    db.exec("INSERT INTO source_file (FileId, BatchId, Path, Name, Size, Sha256, Compression, Encoding, Delimiter, Layout) VALUES (1, 7, 'a', 'a', 1, '', NULL, 'utf8', '|', '{}')");
    const add = db.prepare("INSERT INTO gpu_job (FileId, Line, BatchId, Source, Cluster, JobId, Hosts, GpuCount, StartSecond) VALUES (1, ?, 7, 'slurm', '', '9', '[]', ?, 0)");
    expect(() => add.run(1, 0)).toThrow(/CHECK/);
    add.run(2, null);
    expect(db.prepare("SELECT JobId, GpuCount, EndSecond, ElapsedSeconds FROM gpu_job").all()).toEqual([{ JobId: "9", GpuCount: null, EndSecond: null, ElapsedSeconds: null }]);
    close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
