import type { MethodInput, ProvenRow, RowsPage } from "../../../shared/contract/methods.ts";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { MetricId } from "../../../shared/domain/figure.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { monthsOf, parsePeriod, startOfHour } from "../../../shared/domain/period.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { rereadRows } from "../import/rows.ts";
import { chargesBehind } from "../metrics/charges.ts";
import { gather, type Gathered } from "../reports/gather.ts";
import type { ReportContext } from "../reports/index.ts";
import { isOneOf, query, readAll, readOne, scopeFilter, sql, type Db, type Fragment } from "../store/sql.ts";

/**
 * The rows behind a figure: those of bills, read again from their files, or the device hours of logs.
 * errors  period.invalid
 */
export async function rowsBehind(context: ReportContext, { ref, of, offset, limit }: MethodInput<"rows.read">, scope: Scope): Promise<Result<RowsPage>> {
  const period = parsePeriod(ref.period);
  const gathered = gather(context, { period: ref.period, scope, basis: ref.basis, currency: ref.currency });
  if (period === null || gathered === null) return err(ledgerError("period.invalid", { text: ref.period }));
  const { db } = context.ledger;
  if (of === "gpu-hours") return ok(deviceHours(db, gathered, ref.metric, scope, offset, limit));
  const behind = seriesBehind(db, gathered, monthsOf(period), chargesBehind(ref.metric, ref.params ?? {}), scope);
  if (behind.length === 0) return ok({ total: 0, columns: [], rows: [], missing: [] });
  const firstDay = behind.reduce((first, row) => Math.min(first, row.firstDay), Number.POSITIVE_INFINITY);
  const lastDay = behind.reduce((last, row) => Math.max(last, row.lastDay), Number.NEGATIVE_INFINITY);
  return ok(await rereadRows(db, { seriesIds: behind.map(({ seriesId }) => seriesId), firstDay, lastDay, offset, limit }, context.reference));
}

interface SeriesDays {
  readonly seriesId: number;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** The series of the billing months asked for, and the days on which they have cells there. */
function seriesBehind(db: Db, { currency }: Gathered, months: readonly string[], behind: Fragment, scope: Scope): SeriesDays[] {
  return readAll(db, query<SeriesDays>("seriesId", "firstDay", "lastDay")`-- rows.series-behind
    SELECT c.SeriesId AS seriesId, min(c.Day) AS firstDay, max(c.Day) AS lastDay
    FROM charge_day_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE ${isOneOf("Month", months, "c")} AND s.BillingCurrency = ${currency} AND s.x_Correction IS NULL ${behind} ${scopeFilter(scope, "s", sql`c.Month`)}
    GROUP BY c.SeriesId
    ORDER BY c.SeriesId`);
}

interface DeviceHourRow {
  readonly HourStart: number;
  readonly Host: string;
  readonly Device: string;
  readonly GpuModel: string | null;
  readonly KnownSeconds: number;
  readonly UtilizationMean: number | null;
  readonly UtilizationPeak: number | null;
  readonly ActiveSeconds: number;
  readonly HeldIdleSeconds: number;
  readonly DeadIdleSeconds: number;
  readonly IdleMemoryUnknownSeconds: number;
  readonly MemoryShareMean: number | null;
  readonly EnergyWattHours: number | null;
  readonly file: string | null;
  readonly batch: number | null;
}

const hourColumns = [
  "HourStart", "Host", "Device", "GpuModel", "KnownSeconds", "UtilizationMean", "UtilizationPeak", "ActiveSeconds", "HeldIdleSeconds",
  "DeadIdleSeconds", "IdleMemoryUnknownSeconds", "MemoryShareMean", "EnergyWattHours",
] as const satisfies readonly (keyof DeviceHourRow)[];

const idleMetrics: ReadonlySet<MetricId> = new Set<MetricId>([
  "idle-cost", "idle-gpu-hours", "idle-avoidable-cost", "idle-sunk-cost", "held-idle-cost", "dead-idle-cost", "idle-memory-unknown-cost",
  "energy-idle", "energy-held-idle",
]);

/** Device hours of the period, each with the newest log that knows its day. Figures of idle time rest on hours with some. */
function deviceHours(db: Db, gathered: Gathered, metric: MetricId, scope: Scope, offset: number, limit: number): RowsPage {
  const { firstDay, endDay } = gathered;
  const hosts = hostsWithin(db, gathered, scope);
  const behind = sql`h.Day >= ${firstDay} AND h.Day < ${endDay}
    ${hosts === null ? sql`` : sql`AND d.Host IN (SELECT value FROM json_each(${JSON.stringify(hosts)}))`}
    ${idleMetrics.has(metric) ? sql`AND h.HeldIdleSeconds + h.DeadIdleSeconds + h.IdleMemoryUnknownSeconds > 0` : sql``}`;
  const count = readOne(db, query<{ total: number }>("total")`-- rows.count-device-hours
    SELECT count(*) AS total
    FROM gpu_hour_current h
    JOIN device d ON d.DeviceId = h.DeviceId
    WHERE ${behind}`);
  const rows = readAll(db, query<DeviceHourRow>(...hourColumns, "file", "batch")`-- rows.device-hours
    SELECT
      h.HourStart, d.Host, coalesce(d.Uuid, d.PciBusId, CAST(d.DeviceIndex AS TEXT), '') AS Device, d.GpuModel, h.KnownSeconds, h.UtilizationMean,
      h.UtilizationPeak, h.ActiveSeconds, h.HeldIdleSeconds, h.DeadIdleSeconds, h.IdleMemoryUnknownSeconds, h.MemoryShareMean, h.EnergyWattHours,
      (SELECT f.Name FROM source_file f WHERE f.BatchId = h.batch ORDER BY f.FileId LIMIT 1) AS file, h.batch AS batch
    FROM (
      SELECT
        g.*,
        (
          SELECT t.BatchId
          FROM gpu_trace t
          JOIN batch b ON b.BatchId = t.BatchId AND b.State = 'posted'
          WHERE t.DeviceId = g.DeviceId AND t.Metric = 'utilization' AND t.Day = g.Day
          ORDER BY b.PostedOrder DESC
          LIMIT 1
        ) AS batch
      FROM gpu_hour_current g
    ) h
    JOIN device d ON d.DeviceId = h.DeviceId
    WHERE ${behind}
    ORDER BY h.HourStart, d.Host, h.DeviceId
    LIMIT ${limit} OFFSET ${offset}`);
  return { total: count?.total ?? 0, columns: hourColumns, rows: rows.map(provenRow), missing: [] };
}

function provenRow(row: DeviceHourRow): ProvenRow {
  const values = hourColumns.map((column) => {
    const value = row[column];
    if (column === "HourStart") return startOfHour(row.HourStart);
    return value === null ? null : typeof value === "number" ? String(Math.round(value * 1e6) / 1e6) : value;
  });
  return { file: row.file ?? "", line: 0, batch: row.batch ?? 0, values };
}

/** The hosts that are joined to a resource of the scope; null for a scope that holds everything. */
function hostsWithin(db: Db, gathered: Gathered, scope: Scope): string[] | null {
  if (Object.keys(scope).length === 0) return null;
  const resources = new Set(
    readAll(db, query<{ resource: string }>("resource")`-- rows.resources-within
      SELECT DISTINCT lower(s.ResourceId) AS resource
      FROM series s
      WHERE s.x_GpuModel IS NOT NULL AND s.ResourceId IS NOT NULL ${scopeFilter(scope, "s")}`).map(({ resource }) => resource),
  );
  return [...new Set(gathered.hosts().filter(({ resource }) => resources.has(resource.toLowerCase())).map(({ host }) => host))];
}
