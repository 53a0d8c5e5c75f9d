/**
 * The ledger with all money in one currency. It is a ledger like any other to whoever asks: the same tables and views, read by the same
 * questions, through a second connection. There every cell of a bill, and every day and hour of a GPU, has its amounts converted by the rate of
 * its day. So a figure is converted because its rows are, its parts add up because the rows do, and no question knows of rates.
 *
 * bills       the amounts of one billing month, currency and day of charge are added, converted and rounded half-even once (maths.md i.5); the
 *             cells they came from get their parts by largest remainder. A day that no rate covers is left out.
 * GPU days    a day of a series that costs what the bill charges for that day is worth what that charge is worth; the others of a currency
 *             and day are converted as the bills are. What no rate covers keeps its hours and has no cost.
 * splits      the ways that a day's money went, and its hours, get theirs by cumulative floors of the converted day
 */
import { ledgerError } from "../../../shared/contract/errors.ts";
import { RATE_HOLDS_DAYS, rateFinder, sharesOf, type RateFound } from "../../../shared/domain/exchange.ts";
import { sumAttos } from "../../../shared/domain/money.ts";
import { dayOf, parsePeriod, startOfDay } from "../../../shared/domain/period.ts";
import { divideHalfEven, floor } from "../../../shared/domain/rational.ts";
import { breath } from "../import/control.ts";
import { forgetKept } from "../reports/kept.ts";
import { connectConverted } from "../store/connection.ts";
import type { OpenLedger } from "../store/open.ts";
import { identifier, query, readAll, readOne, splitAttos, sumMoneyOrNull, type Db, type SqlValue } from "../store/sql.ts";
import type { AmountTable } from "../store/views/converted.ts";
import { currenciesWithRates, ratesFor } from "./store.ts";

/** A ledger as it is billed, and the same in one currency. */
export interface ConvertedLedger {
  readonly currency: string;
  readonly billed: OpenLedger;
  readonly ledger: OpenLedger;
  /** To be called once whoever asked for it looks at it no longer: what nobody looks at may be filled anew, or closed. */
  done(): void;
}

/** The converted ledgers of one that is open, made when they are asked for. */
export interface ConvertedLedgers {
  /** With the bills as they are now, and the GPU hours of these UTC months. null: there is no rate from or to the currency. */
  at(currency: string, months: readonly string[]): Promise<ConvertedLedger | null>;
  close(): Promise<void>;
}

/** So many currencies are kept; the one asked for longest ago goes first. */
const KEPT = 2;

export function convertedLedgers(billed: OpenLedger): ConvertedLedgers {
  const kept = new Map<string, Filled>();
  const all = new Set<Filled>();
  const made = (currency: string, shows: string): Filled => {
    const db = connectConverted(billed.db, currency);
    const filled: Filled = { db, ledger: ledgerOver(billed, db), shows, revision: null, charges: new Map(), days: new Map(), hours: new Map(), readers: 0, whenIdle: [] };
    all.add(filled);
    return filled;
  };
  /** What is kept no longer is closed with its last reader, which gives back what its tables hold. */
  const closeUnused = (): void => {
    const inUse = new Set(kept.values());
    for (const filled of all) {
      if (filled.readers > 0 || inUse.has(filled)) continue;
      all.delete(filled);
      filled.db.close();
    }
  };
  const looksAt = (filled: Filled, currency: string): ConvertedLedger => {
    filled.readers += 1;
    let isDone = false;
    return {
      currency,
      billed,
      ledger: filled.ledger,
      done() {
        if (isDone) return;
        isDone = true;
        filled.readers -= 1;
        if (filled.readers === 0) for (const wake of filled.whenIdle.splice(0)) wake();
        closeUnused();
      },
    };
  };
  let turn: Promise<unknown> = Promise.resolve();
  return {
    at(currency, months) {
      const next = turn.then(async () => {
        if (!billed.db.open || !currenciesWithRates(billed.db).includes(currency)) return null;
        const shows = ratesShown(billed);
        const known = kept.get(currency);
        const filled = known?.shows === shows ? known : made(currency, shows);
        kept.delete(currency);
        kept.set(currency, filled);
        for (const old of [...kept.keys()].slice(0, -KEPT)) kept.delete(old);
        closeUnused();
        await fill(billed, filled, currency, months);
        return looksAt(filled, currency);
      });
      turn = next.catch(() => undefined);
      return next;
    },
    async close() {
      await turn;
      for (const { db } of all) db.close();
      all.clear();
    },
  };
}

/** What was filled, and from what: by month, the generations that it was filled from. */
interface Filled {
  readonly db: Db;
  readonly ledger: OpenLedger;
  readonly shows: string;
  /** Of the ledger when all was filled; null before. */
  revision: number | null;
  readonly charges: Map<string, string>;
  readonly days: Map<string, string>;
  readonly hours: Map<string, string>;
  /** How many look at it now, and who waits until none does. */
  readers: number;
  readonly whenIdle: (() => void)[];
}

function ledgerOver(billed: OpenLedger, db: Db): OpenLedger {
  return {
    db,
    path: billed.path,
    name: billed.name,
    isReadOnly: true,
    whyNotWritable: () => ledgerError("ledger.read-only", { file: billed.name }),
    revision: () => billed.revision(),
    bump() {
      throw new Error("a converted ledger is only looked at");
    },
    close: () => undefined,
  };
}

/** Changes with every change of a rate; of a ledger in memory, whose copy is looked at, with every change at all. */
function ratesShown({ db, revision }: OpenLedger): string {
  const shown = readOne(db, query<{ shows: string }>("shows")`-- rates.shown
    SELECT (SELECT count(*) FROM exchange_rate) || ' ' || ifnull((SELECT max(ChangeId) FROM change_log WHERE Area = 'rates'), 0) AS shows`);
  return `${shown?.shows ?? ""} ${db.memory ? revision() : ""}`;
}

/** Nobody sees a month half filled: what is looked at stays as it is until they are done. */
function idle(filled: Filled): Promise<void> {
  return filled.readers === 0 ? Promise.resolve() : new Promise((resolve) => filled.whenIdle.push(resolve));
}

/** Fills what is new or shows other generations than it was filled from, some thousand rows at a time: other questions are answered in between. */
async function fill({ db: billed, revision }: OpenLedger, filled: Filled, currency: string, hourMonths: readonly string[]): Promise<void> {
  for (let at = revision(); filled.revision !== at || hourMonths.some((month) => !filled.hours.has(month)); at = revision()) {
    const charges = chargesShown(billed);
    const days = daysShown(billed, charges);
    const renew = async (known: Map<string, string>, months: readonly string[], shown: ReadonlyMap<string, string>, work: (month: string) => Promise<void>): Promise<boolean> => {
      const stale = months.filter((each) => known.get(each) !== (shown.get(each) ?? ""));
      for (const month of stale) {
        await idle(filled);
        await work(month);
        known.set(month, shown.get(month) ?? "");
        await breath();
      }
      return stale.length > 0;
    };
    const isNew = await renew(filled.charges, everyMonth(filled.charges, charges), charges, (month) => fillCharges(billed, filled.db, month, currency));
    const isAnew = await renew(filled.days, everyMonth(filled.days, days), days, (month) => fillDays(billed, filled.db, month, currency));
    // What was added up from the tables as they were is added up anew.
    if (isNew || isAnew) forgetKept(filled.db);
    await renew(filled.hours, [...new Set([...filled.hours.keys(), ...hourMonths])], days, (month) => fillHours(billed, filled.db, month));
    filled.revision = at;
  }
}

/** Months that show something, or did. */
function everyMonth(filled: ReadonlyMap<string, string>, shown: ReadonlyMap<string, string>): string[] {
  return [...new Set([...filled.keys(), ...shown.keys()])];
}

function chargesShown(db: Db): Map<string, string> {
  return new Map(
    readAll(db, query<{ month: string; shows: string }>("month", "shows")`-- converted.charges-shown
      SELECT Month AS month, group_concat(GroupId || ':' || CurrentGeneration) AS shows
      FROM (SELECT Month, GroupId, CurrentGeneration FROM delivery_group ORDER BY GroupId)
      GROUP BY Month`).map(({ month, shows }) => [month, shows]),
  );
}

/** GPU days rest on the bills too, of their own month and of the two beside it, whose charges may lie on them. */
function daysShown(db: Db, charges: ReadonlyMap<string, string>): Map<string, string> {
  const generations = readAll(db, query<{ month: string; shows: string }>("month", "shows")`-- converted.days-shown
    SELECT strftime('%Y-%m', Day * 86400, 'unixepoch') AS month, group_concat(Day || ':' || Generation) AS shows
    FROM (SELECT Day, Generation FROM day_generation ORDER BY Day)
    GROUP BY 1`);
  return new Map(generations.map(({ month, shows }) => [month, [shows, ...[-1, 0, 1].map((shift) => charges.get(monthBeside(month, shift)) ?? "")].join(" ")]));
}

function monthBeside(month: string, shift: number): string {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)) - 1 + shift)).toISOString().slice(0, 7);
}

/** A row of a table with amounts: its columns as they are stored, whole numbers as bigint. */
type Stored = Record<string, SqlValue>;

/** Two columns of a row. */
interface Amount {
  readonly name: string;
  readonly nanos: string;
  readonly rest: string;
}

interface Table {
  readonly columns: readonly string[];
  readonly amounts: readonly Amount[];
}

function amountNamed(name: string): Amount {
  return { name, nanos: `${name}Nanos`, rest: `${name}Rest` };
}

function tableOf(db: Db, name: AmountTable): Table {
  const columns = db.prepare(`SELECT * FROM ${identifier(name).text}`).columns().map((column) => column.name);
  return { columns, amounts: columns.filter((column) => column.endsWith("Nanos")).map((column) => amountNamed(column.slice(0, -"Nanos".length))) };
}

function amountIn(row: Stored, { nanos, rest }: Amount): bigint | null {
  const above = row[nanos];
  if (typeof above !== "bigint") return null;
  const below = row[rest];
  return typeof below === "bigint" && below !== 0n ? above * 1_000_000_000n + below : above * 1_000_000_000n;
}

function withAmount(row: Stored, { nanos, rest }: Amount, attos: bigint | null): void {
  const pair = attos === null ? null : splitAttos(attos);
  row[nanos] = pair?.nanos ?? null;
  row[rest] = pair?.rest ?? null;
}

function writeInto(db: Db, name: AmountTable, { columns }: Table, rows: Iterable<Stored>): void {
  const insert = db.prepare(`INSERT INTO temp.${identifier(name).text} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`);
  for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
}

interface Placed {
  readonly currency: string;
  readonly row: Stored;
}

/** Rows of a table with the currency they are billed in, in an order of their own, so that two fillings are alike. */
function readPlaced(db: Db, name: AmountTable, { columns }: Table, where: string, values: readonly SqlValue[], order: string): Placed[] {
  const rows = db
    .prepare<unknown[], Stored>(`SELECT ${columns.map((column) => `t.${column}`).join(", ")}, s.BillingCurrency AS billedIn FROM ${identifier(name).text} t JOIN series s ON s.SeriesId = t.SeriesId WHERE ${where} ORDER BY ${order}`)
    .safeIntegers()
    .all(...values);
  return rows.map((row) => ({ currency: String(row["billedIn"]), row }));
}

/** What amounts of a currency and day are multiplied by; null where no rate covers the day. */
type RateOn = (currency: string, day: bigint) => RateFound | null;

function ratesOn(billed: Db, target: string, rows: readonly Placed[]): RateOn {
  const days = rows.map(({ row }) => Number(row["Day"]));
  const [first, last] = days.reduce(([low, high], day) => [Math.min(low, day), Math.max(high, day)], [days[0] ?? 0, days[0] ?? 0] as [number, number]);
  const { rates, pivot } = ratesFor(billed, [...new Set(rows.map(({ currency }) => currency))], target, first, last);
  const find = rateFinder(target, rates, pivot, RATE_HOLDS_DAYS);
  const names = new Map<bigint, string>();
  return (currency, day) => {
    let name = names.get(day);
    if (name === undefined) names.set(day, (name = startOfDay(Number(day)).slice(0, 10)));
    return find(currency, name);
  };
}

async function fillCharges(billed: Db, db: Db, month: string, target: string): Promise<void> {
  const table = tableOf(billed, "charge_day_current");
  const months = tableOf(billed, "charge_month_current");
  const ofMonth = new Map<string, Stored>();
  for (const name of ["charge_day_current", "charge_month_current"] as const) db.prepare(`DELETE FROM temp.${name} WHERE Month = ?`).run(month);
  for (const [first, last] of dayRuns(billed, "charge_day_current", "Month = ?", [month])) {
    const rows = readPlaced(billed, "charge_day_current", table, "t.Month = ? AND t.Day BETWEEN ? AND ?", [month, first, last], "t.Day, t.GroupId, t.SeriesId, t.DeliveryId");
    const rateOn = ratesOn(billed, target, rows);
    const converted = convertedRows(rows, table.amounts, rateOn).filter(({ isKnown }) => isKnown).map(({ row }) => row);
    db.transaction(() => writeInto(db, "charge_day_current", table, converted))();
    addUp(ofMonth, converted, months);
    await breath();
  }
  db.transaction(() => writeInto(db, "charge_month_current", months, ofMonth.values()))();
}

/** So many rows are converted before others are answered: some 100 ms. */
const ROWS_AT_ONCE = 3000;

/** First and last day of pieces of a table's rows, each a number of whole days with about `ROWS_AT_ONCE` rows: a day is rounded as a whole. */
function dayRuns(billed: Db, name: AmountTable, where: string, values: readonly SqlValue[]): (readonly [number, number])[] {
  const days = billed.prepare<unknown[], { day: number; rows: number }>(`SELECT Day AS day, count(*) AS rows FROM ${identifier(name).text} WHERE ${where} GROUP BY Day ORDER BY Day`).all(...values);
  const runs: [number, number][] = [];
  let rowsInRun = ROWS_AT_ONCE;
  for (const { day, rows } of days) {
    const run = runs.at(-1);
    if (run === undefined || rowsInRun + rows > ROWS_AT_ONCE) {
      runs.push([day, day]);
      rowsInRun = 0;
    } else run[1] = day;
    rowsInRun += rows;
  }
  return runs;
}

/** Rows with their amounts converted, each group of a currency and day as a whole; where no rate covers it, with none. */
function convertedRows(rows: readonly Placed[], amounts: readonly Amount[], rateOn: RateOn): { readonly row: Stored; readonly isKnown: boolean }[] {
  const known = new Map<Placed, boolean>();
  for (const group of Map.groupBy(rows, ({ currency, row }) => `${currency} ${String(row["Day"])}`).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const found = rateOn(first.currency, first.row["Day"] as bigint);
    for (const placed of group) known.set(placed, found !== null);
    if (found?.from.length === 0) continue;
    for (const amount of amounts) {
      const parts = new Map<number, bigint>();
      group.forEach(({ row }, place) => {
        const attos = amountIn(row, amount);
        if (attos !== null) parts.set(place, attos);
      });
      if (found === null) for (const place of parts.keys()) withAmount(group[place]?.row ?? {}, amount, null);
      else {
        const total = divideHalfEven(sumAttos(parts.values()) * found.rate.numerator, found.rate.denominator);
        for (const [place, share] of sharesOf(parts, found.rate, total, (a, b) => a - b)) withAmount(group[place]?.row ?? {}, amount, share);
      }
    }
  }
  return rows.map((placed) => ({ row: placed.row, isKnown: known.get(placed) ?? false }));
}

/** Cells of days to those of their month: added by group and series, everything else as the first has it. */
function addUp(added: Map<string, Stored>, rows: readonly Stored[], { columns, amounts }: Table): void {
  const quantities = columns.filter((column) => ["RowCount", "ConsumedQuantity", "PricingQuantity", "GpuHours"].includes(column));
  for (const row of rows) {
    const key = `${String(row["GroupId"])} ${String(row["SeriesId"])}`;
    const sum = added.get(key);
    if (sum === undefined) {
      added.set(key, { ...row });
      continue;
    }
    for (const amount of amounts) {
      const attos = amountIn(row, amount);
      if (attos !== null) withAmount(sum, amount, (amountIn(sum, amount) ?? 0n) + attos);
    }
    for (const column of quantities) sum[column] = plus(sum[column], row[column]);
  }
}

function plus(a: SqlValue | undefined, b: SqlValue | undefined): SqlValue {
  if (a === null || a === undefined) return b ?? null;
  if (b === null || b === undefined) return a;
  return typeof a === "bigint" && typeof b === "bigint" ? a + b : Number(a) + Number(b);
}

const WHOLE = amountNamed("EffectiveCost");
/** Hours that have a price: none of them has where no rate covers its day. */
const priced = ["PricedGpuHours", "PricedUsefulGpuHours"] as const;

async function fillDays(billed: Db, db: Db, month: string, target: string): Promise<void> {
  const table = tableOf(billed, "gpu_cost_day_current");
  const { firstDay, endDay } = daysOf(month);
  const asBilled = { charged: chargedOn(billed, firstDay, endDay), worth: chargedOn(db, firstDay, endDay) };
  // Its hours are filled from it.
  for (const name of ["gpu_cost_day_current", "gpu_hour_cost_current"] as const) db.prepare(`DELETE FROM temp.${name} WHERE Day >= ? AND Day < ?`).run(firstDay, endDay);
  for (const [first, last] of dayRuns(billed, "gpu_cost_day_current", "Day >= ? AND Day < ?", [firstDay, endDay])) {
    const rows = readPlaced(billed, "gpu_cost_day_current", table, "t.Day BETWEEN ? AND ?", [first, last], "t.Day, t.SeriesId");
    const converted = convertedDays(rows, table, asBilled, ratesOn(billed, target, rows));
    db.transaction(() => writeInto(db, "gpu_cost_day_current", table, converted))();
    await breath();
  }
}

interface AsBilled {
  /** What the bills charge for a day of a series, in their currency and converted. */
  readonly charged: ReadonlyMap<string, bigint | null>;
  readonly worth: ReadonlyMap<string, bigint | null>;
}

/** Days of GPUs with their amounts converted, each day and currency as a whole. */
function convertedDays(rows: readonly Placed[], table: Table, { charged, worth }: AsBilled, rateOn: RateOn): Stored[] {
  const before = new Map(rows.map(({ row }) => [row, amountIn(row, WHOLE)]));
  const asCharged: Stored[] = [];
  const others: Placed[] = [];
  for (const placed of rows) {
    const { row } = placed;
    const key = `${String(row["Day"])} ${String(row["SeriesId"])}`;
    const known = worth.get(key);
    if (known === undefined || charged.get(key) !== amountIn(row, WHOLE)) others.push(placed);
    else {
      withAmount(row, WHOLE, known);
      asCharged.push(row);
    }
  }
  const converted = convertedRows(others, [WHOLE], rateOn);
  for (const { row, isKnown } of converted) if (!isKnown) for (const column of priced) if (column in row) row[column] = 0;
  const split = [...asCharged, ...converted.map(({ row }) => row)].sort((a, b) => Number(a["Day"]) - Number(b["Day"]) || Number(a["SeriesId"]) - Number(b["SeriesId"]));
  for (const row of split) splitRow(row, table.amounts, before.get(row) ?? null);
  return split;
}

/** What the bills charge for a day of a series, by the two. */
function chargedOn(db: Db, firstDay: number, endDay: number): ReadonlyMap<string, bigint | null> {
  const rows = readAll(db, query<{ day: number; seriesId: number; attos: bigint | null }>("day", "seriesId", "attos")`-- converted.charged-on
    SELECT c.Day AS day, c.SeriesId AS seriesId, ${sumMoneyOrNull(WHOLE.name, "c")} AS attos
    FROM charge_day_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE c.Day >= ${firstDay} AND c.Day < ${endDay} AND s.x_GpuModel IS NOT NULL
    GROUP BY c.Day, c.SeriesId
    ORDER BY c.Day, c.SeriesId`);
  return new Map(rows.map(({ day, seriesId, attos }) => [`${day} ${seriesId}`, attos]));
}

/** The parts of a converted amount as those of what it was before. */
function splitRow(row: Stored, amounts: readonly Amount[], before: bigint | null): void {
  const parts = amounts.filter(({ name }) => name !== WHOLE.name);
  const shares = floors(parts.map((part) => amountIn(row, part)), before, amountIn(row, WHOLE));
  parts.forEach((part, place) => withAmount(row, part, shares[place] ?? null));
}

/** Parts of `before` as parts of `now`, by cumulative floors; absent parts stay absent. */
function floors(parts: readonly (bigint | null)[], before: bigint | null, now: bigint | null): (bigint | null)[] {
  if (now === null) return parts.map(() => null);
  if (now === before) return [...parts];
  let [reached, taken] = [0n, 0n];
  return parts.map((part) => {
    if (part === null) return null;
    reached += part;
    const upTo = before === null || before === 0n ? 0n : before < 0n ? floor({ numerator: -reached * now, denominator: -before }) : floor({ numerator: reached * now, denominator: before });
    const share = upTo - taken;
    taken = upTo;
    return share;
  });
}

/** The hours of a month, each amount of a day and series split as it was. */
async function fillHours(billed: Db, db: Db, month: string): Promise<void> {
  const table = tableOf(billed, "gpu_hour_cost_current");
  const { firstDay, endDay } = daysOf(month);
  db.prepare("DELETE FROM temp.gpu_hour_cost_current WHERE Day >= ? AND Day < ?").run(firstDay, endDay);
  for (const [first, last] of dayRuns(billed, "gpu_hour_cost_current", "Day >= ? AND Day < ?", [firstDay, endDay])) {
    const converted = convertedHours(billed, db, table, [first, last]);
    db.transaction(() => writeInto(db, "gpu_hour_cost_current", table, converted))();
    await breath();
  }
}

function convertedHours(billed: Db, db: Db, table: Table, run: readonly [number, number]): Stored[] {
  const byDay = (rows: readonly Placed[]): Map<string, Stored[]> => Map.groupBy(rows.map(({ row }) => row), (row) => `${String(row["Day"])} ${String(row["SeriesId"])}`);
  const ofDay = { columns: ["Day", "SeriesId", ...table.amounts.flatMap(({ nanos, rest }) => [nanos, rest])], amounts: table.amounts };
  const read = (from: Db, name: AmountTable, of: Table, order: string): Map<string, Stored[]> => byDay(readPlaced(from, name, of, "t.Day BETWEEN ? AND ?", run, order));
  const before = read(billed, "gpu_cost_day_current", ofDay, "t.Day, t.SeriesId");
  const now = read(db, "gpu_cost_day_current", ofDay, "t.Day, t.SeriesId");
  const hours = read(billed, "gpu_hour_cost_current", table, "t.Day, t.SeriesId, t.HourStart");
  for (const [key, rows] of hours) {
    const [was, is] = [before.get(key)?.[0], now.get(key)?.[0]];
    const parts = table.amounts.filter(({ name }) => name !== WHOLE.name);
    for (const part of parts) {
      const shares = floors(rows.map((row) => amountIn(row, part)), was === undefined ? null : amountIn(was, part), is === undefined ? null : amountIn(is, part));
      rows.forEach((row, place) => withAmount(row, part, shares[place] ?? null));
    }
    for (const row of rows) {
      const amounts = parts.flatMap((part) => amountIn(row, part) ?? []);
      withAmount(row, WHOLE, amounts.length === 0 ? null : sumAttos(amounts));
    }
  }
  return [...hours.values()].flat();
}

function daysOf(month: string): { readonly firstDay: number; readonly endDay: number } {
  const period = parsePeriod(month);
  return period === null ? { firstDay: 0, endDay: 0 } : { firstDay: dayOf(period.start), endDay: dayOf(period.end) };
}
