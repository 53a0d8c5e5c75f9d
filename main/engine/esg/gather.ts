/** Reads from the ledger what a pack is made of. */
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { EmissionsCompareAnswer } from "../../../shared/contract/provider-emissions.ts";
import { dayOf, monthsOf, parsePeriod, type PeriodLabel } from "../../../shared/domain/period.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { compareEmissions, type LedgerEmissions } from "../emissions/compare.ts";
import { providerName, shownEmissions } from "../emissions/store.ts";
import { rowPlaces } from "../import/places.ts";
import { providerOf } from "../reference/type-names.ts";
import { carbonOf, gapsOf, type Carbon } from "../reports/carbon-rows.ts";
import type { ReportContext } from "../reports/context.ts";
import { hostJoins } from "../reports/hosts.ts";
import { query, readAll, readOne, type Db } from "../store/sql.ts";
import { closingOf } from "../teams/months.ts";
import { changesBetween, figuresOfPack, hashOfPack, issuedPacks, type PackFigures } from "./issued.ts";
import type { PackFacts, PackMonth, PackPlace, PackSource } from "./tables.ts";

export interface GatheredPack {
  readonly facts: PackFacts;
  readonly figures: PackFigures;
  readonly sha256: string;
  /** The issue that has exactly these figures, if the last one does. */
  readonly sameAs: number | null;
}

/**
 * The facts of a pack.
 *
 * errors  period.invalid; report.no-data where the ledger has no GPU-hours in the period and boundary; those of `carbonOf`
 */
export async function gatherPack(context: ReportContext, period: PeriodLabel, scope: Scope): Promise<Result<GatheredPack>> {
  const read = gatherFigures(context, period, scope);
  const span = parsePeriod(period);
  if (!read.ok || span === null) return read.ok ? err(ledgerError("period.invalid", { text: period })) : read;
  const { db } = context.ledger;
  const [firstDay, endDay] = [dayOf(span.start), dayOf(span.end)];
  const { rows } = read.value.facts;
  const { places, files } = await rowPlaces(db, { seriesIds: [...new Set(rows.map(({ seriesId }) => seriesId))], firstDay, lastDay: endDay - 1 }, context.reference);
  const sources = sourcesOf(db, files.map(({ FileId }) => FileId), firstDay, endDay, rows.flatMap(({ resource }) => resource ?? []), monthsOf(span));
  const evidence = new Map<string, PackPlace[]>();
  for (const { seriesId, month, fileId, firstLine, lastLine, isExact, rows: count } of places) {
    const key = `${seriesId} ${month}`;
    const list = evidence.get(key) ?? [];
    list.push({ source: sources.idOfFile.get(fileId) ?? "", firstLine, lastLine, isExact, rows: count });
    evidence.set(key, list);
  }
  return ok({ ...read.value, facts: { ...read.value.facts, sources: sources.list, evidence, logs: sources.logs } });
}

/** The facts of a pack without its evidence: enough for the statement. Errors as `gatherPack`. */
export function gatherFigures(context: ReportContext, period: PeriodLabel, scope: Scope): Result<GatheredPack> {
  const span = parsePeriod(period);
  if (span === null) return err(ledgerError("period.invalid", { text: period }));
  const read = carbonOf(context, { period, scope });
  if (!read.ok) return read;
  const { rows, factors, settings } = read.value;
  if (rows.length === 0) return err(ledgerError("report.no-data", { period }));
  const { db } = context.ledger;
  const [firstDay, endDay] = [dayOf(span.start), dayOf(span.end)];
  const months = monthsOf(span);
  const seen = [...new Set(rows.map(({ month }) => month))].sort();
  const figures = figuresOfPack(rows, factors);
  const sha256 = hashOfPack(period, scope, figures);
  const [last] = issuedPacks(db, period, scope);
  const days = readOne(db, query<{ days: number }>("days")`-- esg.days
    SELECT count(DISTINCT Day) AS days FROM gpu_energy_day_current WHERE Day >= ${firstDay} AND Day < ${endDay}`);
  return ok({
    figures,
    sha256,
    sameAs: last?.sha256 === sha256 ? last.id : null,
    facts: {
      period,
      scope,
      rows,
      factors,
      gaps: gapsOf(rows),
      settings,
      coveredDays: days?.days ?? 0,
      days: endDay - firstDay,
      months: months.filter((month) => seen.includes(month)).map((month): PackMonth => ({ month, ...closingOf(db, month) })),
      sources: [],
      evidence: new Map(),
      logs: new Map(),
      comparison: comparisonOf(context, period, months, { rows: reportable(scope, rows) }),
      changes: last === undefined ? { since: null, lines: [] } : { since: { id: last.id, issuedAt: last.issuedAt, sha256: last.sha256 }, lines: changesBetween(last.figures, figures) },
    },
  });
}

/** A provider reports whole accounts: held against rows of a narrower boundary its figures would say nothing. */
function reportable(scope: Scope, rows: Carbon["rows"]): Carbon["rows"] {
  return Object.keys(scope).every((dimension) => dimension === "provider" || dimension === "account") ? rows : [];
}

/** What providers report of a period, beside the ledger's rows of it. `carbon` is of the period. */
export function comparisonOf({ ledger: { db } }: ReportContext, period: PeriodLabel, months: readonly string[], { rows }: Pick<Carbon, "rows">): EmissionsCompareAnswer {
  const shown = shownEmissions(db, months);
  const own = Map.groupBy(rows, ({ provider }) => providerOf(provider));
  const reported = new Set(shown.map(({ provider }) => provider));
  const nameOf = (id: (typeof shown)[number]["provider"]): string => own.get(id)?.find(({ provider }) => provider !== null)?.provider ?? providerName(id);
  return {
    period,
    providers: [...reported].sort().filter((id) => own.has(id)).map((id) =>
      compareEmissions(nameOf(id), months, shown.filter(({ provider }) => provider === id), (own.get(id) ?? []).map((row): LedgerEmissions => ({
        month: row.month, account: row.account, region: row.region, service: row.service, gpuHours: row.gpuHours, location: row.locationMicrograms, market: row.marketMicrograms, coveredGpuHours: row.covered.location,
      }))),
    ),
    without: [...new Set(rows.filter(({ provider }) => !reported.has(providerOf(provider) as never)).flatMap(({ provider }) => provider ?? []))].sort(),
  };
}

interface FileRow {
  readonly fileId: number;
  readonly batch: number;
  readonly kind: "billing" | "telemetry";
  readonly file: string;
  readonly sha256: string;
  readonly format: string;
  readonly importedAt: string | null;
}

/** Bills, logs and providers' reports that the period rests on, numbered B1, L1, E1 …; and which logs speak of each resource. */
function sourcesOf(db: Db, billFiles: readonly number[], firstDay: number, endDay: number, resources: readonly string[], months: readonly string[]): {
  readonly list: readonly PackSource[];
  readonly idOfFile: ReadonlyMap<number, string>;
  readonly logs: ReadonlyMap<string, readonly string[]>;
} {
  const logged = readAll(db, query<{ host: string; batch: number }>("host", "batch")`-- esg.logs
    SELECT DISTINCT d.Host AS host, t.BatchId AS batch
    FROM gpu_trace t
    JOIN device d ON d.DeviceId = t.DeviceId
    JOIN batch b ON b.BatchId = t.BatchId AND b.State = 'posted'
    WHERE t.Day >= ${firstDay} AND t.Day < ${endDay}
    ORDER BY d.Host, t.BatchId`);
  const files = readAll(db, query<FileRow>("fileId", "batch", "kind", "file", "sha256", "format", "importedAt")`-- esg.files
    SELECT f.FileId AS fileId, f.BatchId AS batch, b.Kind AS kind, f.Name AS file, f.Sha256 AS sha256, b.FormatId AS format, b.ImportedAt AS importedAt
    FROM source_file f
    JOIN batch b ON b.BatchId = f.BatchId
    WHERE f.FileId IN (SELECT value FROM json_each(${JSON.stringify(billFiles)}))
       OR f.BatchId IN (SELECT value FROM json_each(${JSON.stringify([...new Set(logged.map(({ batch }) => batch))])}))
    ORDER BY f.FileId`);
  const wanted = new Set(resources.map((resource) => resource.toLowerCase()));
  const hostsOf = new Map<string, Set<string>>();
  for (const { host, resource } of hostJoins(db)) {
    const key = resource.toLowerCase();
    if (wanted.has(key)) hostsOf.set(key, (hostsOf.get(key) ?? new Set<string>()).add(host));
  }
  const joined = new Set([...hostsOf.values()].flatMap((hosts) => [...hosts]));
  const usedBatches = new Set(logged.filter(({ host }) => joined.has(host)).map(({ batch }) => batch));
  const list: PackSource[] = [];
  const idOfFile = new Map<number, string>();
  const idsOfBatch = new Map<number, string[]>();
  let [bills, logs] = [0, 0];
  for (const { fileId, batch, kind, ...file } of files) {
    if (kind === "telemetry" && !usedBatches.has(batch)) continue;
    const id = kind === "billing" ? `B${(bills += 1)}` : `L${(logs += 1)}`;
    idOfFile.set(fileId, id);
    idsOfBatch.set(batch, [...(idsOfBatch.get(batch) ?? []), id]);
    list.push({ id, kind: kind === "billing" ? "bill" : "log", ...file });
  }
  const batchesOfHost = Map.groupBy(logged, ({ host }) => host);
  const logsOf = new Map([...hostsOf].map(([resource, hosts]) => [resource, [...new Set([...hosts].flatMap((host) => (batchesOfHost.get(host) ?? []).flatMap(({ batch }) => idsOfBatch.get(batch) ?? [])))]]));
  const emissions = readAll(db, query<{ file: string; sha256: string; format: string; importedAt: string }>("file", "sha256", "format", "importedAt")`-- esg.emissions-files
    SELECT r.FileName AS file, r.Sha256 AS sha256, r.FormatId AS format, r.ImportedAt AS importedAt
    FROM emissions_report r
    WHERE r.ReportId IN (SELECT ReportId FROM emissions_line_current WHERE Month IN (SELECT value FROM json_each(${JSON.stringify(months)})))
    ORDER BY r.ReportId`);
  return { list: [...list, ...emissions.map((report, index): PackSource => ({ id: `E${index + 1}`, kind: "emissions", ...report }))], idOfFile, logs: logsOf };
}
