import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultStopRule, type StopRule, type StoppedMachine, type StopReplay } from "../../../../shared/contract/findings.ts";
import { cronLines, shellQuoted, startCommand, stopCommand, stopScript } from "../../../../main/engine/findings/stop-script.ts";
import { allowedWindows } from "../../../../main/engine/findings/replay.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { wordsOf } from "../../../../main/cli/words.ts";
import { focusBill, smiLog } from "../import/bills-of.ts";

let folder = "";
let engine: Engine;
const machine = "i-0123456789abcdef0";
const second = "i-0fedcba9876543210";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-stops-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder: join(import.meta.dirname, "../../../../resources"), jobRunner: "inline", emit: () => undefined, wordsOf, now: () => new Date("2026-09-02T08:00:00Z") });
  await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true });
  // One H100 at 10 an hour: four hours at work, then idle with a model in memory; and one of another machine that no log shows.
  const hours = Array.from({ length: 24 }, (_, hour) => ({ day: "2026-09-01", hour, cost: "10", resource: machine, description: "p5.4xlarge instance hours" }));
  const bill = focusBill([...hours, ...hours.map((row) => ({ ...row, resource: second }))]).trim().split("\n");
  await importText("bill.csv", `${bill.map((line, index) => `${line},${index === 0 ? "PricingCategory" : "Standard"}`).join("\n")}\n`);
  await importText(`${machine}.csv`, smiLog("2026-09-01", Array.from({ length: 1438 }, (_, minute) => (minute < 240 ? 90 : 0))));
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function importText(name: string, text: string): Promise<void> {
  writeFileSync(join(folder, name), text);
  const preview = await engine.ask("import.preview", { files: [join(folder, name)], options: { timezone: "UTC" } });
  if (!preview.ok) throw new Error(preview.error.code);
  expect(await engine.ask("import.post", { plan: preview.value.plan })).toMatchObject({ ok: true });
}

async function replay(changes: Partial<StopRule> = {}): Promise<StopReplay> {
  const answer = await engine.ask("stops.replay", { period: "2026-09", scope: {}, currency: null, rule: { ...defaultStopRule, ...changes } });
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value;
}

describe("a stop rule replayed on the ledger", () => {
  it("says how many machines it would have stopped, for how long and for how much", async () => {
    // Idle from 04:00, stopped an hour later, until the data end at 24:00: 19 hours of an hourly price of 10.
    expect(await replay({ stopsHeld: true })).toMatchObject({
      totals: { machines: 1, stops: 1, falseStops: 0, hours: 19, saved: "190", unclear: "0" },
      machines: [{ resource: machine, idleSince: "2026-09-01T04:00:00Z", worth: "cash", list: [{ at: "2026-09-01T05:00:00Z", endedBy: "window" }] }],
      replayed: 1,
      notReplayed: [{ resource: second, why: "no-log" }],
      coverage: 0.5,
      isSaved: false,
    });
  });

  it("leaves machines that hold a model alone unless told otherwise", async () => {
    expect(await replay()).toMatchObject({ totals: { machines: 0, stops: 0, hours: 0 }, replayed: 1 });
  });

  it("never stops a machine that is pinned, nor in the hours in which it is to stay on", async () => {
    expect(await replay({ stopsHeld: true, pinned: [machine] })).toMatchObject({ totals: { machines: 0, saved: "0", unclear: "0" }, machines: [{ worth: "pinned", hours: 0 }] });
    const keepOn = { zone: "UTC", weekdays: [2], from: "08:00", to: "20:00" };
    expect((await replay({ stopsHeld: true, keepOn, restartSeconds: 0 })).machines[0]?.list.map(({ at, until, endedBy }) => [at.slice(11, 16), until.slice(11, 16), endedBy])).toEqual([
      ["05:00", "08:00", "hours"],
      ["20:00", "00:00", "window"],
    ]);
  });

  it("by the clock, saves the idle time of the hours off alone, and says what it would have cut short", async () => {
    // On from 02:00 to 06:00 every day. Off and at work until 02:00; off and idle from 06:00 until the data end at 24:00, less a restart of ten minutes.
    const keepOn = { zone: "UTC", weekdays: [1, 2, 3, 4, 5, 6, 7], from: "02:00", to: "06:00" };
    const schedule = await replay({ stopsBy: "schedule", stopsHeld: true, keepOn });
    expect(schedule).toMatchObject({ totals: { machines: 1, stops: 2, falseStops: 1, hours: expect.closeTo(18 - 1 / 6, 6) as number, workHours: 2, heldHours: 0 } });
    expect(Number(schedule.totals.saved)).toBeCloseTo((18 - 1 / 6) * 10, 6);
    expect(schedule.machines[0]?.list.map(({ at, until, isFalse, workHours }) => [at.slice(0, 16), until.slice(0, 16), isFalse, workHours])).toEqual([
      ["2026-09-01T00:00", "2026-09-01T02:00", true, 2],
      ["2026-09-01T06:00", "2026-09-02T02:00", false, 0],
    ]);
    // The same hours a zone to the west begin and end two hours later.
    expect((await replay({ stopsBy: "schedule", stopsHeld: true, keepOn: { ...keepOn, zone: "Etc/GMT+2" } })).totals).toMatchObject({ workHours: 4, falseStops: 1 });
    // A model that is to stay in memory is in use.
    expect((await replay({ stopsBy: "schedule", keepOn })).totals).toMatchObject({ hours: 0, workHours: 20, heldHours: 18, saved: "0" });
    for (const none of [null, { ...keepOn, weekdays: [] }]) {
      expect(await engine.ask("stops.replay", { period: "2026-09", scope: {}, currency: null, rule: { ...defaultStopRule, stopsBy: "schedule", keepOn: none } })).toMatchObject({ ok: false, error: { code: "contract.invalid", params: { path: "rule.keepOn" } } });
    }
  });

  it("keeps a rule with the ledger, and refuses one that cannot be", async () => {
    const rule = { ...defaultStopRule, stopsHeld: true, minimumSeconds: 7200 };
    expect(await engine.ask("stop-rule.save", { rule })).toMatchObject({ ok: true });
    expect(await engine.ask("stops.replay", { period: "2026-09", scope: {}, currency: null, rule: null })).toMatchObject({ ok: true, value: { rule, isSaved: true, totals: { hours: 18 } } });
    expect(await engine.ask("stop-rule.save", { rule: { ...rule, busyAtOrOverPercent: 1 } })).toMatchObject({ ok: false, error: { code: "contract.invalid" } });
    expect(await engine.ask("stops.replay", { period: "2026-09", scope: {}, currency: null, rule: { ...rule, keepOn: { zone: "Mars/Base", weekdays: [1], from: "08:00", to: "20:00" } } })).toMatchObject({ ok: false, error: { code: "contract.invalid" } });
    expect(await engine.ask("stops.replay", { period: "2026-13", scope: {}, currency: null, rule: null })).toMatchObject({ ok: false });
  });

  it("writes the plan as a script in the person's language", async () => {
    const file = join(folder, "stop.sh");
    expect(await engine.ask("stops.export", { period: "2026-09", scope: {}, currency: null, rule: null, tool: "aws", language: "zh-CN", file })).toEqual({ ok: true, value: { file: "stop.sh", commands: 1, comments: 0 } });
    expect(readFileSync(file, "utf8")).toMatch(/# GPU Ledger 停机计划[\s\S]*\nrun aws ec2 stop-instances --instance-ids i-0123456789abcdef0\n/);
    expect(await engine.ask("stops.export", { period: "2026-09", scope: {}, currency: null, rule: null, tool: "aws", language: "en", file: join(folder, "none/stop.sh") })).toMatchObject({ ok: false, error: { code: "file.not-writable" } });
  });
});

const of = (resource: string, changes: Partial<StoppedMachine> = {}): StoppedMachine => ({
  resource, hosts: ["node-1"], provider: null, region: null, team: "research", gpuModel: "H100", gpus: 8, stops: 1, falseStops: 0, hours: 5, gpuHours: 40, workHours: 0, heldHours: 0,
  saved: "50", sunk: "0", unclear: "0", worth: "cash", idleSince: "2026-09-01T04:00:00Z", lastKnownAt: "2026-09-02T00:00:00Z", list: [], ...changes,
});

describe("the script of a schedule", () => {
  const rule: StopRule = { ...defaultStopRule, stopsBy: "schedule", keepOn: { zone: "Europe/Berlin", weekdays: [1, 2, 3, 4, 5], from: "08:00", to: "20:00" } };
  const plan: StopReplay = {
    period: "2026-09", currency: "USD", rule, isSaved: true, replayed: 3, notReplayed: [], coverage: 1,
    totals: { machines: 3, stops: 60, falseStops: 1, hours: 300, gpuHours: 2400, workHours: 3, heldHours: 0, saved: "200", sunk: "0", unclear: "0" },
    machines: [
      of("arn:aws:ec2:us-east-1:1:instance/i-0123456789abcdef0", { hosts: ["dev-1"], idleSince: null }),
      of("arn:aws:ec2:us-east-1:1:instance/i-0123456789abcdef1", { hosts: ["dev-2"], falseStops: 1, workHours: 3 }),
      of("arn:aws:ec2:us-east-1:1:instance/i-0123456789abcdef2", { hosts: ["dev-3"], worth: "committed" }),
    ],
  };

  it("holds the hours as lines of a crontab in the schedule's own zone", () => {
    expect(cronLines({ zone: "Europe/Berlin", weekdays: [1, 2, 3, 4, 5], from: "08:00", to: "20:30" })).toEqual(["CRON_TZ=Europe/Berlin", "30 20 * * 1,2,3,4,5 sh ./stop-plan.sh --stop", "0 8 * * 1,2,3,4,5 sh ./stop-plan.sh --start"]);
    // On from Friday evening until Saturday morning, and from Sunday evening until Monday morning.
    expect(cronLines({ zone: "UTC", weekdays: [5, 7], from: "22:00", to: "06:00" })).toEqual(["CRON_TZ=UTC", "0 6 * * 1,6 sh ./stop-plan.sh --stop", "0 22 * * 5,7 sh ./stop-plan.sh --start"]);
    // On from Monday 08:00 to Saturday 08:00 without a break: never a stop and a start at the same minute. On all week: nothing to do.
    expect(cronLines({ zone: "UTC", weekdays: [1, 2, 3, 4, 5], from: "08:00", to: "08:00" })).toEqual(["CRON_TZ=UTC", "0 8 * * 6 sh ./stop-plan.sh --stop", "0 8 * * 1 sh ./stop-plan.sh --start"]);
    expect(cronLines({ zone: "UTC", weekdays: [1, 5, 7], from: "00:00", to: "00:00" })).toEqual(["CRON_TZ=UTC", "0 0 * * 2,6 sh ./stop-plan.sh --stop", "0 0 * * 5,7 sh ./stop-plan.sh --start"]);
    expect(cronLines({ zone: "UTC", weekdays: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "00:00" })).toEqual([]);
  });

  it("stops with --stop, starts with --start, and without either only prints; a machine that worked in its hours off is left to its team", async () => {
    const { text, commands, comments } = stopScript(plan, "aws", await wordsOf("en"), "2026-10-01T08:00:00Z");
    expect({ commands, comments }).toEqual({ commands: 1, comments: 2 });
    const file = join(folder, "schedule.sh");
    writeFileSync(file, text);
    mkdirSync(join(folder, "bin"), { recursive: true });
    writeFileSync(join(folder, "bin/aws"), "#!/bin/sh\necho ran \"$@\"\n", { mode: 0o755 });
    const run = (...mode: string[]) => execFileSync("sh", [file, ...mode], { env: { PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}` } }).toString();
    expect(run()).toBe("aws 'ec2' 'stop-instances' '--instance-ids' 'i-0123456789abcdef0'\naws 'ec2' 'start-instances' '--instance-ids' 'i-0123456789abcdef0'\n");
    expect(run("--stop")).toBe("ran ec2 stop-instances --instance-ids i-0123456789abcdef0\n");
    expect(run("--start")).toBe("ran ec2 start-instances --instance-ids i-0123456789abcdef0\n");
    expect(text).toContain("# CRON_TZ=Europe/Berlin".replace("# ", "#   "));
  });

  it("says of each machine what it did when its data end, in words of both languages", async () => {
    const headsIn = async (language: "en" | "zh-CN"): Promise<(string | undefined)[]> =>
      stopScript(plan, "aws", await wordsOf(language), "2026-10-01T08:00:00Z").text.split("\n").filter((line) => /^# dev-\d/.test(line)).map((line) => line.split(" · ").at(-1));
    expect(await headsIn("en")).toEqual(["at work, data until 2 Sep 2026, 00:00", ...Array<string>(2).fill("idle since 1 Sep 2026, 04:00, data until 2 Sep 2026, 00:00")]);
    expect(await headsIn("zh-CN")).toEqual(["工作中，数据截至 2026年9月2日 00:00", ...Array<string>(2).fill("自 2026年9月1日 04:00 起闲置，数据截至 2026年9月2日 00:00")]);
  });

  it("brings back with every tool what it stops", () => {
    const id = "/subscriptions/1/resourcegroups/deallocate/providers/microsoft.compute/virtualmachines/stop";
    expect(startCommand(of(id), "azure")).toEqual([["az", "vm", "start", "--ids", id]]);
    expect(startCommand(of("/subscriptions/1/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/set/virtualMachines/4"), "azure")).toEqual([["az", "vmss", "start", "--subscription", "1", "--resource-group", "rg", "--name", "set", "--instance-ids", "4"]]);
    expect(startCommand(of("//compute.googleapis.com/projects/p/zones/us-central1-a/instances/stop"), "gcloud")).toEqual([["gcloud", "compute", "instances", "start", "stop", "--project", "p", "--zone", "us-central1-a"]]);
    expect(startCommand(of("x"), "kubectl")).toEqual([["kubectl", "uncordon", "node-1"]]);
    expect(startCommand(of("x"), "slurm")).toEqual([["scontrol", "update", "NodeName=node-1", "State=POWER_UP"], ["scontrol", "update", "NodeName=node-1", "State=RESUME"]]);
    expect(startCommand(of("x"), "aws")).toEqual([]);
  });
});

describe("the script of a stop plan", () => {
  it("knows each tool's own names", () => {
    expect(stopCommand(of("arn:aws:ec2:us-east-1:1:instance/i-0123456789abcdef0", { region: "us-east-1" }), "aws")).toEqual([["aws", "ec2", "stop-instances", "--region", "us-east-1", "--instance-ids", machine]]);
    expect(stopCommand(of("/subscriptions/1/resourcegroups/rg/providers/microsoft.compute/virtualmachines/vm-1"), "azure")).toEqual([["az", "vm", "deallocate", "--ids", "/subscriptions/1/resourcegroups/rg/providers/microsoft.compute/virtualmachines/vm-1"]]);
    expect(stopCommand(of("/subscriptions/1/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/set/virtualMachines/4"), "azure")).toEqual([["az", "vmss", "deallocate", "--subscription", "1", "--resource-group", "rg", "--name", "set", "--instance-ids", "4"]]);
    expect(stopCommand(of("//compute.googleapis.com/projects/p/zones/us-central1-a/instances/n"), "gcloud")).toEqual([["gcloud", "compute", "instances", "stop", "n", "--project", "p", "--zone", "us-central1-a"]]);
    expect(stopCommand(of("x"), "slurm")).toEqual([["scontrol", "update", "NodeName=node-1", "State=POWER_DOWN_ASAP", "Reason=idle"]]);
    expect(stopCommand(of("x"), "kubectl")).toEqual([["kubectl", "cordon", "node-1"], ["kubectl", "drain", "node-1", "--ignore-daemonsets"]]);
    expect(stopCommand(of("x"), "aws")).toBe("other-tool");
    expect(stopCommand(of("spot fleet", { provider: "AWS" }), "aws")).toBe("no-name");
  });

  it("makes no command of a name that is none", () => {
    for (const host of ["a;reboot", "-all", "$(id)", "a b", "a\nreboot", ""]) expect(stopCommand(of("x", { hosts: [host] }), "kubectl")).toBe("no-name");
    // To Slurm, ALL is every node, and brackets and commas are lists of them.
    for (const host of ["ALL", "all", "node[1-100]", "node-1,node-2", "node-1 State=DOWN", "`id`"]) expect(stopCommand(of("x", { hosts: [host] }), "slurm")).toBe("no-name");
    expect(stopCommand(of("//compute.googleapis.com/projects/p/zones/z/instances/--all"), "gcloud")).toBe("no-name");
    expect(stopCommand(of("/subscriptions/1/resourcegroups/rg/providers/microsoft.compute/virtualmachines/vm';reboot;'", { provider: "Microsoft" }), "azure")).toBe("no-name");
  });

  it("quotes any word for the shell", () => {
    const words = ["plain-1.a", "", "a b", "it's", "$(id) `id` \"x\" \\", "；名", "a\nb"];
    expect(execFileSync("sh", ["-c", `for word in ${words.map(shellQuoted).join(" ")}; do printf '%s\\0' "$word"; done`]).toString().split("\0").slice(0, -1)).toEqual(words);
  });

  it("prints its commands, and runs them only when told to; whatever stands in names stays a comment", async () => {
    const words = await wordsOf("en");
    const evil = { hosts: ["node-1"], team: "x\ntouch owned\u2028touch owned" };
    const plan: StopReplay = {
      period: "2026-09", currency: "USD", rule: defaultStopRule, isSaved: true, replayed: 4, notReplayed: [], coverage: 1,
      totals: { machines: 4, stops: 4, falseStops: 0, hours: 20, gpuHours: 160, workHours: 0, heldHours: 0, saved: "200", sunk: "0", unclear: "0" },
      machines: [of("a", evil), of("b", { hosts: ["node-2"], worth: "committed", saved: "0" }), of("c", { hosts: ["node-3"], idleSince: null }), of("d", { hosts: ["node-4"], worth: "pinned" }), of("e", { hosts: ["node;touch owned"] })],
    };
    const { text, commands, comments } = stopScript(plan, "kubectl", words, "2026-09-02T08:00:00Z");
    expect({ commands, comments }).toEqual({ commands: 1, comments: 4 });
    const file = join(folder, "kubectl.sh");
    writeFileSync(file, text);
    const ran = execFileSync("sh", [file], { cwd: folder, env: { PATH: process.env["PATH"] } }).toString();
    expect(ran).toBe("kubectl 'cordon' 'node-1'\nkubectl 'drain' 'node-1' '--ignore-daemonsets'\n");
    expect(() => readFileSync(join(folder, "owned"))).toThrow();
    writeFileSync(join(folder, "kubectl"), "#!/bin/sh\necho \"called $@\"\n", { mode: 0o755 });
    expect(execFileSync("sh", [file, "--run"], { cwd: folder, env: { PATH: `${folder}:${process.env["PATH"]}` } }).toString()).toBe("called cordon node-1\ncalled drain node-1 --ignore-daemonsets\n");
    for (const machineName of ["node-2", "node-3"]) expect(text).toContain(`#   kubectl cordon ${machineName}`);
    expect(text).not.toContain("#   kubectl cordon node-4");
  });
});

it("kept-on hours are local, over the change of the clocks too", () => {
  // Berlin, 29 March 2026: at 02:00 the clocks go to 03:00.
  const day = Date.UTC(2026, 2, 29) / 1000;
  const windows = allowedWindows({ keepOn: { zone: "Europe/Berlin", weekdays: [7], from: "01:00", to: "04:00" } }, { start: day, end: day + 86_400 });
  expect(windows).toEqual([{ start: day + 2 * 3600, end: day + 86_400 }]);
});
