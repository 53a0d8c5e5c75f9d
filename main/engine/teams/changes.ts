import { userInfo } from "node:os";
import type { ChangeArea, ChangeKind, ChangePage } from "../../../shared/contract/teams.ts";
import type { EngineContext } from "../context.ts";
import { prepared, query, readAll, readOne, sql, type Db } from "../store/sql.ts";

/** Who made a change, and when. */
export interface Author {
  readonly who: string;
  readonly at: string;
}

/** The name given with the change, else the one given to the whole engine, else the one the system knows the person by. */
export function authorOf(by: string | null, { options, now }: Pick<EngineContext, "options" | "now">): Author {
  return { who: by ?? options.author ?? systemName(), at: now().toISOString() };
}

/** Writes a change down; nothing where before and after are the same. Inside the caller's transaction. */
export function noteChange(db: Db, { who, at }: Author, area: ChangeArea, what: ChangeKind, subject: string, before: unknown, after: unknown): void {
  const [was, is] = [textOf(before), textOf(after)];
  if (was === is && was !== null) return;
  prepared(db, "INSERT INTO change_log (At, Who, Area, What, Subject, Before, After) VALUES (?, ?, ?, ?, ?, ?, ?)").run(at, who, area, what, subject, was, is);
}

type Change = ChangePage["changes"][number];

/** Newest first. */
export function changesOf(db: Db, area: ChangeArea | null, offset: number, limit: number): ChangePage {
  const within = area === null ? sql`` : sql`WHERE Area = ${area}`;
  const total = readOne(db, query<{ total: number }>("total")`-- changes.count
    SELECT count(*) AS total FROM change_log ${within}`);
  const changes = readAll(db, query<Change>("id", "at", "who", "area", "what", "subject", "before", "after")`-- changes.list
    SELECT ChangeId AS id, At AS at, Who AS who, Area AS area, What AS what, Subject AS subject, Before AS before, After AS after
    FROM change_log ${within}
    ORDER BY ChangeId DESC
    LIMIT ${limit} OFFSET ${offset}`);
  return { total: total?.total ?? 0, changes };
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function systemName(): string {
  try {
    return userInfo().username;
  } catch {
    // A system account without a name.
    return "?";
  }
}
