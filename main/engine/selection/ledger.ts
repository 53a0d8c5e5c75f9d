/** Vendor selections as the ledger keeps them, inputs alone; and what the ledger billed in a pilot. */
import type { Pilot, VendorSelection, VendorSelectionInput } from "../../../shared/contract/calculators.ts";
import { dayOf, startOfDay } from "../../../shared/domain/period.ts";
import { rational, type Rational } from "../../../shared/domain/rational.ts";
import { mostMeasured, readGpuHours, type GpuHourRow } from "../metrics/gpu-hours-where-met.ts";
import type { PilotFacts } from "../planning/vendor-selection.ts";
import { prepared, query, readAll, readOne, type Db } from "../store/sql.ts";

interface StoredSelection {
  readonly id: number;
  readonly changedAt: string;
  readonly inputs: string;
}

/** The one changed last comes first. */
export function storedSelections(db: Db): readonly VendorSelection[] {
  return readAll(db, query<StoredSelection>("id", "changedAt", "inputs")`
    -- selections.list
    SELECT SelectionId AS id, ChangedAt AS changedAt, Inputs AS inputs
    FROM vendor_selection
    ORDER BY ChangedAt DESC, SelectionId DESC`).map(({ id, changedAt, inputs }) => ({ ...(JSON.parse(inputs) as VendorSelectionInput), id, changedAt }));
}

/** Keeps a selection, inside the caller's transaction; gives its id. */
export function keepSelection(db: Db, { id, ...inputs }: VendorSelectionInput, at: string): number {
  if (id !== null) {
    prepared(db, "UPDATE vendor_selection SET Name = ?, ChangedAt = ?, Inputs = ? WHERE SelectionId = ?").run(inputs.name, at, JSON.stringify(inputs), id);
    return id;
  }
  return Number(prepared(db, "INSERT INTO vendor_selection (Name, ChangedAt, Inputs) VALUES (?, ?, ?)").run(inputs.name, at, JSON.stringify(inputs)).lastInsertRowid);
}

export function removeSelection(db: Db, id: number): void {
  prepared(db, "DELETE FROM vendor_selection WHERE SelectionId = ?").run(id);
}

/** What was billed in the pilot's days, of its provider, GPU model and team, in the selection's currency. */
export function pilotFacts(db: Db, pilot: Pilot, currency: string): PilotFacts {
  const first = dayOf(`${pilot.firstDay}T00:00:00Z`);
  const end = dayOf(`${pilot.lastDay}T00:00:00Z`) + 1;
  const rows = monthsBetween(first, end)
    .flatMap((part) => readGpuHours(db, part))
    .filter((row) => row.currency === currency && isOf(pilot, row));
  const billed = readOne(db, query<{ days: number }>("days")`
    -- selections.days-billed
    SELECT count(DISTINCT h.Day) AS days
    FROM gpu_hour_cost_current AS h
    JOIN series AS s ON s.SeriesId = h.SeriesId
    WHERE h.Day >= ${first} AND h.Day < ${end} AND s.BillingCurrency = ${currency} AND (${pilot.provider} IS NULL OR s.ProviderName = ${pilot.provider})`);
  const counter = mostMeasured(rows);
  return {
    days: end - first,
    daysBilled: billed?.days ?? 0,
    gpuHours: rows.length === 0 ? null : hours(rows, ({ gpuHours }) => gpuHours),
    cost: rows.length === 0 ? null : rational(rows.reduce((sum, { costAttos }) => sum + costAttos, 0n), 10n ** 18n),
    // Its utilization is one counter's: hours that only another one measured are not known to it.
    usedGpuHours: hours(rows, ({ counters }) => (counter === null ? 0 : (counters[counter]?.usefulGpuHours ?? 0))),
    knownGpuHours: hours(rows, ({ counters }) => (counter === null ? 0 : (counters[counter]?.knownGpuHours ?? 0))),
  };
}

function isOf({ provider, gpuModel, team }: Pilot, row: GpuHourRow): boolean {
  return (provider === null || row.provider === provider) && (gpuModel === null || row.gpuModel === gpuModel) && (team === null || row.team === team);
}

/** Hours to the billionth, whatever the order of the rows. */
function hours(rows: readonly GpuHourRow[], of: (row: GpuHourRow) => number): Rational {
  return rational(rows.reduce((sum, row) => sum + BigInt(Math.round(of(row) * 1e9)), 0n), 10n ** 9n);
}

/** The days in pieces that each lie within a month: whose a series is may change from month to month. */
function monthsBetween(first: number, end: number): readonly { readonly firstDay: number; readonly endDay: number }[] {
  const parts: { firstDay: number; endDay: number }[] = [];
  let day = first;
  while (day < end) {
    const start = new Date(startOfDay(day));
    const next = Math.min(end, Math.floor(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1) / 86_400_000));
    parts.push({ firstDay: day, endDay: next });
    day = next;
  }
  return parts;
}
