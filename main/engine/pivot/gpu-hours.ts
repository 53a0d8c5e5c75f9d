/**
 * GPU-hours for the Ledger screen, added up before SQL groups them: a day of all series is one blob (store/gpu-series-day.ts), and of the series
 * that fall into one group only their sum goes on, under one of them. What SQL then groups, filters and orders is the same, in far fewer rows.
 */
import { dayOf, parsePeriod } from "../../../shared/domain/period.ts";
import type { Gathered } from "../reports/gather.ts";
import { decodeGpuSeriesDay, NO_COST, type AmountColumn, type GpuSeriesDay } from "../store/gpu-series-day.ts";
import { AmountOutOfRange, identifier, query, readAll, splitAttos, sql, type Db, type Fragment, type SqlValue } from "../store/sql.ts";

export interface GpuHourGroups {
  /** What tells groups of series apart, on `s` (their series) and `f.Month`. */
  readonly keys: Fragment;
  /** Which series are in it, on the same. */
  readonly where: Fragment;
  /** Whether days are told apart; months always are, since whose a series is may change with them. */
  readonly isByDay: boolean;
}

/** Sums held at a time: 50 MB. Beyond, the rows themselves are asked. */
const MOST_SUMS = 300_000;
const WORD = 4_294_967_296;
/** Where the sum of low words is carried over to the high ones, long before it would lose a digit. */
const CARRY_FROM = 2 ** 51;

const hours = ["GpuHours", "KnownGpuHours", "UsefulGpuHours", "IdleGpuHours"] as const;
const costs = ["EffectiveCost", "UnknownCost", "HeldIdleCost", "DeadIdleCost", "IdleMemoryUnknownCost"] as const;
const columns = ["Day", "SeriesId", "HourCount", ...hours, ...costs.flatMap((cost) => [`${cost}Nanos`, `${cost}Rest`])];

/**
 * Fills `temp.gpu_hour_group` with a row a group, UTC day (or first day asked of a month) and whether the bill states a cost, in the columns of
 * `gpu_cost_day_current`. null: it would be too much, or an amount does not fit; then the rows are to be asked.
 */
export function gpuHourGroups({ context, months, firstDay, endDay }: Gathered, asked: GpuHourGroups): Fragment | null {
  const { db } = context.ledger;
  const sums: MonthSums[] = [];
  let size = 0;
  for (const month of months) {
    const period = parsePeriod(month);
    if (period === null) continue;
    const read = sumsOfMonth(db, asked, month, Math.max(firstDay, dayOf(period.start)), Math.min(endDay, dayOf(period.end)), MOST_SUMS - size);
    if (read === null) return null;
    size += read.representative.length * read.days.length;
    sums.push(read);
  }
  return write(db, sums) ? identifier("temp.gpu_hour_group") : null;
}

/** Sums of one month: `representative` is a series of each group; a block of numbers for each group, day and whether the bill states a cost. */
interface MonthSums {
  readonly representative: readonly number[];
  readonly days: readonly number[];
  readonly blocks: Float64Array;
}
const BLOCK = 1 + hours.length + 3 * costs.length;

function sumsOfMonth(db: Db, { keys, where, isByDay }: GpuHourGroups, month: string, fromDay: number, endDay: number, most: number): MonthSums | null {
  const stored = readAll(db, query<{ day: number; series: Uint8Array }>("day", "series")`-- pivot.gpu-series-days
    SELECT Day AS day, Series AS series FROM gpu_series_day_current WHERE Day >= ${fromDay} AND Day < ${endDay} ORDER BY Day`).map(({ day, series }) => ({ day, of: decodeGpuSeriesDay(series) }));
  const ids = new Set<number>();
  for (const { of } of stored) for (const seriesId of of.series) ids.add(seriesId);
  const representative: number[] = [];
  const groupOf = new Map<number, number>();
  const known = new Map<string, number>();
  for (const { seriesId, key } of readAll(db, query<{ seriesId: number; key: string }>("seriesId", "key")`-- pivot.gpu-series
    SELECT s.SeriesId AS seriesId, ${keys} AS key
    FROM (SELECT ${month} AS Month) AS f
    CROSS JOIN json_each(${JSON.stringify([...ids])}) AS i
    CROSS JOIN series AS s ON s.SeriesId = i.value
    WHERE ${where}
    ORDER BY s.SeriesId`)) {
    let group = known.get(key);
    if (group === undefined) {
      known.set(key, (group = representative.length));
      representative.push(seriesId);
    }
    groupOf.set(seriesId, group);
  }
  const days = isByDay ? stored.map(({ day }) => day) : [fromDay];
  if (representative.length * days.length > most) return null;
  const blocks = new Float64Array(representative.length * days.length * 2 * BLOCK);
  stored.forEach(({ of }, place) => addDay(blocks, of, groupOf, days.length, isByDay ? place : 0));
  return { representative, days, blocks };
}

/** Adds a day's series to the blocks of their groups. What was not seen has no hours known, and all of its cost is unknown. */
function addDay(blocks: Float64Array, day: GpuSeriesDay, groupOf: ReadonlyMap<number, number>, dayCount: number, dayPlace: number): void {
  const blockOf = new Int32Array(day.count).fill(-1);
  const isSeen = new Uint8Array(day.count);
  for (const place of day.seenAt) isSeen[place] = 1;
  for (let place = 0; place < day.count; place += 1) {
    const group = groupOf.get(day.series[place] as number);
    if (group === undefined) continue;
    const isPriced = ((day.flags[place] as number) & NO_COST) === 0;
    const at = ((group * dayCount + dayPlace) * 2 + (isPriced ? 0 : 1)) * BLOCK;
    blockOf[place] = at;
    add(blocks, at, day.hourCount[place] as number);
    add(blocks, at + 1, day.gpuHours[place] as number);
    if (!isPriced) continue;
    addAmount(blocks, moneyAt(at, 0), day.cost, place);
    if (isSeen[place] === 0) addAmount(blocks, moneyAt(at, 1), day.cost, place);
  }
  const { KnownGpuHours, UsefulGpuHours, IdleGpuHours } = day.seen;
  const { UnknownCost, HeldIdleCost, DeadIdleCost, IdleMemoryUnknownCost } = day.parts;
  for (let seen = 0; seen < day.seenCount; seen += 1) {
    const at = blockOf[day.seenAt[seen] as number] as number;
    if (at < 0) continue;
    add(blocks, at + 2, KnownGpuHours[seen] as number);
    add(blocks, at + 3, UsefulGpuHours[seen] as number);
    add(blocks, at + 4, IdleGpuHours[seen] as number);
    addAmount(blocks, moneyAt(at, 1), UnknownCost, seen);
    addAmount(blocks, moneyAt(at, 2), HeldIdleCost, seen);
    addAmount(blocks, moneyAt(at, 3), DeadIdleCost, seen);
    addAmount(blocks, moneyAt(at, 4), IdleMemoryUnknownCost, seen);
  }
}

function moneyAt(block: number, cost: number): number {
  return block + 1 + hours.length + 3 * cost;
}

function add(blocks: Float64Array, at: number, value: number): void {
  blocks[at] = (blocks[at] as number) + value;
}

/** Low words, high words and rests are added apart, all exact. */
function addAmount(blocks: Float64Array, at: number, { low, high, rest }: AmountColumn, place: number): void {
  let lows = (blocks[at] as number) + (low[place] as number);
  let highs = (blocks[at + 1] as number) + (high[place] as number);
  if (lows >= CARRY_FROM) {
    const up = Math.floor(lows / WORD);
    highs += up;
    lows -= up * WORD;
  }
  blocks[at] = lows;
  blocks[at + 1] = highs;
  add(blocks, at + 2, rest[place] as number);
}

/** false where an amount is beyond a money column: then nothing of it is to be used. */
function write(db: Db, months: readonly MonthSums[]): boolean {
  db.exec(`DROP TABLE IF EXISTS temp.gpu_hour_group; CREATE TEMP TABLE gpu_hour_group (${columns.join(", ")})`);
  const insert = db.prepare(`INSERT INTO temp.gpu_hour_group (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`);
  try {
    db.transaction(() => {
      for (const { representative, days, blocks } of months) {
        let at = 0;
        for (const seriesId of representative) {
          for (const day of days) {
            for (const isPriced of [true, false]) {
              if (blocks[at] !== 0) insert.run(rowOf(blocks, at, day, seriesId, isPriced));
              at += BLOCK;
            }
          }
        }
      }
    })();
    return true;
  } catch (fault) {
    if (fault instanceof AmountOutOfRange) return false;
    throw fault;
  }
}

function rowOf(blocks: Float64Array, at: number, day: number, seriesId: number, isPriced: boolean): SqlValue[] {
  const amounts = costs.flatMap((_, cost): SqlValue[] => {
    if (!isPriced) return [null, null];
    const [low = 0, high = 0, rest = 0] = blocks.subarray(moneyAt(at, cost), moneyAt(at, cost) + 3);
    const { nanos, rest: below } = splitAttos((BigInt(high) * BigInt(WORD) + BigInt(low)) * 1_000_000_000n + BigInt(rest));
    return [nanos, below];
  });
  return [day, seriesId, blocks[at] as number, ...hours.map((_, way) => (blocks[at + 1 + way] as number) / 1e9), ...amounts];
}

/** Keys of several columns as one text. */
export function keysTogether(parts: readonly Fragment[]): Fragment {
  return parts.length === 0 ? sql`''` : sql`json_array(${parts.flatMap((part, index) => (index === 0 ? [part] : [sql`,`, part]))})`;
}
