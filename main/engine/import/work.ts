/** The long jobs: reading files, preparing what posting flips, working hours out anew, sweeping. They run in the reader or in process. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { isLogMapping, type AnyMapping } from "../../../shared/contract/mappings.ts";
import type { DeliveryPreview, FileReport, ImportOptions, PreviewFile, ReadOptions, TelemetryPreview } from "../../../shared/contract/methods.ts";
import type { IdlePolicy } from "../../../shared/contract/report.ts";
import type { Result } from "../../../shared/result.ts";
import { replayMachines } from "../findings/replay.ts";
import { scanDevices } from "../findings/scan.ts";
import { matchHosts } from "../hours/match.ts";
import { allGpuDays, gpuResources, hostMap, workOutDays } from "../hours/work-out.ts";
import type { Reference } from "../reference/catalog.ts";
import { recognizeDevice } from "../reference/device.ts";
import { loadReference } from "../reference/load.ts";
import { checkpoint } from "../store/connection.ts";
import { prepared, query, readAll, readOne, type Db } from "../store/sql.ts";
import { storeTrouble } from "../store/trouble.ts";
import { readBill, type ReadControl } from "./bills.ts";
import type { PriceCheck } from "../../../shared/contract/quality.ts";
import { checkUnitPrices } from "../quality/prices.ts";
import { compareDelivery, coverDelivery } from "./compare.ts";
import { readContracts } from "./contracts.ts";
import { spreadCommitmentFees, spreadTotals } from "./commitment-fees.ts";
import { Cancelled, giveWay, type JobControl } from "./control.ts";
import type { SurveyFacts } from "../formats/format.ts";
import type { FileLook } from "./deliveries.ts";
import { hostFor, readLog } from "./logs.ts";
import { workOutLines } from "./lines.ts";
import { columnsNotIn, logColumnsNotIn, MAPPED, MAPPED_LOG } from "../formats/index.ts";
import { savedMapping, shapeOf } from "./mappings.ts";
import { mayBeManifest, readManifest } from "./manifest.ts";
import { joinedReport, mayBePart } from "./parts.ts";
import { filesBehind, filesInside, refusedFile, type FileToRead } from "./plan.ts";
import { noteDays, prepareFlip, type Flip, type PreparedFlip } from "./post.ts";
import { recognize, sniffKnown, type Recognized } from "./recognize.ts";
import { openBytes, statOf } from "./scan/archive.ts";
import type { Sniffed } from "./sniff.ts";
import { deleteBatch, sweepAfterFlip, sweepAtOpen } from "./sweep.ts";

/** What a job works with. */
export interface JobWorld {
  readonly db: Db;
  readonly resourcesFolder: string;
  readonly control: JobControl;
  progress(progress: JobProgress): void;
}
export type JobProgress =
  | { readonly kind: "work"; readonly done: number; readonly total: number }
  | { readonly kind: "reading"; readonly bytesRead: number; readonly bytesTotal: number; readonly rowsRead: number }
  | { readonly kind: "stage"; readonly stage: "comparing" | "working-out" };

/** A file as it was read: what the person sees, the batch it is staged in, and how to tell that it has not changed. */
export interface FileReading {
  readonly preview: PreviewFile;
  readonly batchId: number | null;
  readonly modifiedMs: number;
  /** What told its columns apart, with its own header; null where nothing had to. */
  readonly mapping: AnyMapping | null;
}

const jobTable = {
  "find-files": findFiles,
  "look-at-file": lookAtFile,
  "find-twin": findTwin,
  "read-file": readFile,
  "compare-batch": compareBatch,
  "cover-delivery": ({ db, control }: JobWorld, { delivery, covers }: { readonly delivery: number; readonly covers: "period" | "held" }): DeliveryPreview => {
    giveWay(control);
    return coverDelivery(db, delivery, covers);
  },
  "is-unchanged": isUnchanged,
  "check-prices": ({ db, control }: JobWorld, months: readonly string[]): Promise<PriceCheck> => checkUnitPrices(db, months, () => control.isCancelled()),
  "prepare-flip": (world: JobWorld, { flip, policy }: { readonly flip: Flip; readonly policy: IdlePolicy }): Result<PreparedFlip> =>
    prepareFlip(world.db, flip, { policy, control: world.control, workOutDays }),
  "work-out": workOut,
  "replay-stops": replayMachines,
  "scan-devices": scanDevices,
  "delete-batches": (world: JobWorld, batches: readonly number[]): void => {
    for (const batch of batches) deleteBatch(world.db, batch, uncancelled(world.control));
  },
  "sweep-after-flip": ({ db, control }: JobWorld, _input: null): void => {
    checkpoint(db);
    sweepAfterFlip(db, control);
    checkpoint(db);
  },
  "work-out-lines": ({ db, control }: JobWorld, _input: null): void => workOutLines(db, control),
  "sweep-at-open": ({ db, control }: JobWorld, _input: null): void => sweepAtOpen(db, control),
} as const;

export function runJob<K extends JobKind>(kind: K, world: JobWorld, input: JobInput<K>): Promise<JobOutput<K>> {
  const job = jobTable[kind] as (world: JobWorld, input: JobInput<K>) => JobOutput<K> | Promise<JobOutput<K>>;
  // Thrown at once or later, it is a rejection.
  return new Promise((resolve) => resolve(job(world, input)));
}

export type JobKind = keyof typeof jobTable;
export type JobInput<K extends JobKind> = Parameters<(typeof jobTable)[K]>[1];
export type JobOutput<K extends JobKind> = Awaited<ReturnType<(typeof jobTable)[K]>>;

/** The files behind paths, those inside archives too. */
async function findFiles({ control }: JobWorld, paths: readonly string[]): Promise<readonly FileToRead[]> {
  const files = await filesInside(filesBehind(paths), () => control.isCancelled());
  if (control.isCancelled()) throw new Cancelled();
  return files;
}

/** What a file is to a delivery of several files: a bill of some format, a manifest, or nothing that is known. */
async function lookAtFile({ db, control }: JobWorld, { path, options }: { readonly path: string; readonly options: ImportOptions }): Promise<FileLook> {
  giveWay(control);
  const stat = await statOf(path);
  const nothing: FileLook = { path, format: null, manifest: null, modifiedMs: stat?.modifiedMs ?? 0 };
  if (stat === null) return nothing;
  if (mayBeManifest(path, stat.size)) {
    const manifest = await readManifest(path);
    if (manifest !== null) return { ...nothing, manifest };
  }
  if (!mayBePart(path)) return nothing;
  const sniffed = await sniffKnown(path);
  if (!sniffed.ok) return nothing;
  const recognized = recognize(sniffed.value, readOptions(db, sniffed.value, options).options);
  return recognized.ok && recognized.value.kind === "billing" ? { ...nothing, format: recognized.value.recognition.formatId } : nothing;
}

export interface ReadFile {
  readonly path: string;
  readonly options: ImportOptions;
  /** What the manifest of its delivery says of all its rows. */
  readonly facts?: SurveyFacts;
  /**
   * For a part of a delivery in several files: the batch that the parts before it were read into, null for the first. Whether its bytes were
   * posted before is then asked for all parts together, and what it changes is compared when all have been read.
   */
  readonly part?: { readonly into: number | null };
}

/** Looks at a file, recognizes it and reads it into a staging batch. A file that cannot be read is refused, in the preview. */
async function readFile(world: JobWorld, { path, options: asked, part, facts = {} }: ReadFile): Promise<FileReading> {
  const sniffed = await sniffKnown(path);
  const stat = await statOf(path);
  if (!sniffed.ok) return { preview: refusedFile(path, sniffed.error, { size: stat?.size ?? 0 }), batchId: null, modifiedMs: 0, mapping: null };
  const { size, header } = sniffed.value;
  const modifiedMs = stat?.modifiedMs ?? 0;
  const shape = shapeOf(header);
  const { options, isSaved } = readOptions(world.db, sniffed.value, asked);
  const recognized = recognize(sniffed.value, options);
  if (!recognized.ok) return { preview: refusedFile(path, recognized.error, { size, shape }), batchId: null, modifiedMs, mapping: null };
  const { kind, recognition } = recognized.value;
  const by = isMapped(recognition.formatId) ? (options.mapping ?? options.logMapping ?? null) : null;
  const mapping = by === null ? null : { ...by, header: [...header] };
  // Files of one shape come again and again: why they are read as they are is said with the name of what was kept.
  const reasons = by !== null && isSaved ? recognition.reasons.map(({ params }) => ({ code: "mapping-saved", params: { ...params, mapping: by.name } })) : recognition.reasons;
  const known = { kind, format: recognition.formatId, version: recognition.version, reasons, size, shape, mapping: by === null ? null : { name: by.name, isSaved } };

  const twins = part === undefined ? await twinsOf(world, path) : [];
  // A log that names no host is another one where it is given another: two hosts at rest write the same bytes.
  const isOther = ({ givenHosts }: Twin): boolean => kind === "telemetry" && givenHosts !== null && !givenHosts.includes(hostFor(path, options));
  const twin = twins.find((each) => !isOther(each));
  if (twin !== undefined) return { preview: { ...refusedFile(path, null, known), ...twin.known }, batchId: null, modifiedMs, mapping };

  giveWay(world.control);
  const batchId = part?.into ?? newBatch(world.db, recognized.value);
  const read = kind === "billing" ? readAsBill : kind === "commitments" ? readAsContracts : readAsLog;
  let preview: Result<PreviewFile>;
  try {
    preview = await read(world, { path, sniffed: sniffed.value, recognized: recognized.value, batchId, options, facts, known, isPart: part !== undefined });
  } catch (fault) {
    leave(world, batchId);
    throw fault;
  }
  if (preview.ok && preview.value.state === "ready") {
    const { telemetry } = preview.value;
    // It was given another host, and names its own: then it is the one that was posted.
    const named = twins.find(({ givenHosts }) => JSON.stringify(givenHosts) === JSON.stringify(telemetry?.hosts));
    if (named === undefined) {
      const hosts = telemetry?.hosts ?? [];
      finishBatch(world, batchId, preview.value, hosts.length === 1 && hosts[0] === hostFor(path, options) ? hosts : null);
      return { preview: { ...preview.value, sameAs: twins[0]?.name ?? null }, batchId, modifiedMs, mapping };
    }
    leave(world, batchId);
    return { preview: { ...refusedFile(path, null, known), ...named.known }, batchId: null, modifiedMs, mapping };
  }
  leave(world, batchId);
  if (!preview.ok && preview.error.code === "import.cancelled") throw new Cancelled();
  return { preview: preview.ok ? preview.value : refusedFile(path, preview.error, known), batchId: null, modifiedMs, mapping };
}

/**
 * What a file is read with. A format that the person chose needs no mapping; else it is the given one that was made for its columns, the one that
 * the ledger keeps for them, or a given one whose columns it has too where no format knows it. Where there is but one and it fits nothing, it is
 * what says which columns are missing.
 */
function readOptions(db: Db, sniffed: Sniffed, { mappings = [], ...others }: ImportOptions): { readonly options: ReadOptions; readonly isSaved: boolean } {
  if (others.format !== undefined) return { options: others, isSaved: false };
  const shape = shapeOf(sniffed.header);
  const made = mappings.find(({ header }) => shapeOf(header) === shape);
  if (made !== undefined) return { options: withMapping(others, made), isSaved: false };
  const saved = savedMapping(db, shape);
  if (saved !== null) return { options: withMapping(others, saved.mapping), isSaved: true };
  const [only, second] = mappings;
  if (only === undefined || recognize(sniffed, others).ok) return { options: others, isSaved: false };
  const fitting = mappings.find((mapping) => missingIn(mapping, sniffed.header).length === 0) ?? (second === undefined ? only : undefined);
  return { options: fitting === undefined ? others : withMapping(others, fitting), isSaved: false };
}

function withMapping(options: ReadOptions, mapping: AnyMapping): ReadOptions {
  return isLogMapping(mapping) ? { ...options, logMapping: mapping } : { ...options, mapping };
}

function missingIn(mapping: AnyMapping, header: readonly string[]): readonly string[] {
  return isLogMapping(mapping) ? logColumnsNotIn(mapping, header) : columnsNotIn(mapping, header);
}

function isMapped(formatId: string): boolean {
  return formatId === MAPPED || formatId === MAPPED_LOG;
}

interface ReadJob {
  readonly path: string;
  readonly sniffed: Sniffed;
  readonly recognized: Recognized;
  readonly batchId: number;
  readonly options: ReadOptions;
  readonly facts: SurveyFacts;
  readonly known: Partial<PreviewFile>;
  readonly isPart: boolean;
}

async function readAsBill(world: JobWorld, { path, sniffed, recognized, batchId, options, facts, known, isPart }: ReadJob): Promise<Result<PreviewFile>> {
  const reference = referenceIn(world.resourcesFolder);
  if (!reference.ok) return reference;
  const reading = await readBill({ sniffed, formatId: recognized.recognition.formatId, batchId, options, facts, reference: reference.value }, world.db, readControl(world, sniffed.size));
  if (!reading.ok) return reading;
  if (!isPart) world.progress({ kind: "stage", stage: "comparing" });
  const { version, rowsRead, rowsPosted, rowsSetAside, setAside, repairs, periods, totals, corrections, sha256 } = reading.value;
  // Refused where not one row could be read, with the reasons of all of them; a header alone is a bill without rows.
  const isUnusable = rowsRead > 0 && rowsPosted === 0;
  const file = refusedFile(path, isUnusable ? ledgerError("import.no-rows-usable", { file: sniffed.name, rows: rowsRead }) : null, known);
  return {
    ok: true,
    value: {
      ...file,
      state: isUnusable ? "refused" : "ready",
      version: version ?? file.version,
      rowsRead, rowsPosted, rowsSetAside, setAside, repairs, periods, totals: recognized.recognition.formatId === "gcp" ? spreadTotals(totals) : totals, corrections, sha256,
      deliveries: isPart ? [] : compareBatch(world, batchId),
    },
  };
}

/** Commitments are no cost: they have no totals, and no day of any account. */
async function readAsContracts(world: JobWorld, { path, sniffed, batchId, known }: ReadJob): Promise<Result<PreviewFile>> {
  const reading = await readContracts({ sniffed, batchId }, world.db, readControl(world, sniffed.size));
  if (!reading.ok) return reading;
  const isUnusable = reading.value.rowsRead > 0 && reading.value.rowsPosted === 0;
  const file = refusedFile(path, isUnusable ? ledgerError("import.no-rows-usable", { file: sniffed.name, rows: reading.value.rowsRead }) : null, known);
  return { ok: true, value: { ...file, state: isUnusable ? "refused" : "ready", ...reading.value } };
}

async function readAsLog(world: JobWorld, { path, sniffed, recognized, batchId, options, known }: ReadJob): Promise<Result<PreviewFile>> {
  const reference = referenceIn(world.resourcesFolder);
  if (!reference.ok) return reference;
  const job = { sniffed, formatId: recognized.recognition.formatId, batchId, options, recognizeDevice: recognizeDevice.bind(null, reference.value) };
  const reading = await readLog(job, world.db, readControl(world, sniffed.size));
  if (!reading.ok) return reading;
  const { version, rowsRead, rowsPosted, rowsSetAside, setAside, repairs, periods, devices, jobs, coverage, hasGpuSeries, telemetry, sha256 } = reading.value;
  const file = refusedFile(path, null, known);
  return {
    ok: true,
    value: {
      ...file,
      state: hasGpuSeries || jobs > 0 ? "ready" : "no-gpu-series",
      version: version ?? file.version,
      rowsRead, rowsPosted, rowsSetAside, setAside, repairs, periods, devices, coverage, sha256,
      telemetry: { ...telemetry, matched: matchesOf(world.db, telemetry) },
    },
  };
}

/** What posting a batch would change, a delivery each; all its files have been read. */
function compareBatch({ db, control }: JobWorld, batchId: number): DeliveryPreview[] {
  spreadCommitmentFees(db, batchId, control);
  return readAll(db, query<{ DeliveryId: number }>("DeliveryId")`-- work.deliveries-of-batch
    SELECT DeliveryId FROM delivery WHERE BatchId = ${batchId} ORDER BY DeliveryId`).map(({ DeliveryId }) => {
    giveWay(control);
    noteDays(db, DeliveryId, control);
    return compareDelivery(db, DeliveryId);
  });
}

/** Which billed resource each host of a log would be joined to. */
function matchesOf(db: Db, { hosts }: TelemetryPreview): TelemetryPreview["matched"] {
  const { matches } = matchHosts(hosts, gpuResources(db), hostMap(db));
  return hosts.map((host) => {
    const match = matches.find((candidate) => candidate.host === host);
    return { host, resource: match?.resourceId ?? null, rule: match?.rule ?? null };
  });
}

/** An earlier posting of the same bytes that was not undone. */
interface Twin {
  /** What is known of a file like it. */
  readonly known: Partial<PreviewFile> & { readonly state: "unchanged" };
  readonly name: string;
  /** Hosts of a log that it was given since it names none; null: its own, or not known. */
  readonly givenHosts: readonly string[] | null;
}

function findTwin(world: JobWorld, { path }: { readonly path: string }): Promise<Twin["known"] | null> {
  return twinsOf(world, path).then(([newest]) => newest?.known ?? null);
}

/** Newest first. Only a file of the same size is worth reading for them. */
async function twinsOf({ db, control }: JobWorld, path: string): Promise<readonly Twin[]> {
  const size = (await statOf(path))?.size ?? 0;
  interface TwinRow {
    readonly BatchId: number;
    readonly Sha256: string;
    readonly Name: string;
    readonly Report: string;
  }
  const rows = readAll(db, query<TwinRow>("BatchId", "Sha256", "Name", "Report")`-- work.files-of-the-same-size
    SELECT b.BatchId, f.Sha256, f.Name, b.Report
    FROM source_file f
    JOIN batch b ON b.BatchId = f.BatchId
    WHERE f.Size = ${size} AND b.State = 'posted'
    ORDER BY b.PostedOrder DESC`);
  if (rows.length === 0) return [];
  const sha256 = await hashOf(path, control);
  return rows
    .filter((row) => row.Sha256 === sha256)
    .map(({ BatchId, Name, Report }) => {
      const { givenHosts = null, ...report } = JSON.parse(Report) as KeptReport;
      return { known: { ...report, setAside: [], size, sha256, batch: BatchId, state: "unchanged", sameAs: Name }, name: Name, givenHosts };
    });
}

/** What is kept with a batch of what the person was told. */
type KeptReport = Partial<FileReport> & { readonly givenHosts?: readonly string[] };

/** Whether a file is still what was read: same size and time of change, or else same bytes. */
async function isUnchanged({ control }: JobWorld, { path, size, modifiedMs, sha256 }: { readonly path: string; readonly size: number; readonly modifiedMs: number; readonly sha256: string | null }): Promise<boolean> {
  const found = await statOf(path);
  if (found?.size !== size) return false;
  return found.modifiedMs === modifiedMs || (await hashOf(path, control)) === sha256;
}

async function hashOf(path: string, control: JobControl): Promise<string> {
  const hash = createHash("sha256");
  const { stream } = await openBytes(path);
  for await (const chunk of stream) {
    giveWay(control);
    hash.update(chunk as Buffer);
  }
  return hash.digest("hex");
}

/** Works out the hours of some days, or of all, under a policy. The caller flips. */
function workOut({ db, control }: JobWorld, { days, policy }: { readonly days: readonly number[] | null; readonly policy: IdlePolicy }): { generation: number; days: readonly number[]; policy: IdlePolicy } | null {
  const touched = days ?? allGpuDays(db);
  if (touched.length === 0) return null;
  const workedOut = workOutDays(db, { days: touched, policy, withBatches: [], withoutBatches: [], groupGenerations: new Map(), control });
  giveWay(control);
  return { generation: workedOut.generation, days: workedOut.days, policy };
}

function newBatch(db: Db, { kind, recognition }: Recognized): number {
  const { lastInsertRowid } = prepared(
    db,
    "INSERT INTO batch (Kind, State, FormatId, FormatVersion, RowsRead, RowsPosted, RowsSetAside, Report) VALUES (?, 'staging', ?, ?, 0, 0, 0, '{}')",
  ).run(kind === "telemetry" ? kind : "billing", recognition.formatId, recognition.version);
  return Number(lastInsertRowid);
}

/** Keeps with the batch what the person was told of it, without the rows set aside, which have a table, and without paths. */
function finishBatch({ db, control }: JobWorld, batchId: number, { kind, format, version, rowsRead, rowsPosted, rowsSetAside, repairs, periods, totals, corrections, devices, coverage }: PreviewFile, givenHosts: readonly string[] | null): void {
  giveWay(control);
  const own = { kind, format, version, rowsRead, rowsPosted, rowsSetAside, repairs, periods, totals, corrections, devices, coverage, ...(givenHosts === null ? {} : { givenHosts }) };
  const before = readOne(db, query<{ Report: string }>("Report")`-- work.report-so-far
    SELECT Report FROM batch WHERE BatchId = ${batchId} AND Report <> '{}'`);
  const report = before === null ? own : joinedReport(JSON.parse(before.Report) as Partial<FileReport>, own);
  prepared(db, "UPDATE batch SET FormatVersion = ?, RowsRead = ?, RowsPosted = ?, RowsSetAside = ?, Report = ? WHERE BatchId = ?").run(
    version, report.rowsRead, report.rowsPosted, report.rowsSetAside, JSON.stringify(report), batchId,
  );
}

/** Takes back what a reading staged. What cannot be taken back now, on a full disk, no view sees, and it is swept at the next opening. */
function leave({ db, control }: JobWorld, batchId: number): void {
  try {
    if (db.inTransaction) db.exec("ROLLBACK");
    deleteBatch(db, batchId, uncancelled(control));
  } catch (fault) {
    if (storeTrouble(fault, "") === null) throw fault;
  }
}

function readControl({ control, progress }: JobWorld, bytesTotal: number): ReadControl {
  return {
    progress: ({ bytesRead, rowsRead }) => progress({ kind: "reading", bytesRead, bytesTotal, rowsRead }),
    isCancelled: () => control.isCancelled(),
    standAside: () => control.standAside(),
  };
}

function uncancelled(control: JobControl): JobControl {
  return { ...control, isCancelled: () => false };
}

let loaded: { readonly folder: string; readonly reference: Result<Reference> } | null = null;

/** The shipped catalog, read once. */
function referenceIn(resourcesFolder: string): Result<Reference> {
  const folder = join(resourcesFolder, "reference");
  if (loaded?.folder !== folder) loaded = { folder, reference: loadReference(folder) };
  return loaded.reference;
}
