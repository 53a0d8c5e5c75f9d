/** Reads a GPU log into staging rows of its batch: devices, and a trace for each device, metric and UTC day. Memory stays flat. */
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { Expected, LedgerError } from "../../../shared/contract/errors.ts";
import type { ReadOptions, SetAsideRow, TelemetryPreview } from "../../../shared/contract/methods.ts";
import { err, ok } from "../../../shared/result.ts";
import type { Result } from "../../../shared/result.ts";
import { telemetryFormats } from "../formats/telemetry/index.ts";
import type { BytesReader, DeviceIdentity, DeviceSeries, Holds, JobReading, LogRecord, LogRepair, LogSink, RecordReader, TelemetryFormat } from "../formats/telemetry/format.ts";
import { deviceKey, proposedHost } from "../formats/telemetry/identity.ts";
import { logDates } from "./log-dates.ts";
import type { DeviceName, DeviceRecognition } from "../reference/device.ts";
import { dayMs, encodeSegments, mergeTraces } from "../store/traces.ts";
import type { TraceMetric } from "../store/traces.ts";
import type { Db } from "../store/sql.ts";
import type { ReadControl } from "./bills.ts";
import { pollTime } from "./poll-time.ts";
import { deviceTraces } from "./samples.ts";
import type { DeviceTraces, FinishedDay, SamplePool, TraceSummary } from "./samples.ts";
import { scanRecords } from "./scan/records.ts";
import type { RecordScan } from "./scan/records.ts";
import { placeOf, writtenAt } from "./scan/archive.ts";
import { openSource } from "./scan/source.ts";
import { SourceError, sourceTrouble } from "./scan/failure.ts";
import type { ByteSource } from "./scan/source.ts";
import type { Sniffed } from "./sniff.ts";
import { seriesClock, zoneClock } from "./zone.ts";
import type { SeriesClock, ZoneClock } from "./zone.ts";

/** One log to read into one batch that already stands in the ledger in state `staging`. */
export interface LogJob {
  readonly sniffed: Sniffed;
  readonly formatId: string;
  readonly batchId: number;
  readonly options: ReadOptions;
  /** Recognition of devices by the shipped catalog. */
  readonly recognizeDevice: (device: DeviceName) => DeviceRecognition;
}

/** What one log said, all of it in staging rows of its batch. */
export interface LogReading {
  readonly fileId: number;
  readonly sha256: string;
  readonly size: number;
  readonly format: string;
  readonly version: string | null;
  /** Records of the format: a device of one poll. Headers are none. */
  readonly rowsRead: number;
  readonly rowsPosted: number;
  readonly rowsSetAside: number;
  /** At most 10,000; the rest is only counted. `reason` is a code of `expectedKinds`. */
  readonly setAside: readonly Omit<SetAsideRow, "file">[];
  readonly repairs: Readonly<Record<string, number>>;
  /** UTC months with samples, ascending. */
  readonly periods: readonly string[];
  readonly devices: number;
  /** Jobs that held GPUs, of a scheduler's list. */
  readonly jobs: number;
  /** Seconds with known utilization over the seconds from first to last sample, summed over devices; null where no device has two samples. */
  readonly coverage: number | null;
  /** False for a known format that holds no GPU series that the ledger keeps: it is read, said so, and no error. */
  readonly hasGpuSeries: boolean;
  readonly telemetry: TelemetryPreview;
  /** UTC days, since 1970-01-01, with a trace; ascending. */
  readonly touchedDays: readonly number[];
}

const mostSetAside = 10_000;
/** Traces a transaction: some 5 to 50 kB each, well under 20 ms. */
const tracesATransaction = 40;

/**
 * Reads a log into staging rows of its batch: source_file, set_aside, device (found or made), gpu_trace.
 *
 * errors   use.invalid (a time or spacing that is none), import.dates-ambiguous, import.zone-needed, import.zone-unknown, import.columns-needed, import.column-missing, import.no-rows-usable, import.truncated,
 *          import.unreadable, import.cancelled; what was staged until then is the caller's to sweep with the batch
 */
export async function readLog(job: LogJob, db: Db, control: ReadControl): Promise<Result<LogReading>> {
  const { sniffed, options } = job;
  const format = formatOf(job.formatId);
  const file = sniffed.name;
  const clock = options.timezone === undefined ? null : zoneClock(options.timezone);
  if (clock !== null && !clock.ok) return clock;
  const modifiedMs = await writtenAt(sniffed.path);
  if (modifiedMs === null) return err(ledgerError("import.unreadable", { file }));
  const lastPoll = pollTime(options, clock?.value ?? null, modifiedMs, file);
  if (!lastPoll.ok) return lastPoll;
  const host = hostFor(sniffed.path, options);

  const gathering = gather(clock?.value ?? null);
  const dates = logDates(sniffed.head);
  const opened = format.open({ sniffed, options, host, ...lastPoll.value, dateOrder: dates.order }, gathering.sink);
  if (!opened.ok) return opened;
  const store = logStore(db, job.batchId, sniffed, options);

  let source: ByteSource | null = null;
  try {
    source = await openSource({ path: sniffed.path, compression: sniffed.compression, encoding: sniffed.encoding, markLength: sniffed.markLength, isHashed: true });
    const afterBuffer = (): boolean => {
      store.writeTraces(gathering.takeFinished(), control);
      store.writeJobs(gathering.takeJobs(), control);
      control.progress({ bytesRead: source?.bytesTaken() ?? 0, rowsRead: gathering.rowsRead() });
      return !control.isCancelled();
    };
    const reader = opened.value;
    const trouble = reader.takes === "bytes" ? await readBytes(source, reader, afterBuffer) : await readRecords(source, sniffed, reader, gathering.oversize, afterBuffer);
    if (trouble !== null) return err(trouble);
    if (control.isCancelled()) return err(ledgerError("import.cancelled", { file }));
    const endTrouble = reader.end();
    if (endTrouble !== null) return err(endTrouble);

    const rowsRead = gathering.rowsRead();
    if (rowsRead > 0 && gathering.rowsSetAside() === rowsRead) {
      const undated = dates.undecided === null ? undefined : gathering.setAside().find(({ value }) => value.includes(dates.undecided ?? ""));
      if (undated !== undefined) return err(ledgerError("import.dates-ambiguous", { file, column: undated.column, value: undated.value }));
      return err(ledgerError("import.no-rows-usable", { file, rows: rowsRead }));
    }
    const summary = gathering.finish();
    store.writeTraces(gathering.takeFinished(), control);
    store.writeJobs(gathering.takeJobs(), control);
    store.describeDevices(gathering.devices(), job.recognizeDevice);
    store.writeSetAside(gathering.setAside(), control);
    const sha256 = await source.sha256();
    store.finishFile(sha256);
    return ok({
      fileId: store.fileId,
      sha256,
      size: sniffed.size,
      format: format.id,
      version: reader.version(),
      rowsRead,
      rowsPosted: reader.hasGpuSeries() || gathering.jobs() > 0 ? gathering.rowsPosted() : 0,
      rowsSetAside: gathering.rowsSetAside(),
      setAside: gathering.setAside().map(({ line, column, value, reason }) => ({ line, column, value, reason })),
      repairs: gathering.repairs(),
      periods: [...new Set([...store.touchedDays().map((day) => monthOfMs(day * dayMs)), ...gathering.jobMonths()])].sort(),
      devices: gathering.devices().length,
      jobs: gathering.jobs(),
      coverage: summary.coverage,
      hasGpuSeries: reader.hasGpuSeries(),
      telemetry: {
        hosts: [...new Set(gathering.devices().map(({ identity }) => identity.host))].sort(),
        ...gathering.timeBasis(),
        firstAt: summary.firstMs === null ? null : new Date(summary.firstMs).toISOString(),
        lastAt: summary.lastMs === null ? null : new Date(summary.lastMs).toISOString(),
        typicalSpacingSeconds: summary.typicalSpacingMs === null ? null : summary.typicalSpacingMs / 1000,
        lowTrustSamples: gathering.repairs()["low-trust-sample"] ?? 0,
        duplicates: summary.duplicates,
        matched: [],
      },
      touchedDays: store.touchedDays(),
    });
  } catch (fault) {
    if (fault instanceof SourceError) return err(sourceTrouble(fault.failure, file, gathering.rowsRead()));
    throw fault;
  } finally {
    await source?.close();
  }
}

function monthOfMs(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** What the host of a log is called that does not say: as the person says, else by the file's name. */
export function hostFor(path: string, { host }: ReadOptions): string {
  return host ?? proposedHost(placeOf(path).member ?? path);
}

function formatOf(id: string): TelemetryFormat {
  const format = telemetryFormats.find((each) => each.id === id);
  if (format === undefined) throw new Error(`no telemetry format ${id}`);
  return format;
}

/** Feeds every record to the format; trouble ends it. `afterBuffer` false ends it without trouble. */
async function readRecords(source: ByteSource, sniffed: Sniffed, reader: RecordReader, oversize: (line: number) => void, afterBuffer: () => boolean): Promise<LedgerError | null> {
  let isEnded = false;
  const watched: ByteSource = {
    ...source,
    async read(target, offset, length) {
      const count = await source.read(target, offset, length);
      isEnded ||= count === 0;
      return count;
    },
  };
  const empty = new Int32Array(64);
  const record: LogRecord = { bytes: new Uint8Array(0), starts: empty, ends: new Int32Array(64), count: 0, line: 0, from: 0, to: 0, isTerminated: true };
  let trouble: LedgerError | null = null;
  await scanRecords(
    watched,
    { delimiter: sniffed.delimiter.charCodeAt(0), bufferSize: 1024 * 1024, from: { byte: sniffed.headerByte, line: sniffed.headerLine, record: 1 } },
    {
      onRecord(scan) {
        layOut(scan, record);
        // All records that a line end follows are found before the source says that it has ended. A quote that never closes swallows
        // whole lines: that is no last line cut short, and is set aside.
        record.isTerminated = !isEnded || (scan.isUnterminated && scan.bytes.subarray(scan.start, scan.end).includes(10));
        trouble = reader.record(record);
        return trouble === null;
      },
      onOversize: ({ line }) => oversize(line),
      onBuffer: afterBuffer,
    },
  );
  return trouble;
}

/** Feeds the whole text to the format, piece by piece. */
async function readBytes(source: ByteSource, reader: BytesReader, afterBuffer: () => boolean): Promise<LedgerError | null> {
  const buffer = new Uint8Array(1024 * 1024);
  for (;;) {
    const count = await source.read(buffer, 0, buffer.length);
    if (count === 0) return null;
    const trouble = reader.bytes(buffer.subarray(0, count));
    if (trouble !== null) return trouble;
    if (!afterBuffer()) return null;
  }
}

/** Cells of a record with their quotes taken off. */
function layOut(scan: RecordScan, record: LogRecord): void {
  const { bytes, ends } = scan;
  const count = Math.min(scan.fieldCount, ends.length);
  if (count > record.starts.length) {
    record.starts = new Int32Array(count * 2);
    record.ends = new Int32Array(count * 2);
  }
  let start = scan.start;
  for (let index = 0; index < count; index++) {
    const end = ends[index] as number;
    const isQuoted = end > start + 1 && bytes[start] === 34 && bytes[end - 1] === 34;
    record.starts[index] = isQuoted ? start + 1 : start;
    record.ends[index] = isQuoted ? end - 1 : end;
    start = end + 1;
  }
  record.bytes = bytes;
  record.count = count;
  record.line = scan.line;
  record.from = scan.start;
  record.to = scan.end;
}

interface GatheredDevice {
  readonly identity: DeviceIdentity;
  /** By metrics and hold. */
  readonly traces: Map<string, { readonly metrics: readonly TraceMetric[]; readonly traces: DeviceTraces }>;
  name: string | null;
  memoryTotalMiB: number | null;
  index: number | null;
  pciBusId: string | null;
}
/** Encoded at once: a day's blob is a third of its segments. */
interface FinishedTrace extends Omit<FinishedDay, "trace" | "metric"> {
  readonly device: GatheredDevice;
  readonly metric: TraceMetric;
  readonly segments: Uint8Array;
}
interface GatheredSummary {
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  readonly coverage: number | null;
  readonly typicalSpacingMs: number | null;
  readonly duplicates: number;
}
/** A job with its times as Unix seconds. */
interface GatheredJob extends Omit<JobReading, "start" | "end"> {
  readonly startSecond: number;
  readonly endSecond: number | null;
}
interface SetAsideRecord extends Omit<SetAsideRow, "file"> {
  readonly raw: string;
}

/** What the format finds, on its way to the store. */
function gather(clock: ZoneClock | null) {
  const byKey = new Map<string, GatheredDevice>();
  const pool: SamplePool = new Map();
  const repairs = new Map<LogRepair, number>();
  const setAside: SetAsideRecord[] = [];
  const clocks: SeriesClock[] = [];
  let finished: FinishedTrace[] = [];
  let foundJobs: GatheredJob[] = [];
  const jobMonths = new Set<string>();
  let jobs = 0;
  let ambiguousJobs = 0;
  let rowsRead = 0;
  let rowsSetAside = 0;
  let rowsIgnored = 0;
  let usedZone = false;
  let sawInstant = false;
  let sawAssumedTime = false;
  let sawStatedTime = false;

  function repaired(name: LogRepair, count = 1): void {
    if (count > 0) repairs.set(name, (repairs.get(name) ?? 0) + count);
    if (name === "assumed-time" && count > 0) sawAssumedTime = true;
    if (name === "stated-time" && count > 0) sawStatedTime = true;
  }

  function series(identity: DeviceIdentity, metrics: readonly TraceMetric[], holds: Holds): DeviceSeries {
    const key = deviceKey(identity);
    let device = byKey.get(key);
    if (device === undefined) {
      device = { identity, traces: new Map(), name: null, memoryTotalMiB: null, index: identity.index, pciBusId: identity.pciBusId };
      byKey.set(key, device);
    }
    const traces = tracesOf(device, metrics, holds);
    return seriesOf(device, traces);
  }

  function tracesOf(device: GatheredDevice, metrics: readonly TraceMetric[], holds: Holds): DeviceTraces {
    const key = `${metrics.join()} ${holds}`;
    const known = device.traces.get(key);
    if (known !== undefined) return known.traces;
    const traces = deviceTraces(
      metrics.length,
      ({ metric, day, sampleCount, isLate, trace }) =>
        finished.push({ metric: metrics[metric] as TraceMetric, day, sampleCount, isLate, device, segments: encodeSegments(trace) }),
      holds,
      pool,
    );
    device.traces.set(key, { metrics, traces });
    return traces;
  }

  function seriesOf(device: GatheredDevice, traces: DeviceTraces): DeviceSeries {
    const local = clock === null ? null : seriesClock(clock);
    if (local !== null) clocks.push(local);
    return {
      identity: device.identity,
      describe(facts) {
        device.name ??= facts.name ?? null;
        device.memoryTotalMiB ??= facts.memoryTotalMiB ?? null;
        device.index ??= facts.index ?? null;
        device.pciBusId ??= facts.pciBusId ?? null;
      },
      add(time, values) {
        let instant: number | null = time.ms;
        if (time.isInstant) {
          sawInstant = true;
          local?.seen(instant);
        } else {
          if (local === null) return "zone-needed";
          usedZone = true;
          instant = local.instant(time.ms);
          if (instant === null) return "hour-skipped";
        }
        traces.add(instant, values);
        return "added";
      },
    };
  }

  /** Jobs stand in no order, so each settles a repeated hour by itself: its end is after its start. */
  function job({ start, end, ...facts }: JobReading): ReturnType<LogSink["job"]> {
    const local = clock === null ? null : seriesClock(clock);
    const instants: number[] = [];
    for (const time of end === null ? [start] : [start, end]) {
      if (time.isInstant) sawInstant = true;
      else if (local === null) return "zone-needed";
      else usedZone = true;
      const instant = time.isInstant ? time.ms : local?.instant(time.ms);
      if (instant === null || instant === undefined) return "hour-skipped";
      instants.push(instant);
    }
    ambiguousJobs += Math.min(1, local?.ambiguousRows() ?? 0);
    const [from = 0, to] = instants;
    foundJobs.push({ ...facts, startSecond: Math.floor(from / 1000), endSecond: to === undefined ? null : Math.floor(to / 1000) });
    jobMonths.add(monthOfMs(from));
    jobs += 1;
    return "added";
  }

  const sink: LogSink = {
    series,
    job,
    rowRead: () => {
      rowsRead += 1;
    },
    rowIgnored: () => {
      rowsIgnored += 1;
    },
    repaired,
    setAside(record, column, value, reason: Expected) {
      rowsSetAside += 1;
      if (setAside.length < mostSetAside) setAside.push({ line: record.line, column, value: value.trim(), reason, raw: Buffer.from(record.bytes.subarray(record.from, record.to)).toString("utf8") });
    },
  };

  function oversize(line: number): void {
    rowsRead += 1;
    rowsSetAside += 1;
    if (setAside.length < mostSetAside) setAside.push({ line, column: "", value: "", reason: "record-size" satisfies Expected, raw: "" });
  }

  function finish(): GatheredSummary {
    const perDevice = [...byKey.values()].map(({ traces }) => [...traces.values()].map(({ metrics, traces: each }) => ({ ...each.finish(), isUtilization: metrics[0] === "utilization" })));
    const summaries = perDevice.flat();
    const total = (pick: (summary: (typeof summaries)[number]) => number): number => summaries.reduce((sum, summary) => sum + pick(summary), 0);
    const firsts = summaries.flatMap(({ firstMs }) => firstMs ?? []);
    const lasts = summaries.flatMap(({ lastMs }) => lastMs ?? []);
    const spanMs = perDevice.reduce((sum, each) => sum + spanOf(each), 0);
    const duplicates = total((summary) => summary.duplicates);
    repaired("duplicate-timestamp", duplicates);
    repaired("out-of-order", total(({ outOfOrder }) => outOfOrder));
    repaired("ambiguous-hour", clocks.reduce((sum, each) => sum + each.ambiguousRows(), ambiguousJobs));
    return {
      firstMs: firsts.length === 0 ? null : firsts.reduce((least, each) => Math.min(least, each)),
      lastMs: lasts.length === 0 ? null : lasts.reduce((most, each) => Math.max(most, each)),
      coverage: spanMs === 0 ? null : total(({ knownMs, isUtilization }) => (isUtilization ? knownMs : 0)) / spanMs,
      typicalSpacingMs: median(summaries.flatMap(({ cadences }) => cadences.map(({ spacingMs }) => spacingMs))),
      duplicates,
    };
  }

  function timeBasis(): Pick<TelemetryPreview, "zone" | "zoneFrom"> {
    if (usedZone) return { zone: clock?.zone ?? null, zoneFrom: "option" };
    return { zone: sawInstant || sawAssumedTime ? "UTC" : null, zoneFrom: sawStatedTime ? "option" : sawInstant && !sawAssumedTime ? "file" : "utc-by-format" };
  }

  return {
    sink,
    oversize,
    finish,
    timeBasis,
    rowsRead: () => rowsRead,
    rowsSetAside: () => rowsSetAside,
    rowsPosted: () => rowsRead - rowsSetAside - rowsIgnored,
    setAside: (): readonly SetAsideRecord[] => setAside,
    repairs: (): Readonly<Record<string, number>> => Object.fromEntries([...repairs].sort(([one], [other]) => (one < other ? -1 : 1))),
    devices: (): readonly GatheredDevice[] => [...byKey.values()],
    jobs: () => jobs,
    jobMonths: (): ReadonlySet<string> => jobMonths,
    takeJobs(): readonly GatheredJob[] {
      const taken = foundJobs;
      foundJobs = [];
      return taken;
    },
    takeFinished(): readonly FinishedTrace[] {
      const taken = finished;
      finished = [];
      return taken;
    },
  };
}

/** The staging rows of one log. */
function logStore(db: Db, batchId: number, sniffed: Sniffed, options: ReadOptions) {
  const layout = JSON.stringify({ headerLine: sniffed.headerLine, headerByte: sniffed.headerByte, markLength: sniffed.markLength, columns: sniffed.header, options });
  const fileId = Number(
    db
      .prepare("INSERT INTO source_file (BatchId, Path, Name, Size, Sha256, Compression, Encoding, Delimiter, Layout) VALUES (?, ?, ?, ?, '', ?, ?, ?, ?)")
      .run(batchId, sniffed.path, sniffed.name, sniffed.size, sniffed.compression, sniffed.encoding, sniffed.delimiter, layout).lastInsertRowid,
  );
  const findDevice = db.prepare("SELECT DeviceId FROM device WHERE DeviceKey = ?").pluck();
  const makeDevice = db.prepare("INSERT INTO device (DeviceKey, Host, Uuid, PciBusId, DeviceIndex, Share) VALUES (?, ?, ?, ?, ?, 1)");
  // A bus id says more than an index, which may change with each start of the machine.
  const isSamePlace = "lower(Host) = lower(:host) AND CASE WHEN :pciBusId IS NOT NULL AND PciBusId IS NOT NULL THEN PciBusId = :pciBusId ELSE DeviceIndex = :index END";
  const findNamed = db.prepare(`SELECT DeviceId FROM device WHERE ${isSamePlace} AND Uuid IS NOT NULL AND Uuid NOT LIKE 'mig-%' LIMIT 2`);
  const findUnnamed = db.prepare(`SELECT DeviceId FROM device WHERE ${isSamePlace} AND Uuid IS NULL LIMIT 2`);
  const nameDevice = db.prepare("UPDATE device SET DeviceKey = ?, Uuid = ? WHERE DeviceId = ?");
  const findTrace = db.prepare("SELECT SampleCount AS sampleCount, Segments AS segments FROM gpu_trace WHERE DeviceId = ? AND Metric = ? AND Day = ? AND BatchId = ?");
  const writeTrace = db.prepare("INSERT OR REPLACE INTO gpu_trace (DeviceId, Metric, Day, BatchId, SampleCount, Segments) VALUES (?, ?, ?, ?, ?, ?)");
  const deviceIds = new Map<GatheredDevice, number>();
  /** Whose each device is in this log, and those that it names in more than one way. */
  const owners = new Map<number, GatheredDevice>();
  const several = new Set<number>();
  const touched = new Set<number>();

  function deviceId(device: GatheredDevice): number {
    let id = deviceIds.get(device);
    if (id === undefined) {
      const key = deviceKey(device.identity);
      const found = (findDevice.get(key) as number | undefined) ?? tiedDevice(device, key);
      id = found ?? Number(makeDevice.run(key, device.identity.host, device.identity.uuid, device.pciBusId, device.index).lastInsertRowid);
      deviceIds.set(device, id);
      const owner = owners.get(id);
      if (owner === undefined) owners.set(id, device);
      else if (owner !== device) several.add(id);
    }
    return id;
  }

  /**
   * The same GPU under another name: one that a log of the host named by UUID together with its bus id or index, seen now by these alone; or
   * the other way round, and then it takes the UUID as its key. Where several would do, none does: cards change places.
   */
  function tiedDevice({ identity, pciBusId, index }: GatheredDevice, key: string): number | undefined {
    const { host, uuid } = identity;
    if (uuid?.startsWith("mig-") === true || (pciBusId === null && index === null)) return undefined;
    const [only, ...others] = (uuid === null ? findNamed : findUnnamed).all({ host, pciBusId, index }) as { DeviceId: number }[];
    if (only === undefined || others.length > 0) return undefined;
    if (uuid !== null) nameDevice.run(key, uuid, only.DeviceId);
    return only.DeviceId;
  }

  function writeOne({ device, metric, day, sampleCount, segments, isLate }: FinishedTrace): void {
    const key = [deviceId(device), metric, day, batchId] as const;
    const earlier = isLate || several.has(key[0]) ? (findTrace.get(...key) as { sampleCount: number; segments: Uint8Array } | undefined) : undefined;
    if (earlier === undefined) writeTrace.run(...key, sampleCount, segments);
    else writeTrace.run(...key, earlier.sampleCount + sampleCount, encodeSegments(mergeTraces([earlier.segments, segments])));
    touched.add(day);
  }

  function writeTraces(traces: readonly FinishedTrace[], control: ReadControl): void {
    for (let at = 0; at < traces.length; at += tracesATransaction) {
      control.standAside();
      db.transaction(() => traces.slice(at, at + tracesATransaction).forEach(writeOne)).immediate();
    }
  }

  function writeJobs(jobs: readonly GatheredJob[], control: ReadControl): void {
    const write = db.prepare(`
      INSERT INTO gpu_job (FileId, Line, BatchId, Source, Cluster, JobId, Name, User, Account, Partition, State, Hosts, GpuCount, GpuModel, StartSecond, EndSecond, ElapsedSeconds)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    for (let at = 0; at < jobs.length; at += 1000) {
      control.standAside();
      db.transaction(() => {
        for (const { line, source, cluster, jobId, name, user, account, partition, state, hosts, gpuCount, gpuModel, startSecond, endSecond, elapsedSeconds } of jobs.slice(at, at + 1000)) {
          write.run(fileId, line, batchId, source, cluster ?? "", jobId, name, user, account, partition, state, JSON.stringify(hosts), gpuCount, gpuModel, startSecond, endSecond, elapsedSeconds);
        }
      }).immediate();
    }
  }

  /**
   * Fills in what the log says of its devices. Once posted batches rest on a device, what is known of it stays, so that nothing that shows
   * changes before this batch is posted; only what was unknown is added.
   */
  function describeDevices(devices: readonly GatheredDevice[], recognize: (device: DeviceName) => DeviceRecognition): void {
    const isInUse = db
      .prepare("SELECT EXISTS (SELECT 1 FROM gpu_trace JOIN batch USING (BatchId) WHERE DeviceId = ? AND BatchId <> ? AND State = 'posted')")
      .pluck();
    const describe = db.prepare(`
      UPDATE device
      SET Host           = CASE WHEN :isOpen THEN :host ELSE Host END,
          PciBusId       = coalesce(PciBusId, :pciBusId),
          DeviceIndex    = coalesce(DeviceIndex, :deviceIndex),
          Share          = CASE WHEN Name IS NULL OR :isOpen THEN :share ELSE Share END,
          AcceleratorId  = CASE WHEN AcceleratorId IS NULL OR :isOpen THEN coalesce(:acceleratorId, AcceleratorId) ELSE AcceleratorId END,
          GpuModel       = CASE WHEN GpuModel IS NULL OR :isOpen THEN coalesce(:gpuModel, GpuModel) ELSE GpuModel END,
          MemoryTotalMiB = coalesce(MemoryTotalMiB, :memoryTotalMiB),
          Name           = coalesce(Name, :name)
      WHERE DeviceId = :deviceId`);
    db.transaction(() => {
      for (const device of devices) {
        const recognized = device.name === null ? null : recognize({ name: device.name, memoryTotalMiB: device.memoryTotalMiB });
        const id = deviceId(device);
        describe.run({
          deviceId: id,
          isOpen: isInUse.get(id, batchId) === 0 ? 1 : 0,
          host: device.identity.host,
          pciBusId: device.pciBusId,
          deviceIndex: device.index,
          name: device.name,
          acceleratorId: recognized?.acceleratorId ?? null,
          gpuModel: recognized?.model ?? null,
          memoryTotalMiB: device.memoryTotalMiB,
          share: recognized?.share ?? 1,
        });
      }
    }).immediate();
  }

  function writeSetAside(rows: readonly SetAsideRecord[], control: ReadControl): void {
    const write = db.prepare("INSERT OR REPLACE INTO set_aside (FileId, Line, ColumnName, Value, Reason, Raw) VALUES (?, ?, ?, ?, ?, ?)");
    for (let at = 0; at < rows.length; at += 1000) {
      control.standAside();
      db.transaction(() => {
        for (const { line, column, value, reason, raw } of rows.slice(at, at + 1000)) write.run(fileId, line, column, value, reason, raw);
      }).immediate();
    }
  }

  return {
    fileId,
    writeTraces,
    writeJobs,
    describeDevices,
    writeSetAside,
    finishFile: (sha256: string) => db.prepare("UPDATE source_file SET Sha256 = ? WHERE FileId = ?").run(sha256, fileId),
    touchedDays: () => [...touched].sort((one, other) => one - other),
  };
}

/** From the first to the last sample of a device, whatever it states. */
function spanOf(summaries: readonly TraceSummary[]): number {
  const firsts = summaries.flatMap(({ firstMs }) => firstMs ?? []);
  const lasts = summaries.flatMap(({ lastMs }) => lastMs ?? []);
  return firsts.length === 0 ? 0 : Math.max(...lasts) - Math.min(...firsts);
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[(sorted.length - 1) >> 1] ?? null;
}
