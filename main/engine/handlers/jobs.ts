import { ledgerError } from "../../../shared/contract/errors.ts";
import { err, ok } from "../../../shared/result.ts";
import { gather } from "../reports/gather.ts";
import { jobsReport } from "../reports/index.ts";
import type { HandlersOf } from "./index.ts";
import { reportContext } from "./reports.ts";

export const jobHandlers: HandlersOf<"jobs.read"> = {
  "jobs.read"(context, { period, by, currency }) {
    const reading = reportContext(context);
    if (!reading.ok) return reading;
    const gathered = gather(reading.value, { period, scope: {}, basis: "EffectiveCost", currency });
    return gathered === null ? err(ledgerError("period.invalid", { text: period })) : ok(jobsReport(gathered, by));
  },
};
