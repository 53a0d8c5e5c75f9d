/** Times of jobs: texts that say "not yet" as well as when. */
import { readTimestamp } from "../../import/timestamp.ts";
import type { TimestampReading } from "../../import/timestamp.ts";

const encoder = new TextEncoder();

/** A time as it is written; "none" where it says that there is none (yet), null for what cannot be read. */
export function jobTime(text: string): TimestampReading | "none" | null {
  const cell = text.trim();
  if (cell === "" || /^(unknown|none|n\/a|null|0)$/i.test(cell)) return "none";
  const bytes = encoder.encode(cell);
  const reading: TimestampReading = { ms: 0, isInstant: false };
  return readTimestamp(bytes, 0, bytes.length, reading) ? reading : null;
}
