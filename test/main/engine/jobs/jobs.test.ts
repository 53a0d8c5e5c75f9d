import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { JobsAnswer } from "../../../../shared/contract/jobs.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { answerOf } from "../../../errors/world.ts";
import { focusBill, smiLog } from "../import/bills-of.ts";

const machine = "i-0123456789abcdef0";
const head = "JobID|User|Account|Partition|JobName|State|Start|End|Elapsed|NodeList|AllocTRES";
/** On the machine of eight GPUs: four for an hour, four for half of that hour, eight from half past one on, slices. */
const first = `${head}
1|ann|RESEARCH|gpu|a|COMPLETED|2026-09-01T00:00:00|2026-09-01T01:00:00|01:00:00|${machine}|gres/gpu:h100=4,gres/gpu=4
1.batch|ann|RESEARCH|gpu|batch|COMPLETED|2026-09-01T00:00:00|2026-09-01T01:00:00|01:00:00|${machine}|gres/gpu=4
2|bob|vision|gpu|b|COMPLETED|2026-09-01T00:00:00|2026-09-01T00:30:00|00:30:00|${machine}|gres/gpu=4
3|ann|research|gpu|c|RUNNING|2026-09-01T01:30:00|Unknown|00:30:00|${machine}|gres/gpu=8
4|bob|vision|mig|d|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|01:00:00|${machine}|gres/gpu:1g.10gb=2
`;
/** The same cluster later: the third job has ended, the first stands there again. */
const second = `${head}
1|ann|RESEARCH|gpu|a|COMPLETED|2026-09-01T00:00:00|2026-09-01T01:00:00|01:00:00|${machine}|gres/gpu:h100=4,gres/gpu=4
3|ann|research|gpu|c|COMPLETED|2026-09-01T01:30:00|2026-09-01T02:30:00|01:00:00|${machine}|gres/gpu=8
`;

let folder = "";
let engine: Engine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-jobs-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: folder, resourcesFolder: join(import.meta.dirname, "../../../../resources"), jobRunner: "inline", emit: () => undefined });
  answerOf(await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true }));
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function take(name: string, text: string): Promise<void> {
  writeFileSync(join(folder, name), text);
  const { plan, files } = answerOf(await engine.ask("import.preview", { files: [join(folder, name)], options: { timezone: "UTC" } }));
  expect(files).toMatchObject([{ state: "ready", rowsSetAside: 0 }]);
  answerOf(await engine.ask("import.post", { plan }));
}
async function jobs(by: JobsAnswer["by"] = "job", period = "2026-09"): Promise<JobsAnswer> {
  return answerOf(await engine.ask("jobs.read", { period, scope: {}, by, currency: null, filter: {}, sort: null, offset: 0, limit: 500 }));
}
const gpuHoursOf = ({ lines }: JobsAnswer): unknown => Object.fromEntries(lines.map(({ key, gpuHours }) => [key, gpuHours]));

it("hold GPU-hours by themselves; nothing is known of use and cost without a log and a bill", async () => {
  await take("jobs.txt", first);
  const answer = await jobs();
  // 4 GPUs × 1 h, 4 × ½ h, 8 × ½ h so far; how many GPUs two slices are, nobody says.
  expect(gpuHoursOf(answer)).toEqual({ 1: 4, 2: 2, 3: 4, 4: null });
  expect(answer.total).toMatchObject({ jobs: 4, gpuHours: 10, gpuHoursCoverage: 0.75, utilization: null, idleShare: null, telemetryCoverage: 0, cost: null, costCoverage: 0 });
  expect((await jobs("job", "2026-08")).lines).toEqual([]);
});

it("cost their part of the machine's hours, and show what its logged GPU did meanwhile", async () => {
  await take("bill.csv", focusBill([0, 1].map((hour) => ({ day: "2026-09-01", hour, cost: "98.32", resource: machine, description: "p5.48xlarge instance hours" }))));
  await take(`${machine}.csv`, smiLog("2026-09-01", Array.from({ length: 181 }, (_, minute) => (minute < 30 ? 0 : minute < 60 ? 80 : 60))));
  await take("jobs.txt", first);
  const { lines, currency } = await jobs();
  expect(currency).toBe("USD");
  // Of hour 0 (8 GPU-hours, 98.32) the first held 4 and the second 2; of hour 1 the third 4.
  expect(Object.fromEntries(lines.map(({ key, cost }) => [key, cost]))).toEqual({ 1: "49.16", 2: "24.58", 3: "49.16", 4: null });
  const byKey = new Map(lines.map((line) => [line.key, line]));
  // One of eight GPUs has a log: 40 % over hour 0, half of it idle, 60 % in hour 1.
  expect(byKey.get("1")).toMatchObject({ telemetryCoverage: 0.125, isOfHost: true, costCoverage: 1 });
  expect(byKey.get("1")?.utilization).toBeCloseTo(0.4, 6);
  expect(byKey.get("1")?.idleShare).toBeCloseTo(0.5, 6);
  expect(byKey.get("3")?.utilization).toBeCloseTo(0.6, 6);
  expect(byKey.get("3")?.isOfHost).toBe(false);

  // An account is the team of that name in the bill.
  const teams = await jobs("team");
  expect(teams.lines).toMatchObject([{ key: "research", jobs: 2, gpuHours: 8, cost: "98.32" }, { key: "vision", jobs: 2, gpuHours: 2, gpuHoursCoverage: 0.5, cost: "24.58" }]);
  expect(teams.total.cost).toBe("122.9");
  expect((await jobs("account")).lines.map(({ key }) => key).sort()).toEqual(["RESEARCH", "research", "vision"]);
});

it("count once however often they are exported, as the newest import states them, and come and go with it", async () => {
  await take("bill.csv", focusBill([0, 1].map((hour) => ({ day: "2026-09-01", hour, cost: "98.32", resource: machine, description: "p5.48xlarge instance hours" }))));
  await take("jobs.txt", first);
  await take("later.txt", second);
  const later = await jobs();
  expect(gpuHoursOf(later)).toEqual({ 1: 4, 2: 2, 3: 8, 4: null });
  // The bill ends at two o'clock: half of the third job's hours have a cost.
  expect(later.lines.find(({ key }) => key === "3")).toMatchObject({ cost: "49.16", costCoverage: 0.5 });
  const [newest] = answerOf(await engine.ask("batches.list", {}));
  expect(newest).toMatchObject({ state: "posted", isShown: true, rowsPosted: 2 });
  answerOf(await engine.ask("batches.undo", { batch: newest?.batch ?? 0 }));
  expect(gpuHoursOf(await jobs())).toEqual({ 1: 4, 2: 2, 3: 4, 4: null });
  answerOf(await engine.ask("batches.redo", { batch: newest?.batch ?? 0 }));
  expect(gpuHoursOf(await jobs())).toEqual({ 1: 4, 2: 2, 3: 8, 4: null });
});

it("share what was billed where they hold more than that, to the last digit", async () => {
  await take("bill.csv", focusBill([{ day: "2026-09-01", hour: 0, cost: "0.000000000000000001", resource: machine, description: "p5.48xlarge instance hours" }]));
  await take("jobs.txt", `${head}\n${[1, 2, 3].map((id) => `${id}|u|a|gpu|n|COMPLETED|2026-09-01T00:00:00|2026-09-01T01:00:00|01:00:00|${machine}|gres/gpu=8`).join("\n")}\n`);
  const { lines, total } = await jobs();
  expect(total.cost).toBe("0.000000000000000001");
  expect(lines.map(({ cost }) => cost).sort()).toEqual(["0", "0", "0.000000000000000001"]);
});

it("need the zone of the cluster", async () => {
  writeFileSync(join(folder, "jobs.txt"), first);
  const { files } = answerOf(await engine.ask("import.preview", { files: [join(folder, "jobs.txt")], options: {} }));
  expect(files).toMatchObject([{ state: "refused", error: { code: "import.zone-needed" } }]);
});
