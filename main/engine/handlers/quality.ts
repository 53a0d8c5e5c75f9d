import { ledgerError } from "../../../shared/contract/errors.ts";
import { monthsOf, parsePeriod } from "../../../shared/domain/period.ts";
import { err, ok } from "../../../shared/result.ts";
import { qualityOf } from "../quality/checks.ts";
import type { HandlersOf } from "./index.ts";

export const qualityHandlers: HandlersOf<"quality.read" | "quality.prices"> = {
  "quality.read"(context, { period }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const parsed = parsePeriod(period);
    return parsed === null ? err(ledgerError("period.invalid", { text: period })) : ok({ findings: qualityOf(opened.value.ledger.db, monthsOf(parsed)) });
  },

  async "quality.prices"(context, { period }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const parsed = parsePeriod(period);
    return parsed === null ? err(ledgerError("period.invalid", { text: period })) : ok(await opened.value.jobs.run("check-prices", monthsOf(parsed)));
  },
};
