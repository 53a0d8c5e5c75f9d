/** Points that a monitoring service lists newest first, or in no order, as samples in the order of their times. */
import type { DateOrder } from "../format.ts";
import { readTimestamp } from "../../import/timestamp.ts";
import type { TimestampReading } from "../../import/timestamp.ts";
import { readQuantityText } from "./cells.ts";
import type { QuantityColumn } from "./cells.ts";
import type { DeviceSeries, LogSink } from "./format.ts";
import { setLineAside } from "./text-lines.ts";

export interface StatedPoint {
  readonly time: string;
  /** Null where the service states none. */
  readonly value: string | null;
}

/** Adds them; null series: the ledger does not keep them; `order`: of dates that end with the year. Says whether a zone is needed. */
export function addPoints(series: { readonly device: DeviceSeries; readonly column: QuantityColumn } | null, points: readonly StatedPoint[], sink: LogSink, order: DateOrder | null = null): "added" | "zone-needed" {
  const read: { readonly time: TimestampReading; readonly value: number }[] = [];
  for (const { time, value } of points) {
    sink.rowRead();
    if (series === null) {
      sink.rowIgnored();
      continue;
    }
    const reading: TimestampReading = { ms: 0, isInstant: true };
    const bytes = encoder.encode(time);
    if (readTimestamp(bytes, 0, bytes.length, reading, order)) read.push({ time: reading, value: readQuantityText(series.column, value ?? "", sink) });
    else setLineAside(sink, `${time} ${value ?? ""}`, 0, { column: "timestamp", value: time }, "utc-time");
  }
  if (series === null) return "added";
  read.sort((one, other) => one.time.ms - other.time.ms);
  const values = new Float64Array(1);
  for (const { time, value } of read) {
    values[0] = value;
    if (series.device.add(time, values) === "zone-needed") return "zone-needed";
  }
  return "added";
}

const encoder = new TextEncoder();
