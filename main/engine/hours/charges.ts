/**
 * The hourly GPU charges that count, some days at a time: so many days that what is held stays small, whatever the length of the bill.
 * Charges of resources that were seen are kept by resource and hour, since they share what was seen; the others stand alone, hour by hour.
 */
import { eachGpuChargeHour } from "../store/gpu-charge-hours.ts";
import { joined, query, readAll, readOne, splitAttos, sql, type Db } from "../store/sql.ts";
import type { ChargeHour, ObservedHour } from "./hour-cost.ts";
import { toSeenHours } from "./spread.ts";
import type { HourShare } from "./spread.ts";
import type { WorkOut } from "./work-out.ts";

const HOURS_A_DAY = 24;
const ATTOS_A_NANO = 1_000_000_000n;
/** Hours of charges held at a time, some 40 MB at most where all of them were seen; never less than a day. */
const HOURS_HELD = 60_000;
/** Series whose hours are read in one go: a month of an hourly charge has 17 kB. */
const SERIES_A_READING = 500;

/** Charges that nothing was seen of, an element an hour of a series. The two integers of the cost have one sign; null where the bill states none. */
export interface UnseenCharges {
  readonly hour: number[];
  readonly seriesId: number[];
  readonly gpuHours: number[];
  readonly nanos: (bigint | null)[];
  readonly rest: number[];
}
export interface ChargesOfDays {
  readonly unseen: UnseenCharges;
  /** resource → hour → charges */
  readonly seen: ReadonlyMap<string, ReadonlyMap<number, readonly ChargeHour[]>>;
}
/** Which delivery's hours an account and day of a group show; null for an account without any. */
export type DayOwners = (groupId: number, accountKey: number) => ((day: number) => number | null) | null;
/** By resource, its id in small letters. */
export type SeenResources = ReadonlyMap<string, ReadonlyMap<number, ObservedHour>>;

/** The days of a run in pieces, each with about as many hours of charges as may be held, if every charge has all hours of its month. */
export function piecesOf(db: Db, run: readonly number[]): number[][] {
  const months = monthsOf(run);
  const charges = readOne(db, query<{ charges: number | null }>("charges")`-- hours.charges-of-months
    SELECT max(charges) AS charges FROM (
      SELECT count(*) AS charges
      FROM delivery AS d
      CROSS JOIN gpu_charge_hours AS h ON h.DeliveryId = d.DeliveryId
      WHERE h.Month BETWEEN ${months.first} AND ${months.last}
      GROUP BY h.Month
    )`)?.charges ?? 0;
  const daysHeld = Math.min(run.length, Math.max(1, Math.floor(HOURS_HELD / (HOURS_A_DAY * Math.max(1, charges)))));
  return Array.from({ length: Math.ceil(run.length / daysHeld) }, (_, piece) => run.slice(piece * daysHeld, (piece + 1) * daysHeld));
}

/** The charges of some days in a row. */
export function chargesOf(db: Db, days: readonly number[], owners: DayOwners, resources: SeenResources, isCancelled: () => boolean): ChargesOfDays {
  const first = (days[0] as number) * HOURS_A_DAY;
  const end = ((days.at(-1) as number) + 1) * HOURS_A_DAY;
  const unseen: UnseenCharges = { hour: [], seriesId: [], gpuHours: [], nanos: [], rest: [] };
  const seen = new Map<string, Map<number, ChargeHour[]>>();
  const spread = new Map<string, SpreadDay[]>();
  for (const row of chargeHours(db, days)) {
    if (isCancelled()) break;
    const owner = owners(row.GroupId, row.AccountKey);
    if (owner === null) continue;
    const { SeriesId: seriesId } = row;
    const resource = row.ResourceId?.toLowerCase();
    const isSeen = resource !== undefined && resources.has(resource);
    const monthHour = Math.floor(Date.parse(`${row.Month}-01T00:00:00Z`) / 3_600_000);
    let day = -1;
    let isOwned = false;
    let spreadDay = null as SpreadDay | null;
    eachGpuChargeHour(row.Hours, first - monthHour, end - monthHour, (hourOfMonth, gpuHours, nanos, rest, isSpread) => {
      const hour = monthHour + hourOfMonth;
      if (Math.floor(hour / HOURS_A_DAY) !== day) {
        day = Math.floor(hour / HOURS_A_DAY);
        isOwned = owner(day) === row.DeliveryId;
      }
      if (!isOwned) return;
      if (!isSeen) {
        addUnseen(unseen, hour, seriesId, gpuHours, nanos, rest);
        return;
      }
      const effectiveAttos = nanos === null ? null : nanos * ATTOS_A_NANO + BigInt(rest);
      if (isSpread) {
        if (spreadDay?.day !== day) listIn(spread, resource).push((spreadDay = { day, seriesId, shares: [] }));
        spreadDay.shares.push({ hour, gpuHours, effectiveAttos });
      } else addChargeTo(seen, resource, hour, { seriesId, gpuHours, effectiveAttos });
    });
  }
  for (const [resource, list] of spread) moveToSeenHours(list, resources.get(resource), seen.get(resource), (hour, charge) => addChargeTo(seen, resource, hour, charge));
  return { unseen, seen };
}

/** A blob's nanos are rounded down and its rest counts up from there; in a table both have the amount's sign. */
function addUnseen(unseen: UnseenCharges, hour: number, seriesId: number, gpuHours: number, nanos: bigint | null, rest: number): void {
  const isUp = nanos !== null && nanos < 0n && rest > 0;
  unseen.hour.push(hour);
  unseen.seriesId.push(seriesId);
  unseen.gpuHours.push(gpuHours);
  unseen.nanos.push(isUp ? nanos + 1n : nanos);
  unseen.rest.push(isUp ? rest - 1e9 : rest);
}

/** Adds an element of unseen charges to another of the same series and hour: it came in two deliveries. */
export function addToUnseen({ gpuHours, nanos, rest }: UnseenCharges, into: number, from: number): void {
  gpuHours[into] = (gpuHours[into] as number) + (gpuHours[from] as number);
  const [a, b] = [nanos[into] ?? null, nanos[from] ?? null];
  const sum = a === null || b === null ? null : splitAttos((a + b) * ATTOS_A_NANO + BigInt((rest[into] as number) + (rest[from] as number)));
  nanos[into] = sum === null ? null : sum.nanos;
  rest[into] = sum === null ? 0 : Number(sum.rest);
}

interface ChargeHoursRow {
  readonly DeliveryId: number;
  readonly SeriesId: number;
  readonly Month: string;
  readonly Hours: Uint8Array;
  readonly AccountKey: number;
  readonly GroupId: number;
  readonly ResourceId: string | null;
}

/** The hours of all deliveries in the months of some days, in the order of their key. */
function* chargeHours(db: Db, days: readonly number[]): Generator<ChargeHoursRow> {
  const months = monthsOf(days);
  for (let after: { readonly DeliveryId: number; readonly SeriesId: number; readonly Month: string } | undefined = { DeliveryId: 0, SeriesId: 0, Month: "" }; after !== undefined; ) {
    const rows: ChargeHoursRow[] = readAll(db, query<ChargeHoursRow>("DeliveryId", "SeriesId", "Month", "Hours", "AccountKey", "GroupId", "ResourceId")`-- hours.charge-hours
      SELECT h.DeliveryId, h.SeriesId, h.Month, h.Hours, s.AccountKey, d.GroupId, s.ResourceId
      FROM gpu_charge_hours AS h
      JOIN delivery AS d ON d.DeliveryId = h.DeliveryId
      JOIN series AS s ON s.SeriesId = h.SeriesId
      WHERE (h.DeliveryId, h.SeriesId, h.Month) > (${after.DeliveryId}, ${after.SeriesId}, ${after.Month}) AND h.Month BETWEEN ${months.first} AND ${months.last}
      ORDER BY h.DeliveryId, h.SeriesId, h.Month
      LIMIT ${SERIES_A_READING}`);
    yield* rows;
    after = rows.length < SERIES_A_READING ? undefined : rows.at(-1);
  }
}

function monthsOf(days: readonly number[]): { readonly first: string; readonly last: string } {
  const monthOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 7);
  return { first: monthOf(days[0] as number), last: monthOf(days.at(-1) as number) };
}

/** The shares of one day of a series whose bill states no hours. */
interface SpreadDay {
  readonly day: number;
  readonly seriesId: number;
  readonly shares: HourShare[];
}

/**
 * Charges without hours take what hourly charges of the same resource leave of the hours seen; several of them share an hour by the GPU-hours
 * each bills that day.
 */
function moveToSeenHours(
  days: readonly SpreadDay[],
  seen: ReadonlyMap<number, ObservedHour> | undefined,
  hourly: ReadonlyMap<number, readonly ChargeHour[]> | undefined,
  add: (hour: number, charge: ChargeHour) => void,
): void {
  const billedOn = new Map<number, number>();
  const billedOf = ({ shares }: SpreadDay): number => shares.reduce((sum, { gpuHours }) => sum + gpuHours, 0);
  for (const each of days) billedOn.set(each.day, (billedOn.get(each.day) ?? 0) + Math.max(0, billedOf(each)));
  // Before any is added: what one takes must not look like an hourly charge to the next.
  const left = new Map<number, number>();
  for (const { shares } of days) {
    for (const { hour } of shares) {
      const taken = (hourly?.get(hour) ?? []).reduce((sum, { gpuHours }) => sum + Math.max(0, gpuHours), 0);
      left.set(hour, Math.max(0, (seen?.get(hour)?.known ?? 0) - taken));
    }
  }
  for (const each of days) {
    const part = Math.max(0, billedOf(each)) / (billedOn.get(each.day) ?? 1);
    for (const { hour, gpuHours, effectiveAttos } of toSeenHours(each.shares, (at) => (left.get(at) ?? 0) * part)) add(hour, { seriesId: each.seriesId, gpuHours, effectiveAttos });
  }
}

function addChargeTo(charges: Map<string, Map<number, ChargeHour[]>>, key: string, hour: number, charge: ChargeHour): void {
  let hours = charges.get(key);
  if (!hours) charges.set(key, (hours = new Map<number, ChargeHour[]>()));
  const list = hours.get(hour);
  if (!list) hours.set(hour, [charge]);
  else addCharge(list, charge);
}

function listIn<T>(lists: Map<string, T[]>, key: string): T[] {
  let list = lists.get(key);
  if (!list) lists.set(key, (list = []));
  return list;
}

/** The same series may come in two deliveries of an hour (two groups): one row an hour, amounts added. */
function addCharge(list: ChargeHour[], charge: ChargeHour): void {
  const index = list.findIndex(({ seriesId }) => seriesId === charge.seriesId);
  const known = list[index];
  if (!known) {
    list.push(charge);
    return;
  }
  list[index] = {
    seriesId: charge.seriesId,
    gpuHours: known.gpuHours + charge.gpuHours,
    effectiveAttos: known.effectiveAttos === null || charge.effectiveAttos === null ? null : known.effectiveAttos + charge.effectiveAttos,
  };
}

interface OwnerRow {
  readonly GroupId: number;
  readonly AccountKey: number;
  readonly Day: number;
  readonly DeliveryId: number;
}

/**
 * Which delivery's hours an account and day of a group show. A charge longer than a day lies under its first day, so a day without an owner
 * shows the delivery of the last owned day before it.
 */
export function dayOwners(db: Db, work: Pick<WorkOut, "groupGenerations">): DayOwners {
  const owners = new Map<string, { days: number[]; deliveries: number[] }>();
  const read = (rows: readonly OwnerRow[]): void => {
    for (const row of rows) {
      const key = `${row.GroupId} ${row.AccountKey}`;
      let list = owners.get(key);
      if (!list) owners.set(key, (list = { days: [], deliveries: [] }));
      list.days.push(row.Day);
      list.deliveries.push(row.DeliveryId);
    }
  };
  const staged = [...work.groupGenerations];
  const stagedGroups = joined(staged.map(([groupId]) => sql`${groupId}`), ", ");
  read(
    readAll(db, query<OwnerRow>("GroupId", "AccountKey", "Day", "DeliveryId")`-- hours.day-owners
      SELECT o.GroupId, o.AccountKey, o.Day, o.DeliveryId
      FROM delivery_group AS g
      CROSS JOIN day_owner AS o ON o.GroupId = g.GroupId AND o.Generation = g.CurrentGeneration
      WHERE ${staged.length === 0 ? sql`1` : sql`o.GroupId NOT IN (${stagedGroups})`}
      ORDER BY o.GroupId, o.AccountKey, o.Day`),
  );
  for (const [groupId, generation] of staged) {
    read(
      readAll(db, query<OwnerRow>("GroupId", "AccountKey", "Day", "DeliveryId")`-- hours.day-owners-staged
        SELECT GroupId, AccountKey, Day, DeliveryId
        FROM day_owner
        WHERE GroupId = ${groupId} AND Generation = ${generation}
        ORDER BY AccountKey, Day`),
    );
  }
  return (groupId, accountKey) => {
    const list = owners.get(`${groupId} ${accountKey}`);
    if (!list) return null;
    return (day) => {
      let low = 0;
      let high = list.days.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((list.days[middle] as number) <= day) low = middle + 1;
        else high = middle;
      }
      return list.deliveries[low - 1] ?? null;
    };
  };
}
