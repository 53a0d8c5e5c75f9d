/**
 * A stop plan as a script that a person reads and runs: the app itself stops nothing. Every name from a bill or a log is one quoted word,
 * never part of a command; what does not look like a name of its tool becomes a comment. Without `--run` the script only prints.
 */
import type { StoppedMachine, StopReplay, StopRule, StopTool } from "../../../shared/contract/findings.ts";
import { parseAmount } from "../../../shared/domain/money.ts";
import type { Words } from "../../../shared/contract/words.ts";

export interface PrintedStopScript {
  readonly text: string;
  readonly commands: number;
  readonly comments: number;
}

/** The script for one tool. Commands only for machines that were idle when their data ended; all others are comments with the reason. */
export function stopScript(replay: StopReplay, tool: StopTool, words: Words, madeAt: string): PrintedStopScript {
  const lines: string[] = ["#!/bin/sh"];
  const comment = (text: string): void => void lines.push(commentOf(text));
  comment(words.say("stop-script.title", { period: words.period(replay.period), tool: toolNames[tool] }));
  comment(words.say("stop-script.made", { when: words.instant(madeAt, "minute") }));
  const { keepOn } = replay.rule;
  const schedule = replay.rule.stopsBy === "schedule" ? keepOn : null;
  comment(words.say(schedule === null ? "stop-script.read" : "stop-script.read-schedule"));
  if (schedule === null) comment(words.say("stop-script.rule", { minutes: words.number(replay.rule.minimumSeconds / 60, { digits: 0 }), percent: words.number(replay.rule.idleAtOrUnderPercent, { digits: 0 }) }));
  else {
    comment(words.say("stop-script.rule-schedule", { from: schedule.from, to: schedule.to, zone: schedule.zone }));
    for (const line of cronLines(schedule)) comment(`  ${line}`);
    lines.push("", "set -eu", 'MODE=${1:-}', PRINTED, 'stop() { case $MODE in --stop) "$@" ;; "") printed "$@" ;; esac; }', 'start() { case $MODE in --start) "$@" ;; "") printed "$@" ;; esac; }', "");
  }
  if (schedule === null) lines.push("", "set -eu", 'run() { if [ "${MODE:-}" = --run ]; then "$@"; else printf \'%s\' "$1"; shift; printf " \'%s\'" "$@"; printf \'\\n\'; fi; }', 'MODE=${1:-}', "");
  let [commands, comments] = [0, 0];
  for (const machine of replay.machines) {
    const found = stopCommand(machine, tool);
    if (found === "other-tool") continue;
    comment(headOf(machine, replay.currency, words));
    const why = whyNot(machine, found, schedule !== null);
    if (why === null && typeof found === "object") {
      const back = schedule === null ? [] : startCommand(machine, tool);
      lines.push(...found.map((command) => `${schedule === null ? "run" : "stop"} ${command.map(shellQuoted).join(" ")}`), ...back.map((command) => `start ${command.map(shellQuoted).join(" ")}`), "");
      commands += 1;
      continue;
    }
    comment(`  ${words.say(`stop-script.why.${why ?? "name"}`)}`);
    // The command is there to be read; a committed machine may be stopped all the same, to cool or to hand over.
    if (typeof found === "object" && why !== "pinned") for (const command of found) comment(`  ${command.map(shellQuoted).join(" ")}`);
    lines.push("");
    comments += 1;
  }
  if (commands + comments === 0) comment(words.say("stop-script.nothing", { tool: toolNames[tool] }));
  return { text: `${lines.join("\n")}\n`, commands, comments };
}

export const toolNames: Readonly<Record<StopTool, string>> = { aws: "AWS CLI", azure: "Azure CLI", gcloud: "gcloud", kubectl: "kubectl", slurm: "Slurm" };

function whyNot(machine: StoppedMachine, found: readonly (readonly string[])[] | "no-name", isScheduled: boolean): "cut" | "pinned" | "at-work" | "committed" | "unclear" | "name" | null {
  if (machine.worth === "pinned") return "pinned";
  if (found === "no-name") return "name";
  if (machine.worth === "committed") return "committed";
  if (machine.worth === "unclear") return "unclear";
  // A schedule stops whatever runs: a machine that worked in its hours off is left to its team.
  if (isScheduled) return machine.falseStops > 0 ? "cut" : null;
  return machine.idleSince === null ? "at-work" : null;
}

/** Prints a command as it would be typed: its first word plain, the others in quotes. */
const PRINTED = `printed() { printf '%s' "$1"; shift; printf " '%s'" "$@"; printf '\\n'; }`;

/**
 * Lines of a crontab that stop at the end of the hours on and start at their beginning, in the schedule's own time zone. Hours of a whole day that
 * go over into those of the next neither end nor begin there: cron runs what is due at one minute in no order. No lines where nothing ever stops.
 */
export function cronLines({ zone, weekdays, from, to }: NonNullable<StopRule["keepOn"]>): string[] {
  const at = (clock: string, days: readonly number[], mode: string): string => {
    const [hour = "0", minute = "0"] = clock.split(":");
    return `${Number(minute)} ${Number(hour)} * * ${[...days].sort((a, b) => a - b).join(",")} sh ./stop-plan.sh ${mode}`;
  };
  // Hours that end past midnight end on the next day; cron counts Sunday as 7 too.
  const ends = to <= from ? weekdays.map((day) => (day % 7) + 1) : weekdays;
  const joined = from === to ? ends.filter((day) => weekdays.includes(day)) : [];
  const edges = [{ clock: to, days: ends, mode: "--stop" }, { clock: from, days: weekdays, mode: "--start" }].map(({ clock, days, mode }) => ({ clock, days: days.filter((day) => !joined.includes(day)), mode }));
  return edges.some(({ days }) => days.length === 0) ? [] : [`CRON_TZ=${zone}`, ...edges.map(({ clock, days, mode }) => at(clock, days, mode))];
}

function headOf(machine: StoppedMachine, currency: string | null, words: Words): string {
  const amount = parseAmount(machine.saved);
  return words.say("stop-script.machine", {
    machine: machine.hosts[0] ?? machine.resource,
    team: machine.team ?? "—",
    hours: words.number(machine.hours, { digits: 1 }),
    saved: amount === null || currency === null ? "—" : words.money(amount.value, currency),
    state: machine.idleSince === null ? words.say("stops.now.work") : words.say("stops.now.idle", { since: words.instant(machine.idleSince, "minute") }),
    until: machine.lastKnownAt === null ? "—" : words.instant(machine.lastKnownAt, "minute"),
  });
}

/** The words of the command, not yet quoted. `other-tool`: it is no machine of this tool. `no-name`: it is, but its name cannot be told. */
export function stopCommand(machine: Pick<StoppedMachine, "resource" | "hosts" | "provider" | "region">, tool: StopTool): readonly (readonly string[])[] | "other-tool" | "no-name" {
  const { resource, provider, region, hosts } = machine;
  switch (tool) {
    case "aws": {
      const id = /(?:^|[/:])(i-[0-9a-f]{8,17})$/.exec(resource)?.[1];
      if (id === undefined) return provider !== null && /aws|amazon/i.test(provider) ? "no-name" : "other-tool";
      return [["aws", "ec2", "stop-instances", ...(region !== null && /^[a-z]{2}(-[a-z]+)+-\d$/.test(region) ? ["--region", region] : []), "--instance-ids", id]];
    }
    case "azure": {
      // Letters, digits and ()-._ are what names of Azure may hold.
      if (!/^[\w./()-]+$/.test(resource)) return provider !== null && /microsoft|azure/i.test(provider) ? "no-name" : "other-tool";
      const scaleSet = /^\/subscriptions\/[^/\s]+\/resourcegroups\/([^/]+)\/providers\/microsoft\.compute\/virtualmachinescalesets\/([^/]+)\/virtualmachines\/(\d+)$/i.exec(resource);
      if (scaleSet !== null) {
        const [, group = "", name = "", instance = ""] = scaleSet;
        return [["az", "vmss", "deallocate", "--subscription", resource.split("/")[2] ?? "", "--resource-group", group, "--name", name, "--instance-ids", instance]];
      }
      if (/^\/subscriptions\/[^/\s]+\/resourcegroups\/[^/]+\/providers\/microsoft\.compute\/virtualmachines\/[^/]+$/i.test(resource)) return [["az", "vm", "deallocate", "--ids", resource]];
      return provider !== null && /microsoft|azure/i.test(provider) ? "no-name" : "other-tool";
    }
    case "gcloud": {
      const path = /(?:^|\/)projects\/([^/\s]+)\/zones\/([^/\s]+)\/instances\/([^/\s]+)$/.exec(resource);
      if (path === null) return provider !== null && /google|gcp/i.test(provider) ? "no-name" : "other-tool";
      const [, project = "", zone = "", name = ""] = path;
      // A word that begins with a dash would be an option.
      return [project, zone, name].some((word) => !/^\w[\w.:-]*$/.test(word)) ? "no-name" : [["gcloud", "compute", "instances", "stop", name, "--project", project, "--zone", zone]];
    }
    case "kubectl":
    case "slurm": {
      const nodes = nodesOf(hosts);
      if (nodes.length === 0 || nodes.length < hosts.length) return "no-name";
      return nodes.flatMap((node) =>
        tool === "kubectl"
          ? [["kubectl", "cordon", node], ["kubectl", "drain", node, "--ignore-daemonsets"]]
          : [["scontrol", "update", `NodeName=${node}`, "State=POWER_DOWN_ASAP", "Reason=idle"]],
      );
    }
  }
}

/** What brings a machine back that `stopCommand` stops; the words of the commands, not yet quoted. */
export function startCommand(machine: Pick<StoppedMachine, "resource" | "hosts" | "provider" | "region">, tool: StopTool): readonly (readonly string[])[] {
  const stop = stopCommand(machine, tool);
  if (typeof stop === "string") return [];
  const verbs: Readonly<Partial<Record<string, string>>> = { "stop-instances": "start-instances", "deallocate": "start", "stop": "start" };
  if (tool !== "kubectl" && tool !== "slurm") return stop.map((command) => command.map((word, index) => (index === VERB[tool] ? (verbs[word] ?? word) : word)));
  return nodesOf(machine.hosts).flatMap((node) => (tool === "kubectl" ? [["kubectl", "uncordon", node]] : [["scontrol", "update", `NodeName=${node}`, "State=POWER_UP"], ["scontrol", "update", `NodeName=${node}`, "State=RESUME"]]));
}

/** Where in the words of a command its verb stands: names of machines are never looked at for one. */
const VERB = { aws: 2, azure: 2, gcloud: 3 } as const;

/** Hosts whose names are one node's: no list, no range, no option, and not the word that Slurm takes for every node. */
function nodesOf(hosts: readonly string[]): readonly string[] {
  return hosts.filter((host) => /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(host) && host.toUpperCase() !== "ALL");
}

/** One word of a POSIX shell, whatever it holds: in single quotes, where nothing is special but the quote itself. */
export function shellQuoted(word: string): string {
  const plain = word.replaceAll("\0", "");
  return /^[\w@%+=:,./-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`;
}

/** A comment of one line: no name may end it and begin a command. */
function commentOf(text: string): string {
  // Line ends of every kind, and other control characters that a terminal would obey.
  return `# ${text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")}`;
}
