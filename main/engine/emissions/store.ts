/** Providers' emissions reports in the ledger: kept, replaced by newer ones, taken back. */
import type { EmissionsAmounts, EmissionsPreview, EmissionsReport } from "../../../shared/contract/provider-emissions.ts";
import { plus } from "../formats/emissions/index.ts";
import type { ProviderId } from "../reference/catalog.ts";
import { prepared, query, readAll, readOne, type Db } from "../store/sql.ts";
import type { Author } from "../teams/changes.ts";
import type { EmissionsFile } from "./read.ts";

/** How a provider is called where no bill of it says so. */
const providerNames: Readonly<Partial<Record<ProviderId, string>>> = { aws: "AWS", gcp: "Google Cloud", azure: "Microsoft" };

export function providerName(provider: ProviderId): string {
  return providerNames[provider] ?? provider;
}

/** A figure that shows: what a provider says of a month, account, service and region. Micrograms, as everywhere. */
export interface ShownEmissions {
  readonly provider: ProviderId;
  readonly report: number;
  readonly format: string;
  readonly file: string;
  readonly month: string;
  readonly account: string | null;
  readonly service: string | null;
  readonly region: string | null;
  readonly modelVersion: string | null;
  readonly refreshedAt: string | null;
  readonly location: bigint | null;
  readonly market: bigint | null;
  readonly scope1: bigint | null;
  readonly scope2Location: bigint | null;
  readonly scope2Market: bigint | null;
  readonly scope3: bigint | null;
}

const amountColumns = ["location", "market", "scope1", "scope2Location", "scope2Market", "scope3"] as const;

/** What providers say of some months. Amounts cross from SQL as text: a sum of micrograms may be beyond 2^53. */
export function shownEmissions(db: Db, months: readonly string[]): ShownEmissions[] {
  type Row = { readonly [Name in keyof ShownEmissions]: Name extends (typeof amountColumns)[number] ? string | null : ShownEmissions[Name] };
  const rows = readAll(db, query<Row>("provider", "report", "format", "file", "month", "account", "service", "region", "modelVersion", "refreshedAt", "location", "market", "scope1", "scope2Location", "scope2Market", "scope3")`-- emissions.shown
    SELECT
      ProviderId AS provider, ReportId AS report, FormatId AS format, FileName AS file, Month AS month, AccountId AS account, ServiceName AS service, RegionId AS region,
      ModelVersion AS modelVersion, RefreshedAt AS refreshedAt, CAST(LocationMicrograms AS TEXT) AS location, CAST(MarketMicrograms AS TEXT) AS market,
      CAST(Scope1Micrograms AS TEXT) AS scope1, CAST(Scope2LocationMicrograms AS TEXT) AS scope2Location, CAST(Scope2MarketMicrograms AS TEXT) AS scope2Market,
      CAST(Scope3Micrograms AS TEXT) AS scope3
    FROM emissions_line_current
    WHERE Month IN (SELECT value FROM json_each(${JSON.stringify(months)}))
    ORDER BY ProviderId, Month, ReportId, LineNumber`);
  return rows.map((row) => {
    const amounts = Object.fromEntries(amountColumns.map((name) => [name, row[name] === null ? null : BigInt(row[name])])) as Record<(typeof amountColumns)[number], bigint | null>;
    return { ...row, ...amounts };
  });
}

interface ReportRow {
  readonly report: number;
  readonly state: "posted" | "undone";
  readonly format: string;
  readonly provider: ProviderId;
  readonly file: string;
  readonly sha256: string;
  readonly importedAt: string;
  readonly importedBy: string;
  readonly rows: number;
  readonly rowsSetAside: number;
  readonly firstMonth: string;
  readonly lastMonth: string;
  readonly location: string | null;
  readonly market: string | null;
  readonly isShown: number;
}

/** Newest first. */
export function emissionsReports(db: Db): EmissionsReport[] {
  const rows = readAll(db, query<ReportRow>("report", "state", "format", "provider", "file", "sha256", "importedAt", "importedBy", "rows", "rowsSetAside", "firstMonth", "lastMonth", "location", "market", "isShown")`-- emissions.reports
    SELECT
      r.ReportId AS report, r.State AS state, r.FormatId AS format, r.ProviderId AS provider, r.FileName AS file, r.Sha256 AS sha256, r.ImportedAt AS importedAt,
      r.ImportedBy AS importedBy, r.RowsPosted AS rows, r.RowsSetAside AS rowsSetAside, min(l.Month) AS firstMonth, max(l.Month) AS lastMonth,
      CAST(sum(l.LocationMicrograms) AS TEXT) AS location, CAST(sum(l.MarketMicrograms) AS TEXT) AS market,
      EXISTS (SELECT 1 FROM emissions_line_current s WHERE s.ReportId = r.ReportId) AS isShown
    FROM emissions_report r
    JOIN emissions_line l ON l.ReportId = r.ReportId
    GROUP BY r.ReportId
    ORDER BY r.ReportId DESC`);
  return rows.map(({ provider, location, market, isShown, ...row }) => ({
    ...row,
    provider: providerName(provider),
    isShown: isShown === 1,
    amounts: { locationMicrograms: location === null ? null : BigInt(location), marketMicrograms: market === null ? null : BigInt(market) },
  }));
}

export function emissionsReport(db: Db, report: number): EmissionsReport | null {
  return emissionsReports(db).find((found) => found.report === report) ?? null;
}

/** What keeping a file would change. */
export function previewOf(db: Db, file: EmissionsFile): EmissionsPreview {
  const { lines, format } = file;
  const months = [...new Set(lines.map(({ month }) => month))].sort();
  const shown = shownEmissions(db, months).filter(({ provider }) => provider === format.provider);
  const same = readOne(db, query<{ report: number }>("report")`-- emissions.same-file
    SELECT ReportId AS report FROM emissions_report WHERE Sha256 = ${file.sha256} AND State = 'posted' ORDER BY ReportId DESC LIMIT 1`);
  return {
    file: file.name,
    sha256: file.sha256,
    format: format.id,
    provider: providerName(format.provider),
    rowsRead: file.rowsRead,
    rows: file.rowsPosted,
    rowsOutdated: file.rowsOutdated,
    rowsSetAside: file.rowsSetAside,
    setAside: file.setAside,
    months: months.map((month) => {
      const before = shown.filter((line) => line.month === month);
      return {
        month,
        amounts: sumAmounts(lines.filter((line) => line.month === month)),
        was: before[0] === undefined ? null : { ...sumAmounts(before), report: before[0].report },
      };
    }),
    accounts: [...new Set(lines.flatMap(({ accountId }) => accountId ?? []))].sort(),
    modelVersions: [...new Set(lines.flatMap(({ modelVersion }) => modelVersion ?? []))].sort(),
    sameAs: same?.report ?? null,
  };
}

export function sumAmounts(lines: readonly { readonly location: bigint | null; readonly market: bigint | null }[]): EmissionsAmounts {
  return {
    locationMicrograms: lines.reduce<bigint | null>((sum, { location }) => plus(sum, location), null),
    marketMicrograms: lines.reduce<bigint | null>((sum, { market }) => plus(sum, market), null),
  };
}

/** Inside the caller's transaction. */
export function keepEmissions(db: Db, { name, sha256, format, rowsRead, rowsPosted, rowsOutdated, rowsSetAside, setAside, lines }: EmissionsFile, { who, at }: Author): number {
  const { lastInsertRowid } = prepared(db, "INSERT INTO emissions_report (FormatId, ProviderId, FileName, Sha256, ImportedAt, ImportedBy, State, RowsRead, RowsPosted, RowsOutdated, RowsSetAside) VALUES (?, ?, ?, ?, ?, ?, 'posted', ?, ?, ?, ?)").run(format.id, format.provider, name, sha256, at, who, BigInt(rowsRead), BigInt(rowsPosted), BigInt(rowsOutdated), BigInt(rowsSetAside));
  const report = BigInt(lastInsertRowid);
  const line = prepared(db, "INSERT INTO emissions_line (ReportId, LineNumber, Month, PayerId, AccountId, ServiceName, RegionId, ModelVersion, RefreshedAt, FirstFileLine, RowCount, LocationMicrograms, MarketMicrograms, Scope1Micrograms, Scope2LocationMicrograms, Scope2MarketMicrograms, Scope3Micrograms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  lines.forEach((each, index) =>
    line.run(report, BigInt(index + 1), each.month, each.payerId, each.accountId, each.serviceName, each.regionId, each.modelVersion, each.refreshedAt, BigInt(each.firstFileLine), BigInt(each.rowCount), each.location, each.market, each.scope1, each.scope2Location, each.scope2Market, each.scope3),
  );
  const cover = prepared(db, "INSERT INTO emissions_cover (ReportId, Month, PayerId) VALUES (?, ?, ?)");
  const covered = new Map(lines.map(({ month, payerId }) => [JSON.stringify([month, payerId]), { month, payerId }]));
  for (const { month, payerId } of covered.values()) cover.run(report, month, payerId);
  const aside = prepared(db, "INSERT OR IGNORE INTO emissions_set_aside (ReportId, Line, ColumnName, Value, Reason) VALUES (?, ?, ?, ?, ?)");
  for (const { line: at, column, value, reason } of setAside) aside.run(report, BigInt(at), column, value, reason);
  return Number(report);
}

/** Inside the caller's transaction. */
export function setEmissionsState(db: Db, report: number, state: "posted" | "undone"): void {
  prepared(db, "UPDATE emissions_report SET State = ? WHERE ReportId = ?").run(state, BigInt(report));
}
