/** Jobs: which GPUs a scheduler gave to whom, and when. */
export const jobs = {
  version: 14,
  name: "0014-jobs",
  sql: /* sql */ `
-- What Slurm or Kubernetes gave to a job: GPUs held, never how busy they were. A job shows as the newest posted import that holds it states it.
CREATE TABLE gpu_job (
  FileId         INTEGER NOT NULL REFERENCES source_file ON DELETE CASCADE,
  Line           INTEGER NOT NULL,                  -- of the file; in JSON the job's place in it, from 1
  BatchId        INTEGER NOT NULL REFERENCES batch ON DELETE CASCADE,
  Source         TEXT NOT NULL CHECK (Source IN ('slurm', 'kubernetes')),
  Cluster        TEXT NOT NULL,                     -- '' where the source names none
  JobId          TEXT NOT NULL,                     -- with its place in an array or a heterogeneous job; of Kubernetes the allocation's name
  Name           TEXT,
  User           TEXT,
  Account        TEXT,                              -- whose it is: Slurm account, team label or namespace
  Partition      TEXT,                              -- of Kubernetes the namespace
  State          TEXT,
  Hosts          TEXT NOT NULL,                     -- JSON list of node names; [] where unknown
  GpuCount       REAL CHECK (GpuCount > 0),         -- held on all hosts together; NULL: GPUs, and nobody says how many
  GpuModel       TEXT,
  StartSecond    INTEGER NOT NULL,                  -- Unix seconds
  EndSecond      INTEGER,                           -- NULL: still running when it was exported, or unknown
  ElapsedSeconds INTEGER CHECK (ElapsedSeconds >= 0), -- without time suspended; NULL: unknown
  PRIMARY KEY (FileId, Line)
) STRICT, WITHOUT ROWID;
CREATE INDEX gpu_job_by_batch ON gpu_job (BatchId);
`,
} as const;
