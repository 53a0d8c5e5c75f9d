import { ledgerError } from "../../../shared/contract/errors.ts";
import type { MethodInput } from "../../../shared/contract/methods.ts";
import { hourOf } from "../../../shared/domain/period.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { idlePolicyOf, type EngineContext } from "../context.ts";
import { writeWhole } from "../files.ts";
import { jobsSheet } from "../jobs/sheet.ts";
import { jobsPage, type JobsAsked } from "../jobs/table.ts";
import { jobsOfHost, jobTimeline } from "../jobs/timeline.ts";
import { gather } from "../reports/gather.ts";
import type { HandlersOf } from "./index.ts";
import { reportContext, scopeOf } from "./reports.ts";

export const jobHandlers: HandlersOf<"jobs.read" | "jobs.export" | "jobs.timeline" | "jobs.of-host"> = {
  async "jobs.read"(context, { by, filter, sort, offset, limit, ...asked }) {
    const question = jobsAsked(context, asked);
    return question.ok ? ok(await jobsPage(question.value, { by, filter, sort, offset, limit })) : question;
  },

  async "jobs.export"(context, { by, filter, sort, as, language, file, ...asked }) {
    const question = jobsAsked(context, asked);
    if (!question.ok) return question;
    const { wordsOf } = context.options;
    if (wordsOf === undefined) throw new Error("an export needs its words");
    const sheet = await jobsSheet(question.value, { by, filter, sort }, as, await wordsOf(language));
    return sheet.ok ? writeWhole(file, sheet.value) : sheet;
  },

  async "jobs.timeline"(context, { job, offset, ...asked }) {
    const question = jobsAsked(context, asked);
    if (!question.ok) return question;
    return ok(await jobTimeline(question.value, job, offset, idlePolicyOf(question.value.gathered.context.ledger.db)));
  },

  async "jobs.of-host"(context, { host, from, hours }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    if (Number.isNaN(Date.parse(from))) return err(ledgerError("contract.invalid", { question: "jobs.of-host", path: "from" }));
    return ok(await jobsOfHost(opened.value.ledger.db, host, hourOf(from), hours));
  },
};

/** Jobs go by effective cost and UTC hours, as all of Efficiency does. A scope's teams narrow the jobs, all else of it the machines. */
export function jobsAsked(context: EngineContext, { period, scope, currency }: Pick<MethodInput<"jobs.read">, "period" | "scope" | "currency">): Result<JobsAsked> {
  const reading = reportContext(context);
  if (!reading.ok) return reading;
  const { team, ...others } = scopeOf(scope);
  const gathered = gather(reading.value, { period, scope: others, basis: "EffectiveCost", currency });
  return gathered === null ? err(ledgerError("period.invalid", { text: period })) : ok({ gathered, teams: team });
}
