/**
 * Alder & Finch Robotics (赤杨科技), a made-up company: what it runs, for whom, and at what price. Prices are illustrations near public list
 * prices of 2026; accounts, resources and people do not exist.
 */
import { hourAt, hourCount, hourOfDay, months, monthOf, weekday } from "./calendar.ts";
import { amount, type Attos } from "./money.ts";
import { randomOf, type Random } from "./random.ts";

export type Team = "Foundation models" | "Vision" | "Speech" | "Search & ranking" | "Simulation" | "Platform";
export const teams: readonly Team[] = ["Foundation models", "Vision", "Speech", "Search & ranking", "Simulation", "Platform"];

export interface Card {
  readonly model: "H100" | "A100" | "L4";
  /** As nvidia-smi names it. */
  readonly name: string;
  readonly memoryMiB: number;
  readonly idleWatts: number;
  readonly busyWatts: number;
}
const h100: Card = { model: "H100", name: "NVIDIA H100 80GB HBM3", memoryMiB: 81559, idleWatts: 69, busyWatts: 640 };
const a100Pcie: Card = { model: "A100", name: "NVIDIA A100 80GB PCIe", memoryMiB: 81920, idleWatts: 44, busyWatts: 285 };
const a100Sxm: Card = { model: "A100", name: "NVIDIA A100-SXM4-40GB", memoryMiB: 40960, idleWatts: 50, busyWatts: 380 };
const l4: Card = { model: "L4", name: "NVIDIA L4", memoryMiB: 23034, idleWatts: 13, busyWatts: 70 };

export interface MachineType {
  readonly name: string;
  readonly provider: "AWS" | "Microsoft" | "Google Cloud";
  readonly card: Card;
  readonly count: number;
  readonly vcpu: number;
  readonly memoryGiB: number;
  readonly onDemand: Attos;
}
export const machineTypes = {
  p5: { name: "p5.48xlarge", provider: "AWS", card: h100, count: 8, vcpu: 192, memoryGiB: 2048, onDemand: amount("55.04") },
  g6: { name: "g6.12xlarge", provider: "AWS", card: l4, count: 4, vcpu: 48, memoryGiB: 192, onDemand: amount("4.6016") },
  nc: { name: "Standard_NC96ads_A100_v4", provider: "Microsoft", card: a100Pcie, count: 4, vcpu: 96, memoryGiB: 880, onDemand: amount("19.1") },
  a2: { name: "a2-highgpu-8g", provider: "Google Cloud", card: a100Sxm, count: 8, vcpu: 96, memoryGiB: 680, onDemand: amount("29.38708") },
  a3: { name: "a3-highgpu-8g", provider: "Google Cloud", card: h100, count: 8, vcpu: 208, memoryGiB: 1872, onDemand: amount("88.49") },
  g2: { name: "g2-standard-48", provider: "Google Cloud", card: l4, count: 4, vcpu: 48, memoryGiB: 192, onDemand: amount("4.001665") },
} as const satisfies Record<string, MachineType>;

export const awsAccounts = { payer: "481220036715", research: "481220036715", production: "603418827754" } as const;
export const azureSubscriptions = {
  research: { id: "/subscriptions/3d9f6c1e-52a4-4b7e-9c08-6f1ab2d47e35", name: "alderfinch-research" },
  speech: { id: "/subscriptions/a8047b2c-e6d1-4f39-8b5a-91c3d70e24f6", name: "alderfinch-speech" },
} as const;
export const googleProjects = { simulation: "alderfinch-sim-4417", search: "alderfinch-search-2280" } as const;

/** Commitments: what an hour of one machine costs under each, and from when to when. */
export const savingsPlans = [
  { id: "arn:aws:savingsplans::481220036715:savingsplan/5b1c6a0e-33f7-4d0a-9d41-0f2f6c1be201", machines: 2, from: "2025-07-01", to: "2028-07-01" },
  { id: "arn:aws:savingsplans::481220036715:savingsplan/c47d20b9-8a15-4f7e-b0c6-7d9a45e3f918", machines: 1, from: "2026-01-01", to: "2029-01-01" },
] as const;
export const savingsPlanRate = amount("27.52");
export const reservedG6 = {
  arn: "arn:aws:ec2:us-east-1:603418827754:reserved-instances/9f0b5a7c-1d2e-46b8-a3f4-5c6d7e8f9012",
  rate: amount("2.5309"),
  from: "2025-08-14",
  to: "2026-08-14",
} as const;
export const reservationsNc = [
  { order: "7c2f1b68-44d5-4c1e-8f0e-2a93d5b1e604", id: "0e6a3d51-92b7-4f0c-8d3a-5b7c1f2e9a40", name: "NC A100 v4, four", machines: 4, payment: "monthly", from: "2023-12-01", to: "2026-12-01" },
  { order: "b15e90c3-7f2a-4d86-9b41-60c8e7f3d215", id: "d4b8c2f7-1a5e-49d3-b6f0-8e2c7a9d3b61", name: "NC A100 v4, one", machines: 1, payment: "upfront", from: "2025-12-01", to: "2026-12-01" },
] as const;
export const reservationRateNc = amount("9.55");

/** What an hour of a2-highgpu-8g cost as spot, month by month. */
export const spotA2: readonly Attos[] = ["16.02", "15.87", "16.11", "15.64", "15.2", "14.98", "14.75", "14.9", "15.06", "14.71", "14.63", "15.42416"].map(amount);
/** Negotiated with Google: 6 % off on-demand machines. */
export const googleDiscountPercent = 6;

export type Purchase = "savings-plan" | "reservation" | "on-demand" | "spot";
export type Work = "training" | "steady-training" | "search" | "recommendation" | "notebooks" | "leak" | "simulation" | "builds" | "trial" | "lab";
export type Dialect = "units" | "no-units" | "windows" | "script" | "cron";

export interface Node {
  readonly name: string;
  readonly type: keyof typeof machineTypes;
  readonly resourceId: string;
  readonly purchase: Purchase;
  /** Index of the savings plan or reservation that covers it. */
  readonly commitment: number;
  readonly work: Work;
  readonly dialect: Dialect | null;
  /** The hour from which it is logged. */
  readonly loggedFrom: number;
  /** Its log is called after the instance, not the node. */
  readonly isLoggedById: boolean;
  /** The team at each hour. */
  readonly teamAt: (hour: number) => Team;
  /** 1 for every hour in which it runs. */
  readonly isOn: Uint8Array;
}

interface NodeSpec {
  readonly name: string;
  readonly type: keyof typeof machineTypes;
  readonly team: Team | ((hour: number) => Team);
  readonly purchase: Purchase;
  readonly commitment?: number;
  readonly work: Work;
  readonly dialect: Dialect | null;
  readonly isLoggedById?: boolean;
  readonly loggedFrom?: string;
  readonly from?: string;
  readonly runs: Schedule;
}
type Schedule = (hours: Uint8Array, from: number, random: Random) => void;

const specs: readonly NodeSpec[] = [
  { name: "aws-p5-01", type: "p5", team: "Foundation models", purchase: "savings-plan", commitment: 0, work: "steady-training", dialect: "units", loggedFrom: "2025-10-01", runs: allButRepairs(0.004) },
  { name: "aws-p5-02", type: "p5", team: "Foundation models", purchase: "savings-plan", commitment: 0, work: "training", dialect: "units", loggedFrom: "2026-02-01", runs: allButRepairs(0.012) },
  { name: "aws-p5-03", type: "p5", team: "Vision", purchase: "savings-plan", commitment: 1, work: "training", dialect: "no-units", isLoggedById: true, from: "2026-01-01", runs: allButRepairs(0.035) },
  { name: "aws-p5-04", type: "p5", team: "Foundation models", purchase: "on-demand", work: "training", dialect: "no-units", from: "2026-05-04", runs: inBlocks({ shareOfMonth: [0, 0, 0, 0, 0, 0, 0, 0.38, 0.46, 0.52, 0.61, 0.77], block: [26, 92], step: 1 }) },
  { name: "aws-g6-01", type: "g6", team: "Search & ranking", purchase: "reservation", work: "search", dialect: "script", runs: allButRepairs(0.02) },
  { name: "aws-g6-02", type: "g6", team: "Search & ranking", purchase: "on-demand", work: "search", dialect: "script", loggedFrom: "2025-10-01", runs: allButRepairs(0) },
  { name: "aws-g6-03", type: "g6", team: "Platform", purchase: "on-demand", work: "builds", dialect: "cron", from: "2026-02-02", runs: allButRepairs(0) },
  { name: "az-nc-01", type: "nc", team: "Vision", purchase: "reservation", commitment: 0, work: "steady-training", dialect: "units", loggedFrom: "2025-10-01", runs: wholeDays([]) },
  { name: "az-nc-02", type: "nc", team: "Vision", purchase: "reservation", commitment: 0, work: "notebooks", dialect: "windows", loggedFrom: "2025-10-01", runs: wholeDays(["2025-12-24", "2025-12-25", "2025-12-26", "2026-04-03", "2026-04-06"]) },
  { name: "az-nc-03", type: "nc", team: "Speech", purchase: "reservation", commitment: 0, work: "training", dialect: "units", loggedFrom: "2025-10-01", runs: wholeDays(["2025-11-08", "2025-11-09", "2026-02-14", "2026-06-20", "2026-08-08", "2026-08-09"]) },
  { name: "az-nc-04", type: "nc", team: "Speech", purchase: "reservation", commitment: 0, work: "leak", dialect: "windows", runs: wholeDays(["2026-01-01", "2026-05-01", "2026-09-05", "2026-09-06"]) },
  { name: "az-nc-05", type: "nc", team: "Simulation", purchase: "reservation", commitment: 1, work: "steady-training", dialect: "no-units", from: "2025-12-01", runs: wholeDays(["2026-03-14", "2026-07-11", "2026-07-12"]) },
  { name: "az-nc-06", type: "nc", team: (hour) => (hour < hourAt("2026-08-14") ? "Simulation" : "Speech"), purchase: "on-demand", work: "simulation", dialect: "cron", from: "2025-11-01", runs: inBlocks({ shareOfMonth: [0, 0.3, 0.3, 0.35, 0.4, 0.45, 0.4, 0.45, 0.5, 0.45, 0.52, 0.6], block: [48, 96], step: 24 }) },
  { name: "gcp-a2-01", type: "a2", team: "Simulation", purchase: "spot", work: "simulation", dialect: "units", runs: inBlocks({ shareOfMonth: [0.45, 0.4, 0.5, 0.52, 0.5, 0.58, 0.6, 0.66, 0.7, 0.72, 0.74, 0.77], block: [7, 58], step: 1 }) },
  { name: "gcp-a3-01", type: "a3", team: "Search & ranking", purchase: "on-demand", work: "trial", dialect: "no-units", from: "2026-09-02", runs: inBlocks({ shareOfMonth: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.11], block: [9, 22], step: 1 }) },
  { name: "gcp-g2-01", type: "g2", team: "Search & ranking", purchase: "on-demand", work: "recommendation", dialect: "units", loggedFrom: "2025-10-01", runs: allButRepairs(0) },
  { name: "gcp-g2-02", type: "g2", team: "Platform", purchase: "on-demand", work: "builds", dialect: null, from: "2026-03-02", runs: officeHours() },
];

export const nodes: readonly Node[] = specs.map((spec) => {
  const random = randomOf(`runs ${spec.name}`);
  const isOn = new Uint8Array(hourCount);
  spec.runs(isOn, spec.from === undefined ? 0 : hourAt(spec.from), random);
  const { team } = spec;
  return {
    name: spec.name,
    type: spec.type,
    resourceId: resourceIdOf(spec),
    purchase: spec.purchase,
    commitment: spec.commitment ?? 0,
    work: spec.work,
    dialect: spec.dialect,
    loggedFrom: hourAt(spec.loggedFrom ?? "2026-01-01"),
    isLoggedById: spec.isLoggedById === true,
    teamAt: typeof team === "function" ? team : () => team,
    isOn,
  };
});

/** A workstation of their own, with logs and no bill. */
export const labHost = { name: "lab-l4-01", card: l4, count: 2, from: hourAt("2026-06-08"), dialect: "script" } as const;

function resourceIdOf({ name, type, team }: NodeSpec): string {
  const random = randomOf(`id ${name}`);
  const { provider } = machineTypes[type];
  if (provider === "AWS") return `i-0${random.hex(16)}`;
  if (provider === "Microsoft") {
    const { id } = team === "Speech" ? azureSubscriptions.speech : azureSubscriptions.research;
    return `${id}/resourcegroups/rg-gpu/providers/microsoft.compute/virtualmachines/${name}`;
  }
  const project = type === "a2" ? googleProjects.simulation : googleProjects.search;
  return `//compute.googleapis.com/projects/${project}/zones/us-central1-a/instances/${name}`;
}

/** Always on, but for one repair a month that takes so much of it. */
function allButRepairs(shareOfMonth: number): Schedule {
  return (hours, from, random) => {
    hours.fill(1, from);
    for (const month of months) {
      const length = Math.round(month.hours * shareOfMonth * random.between(0.6, 1.4));
      const start = month.from + random.whole(24, month.hours - 100);
      if (start >= from) hours.fill(0, start, start + length);
    }
  };
}

function wholeDays(off: readonly string[]): Schedule {
  return (hours, from) => {
    hours.fill(1, from);
    for (const day of off) hours.fill(0, hourAt(day), hourAt(day) + 24);
  };
}

/** On in blocks of some hours until the month's share is reached. */
function inBlocks({ shareOfMonth, block, step }: { readonly shareOfMonth: readonly number[]; readonly block: readonly [number, number]; readonly step: number }): Schedule {
  return (hours, from, random) => {
    months.forEach((month, index) => {
      const start = Math.max(month.from, from);
      let left = Math.round(((shareOfMonth[index] ?? 0) * month.hours) / step) * step;
      let free = month.to - start - left;
      let at = start;
      while (left > 0 && at < month.to) {
        const blocks = Math.max(1, Math.round((left * 2) / (block[0] + block[1])));
        const pause = Math.min(free, Math.round(((free / (blocks + 1)) * random.between(0.5, 1.5)) / step) * step);
        at += pause;
        free -= pause;
        const length = Math.min(left, Math.round(random.between(block[0], block[1]) / step) * step);
        hours.fill(1, at, at + length);
        at += length;
        left -= length;
      }
    });
  };
}

/** Weekdays from seven to nineteen, and some nights before a release. */
function officeHours(): Schedule {
  return (hours, from, random) => {
    for (let day = Math.ceil(from / 24); day < hourCount / 24; day += 1) {
      const isLate = random.chance(0.18);
      if (weekday(day * 24) < 5) hours.fill(1, day * 24 + 7, day * 24 + (isLate ? 24 : 19));
    }
  };
}

/** How the company's storage and traffic grew: 1 in October 2025. */
export function growthAt(hour: number): number {
  return 1 + 0.07 * months.indexOf(monthOf(hour));
}

export function isWorkingHour(hour: number): boolean {
  return weekday(hour) < 5 && hourOfDay(hour) >= 8 && hourOfDay(hour) < 19;
}
