import { ledgerError } from "../../../shared/contract/errors.ts";
import { err, ok } from "../../../shared/result.ts";
import { explorerAnswers } from "../cost-explorer/answers.ts";
import { forgetAnswers, keepPage, keptRequests, requestsSent } from "../cost-explorer/keep.ts";
import { planPull } from "../cost-explorer/plan.ts";
import { change } from "./allocation.ts";
import type { HandlersOf } from "./index.ts";

/** The ledger's part of a pull. It opens no connection: main/connect does, in a process of its own. */
export const connectHandlers: HandlersOf<"connect.plan" | "connect.keep" | "connect.read" | "connect.forget"> = {
  "connect.plan"(context, wish) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    const { db } = opened.value.ledger;
    const now = context.now();
    const { plan, from } = planPull(wish, now, keptRequests(db), requestsSent(db, now.toISOString().slice(0, 7)));
    return plan === null ? err(ledgerError("connect.period-beyond", { period: wish.period, from })) : ok(plan);
  },

  async "connect.keep"(context, page) {
    if (page.answer !== null && !isObject(page.answer)) return err(ledgerError("contract.invalid", { question: "connect.keep", path: "answer" }));
    return change(context, null, ({ ledger: { db } }, { at }) => keepPage(db, page, at));
  },

  "connect.read"(context) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const reference = context.reference();
    return reference.ok ? ok(explorerAnswers(opened.value.ledger.db, reference.value)) : reference;
  },

  async "connect.forget"(context) {
    return change(context, null, ({ ledger: { db } }) => forgetAnswers(db));
  },
};

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
