/** The month on one page: ten blocks for those who decide, of the same figures as the review. */
import { createHash } from "node:crypto";
import type { Block, Cell, Message, NotesBlock, ReportDocument, ReportRequest, Row, TableBlock } from "../../../shared/contract/report.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import { ok, type Result } from "../../../shared/result.ts";
import type { ActionLine, ActionsAnswer, FindingLine } from "../../../shared/contract/teams.ts";
import { actionsOf } from "../teams/actions.ts";
import { dayNumber } from "../budgets/calendar.ts";
import { ownerIn, type OwnerOf } from "../teams/owners.ts";
import { storedTerms } from "../commitments/scenarios.ts";
import { moneyOf } from "../../../shared/contract/table.ts";
import { amountOf } from "../teams/budgets.ts";
import { monthOf } from "../teams/months.ts";
import { carbonNote } from "./carbon.ts";
import { amount, column, notApplicable, row, shown, text, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { gather, type Gathered } from "./gather.ts";
import { readReview } from "./review.ts";
import { periodBudgets, wholeBudget } from "./team-budgets.ts";

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
  const ownerOf = ownerIn(context.ledger.db);
  const others = blocks.map((block): Block => {
    if (block.kind === "table") return block.id === "movers" ? withOwners(block, ownerOf) : block.id === "teams" ? againstBudget(block, gathered) : block;
    if (block.kind !== "notes") return block;
    return { ...block, notes: block.notes.filter(({ id }) => id !== "carbon").map((note) => (note.id === "commitments" ? { ...note, lines: [...note.lines, ...endingSoon(gathered)] } : note)) };
  });
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

/** Where the stop rule was not replayed a saving is not known, and the cell says why. */
function whyNoSaving({ notReplayed }: FindingLine): Cell {
  if (notReplayed === null) return { absent: "not-measured" };
  return words(`act.why.${notReplayed.why}`, { seen: { number: notReplayed.gpusSeen }, billed: { number: notReplayed.gpusBilled } });
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
      notApplicable,
      action.owner === null ? words("budgets.no-owner") : text(action.owner),
      action.dueOn === null ? notApplicable : { instant: `${action.dueOn}T00:00:00Z`, precision: "day" },
      words(`action.state.${action.state}`),
    ]);
  const ofFinding = (finding: FindingLine): Row =>
    row(`finding ${finding.key}`, [
      words(`finding.${finding.kind}`, { resource: { text: finding.resourceName ?? shortName(finding.resource) ?? finding.about ?? "" }, about: { text: finding.about ?? "" }, since: finding.since === null ? { text: "" } : { instant: `${finding.since}T00:00:00Z`, precision: "day" } }),
      finding.team === null ? notApplicable : text(finding.team),
      finding.expected === null ? whyNoSaving(finding) : money(finding.expected, currency),
      money(finding.idleCost, currency),
      ownerCell(finding.owner),
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
      column("idle", "figure", 2, message("column.idle-a-month")),
      column("owner", "text", 1, message("column.owner")),
      column("due", "time", 1, message("column.due")),
      column("state", "text", 2, message("column.state")),
    ],
    rows,
    total: null,
  }];
}

function ownerCell(owner: string | null): Cell {
  return owner === null ? words("budgets.no-owner") : text(owner);
}

/** The movers with whoever decides about each. */
function withOwners(block: TableBlock, ownerOf: OwnerOf): TableBlock {
  const team = block.columns.findIndex(({ id }) => id === "team");
  const cellOf = ({ id, cells }: Row): Cell => {
    const cell = cells[team];
    return id === "all-other" || cell === undefined || !("text" in cell) || cell.text === undefined ? notApplicable : ownerCell(ownerOf(null, cell.text));
  };
  return { ...block, columns: [...block.columns, column("owner", "text", 2, message("column.owner"))], rows: block.rows.map((each) => ({ ...each, cells: [...each.cells, cellOf(each)] })), total: block.total === null ? null : { ...block.total, cells: [...block.total.cells, notApplicable] } };
}

/** The teams with what each is over its budget, in place of the change that the movers tell; as they are without budgets. Its total is against the company's budget, else what its teams are over together: costs without a team are in nobody's budget. */
function againstBudget(block: TableBlock, gathered: Gathered): TableBlock {
  const [spent, planned, change] = ["spend", "budget", "change"].map((name) => block.columns.findIndex(({ id }) => id === name));
  if (spent === undefined || planned === undefined || change === undefined || spent === -1 || planned === -1 || change === -1) return block;
  const cellOf = ({ cells }: Row): Cell => {
    const [actual, budget] = [moneyOf(cells[spent]), moneyOf(cells[planned])];
    return actual === null || budget === null ? notApplicable : shown(amount("spend-change", actual.value - budget.value, actual.currency));
  };
  const replaced = (each: Row, over: Cell): Row => ({ ...each, cells: each.cells.map((cell, index) => (index === change ? over : cell)) });
  const whole = wholeBudget(periodBudgets(gathered));
  const inAll = whole === null || whole.actual === null || gathered.currency === null ? notApplicable : shown(amount("spend-change", whole.actual - whole.budget, gathered.currency));
  return { ...block, columns: block.columns.map((each, index) => (index === change ? { ...column("over-budget", "figure", 2, message("column.over-budget"), true) } : each)), rows: block.rows.map((each) => replaced(each, cellOf(each))), total: block.total === null ? null : replaced(block.total, inAll) };
}

/** Commitments that end within 90 days of the period, as far as the person has said when they end. */
function endingSoon({ context, endDay }: Gathered): Message[] {
  const soon = storedTerms(context.ledger.db).flatMap(({ endsOn }) => (endsOn !== null && dayNumber(endsOn) > endDay && dayNumber(endsOn) <= endDay + 90 ? [endsOn] : [])).sort();
  const [first] = soon;
  return first === undefined ? [] : [message("monthly.commitments.ending", { count: { count: soon.length }, day: { instant: `${first}T00:00:00Z`, precision: "day" } })];
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
