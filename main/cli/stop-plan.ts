import { resolve } from "node:path";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { ledgerError } from "../../shared/contract/errors.ts";
import type { StopReplay, StopRule, StopTool } from "../../shared/contract/findings.ts";
import { clockTime, defaultStopRule, stopRuleSchema, stopTools } from "../../shared/contract/findings.ts";
import { parseAmount } from "../../shared/domain/money.ts";
import { parsePeriod } from "../../shared/domain/period.ts";
import { err, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { writeWhole } from "../engine/files.ts";
import { instantOf } from "../engine/metrics/model/civil-time.ts";
import { stopScript } from "../engine/findings/stop-script.ts";
import type { Engine } from "../engine/serve.ts";
import { currencyOf, type CommandLine } from "./arguments.ts";

/** Replays the ledger's stop rule on a period: in words, as JSON, or as the script of a tool with `--for`. */
export async function stopPlan(line: CommandLine, words: Words, say: { readonly out: (text: string) => void; readonly err: (text: string) => void }, now: Date, withEngine: (work: (engine: Engine) => Promise<Result<number, LedgerError>>) => Promise<Result<number, LedgerError>>): Promise<Result<number, LedgerError>> {
  const { period, out } = line.options;
  const currency = currencyOf(line);
  if (!currency.ok) return currency;
  const tool = line.options.for;
  if (period === undefined) return err(ledgerError("use.missing", { option: "--period" }));
  if (parsePeriod(period) === null) return err(ledgerError("period.invalid", { text: period }));
  if (tool !== undefined && !isTool(tool)) return err(ledgerError("use.invalid", { option: "--for", value: tool }));
  if (out !== undefined && tool === undefined) return err(ledgerError("use.missing", { option: "--for" }));
  const rule = ruleOf(line);
  if (!rule.ok) return rule;
  return withEngine(async (engine) => {
    const replayed = await engine.ask("stops.replay", { period, scope: line.scope, currency: currency.value, rule: rule.value });
    if (!replayed.ok) return replayed;
    if (line.flags.has("json")) {
      say.out(`${JSON.stringify(replayed.value, null, 2)}\n`);
      return ok(0);
    }
    if (tool === undefined) {
      say.out(stopText(replayed.value, words));
      return ok(0);
    }
    const { text } = stopScript(replayed.value, tool, words, now.toISOString());
    if (out === undefined) {
      say.out(text);
      return ok(0);
    }
    const written = writeWhole(resolve(out), text);
    if (!written.ok) return written;
    say.err(`${words.say("terminal.written", { file: out })}\n`);
    return ok(0);
  });
}

/** `--on 08:00-20:00` with `--days` and `--timezone`: machines off outside these hours, by the clock. Without it, the ledger's own rule. */
function ruleOf({ options }: CommandLine): Result<StopRule | null, LedgerError> {
  const { on, days, timezone } = options;
  if (on === undefined) return days === undefined && timezone === undefined ? ok(null) : err(ledgerError("use.missing", { option: "--on" }));
  const [first, last, more] = on.split("-");
  const [from, to] = [clockTime(first ?? "", "from"), clockTime(last ?? "", "to")];
  if (from === null || to === null || more !== undefined) return err(ledgerError("use.invalid", { option: "--on", value: on }));
  const weekdays = weekdaysOf(days ?? "1-5");
  if (weekdays === null) return err(ledgerError("use.invalid", { option: "--days", value: days ?? "" }));
  if (timezone !== undefined && instantOf("2026-01-01T00:00", timezone) === null) return err(ledgerError("use.invalid", { option: "--timezone", value: timezone }));
  const rule = stopRuleSchema.safeParse({ ...defaultStopRule, stopsBy: "schedule", stopsHeld: true, keepOn: { zone: timezone ?? "UTC", weekdays, from, to } });
  if (!rule.success) return err(ledgerError("use.invalid", { option: "--on", value: on }));
  return ok(rule.data);
}

/** `1-5` or `1,3,5`, Monday 1; null where it is neither. */
function weekdaysOf(text: string): readonly number[] | null {
  const [, first, last] = /^([1-7])-([1-7])$/.exec(text) ?? [];
  if (first !== undefined && last !== undefined) return first <= last ? [1, 2, 3, 4, 5, 6, 7].filter((day) => day >= Number(first) && day <= Number(last)) : null;
  return /^[1-7](,[1-7])*$/.test(text) ? [...new Set(text.split(",").map(Number))].sort((a, b) => a - b) : null;
}

function isTool(text: string): text is StopTool {
  return (stopTools as readonly string[]).includes(text);
}

function stopText(replay: StopReplay, words: Words): string {
  const { totals, currency, machines, notReplayed, coverage } = replay;
  const amount = (text: string): string => {
    const parsed = parseAmount(text);
    return parsed === null || currency === null ? "—" : words.money(parsed.value, currency);
  };
  const hours = (value: number): string => words.number(value, { digits: 1 });
  const lines = [
    words.say("stops.answer", { count: totals.machines, hours: hours(totals.hours), saved: amount(totals.saved), falseStops: words.count(totals.falseStops), stops: words.count(totals.stops) }),
    ...(totals.sunk === "0" ? [] : [words.say("stops.worth", { sunk: amount(totals.sunk) })]),
    ...(totals.unclear === "0" ? [] : [words.say("stops.unclear", { unclear: amount(totals.unclear) })]),
    ...(totals.workHours === 0 ? [] : [words.say(totals.heldHours === 0 ? "stops.cut" : "stops.cut.held", { hours: hours(totals.workHours), held: hours(totals.heldHours) })]),
    ...(coverage === null ? [] : [words.say("stops.coverage", { share: words.ratio(coverage) })]),
    ...machines.map((machine) => words.say("stops.line", {
      machine: machine.hosts[0] ?? machine.resource,
      team: machine.team ?? words.say("team.none"),
      hours: hours(machine.hours),
      saved: amount(machine.saved),
      stops: words.count(machine.stops),
      falseStops: words.count(machine.falseStops),
      worth: words.say(`stops.worth.${machine.worth}`),
    })),
    ...notReplayed.map(({ resource, why, gpusSeen, gpusBilled }) => words.say(`stops.not-replayed.${why}`, { machine: resource, seen: words.number(gpusSeen), billed: words.number(gpusBilled) })),
  ];
  return `${lines.join("\n")}\n`;
}
