import fc from "fast-check";
import { expect, it } from "vitest";
import { workOutDays } from "../../../../main/engine/hours/work-out.ts";
import { encodeSegments } from "../../../../main/engine/store/traces.ts";
import { defaultIdlePolicy } from "../../../../shared/contract/report.ts";
import { dayOf } from "../../../../shared/domain/period.ts";
import { addDevice, ledgerWith } from "../ledger-with.ts";

/**
 * Hours, episodes and counters of random logs against a second implementation that walks minute by minute and knows none of the first one's
 * ways: no segments, no hours, no generations. A day of two machines: `a` with two GPUs, `b` with one.
 */
const DAY = dayOf("2026-09-07T00:00:00Z");
const MINUTES = 1440;
/** By minute: percent, or null where nothing was read. */
type Minutes = readonly (number | null)[];
interface RandomDevice {
  readonly utilization: Minutes;
  readonly engine: Minutes | null;
  /** Mebibytes of 100. */
  readonly memory: Minutes;
}

/** Stretches of some minutes each, so that there is idleness long enough to count, and gaps. */
const minutes = (levels: readonly (number | null)[]): fc.Arbitrary<Minutes> =>
  fc.array(fc.tuple(fc.constantFrom(...levels), fc.integer({ min: 1, max: 90 })), { minLength: 24, maxLength: 60 }).map((stretches) => {
    const all = stretches.flatMap(([level, length]) => Array.from({ length }, () => level));
    return Array.from({ length: MINUTES }, (_, minute) => all[minute % all.length] ?? null);
  });
const device: fc.Arbitrary<RandomDevice> = fc.record({
  utilization: minutes([0, 0, 3, 7, 7, 50, 100, null]),
  engine: fc.option(minutes([0, 0, 2, 8, 40, 90]), { nil: null }),
  memory: minutes([0, 5, 10, 80, null]),
});

it("agrees with a slow second implementation on random logs: states, episodes, and utilization by counter", () => {
  fc.assert(
    fc.property(fc.tuple(device, device, device), (devices) => {
      const hosts = ["i-0000000000000000a", "i-0000000000000000a", "i-0000000000000000b"];
      const bill = (resource: string, gpus: number) => ({ day: "2026-09-07", cost: "24", series: { ResourceId: resource, x_GpuModel: "H100", x_GpuCount: gpus }, hours: Array.from({ length: 24 }, (_, hour) => ({ hour, gpuHours: gpus, cost: "1" })) });
      const ledger = ledgerWith({ deliveries: [{ month: "2026-09", cells: [bill("i-0000000000000000a", 2), bill("i-0000000000000000b", 1)] }] });
      const log = Number(ledger.db.prepare("INSERT INTO batch (Kind, State, PostedOrder, ImportedAt, FormatId, RowsRead, RowsPosted, RowsSetAside, Report) VALUES ('telemetry', 'posted', 1000, '2026-10-01T00:00:00Z', 'nvidia-smi', 1, 1, 0, '{}')").run().lastInsertRowid);
      devices.forEach(({ utilization, engine, memory }, index) => {
        const id = addDevice(ledger.db, { host: hosts[index] ?? "", index, memoryTotalMiB: 100 });
        for (const [metric, values] of [["utilization", utilization], ["engine-active", engine], ["memory-used", memory]] as const) {
          const known = (values ?? []).flatMap((value, minute) => (value === null ? [] : [[minute, value] as const]));
          if (known.length === 0) continue;
          const blob = encodeSegments({ startMs: Uint32Array.from(known, ([minute]) => minute * 60_000), lengthMs: Uint32Array.from(known, () => 60_000), value: Float32Array.from(known, ([, value]) => value) });
          ledger.db.prepare("INSERT INTO gpu_trace VALUES (?, ?, ?, ?, ?, ?)").run(id, metric, DAY, log, known.length, blob);
        }
      });
      const { generation } = workOutDays(ledger.db, { days: [DAY], policy: defaultIdlePolicy, withBatches: [], withoutBatches: [], groupGenerations: new Map(), control: { isCancelled: () => false, standAside: () => undefined, progress: () => undefined } });
      const own = devices.map(minuteByMinute);
      for (const [resource, members] of [["i-0000000000000000a", own.slice(0, 2)], ["i-0000000000000000b", own.slice(2)]] as const) {
        const sums = ledger.db.prepare("SELECT sum(KnownGpuHours) AS known, sum(UsefulGpuHours) AS useful, sum(IdleGpuHours) AS idle FROM gpu_cost_day c JOIN series s ON s.SeriesId = c.SeriesId WHERE s.ResourceId = ? AND Generation = ?").get(resource, generation) as { known: number; useful: number; idle: number };
        expect(sums.known).toBeCloseTo(total(members, ({ known }) => known), 6);
        expect(sums.useful).toBeCloseTo(total(members, ({ useful }) => useful), 6);
        expect(sums.idle).toBeCloseTo(total(members, ({ held, dead, memoryUnknown }) => held + dead + memoryUnknown), 6);
        for (const counter of ["utilization", "engine-active"] as const) {
          const row = ledger.db.prepare("SELECT KnownGpuHours AS known, UsefulGpuHours AS useful FROM gpu_activity_day a JOIN series s ON s.SeriesId = a.SeriesId WHERE s.ResourceId = ? AND Counter = ? AND Generation = ?").get(resource, counter, generation) as { known: number; useful: number } | undefined;
          expect(row?.known ?? 0).toBeCloseTo(total(members, (each) => each.counters[counter].known), 6);
          expect(row?.useful ?? 0).toBeCloseTo(total(members, (each) => each.counters[counter].useful), 6);
        }
      }
      const states = ledger.db.prepare("SELECT sum(ActiveSeconds) AS active, sum(HeldIdleSeconds) AS held, sum(DeadIdleSeconds) AS dead, sum(IdleMemoryUnknownSeconds) AS memoryUnknown FROM gpu_hour WHERE Generation = ? GROUP BY DeviceId ORDER BY DeviceId").all(generation) as { active: number; held: number; dead: number; memoryUnknown: number }[];
      own.filter(({ known }) => known > 0).forEach((each, index) => {
        const seconds = states[index];
        expect([seconds?.active, seconds?.held, seconds?.dead, seconds?.memoryUnknown].map((value) => Math.round(value ?? 0))).toEqual([each.known - each.held - each.dead - each.memoryUnknown, each.held, each.dead, each.memoryUnknown].map((hours) => Math.round(hours * 3600)));
      });
      const episodes = ledger.db.prepare("SELECT count(*) AS count, coalesce(sum(IdleSeconds), 0) AS seconds FROM idle_episode WHERE Generation = ?").get(generation) as { count: number; seconds: number };
      expect(episodes.count).toBe(own.reduce((sum, each) => sum + each.episodes, 0));
      expect(episodes.seconds).toBeCloseTo(total(own, ({ held, dead, memoryUnknown }) => held + dead + memoryUnknown) * 3600, 3);
      ledger.close();
    }),
    { numRuns: 15 },
  );
});

interface Judged {
  /** Hours of one GPU. */
  readonly known: number;
  readonly useful: number;
  readonly held: number;
  readonly dead: number;
  readonly memoryUnknown: number;
  readonly episodes: number;
  readonly counters: Readonly<Record<"utilization" | "engine-active", { readonly known: number; readonly useful: number }>>;
}

function total(devices: readonly Judged[], of: (device: Judged) => number): number {
  return devices.reduce((sum, each) => sum + of(each), 0);
}

/** The rules of maths.md d.1 to d.4 read aloud, a minute at a time. */
function minuteByMinute({ utilization, engine, memory }: RandomDevice): Judged {
  const knownOf = (values: Minutes): number => values.filter((value) => value !== null).length;
  const meanOf = (values: Minutes): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / Math.max(1, knownOf(values));
  const isStuck = engine !== null && meanOf(engine) < 0.5 && meanOf(utilization) > 50;
  const goesByEngine = engine !== null && knownOf(engine) > 0 && !isStuck && knownOf(engine) >= 0.9 * knownOf(utilization);
  const activity = goesByEngine ? engine : utilization;
  const isIdle = Array.from({ length: MINUTES }, () => false);
  let episodes = 0;
  for (let minute = 0; minute < MINUTES; minute += 1) {
    // An idle stretch begins at 5 % or less, and lasts until 10 % is reached or nothing is known.
    const first = activity[minute];
    if (first === null || first === undefined || first > 5) continue;
    let end = minute;
    while (end < MINUTES && activity[end] !== null && (activity[end] ?? 0) < 10) end += 1;
    if (end - minute >= 15) {
      episodes += 1;
      isIdle.fill(true, minute, end);
    }
    minute = end - 1;
  }
  const hours = (keep: (minute: number) => boolean): number => Array.from({ length: MINUTES }, (_, minute) => minute).filter(keep).length / 60;
  const sumOf = (values: Minutes | null): { known: number; useful: number } => ({ known: knownOf(values ?? []) / 60, useful: (values ?? []).reduce<number>((sum, value) => sum + (value ?? 0) / 100 / 60, 0) });
  const nothing = { known: 0, useful: 0 };
  return {
    known: hours((minute) => activity[minute] !== null),
    useful: sumOf(activity).useful,
    held: hours((minute) => isIdle[minute] === true && (memory[minute] ?? -1) >= 10),
    dead: hours((minute) => isIdle[minute] === true && memory[minute] !== null && (memory[minute] ?? 0) < 10),
    memoryUnknown: hours((minute) => isIdle[minute] === true && memory[minute] === null),
    episodes,
    counters: { utilization: sumOf(utilization), "engine-active": isStuck ? nothing : sumOf(engine) },
  };
}
