/**
 * What Slurm says of the company's training machines: one job for each stretch in which a process kept its tensors on the cards, whether it
 * worked or not. As `sacct -D -P` writes it, steps beside their jobs; the cluster's clock runs in UTC.
 */
import { activityOf, slotCount } from "./activity.ts";
import { firstMs, hourMs, months, slotMs, slotsAnHour, type Month } from "./calendar.ts";
import { machineTypes, nodes, type Node, type Team } from "./company.ts";
import { randomOf } from "./random.ts";

/** Months of which the cluster's lists were kept. */
export const monthsWithJobs = ["2026-08", "2026-09"] as const;
const scheduled = new Set(["aws-p5-01", "aws-p5-02", "aws-p5-03", "aws-p5-04", "az-nc-01", "az-nc-03", "az-nc-05"]);

const columns = ["JobID", "JobName", "User", "Account", "Partition", "State", "Start", "End", "ElapsedRaw", "NodeList", "AllocTRES"];
const people: Readonly<Partial<Record<Team, readonly string[]>>> = { "Foundation models": ["ines", "tobias", "wei", "priya"], Vision: ["mara", "jun"], Speech: ["olga", "sam"], Simulation: ["kofi", "lena"] };
const works: Readonly<Partial<Record<Team, readonly string[]>>> = { "Foundation models": ["pretrain-7b", "pretrain-13b", "sft", "eval-suite"], Vision: ["detector", "segment-v3"], Speech: ["asr-large", "tts-finetune"], Simulation: ["physics-sweep", "contact-grid"] };

interface HeldTime {
  readonly node: Node;
  readonly from: number;
  /** Slot, exclusive. */
  readonly to: number;
  readonly gpus: number;
}

/** The list of a month: jobs that began in it, and those that still ran when it began. */
export function jobList(label: (typeof monthsWithJobs)[number]): { readonly path: string; readonly lines: readonly string[] } {
  const month = months.find((each) => each.label === label) as Month;
  const lines = allJobs().filter(({ held }) => held.to > month.from * slotsAnHour && held.from < month.to * slotsAnHour).flatMap(({ held, id, name, user, team, isFailed }) => {
    const isRunning = held.to > month.to * slotsAnHour;
    const end = Math.min(held.to, month.to * slotsAnHour);
    const state = isRunning ? "RUNNING" : isFailed ? "NODE_FAIL" : "COMPLETED";
    const { card } = machineTypes[held.node.type];
    const partition = card.model.toLowerCase();
    const shared = [state, timeOf(held.from), isRunning ? "Unknown" : timeOf(end), String(((end - held.from) * slotMs) / 1000), held.node.name];
    const gpus = `gres/gpu:${partition}=${held.gpus},gres/gpu=${held.gpus}`;
    return [
      [id, name, user, team.toLowerCase().replaceAll(" ", "-"), partition, ...shared, `billing=${held.gpus},cpu=${held.gpus * 12},${gpus},node=1`],
      [`${id}.batch`, "batch", "", team.toLowerCase().replaceAll(" ", "-"), "", ...shared, `cpu=${held.gpus * 12},${gpus},node=1`],
    ].map((cells) => cells.join("|"));
  });
  return { path: `slurm/sacct_${label.replace("-", "")}.txt`, lines: [columns.join("|"), ...lines] };
}

interface SampleJob {
  readonly held: HeldTime;
  readonly id: string;
  readonly name: string;
  readonly user: string;
  readonly team: Team;
  /** Its machine went down: Slurm puts it back under the same number. */
  readonly isFailed: boolean;
}

let known: readonly SampleJob[] | null = null;

function allJobs(): readonly SampleJob[] {
  known ??= numbered(nodes.filter(({ name }) => scheduled.has(name)).flatMap(heldTimes).sort((a, b) => a.from - b.from || (a.node.name < b.node.name ? -1 : 1)));
  return known;
}

function numbered(held: readonly HeldTime[]): SampleJob[] {
  const random = randomOf("slurm");
  const putBack = new Map<string, SampleJob>();
  let number = 48_211;
  return held.map((time): SampleJob => {
    const hour = Math.floor(time.from / slotsAnHour);
    const team = time.node.teamAt(hour);
    const endHour = Math.floor(time.to / slotsAnHour);
    const isFailed = time.to < slotCount && time.node.isOn[endHour] === 0;
    const before = putBack.get(time.node.name);
    putBack.delete(time.node.name);
    number += random.whole(1, 9);
    const job = before === undefined
      ? { held: time, id: String(number), name: pick(works[team] ?? ["train"], random.next()), user: pick(people[team] ?? ["root"], random.next()), team, isFailed }
      : { ...before, held: time, isFailed };
    if (isFailed) putBack.set(time.node.name, job);
    return job;
  });
}

function pick(list: readonly string[], chance: number): string {
  return list[Math.floor(chance * list.length)] ?? "";
}

/** Stretches in which the first card's memory stays what one process took. */
function heldTimes(node: Node): HeldTime[] {
  const { count } = machineTypes[node.type];
  const { memory } = activityOf(node.work, node.name, 0, node.isOn);
  const lastCard = activityOf(node.work, node.name, count - 1, node.isOn).memory;
  const first = months.findIndex(({ label }) => label === monthsWithJobs[0]);
  const times: HeldTime[] = [];
  for (let slot = (months[first - 1] as Month).from * slotsAnHour; slot < slotCount; ) {
    const share = memory[slot] as number;
    let end = slot + 1;
    while (end < slotCount && memory[end] === share && (node.isOn[Math.floor(end / slotsAnHour)] === 1 || node.isOn[Math.floor(slot / slotsAnHour)] === 0)) end += 1;
    if (share > 0.05 && node.isOn[Math.floor(slot / slotsAnHour)] === 1) times.push({ node, from: slot, to: end, gpus: (lastCard[slot] as number) > 0.05 ? count : count / 2 });
    slot = end;
  }
  return times;
}

function timeOf(slot: number): string {
  return new Date(firstMs + (slot / slotsAnHour) * hourMs).toISOString().slice(0, 19);
}
