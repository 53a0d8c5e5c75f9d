/**
 * A stop plan as a script that a person reads and runs: the app itself stops nothing. Every name from a bill or a log is one quoted word,
 * never part of a command; what does not look like a name of its tool becomes a comment. Without `--run` the script only prints.
 */
import type { StoppedMachine, StopReplay, StopTool } from "../../../shared/contract/findings.ts";
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
  comment(words.say("stop-script.read"));
  comment(words.say("stop-script.rule", { minutes: words.number(replay.rule.minimumSeconds / 60, { digits: 0 }), percent: words.number(replay.rule.idleAtOrUnderPercent, { digits: 0 }) }));
  lines.push("", "set -eu", 'run() { if [ "${MODE:-}" = --run ]; then "$@"; else printf \'%s\' "$1"; shift; printf " \'%s\'" "$@"; printf \'\\n\'; fi; }', 'MODE=${1:-}', "");
  let [commands, comments] = [0, 0];
  for (const machine of replay.machines) {
    const found = stopCommand(machine, tool);
    if (found === "other-tool") continue;
    comment(headOf(machine, replay.currency, words));
    const why = whyNot(machine, found);
    if (why === null && typeof found === "object") {
      lines.push(...found.map((command) => `run ${command.map(shellQuoted).join(" ")}`), "");
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

function whyNot(machine: StoppedMachine, found: readonly (readonly string[])[] | "no-name"): "pinned" | "at-work" | "committed" | "unclear" | "name" | null {
  if (machine.worth === "pinned") return "pinned";
  if (found === "no-name") return "name";
  if (machine.worth === "committed") return "committed";
  if (machine.worth === "unclear") return "unclear";
  return machine.idleSince === null ? "at-work" : null;
}

function headOf(machine: StoppedMachine, currency: string | null, words: Words): string {
  const amount = parseAmount(machine.saved);
  return words.say("stop-script.machine", {
    machine: machine.hosts[0] ?? machine.resource,
    team: machine.team ?? "—",
    hours: words.number(machine.hours, { digits: 1 }),
    saved: amount === null || currency === null ? "—" : words.money(amount.value, currency),
    since: machine.idleSince === null ? "—" : words.instant(machine.idleSince, "minute"),
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
      const nodes = hosts.filter((host) => /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(host));
      if (nodes.length === 0 || nodes.length < hosts.length) return "no-name";
      return nodes.flatMap((node) =>
        tool === "kubectl"
          ? [["kubectl", "cordon", node], ["kubectl", "drain", node, "--ignore-daemonsets"]]
          : [["scontrol", "update", `NodeName=${node}`, "State=POWER_DOWN_ASAP", "Reason=idle"]],
      );
    }
  }
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
