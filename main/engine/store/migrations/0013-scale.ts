/** Scale: what keeps questions short on large ledgers. */
export const scale = {
  version: 13,
  name: "0013-scale",
  sql: /* sql */ `
-- Which days, metrics, devices and batches have traces is asked again and again, and each trace is some kilobytes: with all of it in the index
-- the traces themselves are not read. INDEXED BY names the index in the queries.
DROP INDEX gpu_trace_by_day;
CREATE INDEX gpu_trace_by_day ON gpu_trace (Day, Metric, DeviceId, BatchId, SampleCount);
DROP INDEX gpu_trace_by_batch;
CREATE INDEX gpu_trace_by_batch ON gpu_trace (BatchId, Day);
`,
} as const;
