/** The month on one page: ten blocks for those who decide, of the same figures as the review. */
import { createHash } from "node:crypto";
import type { Block, Cell, Message, NotesBlock, ReportDocument, ReportRequest, Row, TableBlock } from "../../../shared/contract/report.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import { ok, type Result } from "../../../shared/result.ts";
import type { ActionLine, ActionsAnswer, FindingLine } from "../../../shared/contract/teams.ts";
import { actionsOf } from "../teams/actions.ts";
import { amountOf } from "../teams/budgets.ts";
import { monthOf } from "../teams/months.ts";
import { carbonNote } from "./carbon.ts";
import { amount, column, notApplicable, row, shown, text, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { gather, type Gathered } from "./gather.ts";
import { readReview } from "./review.ts";

const DECISIONS = 5;

/**
 * Blocks, in their order: the sentence (answer and context), `tiles`, `bridge`, `movers`, `teams` with budget and forecast, `closing` with the
 * commitments, `carbon`, `savings` (realised and identified, never added), `decisions`, `foot`.
 *
 * errors  as the review's
 */
export function readMonthly(context: ReportContext, request: ReportRequest): Result<ReportDocument> {
  const review = readReview(context, request);
  if (!review.ok) return review;
  const gathered = gather(context, request);
  if (gathered === null) throw new Error("the review has read the same period");
  const { blocks, ...document } = review.value;
  const actions = actionsOf(gathered, request.period);
  // The review says it among its closing lines; here it has a place of its own.
  const others = blocks.map((block) => (block.kind === "notes" ? { ...block, notes: block.notes.filter(({ id }) => id !== "carbon") } : block));
  const page: Block[] = [...others, { kind: "notes", id: "carbon", notes: [carbonNote(gathered)] }, savings(actions), ...decisions(actions)];
  return ok({
    ...document,
    report: "monthly",
    title: message("monthly.title", { period: { period: request.period } }),
    blocks: [...page, foot(gathered, document, page)],
  });
}

function savings({ currency, realised, identified }: ActionsAnswer): NotesBlock {
  const money = (of: string): { readonly money: bigint; readonly currency: string } => ({ money: amountOf(of), currency: currency ?? "" });
  const realisedLine = realised === null || currency === null ? message("monthly.savings.none-realised") : message("monthly.savings.realised", { saved: money(realised) });
  const identifiedLine = currency === null ? message("monthly.savings.none-identified") : message("monthly.savings.identified", { saved: money(identified) });
  return {
    kind: "notes",
    id: "savings",
    notes: [
      { id: "realised", title: message("monthly.savings.realised-title"), tone: "useful", lines: [realisedLine] },
      { id: "identified", title: message("monthly.savings.identified-title"), tone: "plain", lines: [identifiedLine, message("monthly.savings.rule")] },
    ],
  };
}

/** What is asked of the reader: actions that wait, then the largest findings that nobody has taken up. */
function decisions({ currency, actions, findings }: ActionsAnswer): TableBlock[] {
  const waiting = actions.filter(({ state }) => state === "open" || state === "agreed");
  const money = (of: string | null, own: string | null): Cell => (of === null || own === null ? notApplicable : shown(amount("spend", amountOf(of), own)));
  const ofAction = (action: ActionLine): Row =>
    row(`action ${action.id}`, [
      text(action.subject),
      action.team === null ? notApplicable : text(action.team),
      money(action.expected, action.currency),
      action.owner === null ? words("budgets.no-owner") : text(action.owner),
      action.dueOn === null ? notApplicable : { instant: `${action.dueOn}T00:00:00Z`, precision: "day" },
      words(`action.state.${action.state}`),
    ]);
  const ofFinding = (finding: FindingLine): Row =>
    row(`finding ${finding.key}`, [
      words(`finding.${finding.kind}`, { resource: { text: finding.resourceName ?? shortName(finding.resource) ?? finding.about ?? "" }, about: { text: finding.about ?? "" } }),
      finding.team === null ? notApplicable : text(finding.team),
      money(finding.expected, currency),
      words("budgets.no-owner"),
      notApplicable,
      words("action.state.new"),
    ], "muted");
  const rows = [...waiting.map(ofAction), ...findings.map(ofFinding)].slice(0, DECISIONS);
  if (rows.length === 0) return [];
  return [{
    kind: "table",
    id: "decisions",
    title: message("monthly.decisions.title"),
    note: message("monthly.decisions.note"),
    chart: null,
    columns: [
      column("subject", "text", 1, message("column.decision")),
      column("team", "text", 1, message("column.team")),
      column("expected", "figure", 1, message("column.saving-a-month")),
      column("owner", "text", 1, message("column.owner")),
      column("due", "time", 1, message("column.due")),
      column("state", "text", 2, message("column.state")),
    ],
    rows,
    total: null,
  }];
}

/** The last part of a path: an ARN or a resource's full name is too long for a page. */
function shortName(resource: string | null): string | null {
  return resource === null ? null : (resource.split("/").findLast((part) => part !== "") ?? resource);
}

/** Until when the data are whole, on what basis, from which files, whether the month is closed, and a hash of all that the page shows. */
function foot({ context, months, asked }: Gathered, { provenance }: Pick<ReportDocument, "provenance">, page: readonly Block[]): NotesBlock {
  const { sources, completeUntil } = provenance;
  const lines: Message[] = [];
  lines.push(completeUntil === null ? message("monthly.foot.no-bill") : message("monthly.foot.complete-until", { until: { instant: completeUntil, precision: "day" } }));
  lines.push(message(`basis.${asked.basis}.sentence`));
  lines.push(message("monthly.foot.sources", { count: { count: sources.length }, hash: { text: hashOf(sources.map(({ sha256 }) => sha256)).slice(0, 16) } }));
  const [month] = months;
  if (months.length === 1 && month !== undefined) {
    const own = gather(context, { period: month, scope: {}, basis: "EffectiveCost", currency: null });
    const closed = own === null ? null : monthOf(own, month);
    const [last] = closed?.closings ?? [];
    if (closed?.state === "closed" && last !== undefined) {
      lines.push(message(closed.differences.length === 0 ? "monthly.foot.closed" : "monthly.foot.closed-differs", { at: { instant: last.closedAt, precision: "day" }, who: { text: last.closedBy } }));
    } else lines.push(message("monthly.foot.open"));
  }
  lines.push(message("monthly.foot.hash", { hash: { text: hashOf(page).slice(0, 16) } }));
  return { kind: "notes", id: "foot", notes: [{ id: "foot", title: message("monthly.foot.title"), tone: "plain", lines }] };
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? formatAttos(inner) : inner))).digest("hex");
}
