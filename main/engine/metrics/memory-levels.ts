import { query, type Query } from "../store/sql.ts";

/** Memory of the hours of one host's devices that had about the same 95th percentile: shares of the card, and seconds × cards with a reading. */
export interface MemoryLevel {
  readonly gpuModel: string | null;
  readonly host: string;
  readonly seconds: number;
  /** To a hundredth of a percent. */
  readonly p95: number | null;
  readonly peak: number | null;
}

/** Memory levels of all devices over some UTC days (since 1970-01-01), billed or not. */
export function memoryLevels(asked: { readonly firstDay: number; readonly endDay: number }): Query<MemoryLevel> {
  return query<MemoryLevel>("gpuModel", "host", "seconds", "p95", "peak")`
  -- memory-levels
  SELECT
    d.GpuModel                          AS gpuModel,
    d.Host                              AS host,
    sum(h.MemoryKnownSeconds * d.Share) AS seconds,
    round(h.MemoryShareP95, 4)          AS p95,
    max(h.MemorySharePeak)              AS peak
  FROM gpu_hour_current AS h
  JOIN device AS d ON d.DeviceId = h.DeviceId
  WHERE h.Day >= ${asked.firstDay} AND h.Day < ${asked.endDay} AND h.MemoryKnownSeconds > 0
  GROUP BY 1, 2, 4
  ORDER BY 1, 2, 4`;
}
