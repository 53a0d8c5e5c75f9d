import { ledgerError } from "../../../shared/contract/errors.ts";
import { parsePeriod } from "../../../shared/domain/period.ts";
import { err } from "../../../shared/result.ts";
import { carbonAnswer } from "../reports/carbon-rows.ts";
import type { HandlersOf } from "./index.ts";
import { reportContext, scopeOf } from "./reports.ts";

export const carbonHandlers: HandlersOf<"carbon.read"> = {
  "carbon.read"(context, { period, scope }) {
    const reading = reportContext(context);
    if (!reading.ok) return reading;
    if (parsePeriod(period) === null) return err(ledgerError("period.invalid", { text: period }));
    return carbonAnswer(reading.value, { period, scope: scopeOf(scope) });
  },
};
