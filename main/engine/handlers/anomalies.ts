import { ledgerError } from "../../../shared/contract/errors.ts";
import { dayOf, monthsOf, parsePeriod } from "../../../shared/domain/period.ts";
import { err, ok } from "../../../shared/result.ts";
import { dayNumber } from "../budgets/calendar.ts";
import { prepared } from "../store/sql.ts";
import { mainCurrency } from "../teams/allocation.ts";
import { anomaliesOf, anomalyDetail } from "../teams/anomalies.ts";
import { noteChange } from "../teams/changes.ts";
import { change } from "./allocation.ts";
import type { HandlersOf } from "./index.ts";

export const anomalyHandlers: HandlersOf<"anomalies.read" | "anomaly.detail" | "anomaly.answer"> = {
  "anomalies.read"(context, { period, currency, basis }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const parsed = parsePeriod(period);
    if (parsed === null) return err(ledgerError("period.invalid", { text: period }));
    const { ledger } = opened.value;
    return ok(anomaliesOf(ledger, period, dayOf(parsed.start), dayOf(parsed.end), currency ?? mainCurrency(ledger.db, monthsOf(parsed)), basis));
  },

  "anomaly.detail"(context, { scope, start, end, currency, basis }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { ledger } = opened.value;
    return ok(anomalyDetail(ledger, scope, dayNumber(start), dayNumber(end), currency ?? mainCurrency(ledger.db, null), basis));
  },

  async "anomaly.answer"(context, { scope, direction, from, until, isExpected, because, by }) {
    return change(context, by, ({ ledger: { db } }, author) => {
      const key = JSON.stringify(scope);
      prepared(db, "INSERT INTO anomaly_word (ScopeKey, Direction, FromDay, UntilDay, IsExpected, Because, Who, At) VALUES (?, ?, ?, ?, ?, ?, ?, ?)").run(key, direction, from, until, isExpected ? 1 : 0, because, author.who, author.at);
      noteChange(db, author, "anomaly", "answered", `${key} ${direction} ${from}`, null, { until, isExpected, because });
    });
  },
};
