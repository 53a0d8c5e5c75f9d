/**
 * Lines: what series add up to that reports do not tell apart (migration 0015). They are worked out for a generation of a group from its cells, in
 * short transactions and a day at a time, and show with the generation. Whose a line is rests on the rules: where these change whose a series is,
 * its groups have no lines until they are worked out again, and questions read series meanwhile (store/grain.ts).
 */
import { hasBelievableList } from "../metrics/charges.ts";
import { BELIEVABLE_LIST, seriesGrain } from "../metrics/grain.ts";
import { prepared, query, readAll, readOne, type Db, type Fragment } from "../store/sql.ts";
import { giveWay, repeatInChunks, type JobControl } from "./control.ts";

const costs = ["BilledCost", "EffectiveCost", "ListCost", "ContractedCost"] as const;

/** Columns of charge_line, each with what it is of a series `s` in the month of a cell `c`. */
const lineColumns: readonly (readonly [column: string, of: string])[] = [
  ...["BillingCurrency", "ProviderName", "ServiceName", "ChargeCategory", "CommitmentDiscountStatus", "CapacityReservationStatus", "x_PurchaseOption", "x_GpuModel"].map((column) => [column, `s.${column}`] as const),
  ["x_Team", textOf(seriesGrain.team())],
  ["x_IsLong", `iif(${textOf(seriesGrain.isLong)}, 1, 0)`],
];

/** What a cell `c` of a series `s` states, as bits: each cost, GPU-hours, and in a month a list cost that can be believed. */
const facts = [...costs.map((cost) => `${cost}Nanos`), "GpuHours"].map((column, bit) => `(c.${column} IS NOT NULL) * ${1 << bit}`).join(" + ");
const monthFacts = `${facts} + iif(${textOf(hasBelievableList)}, ${BELIEVABLE_LIST}, 0)`;

const measures = ["RowCount", ...costs.flatMap((cost) => [`${cost}Nanos`, `${cost}Rest`]), "GpuHours"];
const cellNames = ["LineId", "Facts", "Part", ...measures];
/**
 * Sums of cells `c`. The rest below a nano is carried, and what is beyond 64 bits becomes a REAL. GPU-hours count to the billionth: added in whole
 * ones, so that no order of adding changes them.
 */
const sums = [
  "sum(c.RowCount)",
  ...costs.map((cost) => `sum(c.${cost}Nanos / 1000000000) * 1000000000 + sum(c.${cost}Nanos % 1000000000) + sum(c.${cost}Rest) / 1000000000, sum(c.${cost}Rest) % 1000000000`),
  "sum(CAST(round(c.GpuHours * 1e9) AS INTEGER)) / 1e9",
].join(", ");
const isBeyond = costs.map((cost) => `typeof(${cost}Nanos) = 'real'`).join(" OR ");

/** Cells of a month or of a day, grouped into rows of temp.line_cells. */
const ofMonth = `INSERT INTO temp.line_cells
  SELECT l.LineId, ${monthFacts}, l.Part, ${sums}
  FROM charge_month AS c
  CROSS JOIN temp.series_line AS l ON l.SeriesId = c.SeriesId
  CROSS JOIN series AS s ON s.SeriesId = c.SeriesId
  WHERE c.GroupId = ? AND c.Generation = ?
  GROUP BY 1, 2, 3`;
const ofDay = `INSERT INTO temp.line_cells
  SELECT l.LineId, ${facts}, l.Part, ${sums}
  FROM delivery AS d
  CROSS JOIN charge_day AS c ON c.DeliveryId = d.DeliveryId
  CROSS JOIN temp.series_line AS l ON l.SeriesId = c.SeriesId
  CROSS JOIN day_owner AS o ON o.GroupId = d.GroupId AND o.AccountKey = l.AccountKey AND o.Day = c.Day
  WHERE d.GroupId = ? AND o.Generation = ? AND c.Day = ? AND d.CellsKept = 1 AND o.DeliveryId = c.DeliveryId
  GROUP BY 1, 2, 3`;

/** Works the lines of a generation of a group out, whatever was there of it before. Nothing shows them until `LinesGeneration` says so. */
export function rollUpLines(db: Db, groupId: number, generation: number, control: JobControl): void {
  for (const table of lineTables) clearGeneration(db, table, "=", groupId, generation, control);
  db.exec(
    `CREATE TEMP TABLE IF NOT EXISTS series_line (SeriesId INTEGER PRIMARY KEY, AccountKey INTEGER NOT NULL, LineKey TEXT NOT NULL, LineId INTEGER, Part INTEGER NOT NULL);
     CREATE TEMP TABLE IF NOT EXISTS line_cells (${cellNames.join(", ")})`,
  );
  nameLines(db, groupId, generation, control);
  addUp(db, ofMonth, [groupId, generation]);
  keepCells(db, "charge_line_month", { GroupId: groupId, Generation: generation }, control);
  for (const day of daysOf(db, groupId, generation)) {
    addUp(db, ofDay, [groupId, generation, day]);
    keepCells(db, "charge_line_day", { GroupId: groupId, Generation: generation, Day: day }, control);
  }
  prepared(db, "DELETE FROM temp.series_line").run();
}

/** Lines of what shows now, for groups that have none. A change of the rules while they are worked out leaves them as they are, for the next time. */
export function workOutLines(db: Db, control: JobControl): void {
  for (const { GroupId, CurrentGeneration } of readAll(db, query<{ GroupId: number; CurrentGeneration: number }>("GroupId", "CurrentGeneration")`-- lines.groups-without
    SELECT GroupId, CurrentGeneration FROM delivery_group WHERE LinesGeneration <> CurrentGeneration ORDER BY Month DESC, GroupId`)) {
    const rules = allocationOf(db);
    rollUpLines(db, GroupId, CurrentGeneration, control);
    giveWay(control);
    prepared(db, "UPDATE delivery_group SET LinesGeneration = CurrentGeneration WHERE GroupId = ? AND CurrentGeneration = ? AND (SELECT Value FROM ledger_info WHERE Key = 'allocation') IS ?").run(GroupId, CurrentGeneration, rules);
  }
}

/** Whether there is something for `workOutLines` to do. */
export function lacksLines(db: Db): boolean {
  return readOne(db, query<{ found: number }>("found")`-- lines.are-lacking
    SELECT 1 AS found FROM delivery_group WHERE LinesGeneration <> CurrentGeneration LIMIT 1`) !== null;
}

/** Counts how often it was worked out whose series are; null: never. What lines rest on. */
export function allocationOf(db: Db): string | null {
  return readOne(db, query<{ value: string }>("value")`-- lines.allocation
    SELECT Value AS value FROM ledger_info WHERE Key = 'allocation'`)?.value ?? null;
}

export const lineTables = ["charge_line_month", "charge_line_day"] as const;
const keys = { charge_line_month: "LineId, Facts, Part", charge_line_day: "Day, LineId, Facts, Part" } as const;

/** Deletes what a table holds of a generation of a group, or of those before or after it. */
export function clearGeneration(db: Db, table: (typeof lineTables)[number], comparison: "=" | "<" | ">", groupId: number, generation: number, control: JobControl): void {
  const key = `GroupId, Generation, ${keys[table]}`;
  const step = prepared(db, `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE GroupId = ? AND Generation ${comparison} ? LIMIT 2000)`);
  repeatInChunks(control, () => step.run(groupId, generation).changes);
}

/** Says of each series of the month which line it is, in temp.series_line, and keeps the lines that are new. */
function nameLines(db: Db, groupId: number, generation: number, control: JobControl): void {
  prepared(db, "DELETE FROM temp.series_line").run();
  prepared(
    db,
    `INSERT INTO temp.series_line (SeriesId, AccountKey, LineKey, Part)
     SELECT c.SeriesId, s.AccountKey, json_array(${lineColumns.map(([, of]) => of).join(", ")}), 0
     FROM (SELECT g.Month, m.SeriesId FROM delivery_group AS g CROSS JOIN charge_month AS m ON m.GroupId = g.GroupId WHERE g.GroupId = ? AND m.Generation = ?) AS c
     CROSS JOIN series AS s ON s.SeriesId = c.SeriesId`,
  ).run(groupId, generation);
  giveWay(control);
  prepared(
    db,
    `INSERT INTO charge_line (LineKey, ${lineColumns.map(([column]) => column).join(", ")})
     SELECT LineKey, ${lineColumns.map((_, place) => `json_extract(LineKey, '$[${place}]')`).join(", ")}
     FROM (SELECT DISTINCT LineKey FROM temp.series_line)
     WHERE LineKey NOT IN (SELECT LineKey FROM charge_line)`,
  ).run();
  prepared(db, "UPDATE temp.series_line AS n SET LineId = (SELECT l.LineId FROM charge_line AS l WHERE l.LineKey = n.LineKey)").run();
}

/** Fills temp.line_cells. A line whose sum does not fit two integers is parted by its series, each of which does. */
function addUp(db: Db, add: string, values: readonly number[]): void {
  prepared(db, add).run(...values);
  const parted = prepared(db, `UPDATE temp.series_line SET Part = SeriesId WHERE Part = 0 AND LineId IN (SELECT LineId FROM temp.line_cells WHERE ${isBeyond})`).run();
  if (parted.changes === 0) return;
  prepared(db, "DELETE FROM temp.line_cells").run();
  prepared(db, add).run(...values);
}

/** Moves temp.line_cells to where they stay. */
function keepCells(db: Db, table: (typeof lineTables)[number], key: Readonly<Record<string, number>>, control: JobControl): void {
  const names = [...Object.keys(key), ...cellNames].join(", ");
  const move = prepared(db, `INSERT INTO ${table} (${names}) SELECT ${Object.keys(key).map(() => "CAST(? AS INTEGER)").join(", ")}, ${cellNames.join(", ")} FROM temp.line_cells WHERE rowid > ? AND rowid <= ?`);
  for (let [from, moved] = [0, 1]; moved > 0; from += 2000) {
    giveWay(control);
    moved = move.run(...Object.values(key), from, from + 2000).changes;
  }
  prepared(db, "DELETE FROM temp.line_cells").run();
}

function daysOf(db: Db, groupId: number, generation: number): number[] {
  return readAll(db, query<{ Day: number }>("Day")`-- lines.days
    SELECT DISTINCT Day FROM day_owner WHERE GroupId = ${groupId} AND Generation = ${generation} ORDER BY Day`).map(({ Day }) => Day);
}

/** A fragment without values, as text. */
function textOf({ text, values }: Fragment): string {
  if (values.length > 0) throw new TypeError("a fragment of a line has values");
  return text;
}
