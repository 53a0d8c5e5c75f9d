/** A person's own carbon factors in the ledger, and what taking or removing some would change. */
import type { FactorsDifference, OwnFactorLine } from "../../../shared/contract/carbon.ts";
import { ok, type Result } from "../../../shared/result.ts";
import type { OwnFactor } from "../carbon/factors.ts";
import { sumCarbon } from "../carbon/rows.ts";
import { carbonOf, carbonSettings, ownFactors } from "../reports/carbon-rows.ts";
import type { ReportContext } from "../reports/context.ts";
import { query, readAll, type Db } from "../store/sql.ts";
import type { StatedFactor } from "./read.ts";

export function ownFactorLines(db: Db): OwnFactorLine[] {
  const stated = new Map(
    readAll(db, query<{ id: number; statedValue: string; statedUnit: string; importedAt: string; file: string; line: number }>("id", "statedValue", "statedUnit", "importedAt", "file", "line")`-- carbon-factors.stated
      SELECT FactorId AS id, StatedValue AS statedValue, StatedUnit AS statedUnit, ImportedAt AS importedAt, FileName AS file, Line AS line
      FROM carbon_factor
      ORDER BY FactorId`).map(({ id, ...rest }) => [id, rest]),
  );
  return ownFactors(db).map((factor) => ({ ...factor, ...(stated.get(factor.id) ?? { statedValue: factor.value, statedUnit: "", importedAt: "", file: "", line: 0 }) }));
}

/** Of a file's factors those that the ledger does not hold yet. */
export function newFactors(db: Db, factors: readonly StatedFactor[]): StatedFactor[] {
  const key = ({ kind, provider, region, subject, fromMonth, toMonth, value, low, high, share, source }: Omit<OwnFactor, "id">): string =>
    JSON.stringify([kind, provider, region, subject, fromMonth, toMonth, value, low, high, share, source]);
  const known = new Set(ownFactors(db).map(key));
  return factors.filter((factor) => {
    const isNew = !known.has(key(factor));
    known.add(key(factor));
    return isNew;
  });
}

export function keepFactors(db: Db, factors: readonly StatedFactor[], file: string, at: string): void {
  const insert = db.prepare(`INSERT INTO carbon_factor (
    Kind, Provider, Region, Subject, FromMonth, ToMonth, Value, Low, High, Share, StatedValue, StatedUnit, Method, Boundary, Gases, Source, Licence, Retrieved,
    ImportedAt, FileName, Line
  ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  for (const each of factors) {
    insert.run(
      each.kind, each.provider, each.region, each.subject, each.fromMonth, each.toMonth, each.value, each.low, each.high, each.share, each.statedValue, each.statedUnit,
      each.method, each.boundary, each.gases, each.source, each.licence, each.retrieved, at, file, each.line,
    );
  }
}

export function removeFactor(db: Db, id: number): void {
  db.prepare("DELETE FROM carbon_factor WHERE FactorId = ?").run(id);
}

/** What each month with GPU-hours comes to now and would come to under other factors; months that stay the same are left out. */
export function differenceUnder(context: ReportContext, own: readonly OwnFactor[]): Result<readonly FactorsDifference[]> {
  const { db } = context.ledger;
  const closed = new Set(
    readAll(db, query<{ month: string }>("month")`-- carbon-factors.closed-months
      SELECT m.Month AS month
      FROM month_close AS m
      WHERE m.ReopenedAt IS NULL
      ORDER BY m.CloseId`).map(({ month }) => month),
  );
  const months = readAll(db, query<{ month: string }>("month")`-- carbon-factors.months
    SELECT DISTINCT strftime('%Y-%m', Day * 86400, 'unixepoch') AS month
    FROM day_generation
    ORDER BY month`);
  const settings = carbonSettings(db);
  const differences: FactorsDifference[] = [];
  for (const { month } of months) {
    const [before, after] = [carbonOf(context, { period: month, scope: {} }), carbonOf(context, { period: month, scope: {} }, { own, settings })];
    if (!before.ok) return before;
    if (!after.ok) return after;
    const [old, now] = [sumCarbon(before.value.rows), sumCarbon(after.value.rows)];
    const difference = {
      month,
      isClosed: closed.has(month),
      energyBefore: old.facilityMilliwattHours, energyAfter: now.facilityMilliwattHours,
      locationBefore: old.locationMicrograms, locationAfter: now.locationMicrograms,
      marketBefore: old.marketMicrograms, marketAfter: now.marketMicrograms,
      embodiedBefore: old.embodiedMicrograms?.central ?? null, embodiedAfter: now.embodiedMicrograms?.central ?? null,
    };
    const isSame = difference.energyBefore === difference.energyAfter && difference.locationBefore === difference.locationAfter && difference.marketBefore === difference.marketAfter && difference.embodiedBefore === difference.embodiedAfter;
    if (!isSame) differences.push(difference);
  }
  return ok(differences);
}
