/** When the polls of a log were that states no time: what the person says of it, else what its file does. */
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { ReadOptions } from "../../../shared/contract/methods.ts";
import { err, ok } from "../../../shared/result.ts";
import type { Result } from "../../../shared/result.ts";
import { readTimestamp } from "./timestamp.ts";
import type { TimestampReading } from "./timestamp.ts";
import { wallAt } from "./zone.ts";
import type { ZoneClock } from "./zone.ts";

export interface PollTime {
  /** The last poll, in Unix milliseconds. */
  readonly modifiedMs: number;
  readonly isTimeStated: boolean;
  /** What the clock of the person's zone showed then; null without a zone. */
  readonly modifiedWallMs: number | null;
  readonly everyMs: number | null;
}

/**
 * Reads `at` and `every`; without them the file's own time stands and the spacing is the tool's.
 * errors   use.invalid; import.zone-needed for a time without offset where no zone is given
 */
export function pollTime({ at, every }: ReadOptions, clock: ZoneClock | null, fileMs: number, file: string): Result<PollTime> {
  const everyMs = every === undefined ? null : spacing(every);
  if (everyMs === undefined) return err(ledgerError("use.invalid", { option: "--every", value: every ?? "" }));
  const stated = at === undefined ? ok(null) : instantOf(at, clock, file);
  if (!stated.ok) return stated;
  const modifiedMs = stated.value ?? fileMs;
  return ok({ modifiedMs, isTimeStated: stated.value !== null, modifiedWallMs: clock === null ? null : wallAt(clock.zone, modifiedMs), everyMs });
}

function instantOf(at: string, clock: ZoneClock | null, file: string): Result<number> {
  const bytes = new TextEncoder().encode(at.trim());
  const reading: TimestampReading = { ms: 0, isInstant: true };
  if (!readTimestamp(bytes, 0, bytes.length, reading)) return err(ledgerError("use.invalid", { option: "--at", value: at }));
  if (reading.isInstant) return ok(reading.ms);
  if (clock === null) return err(ledgerError("import.zone-needed", { file }));
  const [instant] = clock.instants(reading.ms);
  return instant === undefined ? err(ledgerError("use.invalid", { option: "--at", value: at })) : ok(instant);
}

const units: Readonly<Record<string, number>> = { ms: 1, "": 1000, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

/** `10`, `0.5s`, `500ms`, `1m`, in milliseconds, from 1 ms to a day; undefined if it is none. */
function spacing(every: string): number | undefined {
  const found = /^(\d{1,8}(?:\.\d{1,6})?) ?(ms|s|m|min|h|)$/.exec(every.trim().toLowerCase());
  const ms = found === null ? Number.NaN : Number(found[1]) * (units[found[2] ?? ""] as number);
  return ms >= 1 && ms <= 86_400_000 ? ms : undefined;
}
