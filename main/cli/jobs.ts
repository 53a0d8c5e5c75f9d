import { ledgerError } from "../../shared/contract/errors.ts";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { jobGroupings, mostJobLines } from "../../shared/contract/jobs.ts";
import type { JobGrouping, JobLine, JobsAnswer } from "../../shared/contract/jobs.ts";
import { dash } from "../../shared/contract/words.ts";
import { parseAmount } from "../../shared/domain/money.ts";
import { parsePeriod } from "../../shared/domain/period.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { err, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { Engine } from "../engine/serve.ts";
import type { CommandLine } from "./arguments.ts";
import type { CliStreams } from "./index.ts";

type Answer = Promise<Result<number, LedgerError>>;

/** `jobs --period P [--by team]`: GPU-hours that jobs held, what the hosts did meanwhile, and the cost of those hours; one tab-separated line each. */
export async function jobsCommand(line: CommandLine, words: Words, streams: CliStreams, open: (work: (engine: Engine) => Answer) => Answer): Answer {
  const { period, currency } = line.options;
  const by = jobGroupings.find((each) => each === (line.options.by ?? "job"));
  if (by === undefined) return err(ledgerError("use.invalid", { option: "--by", value: line.options.by ?? "" }));
  if (period === undefined) return err(ledgerError("use.missing", { option: "--period" }));
  if (parsePeriod(period) === null) return err(ledgerError("period.invalid", { text: period }));
  return open(async (engine) => {
    const asked = await allJobs(engine, period, by, currency ?? null);
    if (!asked.ok) return asked;
    streams.out(line.flags.has("json") ? `${JSON.stringify(asked.value, null, 2)}\n` : jobsText(asked.value, words));
    return ok(0);
  });
}

/** All lines, asked for a page at a time. */
async function allJobs(engine: Engine, period: string, by: JobGrouping, currency: string | null): Promise<Result<JobsAnswer, LedgerError>> {
  const page = (offset: number): ReturnType<typeof engine.ask<"jobs.read">> => engine.ask("jobs.read", { period, scope: {}, currency, by, filter: {}, sort: null, offset, limit: mostJobLines });
  const first = await page(0);
  if (!first.ok) return first;
  const lines = [...first.value.lines];
  while (lines.length < first.value.count) {
    const next = await page(lines.length);
    if (!next.ok) return next;
    if (next.value.lines.length === 0) break;
    lines.push(...next.value.lines);
  }
  return ok({ ...first.value, lines });
}

function jobsText({ by, currency, lines, total }: JobsAnswer, words: Words): string {
  if (lines.length === 0) return `${words.say("jobs.none")}\n`;
  const head = [words.say(`jobs.by.${by}`), ...(by === "job" ? [words.say("jobs.name")] : [words.say("jobs.count")]), words.say("jobs.gpu-hours"), words.say("jobs.known"), words.say("jobs.utilization"), words.say("jobs.idle"), words.say("jobs.covered"), words.say("jobs.cost"), words.say("jobs.billed")];
  const rows = [head, ...lines.map((each) => cells(each, by === "job", currency, words)), cells({ ...total, key: words.say("jobs.total") }, by === "job", currency, words)];
  const note = total.isOfHost ? `${words.say("jobs.of-host")}\n` : "";
  return `${rows.map((row) => `${row.join("\t")}\n`).join("")}${note}`;
}

function cells({ key, name, jobs, gpuHours, gpuHoursCoverage, utilization, idleShare, telemetryCoverage, isOfHost, cost, costCoverage }: JobLine, isJob: boolean, currency: string | null, words: Words): readonly string[] {
  const share = (value: number | null): string => (value === null ? dash : `${words.ratio(value)}${isOfHost ? "*" : ""}`);
  const amount = cost === null ? null : parseAmount(cost);
  return [
    key ?? dash, isJob ? (name ?? dash) : words.count(jobs),
    gpuHours === null ? dash : words.number(gpuHours, { digits: 2 }), words.ratio(gpuHoursCoverage),
    share(utilization), share(idleShare), words.ratio(telemetryCoverage),
    amount === null || currency === null ? dash : words.money(amount.value, currency), words.ratio(costCoverage),
  ];
}
