/** What a scope emitted day by day, as budgets in kg CO2e count it: location-based, of GPU time. */
import type { CarbonRow } from "../../../shared/contract/carbon.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { referenceOf } from "../reference/at.ts";
import { carbonOf } from "../reports/carbon-rows.ts";
import { query, readAll, type Db } from "../store/sql.ts";
import type { DailyRow } from "./daily.ts";

/** 1e-18 kg in a microgram. */
const PER_MICROGRAM = 1_000_000_000n;

interface DayRow {
  readonly seriesId: number;
  readonly day: number;
  readonly gpuHours: number;
  readonly measuredHours: number;
  readonly milliwattHours: number;
}

/**
 * A month's emissions of each series spread over its days by the energy of each, to the microgram. Rows whose emissions cannot be
 * calculated are left out; null where none can be, or where the tables are not at hand.
 */
export function carbonDays(ledger: { readonly db: Db; revision(): number }, scope: Scope): readonly DailyRow[] | null {
  const reference = referenceOf(ledger.db);
  if (!reference.ok || reference.value === null) return null;
  const context = { ledger: { db: ledger.db, name: "", revision: () => ledger.revision() }, reference: reference.value, now: () => new Date(0) };
  const days = Map.groupBy(
    readAll(ledger.db, query<DayRow>("seriesId", "day", "gpuHours", "measuredHours", "milliwattHours")`-- carbon-days.energy
      SELECT
        SeriesId AS seriesId, Day AS day, GpuHours AS gpuHours, CounterGpuHours + PowerGpuHours AS measuredHours,
        CounterMilliwattHours + PowerMilliwattHours AS milliwattHours
      FROM gpu_energy_day_current
      ORDER BY Day, SeriesId`),
    ({ day }) => new Date(day * 86_400_000).toISOString().slice(0, 7),
  );
  const rows: DailyRow[] = [];
  for (const [month, ofMonth] of days) {
    const carbon = carbonOf(context, { period: month, scope });
    if (!carbon.ok) return null;
    const bySeries = Map.groupBy(ofMonth, ({ seriesId }) => seriesId);
    for (const row of carbon.value.rows) rows.push(...spread(row, bySeries.get(row.seriesId) ?? []));
  }
  return rows.some(({ attos }) => attos !== null) ? rows.filter(({ attos }) => attos !== null) : null;
}

function spread(row: CarbonRow, days: readonly DayRow[]): DailyRow[] {
  const { month, team, provider, service, locationMicrograms: emitted } = row;
  const daily = (day: number, attos: bigint | null): DailyRow => ({ day, month, team, provider, service, isDaily: 1, attos, gpuHours: null });
  if (emitted === null) return days.map(({ day }) => daily(day, null));
  const unmeasured = Number((row.gpuMilliwattHours ?? 0n) - row.tiers.counter.milliwattHours - row.tiers.power.milliwattHours);
  const unmeasuredHours = Math.max(0, row.gpuHours - row.tiers.counter.gpuHours - row.tiers.power.gpuHours);
  const weights = days.map(({ gpuHours, measuredHours, milliwattHours }) => {
    const open = unmeasuredHours === 0 ? 0 : (unmeasured * Math.max(0, gpuHours - measuredHours)) / unmeasuredHours;
    const host = row.gpuHours === 0 ? 0 : (Number(row.hostMilliwattHours ?? 0n) * gpuHours) / row.gpuHours;
    return BigInt(Math.max(0, Math.round(milliwattHours + open + host)));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  let reached = 0n;
  let taken = 0n;
  return days.map(({ day }, index) => {
    reached += weights[index] as bigint;
    const upTo = index === days.length - 1 ? emitted : total === 0n ? 0n : (emitted * reached) / total;
    const part = upTo - taken;
    taken = upTo;
    return daily(day, part * PER_MICROGRAM);
  });
}

/** What decides the rows beside the bills: the hours as they show, the factors and the settings. */
export function carbonStamp(db: Db): string {
  const [row] = readAll(db, query<{ stamp: string | null }>("stamp")`-- carbon-days.stamp
    SELECT
      ifnull((SELECT max(Generation) FROM day_generation), 0) || ' ' || ifnull((SELECT count(*) || ':' || total(FactorId) FROM carbon_factor), '') || ' '
      || ifnull((SELECT Value FROM setting WHERE Key = 'carbon'), '') AS stamp`);
  return row?.stamp ?? "";
}
