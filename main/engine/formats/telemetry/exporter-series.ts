/** Series of GPU exporters, whatever brings them: labels to a device and a counter, points to samples. */
import type { TimestampReading } from "../../import/timestamp.ts";
import { boundedWatts, isSentinel, quantityColumn, readQuantity } from "./cells.ts";
import type { QuantityColumn } from "./cells.ts";
import type { DeviceIdentity, DeviceSeries, LogFormatJob, LogSink } from "./format.ts";
import { deviceKey, normalizedIndex, normalizedPciBusId, normalizedUuid } from "./identity.ts";
import { exportedMetric, isBaseUnitName, isClassicUnitName } from "./metric-names.ts";
import type { ExportedMetric } from "./metric-names.ts";

/** Labels in lower case. An exporter that Prometheus relabeled keeps its own behind `exported_`. */
export type Labels = ReadonlyMap<string, string>;

export interface ExporterSeries {
  readonly exported: ExportedMetric;
  readonly column: QuantityColumn;
  readonly device: DeviceSeries;
  /** One and the same for all series of a device. */
  readonly key: string;
  /** Who the exporter says used the device; empty where it names nobody. */
  readonly pod: string;
  /** The last reading of a counter; null before its first. */
  counted: CounterReading | null;
  /** For a metric whose scale its name does not say: what its labels or values said so far. */
  scale: "percent" | "ratio" | null;
}

interface CounterReading {
  readonly ms: number;
  readonly joules: number;
}

export interface ExporterLog {
  /** The series of these labels; null for what the ledger does not keep. */
  readonly seriesOf: (name: string, labels: Labels) => ExporterSeries | null;
  /** A value at an instant in Unix milliseconds. */
  readonly point: (series: ExporterSeries, ms: number, value: string) => void;
  /** The value in the ledger's unit, for samples whose time comes later; null where it describes the device instead. */
  readonly value: (series: ExporterSeries, at: number, value: string) => number | null;
  readonly hasSeries: () => boolean;
}

interface MemoryPart {
  readonly at: number;
  readonly mebibytes: number;
}

export function exporterLog(job: LogFormatJob, sink: LogSink): ExporterLog {
  let hasSeries = false;
  /** What the other names of the file say of its exporter's units. */
  let unitsOfFile: "percent" | "ratio" | null = null;
  const memory = new Map<string, Partial<Record<"used" | "free" | "reserved", MemoryPart>>>();
  /** By host and the masked number. */
  const masked = new Map<string, DeviceIdentity | null>();
  /** By host, how many numbers stand for GPUs that nothing describes. */
  const unnamedOf = new Map<string, number>();
  /** Devices that are split: their own utilization is none, whatever number stands there. */
  const split = new Set<string>();
  /** By device, the last readings of its energy counter, one a series: pods come and go, the counter goes on. */
  const countedBy = new Map<string, Map<ExporterSeries, CounterReading>>();
  /** Devices whose mean power is stated. */
  const hasMeanPower = new Set<string>();
  /** By device and counter, the pods and when each was told a value; devices that several had at once. */
  const usedBy = new Map<string, Map<string, { first: number; last: number }>>();
  const shared = new Set<string>();
  const time: TimestampReading = { ms: 0, isInstant: true };
  const values = new Float64Array(1);

  function seriesOf(metricName: string, labels: Labels): ExporterSeries | null {
    if (isBaseUnitName(metricName)) unitsOfFile = "ratio";
    else if (isClassicUnitName(metricName)) unitsOfFile = "percent";
    const exported = exportedMetric(metricName);
    if (exported === null) return null;
    const { metric } = exported;
    if (exported.needs !== undefined && !labels.has(exported.needs)) return null;
    // A MIG instance is a part of its card: its activity and memory are its own. Power is the card's, repeated for each of them; GPU-Util is
    // not defined for it, whatever number stands there.
    const instance = labels.get("gpu_i_id") ?? labels.get("gpu_instance_id") ?? "";
    const isSlice = instance !== "" && metric !== "power" && metric !== "counted-power";
    if (isSlice && metric === "utilization") {
      sink.repaired("mig-utilization-unknown");
      return null;
    }
    let identity: DeviceIdentity = {
      host: hostOf(labels) ?? job.host,
      uuid: normalizedUuid(first(labels, "uuid", "gpu_uuid", "accelerator_id")),
      pciBusId: normalizedPciBusId(first(labels, "pci_bus_id")),
      index: normalizedIndex(first(labels, "gpu", "index", "minor_number", "gpu_id", "device").replace(/^nvidia(?=\d)/, "")),
    };
    const stated = first(labels, "uuid", "gpu_uuid", "accelerator_id");
    if (identity.uuid === null && stated !== "") {
      // A masked number names no GPU, but the series that describe one tell which it stands for.
      const found = nameMasked(stated, identity);
      if (found === null) return null;
      identity = found;
    }
    if (identity.uuid === null && identity.pciBusId === null && identity.index === null) return null;
    if (isSlice) {
      // Without its card's UUID nothing tells an instance from another card's.
      if (identity.uuid === null || !/^\d{1,3}$/.test(instance)) return null;
      identity = { ...identity, uuid: `mig-gpu-${identity.uuid}/${instance}/0` };
    }
    // Where the mean is stated too, the momentary power is left out; where it comes after, the mean counts at equal times.
    if (metric === "power" && exported.isMomentary !== true) hasMeanPower.add(deviceKey(identity));
    if (exported.isMomentary === true && hasMeanPower.has(deviceKey(identity))) return null;
    const column = quantityColumn(exported.quantity, null, job.sniffed.delimiter === ";");
    const isSampled = metric in sampledMetrics;
    if (isSampled) hasSeries = true;
    const device = sink.series(identity, isSampled ? [metric as keyof typeof sampledMetrics] : [], exported.holds);
    const profile = isSlice ? first(labels, "gpu_i_profile", "gpu_profile") : "";
    const card = first(labels, "modelname", "name", "gpu_name", "model");
    const name = card === "" || profile === "" ? card : `${card} MIG ${profile}`;
    device.describe({
      ...(name === "" ? {} : { name }),
      ...(identity.index === null ? {} : { index: identity.index }),
      ...(identity.pciBusId === null ? {} : { pciBusId: identity.pciBusId }),
    });
    return { exported, column: { ...column, bareFactor: exported.factor }, device, key: deviceKey(identity), counted: null, pod: podOf(labels), scale: exported.scale === "by-version" ? scaleByLabels(labels) : null };
  }

  /**
   * The GPU that a number stands for that is no UUID, masked or a TPU's: as its description said; without one, the only one, or by the
   * order in which a host's numbers come. Null where it stands for several.
   */
  function nameMasked(stated: string, identity: DeviceIdentity): DeviceIdentity | null {
    const key = `${identity.host} ${stated}`;
    const known = masked.get(key);
    const isNamed = identity.pciBusId !== null || identity.index !== null;
    if (!isNamed) {
      if (known !== undefined) return known;
      const chip = /^\d{6,}-(\d{1,3})$/.exec(stated)?.[1];
      const unnamed = unnamedOf.get(identity.host) ?? 0;
      if (chip === undefined) {
        unnamedOf.set(identity.host, unnamed + 1);
        if (unnamed === 0) sink.repaired("assumed-single-gpu");
      }
      const found = { ...identity, index: chip === undefined ? unnamed : Number(chip) };
      masked.set(key, found);
      return found;
    }
    masked.set(key, known === undefined || (known !== null && deviceKey(known) === deviceKey(identity)) ? identity : null);
    return identity;
  }

  function point(series: ExporterSeries, ms: number, stated: string): void {
    const read = series.exported.isCounter === true ? countedWatts(series, ms, stated) : value(series, ms, stated);
    if (read === null) return;
    time.ms = ms;
    values[0] = read;
    series.device.add(time, values);
  }

  /**
   * Mean watts since the reading before: of the same series or, for the first reading of a series, of another one of the same device, which
   * a new pod or driver label brings about. The first reading of a device tells nothing, nor does one that is lower than the one before it:
   * the counter began anew, and what it had counted until then is not known. More than any device draws is no reading.
   */
  function countedWatts(series: ExporterSeries, ms: number, stated: string): number | null {
    const number = Number(stated);
    if (isSentinel(number)) {
      sink.repaired("value-sentinel");
      return Number.NaN;
    }
    const joules = number * series.exported.factor;
    if (stated.trim() === "" || !Number.isFinite(joules) || joules < 0) {
      sink.repaired("value-not-available");
      return Number.NaN;
    }
    let readings = countedBy.get(series.key);
    if (readings === undefined) countedBy.set(series.key, (readings = new Map<ExporterSeries, CounterReading>()));
    if (series.counted !== null && ms <= series.counted.ms) return null;
    const before = series.counted ?? latestBefore(readings, ms);
    const isRepeat = series.counted === null && before === null && readings.size > 0;
    series.counted = { ms, joules };
    readings.set(series, series.counted);
    if (before === null) return isRepeat ? null : Number.NaN;
    if (joules < before.joules) {
      sink.repaired("energy-counter-reset");
      return Number.NaN;
    }
    return boundedWatts(((joules - before.joules) * 1000) / (ms - before.ms), sink);
  }

  function latestBefore(readings: ReadonlyMap<ExporterSeries, CounterReading>, ms: number): CounterReading | null {
    let latest: CounterReading | null = null;
    for (const reading of readings.values()) if (reading.ms < ms && (latest === null || reading.ms > latest.ms)) latest = reading;
    return latest;
  }

  function value(series: ExporterSeries, at: number, stated: string): number | null {
    const { exported } = series;
    if (series.pod !== "") noteShared(series, at);
    // Two readings whose times are not known tell no power.
    if (exported.isCounter === true) return null;
    if (exported.metric === "description") return null;
    if (exported.metric === "mig-mode") {
      if (Number(stated) === 1) split.add(series.key);
      else split.delete(series.key);
      return null;
    }
    if (exported.metric === "utilization" && split.has(series.key)) {
      sink.repaired("mig-utilization-unknown");
      return Number.NaN;
    }
    const column = exported.scale === "by-version" ? scaled(series, stated) : series.column;
    if (column === null) {
      sink.repaired("scale-unknown");
      return Number.NaN;
    }
    const read = readQuantity(column, scratch, 0, putAscii(stated), sink);
    if (exported.part !== undefined) addMemory(series, exported.part, at, read);
    if (exported.metric === "memory-total") {
      if (read > 0) series.device.describe({ memoryTotalMiB: read });
      return null;
    }
    return exported.metric === "memory-part" ? null : read;
  }

  /** Several pods at one time on one device: time-slicing or MPS. Each of them is told the whole device's value, so it stays the device's. */
  function noteShared({ key, pod, exported }: ExporterSeries, at: number): void {
    if (shared.has(key)) return;
    const counter = `${key} ${exported.metric}`;
    let pods = usedBy.get(counter);
    if (pods === undefined) usedBy.set(counter, (pods = new Map<string, { first: number; last: number }>()));
    const own = pods.get(pod);
    if (own === undefined) pods.set(pod, { first: at, last: at });
    else {
      own.first = Math.min(own.first, at);
      own.last = Math.max(own.last, at);
    }
    for (const [other, { first, last }] of pods) {
      if (other === pod || at < first || at > last) continue;
      shared.add(key);
      sink.repaired("shared-gpu");
      return;
    }
  }

  /** Free, used and reserved at one time are the whole; without the reserved part they fall short of it. */
  function addMemory(series: ExporterSeries, part: "used" | "free" | "reserved", at: number, mebibytes: number): void {
    if (Number.isNaN(mebibytes)) return;
    let parts = memory.get(series.key);
    if (parts === undefined) memory.set(series.key, (parts = {}));
    parts[part] ??= { at, mebibytes };
    const { used, free, reserved } = parts;
    if (used === undefined || free === undefined || reserved === undefined || used.at !== free.at || used.at !== reserved.at) return;
    const memoryTotalMiB = used.mebibytes + free.mebibytes + reserved.mebibytes;
    if (memoryTotalMiB > 0) series.device.describe({ memoryTotalMiB });
  }

  /**
   * One name, two scales: a whole percent up to DCGM 4.6, a ratio in exporter 4.9 and newer. The exporter's labels and the other names of
   * the file decide; else a value above 1 or a broken one does. A lone 1 is 1 % or 100 %: unknown.
   */
  function scaled(series: ExporterSeries, stated: string): QuantityColumn | null {
    const number = Number(stated);
    if (series.scale === null && number !== 0) {
      if (unitsOfFile !== null) series.scale = unitsOfFile;
      else if (number > 1) series.scale = "percent";
      else if (number > 0 && number < 1) series.scale = "ratio";
    }
    if (series.scale === null) return number === 1 ? null : series.column;
    return { ...series.column, bareFactor: series.scale === "ratio" ? 100 : 1 };
  }

  return { seriesOf, point, value, hasSeries: () => hasSeries };
}

const sampledMetrics = { utilization: true, "memory-used": true, power: true, "counted-power": true, "engine-active": true, "sm-active": true, "tensor-active": true, "dram-active": true } as const;

/** The driver's label was renamed together with the units. */
function scaleByLabels(labels: Labels): "percent" | "ratio" | null {
  if (labels.has("dcgm_fi_system_driver_version")) return "ratio";
  return labels.has("dcgm_fi_driver_version") ? "percent" : null;
}

function podOf(labels: Labels): string {
  return [first(labels, "namespace"), first(labels, "pod", "pod_name")].filter((part) => part !== "").join("/");
}

function first(labels: Labels, ...names: readonly string[]): string {
  for (const name of names) {
    const stated = labels.get(`exported_${name}`) || labels.get(name);
    if (stated !== undefined && stated !== "") return stated;
  }
  return "";
}

/** Whether a series is of one GPU. */
export function isOfGpu(labels: Labels): boolean {
  return ["uuid", "gpu", "gpu_uuid", "index", "minor_number", "accelerator_id"].some((label) => labels.has(label));
}

/** The first label that names a host; a container's or the exporter's own name only if there is no other. */
function hostOf(labels: Labels): string | null {
  const stated = ["hostname", "node", "node_name", "kubernetes_node", "host", "nodename"].flatMap((name) => labels.get(`exported_${name}`) || labels.get(name) || []);
  const instance = first(labels, "instance").replace(/:\d+$/, "");
  if (instance !== "") stated.push(instance);
  return stated.find((host) => !/^([0-9a-f]{12}|.*dcgm-exporter-[a-z0-9-]+)$/.test(host)) ?? stated[0] ?? null;
}

/** A value's bytes; what is longer than any number, or no ASCII, is no number whatever its end. */
const scratch = new Uint8Array(64);
function putAscii(value: string): number {
  const length = Math.min(value.length, scratch.length);
  for (let at = 0; at < length; at++) {
    const code = value.charCodeAt(at);
    scratch[at] = code < 128 ? code : 63;
  }
  if (value.length > scratch.length) scratch[0] = 63;
  return length;
}
