import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jobWays, type JobWay } from "../../../../shared/contract/jobs.ts";
import { ATTOS_PER_UNIT, formatAttos, sumAttos } from "../../../../shared/domain/money.ts";
import { dayOf } from "../../../../shared/domain/period.ts";
import { hostFinder } from "../../../../main/engine/jobs/places.ts";
import { jobsBetween } from "../../../../main/engine/jobs/list.ts";
import { teamFinder } from "../../../../main/engine/jobs/teams.ts";
import { workOutJobs, type JobHours, type WorkedJobs } from "../../../../main/engine/jobs/work-out.ts";
import { replaceRules } from "../../../../main/engine/teams/rules.ts";
import type { OpenLedger } from "../../../../main/engine/store/open.ts";
import { addDevice, addGpuHourCosts, addGpuHours, ledgerWith, type GpuHourCostSpec } from "../ledger-with.ts";

interface JobSpec {
  readonly id: string;
  readonly hosts: readonly string[];
  readonly gpus: number | null;
  readonly start: string;
  readonly end?: string | null;
  readonly elapsed?: number | null;
  readonly source?: "slurm" | "kubernetes";
  readonly account?: string;
  readonly user?: string;
  readonly partition?: string;
}

const second = (instant: string): number => Date.parse(`${instant}Z`) / 1000;

/** One posted import with these jobs, a line each. */
function addJobs(ledger: OpenLedger, jobs: readonly JobSpec[]): void {
  const { db } = ledger;
  const order = Number(db.prepare("SELECT coalesce(max(PostedOrder), 0) + 1 FROM batch").pluck().get());
  const batch = Number(db.prepare("INSERT INTO batch (Kind, State, PostedOrder, FormatId, RowsRead, RowsPosted, RowsSetAside, Report) VALUES ('telemetry', 'posted', ?, 'slurm-sacct', 0, 0, 0, '{}')").run(order).lastInsertRowid);
  const file = Number(db.prepare("INSERT INTO source_file (BatchId, Path, Name, Size, Sha256, Encoding, Delimiter, Layout) VALUES (?, 'jobs', 'jobs', 1, '', 'utf-8', '|', '{}')").run(batch).lastInsertRowid);
  const add = db.prepare("INSERT INTO gpu_job (FileId, Line, BatchId, Source, Cluster, JobId, Name, User, Account, Partition, State, Hosts, GpuCount, StartSecond, EndSecond, ElapsedSeconds) VALUES (?, ?, ?, ?, '', ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?)");
  for (const [line, { id, hosts, gpus, start, end = null, elapsed = null, source = "slurm", account = null, user = null, partition = null }] of jobs.entries()) {
    add.run(file, line + 1, batch, source, id, null, user, account, partition, JSON.stringify(hosts), gpus, second(start), end === null ? null : second(end), elapsed);
  }
  ledger.bump();
}

/** Hosts and the machines of the bill that they are. */
function join(ledger: OpenLedger, hosts: Readonly<Record<string, string>>): void {
  for (const [host, resource] of Object.entries(hosts)) ledger.db.prepare("INSERT INTO host_map (Host, ResourceId, ValidFrom, ValidTo, EnteredAt) VALUES (?, ?, NULL, NULL, '2026-10-01T00:00:00Z')").run(host, resource);
}

const work = (ledger: OpenLedger, from = "2026-09-01", to = "2026-10-01"): Promise<WorkedJobs> =>
  workOutJobs(ledger.db, { firstDay: dayOf(from), endDay: dayOf(to), currency: "USD", scope: {}, within: null, counter: "utilization" });

const byId = ({ jobs }: WorkedJobs, of: (place: number) => unknown): Record<string, unknown> => Object.fromEntries(jobs.map(({ id }, place) => [id, of(place)]));
const hoursOf = (worked: WorkedJobs, ...names: readonly JobHours[]) => byId(worked, (place) => names.map((name) => Math.round((worked.hours[name][place] as number) * 1e9) / 1e9));
const costOf = (worked: WorkedJobs, place: number): bigint => sumAttos(jobWays.map((way) => worked.costs[way][place] as bigint));
const costsOf = (worked: WorkedJobs) => byId(worked, (place) => formatAttos(costOf(worked, place)));

/** An hour of a machine of eight GPUs. */
const hourOfMachine = (hour: string, cost: string, parts: Partial<GpuHourCostSpec> = { UnknownCost: cost }): GpuHourCostSpec => ({ hour, series: { ResourceId: "i-1", x_GpuModel: "H100" }, GpuHours: 8, EffectiveCost: cost, ...parts });

describe("the GPU-hours of jobs", () => {
  it("are split at midnight and at the end of a month, to the second", async () => {
    const ledger = ledgerWith();
    addJobs(ledger, [{ id: "1", hosts: ["gpu01"], gpus: 8, start: "2026-08-31T22:30:00", end: "2026-09-02T00:00:01" }]);
    // 8 × 1.5 h in August; 8 × 24 h and one second in September.
    expect(byId(await work(ledger, "2026-08-01", "2026-09-01"), () => 12)).toEqual({ 1: 12 });
    expect((await work(ledger, "2026-08-01", "2026-09-01")).held[0]).toBe(12);
    expect((await work(ledger)).held[0]).toBeCloseTo(192 + 8 / 3600, 12);
    expect((await work(ledger, "2026-10-01", "2026-11-01")).jobs).toEqual([]);
  });

  it("count a job that still runs to where the list knows it, and not at all where it knows no end", async () => {
    const ledger = ledgerWith();
    addJobs(ledger, [
      { id: "running", hosts: ["a"], gpus: 4, start: "2026-09-01T00:00:00", elapsed: 1800 },
      { id: "open", hosts: ["a"], gpus: 4, start: "2026-09-01T00:00:00" },
      { id: "slices", hosts: ["a"], gpus: null, start: "2026-09-01T00:00:00", end: "2026-09-01T01:00:00" },
      // Two hours from start to end, of which it was suspended for one.
      { id: "suspended", hosts: ["a"], gpus: 4, start: "2026-09-01T00:00:00", end: "2026-09-01T02:00:00", elapsed: 3600 },
    ]);
    const worked = await work(ledger);
    expect(byId(worked, (place) => worked.held[place])).toEqual({ running: 2, open: Number.NaN, slices: Number.NaN, suspended: 4 });
  });

  it("count each run of a job that was put back, and each run once however often it is listed, as the newest list states it", async () => {
    const ledger = ledgerWith();
    addJobs(ledger, [{ id: "7", hosts: ["a"], gpus: 1, start: "2026-09-01T00:00:00", end: "2026-09-01T02:00:00" }, { id: "7", hosts: ["a"], gpus: 1, start: "2026-09-01T03:00:00", elapsed: 3600 }]);
    addJobs(ledger, [{ id: "7", hosts: ["a"], gpus: 1, start: "2026-09-01T03:00:00", end: "2026-09-01T09:00:00" }]);
    const worked = await work(ledger);
    expect(worked.jobs.map(({ id }, place) => [id, worked.held[place]])).toEqual([["7", 2], ["7", 6]]);
    // A newer list that says it was over before the period has the last word there, too.
    addJobs(ledger, [{ id: "9", hosts: ["a"], gpus: 1, start: "2026-08-31T20:00:00", end: "2026-08-31T21:00:00" }]);
    expect((await jobsBetween(ledger.db, second("2026-09-01T00:00:00"), second("2026-10-01T00:00:00"))).map(({ id }) => id)).toEqual(["7", "7"]);
    const other = ledgerWith();
    addJobs(other, [{ id: "9", hosts: ["a"], gpus: 1, start: "2026-08-31T20:00:00", end: "2026-09-01T05:00:00" }]);
    addJobs(other, [{ id: "9", hosts: ["a"], gpus: 1, start: "2026-08-31T20:00:00", end: "2026-08-31T21:00:00" }]);
    expect((await work(other)).jobs).toEqual([]);
  });
});

describe("the hosts of jobs", () => {
  it("are the hosts of logs whatever the case, and with or without their domain; two domains are two hosts", () => {
    const find = hostFinder(["GPU01.cluster.example", "gpu02", "x.one", "x.two"]);
    expect(["gpu01", "GPU01.CLUSTER.EXAMPLE", "gpu01.other", "gpu02.cluster.example", "x", "x.one", "gpu03"].map(find)).toEqual(["GPU01.cluster.example", "GPU01.cluster.example", null, "gpu02", null, "x.one", null]);
  });

  it("each take their part of a job that lies evenly on them; where it does not, use and cost are unknown and its hours are not", async () => {
    const ledger = ledgerWith();
    join(ledger, { gpu01: "i-1", gpu02: "i-2" });
    addGpuHourCosts(ledger, [hourOfMachine("2026-09-01T00:00:00Z", "80"), { ...hourOfMachine("2026-09-01T00:00:00Z", "40"), series: { ResourceId: "i-2", x_GpuModel: "H100" } }]);
    addJobs(ledger, [
      { id: "even", hosts: ["gpu01", "GPU02"].map((name) => name.toLowerCase()), gpus: 8, start: "2026-09-01T00:00:00", end: "2026-09-01T01:00:00" },
      { id: "uneven", hosts: ["gpu01", "gpu02"], gpus: 3, start: "2026-09-01T00:00:00", end: "2026-09-01T01:00:00" },
    ]);
    const worked = await work(ledger);
    // Four of eight GPUs on each: half of 80 and half of 40; the other halves nobody is known to have held.
    expect(costsOf(worked)).toEqual({ even: "60", uneven: "0" });
    expect(byId(worked, (place) => worked.held[place])).toEqual({ even: 8, uneven: 3 });
    expect(hoursOf(worked, "priced")).toEqual({ even: [8], uneven: [0] });
    expect(formatAttos(sumAttos(Object.values(worked.machines.unassigned)))).toBe("60");
  });
});

describe("what jobs did and cost", () => {
  it("is the machine's, hour by hour, by the GPUs held; parts of jobs and of nobody add up to the machine to the last digit", async () => {
    const ledger = ledgerWith();
    join(ledger, { gpu01: "i-1" });
    const device = addDevice(ledger.db, { host: "gpu01" });
    // One of eight GPUs has a log: half the hour at work at 60 %, a quarter held idle, a quarter dead idle.
    addGpuHours(ledger, [{ hour: "2026-09-01T00:00:00Z", device, KnownSeconds: 3600, UtilizationMean: 0.3, ActiveSeconds: 1800, ActiveUtilizationSeconds: 1080, HeldIdleSeconds: 900, DeadIdleSeconds: 900 }]);
    addGpuHourCosts(ledger, [
      hourOfMachine("2026-09-01T00:00:00Z", "98.320000000000000001", { KnownGpuHours: 1, UsefulGpuHours: 0.3, ProductiveCost: "3.687", BusyInefficientCost: "2.458", HeldIdleCost: "3.0725", DeadIdleCost: "3.0725", UnknownCost: "86.030000000000000001" }),
      hourOfMachine("2026-09-01T05:00:00Z", "10"),
    ]);
    addJobs(ledger, [
      { id: "a", hosts: ["gpu01"], gpus: 4, start: "2026-09-01T00:00:00", end: "2026-09-01T01:00:00" },
      { id: "b", hosts: ["gpu01"], gpus: 2, start: "2026-09-01T00:00:00", end: "2026-09-01T01:00:00" },
    ]);
    const worked = await work(ledger);
    // `a` held half of the machine: half of one GPU's hour is known of its four, 0.15 h of it productive, 0.1 h at work in vain, 0.125 h each idle.
    expect(hoursOf(worked, "share", "productive", "busyInefficient", "heldIdle", "deadIdle", "counterKnown", "counterUseful")).toEqual({
      a: [4, 0.15, 0.1, 0.125, 0.125, 0.5, 0.15],
      b: [2, 0.075, 0.05, 0.0625, 0.0625, 0.25, 0.075],
    });
    expect(worked.costs.heldIdle.map((attos) => formatAttos(attos))).toEqual(["1.53625", "0.768125"]);
    // Half of 98.32…01 and a quarter of it, rounded down; the atto that is left is nobody's, as is the hour at five o'clock.
    expect(costsOf(worked)).toEqual({ a: "49.16", b: "24.58" });
    expect(formatAttos(sumAttos(Object.values(worked.machines.unassigned)))).toBe("34.580000000000000001");
    expect([worked.machines.gpuHours, worked.machines.unassignedGpuHours]).toEqual([16, 10]);
    expect([...worked.isOfHost]).toEqual([1, 1]);
  });

  it("is shared by pods that hold the same time-sliced GPU: never more than the GPU", async () => {
    const ledger = ledgerWith();
    const device = addDevice(ledger.db, { host: "node-1" });
    addGpuHours(ledger, [{ hour: "2026-09-01T00:00:00Z", device, KnownSeconds: 3600, UtilizationMean: 0.8, ActiveSeconds: 3600, ActiveUtilizationSeconds: 2880 }]);
    addJobs(ledger, ["a", "b", "c", "d"].map((id) => ({ id, source: "kubernetes" as const, hosts: ["node-1"], gpus: 1, start: "2026-09-01T00:00:00", end: "2026-09-01T01:00:00" })));
    const worked = await work(ledger);
    expect(hoursOf(worked, "share", "productive", "busyInefficient")).toEqual(Object.fromEntries(["a", "b", "c", "d"].map((id) => [id, [0.25, 0.2, 0.05]])));
    expect([...worked.held]).toEqual([1, 1, 1, 1]);
  });

  it("knows all of a machine that was there for half an hour, and was seen for half an hour", async () => {
    const ledger = ledgerWith();
    join(ledger, { gpu01: "i-1" });
    const devices = Array.from({ length: 8 }, (_, index) => addDevice(ledger.db, { host: "gpu01", index }));
    addGpuHours(ledger, devices.map((device) => ({ hour: "2026-09-01T00:00:00Z", device, KnownSeconds: 1800, UtilizationMean: 1, ActiveSeconds: 1800, ActiveUtilizationSeconds: 1800 })));
    addGpuHourCosts(ledger, [{ ...hourOfMachine("2026-09-01T00:00:00Z", "49", { KnownGpuHours: 4, UsefulGpuHours: 4, ProductiveCost: "49" }), GpuHours: 4 }]);
    addJobs(ledger, [{ id: "a", hosts: ["gpu01"], gpus: 8, start: "2026-09-01T00:30:00", end: "2026-09-01T01:00:00" }]);
    const worked = await work(ledger);
    expect(hoursOf(worked, "share", "productive")).toEqual({ a: [4, 4] });
    expect(costsOf(worked)).toEqual({ a: "49" });
    expect([...worked.isOfHost]).toEqual([0]);
  });
});

it("gives the example of the help's method page", async () => {
  const ledger = ledgerWith();
  join(ledger, { gpu01: "i-1" });
  addGpuHourCosts(ledger, [hourOfMachine("2026-09-01T10:00:00Z", "20", { KnownGpuHours: 8, HeldIdleCost: "5", ProductiveCost: "15" })]);
  addJobs(ledger, [{ id: "a", hosts: ["gpu01"], gpus: 4, start: "2026-09-01T10:30:00", end: "2026-09-01T12:00:00" }, { id: "b", hosts: ["gpu01"], gpus: 2, start: "2026-09-01T10:00:00", end: "2026-09-01T11:00:00" }]);
  const worked = await work(ledger);
  expect(byId(worked, (place) => worked.held[place])).toEqual({ a: 6, b: 2 });
  expect(costsOf(worked)).toEqual({ a: "5", b: "5" });
  expect(worked.costs.heldIdle.map((attos) => formatAttos(attos))).toEqual(["1.25", "1.25"]);
  expect(formatAttos(sumAttos(Object.values(worked.machines.unassigned)))).toBe("10");
});

describe("whose jobs are", () => {
  it("say the rules of bills first, in their order and months, then the account as the bills spell it", async () => {
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", cells: [{ day: "2026-09-01", cost: "1", series: { x_Team: "Vision" } }, { day: "2026-09-01", cost: "1", series: { x_Team: "Foundation models" } }] }] });
    const column = (key: "slurmUser" | "slurmAccount" | "kubernetesNamespace", value: string) => ({ source: "column" as const, key, op: "equals" as const, value });
    replaceRules(ledger.db, [
      { name: "ann", team: "Speech", conditions: [column("slurmUser", "ann")], fromMonth: "2026-10", toMonth: null },
      { name: "lab", team: "Research", conditions: [column("slurmAccount", "lab")], fromMonth: null, toMonth: null },
      { name: "ns", team: "Search", conditions: [column("kubernetesNamespace", "rank")], fromMonth: null, toMonth: null },
    ]);
    const on = { hosts: ["a"], gpus: 1, start: "2026-09-01T00:00:00", end: "2026-09-01T01:00:00" };
    addJobs(ledger, [{ ...on, id: "1", user: "ann", account: "lab" }, { ...on, id: "2", user: "bob", account: "VISION" }, { ...on, id: "3", user: "bob", account: "new" }, { ...on, id: "4" }, { ...on, id: "6", account: "foundation_models" }, { ...on, id: "5", source: "kubernetes", partition: "rank", account: "x" }]);
    const jobs = await jobsBetween(ledger.db, second("2026-09-01T00:00:00"), second("2026-10-01T00:00:00"));
    const teamOf = teamFinder(ledger.db);
    expect(jobs.map((job) => [job.id, teamOf(job, "2026-09"), teamOf(job, "2026-10")])).toEqual([["1", "Research", "Speech"], ["2", "Vision", "Vision"], ["3", "new", "new"], ["4", null, null], ["5", "Search", "Search"], ["6", "Foundation models", "Foundation models"]]);
  });
});

describe("random jobs", () => {
  const hours = 30;
  const first = second("2026-09-01T00:00:00");
  const job = fc.record({
    hosts: fc.uniqueArray(fc.constantFrom<string>("n1", "n2", "n3"), { minLength: 1, maxLength: 3 }),
    each: fc.integer({ min: 1, max: 8 }),
    start: fc.integer({ min: -7200, max: hours * 3600 }),
    length: fc.integer({ min: 1, max: 40_000 }),
  });
  const machineHour = fc.record({ gpuHours: fc.constantFrom(2, 4, 8), parts: fc.tuple(...jobWays.map(() => fc.bigInt({ min: -5n, max: 10n ** 20n }))) });

  it("cost what a slow reckoning in fractions says of each, and together with nobody exactly what the machines cost", async () => {
    await fc.assert(fc.asyncProperty(fc.array(job, { minLength: 1, maxLength: 25 }), fc.array(machineHour, { minLength: hours * 3, maxLength: hours * 3 }), async (specs, machineHours) => {
      const ledger = ledgerWith();
      const machines = ["i-n1", "i-n2", "i-n3"];
      join(ledger, { n1: "i-n1", n2: "i-n2", n3: "i-n3" });
      const names = { productive: "ProductiveCost", busyInefficient: "BusyInefficientCost", heldIdle: "HeldIdleCost", deadIdle: "DeadIdleCost", idleMemoryUnknown: "IdleMemoryUnknownCost", unknown: "UnknownCost" } as const satisfies Record<JobWay, string>;
      addGpuHourCosts(ledger, machineHours.map(({ gpuHours, parts }, index) => ({
        hour: new Date((first + Math.floor(index / 3) * 3600) * 1000).toISOString().replace(".000Z", "Z"), series: { ResourceId: machines[index % 3] ?? "", x_GpuModel: "H100" }, GpuHours: gpuHours,
        EffectiveCost: formatAttos(sumAttos(parts)), ...Object.fromEntries(jobWays.map((way, place) => [names[way], formatAttos(parts[place] ?? 0n)])),
      })));
      const text = (at: number): string => new Date(at * 1000).toISOString().slice(0, 19);
      addJobs(ledger, specs.map(({ hosts, each, start, length }, index) => ({ id: String(index), hosts, gpus: each * hosts.length, start: text(first + start), end: text(first + start + length) })));
      const worked = await work(ledger);

      const named = new Set(worked.jobs.flatMap((each) => each.hosts));
      const known = machineHours.reduce((sum, { parts }, index) => (named.has(`n${(index % 3) + 1}`) ? sum + sumAttos(parts) : sum), 0n);
      const ofJobs = sumAttos(worked.jobs.map((_, place) => costOf(worked, place)));
      expect(ofJobs + sumAttos(Object.values(worked.machines.unassigned))).toBe(sumAttos(Object.values(worked.machines.costs)));
      expect(sumAttos(Object.values(worked.machines.costs))).toBe(known);

      function secondsIn(spec: (typeof specs)[number], hour: number): bigint {
        let count = 0n;
        const [from, to] = [Math.max(spec.start, hour * 3600), Math.min(spec.start + spec.length, (hour + 1) * 3600)];
        if (to > from) count = BigInt(to - from) * BigInt(spec.each);
        return count;
      }
      function taken(index: number): bigint {
        return specs.reduce((sum, spec) => (spec.hosts.includes(`n${(index % 3) + 1}`) ? sum + secondsIn(spec, Math.floor(index / 3)) : sum), 0n);
      }
      for (const [place, { id }] of worked.jobs.entries()) {
        const spec = specs[Number(id)] as (typeof specs)[number];
        let [whole, splits] = [0n, 0n];
        for (const [index, { gpuHours, parts }] of machineHours.entries()) {
          const held = secondsIn(spec, Math.floor(index / 3));
          if (held === 0n || !spec.hosts.includes(`n${(index % 3) + 1}`)) continue;
          const all = BigInt(gpuHours) * 3600n;
          const of = taken(index) > all ? taken(index) : all;
          whole += (sumAttos(parts) * held * 10n ** 6n) / of;
          splits += 1n;
        }
        const difference = costOf(worked, place) * 10n ** 6n - whole;
        // Weights are billionths of a GPU-hour: of amounts up to 600 a machine-hour that is less than a millionth of a unit.
        const allowed = splits * 10n ** 6n * (ATTOS_PER_UNIT / 10n ** 6n);
        expect(difference < 0n ? -difference : difference).toBeLessThanOrEqual(allowed);
      }
    }), { numRuns: 15, endOnFailure: true });
  }, 120_000);
});
