/** Where in the files the rows of series lie: for evidence that someone without the ledger can follow. */
import { startOfDay } from "../../../shared/domain/period.ts";
import type { Reference } from "../reference/catalog.ts";
import { query, readAll, type Db } from "../store/sql.ts";
import { blocksOf, filesOfBatches, locate, scanFile, type SourceFile } from "./rows.ts";

/** Rows of one series and month of charge time in one file. */
export interface RowPlace {
  readonly seriesId: number;
  readonly month: string;
  readonly fileId: number;
  /** Lines of the file, the header being line 1; of a Parquet file rows, counted the same way. */
  readonly firstLine: number;
  /** null: the file's last. */
  readonly lastLine: number | null;
  /** Whether a row of the series lies on the first and on the last line; else they lie somewhere between. */
  readonly isExact: boolean;
  /** null where the file was not read again. */
  readonly rows: number | null;
}

/** All files together up to this size are read again for their lines; of larger ones the ledger's own index says between which lines. */
const READ_AGAIN_BYTES = 512 * 1024 * 1024;

interface ShownRows {
  readonly seriesId: number;
  readonly batch: number;
  readonly day: number;
  readonly rows: number;
}

/**
 * Places of the rows that count, by series and month. A file that is gone or has changed is not read: the index that was made when it was
 * imported says in which part of it each series lies.
 */
export async function rowPlaces(db: Db, { seriesIds, firstDay, lastDay }: { readonly seriesIds: readonly number[]; readonly firstDay: number; readonly lastDay: number }, reference: Reference): Promise<{ readonly places: readonly RowPlace[]; readonly files: readonly SourceFile[] }> {
  const shown = readAll(db, query<ShownRows>("seriesId", "batch", "day", "rows")`-- places.shown
    SELECT SeriesId AS seriesId, BatchId AS batch, Day AS day, sum(RowCount) AS rows
    FROM charge_day_current
    WHERE SeriesId IN (SELECT value FROM json_each(${JSON.stringify(seriesIds)})) AND Day BETWEEN ${firstDay} AND ${lastDay} AND RowCount > 0
    GROUP BY SeriesId, BatchId, Day
    ORDER BY BatchId, SeriesId, Day`);
  const days = new Set(shown.map(({ batch, seriesId, day }) => `${batch} ${seriesId} ${day}`));
  const files = filesOfBatches(db, JSON.stringify([...new Set(shown.map(({ batch }) => batch))]));
  const wanted = new Set(seriesIds);
  const isSmall = files.reduce((sum, { Size }) => sum + Size, 0) <= READ_AGAIN_BYTES;
  const months = monthLabels();
  const places: RowPlace[] = [];
  for (const file of files) {
    const found = new Map<string, { -readonly [K in keyof RowPlace]: RowPlace[K] }>();
    const located = isSmall ? await locate(db, file) : null;
    const isRead = located?.ok === true && (await scanFile(db, located.value, wanted, reference, (line, seriesId, day) => {
      if (!days.has(`${file.BatchId} ${seriesId} ${day}`)) return true;
      const key = `${seriesId} ${months(day)}`;
      const place = found.get(key);
      if (place === undefined) found.set(key, { seriesId, month: months(day), fileId: file.FileId, firstLine: line, lastLine: line, isExact: true, rows: 1 });
      else [place.firstLine, place.lastLine, place.rows] = [Math.min(place.firstLine, line), Math.max(place.lastLine ?? line, line), (place.rows ?? 0) + 1];
      return true;
    }));
    if (isRead) places.push(...found.values());
    else places.push(...byIndex(db, file, wanted, shown.filter(({ batch }) => batch === file.BatchId), months));
  }
  return { places: places.sort((a, b) => a.seriesId - b.seriesId || (a.month < b.month ? -1 : a.month > b.month ? 1 : a.fileId - b.fileId)), files };
}

/** Between which lines the index says that a series lies. */
function byIndex(db: Db, file: SourceFile, wanted: ReadonlySet<number>, shown: readonly ShownRows[], months: (day: number) => string): RowPlace[] {
  const spans = new Map<number, { firstLine: number; lastLine: number | null }>();
  const blocks = blocksOf(db, file.FileId);
  blocks.forEach(({ FirstLine, SeriesIds }, index) => {
    const next = blocks[index + 1];
    const lastLine = next === undefined ? null : next.FirstLine - 1;
    const view = new DataView(SeriesIds.buffer, SeriesIds.byteOffset, SeriesIds.byteLength);
    for (let at = 0; at + 4 <= SeriesIds.byteLength; at += 4) {
      const seriesId = view.getUint32(at, true);
      if (!wanted.has(seriesId)) continue;
      const span = spans.get(seriesId);
      if (span === undefined) spans.set(seriesId, { firstLine: FirstLine, lastLine });
      else span.lastLine = lastLine;
    }
  });
  const seen = new Set<string>();
  return shown.flatMap(({ seriesId, day }) => {
    const span = spans.get(seriesId);
    const key = `${seriesId} ${months(day)}`;
    if (span === undefined || seen.has(key)) return [];
    seen.add(key);
    return [{ seriesId, month: months(day), fileId: file.FileId, ...span, isExact: false, rows: null }];
  });
}

function monthLabels(): (day: number) => string {
  const known = new Map<number, string>();
  return (day) => {
    let label = known.get(day);
    if (label === undefined) known.set(day, (label = startOfDay(day).slice(0, 7)));
    return label;
  };
}
