/** Which vendor, and why? */
import { selectionSteps, type SelectionOutcome } from "../../../shared/contract/calculators.ts";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { Block, Cell, Message, NotesBlock, ReportDocument, ReportRequest, TableBlock } from "../../../shared/contract/report.ts";
import { multiply } from "../../../shared/domain/money.ts";
import type { Basis } from "../../../shared/domain/figure.ts";
import { ONE, parseDecimal } from "../../../shared/domain/rational.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { figureOf } from "../metrics/metric.ts";
import { leaderOf, nearestTie, selectionOutcome } from "../planning/vendor-selection.ts";
import { pilotFacts, storedSelections } from "../selection/ledger.ts";
import { column, notApplicable, row, shown, text, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { gather, provenanceOf } from "./gather.ts";

/** The selection that is named, else the one changed last. Without any the document says so. */
export function readSelection(context: ReportContext, request: ReportRequest): Result<ReportDocument> {
  const gathered = gather(context, request);
  if (gathered === null) return err(ledgerError("period.invalid", { text: request.period }));
  const { db } = context.ledger;
  const stored = storedSelections(db);
  const selection = request.selection === undefined ? stored[0] : stored.find(({ name }) => name === request.selection);
  if (selection === undefined && request.selection !== undefined) return err(ledgerError("selection.not-found", { selection: request.selection }));
  const outcome = selection === undefined ? null : selectionOutcome(selection, selection.pilot === null ? null : pilotFacts(db, selection.pilot, selection.currency));
  return ok({
    report: "selection",
    request,
    period: gathered.period,
    currency: selection?.currency ?? gathered.currency,
    otherCurrencies: [],
    provenance: provenanceOf(gathered),
    title: outcome === null ? message("selection.title") : message("selection.title-of", { name: { text: outcome.selection.name } }),
    answer: outcome === null ? message("selection.answer.none") : answerOf(outcome),
    context: outcome === null ? [] : contextOf(outcome),
    blocks: outcome === null ? [] : blocksOf(outcome),
  });
}

function answerOf(outcome: SelectionOutcome): Message {
  const { decision } = outcome.selection;
  const leader = leaderOf(outcome);
  if (leader === null || leader.score === null) return message("selection.answer.unscored");
  const params = { vendor: { text: leader.name }, score: { number: Number(leader.score), digits: 2 } };
  if (decision.vendor !== null) {
    return message(decision.vendor === leader.name ? "selection.answer.decided" : "selection.answer.decided-other", { ...params, chosen: { text: decision.vendor } });
  }
  const tie = nearestTie(outcome);
  if (tie === null) return message("selection.answer.leads", params);
  return message(tie.isAbove ? "selection.answer.leads-until-more" : "selection.answer.leads-until-less", { ...params, step: { message: message(`selection.step.${tie.step}`) }, weight: { number: Number(tie.weight), digits: Number.isInteger(Number(tie.weight)) ? 0 : 1 } });
}

function contextOf({ selection, vendors }: SelectionOutcome): Message[] {
  const lines: Message[] = [];
  if (selection.workload.trim() !== "") lines.push(message("selection.context.workload", { workload: { text: selection.workload.trim().replace(/[.。]$/u, "") } }));
  const open = vendors.filter(({ isComplete }) => !isComplete);
  if (open.length > 0) lines.push(message("selection.context.incomplete", { number: { number: open.length } }));
  const excluded = vendors.filter(({ failedMinimums }) => failedMinimums.length > 0);
  if (excluded.length > 0) lines.push(message("selection.context.excluded", { number: { number: excluded.length } }));
  return lines;
}

function blocksOf(outcome: SelectionOutcome): Block[] {
  const blocks: Block[] = [scoreTable(outcome), weightTable(outcome)];
  const evidence = evidenceTable(outcome);
  if (evidence.rows.length > 0) blocks.push(evidence);
  const quotes = quoteTable(outcome);
  if (quotes.rows.length > 0) blocks.push(quotes);
  if (outcome.selection.pilot !== null) blocks.push(pilotTable(outcome));
  blocks.push(decisionNotes(outcome));
  return blocks;
}

/** Vendors from the best, the excluded last. */
function ranked({ vendors }: SelectionOutcome): SelectionOutcome["vendors"] {
  return vendors.toSorted((a, b) => (a.place ?? Number.MAX_SAFE_INTEGER) - (b.place ?? Number.MAX_SAFE_INTEGER) || (a.name < b.name ? -1 : 1));
}

function scoreTable(outcome: SelectionOutcome): TableBlock {
  const scores = new Map(outcome.selection.vendors.map(({ name, steps }) => [name, steps]));
  return {
    kind: "table",
    id: "scorecard",
    title: message("selection.scorecard.title"),
    note: message("selection.scorecard.note"),
    chart: null,
    columns: [
      column("vendor", "text", 1, message("column.vendor")),
      ...selectionSteps.map((step) => column(step, "figure", 2, message(`selection.step.${step}`))),
      column("score", "figure", 1, message("column.score")),
      column("known-weight", "figure", 2, message("column.known-weight")),
      column("state", "text", 1, message("column.place")),
    ],
    rows: ranked(outcome).map(({ name, score, knownWeight, failedMinimums, place, isComplete }) =>
      row(
        `vendor ${name}`,
        [
          text(name),
          ...selectionSteps.map((step) => number(scores.get(name)?.[step].score ?? null, "assumed")),
          number(score, "derived"),
          knownWeight === null ? { absent: "not-stated" } : shown(figureOf("gpu-hours", Number(knownWeight), "ratio", "derived", 1)),
          failedMinimums.length > 0
            ? words("selection.state.minimum", { step: { message: message(`selection.step.${failedMinimums[0] ?? "benchmark"}`) } })
            : place === null
              ? words("selection.state.unscored")
              : words(isComplete ? "selection.state.place" : "selection.state.place-incomplete", { place: { number: place } }),
        ],
        failedMinimums.length > 0 || place === null ? "muted" : "plain",
      ),
    ),
    total: null,
  };
}

function weightTable({ selection, ties }: SelectionOutcome): TableBlock {
  return {
    kind: "table",
    id: "weights",
    title: message("selection.weights.title"),
    note: message(ties.length > 0 ? "selection.weights.note" : "selection.weights.note-no-tie"),
    chart: null,
    columns: [
      column("step", "text", 1, message("column.step")),
      column("weight", "figure", 1, message("column.weight")),
      column("minimum", "figure", 1, message("column.minimum")),
      column("tie", "figure", 1, message("column.tie-weight")),
    ],
    rows: selectionSteps.map((step) => {
      const tie = ties.find((each) => each.step === step);
      return row(`step ${step}`, [
        words(`selection.step.${step}`),
        number(selection.weights[step], "assumed"),
        selection.minimums[step] === null ? notApplicable : number(selection.minimums[step], "assumed"),
        tie === undefined || tie.weight === null ? notApplicable : number(tie.weight, "derived"),
      ]);
    }),
    total: null,
  };
}

function evidenceTable(outcome: SelectionOutcome): TableBlock {
  const steps = new Map(outcome.selection.vendors.map((vendor) => [vendor.name, vendor.steps]));
  const rows = ranked(outcome).flatMap(({ name }) =>
    selectionSteps.flatMap((step) => {
      const found = steps.get(name)?.[step];
      if (found === undefined || (found.evidence.trim() === "" && found.source.trim() === "")) return [];
      return [row(`evidence ${name} ${step}`, [text(name), words(`selection.step.${step}`), number(found.score, "assumed"), text(found.evidence.trim()), text(found.source.trim()), day(found.foundOn)])];
    }),
  );
  return {
    kind: "table",
    id: "evidence",
    title: message("selection.evidence.title"),
    note: null,
    chart: null,
    columns: [
      column("vendor", "text", 1, message("column.vendor")),
      column("step", "text", 1, message("column.step")),
      column("score", "figure", 1, message("column.score")),
      column("evidence", "text", 1, message("column.evidence")),
      column("source", "text", 2, message("column.source")),
      column("found-on", "time", 2, message("column.found-on")),
    ],
    rows,
    total: null,
  };
}

function quoteTable(outcome: SelectionOutcome): TableBlock {
  const { currency } = outcome.selection;
  return {
    kind: "table",
    id: "quotes",
    title: message("selection.quotes.title"),
    note: message("note.in-currency", { currency: { text: currency } }),
    chart: null,
    columns: [
      column("vendor", "text", 1, message("column.vendor")),
      column("item", "text", 1, message("column.item")),
      column("list", "figure", 1, message("column.list-price")),
      column("quoted", "figure", 1, message("column.quoted")),
      column("discount", "figure", 1, message("column.discount")),
      column("valid-until", "time", 2, message("column.valid-until")),
    ],
    rows: ranked(outcome).flatMap(({ name, quotes }) =>
      quotes.map(({ item, list, quoted, discount, validUntil }, index) =>
        row(`quote ${name} ${index}`, [text(name), text(item), amount(list, currency, "assumed"), amount(quoted, currency, "assumed"), discount === null ? notApplicable : shown(figureOf("gpu-hours", Number(discount), "ratio", "derived", 1)), day(validUntil)]),
      ),
    ),
    total: null,
  };
}

function pilotTable({ selection: { pilot, currency }, pilot: actual }: SelectionOutcome): TableBlock {
  const hours = (value: string | null, basis: Basis): Cell => (value === null ? { absent: "not-stated" } : shown(figureOf("gpu-hours", Number(value), "gpu-hours", basis, 1)));
  const share = (value: string | null, basis: Basis, coverage: number): Cell => (value === null ? { absent: basis === "assumed" ? "not-stated" : "no-telemetry" } : shown(figureOf("gpu-utilization", Number(value), "ratio", basis, coverage)));
  const difference = (planned: string | null, found: string | null): Cell => (planned === null || found === null || Number(planned) === 0 ? notApplicable : shown(figureOf("gpu-hours", Number(found) / Number(planned) - 1, "ratio", "derived", 1)));
  const planned = { hours: pilot?.plannedGpuHours ?? null, cost: pilot?.plannedCost ?? null, use: pilot?.plannedUse ?? null };
  return {
    kind: "table",
    id: "pilot",
    title: message("selection.pilot.title", { vendor: { text: pilot?.vendor ?? "" }, first: { instant: `${pilot?.firstDay ?? ""}T00:00:00Z`, precision: "day" }, last: { instant: `${pilot?.lastDay ?? ""}T00:00:00Z`, precision: "day" } }),
    note: message("selection.pilot.note", { billed: { number: actual?.daysBilled ?? 0 }, days: { number: actual?.days ?? 0 } }),
    chart: null,
    columns: [
      column("measure", "text", 1, message("column.measure")),
      column("planned", "figure", 1, message("column.planned")),
      column("actual", "figure", 1, message("column.actual")),
      column("difference", "figure", 1, message("column.difference"), true),
    ],
    rows: [
      row("gpu-hours", [words("selection.pilot.gpu-hours"), hours(planned.hours, "assumed"), hours(actual?.gpuHours ?? null, "billed"), difference(planned.hours, actual?.gpuHours ?? null)]),
      row("cost", [words("selection.pilot.cost"), amount(planned.cost, currency, "assumed"), amount(actual?.cost ?? null, currency, "billed"), difference(planned.cost, actual?.cost ?? null)]),
      row("price", [words("selection.pilot.price"), amount(actual?.plannedPrice ?? null, currency, "assumed"), amount(actual?.price ?? null, currency, "derived"), difference(actual?.plannedPrice ?? null, actual?.price ?? null)]),
      row("use", [words("selection.pilot.use"), share(planned.use, "assumed", 1), share(actual?.use ?? null, "measured", actual?.coverage ?? 0), difference(planned.use, actual?.use ?? null)]),
    ],
    total: null,
  };
}

/** What was decided, why, and room to sign it. */
function decisionNotes({ selection: { decision } }: SelectionOutcome): NotesBlock {
  const [reason, by] = [decision.reason.trim(), decision.by.trim()];
  const note = (id: string, title: Message, ...lines: Message[]): NotesBlock["notes"][number] => ({ id, title, tone: "plain", lines });
  return {
    kind: "notes",
    id: "decision",
    notes: [
      note("decision", message("selection.decision.title"), decision.vendor === null ? message("selection.decision.open") : message("selection.decision.for", { vendor: { text: decision.vendor } })),
      ...(reason === "" ? [] : [note("reason", message("selection.reason.title"), message("selection.reason", { reason: { text: reason } }))]),
      note("signature", message("selection.signature.title"), message("selection.signature", { name: { text: by === "" ? SIGN_HERE : by } }), message("selection.signature.date")),
    ],
  };
}

const SIGN_HERE = "_".repeat(24);

function number(value: string | null, basis: Basis): Cell {
  return value === null ? { absent: "not-stated" } : shown(figureOf("gpu-hours", Number(value), Number.isInteger(Number(value)) ? "count" : "score", basis, 1));
}

function amount(value: string | null, currency: string, basis: Basis): Cell {
  const exact = value === null ? null : parseDecimal(value);
  return exact === null ? { absent: "not-stated" } : shown(figureOf("spend", multiply(exact, ONE), currency, basis, 1));
}

function day(label: string | null): Cell {
  return label === null ? notApplicable : { instant: `${label}T00:00:00Z`, precision: "day" };
}
