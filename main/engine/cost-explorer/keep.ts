/** Pages of Cost Explorer as they come. A request shows when its last page is there; until then the one before it does. */
import type { ConnectCall, KeptPage } from "../../../shared/contract/connect.ts";
import { prepared, query, readAll, readOne, sql, type Db } from "../store/sql.ts";
import type { KeptRequest } from "./plan.ts";

export function keptRequests(db: Db): KeptRequest[] {
  interface Row extends Omit<KeptRequest, "isDone" | "isFinal"> {
    readonly isDone: number;
    readonly isFinal: number;
  }
  return readAll(db, query<Row>("slot", "question", "nextToken", "isDone", "isFinal", "askedAt", "pages")`-- connect.requests
    SELECT r.Slot AS slot, r.Question AS question, r.NextToken AS nextToken, r.IsDone AS isDone, r.IsFinal AS isFinal, r.AskedAt AS askedAt,
      (SELECT count(*) FROM cost_explorer_page p WHERE p.RequestId = r.RequestId) AS pages
    FROM cost_explorer_request r
    ORDER BY r.RequestId`).map((row) => ({ ...row, isDone: row.isDone === 1, isFinal: row.isFinal === 1 }));
}

/** How many requests were sent; of one UTC month, or ever. */
export function requestsSent(db: Db, month: string | null): number {
  const row = readOne(db, query<{ sent: number }>("sent")`-- connect.sent
    SELECT coalesce(sum(Requests), 0) AS sent FROM cost_explorer_sent ${month === null ? sql`` : sql`WHERE substr(Day, 1, 7) = ${month}`}`);
  return row?.sent ?? 0;
}

/** Inside the caller's transaction: counts the request, and keeps its page. The last page of an answer takes the place of the answer before. */
export function keepPage(db: Db, { slot, call, profile, month, question, page, answer, nextToken }: KeptPage, at: string): void {
  prepared(db, "INSERT INTO cost_explorer_sent (Day, Requests) VALUES (?, 1) ON CONFLICT (Day) DO UPDATE SET Requests = Requests + 1").run(at.slice(0, 10));
  if (answer === null) return;
  if (page === 0) {
    prepared(db, "DELETE FROM cost_explorer_request WHERE Slot = ? AND IsDone = 0").run(slot);
    prepared(db, "INSERT INTO cost_explorer_request (Slot, Call, Profile, Month, Question, NextToken, IsDone, IsFinal, AskedAt) VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?)").run(slot, call, profile, month, question, nextToken, at);
  }
  const request = readOne(db, query<{ id: number }>("id")`-- connect.begun
    SELECT RequestId AS id FROM cost_explorer_request WHERE Slot = ${slot} AND IsDone = 0 ORDER BY RequestId DESC LIMIT 1`);
  if (request === null) throw new Error("a page without the pages before it");
  prepared(db, "INSERT OR REPLACE INTO cost_explorer_page (RequestId, Page, Answer) VALUES (?, ?, ?)").run(request.id, page, answer);
  prepared(db, "UPDATE cost_explorer_request SET NextToken = ? WHERE RequestId = ?").run(nextToken, request.id);
  if (nextToken !== null) return;
  const answers = pagesOf(db, request.id);
  prepared(db, "DELETE FROM cost_explorer_request WHERE Slot = ? AND RequestId <> ?").run(slot, request.id);
  prepared(db, "UPDATE cost_explorer_request SET IsDone = 1, IsFinal = ?, AskedAt = ? WHERE RequestId = ?").run(isFinal(call, question, answers, at) ? 1n : 0n, at, request.id);
}

/** Takes out all that came from Cost Explorer, but not what it cost. Inside the caller's transaction. */
export function forgetAnswers(db: Db): void {
  prepared(db, "DELETE FROM cost_explorer_request").run();
}

/** An answer that shows: its call and its pages. */
export interface Answer {
  readonly call: ConnectCall;
  readonly profile: string | null;
  readonly month: string | null;
  readonly question: Readonly<Record<string, unknown>>;
  readonly askedAt: string;
  readonly isFinal: boolean;
  readonly pages: readonly Page[];
}
/** What AWS sent, as data that is yet to be looked at. */
export type Page = Readonly<Record<string, unknown>>;

export function answersIn(db: Db): Answer[] {
  interface Row {
    readonly id: number;
    readonly call: ConnectCall;
    readonly profile: string | null;
    readonly month: string | null;
    readonly question: string;
    readonly askedAt: string;
    readonly isFinal: number;
  }
  return readAll(db, query<Row>("id", "call", "profile", "month", "question", "askedAt", "isFinal")`-- connect.answers
    SELECT RequestId AS id, Call AS call, Profile AS profile, Month AS month, Question AS question, AskedAt AS askedAt, IsFinal AS isFinal
    FROM cost_explorer_request
    WHERE IsDone = 1
    ORDER BY Call, Slot, RequestId`).map(({ id, question, isFinal: final, ...row }) => ({ ...row, isFinal: final === 1, question: JSON.parse(question) as Page, pages: pagesOf(db, id) }));
}

function pagesOf(db: Db, request: number): Page[] {
  return readAll(db, query<{ answer: string }>("answer")`-- connect.pages
    SELECT Answer AS answer FROM cost_explorer_page WHERE RequestId = ${request} ORDER BY Page`).map(({ answer }) => JSON.parse(answer) as Page);
}

/** AWS says of costs whether they may still change; commitments settle with the month's bill; what is foreseen or recommended never does. */
function isFinal(call: ConnectCall, question: string, pages: readonly Page[], at: string): boolean {
  if (call === "GetCostAndUsage") return pages.length > 0 && pages.every(({ ResultsByTime }) => Array.isArray(ResultsByTime) && ResultsByTime.every((result: { Estimated?: unknown }) => result.Estimated === false));
  if (call === "GetCostForecast" || call.endsWith("Recommendation")) return false;
  const end = /"End":"(\d{4}-\d{2}-\d{2})"/.exec(question)?.[1];
  return end !== undefined && Date.parse(at) - Date.parse(`${end}T00:00:00Z`) > SETTLED_MILLISECONDS;
}

/** A month's bill is final by the fifth of the next in most accounts; twice that. */
const SETTLED_MILLISECONDS = 10 * 86_400_000;
