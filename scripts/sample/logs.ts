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
}

export const loggers: readonly Logger[] = [
  ...nodes.flatMap((node): Logger[] => {
    const { card, count } = machineTypes[node.type];
    if (node.dialect === null) return [];
    return [{ node: node.name, host: node.isLoggedById ? node.resourceId : node.name, card, cards: count, work: node.work, dialect: node.dialect, isOn: node.isOn }];
  }),
  { node: labHost.name, host: labHost.name, card: labHost.card, cards: labHost.count, work: "lab", dialect: labHost.dialect, isOn: new Uint8Array(hourCount).fill(1, labHost.from) },
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
  const devices = Array.from({ length: cards }, (_, index) => deviceOf(logger, index, random));
  const { header, row, isRepeated } = dialects[logger.dialect];
  const chunks: Buffer[] = [];
  let lines: string[] = [header];
  let rows = 0;
  let headerDay = -1;
  for (let slot = 0; slot < slotCount; slot += 1) {
    const hour = Math.floor(slot / slotsAnHour);
    // A stopping machine ends its log before the last sample of the hour, so that nothing it said holds beyond its bill.
    const isLast = slot % slotsAnHour === slotsAnHour - 1 && logger.isOn[hour + 1] !== 1;
    if (logger.isOn[hour] === 0 || outages[slot] === 1 || isLast) continue;
    const ms = firstMs + slot * slotMs + phaseMs + random.whole(2, 39);
    const isWritten = hour >= fromHour && hour < toHour;
    if (isWritten && isRepeated) {
      const day = Math.floor(hour / 24);
      if (headerDay !== -1 && day !== headerDay) lines.push(header);
      headerDay = day;
    }
    for (const device of devices) {
      const sample = sampleOf(device, slot, card, random);
      if (!isWritten) continue;
      const { samples } = device;
      samples.ms[samples.count] = ms + device.index * 3;
      samples.percent[samples.count] = sample.percent;
      samples.memoryMiB[samples.count] = sample.memoryMiB;
      samples.count += 1;
      rows += 1;
      lines.push(row(wallClock(ms + device.index * 3), device, card, sample));
    }
    if (lines.length > 20_000) {
      chunks.push(Buffer.from(lines.join("")));
      lines = [];
    }
  }
  chunks.push(Buffer.from(lines.join("")));
  const hours = new Map<number, ObservedHour>();
  for (const { samples } of devices) observe(samples, card.memoryMiB, firstMs, hours);
  return { chunks, rows, hours };
}

interface Device {
  readonly index: number;
  readonly uuid: string;
  readonly busId: string;
  readonly load: Float32Array;
  readonly memory: Float32Array;
  readonly samples: { count: number; readonly ms: Float64Array; readonly percent: Float32Array; readonly memoryMiB: Float32Array };
}
interface Sample {
  percent: number;
  memoryMiB: number;
  hundredthWatts: number;
}

function deviceOf({ node, work, isOn }: Logger, index: number, random: Random): Device {
  const { load, memory } = activityOf(work, node, index, isOn);
  return {
    index,
    uuid: `GPU-${random.hex(8)}-${random.hex(4)}-${random.hex(4)}-${random.hex(4)}-${random.hex(12)}`,
    busId: `00000000:${(0x10 + index * 0x0b).toString(16).toUpperCase()}:00.0`,
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

interface DialectText {
  readonly header: string;
  readonly row: (clock: string, device: Device, card: Card, sample: Sample) => string;
  /** A script that starts the tool anew every day: its header comes again. */
  readonly isRepeated: boolean;
}

const withUnits = (clock: string, { index, uuid }: Device, { name, memoryMiB: total }: Card, { percent, memoryMiB, hundredthWatts }: Sample): string =>
  `${clock}, ${index}, ${name}, ${uuid}, ${percent} %, ${memoryMiB} MiB, ${total} MiB, ${watts(hundredthWatts)} W`;

const dialects: Readonly<Record<Dialect, DialectText>> = {
  units: {
    header: "timestamp, index, name, uuid, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W]\n",
    row: (clock, device, card, sample) => `${withUnits(clock, device, card, sample)}\n`,
    isRepeated: false,
  },
  windows: {
    header: "timestamp, index, name, uuid, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W]\r\n",
    row: (clock, device, card, sample) => `${withUnits(clock, device, card, sample)}\r\n`,
    isRepeated: false,
  },
  "no-units": {
    header: "timestamp, name, pci.bus_id, pstate, utilization.gpu [%], memory.total [MiB], memory.used [MiB], power.draw [W]\n",
    row: (clock, { busId }, { name, memoryMiB: total }, { percent, memoryMiB, hundredthWatts }) =>
      `${clock}, ${name}, ${busId}, ${percent === 0 && memoryMiB < 1000 ? "P8" : "P0"}, ${percent}, ${total}, ${memoryMiB}, ${watts(hundredthWatts)}\n`,
    isRepeated: false,
  },
  script: {
    header: "timestamp,index,name,gpu_utilization[%],memory.total[MiB],memory.used[MiB],power.draw[W],temperature[°C]\n",
    row: (clock, { index }, { name, memoryMiB: total }, { percent, memoryMiB, hundredthWatts }) =>
      `${clock}, ${index}, ${name}, ${percent}, ${total}, ${memoryMiB}, ${watts(hundredthWatts)}, ${31 + Math.round(percent * 0.34)}\n`,
    isRepeated: false,
  },
  cron: {
    header: "timestamp, uuid, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W], mig.mode.current\n",
    row: (clock, { uuid }, { name, memoryMiB: total }, { percent, memoryMiB, hundredthWatts }) =>
      `${clock}, ${uuid}, ${name}, ${percent} %, ${memoryMiB} MiB, ${total} MiB, ${watts(hundredthWatts)} W, Disabled\n`,
    isRepeated: true,
  },
};

function watts(hundredths: number): string {
  const rest = hundredths % 100;
  return `${(hundredths - rest) / 100}.${rest < 10 ? "0" : ""}${rest}`;
}
