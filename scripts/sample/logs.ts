/** nvidia-smi logs of every machine, one file each for the year, in the dialects that scripts write them in. */
import { activityOf, outagesOf, slotCount, wallClock } from "./activity.ts";
import { firstMs, hourCount, slotMs, slotsAnHour } from "./calendar.ts";
import { labHost, machineTypes, nodes, type Card, type Dialect, type Work } from "./company.ts";
import { randomOf, type Random } from "./random.ts";
import { observe, type ObservedHour } from "./truth.ts";

export interface Logger {
  /** The machine in our own words, and the name of its file. */
  readonly node: string;
  readonly host: string;
  readonly card: Card;
  readonly cards: number;
  readonly work: Work;
  readonly dialect: Dialect;
  readonly isOn: Uint8Array;
  /** The hour from which it is logged. */
  readonly from: number;
}

export const loggers: readonly Logger[] = [
  ...nodes.flatMap((node): Logger[] => {
    const { card, count } = machineTypes[node.type];
    if (node.dialect === null) return [];
    return [{ node: node.name, host: node.isLoggedById ? node.resourceId : node.name, card, cards: count, work: node.work, dialect: node.dialect, isOn: node.isOn, from: node.loggedFrom }];
  }),
  { node: labHost.name, host: labHost.name, card: labHost.card, cards: labHost.count, work: "lab", dialect: labHost.dialect, isOn: new Uint8Array(hourCount).fill(1), from: labHost.from },
];

export interface WrittenLog {
  readonly chunks: Buffer[];
  readonly rows: number;
  readonly hours: Map<number, ObservedHour>;
}

/** One machine's log between two hours. */
export function writeLog(logger: Logger, fromHour: number, toHour: number): WrittenLog {
  const { card, cards } = logger;
  const random = randomOf(`log ${logger.node}`);
  const phaseMs = random.whole(180_000, 290_000);
  const outages = outagesOf(logger.node);
  const { header, row, isRepeated } = dialects[logger.dialect];
  const devices = Array.from({ length: cards }, (_, index) => deviceOf(logger, index, row, random));
  const writer = byteWriter();
  const headerBytes = Buffer.from(header);
  writer.put(headerBytes);
  let rows = 0;
  let headerDay = -1;
  for (let slot = logger.from * slotsAnHour; slot < slotCount; slot += 1) {
    const hour = Math.floor(slot / slotsAnHour);
    // A stopping machine ends its log before the last sample of the hour, so that nothing it said holds beyond its bill.
    const isLast = slot % slotsAnHour === slotsAnHour - 1 && logger.isOn[hour + 1] !== 1;
    if (logger.isOn[hour] === 0 || outages[slot] === 1 || isLast) continue;
    const ms = firstMs + slot * slotMs + phaseMs + random.whole(2, 39);
    const isWritten = hour >= fromHour && hour < toHour;
    if (isWritten && isRepeated) {
      const day = Math.floor(hour / 24);
      if (headerDay !== -1 && day !== headerDay) writer.put(headerBytes);
      headerDay = day;
    }
    const clock = Buffer.from(wallClock(ms));
    for (const device of devices) {
      const sample = sampleOf(device, slot, card, random);
      if (!isWritten) continue;
      const { samples } = device;
      // nvidia-smi asks one card after the other.
      const cardMs = ms + device.index * 3;
      samples.ms[samples.count] = cardMs;
      samples.percent[samples.count] = sample.percent;
      samples.memoryMiB[samples.count] = sample.memoryMiB;
      samples.count += 1;
      rows += 1;
      writer.putRow(device.parts, clock, cardMs % 1000, sample);
    }
  }
  const hours = new Map<number, ObservedHour>();
  for (const { samples } of devices) observe(samples, card.memoryMiB, firstMs, hours);
  return { chunks: writer.chunks(), rows, hours };
}

interface Device {
  readonly index: number;
  readonly uuid: string;
  readonly busId: string;
  readonly parts: readonly Part[];
  readonly load: Float32Array;
  readonly memory: Float32Array;
  readonly samples: { count: number; readonly ms: Float64Array; readonly percent: Float32Array; readonly memoryMiB: Float32Array };
}
interface Sample {
  percent: number;
  memoryMiB: number;
  hundredthWatts: number;
}

function deviceOf({ node, card, work, isOn }: Logger, index: number, row: string, random: Random): Device {
  const { load, memory } = activityOf(work, node, index, isOn);
  const identity = {
    index,
    uuid: `GPU-${random.hex(8)}-${random.hex(4)}-${random.hex(4)}-${random.hex(4)}-${random.hex(12)}`,
    busId: `00000000:${(0x10 + index * 0x0b).toString(16).toUpperCase()}:00.0`,
  };
  return {
    ...identity,
    parts: partsOf(row, identity, card),
    load,
    memory,
    samples: { count: 0, ms: new Float64Array(slotCount), percent: new Float32Array(slotCount), memoryMiB: new Float32Array(slotCount) },
  };
}

const sample: Sample = { percent: 0, memoryMiB: 0, hundredthWatts: 0 };

/** Load with a little noise, whole mebibytes, and the power that goes with the load. */
function sampleOf(device: Device, slot: number, card: Card, random: Random): Sample {
  const load = device.load[slot] as number;
  const noise = random.next();
  const isIdle = load < 5;
  sample.percent = isIdle ? (noise > 0.94 ? 1 + Math.floor(noise * 50) % 2 : 0) : Math.max(12, Math.min(100, Math.round(load + (noise - 0.5) * 9)));
  sample.memoryMiB = Math.round((device.memory[slot] as number) * card.memoryMiB);
  const isHeld = sample.memoryMiB > card.memoryMiB / 10;
  const share = isIdle ? (isHeld ? 0.045 : 0) : 0.12 + (sample.percent / 100) * 0.88;
  sample.hundredthWatts = Math.round((card.idleWatts + (card.busyWatts - card.idleWatts) * share) * 100 + (noise - 0.5) * (isIdle ? 160 : 1500));
  return sample;
}

/** A dialect as its two lines; what stands in braces is filled in. */
interface DialectText {
  readonly header: string;
  readonly row: string;
  /** A script that starts the tool anew every day: its header comes again. */
  readonly isRepeated: boolean;
}

const unitsHeader = "timestamp, index, name, uuid, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W]";
const unitsRow = "{clock}, {index}, {name}, {uuid}, {percent} %, {memory} MiB, {total} MiB, {watts} W";

const dialects: Readonly<Record<Dialect, DialectText>> = {
  units: { header: `${unitsHeader}\n`, row: `${unitsRow}\n`, isRepeated: false },
  windows: { header: `${unitsHeader}\r\n`, row: `${unitsRow}\r\n`, isRepeated: false },
  "no-units": {
    header: "timestamp, name, pci.bus_id, persistence_mode, utilization.gpu [%], memory.total [MiB], memory.used [MiB], power.draw [W]\n",
    row: "{clock}, {name}, {busId}, Enabled, {percent}, {total}, {memory}, {watts}\n",
    isRepeated: false,
  },
  script: {
    header: "timestamp,index,name,gpu_utilization[%],memory.total[MiB],memory.used[MiB],power.draw[W],temperature[°C]\n",
    row: "{clock}, {index}, {name}, {percent}, {total}, {memory}, {watts}, {celsius}\n",
    isRepeated: false,
  },
  cron: {
    header: "timestamp, uuid, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W], mig.mode.current\n",
    row: "{clock}, {uuid}, {name}, {percent} %, {memory} MiB, {total} MiB, {watts} W, Disabled\n",
    isRepeated: true,
  },
};

type Changing = "clock" | "percent" | "memory" | "watts" | "celsius";
type Part = Uint8Array | Changing;

/** The row of one card: what never changes as bytes, the rest by name. */
function partsOf(row: string, device: Pick<Device, "index" | "uuid" | "busId">, card: Card): readonly Part[] {
  const known: Readonly<Record<string, string>> = { index: String(device.index), uuid: device.uuid, busId: device.busId, name: card.name, total: String(card.memoryMiB) };
  return row
    .replace(/\{(index|uuid|busId|name|total)\}/g, (_, name: string) => known[name] ?? "")
    .split(/(\{\w+\})/)
    .filter((part) => part !== "")
    .map((part): Part => (part.startsWith("{") ? (part.slice(1, -1) as Changing) : Buffer.from(part)));
}

/** Millions of rows: bytes are put one after another, without a string for each. */
function byteWriter() {
  const full: Buffer[] = [];
  let bytes = Buffer.alloc(chunkBytes);
  let at = 0;
  function put(more: Uint8Array): void {
    bytes.set(more, at);
    at += more.length;
  }
  /** A whole number in so many digits, or in as many as it has. */
  function putNumber(number: number, digits = 1): void {
    let width = digits;
    for (let limit = 10 ** digits; number >= limit; limit *= 10) width += 1;
    let rest = number;
    for (let place = at + width - 1; place >= at; place -= 1) {
      const next = Math.floor(rest / 10);
      bytes[place] = 48 + rest - next * 10;
      rest = next;
    }
    at += width;
  }
  function putRow(parts: readonly Part[], clock: Uint8Array, millisecond: number, { percent, memoryMiB, hundredthWatts }: Sample): void {
    for (const part of parts) {
      if (typeof part !== "string") put(part);
      else if (part === "clock") {
        put(clock);
        putNumber(millisecond, 3);
      } else if (part === "percent") putNumber(percent);
      else if (part === "memory") putNumber(memoryMiB);
      else if (part === "celsius") putNumber(31 + Math.round(percent * 0.34));
      else {
        putNumber(Math.floor(hundredthWatts / 100));
        bytes[at++] = 46;
        putNumber(hundredthWatts % 100, 2);
      }
    }
    if (at > chunkBytes - 4096) {
      full.push(bytes.subarray(0, at));
      bytes = Buffer.alloc(chunkBytes);
      at = 0;
    }
  }
  return { put, putRow, chunks: (): Buffer[] => [...full, bytes.subarray(0, at)] };
}
const chunkBytes = 1024 * 1024;
