/** Writes the sample company's files and, beside them, their truth. Same seed, same bytes. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { awsBills } from "./aws.ts";
import { azureBills } from "./azure.ts";
import { csvLine, lineOf, type Bill, type BillRow } from "./bill.ts";
import { hourCount, months } from "./calendar.ts";
import { machineTypes, nodes } from "./company.ts";
import { googleBills } from "./gcp.ts";
import { jobList, monthsWithJobs } from "./jobs.ts";
import { loggers, writeLog, type Logger, type WrittenLog } from "./logs.ts";
import { planCsv } from "./plan.ts";
import { sampleScenario, termsCsv } from "./terms.ts";
import { addTo, emptySums, groupedSums, worded, type FileTruth, type ObservedHour } from "./truth.ts";

/** What of the sample to write; the whole of it but in tests. */
export interface Slice {
  /** `2025-10` … ; the files of these months. */
  readonly months: readonly string[];
  readonly loggers: readonly Logger[];
}
export const wholeSample: Slice = { months: months.map(({ label }) => label), loggers };

/** One file before compression. */
export interface WrittenFile {
  readonly path: string;
  readonly isCompressed: boolean;
  readonly chunks: readonly Buffer[];
}

/** Writes `files/…`, `plan.csv` (its budgets) and `truth.json` into a folder; the files that were there go. */
export async function writeSample(folder: string, slice: Slice = wholeSample): Promise<void> {
  const files = join(folder, "files");
  rmSync(files, { recursive: true, force: true });
  // The pool compresses beside us; a few files in memory at a time are enough.
  const writing = new Set<Promise<void>>();
  const truth = await generate(slice, async ({ path, isCompressed, chunks }) => {
    const target = join(files, path);
    mkdirSync(dirname(target), { recursive: true });
    const bytes = Buffer.concat(chunks);
    const write = (isCompressed ? compressed(bytes, { level: 6 }) : Promise.resolve(bytes)).then((contents) => writeFileSync(target, contents));
    const written = write.then(() => void writing.delete(written));
    writing.add(written);
    if (writing.size >= FILES_AT_ONCE) await Promise.race(writing);
  });
  await Promise.all(writing);
  writeFileSync(join(folder, "plan.csv"), planCsv());
  writeFileSync(join(folder, "terms.csv"), termsCsv());
  writeFileSync(join(folder, "scenario.json"), JSON.stringify(sampleScenario));
  writeFileSync(join(folder, "truth.json"), `${JSON.stringify(truth, null, 1)}\n`);
}
const FILES_AT_ONCE = 4;
const compressed = promisify(gzip);

/** Hands every file of the slice to `take` and answers with the truth. */
export async function generate(slice: Slice, take: (file: WrittenFile) => Promise<void>): Promise<SampleTruth> {
  const files: FileTruth[] = [];
  const ledger = moneyTruth();
  for (const bill of [...awsBills(), ...azureBills(), ...googleBills()]) {
    if (!slice.months.includes(bill.month)) continue;
    const { chunks, truth } = writeBill(bill, ledger);
    files.push(truth);
    await take({ path: bill.path, isCompressed: bill.path.endsWith(".gz"), chunks });
  }
  const observed = new Map<string, Map<number, ObservedHour>>();
  const range = hoursOf(slice);
  for (const logger of slice.loggers) {
    const log: WrittenLog = writeLog(logger, range.from, range.to);
    observed.set(logger.node, log.hours);
    const path = `telemetry/${logger.host}.csv.gz`;
    files.push({ path, kind: "telemetry", provider: null, month: null, rowsRead: log.rows, rowsSetAside: 0, isRestated: false, totals: null, effectiveCorrection: null });
    await take({ path, isCompressed: true, chunks: log.chunks });
  }
  for (const month of monthsWithJobs.filter((label) => slice.months.includes(label))) {
    const { path, lines } = jobList(month);
    files.push({ path, kind: "jobs", provider: null, month, rowsRead: lines.length - 1, rowsSetAside: 0, isRestated: false, totals: null, effectiveCorrection: null });
    await take({ path, isCompressed: false, chunks: [Buffer.from(`${lines.join("\n")}\n`)] });
  }
  return { note: "Exact decimals in USD; GPU-seconds by node and month.", files, ...ledger.worded(observed) };
}

export type SampleTruth = { readonly note: string; readonly files: readonly FileTruth[] } & ReturnType<ReturnType<typeof moneyTruth>["worded"]>;

function hoursOf(slice: Slice): { readonly from: number; readonly to: number } {
  const chosen = months.filter(({ label }) => slice.months.includes(label));
  return { from: chosen[0]?.from ?? 0, to: chosen.at(-1)?.to ?? hourCount };
}

function writeBill(bill: Bill, ledger: ReturnType<typeof moneyTruth>): { readonly chunks: Buffer[]; readonly truth: FileTruth } {
  // Azure writes a byte order mark and CRLF.
  const isAzure = bill.provider === "Microsoft";
  const lineEnd = isAzure ? "\r\n" : "\n";
  const chunks: Buffer[] = [];
  let lines = [`${isAzure ? "\uFEFF" : ""}${csvLine(bill.columns, lineEnd)}`];
  const sums = emptySums();
  let correction = 0n;
  let [rowsRead, rowsSetAside] = [0, 0];
  for (const row of bill.rows()) {
    lines.push(lineOf(bill.columns, row.cells, lineEnd));
    rowsRead += 1;
    if (row.isBad) rowsSetAside += 1;
    else {
      addTo(sums, row.costs);
      correction += row.effectiveCorrection;
      if (!bill.isRestated) ledger.add(bill, row);
    }
    if (lines.length > 8000) {
      chunks.push(Buffer.from(lines.join("")));
      lines = [];
    }
  }
  chunks.push(Buffer.from(lines.join("")));
  const { rows: _, ...totals } = worded(sums);
  const effectiveCorrection = correction === 0n ? null : worded({ ...emptySums(), EffectiveCost: correction }).EffectiveCost;
  return { chunks, truth: { path: bill.path, kind: "billing", provider: bill.provider, month: bill.month, rowsRead, rowsSetAside, isRestated: bill.isRestated, totals, effectiveCorrection } };
}

interface PaidHour {
  readonly dollars: number;
  readonly machineHours: number;
}

/** Gathers what the bills that show say, and what the machines did in the hours that were paid for. */
function moneyTruth() {
  const byMonth = groupedSums();
  const byMonthAndProvider = groupedSums();
  const byMonthAndTeam = groupedSums();
  const gpuHours = new Map<string, number>();
  /** node → hour → money of the hour and machine-hours billed. */
  const paid = new Map<string, Map<number, PaidHour>>();

  function add({ month, provider }: Bill, { costs, team, gpu, effectiveCorrection }: BillRow): void {
    const corrected = { ...costs, EffectiveCost: costs.EffectiveCost === null ? null : costs.EffectiveCost + effectiveCorrection };
    byMonth.add(`${month} USD`, corrected);
    byMonthAndProvider.add(`${month} ${provider} USD`, corrected);
    byMonthAndTeam.add(`${month} ${team ?? "—"} USD`, corrected);
    if (gpu === null) return;
    const { card, count } = machineTypes[gpu.node.type];
    const key = `${month} ${card.model}`;
    gpuHours.set(key, (gpuHours.get(key) ?? 0) + gpu.machineHours * count);
    let hours = paid.get(gpu.node.name);
    if (hours === undefined) paid.set(gpu.node.name, (hours = new Map<number, PaidHour>()));
    for (let hour = gpu.hour; hour < gpu.hour + gpu.span; hour += 1) hours.set(hour, { dollars: Number(costs.EffectiveCost) / 1e18 / gpu.span, machineHours: gpu.machineHours / gpu.span });
  }

  return {
    add,
    worded: (observed: ReadonlyMap<string, ReadonlyMap<number, ObservedHour>>) => ({
      totals: { byMonth: byMonth.worded(), byMonthAndProvider: byMonthAndProvider.worded(), byMonthAndTeam: byMonthAndTeam.worded() },
      gpuHours: Object.fromEntries([...gpuHours].sort(([a], [b]) => (a < b ? -1 : 1))),
      efficiency: Object.fromEntries(months.map(({ label, from, to }) => [label, efficiencyOf(from, to, paid, observed)])),
      states: statesOf(observed),
    }),
  };
}

/** Floats suffice here: these figures are compared to half a percent. */
function efficiencyOf(from: number, to: number, paid: ReadonlyMap<string, ReadonlyMap<number, PaidHour>>, observed: ReadonlyMap<string, ReadonlyMap<number, ObservedHour>>) {
  const sum = { billedGpuHours: 0, knownGpuHours: 0, usefulGpuHours: 0, idleGpuHours: 0, gpuCost: 0, idleCost: 0, heldIdleCost: 0, deadIdleCost: 0, unknownCost: 0 };
  for (const node of nodes) {
    for (const [hour, { dollars, machineHours }] of paid.get(node.name) ?? []) {
      if (hour < from || hour >= to) continue;
      const gpuHours = machineHours * machineTypes[node.type].count;
      sum.billedGpuHours += gpuHours;
      sum.gpuCost += dollars;
      const seen = observed.get(node.name)?.get(hour);
      const known = seen === undefined ? 0 : Math.min(gpuHours, seen.known / 3600);
      const scale = seen === undefined || seen.known === 0 ? 0 : known / seen.known;
      const [held, dead] = seen === undefined ? [0, 0] : [seen.held * scale, seen.dead * scale];
      sum.knownGpuHours += known;
      sum.usefulGpuHours += seen === undefined ? 0 : seen.useful * scale;
      sum.idleGpuHours += held + dead;
      sum.heldIdleCost += (dollars * held) / gpuHours;
      sum.deadIdleCost += (dollars * dead) / gpuHours;
      sum.unknownCost += (dollars * (gpuHours - known)) / gpuHours;
    }
  }
  sum.idleCost = sum.heldIdleCost + sum.deadIdleCost;
  return { ...sum, utilization: sum.knownGpuHours === 0 ? null : sum.usefulGpuHours / sum.knownGpuHours };
}

/** GPU-seconds of each state by node and month, whether or not they were billed. */
function statesOf(observed: ReadonlyMap<string, ReadonlyMap<number, ObservedHour>>): Record<string, ObservedHour> {
  const states: Record<string, ObservedHour> = {};
  for (const [node, hours] of observed) {
    for (const { label, from, to } of months) {
      const sum: ObservedHour = { known: 0, useful: 0, active: 0, activeUseful: 0, held: 0, dead: 0 };
      for (const [hour, seen] of hours) {
        if (hour < from || hour >= to) continue;
        for (const name of ["known", "useful", "active", "activeUseful", "held", "dead"] as const) sum[name] += seen[name];
      }
      if (sum.known > 0) states[`${node} ${label}`] = sum;
    }
  }
  return states;
}
