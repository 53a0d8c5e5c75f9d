/** One pull: asks what is to be asked, sends it page by page, and hands every page to the ledger before the next is paid for. */
import { priceText, type KeptPage, type PlannedRequest, type PullOrder, type PullOutcome, type PullPlan } from "../../shared/contract/connect.ts";
import { ledgerError, type LedgerError } from "../../shared/contract/errors.ts";
import { ok, type Result } from "../../shared/result.ts";
import type { Connection, Reply } from "./messages.ts";

export interface PullCarrier {
  /** The ledger's own questions, of whatever process it is in. */
  plan(order: PullOrder): Promise<Result<PullPlan>>;
  keep(page: KeptPage): Promise<Result<unknown>>;
  /** Starts the process that holds the network. */
  connect(): Connection | Promise<Connection>;
  progress(state: { readonly sent: number; readonly answered: number; readonly asked: number; readonly call: string }): void;
  wait(milliseconds: number): Promise<void>;
  isCancelled(): boolean;
}

/** How long to wait before a request that was throttled, or did not get through, is tried again; after the last it is told. */
const waits = [1_000, 3_000, 9_000] as const;

export async function pull(order: PullOrder, carrier: PullCarrier): Promise<Result<PullOutcome>> {
  const planned = await carrier.plan(order);
  if (!planned.ok) return planned;
  const asked = planned.value.requests.filter(({ state }) => state !== "kept");
  const refused = new Map<string, LedgerError>();
  let sent = 0;
  let answered = 0;
  let state: PullOutcome["state"] = "done";
  let error: LedgerError | null = null;
  const connection = asked.length === 0 ? null : await carrier.connect();
  try {
    for (const request of asked) {
      if (connection === null || refused.has(request.call)) continue;
      const outcome = await answer(request, connection);
      if (!outcome.ok) return outcome;
      if (outcome.value === "answered") answered += 1;
      else if (outcome.value !== "refused") {
        state = outcome.value;
        break;
      }
    }
  } finally {
    connection?.end();
  }
  const [firstRefusal] = refused.values();
  // Nothing at all may be asked: that is no pull with gaps, it is none.
  if (state === "done" && answered === 0 && firstRefusal !== undefined) return ok({ ...sums(), state: "stopped", error: firstRefusal, refused: [...refused.values()] });
  return ok({ ...sums(), state, error, refused: [...refused.values()] });

  function sums(): Pick<PullOutcome, "requestsSent" | "price" | "answered" | "asked"> {
    return { requestsSent: sent, price: priceText(sent), answered, asked: asked.length };
  }

  /** All pages of one request, from where it stands. */
  async function answer(request: PlannedRequest, connection: Connection): Promise<Result<"answered" | "refused" | "limit" | "cancelled" | "stopped">> {
    let [page, nextToken] = request.state === "begun" ? [request.pagesKept, request.nextToken] : [0, null];
    let tries = 0;
    for (;;) {
      if (carrier.isCancelled()) return ok("cancelled");
      if (sent >= order.mostRequests) {
        error = ledgerError("connect.limit", { sent, answered, asked: asked.length });
        return ok("limit");
      }
      carrier.progress({ sent, answered, asked: asked.length, call: request.call });
      const reply = await connection.send({ profile: order.profile, call: request.call, question: request.question, nextToken });
      const isSent = !("trouble" in reply) || reply.isSent;
      if (isSent) sent += 1;
      const kept = isSent ? await carrier.keep(pageOf(request, order, page, reply)) : ok(null);
      if (!kept.ok) return kept;
      if ("answer" in reply || reply.kind === "nothing-there") {
        // Where there are no commitments there is nothing to tell of them; without any cost there is nothing at all.
        if ("trouble" in reply && request.part === "costs") return stop(reply.trouble);
        page += 1;
        nextToken = "answer" in reply ? reply.nextToken : null;
        tries = 0;
        if (nextToken === null) return ok("answered");
      } else if (reply.kind === "call") {
        refused.set(request.call, reply.trouble);
        return ok("refused");
      } else if (reply.kind === "token" && page > 0) {
        // What was kept belongs to an answer that is gone: it begins anew, once.
        if (tries > 0) return stop(reply.trouble);
        [page, nextToken, tries] = [0, null, 1];
      } else if (reply.kind === "passing" && tries < waits.length) {
        await carrier.wait(waits[tries] ?? 0);
        tries += 1;
      } else return stop(reply.trouble);
    }
  }

  function stop(trouble: LedgerError): Result<"stopped"> {
    error = trouble;
    return ok("stopped");
  }
}

function pageOf({ slot, part, call, month, question }: PlannedRequest, { profile }: PullOrder, page: number, reply: Reply): KeptPage {
  const answer = "answer" in reply ? reply.answer : reply.kind === "nothing-there" && part !== "costs" ? "{}" : null;
  return { slot, call, profile, month, question: JSON.stringify(question), page, answer, nextToken: "answer" in reply ? reply.nextToken : null };
}
