/**
 * The jobs of a span of time, each as the newest posted import that holds it states it; of lines of one import that hold it twice, the last. A
 * job is known by its cluster, its number and when it began: one that was put back and began anew held GPUs twice. Read a few thousand lines
 * at a time, so that other questions are answered in between.
 */
import { breath } from "../import/control.ts";
import { sortedPlaces } from "./order.ts";
import { query, readAll, readOne, type Db } from "../store/sql.ts";

/** What an import states of a job. Seconds are Unix seconds. */
export interface Job {
  readonly file: number;
  readonly line: number;
  readonly source: "slurm" | "kubernetes";
  readonly cluster: string;
  readonly id: string;
  readonly name: string | null;
  readonly user: string | null;
  readonly account: string | null;
  readonly partition: string | null;
  readonly state: string | null;
  readonly hosts: readonly string[];
  readonly gpus: number | null;
  readonly gpuModel: string | null;
  readonly start: number;
  /** As stated; null while it ran. */
  readonly end: number | null;
  readonly elapsed: number | null;
  /** Until when it is known to have held its GPUs; null: unknown. */
  readonly until: number | null;
  /** Of its time the part that it was not suspended, 0 to 1. */
  readonly running: number;
  /** GPUs on each host; null: unknown, since they do not lie evenly on its hosts or nobody counts them. */
  readonly perHost: number | null;
}

interface JobRow {
  readonly Line: number;
  readonly Source: Job["source"];
  readonly Cluster: string;
  readonly JobId: string;
  readonly Name: string | null;
  readonly User: string | null;
  readonly Account: string | null;
  readonly Partition: string | null;
  readonly State: string | null;
  readonly Hosts: string;
  readonly GpuCount: number | null;
  readonly GpuModel: string | null;
  readonly StartSecond: number;
  readonly EndSecond: number | null;
  readonly ElapsedSeconds: number | null;
}

const LINES_A_TURN = 4000;

/** Jobs that held GPUs at some time of `from` to before `to` (Unix seconds), by their beginning, then their number. */
export async function jobsBetween(db: Db, from: number, to: number): Promise<readonly Job[]> {
  const found: Job[] = [];
  const seen = new Set<string>();
  const hostLists = new Map<string, readonly string[]>();
  for (const file of await filesBetween(db, from, to)) {
    for (let below = Number.MAX_SAFE_INTEGER; ;) {
      const rows = readAll(db, query<JobRow>("Line", "Source", "Cluster", "JobId", "Name", "User", "Account", "Partition", "State", "Hosts", "GpuCount", "GpuModel", "StartSecond", "EndSecond", "ElapsedSeconds")`-- jobs.lines
        SELECT Line, Source, Cluster, JobId, Name, User, Account, Partition, State, Hosts, GpuCount, GpuModel, StartSecond, EndSecond, ElapsedSeconds
        FROM gpu_job
        WHERE FileId = ${file} AND Line < ${below} AND StartSecond < ${to}
        ORDER BY Line DESC
        LIMIT ${LINES_A_TURN}`);
      for (const row of rows) {
        const key = `${row.Source} ${row.Cluster} ${row.JobId} ${row.StartSecond}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const job = jobOf(row, file, hostLists);
        if (job.until === null ? job.start >= from : job.until > from) found.push(job);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < LINES_A_TURN) break;
      below = last.Line;
      await breath();
    }
  }
  seen.clear();
  await breath();
  const order = await sortedPlaces(found.length, (one, other) => earlier(found[one] as Job, found[other] as Job));
  return Array.from(order, (place) => found[place] as Job);
}

function earlier(a: Job, b: Job): number {
  return a.start - b.start || (a.id < b.id ? -1 : a.id > b.id ? 1 : a.file - b.file || a.line - b.line);
}

function jobOf(row: JobRow, file: number, hostLists: Map<string, readonly string[]>): Job {
  let hosts = hostLists.get(row.Hosts);
  if (hosts === undefined) hostLists.set(row.Hosts, (hosts = JSON.parse(row.Hosts) as readonly string[]));
  const { StartSecond: start, EndSecond: end, ElapsedSeconds: elapsed, GpuCount: gpus } = row;
  const until = end ?? (elapsed === null ? null : start + elapsed);
  const span = until === null ? 0 : until - start;
  const each = gpus === null || hosts.length === 0 ? null : gpus / hosts.length;
  return {
    file, line: row.Line, source: row.Source, cluster: row.Cluster, id: row.JobId, name: row.Name, user: row.User, account: row.Account, partition: row.Partition, state: row.State,
    hosts, gpus, gpuModel: row.GpuModel, start, end, elapsed, until,
    running: elapsed === null || span <= 0 ? 1 : Math.min(1, elapsed / span),
    perHost: hosts.length > 1 && each !== null && !Number.isInteger(each) ? null : each,
  };
}

/** Whether any posted import holds jobs. */
export function hasJobs(db: Db): boolean {
  return filesOfJobs(db).length > 0;
}

/** Posted files that hold jobs, the newest import first. */
function filesOfJobs(db: Db): readonly number[] {
  return readAll(db, query<{ file: number }>("file")`-- jobs.files
    SELECT f.FileId AS file
    FROM batch b
    JOIN source_file f ON f.BatchId = b.BatchId
    WHERE b.State = 'posted' AND EXISTS (SELECT 1 FROM gpu_job j WHERE j.FileId = f.FileId)
    ORDER BY b.PostedOrder DESC, f.FileId DESC`).map(({ file }) => file);
}

/** What a file's jobs cover: the first and last beginning, and the last moment that any is known to have held GPUs. */
interface Span {
  readonly firstStart: number;
  readonly lastStart: number;
  readonly lastEnd: number;
}

/**
 * Files with jobs of the time, the newest import first. A file whose jobs were over before it still has the last word on jobs that an older
 * file says went on into it.
 */
async function filesBetween(db: Db, from: number, to: number): Promise<readonly number[]> {
  const files: { readonly file: number; readonly span: Span }[] = [];
  for (const file of filesOfJobs(db)) files.push({ file, span: await spanOf(db, file) });
  const begun = files.filter(({ span }) => span.firstStart < to);
  const reaches = ({ span }: { readonly span: Span }): boolean => span.lastEnd > from || span.lastStart >= from;
  return begun.filter((file, place) => reaches(file) || begun.slice(place + 1).some((older) => reaches(older) && older.span.firstStart <= file.span.lastStart)).map(({ file }) => file);
}

/** The lines of a file never change, so what they cover is worked out once. */
const spans = new WeakMap<Db, Map<number, Span>>();
const LINES_A_LOOK = 40_000;

async function spanOf(db: Db, file: number): Promise<Span> {
  let known = spans.get(db);
  if (known === undefined) spans.set(db, (known = new Map<number, Span>()));
  const kept = known.get(file);
  if (kept !== undefined) return kept;
  let span: Span = { firstStart: Number.POSITIVE_INFINITY, lastStart: Number.NEGATIVE_INFINITY, lastEnd: Number.NEGATIVE_INFINITY };
  for (let above = -1, count = LINES_A_LOOK; count === LINES_A_LOOK; await breath()) {
    const part = readOne(db, query<{ firstStart: number | null; lastStart: number | null; lastEnd: number | null; lastLine: number | null; count: number }>("firstStart", "lastStart", "lastEnd", "lastLine", "count")`-- jobs.span-of-file
      SELECT min(StartSecond) AS firstStart, max(StartSecond) AS lastStart, max(coalesce(EndSecond, StartSecond + ElapsedSeconds, StartSecond)) AS lastEnd, max(Line) AS lastLine, count(*) AS count
      FROM (SELECT Line, StartSecond, EndSecond, ElapsedSeconds FROM gpu_job WHERE FileId = ${file} AND Line > ${above} ORDER BY Line LIMIT ${LINES_A_LOOK})`);
    count = part?.count ?? 0;
    above = part?.lastLine ?? above;
    span = {
      firstStart: Math.min(span.firstStart, part?.firstStart ?? span.firstStart),
      lastStart: Math.max(span.lastStart, part?.lastStart ?? span.lastStart),
      lastEnd: Math.max(span.lastEnd, part?.lastEnd ?? span.lastEnd),
    };
  }
  known.set(file, span);
  return span;
}
