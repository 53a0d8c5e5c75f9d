import { randomUUID } from "node:crypto";
import type { SurveyFacts } from "../formats/format.ts";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { EventPayloads } from "../../../shared/contract/events.ts";
import type { DeliveryPreview, FileReport, ImportOptions, ImportOutcome, ImportPreview, PreviewFile } from "../../../shared/contract/methods.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import type { EngineContext, Opened } from "../context.ts";
import { coveredRows } from "./compare.ts";
import { Cancelled } from "./control.ts";
import { sortDeliveries, type FileLook, type Sorted } from "./deliveries.ts";
import { keepMapping, noteUse } from "./mappings.ts";
import { MAPPED, MAPPED_LOG } from "../formats/index.ts";
import { manifestsBeside } from "./parts.ts";
import { refusedFile, type FileToRead, type Plan, type PlannedFile } from "./plan.ts";
import { nameOf, placeOf } from "./scan/archive.ts";
import { runFlip } from "./undo.ts";
import type { FileReading, JobProgress } from "./work.ts";

/** Previews that wait beside the newest: the oldest is discarded when there are more, so that staging does not grow. */
const PLANS_KEPT = 8;

/**
 * Reads files into staging and says what posting them would do. Nothing that shows changes.
 * A file that cannot be read is in the preview, refused with its reason; the others stand.
 * errors  import.cancelled
 */
export async function previewFiles(context: EngineContext, opened: Opened, paths: readonly string[], options: ImportOptions): Promise<Result<ImportPreview>> {
  const plan = randomUUID();
  let files: readonly FileToRead[] = [];
  const planned: PlannedFile[] = [];
  const reading = (opened.reading = { plan, isCancelled: false });
  let progress: ReturnType<typeof progressOf>;
  try {
    files = await opened.jobs.run("find-files", paths);
    progress = progressOf(context, plan, files);
    const sorted = await sortFiles(opened, files, options);
    for (const [index, file] of files.entries()) {
      const set = sorted.sets.find((indexes) => indexes.includes(index));
      const unread = unreadFile(file, index, sorted);
      if (unread !== null) planned[index] = { path: file.path, preview: unread, batchId: null, modifiedMs: 0, mapping: null };
      else if (set === undefined) planned[index] = await previewFile(opened, file, options, sorted.datasets.get(index), planned, progress.of(index));
      else if (set[0] === index) await previewParts(opened, set, files, options, sorted, planned, progress.of);
      if (reading.isCancelled) throw new Cancelled();
    }
    await tellOtherLayouts(opened, files, options, planned);
    tellCovered(opened, planned);
  } catch (fault) {
    // On a full disk this may fail too; the fault that is told is the first one, and the next opening sweeps.
    await discard(opened, planned.filter((file) => file !== undefined)).catch(() => undefined);
    const unread = files[planned.findIndex((file) => file === undefined)] ?? files[planned.length] ?? files[0];
    if (fault instanceof Cancelled) return err(ledgerError("import.cancelled", { file: nameOf(unread?.path ?? "") }));
    throw fault;
  } finally {
    opened.reading = null;
  }
  const oldest = [...opened.plans.values()].slice(0, Math.max(0, opened.plans.size + 1 - PLANS_KEPT));
  for (const { id } of oldest) await discardPlan(opened, id);
  opened.plans.set(plan, { id: plan, files: planned });
  progress.done();
  return ok({ plan, files: planned.map(({ preview }) => preview) });
}

/**
 * Posts a plan as it was previewed: all its files together, or none.
 * errors  import.plan-gone, import.changed (a file is not what it was), import.cancelled, batch.cells-gone
 */
export async function postPlan(context: EngineContext, opened: Opened, id: string): Promise<Result<ImportOutcome>> {
  const plan = opened.plans.get(id);
  if (plan === undefined) return err(ledgerError("import.plan-gone", { plan: id }));
  const reading = (opened.reading = { plan: id, isCancelled: false });
  try {
    const ready = plan.files.filter((file): file is PlannedFile & { readonly batchId: number } => file.batchId !== null);
    // Parts of one delivery share a batch.
    const batches = [...new Set(ready.map(({ batchId }) => batchId))];
    for (const { path, preview, modifiedMs } of ready) {
      const isSame = await opened.jobs.run("is-unchanged", { path, size: preview.size, modifiedMs, sha256: preview.sha256 });
      if (!isSame) return err(ledgerError("import.changed", { file: nameOf(path) }));
    }
    let revision = opened.ledger.revision();
    if (ready.length > 0) {
      const flipped = await runFlip(context, opened, { withBatches: batches, withoutBatches: [] }, stagesOf(context, plan));
      if (!flipped.ok) return flipped;
      revision = flipped.value.revision;
      keepMappings(opened, ready, context.now().toISOString());
    }
    opened.plans.delete(id);
    context.log.write("import.posted", { files: ready.length, rows: ready.reduce((sum, { preview }) => sum + preview.rowsPosted, 0) });
    return ok({ files: plan.files.map(({ preview, batchId }) => reportOf(preview, batchId)), revision });
  } catch (fault) {
    if (fault instanceof Cancelled || reading.isCancelled) return err(ledgerError("import.cancelled", { file: nameOf(plan.files[0]?.path ?? "") }));
    throw fault;
  } finally {
    opened.reading = null;
  }
}

/** What told columns apart is kept once a file was posted by it: the next one with these columns is read by itself. */
function keepMappings({ ledger, jobs }: Opened, files: readonly (PlannedFile & { readonly batchId: number })[], at: string): void {
  const mapped = files.flatMap(({ path, preview: { shape, mapping: said }, mapping, batchId }) => (shape === null || said === null || mapping === null ? [] : [{ shape, mapping, isSaved: said.isSaved, use: { at, file: nameOf(path), batch: batchId } }]));
  if (mapped.length === 0) return;
  jobs.write(() =>
    ledger.db
      .transaction(() => {
        for (const { shape, mapping, isSaved, use } of mapped) {
          if (!isSaved) keepMapping(ledger.db, mapping, at);
          noteUse(ledger.db, shape, use);
        }
      })
      .immediate(),
  );
}

/**
 * Says of a delivery of a plan that it is all of its account and billing period, or only what it holds.
 * errors  import.plan-gone
 */
export async function coverInPlan(opened: Opened, id: string, delivery: number, covers: "period" | "held"): Promise<Result<DeliveryPreview>> {
  const plan = opened.plans.get(id);
  const at = plan?.files.findIndex(({ preview }) => preview.deliveries.some((each) => each.delivery === delivery)) ?? -1;
  const file = plan?.files[at];
  if (plan === undefined || file === undefined) return err(ledgerError("import.plan-gone", { plan: id }));
  const changed = await opened.jobs.run("cover-delivery", { delivery, covers });
  const deliveries = file.preview.deliveries.map((each) => (each.delivery === delivery ? changed : each));
  opened.plans.set(id, { ...plan, files: plan.files.map((each, index) => (index === at ? { ...file, preview: { ...file.preview, deliveries } } : each)) });
  return ok(changed);
}

/** Forgets a preview and takes its staging rows away. */
export async function discardPlan(opened: Opened, id: string): Promise<void> {
  const plan = opened.plans.get(id);
  if (plan === undefined) return;
  opened.plans.delete(id);
  await discard(opened, plan.files);
}

/** Stops the preview or posting that runs, if it is this one or none is named. */
export function cancelReading(opened: Opened, plan: string | null): void {
  if (opened.reading === null || (plan !== null && opened.reading.plan !== plan)) return;
  opened.reading.isCancelled = true;
  opened.jobs.cancel();
}

async function previewFile({ jobs }: Opened, { path, trouble }: FileToRead, options: ImportOptions, dataset: string | undefined, before: readonly PlannedFile[], onProgress: (progress: JobProgress) => void): Promise<PlannedFile> {
  if (trouble !== null) return { path, preview: refusedFile(path, trouble), batchId: null, modifiedMs: 0, mapping: null };
  const { preview, batchId, modifiedMs, mapping } = await jobs.run("read-file", { path, options, facts: factsOf(dataset) }, onProgress);
  const twins = batchId === null ? [] : before.filter((other) => other.batchId !== null && other.preview.sha256 === preview.sha256);
  const [first] = twins;
  if (batchId === null || first === undefined) return { path, preview, batchId, modifiedMs, mapping };
  const same = twins.find((twin) => isOfTheSameHosts(twin.preview, preview));
  // Logs that name no host: two hosts at rest write the same bytes, and are two all the same.
  if (same === undefined) return { path, preview: { ...preview, sameAs: nameOf(first.path) }, batchId, modifiedMs, mapping };
  // The same bytes twice in one import change nothing either.
  await jobs.run("delete-batches", [batchId]);
  return { path, preview: { ...preview, state: "unchanged", sameAs: nameOf(same.path) }, batchId: null, modifiedMs, mapping };
}

function isOfTheSameHosts({ telemetry: one }: PreviewFile, { telemetry: other }: PreviewFile): boolean {
  return JSON.stringify(one?.hosts ?? null) === JSON.stringify(other?.hosts ?? null);
}

/** Of two files of one import that speak for the same accounts and days the later one counts: the rows of the earlier that it covers are told. */
function tellCovered({ ledger: { db } }: Opened, planned: PlannedFile[]): void {
  const batches = [...new Set(planned.flatMap(({ batchId, preview: { kind } }) => (batchId === null || kind !== "billing" ? [] : [batchId])))];
  if (batches.length < 2) return;
  for (const { batch, rows } of coveredRows(db, batches)) {
    const at = planned.findIndex(({ batchId }) => batchId === batch);
    const file = planned[at];
    if (file !== undefined) planned[at] = { ...file, preview: { ...file.preview, repairs: { ...file.preview.repairs, "covered-by-later-file": rows } } };
  }
}

/** Where the one mapping that was given reads a file of the import, it is that file's: what lacks its columns is a layout that nobody has told apart. */
async function tellOtherLayouts({ jobs }: Opened, files: readonly FileToRead[], options: ImportOptions, planned: PlannedFile[]): Promise<void> {
  if (options.mappings?.length !== 1 || !planned.some(({ preview: { mapping } }) => mapping?.isSaved === false)) return;
  const { mappings: _given, ...others } = options;
  for (const [index, { path }] of files.entries()) {
    const { error = null, format = null } = planned[index]?.preview ?? {};
    if (format !== null || error?.code !== "import.column-missing" || (error.params.format !== MAPPED && error.params.format !== MAPPED_LOG)) continue;
    planned[index] = { path, ...(await jobs.run("read-file", { path, options: others })) };
  }
}

/** What the files are to each other: parts, versions, manifests. Manifests that lie beside files are asked too, chosen or not. */
async function sortFiles({ jobs }: Opened, files: readonly FileToRead[], options: ImportOptions): Promise<Sorted> {
  const look = (path: string): Promise<FileLook> => jobs.run("look-at-file", { path, options });
  const looks = await Promise.all(files.map(({ path, trouble }) => (trouble === null ? look(path) : Promise.resolve({ path, format: null, manifest: null, modifiedMs: 0 }))));
  const chosen = new Set(files.map(({ path }) => path));
  const beside = new Set(looks.filter(({ path, format }) => format !== null && placeOf(path).member === null).flatMap(({ path }) => manifestsBeside(path)));
  const others = await Promise.all([...beside].filter((path) => !chosen.has(path)).map(look));
  return sortDeliveries([...looks, ...others]);
}

/** What is said of a file that is not read for what it is among the others; null for one that is. */
function unreadFile({ path, size }: FileToRead, index: number, { manifests, older, incomplete }: Sorted): PreviewFile | null {
  const lacks = incomplete.get(index);
  if (lacks !== undefined) return refusedFile(path, ledgerError("import.part-missing", { file: nameOf(path), ...lacks }), { size });
  if (manifests.has(index)) return refusedFile(path, null, { size, state: "manifest" });
  return older.has(index) ? refusedFile(path, null, { size, state: "older" }) : null;
}

/** Azure's manifests name the dataset, which its rows may not show. */
function factsOf(dataset: string | undefined): SurveyFacts {
  if (dataset === undefined) return {};
  return /amortized/i.test(dataset) ? { dataset: "amortized" } : /actual/i.test(dataset) ? { dataset: "actual" } : {};
}

/**
 * Reads the parts of one delivery into one batch. They are unchanged only together, and refused together: a delivery of which a part is
 * missing would replace more than it holds.
 */
async function previewParts(
  { jobs }: Opened,
  set: readonly number[],
  files: readonly FileToRead[],
  options: ImportOptions,
  sorted: Sorted,
  planned: PlannedFile[],
  progressOfFile: (index: number) => (progress: JobProgress) => void,
): Promise<void> {
  const paths = set.map((index) => files[index]?.path ?? "");
  const twins = await Promise.all(paths.map((path) => jobs.run("find-twin", { path })));
  if (twins.every((twin) => twin !== null)) {
    for (const [at, index] of set.entries()) planned[index] = { path: paths[at] ?? "", preview: refusedFile(paths[at] ?? "", null, twins[at] ?? {}), batchId: null, modifiedMs: 0, mapping: null };
    return;
  }
  let into: number | null = null;
  for (const [at, index] of set.entries()) {
    const path = paths[at] ?? "";
    const { preview, batchId, modifiedMs, mapping }: FileReading = await jobs.run("read-file", { path, options, facts: factsOf(sorted.datasets.get(index)), part: { into } }, progressOfFile(index));
    planned[index] = { path, preview, batchId, modifiedMs, mapping };
    if (batchId === null) {
      // The batch has gone with the part that could not be read.
      for (const [other, otherIndex] of set.entries()) {
        if (other !== at) planned[otherIndex] = { path: paths[other] ?? "", preview: refusedFile(paths[other] ?? "", preview.error, { kind: preview.kind, format: preview.format }), batchId: null, modifiedMs: 0, mapping: null };
      }
      return;
    }
    into = batchId;
  }
  const first = planned[set[0] ?? 0];
  if (first !== undefined && into !== null) {
    planned[set[0] ?? 0] = { ...first, preview: { ...first.preview, deliveries: await jobs.run("compare-batch", into) } };
  }
}

async function discard({ jobs }: Opened, files: readonly PlannedFile[]): Promise<void> {
  const batches = [...new Set(files.flatMap(({ batchId }) => (batchId === null ? [] : [batchId])))];
  if (batches.length > 0) await jobs.run("delete-batches", batches);
}

/** What is said of a file after posting. */
function reportOf({ path, kind, format, version, state, error, rowsRead, rowsPosted, rowsSetAside, setAside, repairs, periods, totals, corrections, devices, coverage, batch, sameAs }: PreviewFile, batchId: number | null): FileReport {
  return {
    path, kind, format, version,
    state: batchId === null ? state : "posted",
    error, rowsRead, rowsPosted, rowsSetAside, setAside, repairs, periods, totals, corrections, devices, coverage,
    batch: batchId ?? batch,
    sameAs,
  };
}

/** At most ten events a second: more is not seen, and each crosses processes. */
const MILLISECONDS_BETWEEN_EVENTS = 100;

/** Turns what a job tells into events of the whole import: rate and time left are over all its files. */
function progressOf(context: EngineContext, plan: string, files: readonly FileToRead[]) {
  const sizes = files.map(({ size }) => size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const startedAt = performance.now();
  let lastAt = Number.NEGATIVE_INFINITY;
  const say = (index: number, bytesRead: number, rowsRead: number, stage: EventPayloads["import.progress"]["stage"]): void => {
    const seconds = (performance.now() - startedAt) / 1000;
    const done = sizes.slice(0, index).reduce((sum, size) => sum + size, 0) + bytesRead;
    const bytesPerSecond = seconds < 0.2 || done === 0 ? null : done / seconds;
    context.emit({
      name: "import.progress",
      payload: {
        plan,
        file: nameOf(files[index]?.path ?? ""),
        fileIndex: index,
        fileCount: files.length,
        bytesRead,
        bytesTotal: sizes[index] ?? 0,
        rowsRead,
        bytesPerSecond,
        secondsLeft: bytesPerSecond === null ? null : (total - done) / bytesPerSecond,
        stage,
      },
    });
  };
  return {
    of: (index: number) => (progress: JobProgress): void => {
      if (progress.kind === "stage") return say(index, sizes[index] ?? 0, 0, progress.stage);
      if (progress.kind !== "reading" || performance.now() - lastAt < MILLISECONDS_BETWEEN_EVENTS) return;
      lastAt = performance.now();
      say(index, progress.bytesRead, progress.rowsRead, "reading");
    },
    done: () => say(Math.max(0, files.length - 1), sizes.at(-1) ?? 0, 0, "done"),
  };
}

/** While a plan is posted there is nothing to read any more: the event says how far the working out is, in hours of days. */
function stagesOf(context: EngineContext, { id, files }: Plan): (progress: JobProgress) => void {
  let lastAt = Number.NEGATIVE_INFINITY;
  return (progress) => {
    if (progress.kind !== "work" || performance.now() - lastAt < MILLISECONDS_BETWEEN_EVENTS) return;
    lastAt = performance.now();
    const [first] = files;
    context.emit({
      name: "import.progress",
      payload: {
        plan: id, file: nameOf(first?.path ?? ""), fileIndex: 0, fileCount: files.length,
        bytesRead: first?.preview.size ?? 0, bytesTotal: first?.preview.size ?? 0, rowsRead: first?.preview.rowsRead ?? 0,
        bytesPerSecond: null, secondsLeft: null, stage: "working-out",
      },
    });
    context.emit({ name: "work.progress", payload: { kind: "hours", done: progress.done, total: progress.total } });
  };
}
