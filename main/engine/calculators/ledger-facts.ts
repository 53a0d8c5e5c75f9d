/** What the ledger and the catalog know for the calculators. */
import { GIGABYTES_PER_GIBIBYTE, type CalculatorFacts } from "../../../shared/contract/calculators.ts";
import { dayOf, parsePeriod } from "../../../shared/domain/period.ts";
import { divide, fromNumber, multiply, whole, type Rational } from "../../../shared/domain/rational.ts";
import type { BusyDevice } from "../planning/billing-granularity.ts";
import type { Facts } from "../planning/calculators/given.ts";
import { acceleratorById, type InstanceType, type Reference } from "../reference/catalog.ts";
import { query, readAll, readOne, type Db } from "../store/sql.ts";

/** GPU models that telemetry has seen. */
export function modelsSeen(db: Db): readonly string[] {
  return readAll(db, query<{ model: string }>("model")`
    -- calculators.models
    SELECT DISTINCT GpuModel AS model FROM device WHERE GpuModel IS NOT NULL ORDER BY GpuModel`).map(({ model }) => model);
}

/** The newest month with telemetry; null without any. */
export function newestMonth(db: Db): string | null {
  const newest = readOne(db, query<{ day: number }>("day")`
    -- calculators.newest-day
    SELECT g.Day AS day
    FROM day_generation AS g
    WHERE EXISTS (SELECT 1 FROM gpu_hour AS h WHERE h.Day = g.Day AND h.Generation = g.Generation)
    ORDER BY g.Day DESC
    LIMIT 1`);
  return newest === null ? null : new Date(newest.day * 86_400_000).toISOString().slice(0, 7);
}

/** The fullest that the memory of a model's cards was in a month. */
export function memoryPeakOf(db: Db, model: string, month: string): NonNullable<Facts["memoryPeak"]> | null {
  const span = daysOf(month);
  const peak = readOne(db, query<{ share: number | null; mebibytes: number | null; devices: number }>("share", "mebibytes", "devices")`
    -- calculators.memory-peak
    SELECT
      max(h.MemorySharePeak)                    AS share,
      max(h.MemorySharePeak * d.MemoryTotalMiB) AS mebibytes,
      count(DISTINCT h.DeviceId)                AS devices
    FROM gpu_hour_current AS h
    JOIN device AS d ON d.DeviceId = h.DeviceId
    WHERE h.Day >= ${span.first} AND h.Day < ${span.end} AND d.GpuModel = ${model} AND h.MemorySharePeak IS NOT NULL`);
  if (peak === null || peak.share === null || peak.mebibytes === null) return null;
  return { gigabytes: divide(multiply(fromNumber(peak.mebibytes), GIGABYTES_PER_GIBIBYTE), whole(1024)), share: peak.share, devices: peak.devices };
}

interface BusyRow {
  readonly share: number;
  readonly busySeconds: number;
  readonly busyHours: number;
  readonly starts: number;
  readonly knownSeconds: number;
}

/** When the cards of a model were busy in a month, each by itself; null without telemetry of it. */
export function busyDevicesOf(db: Db, model: string, month: string): NonNullable<Facts["busy"]> | null {
  const span = daysOf(month);
  const rows = readAll(db, query<BusyRow>("share", "busySeconds", "busyHours", "starts", "knownSeconds")`
    -- calculators.busy-devices
    SELECT
      share,
      sum(busy)                                                               AS busySeconds,
      sum(busy > 0)                                                           AS busyHours,
      sum(busy > 0 AND NOT (coalesce(busyBefore, 0) > 0 AND hourBefore = hour - 1)) AS starts,
      sum(known)                                                              AS knownSeconds
    FROM (
      SELECT
        h.DeviceId                                                              AS device,
        d.Share                                                                 AS share,
        h.HourStart                                                             AS hour,
        h.ActiveSeconds                                                         AS busy,
        h.KnownSeconds                                                          AS known,
        lag(h.HourStart) OVER (PARTITION BY h.DeviceId ORDER BY h.HourStart)     AS hourBefore,
        lag(h.ActiveSeconds) OVER (PARTITION BY h.DeviceId ORDER BY h.HourStart) AS busyBefore
      FROM gpu_hour_current AS h
      JOIN device AS d ON d.DeviceId = h.DeviceId
      WHERE h.Day >= ${span.first} AND h.Day < ${span.end} AND d.GpuModel = ${model}
    )
    GROUP BY device
    ORDER BY device`);
  if (rows.length === 0) return null;
  const devices = rows.map(({ share, busySeconds, busyHours, starts }): BusyDevice => {
    const card = fromNumber(share);
    return { share: card, busySeconds: multiply(rounded(busySeconds), card), busyHours: multiply(whole(busyHours), card), starts: whole(starts) };
  });
  return { devices, knownGpuHours: rows.reduce((hours, row) => hours + (row.knownSeconds * row.share) / 3600, 0), hours: whole((span.end - span.first) * 24) };
}

/** Seconds to the thousandth: what a log can tell. */
function rounded(seconds: number): Rational {
  return fromNumber(Math.round(seconds * 1000) / 1000);
}

function daysOf(month: string): { readonly first: number; readonly end: number } {
  const period = parsePeriod(month);
  return period === null ? { first: 0, end: 0 } : { first: dayOf(period.start), end: dayOf(period.end) };
}

/** Slices of the catalog that can be chosen, `nvidia-a100-sxm4-80gb/1g.10gb`. */
export function profilesOf({ migProfiles, lookups }: Reference): CalculatorFacts["profiles"] {
  return migProfiles.map(({ acceleratorId, profile }) => ({ id: `${acceleratorId}/${profile}`, text: `${lookups.acceleratorById.get(acceleratorId)?.label ?? acceleratorId} · ${profile}` }));
}

export function profileOf(reference: Reference, id: string): NonNullable<Facts["profile"]> | null {
  const [acceleratorId = "", name = ""] = id.split("/");
  const found = reference.migProfiles.find((row) => row.acceleratorId === acceleratorId && row.profile === name);
  if (found === undefined) return null;
  const card = acceleratorById(reference, acceleratorId);
  return { text: `${card?.label ?? acceleratorId} ${found.profile}`, computeShare: exactShare(found.computeShare, card?.smCount ?? null, found.totalSlices), memoryShare: fromNumber(found.memoryShare), count: found.maxCount };
}

/** The share as the fraction that it is: SMs of the card, or its slices. */
function exactShare(share: number, smCount: number | null, slices: number): Rational {
  for (const parts of [smCount, slices]) {
    if (parts !== null && Math.abs(share * parts - Math.round(share * parts)) < 1e-9) return divide(whole(Math.round(share * parts)), whole(parts));
  }
  return fromNumber(share);
}

/** A machine type of the catalog by its name, whoever rents it out. */
export function machineOf({ instanceTypes }: Reference, name: string): InstanceType | null {
  const wanted = name.trim().toLowerCase();
  return instanceTypes.find(({ instanceType }) => instanceType.toLowerCase() === wanted) ?? null;
}

/** Names of machine types with accelerators, each once. */
export function machineNames({ instanceTypes }: Reference): readonly string[] {
  return [...new Set(instanceTypes.map(({ instanceType }) => instanceType))].sort();
}

/** What the catalog states of a machine, as fields of the host calculator. */
export function machineFields(reference: Reference, machine: InstanceType): Readonly<Record<string, string>> {
  const card = acceleratorById(reference, machine.acceleratorId);
  const fields: Record<string, string> = {};
  if (machine.acceleratorCount !== null && Number.isInteger(machine.acceleratorCount)) fields["gpus"] = String(machine.acceleratorCount);
  if (card !== null && card.memoryGb !== null) fields["gpu-memory"] = String(card.memoryGb);
  if (machine.vcpu !== null) fields["vcpus"] = String(machine.vcpu);
  if (machine.memoryGib !== null) fields["ram"] = `${machine.memoryGib} GiB`;
  return fields;
}
