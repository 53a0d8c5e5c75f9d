/** Is the data complete and right? */
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { MoneyTotals } from "../../../shared/contract/methods.ts";
import type { Block, Cell, Column, Message, ReportDocument, ReportRequest, Row, TableBlock } from "../../../shared/contract/report.ts";
import type { CostBasis } from "../../../shared/domain/figure.ts";
import { dayOf, parsePeriod } from "../../../shared/domain/period.ts";
import { add, divideHalfEven, parseDecimal, ZERO, type Rational } from "../../../shared/domain/rational.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { figureOf } from "../metrics/metric.ts";
import { isOneOf, query, readAll, readOne, sql, sumMoney, sumMoneyWhere } from "../store/sql.ts";
import { amount, column, compareNames, nameCell, notApplicable, row, shown, text, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { gather, isExpected, provenanceOf, trendMonths, type Gathered } from "./gather.ts";

const BATCHES = 60;
const ROWS_SET_ASIDE = 20;

export function readImports(context: ReportContext, request: ReportRequest): Result<ReportDocument> {
  const gathered = gather(context, request);
  if (gathered === null) return err(ledgerError("period.invalid", { text: request.period }));
  const batches = batchRows(context);
  if (batches.length === 0) return err(ledgerError("report.no-data", { period: request.period }));
  const provenance = provenanceOf(gathered);
  const currencies = gathered.currency === null ? [] : [gathered.currency, ...gathered.otherCurrencies];
  const reconciled = currencies.map((currency) => reconcile(gathered, currency));
  const setAside = setAsideTable(context);
  const blocks: Block[] = [completeness(gathered), ...reconciled.map(({ table }) => table), batchTable(batches)];
  if (setAside !== null) blocks.push(setAside);
  return ok({
    report: "imports",
    request,
    period: gathered.period,
    currency: gathered.currency,
    otherCurrencies: gathered.otherCurrencies,
    provenance,
    title: message("imports.title"),
    answer: answer(gathered, provenance.rowsSetAside, reconciled.every(({ isExplained }) => isExplained)),
    context: contextLines(gathered, provenance.sources.length, provenance.sources.reduce((rows, source) => rows + source.rows, 0)),
    blocks,
  });
}

function answer(gathered: Gathered, rowsSetAside: number, isExplained: boolean): Message {
  const params = { period: { period: gathered.asked.period } };
  if (!gathered.hasBill) return message("imports.answer.no-bill", params);
  if (!isExplained) return message("imports.answer.unexplained", params);
  if (gathered.billCoverage < 1) return message("imports.answer.partial", { ...params, ratio: { ratio: gathered.billCoverage } });
  if (rowsSetAside > 0) return message("imports.answer.set-aside", { ...params, rows: { count: rowsSetAside } });
  return message("imports.answer.complete", params);
}

function contextLines(gathered: Gathered, files: number, rows: number): Message[] {
  const lines = [message("imports.context.sources", { files: { count: files }, rows: { number: rows, digits: 0 } })];
  for (const provider of gathered.missingProviders) lines.push(message("review.context.missing-provider", { provider: { text: provider }, period: { period: gathered.asked.period } }));
  for (const { provider, covered, days } of gathered.shortProviders) {
    lines.push(message("imports.context.short-provider", { provider: { text: provider }, period: { period: gathered.asked.period }, covered: { number: covered, digits: 0 }, days: { number: days, digits: 0 } }));
  }
  if (!gathered.hasTelemetry) lines.push(message("imports.context.no-telemetry", { period: { period: gathered.asked.period } }));
  return lines;
}

/** Days by month that a source covers, each day once. */
type DaysByMonth = Map<string, Set<number>>;

function coverDays(days: DaysByMonth, month: string, firstDay: number, lastDay: number): void {
  const span = parsePeriod(month);
  if (span === null) return;
  const covered = days.get(month) ?? new Set<number>();
  for (let day = Math.max(firstDay, dayOf(span.start)); day <= Math.min(lastDay, dayOf(span.end) - 1); day += 1) covered.add(day);
  days.set(month, covered);
}

/**
 * Sources by months, the twelve that end with the period: how many of each month's days a source covers. What is missing is decided as the
 * answer decides it: by provider, since a bill that comes in another format now is not missing in the old one.
 */
function completeness(gathered: Gathered): TableBlock {
  const months = trendMonths(gathered);
  const sources = new Map<string, { readonly cell: Cell; readonly days: DaysByMonth; readonly all: DaysByMonth }>();
  const ofProviders = new Map<string | null, DaysByMonth>();
  for (const { provider, format, month, firstDay, lastDay } of billDays(gathered)) {
    const name = provider === null ? { message: message("provider.none") } : { text: provider };
    const key = `bill ${provider} ${format}`;
    const all = ofProviders.get(provider) ?? new Map<string, Set<number>>();
    const source = sources.get(key) ?? { cell: words("completeness.bill", { provider: name, format: { message: message(`format.${format}`) } }), days: new Map<string, Set<number>>(), all };
    for (const days of [source.days, all]) coverDays(days, month, firstDay, lastDay);
    ofProviders.set(provider, all);
    sources.set(key, source);
  }
  for (const { format, day } of telemetryDays(gathered)) {
    const key = `telemetry ${format}`;
    const days = sources.get(key)?.days ?? new Map<string, Set<number>>();
    coverDays(days, new Date(day * 86_400_000).toISOString().slice(0, 7), day, day);
    sources.set(key, { cell: words("completeness.telemetry", { format: { message: message(`format.${format}`) } }), days, all: days });
  }
  const cellOf = (days: DaysByMonth, all: DaysByMonth, month: string): Cell => {
    const span = parsePeriod(month);
    const covered = days.get(month)?.size ?? 0;
    const inMonth = span === null ? 0 : dayOf(span.end) - dayOf(span.start);
    const params = { covered: { number: covered, digits: 0 }, days: { number: inMonth, digits: 0 } };
    const has = (other: string): boolean => (all.get(other)?.size ?? 0) > 0;
    if (covered >= inMonth) return words("completeness.complete", params);
    if (covered > 0) return words("completeness.partial", params);
    return words(!has(month) && isExpected(has, month) ? "completeness.missing" : "completeness.none", params);
  };
  return {
    kind: "table",
    id: "completeness",
    title: message("completeness.title"),
    note: message("completeness.note", { first: { period: months[0] ?? "" }, last: { period: months.at(-1) ?? "" } }),
    chart: "completeness",
    columns: [
      column("source", "text", 1, message("column.source")),
      ...months.map((month): Column => column(month, "text", 1, message("column.period", { period: { period: month, short: true } }))),
    ],
    rows: [...sources]
      .sort(([a], [b]) => compareNames(a, b))
      .map(([key, { cell, days, all }]) => row(key, [cell, ...months.map((month) => cellOf(days, all, month))])),
    total: null,
  };
}

interface BillDays {
  readonly provider: string | null;
  readonly format: string;
  readonly month: string;
  readonly firstDay: number;
  readonly lastDay: number;
}
function billDays(gathered: Gathered): BillDays[] {
  return readAll(gathered.context.ledger.db, query<BillDays>("provider", "format", "month", "firstDay", "lastDay")`
    -- bill-days
    SELECT g.ProviderName AS provider, b.FormatId AS format, g.Month AS month, d.FirstDay AS firstDay, d.LastDay AS lastDay
    FROM delivery_group AS g
    JOIN delivery AS d ON d.GroupId = g.GroupId
    JOIN batch AS b ON b.BatchId = d.BatchId AND b.State = 'posted'
    ORDER BY g.ProviderName, b.FormatId, g.Month, d.DeliveryId`);
}

function telemetryDays(gathered: Gathered): { readonly format: string; readonly day: number }[] {
  return readAll(gathered.context.ledger.db, query<{ format: string; day: number }>("format", "day")`
    -- telemetry-days
    SELECT DISTINCT b.FormatId AS format, t.Day AS day
    FROM (SELECT DISTINCT BatchId, Day FROM gpu_trace) AS t
    JOIN batch AS b ON b.BatchId = t.BatchId AND b.State = 'posted'
    ORDER BY 1, 2`);
}

interface DeliveryTotals {
  readonly deliveryId: number;
  readonly totals: string;
  readonly rowCount: number;
  readonly cellsKept: number;
}
interface CellTotals {
  readonly deliveryId: number;
  readonly fileAttos: bigint | null;
  readonly correctionAttos: bigint;
}

/**
 * What the files of the period say in one currency, against what the ledger shows of them, in the cost basis asked for:
 * files, what rounding to the atto took away, corrections by rules of ours, and what newer deliveries replaced; less the ledger; nothing
 * may be left unexplained. Rounding explains no more than half an atto a row.
 */
function reconcile(gathered: Gathered, currency: string): { readonly table: TableBlock; readonly isExplained: boolean } {
  const { db } = gathered.context.ledger;
  const { basis } = gathered.asked;
  const deliveries = readAll(db, query<DeliveryTotals>("deliveryId", "totals", "rowCount", "cellsKept")`
    -- delivery-totals
    SELECT d.DeliveryId AS deliveryId, d.Totals AS totals, d.RowCount AS rowCount, d.CellsKept AS cellsKept
    FROM delivery AS d
    JOIN delivery_group AS g ON g.GroupId = d.GroupId
    JOIN batch AS b ON b.BatchId = d.BatchId AND b.State = 'posted'
    WHERE ${isOneOf("Month", gathered.months, "g")}
    ORDER BY d.DeliveryId`);
  const kept = deliveries.filter(({ cellsKept }) => cellsKept === 1);
  const cells = readAll(db, query<CellTotals>("deliveryId", "fileAttos", "correctionAttos")`
    -- delivery-cells
    SELECT
      c.DeliveryId AS deliveryId,
      ${sumMoneyWhere(basis, sql`s.x_Correction IS NULL`, "c")}     AS fileAttos,
      ${sumMoneyWhere(basis, sql`s.x_Correction IS NOT NULL`, "c")} AS correctionAttos
    FROM charge_day AS c
    JOIN series AS s ON s.SeriesId = c.SeriesId
    WHERE ${isOneOf("DeliveryId", kept.map(({ deliveryId }) => deliveryId), "c")} AND s.BillingCurrency = ${currency}
    GROUP BY c.DeliveryId
    ORDER BY c.DeliveryId`);
  const shownTotal = readOne(db, query<{ attos: bigint }>("attos")`
    -- ledger-total
    SELECT ${sumMoney(basis, "c")} AS attos
    FROM charge_month_current AS c
    JOIN series AS s ON s.SeriesId = c.SeriesId
    WHERE ${isOneOf("Month", gathered.months, "c")} AND s.BillingCurrency = ${currency}`);
  const ledger = shownTotal === null ? 0n : shownTotal.attos;

  const fileCells = cells.reduce((attos, cell) => (cell.fileAttos === null ? attos : attos + cell.fileAttos), 0n);
  const corrections = cells.reduce((attos, cell) => attos + cell.correctionAttos, 0n);
  const said = deliveries.reduce((total, delivery) => add(total, totalOf(delivery, currency, basis)), ZERO);
  const saidOfKept = kept.reduce((total, delivery) => add(total, totalOf(delivery, currency, basis)), ZERO);
  const files = attosOf(said);
  const gone = files - attosOf(saidOfKept);
  const rows = kept.reduce((count, { rowCount }) => count + rowCount, 0);
  const difference = fileCells - attosOf(saidOfKept);
  const rounding = (difference < 0n ? -difference : difference) <= BigInt(rows) ? difference : 0n;
  const replaced = ledger - fileCells - corrections;
  const superseded = replaced - gone;
  const hasReplacing = deliveries.length > 1;
  const unexplained = ledger - (files + rounding + corrections + (hasReplacing ? superseded : 0n));
  const money = (attos: bigint): Cell => shown(amount("spend", attos, currency));
  const lines: Row[] = [row("files", [words("reconcile.files", { count: { count: deliveries.length } }), money(files)])];
  if (rounding !== 0n) lines.push(row("rounding", [words("reconcile.rounding"), money(rounding)]));
  if (corrections !== 0n) lines.push(row("corrections", [words("reconcile.corrections"), money(corrections)]));
  if (hasReplacing && superseded !== 0n) lines.push(row("superseded", [words("reconcile.superseded"), money(superseded)]));
  lines.push(row("ledger", [words("reconcile.ledger"), money(-ledger)]));
  return {
    isExplained: unexplained === 0n,
    table: {
      kind: "table",
      id: `reconcile-${currency}`,
      title: message("reconcile.title"),
      note: message("reconcile.note", { currency: { text: currency }, period: { period: gathered.asked.period }, basis: { message: message(`basis.${basis}.name`) } }),
      chart: null,
      columns: [column("line", "text", 1, message("column.line")), column("amount", "figure", 1, message("column.amount-in", { currency: { text: currency } }))],
      rows: lines,
      total: row("unexplained", [words("reconcile.unexplained"), money(-unexplained)]),
    },
  };
}

/** What a delivery's file says in one currency and cost, to its last digit; nothing where it states none. */
function totalOf({ totals }: DeliveryTotals, currency: string, basis: CostBasis): Rational {
  const stated = (JSON.parse(totals) as Partial<Record<string, Partial<MoneyTotals>>>)[currency]?.[basis];
  if (stated === undefined || stated === null) return ZERO;
  const value = parseDecimal(stated);
  if (value === null) throw new TypeError(`a delivery's total is no decimal: ${stated}`);
  return value;
}

function attosOf({ numerator, denominator }: Rational): bigint {
  return divideHalfEven(numerator * 10n ** 18n, denominator);
}

interface BatchRow {
  readonly batch: number;
  readonly kind: "billing" | "telemetry";
  readonly state: "posted" | "undone";
  readonly importedAt: string | null;
  readonly format: string;
  readonly file: string;
  readonly rowsPosted: number;
  readonly rowsSetAside: number;
  readonly report: string;
}

function batchRows({ ledger }: ReportContext): BatchRow[] {
  return readAll(ledger.db, query<BatchRow>("batch", "kind", "state", "importedAt", "format", "file", "rowsPosted", "rowsSetAside", "report")`
    -- batches
    SELECT
      b.BatchId AS batch, b.Kind AS kind, b.State AS state, b.ImportedAt AS importedAt, b.FormatId AS format,
      coalesce((SELECT group_concat(f.Name, ', ') FROM source_file AS f WHERE f.BatchId = b.BatchId), '') AS file,
      b.RowsPosted AS rowsPosted, b.RowsSetAside AS rowsSetAside, b.Report AS report
    FROM batch AS b
    WHERE b.State IN ('posted', 'undone')
    ORDER BY b.BatchId DESC`);
}

function batchTable(batches: readonly BatchRow[]): TableBlock {
  const top = batches.slice(0, BATCHES);
  const rest = batches.slice(BATCHES);
  const count = (value: number): Cell => shown(figureOf("row-count", value, "rows", "billed", 1));
  const sum = (of: (batch: BatchRow) => number, from: readonly BatchRow[]): number => from.filter(({ state }) => state === "posted").reduce((total, batch) => total + of(batch), 0);
  const rows = top.map((batch) => {
    const { periods } = reportOf(batch);
    return row(`batch ${batch.batch}`, [
      text(String(batch.batch)),
      text(batch.file),
      words(`format.${batch.format}`),
      batch.importedAt === null ? notApplicable : { instant: batch.importedAt, precision: "minute" },
      periods.length === 0 ? notApplicable : text(periods.length > 2 ? `${periods[0]} … ${periods.at(-1)}` : periods.join(", ")),
      count(batch.rowsPosted),
      count(batch.rowsSetAside),
      words(`batch.${batch.state}`),
    ], batch.state === "undone" ? "muted" : "plain");
  });
  if (rest.length > 0) {
    rows.push(row("all-other", [words("row.all-other-batches", { count: { count: rest.length } }), notApplicable, notApplicable, notApplicable, notApplicable, count(sum(({ rowsPosted }) => rowsPosted, rest)), count(sum(({ rowsSetAside }) => rowsSetAside, rest)), notApplicable], "muted"));
  }
  return {
    kind: "table",
    id: "batches",
    title: message("batches.title"),
    note: message("batches.note"),
    chart: null,
    columns: [
      column("batch", "mono", 1, message("column.batch")),
      column("file", "mono", 1, message("column.file")),
      column("format", "text", 1, message("column.format")),
      column("imported", "time", 2, message("column.imported")),
      column("periods", "text", 2, message("column.periods")),
      column("rows", "figure", 1, message("column.rows")),
      column("set-aside", "figure", 1, message("column.set-aside")),
      column("state", "text", 1, message("column.state")),
    ],
    rows,
    total: row("total", [
      words("row.total-posted"), notApplicable, notApplicable, notApplicable, notApplicable,
      count(sum(({ rowsPosted }) => rowsPosted, batches)),
      count(sum(({ rowsSetAside }) => rowsSetAside, batches)),
      notApplicable,
    ]),
  };
}

function reportOf({ report }: BatchRow): { readonly periods: readonly string[] } {
  const { periods } = JSON.parse(report) as { readonly periods?: readonly string[] };
  return { periods: periods ?? [] };
}

interface SetAside {
  readonly file: string;
  readonly line: number;
  readonly columnName: string;
  readonly value: string;
  readonly reason: string;
}

/** Rows that no total holds, with where they stand and why. */
function setAsideTable({ ledger }: ReportContext): TableBlock | null {
  const all = readOne(ledger.db, query<{ rows: number }>("rows")`
    -- set-aside-count
    SELECT coalesce(sum(RowsSetAside), 0) AS rows FROM batch WHERE State = 'posted'`);
  const total = all === null ? 0 : all.rows;
  if (total === 0) return null;
  const first = readAll(ledger.db, query<SetAside>("file", "line", "columnName", "value", "reason")`
    -- set-aside-rows
    SELECT f.Name AS file, a.Line AS line, a.ColumnName AS columnName, a.Value AS value, a.Reason AS reason
    FROM batch AS b
    CROSS JOIN source_file AS f ON f.BatchId = b.BatchId
    CROSS JOIN set_aside AS a ON a.FileId = f.FileId
    WHERE b.State = 'posted'
    ORDER BY b.BatchId DESC, a.FileId, a.Line
    LIMIT ${ROWS_SET_ASIDE}`);
  const count = (value: number): Cell => shown(figureOf("row-count", value, "rows", "billed", 1));
  const rows = first.map(({ file, line, columnName, value, reason }) =>
    row(`${file} ${line}`, [nameCell(file, "provider.none"), text(String(line)), text(columnName), text(value), words("set-aside.reason", { expected: { message: message(`expected.${reason}`) } }), count(1)]),
  );
  if (total > first.length) rows.push(row("all-other", [words("row.all-other-rows"), notApplicable, notApplicable, notApplicable, notApplicable, count(total - first.length)], "muted"));
  return {
    kind: "table",
    id: "set-aside",
    title: message("set-aside.title"),
    note: message("set-aside.note"),
    chart: null,
    columns: [
      column("file", "mono", 1, message("column.file")),
      column("line", "mono", 1, message("column.line-number")),
      column("column", "mono", 1, message("column.field")),
      column("value", "mono", 1, message("column.found")),
      column("reason", "text", 1, message("column.reason")),
      column("rows", "figure", 1, message("column.rows")),
    ],
    rows,
    total: row("total", [words("row.total"), notApplicable, notApplicable, notApplicable, notApplicable, count(total)]),
  };
}
