/**
 * Posting and undo are one motion: what will show is prepared under fresh generations that no view sees, at leisure and in short
 * transactions; then one short transaction flips batches, generations and days together.
 */
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { IdlePolicy } from "../../../shared/contract/report.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { matchHosts } from "../hours/match.ts";
import { deviceHosts, gpuResources, hostMap, type WorkedOut, type WorkOut } from "../hours/work-out.ts";
import type { OpenLedger } from "../store/open.ts";
import { prepared, query, readAll, sql, joined, type Db, type Fragment } from "../store/sql.ts";
import { allocateNew, awaitsAllocation } from "../teams/rules.ts";
import { giveWay, repeatInChunks, writeInChunks, type JobControl } from "./control.ts";
import { allocationOf, clearGeneration, lineTables, rollUpLines } from "./lines.ts";

/** Which batches begin to count, oldest first (of those never posted), and which cease to. */
export interface Flip {
  readonly withBatches: readonly number[];
  readonly withoutBatches: readonly number[];
}

/** What a flip will show, ready in the store. Plain data: it is prepared by the reader thread and flipped by the engine. */
export interface PreparedFlip {
  readonly flip: Flip;
  readonly groups: readonly { readonly groupId: number; readonly generation: number }[];
  /** The rules that the lines of the groups rest on (import/lines.ts); undefined where they were not worked out, since rules are still to say whose series are. */
  readonly linesUnder: string | null | undefined;
  readonly hours: { readonly generation: number; readonly days: readonly number[]; readonly policy: IdlePolicy } | null;
  /** Deliveries whose cells go, since three newer ones of their group are there and they show nothing. */
  readonly cellsGone: readonly number[];
}

export interface PrepareOptions {
  readonly policy: IdlePolicy;
  readonly control: JobControl;
  readonly workOutDays: (db: Db, work: WorkOut) => WorkedOut;
}

/** Deliveries of a group that keep their cells though they show nothing (architecture.md section 6, Deliveries). */
const DELIVERIES_KEPT = 3;
/** Up to so many pairs of account and day a group's ownership is written for every day covered, beyond only for days with cells. */
const MOST_COVERED_PAIRS = 200_000;

/**
 * Prepares a flip; nothing that shows is touched.
 * errors  batch.cells-gone: it would show a delivery whose cells are no longer kept; ledger.amount-range: a series adds up to more than 64 bits
 *         of nanos in a month
 */
export function prepareFlip(db: Db, flip: Flip, { policy, control, workOutDays }: PrepareOptions): Result<PreparedFlip> {
  const groupIds = groupsOf(db, [...flip.withBatches, ...flip.withoutBatches]);
  const linesUnder = awaitsAllocation(db) ? undefined : allocationOf(db);
  const groups: { groupId: number; generation: number }[] = [];
  const cellsGone: number[] = [];
  for (const groupId of groupIds) {
    for (const deliveryId of stagedDeliveries(db, flip.withBatches, groupId)) noteDays(db, deliveryId, control);
    const deliveries = deliveriesThatCount(db, groupId, flip);
    const owners = ownersOf(db, deliveries);
    const gone = goneButShown(db, deliveries, owners);
    if (gone) return err(ledgerError("batch.cells-gone", { batch: flip.withoutBatches[0] ?? flip.withBatches[0] ?? 0 }));
    const generation = clearedGeneration(db, groupId, control);
    writeOwners(db, groupId, generation, owners, control);
    const tooLarge = rollUpMonth(db, groupId, generation, control);
    if (tooLarge !== null) return err(ledgerError("ledger.amount-range", { line: tooLarge }));
    if (linesUnder !== undefined) rollUpLines(db, groupId, generation, control);
    groups.push({ groupId, generation });
    if (flip.withBatches.length > 0) cellsGone.push(...deliveriesToEmpty(db, groupId, flip, owners));
  }
  const days = touchedGpuDays(db, flip);
  if (days.length === 0) return ok({ flip, groups, linesUnder, hours: null, cellsGone });
  const workedOut = workOutDays(db, {
    days,
    policy,
    withBatches: flip.withBatches,
    withoutBatches: flip.withoutBatches,
    groupGenerations: new Map(groups.map(({ groupId, generation }) => [groupId, generation])),
    control,
  });
  giveWay(control);
  return ok({ flip, groups, linesUnder, hours: { generation: workedOut.generation, days: workedOut.days, policy }, cellsGone });
}

/** The flip itself: one short transaction. Returns the ledger's new revision. */
export function commitFlip(ledger: OpenLedger, { flip, groups, linesUnder, hours, cellsGone }: PreparedFlip, now: string): number {
  const { db } = ledger;
  return db
    .transaction(() => {
      const post = db.prepare(
        `UPDATE batch
         SET State = 'posted', ImportedAt = coalesce(ImportedAt, ?), PostedOrder = coalesce(PostedOrder, (SELECT coalesce(max(PostedOrder), 0) + 1 FROM batch))
         WHERE BatchId = ?`,
      );
      for (const batch of flip.withBatches) post.run(now, batch);
      const undo = db.prepare("UPDATE batch SET State = 'undone' WHERE BatchId = ?");
      for (const batch of flip.withoutBatches) undo.run(batch);
      // Lines under other rules than now are worked out again behind the scenes.
      const haveLines = allocationOf(db) === linesUnder ? 1 : 0;
      const show = db.prepare("UPDATE delivery_group SET CurrentGeneration = ?, LinesGeneration = iif(?, ?, 0) WHERE GroupId = ?");
      for (const { groupId, generation } of groups) show.run(generation, haveLines, generation, groupId);
      const empty = db.prepare("UPDATE delivery SET CellsKept = 0 WHERE DeliveryId = ?");
      for (const deliveryId of cellsGone) empty.run(deliveryId);
      if (hours !== null) showHours(db, hours);
      allocateNew(db);
      return ledger.bump();
    })
    .immediate();
}

/** Lets days show another generation of hours, inside the caller's transaction. */
export function showHours(db: Db, { generation, days, policy }: { readonly generation: number; readonly days: readonly number[]; readonly policy: IdlePolicy }): void {
  const show = db.prepare("INSERT INTO day_generation (Day, Generation, Policy) VALUES (?, ?, ?) ON CONFLICT (Day) DO UPDATE SET Generation = excluded.Generation, Policy = excluded.Policy");
  const text = JSON.stringify(policy);
  for (const day of days) show.run(day, generation, text);
}

/** Notes of which accounts and days a delivery has cells, and which accounts it holds; once, when it has been read. */
export function noteDays(db: Db, deliveryId: number, control: JobControl): void {
  const known = db.prepare("SELECT 1 FROM delivery_day WHERE DeliveryId = ?").get(deliveryId);
  if (known !== undefined) return;
  const pairs = readAll(db, query<{ AccountKey: number; Day: number }>("AccountKey", "Day")`-- post.days-of-delivery
    SELECT DISTINCT s.AccountKey, c.Day
    FROM charge_day c
    CROSS JOIN series s ON s.SeriesId = c.SeriesId
    WHERE c.DeliveryId = ${deliveryId}`);
  const note = prepared(db, "INSERT INTO delivery_day (DeliveryId, AccountKey, Day) VALUES (?, ?, ?)");
  writeInChunks(db, control, pairs, ({ AccountKey, Day }) => note.run(deliveryId, AccountKey, Day));
  const account = prepared(db, "INSERT OR IGNORE INTO delivery_account (DeliveryId, AccountKey) VALUES (?, ?)");
  writeInChunks(db, control, [...new Set(pairs.map(({ AccountKey }) => AccountKey))], (accountKey) => account.run(deliveryId, accountKey));
}

interface CountedDelivery {
  readonly deliveryId: number;
  readonly firstDay: number;
  readonly lastDay: number;
  /** null: all accounts of the group. */
  readonly accounts: ReadonlySet<number> | null;
  readonly holdsAccounts: readonly number[];
  readonly cellsKept: boolean;
}
/** account → day → delivery */
type Owners = ReadonlyMap<number, ReadonlyMap<number, number>>;

function groupsOf(db: Db, batches: readonly number[]): number[] {
  return readAll(db, query<{ GroupId: number }>("GroupId")`-- post.groups-of-batches
    SELECT DISTINCT GroupId FROM delivery WHERE BatchId IN (${list(batches)}) ORDER BY GroupId`).map(({ GroupId }) => GroupId);
}

function stagedDeliveries(db: Db, batches: readonly number[], groupId: number): number[] {
  return readAll(db, query<{ DeliveryId: number }>("DeliveryId")`-- post.staged-deliveries
    SELECT DeliveryId FROM delivery WHERE GroupId = ${groupId} AND BatchId IN (${list(batches)}) ORDER BY DeliveryId`).map(({ DeliveryId }) => DeliveryId);
}

interface DeliveryRow {
  readonly DeliveryId: number;
  readonly BatchId: number;
  readonly FirstDay: number;
  readonly LastDay: number;
  readonly CoversAllAccounts: number;
  readonly CellsKept: number;
  readonly PostedOrder: number | null;
}

/** The deliveries of a group that will count, newest first: those posted before, by their order; those never posted after them, as given. */
function deliveriesThatCount(db: Db, groupId: number, flip: Flip): CountedDelivery[] {
  const rows = readAll(db, query<DeliveryRow>("DeliveryId", "BatchId", "FirstDay", "LastDay", "CoversAllAccounts", "CellsKept", "PostedOrder")`-- post.deliveries-that-count
    SELECT d.DeliveryId, d.BatchId, d.FirstDay, d.LastDay, d.CoversAllAccounts, d.CellsKept, b.PostedOrder
    FROM delivery d
    JOIN batch b ON b.BatchId = d.BatchId
    WHERE d.GroupId = ${groupId}
      AND ((b.State = 'posted' AND b.BatchId NOT IN (${list(flip.withoutBatches)})) OR b.BatchId IN (${list(flip.withBatches)}))`);
  const place = (row: DeliveryRow): number => row.PostedOrder ?? Number.MAX_SAFE_INTEGER - flip.withBatches.length + flip.withBatches.indexOf(row.BatchId);
  rows.sort((a, b) => place(b) - place(a) || b.DeliveryId - a.DeliveryId);
  const accounts = new Map<number, number[]>();
  for (const { DeliveryId, AccountKey } of readAll(db, query<{ DeliveryId: number; AccountKey: number }>("DeliveryId", "AccountKey")`-- post.accounts-of-group
    SELECT a.DeliveryId, a.AccountKey
    FROM delivery d
    JOIN delivery_account a ON a.DeliveryId = d.DeliveryId
    WHERE d.GroupId = ${groupId}`)) {
    const known = accounts.get(DeliveryId);
    if (known) known.push(AccountKey);
    else accounts.set(DeliveryId, [AccountKey]);
  }
  return rows.map((row) => {
    const holdsAccounts = accounts.get(row.DeliveryId) ?? [];
    return {
      deliveryId: row.DeliveryId,
      firstDay: row.FirstDay,
      lastDay: row.LastDay,
      accounts: row.CoversAllAccounts === 1 ? null : new Set(holdsAccounts),
      holdsAccounts,
      cellsKept: row.CellsKept === 1,
    };
  });
}

/** Each account and day shows the newest delivery that covers it. */
function ownersOf(db: Db, deliveries: readonly CountedDelivery[]): Owners {
  const owners = new Map<number, Map<number, number>>();
  const allAccounts = [...new Set(deliveries.flatMap(({ holdsAccounts }) => holdsAccounts))].sort((a, b) => a - b);
  const own = (account: number, day: number): void => {
    const owner = deliveries.find(({ firstDay, lastDay, accounts }) => day >= firstDay && day <= lastDay && (accounts === null || accounts.has(account)));
    if (owner === undefined) return;
    let days = owners.get(account);
    if (days === undefined) owners.set(account, (days = new Map<number, number>()));
    days.set(day, owner.deliveryId);
  };
  const firstDay = deliveries.reduce((first, delivery) => Math.min(first, delivery.firstDay), Number.POSITIVE_INFINITY);
  const lastDay = deliveries.reduce((last, delivery) => Math.max(last, delivery.lastDay), Number.NEGATIVE_INFINITY);
  if (deliveries.length > 0 && allAccounts.length * (lastDay - firstDay + 1) <= MOST_COVERED_PAIRS) {
    for (const account of allAccounts) for (let day = firstDay; day <= lastDay; day += 1) own(account, day);
    return owners;
  }
  for (const { AccountKey, Day } of readAll(db, query<{ AccountKey: number; Day: number }>("AccountKey", "Day")`-- post.days-of-group
    SELECT DISTINCT AccountKey, Day FROM delivery_day WHERE DeliveryId IN (${list(deliveries.map(({ deliveryId }) => deliveryId))})`)) {
    own(AccountKey, Day);
  }
  return owners;
}

/** Whether a delivery without its cells would show an account and day of which it had some. */
function goneButShown(db: Db, deliveries: readonly CountedDelivery[], owners: Owners): boolean {
  const gone = deliveries.filter(({ cellsKept }) => !cellsKept).map(({ deliveryId }) => deliveryId);
  if (gone.length === 0) return false;
  return readAll(db, query<{ DeliveryId: number; AccountKey: number; Day: number }>("DeliveryId", "AccountKey", "Day")`-- post.days-without-cells
    SELECT DeliveryId, AccountKey, Day FROM delivery_day WHERE DeliveryId IN (${list(gone)})`).some(
    ({ DeliveryId, AccountKey, Day }) => owners.get(AccountKey)?.get(Day) === DeliveryId,
  );
}

/** A generation of the group that nothing is in: the next one, after what an interrupted preparation may have left is gone. */
function clearedGeneration(db: Db, groupId: number, control: JobControl): number {
  const current = Number(prepared(db, "SELECT CurrentGeneration FROM delivery_group WHERE GroupId = ?").pluck().get(groupId));
  sweepGroup(db, groupId, current, control);
  return current + 1;
}

/** Deletes the generations of a group that do not show. */
export function sweepGroup(db: Db, groupId: number, current: number, control: JobControl): void {
  for (const table of lineTables) for (const comparison of ["<", ">"] as const) clearGeneration(db, table, comparison, groupId, current, control);
  for (const table of ["day_owner", "charge_month"]) {
    const key = table === "day_owner" ? "AccountKey, Day" : "SeriesId";
    for (const comparison of ["<", ">"]) {
      const step = prepared(
        db,
        `DELETE FROM ${table} WHERE (GroupId, Generation, ${key}) IN
           (SELECT GroupId, Generation, ${key} FROM ${table} WHERE GroupId = ? AND Generation ${comparison} ? LIMIT 2000)`,
      );
      repeatInChunks(control, () => step.run(groupId, current).changes);
    }
  }
}

function writeOwners(db: Db, groupId: number, generation: number, owners: Owners, control: JobControl): void {
  const write = prepared(db, "INSERT INTO day_owner (GroupId, Generation, AccountKey, Day, DeliveryId) VALUES (?, ?, ?, ?, ?)");
  const rows = [...owners].flatMap(([account, days]) => [...days].map(([day, deliveryId]) => [account, day, deliveryId] as const));
  writeInChunks(db, control, rows, ([account, day, deliveryId]) => write.run(groupId, generation, account, day, deliveryId));
}

const costs = ["BilledCost", "EffectiveCost", "ListCost", "ContractedCost"] as const;
const monthColumns = ["SeriesId", "RowCount", ...costs.flatMap((cost) => [`${cost}Nanos`, `${cost}Rest`]), "ConsumedQuantity", "PricingQuantity", "GpuHours"];

/**
 * Adds the cells that count by series into charge_month. They are added up in a temporary table first, which keeps nobody from writing.
 * The rest below a nano is carried, so that a month of many rows stays two integers. Answers the series whose month does not fit two integers
 * (`sum()` would throw, so the nanos are added in halves; put together, SQLite makes a REAL of what is beyond 64 bits), or null.
 */
function rollUpMonth(db: Db, groupId: number, generation: number, control: JobControl): string | null {
  db.exec("DROP TABLE IF EXISTS temp.month_rows");
  db.prepare(
    `CREATE TEMP TABLE month_rows AS
     SELECT
       c.SeriesId AS SeriesId, sum(c.RowCount) AS RowCount,
       ${costs.map((cost) => `sum(c.${cost}Nanos / 1000000000) * 1000000000 + sum(c.${cost}Nanos % 1000000000) + sum(c.${cost}Rest) / 1000000000 AS ${cost}Nanos, sum(c.${cost}Rest) % 1000000000 AS ${cost}Rest`).join(", ")},
       sum(c.ConsumedQuantity) AS ConsumedQuantity, sum(c.PricingQuantity) AS PricingQuantity, sum(c.GpuHours) AS GpuHours
     FROM delivery d
     CROSS JOIN charge_day c ON c.DeliveryId = d.DeliveryId
     CROSS JOIN series s ON s.SeriesId = c.SeriesId
     CROSS JOIN day_owner o ON o.GroupId = d.GroupId AND o.Generation = ? AND o.AccountKey = s.AccountKey AND o.Day = c.Day
     WHERE d.GroupId = ? AND d.CellsKept = 1 AND o.DeliveryId = c.DeliveryId
     GROUP BY c.SeriesId
     ORDER BY c.SeriesId`,
  ).run(generation, groupId);
  const tooLarge = db
    .prepare(
      `SELECT concat_ws(', ', g.Month, coalesce(s.ResourceName, s.ResourceId, s.ChargeDescription, s.SkuId, s.ServiceName), s.BillingCurrency)
       FROM temp.month_rows m
       JOIN series s ON s.SeriesId = m.SeriesId
       JOIN delivery_group g ON g.GroupId = ?
       WHERE ${costs.map((cost) => `typeof(m.${cost}Nanos) = 'real'`).join(" OR ")}
       LIMIT 1`,
    )
    .pluck()
    .get(groupId) as string | undefined;
  const count = tooLarge === undefined ? Number(db.prepare("SELECT count(*) FROM temp.month_rows").pluck().get()) : 0;
  const copy = db.prepare(
    `INSERT INTO charge_month (GroupId, Generation, ${monthColumns.join(", ")})
     SELECT ?, ?, ${monthColumns.join(", ")} FROM temp.month_rows WHERE rowid > ? AND rowid <= ?`,
  );
  for (let start = 0; start < count; start += 2000) {
    giveWay(control);
    copy.run(groupId, generation, start, start + 2000);
  }
  db.exec("DROP TABLE temp.month_rows");
  return tooLarge ?? null;
}

/** Of the deliveries of a group, posted or undone, those that are older than the last three and own nothing that has cells. */
function deliveriesToEmpty(db: Db, groupId: number, flip: Flip, owners: Owners): number[] {
  const owning = new Set([...owners.values()].flatMap((days) => [...days.values()]));
  const rows = readAll(db, query<{ DeliveryId: number; CellsKept: number }>("DeliveryId", "CellsKept")`-- post.deliveries-by-age
    SELECT d.DeliveryId, d.CellsKept
    FROM delivery d
    JOIN batch b ON b.BatchId = d.BatchId
    WHERE d.GroupId = ${groupId} AND (b.State <> 'staging' OR b.BatchId IN (${list(flip.withBatches)}))
    ORDER BY b.PostedOrder IS NULL DESC, b.PostedOrder DESC, d.DeliveryId DESC`);
  return rows
    .slice(DELIVERIES_KEPT)
    .filter(({ DeliveryId, CellsKept }) => CellsKept === 1 && !owning.has(DeliveryId))
    .map(({ DeliveryId }) => DeliveryId);
}

/** Days whose hours or GPU costs may differ after the flip: those of a log's traces, and those a bill with GPU charges covers. */
function touchedGpuDays(db: Db, flip: Flip): number[] {
  const batches = list([...flip.withBatches, ...flip.withoutBatches]);
  const days = new Set<number>();
  for (const { Day } of readAll(db, query<{ Day: number }>("Day")`-- post.trace-days
    SELECT DISTINCT Day FROM gpu_trace WHERE BatchId IN (${batches})`)) days.add(Day);
  const covered = readAll(db, query<{ FirstDay: number; LastDay: number; lastMonth: string }>("FirstDay", "LastDay", "lastMonth")`-- post.gpu-days-covered
    SELECT d.FirstDay, d.LastDay, max(h.Month) AS lastMonth
    FROM delivery d
    JOIN delivery e ON e.GroupId = d.GroupId
    JOIN gpu_charge_hours h ON h.DeliveryId = e.DeliveryId
    WHERE d.BatchId IN (${batches})
    GROUP BY d.DeliveryId`);
  // The hours of a charge longer than a day lie after the day it counts under, at the latest in the last month with hours.
  for (const { FirstDay, LastDay, lastMonth } of covered) {
    const [year = 0, month = 0] = lastMonth.split("-").map(Number);
    const end = hasLongCharges(db, batches) ? Math.max(LastDay, Date.UTC(year, month, 1) / 86_400_000 - 1) : LastDay;
    for (let day = FirstDay; day <= end; day += 1) days.add(day);
  }
  if (covered.length > 0) for (const host of hostsJoinedAnew(db, flip)) for (const day of daysOfHost(db, host)) days.add(day);
  return [...days].sort((a, b) => a - b);
}

/** Hosts that the bills of the flip join to another resource than now, or to none: a second resource of the same name makes a match doubtful. */
function hostsJoinedAnew(db: Db, flip: Flip): string[] {
  const hosts = deviceHosts(db);
  const map = hostMap(db);
  const [now, then] = [gpuResources(db), gpuResources(db, flip)].map((resources) => {
    const joins = new Map<string, string>();
    for (const { host, resourceId, fromHour, toHour } of matchHosts(hosts, resources, map).matches) joins.set(host, `${joins.get(host) ?? ""} ${resourceId} ${fromHour} ${toHour}`);
    return joins;
  });
  return hosts.filter((host) => now?.get(host) !== then?.get(host));
}

/** UTC days on which a host has telemetry, of whatever batch. */
export function daysOfHost(db: Db, host: string): number[] {
  return readAll(db, query<{ Day: number }>("Day")`-- post.days-of-host
    SELECT DISTINCT t.Day
    FROM device d
    JOIN gpu_trace t ON t.DeviceId = d.DeviceId
    WHERE lower(d.Host) = lower(${host})
    ORDER BY t.Day`).map(({ Day }) => Day);
}

function hasLongCharges(db: Db, batches: Fragment): boolean {
  return readAll(db, query<{ found: number }>("found")`-- post.long-gpu-charges
    SELECT 1 AS found
    FROM delivery d
    JOIN delivery e ON e.GroupId = d.GroupId
    JOIN gpu_charge_hours h ON h.DeliveryId = e.DeliveryId
    JOIN series s ON s.SeriesId = h.SeriesId
    WHERE d.BatchId IN (${batches}) AND s.x_PeriodSeconds IS NOT NULL
    LIMIT 1`).length > 0;
}

function list(ids: readonly number[]): Fragment {
  return joined(ids.map((id) => sql`${id}`), ", ");
}
