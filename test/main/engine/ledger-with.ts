/** Ledgers for tests: cells, devices and hours put in directly, posted by the product's own posting. */
import { createHash } from "node:crypto";
import { commitFlip, prepareFlip, showHours } from "../../../main/engine/import/post.ts";
import { noControl } from "../../../main/engine/import/control.ts";
import { encodeGpuChargeHours } from "../../../main/engine/store/gpu-charge-hours.ts";
import { energyOfHours } from "../../../main/engine/store/migrations/0003-carbon.ts";
import { hourCubes } from "../../../main/engine/store/migrations/0016-hour-cubes.ts";
import { activityOfDays } from "../../../main/engine/store/migrations/0010-counters.ts";
import { openMemoryLedger, type OpenLedger } from "../../../main/engine/store/open.ts";
import { splitAttos, type Db } from "../../../main/engine/store/sql.ts";
import { workOutDays as realWorkOutDays } from "../../../main/engine/hours/work-out.ts";
import { defaultIdlePolicy } from "../../../shared/contract/report.ts";
import { moneyColumns, type DatasetKind, type MoneyColumn, type Series } from "../../../shared/domain/charge.ts";
import { parseAmount } from "../../../shared/domain/money.ts";
import { dayOf, hourOf, parsePeriod } from "../../../shared/domain/period.ts";

/** Costs are decimal text; `cost` sets all four, null where the file states none. */
export interface CellSpec {
  readonly day: string;
  readonly series?: Partial<Series>;
  readonly rows?: number;
  readonly cost?: string | null;
  readonly BilledCost?: string | null;
  readonly EffectiveCost?: string | null;
  readonly ListCost?: string | null;
  readonly ContractedCost?: string | null;
  readonly ConsumedQuantity?: number | null;
  readonly PricingQuantity?: number | null;
  readonly GpuHours?: number | null;
  /** Hour by hour, for a GPU charge: hour of the day, GPU-hours and EffectiveCost. */
  readonly hours?: readonly { readonly hour: number; readonly gpuHours: number; readonly cost: string }[];
}

/** What one file says of one provider, billing account and month. */
export interface DeliverySpec {
  readonly provider?: string | null;
  readonly datasetKind?: DatasetKind;
  readonly billingAccount?: string | null;
  readonly month: string;
  /** Days covered; first and last day with a cell when left out. */
  readonly firstDay?: string;
  readonly lastDay?: string;
  readonly coversAllAccounts?: boolean;
  readonly file?: string;
  readonly cells: readonly CellSpec[];
}

export interface DeviceSpec {
  readonly host: string;
  readonly index?: number;
  readonly gpuModel?: string | null;
  readonly acceleratorId?: string | null;
  readonly memoryTotalMiB?: number | null;
}

export interface LedgerSpec {
  readonly deliveries?: readonly DeliverySpec[];
}

/** A ledger in memory with these deliveries posted one after another. */
export function ledgerWith({ deliveries = [] }: LedgerSpec = {}): OpenLedger {
  const ledger = openMemoryLedger();
  for (const delivery of deliveries) addDelivery(ledger, delivery);
  return ledger;
}

/** Stages and posts one delivery; returns its batch. */
export function addDelivery(ledger: OpenLedger, delivery: DeliverySpec, workOutDays = realWorkOutDays): number {
  const batch = stageDelivery(ledger.db, delivery);
  flip(ledger, { withBatches: [batch], withoutBatches: [] }, workOutDays);
  return batch;
}

export function flip(ledger: OpenLedger, change: { readonly withBatches: readonly number[]; readonly withoutBatches: readonly number[] }, workOutDays = realWorkOutDays): void {
  const prepared = prepareFlip(ledger.db, change, { policy: defaultIdlePolicy, control: noControl, workOutDays });
  if (!prepared.ok) throw new Error(prepared.error.code);
  commitFlip(ledger, prepared.value, "2026-10-01T00:00:00.000Z");
}

/** Writes one delivery as the reader would, not yet posted; returns its batch. */
export function stageDelivery(db: Db, delivery: DeliverySpec): number {
  const { provider = "AWS", datasetKind = "cash-and-accrual", billingAccount = "111122223333", month, coversAllAccounts = false, cells } = delivery;
  const days = cells.map(({ day }) => day).sort();
  const rows = cells.reduce((sum, { rows = 1 }) => sum + rows, 0);
  const batch = id(db, "INSERT INTO batch (Kind, State, FormatId, FormatVersion, RowsRead, RowsPosted, RowsSetAside, Report) VALUES ('billing', 'staging', 'focus', '1.0', ?, ?, 0, ?)", rows, rows, JSON.stringify({ periods: [month], totals: {}, corrections: {} }));
  const file = delivery.file ?? `bill-${batch}.csv`;
  db.prepare("INSERT INTO source_file (BatchId, Path, Name, Size, Sha256, Encoding, Delimiter, Layout) VALUES (?, ?, ?, 1, ?, 'utf-8', ',', '{}')").run(batch, `/nowhere/${file}`, file, createHash("sha256").update(file).digest("hex"));

  const period = parsePeriod(month);
  if (period === null) throw new Error(`not a month: ${month}`);
  const known = db
    .prepare<unknown[], number>("SELECT GroupId FROM delivery_group WHERE ProviderName IS ? AND DatasetKind = ? AND BillingAccountId IS ? AND BillingPeriodStart = ?")
    .pluck()
    .get(provider, datasetKind, billingAccount, period.start);
  const group =
    known ??
    id(db, "INSERT INTO delivery_group (ProviderName, DatasetKind, BillingAccountId, BillingPeriodStart, BillingPeriodEnd, Month, CurrentGeneration) VALUES (?, ?, ?, ?, ?, ?, 0)", provider, datasetKind, billingAccount, period.start, period.end, month);
  const firstDay = dayOf(delivery.firstDay ?? days[0] ?? `${month}-01`);
  const lastDay = dayOf(delivery.lastDay ?? days.at(-1) ?? `${month}-01`);
  const deliveryId = id(db, "INSERT INTO delivery (BatchId, GroupId, FirstDay, LastDay, CoversAllAccounts, RowCount, Totals, CellsKept) VALUES (?, ?, ?, ?, ?, ?, '{}', 1)", batch, group, firstDay, lastDay, coversAllAccounts ? 1 : 0, rows);

  for (const cell of cells) {
    const costs = moneyColumns.map((column) => attosOf(cell, column));
    const series = { ProviderName: provider, BillingAccountId: billingAccount, ...cell.series };
    const seriesId = seriesOf(db, series, costs.reduce((bits, cost, index) => (cost === null ? bits | (1 << index) : bits), 0));
    const accountKey = db.prepare<unknown[], number>("SELECT AccountKey FROM series WHERE SeriesId = ?").pluck().get(seriesId);
    db.prepare("INSERT OR IGNORE INTO delivery_account (DeliveryId, AccountKey) VALUES (?, ?)").run(deliveryId, accountKey);
    const gpuHours = cell.GpuHours ?? (cell.hours === undefined ? null : cell.hours.reduce((sum, { gpuHours }) => sum + gpuHours, 0));
    db.prepare(`INSERT INTO charge_day VALUES (${"?, ".repeat(14)}?)`).run(
      deliveryId, dayOf(cell.day), seriesId, cell.rows ?? 1, ...costs.flatMap(pairOf), cell.ConsumedQuantity ?? null, cell.PricingQuantity ?? null, gpuHours,
    );
  }
  writeHours(db, deliveryId, provider, billingAccount, cells);
  return batch;
}

/** A device; returns its id. */
export function addDevice(db: Db, { host, index = 0, gpuModel = "H100", acceleratorId = null, memoryTotalMiB = 81_559 }: DeviceSpec): number {
  return id(db, "INSERT INTO device (DeviceKey, Host, DeviceIndex, AcceleratorId, GpuModel, MemoryTotalMiB, Share) VALUES (?, ?, ?, ?, ?, ?, 1)", `${host}/${index}`, host, index, acceleratorId, gpuModel, memoryTotalMiB);
}

export type GpuHourSpec = { readonly hour: string; readonly device: number } & Partial<Record<
  | "KnownSeconds" | "UtilizationMean" | "UtilizationPeak" | "ActiveUtilizationSeconds" | "ActiveSeconds" | "HeldIdleSeconds" | "DeadIdleSeconds"
  | "IdleMemoryUnknownSeconds" | "MemoryKnownSeconds" | "MemoryShareMean" | "MemoryShareP95" | "MemorySharePeak" | "PowerKnownSeconds" | "EnergyWattHours",
  number | null
>>;

/** Device hours as they show; seconds left out are 0, means left out null. */
export function addGpuHours(ledger: OpenLedger, rows: readonly GpuHourSpec[]): void {
  const seconds = ["KnownSeconds", "ActiveUtilizationSeconds", "ActiveSeconds", "HeldIdleSeconds", "DeadIdleSeconds", "IdleMemoryUnknownSeconds", "MemoryKnownSeconds", "PowerKnownSeconds"];
  for (const { hour, device, ...values } of rows) {
    insert(ledger.db, "gpu_hour", { Day: dayOf(hour), Generation: 1, HourStart: hourOf(hour), DeviceId: device, ...Object.fromEntries(seconds.map((column) => [column, 0])), ...values });
  }
  show(ledger, rows.map(({ hour }) => dayOf(hour)));
}

const parts = ["ProductiveCost", "BusyInefficientCost", "HeldIdleCost", "DeadIdleCost", "IdleMemoryUnknownCost", "UnknownCost"] as const;
export type GpuHourCostSpec = {
  readonly hour: string;
  readonly series?: Partial<Series>;
  readonly GpuHours: number;
  readonly EffectiveCost: string | null;
} & Partial<Record<(typeof parts)[number], string>> &
  Partial<Record<"KnownGpuHours" | "UsefulGpuHours" | "IdleGpuHours" | "MemoryKnownGpuHours" | "MemoryUsedGpuHours" | "EnergyWattHours", number | null>>;

/** What the hours of a day add up to by series, in the order of the columns of `gpu_cost_day`. */
export function sumsOfDay(day: number, generation: number): string {
  return `SELECT
    Day, Generation, SeriesId, count(*), sum(GpuHours), sum(KnownGpuHours), sum(UsefulGpuHours), sum(IdleGpuHours), sum(MemoryKnownGpuHours), sum(MemoryUsedGpuHours),
    sum(CASE WHEN EffectiveCostNanos IS NULL THEN 0.0 ELSE GpuHours END), sum(CASE WHEN EffectiveCostNanos IS NULL THEN 0.0 ELSE UsefulGpuHours END),
    ${["EffectiveCost", ...parts].map((cost) => `sum(${cost}Nanos), sum(${cost}Rest)`).join(", ")}
  FROM gpu_hour_cost
  WHERE Day = ${day} AND Generation = ${generation}
  GROUP BY SeriesId
  ORDER BY SeriesId`;
}

/** Hours where bill and telemetry met, as they show; parts of the cost left out are 0, or null where the cost is. */
export function addGpuHourCosts(ledger: OpenLedger, rows: readonly GpuHourCostSpec[]): void {
  const measures = ["KnownGpuHours", "UsefulGpuHours", "IdleGpuHours", "MemoryKnownGpuHours", "MemoryUsedGpuHours"];
  for (const { hour, series = {}, EffectiveCost, ...values } of rows) {
    const row: Record<string, unknown> = {
      Day: dayOf(hour), Generation: 1, HourStart: hourOf(hour), SeriesId: seriesOf(ledger.db, { ProviderName: "AWS", BillingAccountId: "111122223333", ...series }, EffectiveCost === null ? 2 : 0),
      ...Object.fromEntries(measures.map((column) => [column, 0])),
    };
    for (const column of ["EffectiveCost", ...parts] as const) {
      const text = column === "EffectiveCost" ? EffectiveCost : (values[column] ?? (EffectiveCost === null ? null : "0"));
      [row[`${column}Nanos`], row[`${column}Rest`]] = pairOf(text === null ? null : attos(text));
    }
    for (const [column, value] of Object.entries(values)) if (typeof value !== "string") row[column] = value;
    insert(ledger.db, "gpu_hour_cost", row);
  }
  const days = [...new Set(rows.map(({ hour }) => dayOf(hour)))];
  for (const day of days) ledger.db.prepare("DELETE FROM gpu_cost_day WHERE Day = ? AND Generation = 1").run(day);
  for (const day of days) ledger.db.exec(`INSERT INTO gpu_cost_day ${sumsOfDay(day, 1)}`);
  // Energy as a ledger would have it whose hours were worked out before there was any.
  ledger.db.exec("DELETE FROM gpu_energy_day");
  ledger.db.exec(energyOfHours);
  ledger.db.exec("DELETE FROM gpu_activity_day");
  ledger.db.exec(activityOfDays);
  show(ledger, rows.map(({ hour }) => dayOf(hour)));
}

/** The series with these dimensions, made when it is new. */
export function seriesOf(db: Db, dimensions: Partial<Series>, nullCosts = 0): number {
  const series: Record<string, unknown> = { ChargeCategory: "Usage", BillingCurrency: "USD", ...dimensions };
  const entries = Object.entries(series).filter(([, value]) => value !== null).sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash("sha256").update(JSON.stringify([nullCosts, entries])).digest().subarray(0, 16);
  const known = db.prepare<unknown[], number>("SELECT SeriesId FROM series WHERE SeriesHash = ?").pluck().get(hash);
  if (known !== undefined) return known;
  const account = typeof series["SubAccountId"] === "string" ? series["SubAccountId"] : null;
  const accountKey =
    db.prepare<unknown[], number>("SELECT AccountKey FROM account WHERE SubAccountId IS ?").pluck().get(account) ??
    id(db, "INSERT INTO account (SubAccountId, SubAccountName) VALUES (?, ?)", account, dimensions.SubAccountName ?? null);
  return insert(db, "series", { SeriesHash: hash, AccountKey: accountKey, NullCosts: nullCosts, ...Object.fromEntries(entries) });
}

/** Everything the views show, as text, to compare a ledger before and after; ids that a new posting counts up are left out. */
export function dumpViews(db: Db): string {
  const series = "(SELECT hex(SeriesHash) FROM series s WHERE s.SeriesId = v.SeriesId)";
  const views: [string, string][] = [
    ["charge_month_current", `Month, ProviderName, DatasetKind, BillingAccountId, ${series} AS SeriesHash, ${measureColumns}`],
    ["charge_day_current", `Month, ProviderName, DatasetKind, BillingAccountId, Day, ${series} AS SeriesHash, ${measureColumns}`],
    ["gpu_charge_hours_current", `Month, ${series} AS SeriesHash, hex(Hours), ShownDays`],
    ["gpu_hour_current", "*"],
    ["idle_episode_current", "*"],
    ["gpu_hour_cost_current", "*"],
    ["gpu_cost_day_current", "*"],
    ["gpu_activity_day_current", "*"],
    ["gpu_energy_day_current", "*"],
    ["gpu_series_day_current", "Day, hex(Series)"],
    ["gpu_device_day_current", "Day, DeviceId, hex(Hours)"],
  ];
  return views
    .map(([view, columns]) => {
      const rows = db.prepare(`SELECT ${columns} FROM ${view} v`).raw().safeIntegers().all() as unknown[][];
      return [view, ...rows.map((row) => row.map(String).join("|")).sort()].join("\n");
    })
    .join("\n\n");
}
const measureColumns = ["RowCount", ...moneyColumns.flatMap((column) => [`${column}Nanos`, `${column}Rest`]), "ConsumedQuantity", "PricingQuantity", "GpuHours"].join(", ");

function writeHours(db: Db, deliveryId: number, provider: string | null, billingAccount: string | null, cells: readonly CellSpec[]): void {
  const blobs = new Map<string, { seriesId: number; month: string; entries: { hour: number; gpuHours: number; effectiveAttos: bigint | null }[] }>();
  for (const cell of cells) {
    if (cell.hours === undefined) continue;
    const costs = moneyColumns.map((column) => attosOf(cell, column));
    const seriesId = seriesOf(db, { ProviderName: provider, BillingAccountId: billingAccount, ...cell.series }, costs.reduce((bits, cost, index) => (cost === null ? bits | (1 << index) : bits), 0));
    const month = cell.day.slice(0, 7);
    const key = `${seriesId} ${month}`;
    const blob = blobs.get(key) ?? { seriesId, month, entries: [] };
    blobs.set(key, blob);
    const firstHour = hourOf(`${cell.day}T00:00:00Z`) - hourOf(`${month}-01T00:00:00Z`);
    for (const { hour, gpuHours, cost } of cell.hours) blob.entries.push({ hour: firstHour + hour, gpuHours, effectiveAttos: attos(cost) });
  }
  for (const { seriesId, month, entries } of blobs.values()) {
    entries.sort((a, b) => a.hour - b.hour);
    db.prepare("INSERT INTO gpu_charge_hours (DeliveryId, SeriesId, Month, Hours) VALUES (?, ?, ?, ?)").run(deliveryId, seriesId, month, encodeGpuChargeHours(entries));
  }
}

function show(ledger: OpenLedger, days: readonly number[]): void {
  ledger.db.exec("DELETE FROM gpu_series_day; DELETE FROM gpu_device_day");
  hourCubes.fill(ledger.db);
  showHours(ledger.db, { generation: 1, days: [...new Set(days)], policy: defaultIdlePolicy });
  ledger.bump();
}

function attosOf(cell: CellSpec, column: MoneyColumn): bigint | null {
  const text = cell[column] === undefined ? cell.cost : cell[column];
  return text === undefined || text === null ? null : attos(text);
}

function attos(text: string): bigint {
  const amount = parseAmount(text);
  if (amount === null) throw new Error(`not an amount: ${text}`);
  return amount.value;
}

function pairOf(amount: bigint | null): readonly [bigint | null, bigint | null] {
  if (amount === null) return [null, null];
  const { nanos, rest } = splitAttos(amount);
  return [nanos, rest];
}

function insert(db: Db, table: string, row: Record<string, unknown>): number {
  const columns = Object.keys(row);
  return id(db, `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`, ...Object.values(row));
}

function id(db: Db, text: string, ...values: unknown[]): number {
  return Number(db.prepare(text).run(...values).lastInsertRowid);
}
