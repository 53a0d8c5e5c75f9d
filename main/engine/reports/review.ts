/** What did the month cost, and why? */
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { Block, Cell, Column, FiguresBlock, Message, MessageParam, NotesBlock, ReportDocument, ReportRequest, Row, TableBlock, Tile } from "../../../shared/contract/report.ts";
import type { Figure } from "../../../shared/domain/figure.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import type { ChargeClass, ChargeFacts, ChargeKey, ChargeRow } from "../metrics/charges.ts";
import { commitmentCoverage } from "../metrics/commitment-coverage.ts";
import { commitmentUtilization } from "../metrics/commitment-utilization.ts";
import { effectiveSavingsRate } from "../metrics/effective-savings-rate.ts";
import { sumGpuHours, type GpuHourFacts } from "../metrics/gpu-hours-where-met.ts";
import { gpuHoursCost } from "../metrics/gpu-hours-cost.ts";
import { gpuSpend } from "../metrics/gpu-spend.ts";
import { gpuUtilization } from "../metrics/gpu-utilization.ts";
import { idleAvoidableCost } from "../metrics/idle-avoidable-cost.ts";
import { idleCost } from "../metrics/idle-cost.ts";
import { idleSunkCost } from "../metrics/idle-sunk-cost.ts";
import { share } from "../metrics/metric.ts";
import { spendChange } from "../metrics/spend-change.ts";
import { spend } from "../metrics/spend.ts";
import { telemetryCoverage, telemetryCoverageByCost } from "../metrics/telemetry-coverage.ts";
import { unmatchedGpuCost } from "../metrics/unmatched-gpu-cost.ts";
import { unusedCommitmentCost } from "../metrics/unused-commitment-cost.ts";
import { usefulGpuHourCost } from "../metrics/useful-gpu-hour-cost.ts";
import { bridge as bridgeOf, type Bridge } from "./bridge.ts";
import { carbonNote } from "./carbon.ts";
import { besideHeadline, counterName } from "./counters.ts";
import { amount, column, compareNames, distinctNames, groupsBy, magnitude, nameCell, notApplicable, optionMessage, row, shown, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { budgetSentences, periodBudgets, withBudgets } from "./team-budgets.ts";
import { withCarbon } from "./team-carbon.ts";
import { unjoinedLines } from "./unjoined.ts";
import { gather, provenanceOf, refTo, trendCharges, trendMonths, type Gathered } from "./gather.ts";

/** Lines of the bill as the review looks at them. */
const lineKeys: readonly ChargeKey[] = ["provider", "team", "service", "gpuModel", "purchaseOption"];
const MOVERS = 5;

export function readReview(context: ReportContext, request: ReportRequest): Result<ReportDocument> {
  const gathered = gather(context, request);
  if (gathered === null) return err(ledgerError("period.invalid", { text: request.period }));
  if (gathered.isEmpty) return err(ledgerError("report.no-data", { period: request.period }));
  const charges = gathered.chargeFacts(gathered.charges(lineKeys), gathered.hasPrevious ? gathered.previousCharges(lineKeys) : null);
  const hours = gathered.gpuHourFacts(gathered.gpuHours());
  const budgets = periodBudgets(gathered);
  const blocks: Block[] = [tiles(gathered, charges, hours)];
  if (gathered.hasBill) {
    if (charges.previousRows !== null) blocks.push(bridgeTable(gathered, charges, charges.previousRows));
    blocks.push(movers(gathered, charges), withCarbon(withBudgets(teams(gathered, charges, hours), budgets, charges.currency), gathered), closing(gathered, charges, hours));
  }
  return ok({
    report: "review",
    request,
    period: gathered.period,
    currency: gathered.currency,
    otherCurrencies: gathered.otherCurrencies,
    provenance: provenanceOf(gathered),
    title: message("review.title", { period: { period: request.period } }),
    answer: answer(gathered, charges, hours),
    context: [...budgetSentences(budgets, charges.currency), ...contextLines(gathered, charges, hours)],
    blocks,
  });
}

/** One sentence: what it cost, against the period before, and how much of it idle GPUs took. */
function answer(gathered: Gathered, charges: ChargeFacts, hours: GpuHourFacts): Message {
  const { asked, previous } = gathered;
  const cost = spend.figure(charges);
  if (!gathered.hasBill) {
    return gathered.otherCurrencies.length > 0
      ? message("review.answer.no-currency", { period: { period: asked.period }, currency: { text: asked.currency ?? "" } })
      : message("review.answer.no-bill", { period: { period: asked.period } });
  }
  if (cost.value === null) return message("review.answer.not-stated", { period: { period: asked.period } });
  const change = spendChange.figure(charges);
  const before = typeof change.value === "bigint" && typeof cost.value === "bigint" ? cost.value - change.value : null;
  const ratio = before === null || before <= 0n || typeof change.value !== "bigint" ? null : share(change.value, before);
  const direction = ratio === null || previous === null ? "first" : Math.abs(ratio) < 0.0005 ? "same" : ratio > 0 ? "more" : "less";
  const idle = idleCost.figure(hours);
  // Idle cost is effective cost: beside another cost basis it stands apart, as it is no part of that sum.
  const isApart = asked.basis !== "EffectiveCost";
  const idleKind = hours.rows.length === 0 ? "no-gpu" : idle.value === null ? "idle-unknown" : isApart ? "idle-apart" : "idle";
  const params: Record<string, MessageParam> = {
    period: { period: asked.period },
    spend: { figure: cost, explain: refTo(gathered, "spend") },
  };
  if (direction !== "first" && previous !== null && ratio !== null) {
    params["previous"] = { period: previous, short: isMonthOfSameYear(asked.period, previous) };
    if (direction !== "same") params["ratio"] = { ratio: Math.abs(ratio) };
  }
  if (idleKind === "idle" || idleKind === "idle-apart") params["idle"] = { figure: idle, explain: refTo(gathered, "idle-cost") };
  return message(`review.answer.${direction}.${idleKind}`, params);
}

function isMonthOfSameYear(period: string, previous: string): boolean {
  return /^\d{4}-\d{2}$/.test(period) && period.slice(0, 4) === previous.slice(0, 4);
}

function contextLines(gathered: Gathered, charges: ChargeFacts, hours: GpuHourFacts): Message[] {
  const { asked, currency } = gathered;
  const lines: Message[] = [];
  if (currency === null) return lines;
  lines.push(message(`basis.${asked.basis}.sentence`));
  const [idle, avoidable, sunk] = [idleCost.figure(hours), idleAvoidableCost.figure(hours), idleSunkCost.figure(hours)];
  if (typeof idle.value === "bigint" && idle.value !== 0n) {
    lines.push(message("review.context.idle-split", {
      avoidable: { figure: avoidable, explain: refTo(gathered, "idle-avoidable-cost") },
      sunk: { figure: sunk, explain: refTo(gathered, "idle-sunk-cost") },
    }));
  }
  const perDay = perDayChange(gathered, charges);
  if (perDay !== null) lines.push(perDay);
  for (const provider of gathered.missingProviders) lines.push(message("review.context.missing-provider", { provider: { text: provider }, period: { period: asked.period } }));
  if (gathered.billCoverage < 1 && gathered.missingProviders.length === 0) lines.push(message("review.context.bill-partial", { ratio: { ratio: gathered.billCoverage } }));
  const tax = costOfClass(charges.rows, "tax");
  if (tax !== 0n) lines.push(message("review.context.tax", { tax: { money: tax, currency } }));
  lines.push(...unjoinedLines(gathered, hours));
  const beside = besideHeadline(gathered, hours);
  if (beside !== null) lines.push(beside);
  const covered = telemetryCoverage.figure(hours);
  if (typeof covered.value === "number" && covered.value < 1) {
    lines.push(message(covered.value === 0 ? "review.context.no-telemetry" : "review.context.telemetry", { ratio: { figure: covered, explain: refTo(gathered, "telemetry-coverage") } }));
  }
  if (gathered.otherCurrencies.length > 0) lines.push(message("report.context.other-currencies", { currencies: { text: gathered.otherCurrencies.join(", ") } }));
  const difference = monthsAgainstHours(gathered, hours);
  if (difference !== null) lines.push(difference);
  return lines;
}

/** Months of unequal length compare by the day. */
function perDayChange({ months, firstDay, endDay, previous, asked }: Gathered, charges: ChargeFacts): Message | null {
  const change = spendChange.figure(charges);
  const now = spend.figure(charges);
  if (previous === null || months.length !== 1 || typeof change.value !== "bigint" || typeof now.value !== "bigint") return null;
  const days = endDay - firstDay;
  const daysBefore = Math.round((Date.parse(`${asked.period}-01T00:00:00Z`) - Date.parse(`${previous}-01T00:00:00Z`)) / 86_400_000);
  const before = now.value - change.value;
  if (days === daysBefore || before <= 0n) return null;
  const ratio = share(now.value * BigInt(daysBefore) - before * BigInt(days), before * BigInt(days));
  if (ratio === null) return null;
  const key = Math.abs(ratio) < 0.0005 ? "same" : ratio > 0 ? "more" : "less";
  const params = { previous: { period: previous, short: isMonthOfSameYear(asked.period, previous) }, days: { number: days }, daysBefore: { number: daysBefore } };
  return message(`review.context.per-day-${key}`, key === "same" ? params : { ...params, ratio: { ratio: Math.abs(ratio) } });
}

/** GPU money by billing month against the same by UTC hours: shown where the two stand on one page and differ. */
export function monthsAgainstHours(gathered: Gathered, hours: GpuHourFacts): Message | null {
  if (gathered.currency === null || hours.rows.length === 0) return null;
  const effective = gathered.charges(lineKeys).filter(({ chargeClass }) => chargeClass === "gpu");
  const byMonth = effective.reduce((total, { effectiveAttos }) => (effectiveAttos === null ? total : total + effectiveAttos), 0n);
  const byHour = sumGpuHours(hours.rows).costAttos;
  if (byMonth === byHour) return null;
  const money = (attos: bigint): MessageParam => ({ money: attos, currency: gathered.currency ?? "" });
  return message("report.context.months-against-hours", { byMonth: money(byMonth), byHour: money(byHour), difference: { ...money(byHour - byMonth), signed: true } as MessageParam });
}

function tiles(gathered: Gathered, charges: ChargeFacts, hours: GpuHourFacts): FiguresBlock {
  const months = trendMonths(gathered);
  const trend = trendCharges(gathered, months);
  const ofMonth = (month: string): ChargeFacts => ({ ...charges, rows: trend.filter((line) => line.month === month), previousRows: null });
  const hoursOfMonth = months.map((month) => ({ ...hours, rows: gathered.gpuHoursOf(month) }));
  const previousHours = previousHoursOf(gathered, hours, months, hoursOfMonth);
  const previousCharges: ChargeFacts | null = charges.previousRows === null ? null : { ...charges, rows: charges.previousRows, previousRows: null };
  const series = (valueAt: (month: string, index: number) => Figure): Tile["series"] => months.map((month, index) => ({ at: month, value: valueAt(month, index).value }));
  const hoursAt = (index: number): GpuHourFacts => hoursOfMonth[index] ?? { ...hours, rows: [] };
  const [useful, utilization, savings] = [usefulGpuHourCost.figure(hours), gpuUtilization.figure(hours), effectiveSavingsRate.figure(charges)];
  return {
    kind: "figures",
    id: "tiles",
    title: null,
    tiles: [
      {
        id: "spend",
        label: message("metric.spend.name"),
        figure: spend.figure(charges),
        explain: refTo(gathered, "spend"),
        note: changeNote(gathered, charges),
        series: series((month) => spend.figure(ofMonth(month))),
      },
      {
        id: "useful-gpu-hour-cost",
        label: message("tile.useful-gpu-hour-cost"),
        figure: useful,
        explain: refTo(gathered, "useful-gpu-hour-cost"),
        note: previousNote(gathered, useful, previousHours === null ? null : usefulGpuHourCost.figure(previousHours)),
        series: series((_, index) => usefulGpuHourCost.figure(hoursAt(index))),
      },
      {
        id: "gpu-utilization",
        label: message("metric.gpu-utilization.name"),
        figure: utilization,
        explain: refTo(gathered, "gpu-utilization"),
        note: previousNote(gathered, utilization, previousHours === null ? null : gpuUtilization.figure(previousHours), "tile.note.counter-previous", "tile.note.counter", { counter: counterName(hours.counter) }),
        series: series((_, index) => gpuUtilization.figure(hoursAt(index))),
      },
      {
        id: "effective-savings-rate",
        label: message("tile.effective-savings-rate"),
        figure: savings,
        explain: refTo(gathered, "effective-savings-rate"),
        note: previousNote(gathered, savings, previousCharges === null ? null : effectiveSavingsRate.figure(previousCharges)),
        series: series((month) => effectiveSavingsRate.figure(ofMonth(month))),
      },
    ],
  };
}

/** GPU-hours of the period before: a month of the trend, or several months of it added. */
function previousHoursOf(gathered: Gathered, hours: GpuHourFacts, months: readonly string[], ofMonths: readonly GpuHourFacts[]): GpuHourFacts | null {
  if (gathered.previous === null) return null;
  const count = gathered.months.length;
  const before = months.slice(-2 * count, -count);
  if (before.length < count) return null;
  const rows = ofMonths.slice(-2 * count, -count).flatMap((facts) => facts.rows);
  return { ...hours, rows };
}

function changeNote({ previous, asked }: Gathered, charges: ChargeFacts): Message | null {
  const [now, change] = [spend.figure(charges), spendChange.figure(charges)];
  if (previous === null || typeof now.value !== "bigint" || typeof change.value !== "bigint") return message("tile.note.no-previous");
  const before = now.value - change.value;
  const ratio = before > 0n ? share(change.value, before) : null;
  if (ratio === null) return null;
  return message("tile.note.change", { ratio: { ratio, signed: true }, previous: { period: previous, short: isMonthOfSameYear(asked.period, previous) } });
}

function previousNote({ previous, asked }: Gathered, now: Figure, before: Figure | null, key = "tile.note.previous", alone?: string, params: Message["params"] = {}): Message | null {
  if (now.value === null && now.why !== undefined) return message(`why.${now.why}`);
  if (previous === null || before === null || before.value === null) return alone === undefined ? null : message(alone, params);
  return message(key, { ...params, figure: { figure: before }, previous: { period: previous, short: isMonthOfSameYear(asked.period, previous) } });
}

function bridgeTable(gathered: Gathered, charges: ChargeFacts, previousRows: readonly ChargeRow[]): TableBlock {
  const currency = charges.currency;
  const parts = bridgeOf(previousRows, charges.rows);
  const previous = gathered.previous ?? "";
  const change = (attos: bigint): Cell => shown(amount("spend-change", attos, currency));
  const detail = bridgeDetails(parts, previousRows, charges.rows);
  const causes: readonly (readonly [string, bigint, Row["tone"] | undefined])[] = [
    ["volume", parts.volume, undefined],
    ["mix", parts.mix, undefined],
    ["price", parts.price, undefined],
    ["new", parts.added, undefined],
    ["gone", parts.gone, undefined],
    ["gpu-without-hours", parts.gpuWithoutHours, undefined],
    ["unused-commitments", parts.unusedCommitments, "committed"],
    ["purchases", parts.purchases, undefined],
    ["other-services", parts.otherServices, undefined],
    ["tax", parts.tax, undefined],
    ["credits", parts.credits, undefined],
  ];
  const always = new Set(["volume", "mix", "price", "new", "gone", "unused-commitments", "other-services"]);
  const rows = causes
    .filter(([id, attos]) => always.has(id) || attos !== 0n)
    .map(([id, attos, tone]) => row(id, [words(`bridge.${id}`), detail(id), change(attos)], tone));
  return {
    kind: "table",
    id: "bridge",
    title: message("bridge.title"),
    note: message("bridge.note", { change: { money: parts.now - parts.before, currency, signed: true }, previous: { period: previous, short: isMonthOfSameYear(gathered.asked.period, previous) } }),
    chart: "bridge",
    columns: [
      column("cause", "text", 1, message("column.cause")),
      column("detail", "text", 2, message("column.detail")),
      column("amount", "figure", 1, message("column.amount-in", { currency: { text: currency } }), true),
    ],
    rows: [
      row("previous", [words("bridge.period", { period: { period: previous } }), notApplicable, shown(amount("spend", parts.before, currency), { ...refTo(gathered, "spend"), period: previous })]),
      ...rows,
    ],
    total: row("total", [
      words("bridge.period", { period: { period: gathered.asked.period } }),
      notApplicable,
      shown(amount("spend", parts.now, currency, charges.billCoverage), refTo(gathered, "spend")),
    ]),
  };
}

/** What stands small beside a cause: hours for volume, the largest line for new and gone. */
function bridgeDetails(parts: Bridge, before: readonly ChargeRow[], now: readonly ChargeRow[]): (cause: string) => Cell {
  const keysOf = (rows: readonly ChargeRow[]): Set<string> => new Set(rows.filter(isGpuLine).map(gpuKey));
  const [had, has] = [keysOf(before), keysOf(now)];
  const largest = (rows: readonly ChargeRow[], without: ReadonlySet<string>): Cell => {
    const group = groupsBy(rows.filter((line) => isGpuLine(line) && !without.has(gpuKey(line))), gpuKey, costOf)[0];
    const line = group?.rows[0];
    return line === undefined ? notApplicable : { message: lineMessage(line) };
  };
  return (cause) => {
    if (cause === "volume" && parts.gpuHoursChange !== null) return words("bridge.detail.gpu-hours", { hours: { number: parts.gpuHoursChange, digits: 0, signed: true } });
    if (cause === "new") return largest(now, had);
    if (cause === "gone") return largest(before, has);
    return notApplicable;
  };
}

interface Line {
  readonly id: string;
  readonly sample: ChargeRow;
  readonly now: readonly ChargeRow[];
  readonly before: readonly ChargeRow[];
  readonly cost: bigint;
  readonly change: bigint;
}

function movers(gathered: Gathered, charges: ChargeFacts): TableBlock {
  const { currency } = charges;
  const hasPrevious = charges.previousRows !== null;
  const lines = linesOf(charges.rows, charges.previousRows ?? []);
  const weight = (line: Line): bigint => magnitude(hasPrevious ? line.change : line.cost);
  const sorted = [...lines].sort((a, b) => (weight(a) > weight(b) ? -1 : weight(a) < weight(b) ? 1 : compareNames(a.id, b.id)));
  const top = sorted.slice(0, MOVERS).filter((line) => weight(line) !== 0n);
  const rest = sorted.filter((line) => !top.includes(line));
  const change = (attos: bigint): Cell => (hasPrevious ? shown(amount("spend-change", attos, currency)) : { absent: "no-previous-period" });
  const cells = (line: Line): Cell[] => [
    nameCell(line.sample.team, "team.none"),
    { message: lineMessage(line.sample) },
    line.now.length === 0 ? notApplicable : shown(amount("spend", line.cost, currency, charges.billCoverage), lineRef(gathered, line.sample)),
    change(line.change),
    hasPrevious ? reasonOf(line, currency) : notApplicable,
  ];
  const sum = (of: (line: Line) => bigint, from: readonly Line[]): bigint => from.reduce((total, line) => total + of(line), 0n);
  const rows = top.map((line) => row(line.id, cells(line)));
  if (rest.length > 0) {
    rows.push(row("all-other", [
      words("row.all-other-lines", { count: { count: rest.length } }),
      notApplicable,
      shown(amount("spend", sum(({ cost }) => cost, rest), currency, charges.billCoverage)),
      change(sum((line) => line.change, rest)),
      notApplicable,
    ], "muted"));
  }
  return {
    kind: "table",
    id: "movers",
    title: message(hasPrevious ? "movers.title" : "movers.title-first"),
    note: message("note.in-currency", { currency: { text: currency } }),
    chart: null,
    columns: [
      column("team", "text", 1, message("column.team")),
      column("line", "text", 1, message("column.line")),
      column("spend", "figure", 1, message("column.period", { period: { period: gathered.asked.period } })),
      column("change", "figure", 1, message("column.change"), true),
      column("reason", "text", 2, message("column.reason")),
    ],
    rows,
    total: row("total", [
      words("row.total"),
      notApplicable,
      shown(spend.figure(charges), refTo(gathered, "spend")),
      hasPrevious ? shown(spendChange.figure(charges), refTo(gathered, "spend-change")) : { absent: "no-previous-period" },
      notApplicable,
    ]),
  };
}

/** GPU lines by team, provider, model and way of buying; other usage by team, provider and service; the rest by kind and provider. */
function linesOf(now: readonly ChargeRow[], before: readonly ChargeRow[]): Line[] {
  const lines = new Map<string, { sample: ChargeRow; now: ChargeRow[]; before: ChargeRow[] }>();
  for (const [rows, side] of [[now, "now"], [before, "before"]] as const) {
    for (const line of rows) {
      const known = lines.get(lineKey(line)) ?? { sample: line, now: [], before: [] };
      known[side].push(line);
      lines.set(lineKey(line), known);
    }
  }
  return [...lines].map(([id, line]) => {
    const [cost, was] = [line.now.reduce((total, entry) => total + costOf(entry), 0n), line.before.reduce((total, entry) => total + costOf(entry), 0n)];
    return { id, ...line, cost, change: cost - was };
  });
}

function lineKey(line: ChargeRow): string {
  if (line.chargeClass === "gpu") return gpuKey(line);
  if (line.chargeClass === "other") return JSON.stringify(["other", line.team, line.provider, line.service]);
  return JSON.stringify([line.chargeClass, line.team, line.provider]);
}

function gpuKey({ team, provider, gpuModel, purchaseOption }: ChargeRow): string {
  return JSON.stringify(["gpu", team, provider, gpuModel, purchaseOption]);
}

function isGpuLine({ chargeClass }: ChargeRow): boolean {
  return chargeClass === "gpu";
}

function costOf({ costAttos }: ChargeRow): bigint {
  return costAttos === null ? 0n : costAttos;
}

function lineMessage(line: ChargeRow): Message {
  const provider: MessageParam = line.provider === null ? { message: message("provider.none") } : { text: line.provider };
  if (line.chargeClass === "gpu") return message("line.gpu", { provider, gpuModel: { text: line.gpuModel ?? "" }, option: { message: optionMessage(line.purchaseOption) } });
  if (line.chargeClass === "other") return message("line.service", { provider, service: line.service === null ? { message: message("service.none") } : { text: line.service } });
  return message(`line.${line.chargeClass}`, { provider });
}

function lineRef(gathered: Gathered, line: ChargeRow): ReturnType<typeof refTo> {
  const params = { chargeClass: line.chargeClass, ...(line.chargeClass === "gpu" ? { purchaseOption: line.purchaseOption ?? "" } : {}) };
  const scope = { team: [line.team], provider: [line.provider] };
  if (line.chargeClass === "gpu") return refTo(gathered, "spend", { ...scope, gpuModel: [line.gpuModel] }, params);
  if (line.chargeClass === "other") return refTo(gathered, "spend", { ...scope, service: [line.service] }, params);
  return refTo(gathered, "spend", scope, params);
}

/** Why a line moved: it is new, it is gone, its price moved more than its hours, or its hours did; without hours nothing is claimed. */
function reasonOf(line: Line, currency: string): Cell {
  if (line.before.length === 0) return words("reason.new");
  if (line.now.length === 0) return words("reason.gone");
  const [from, to] = [hoursOf(line.before), hoursOf(line.now)];
  const costBefore = line.cost - line.change;
  if (line.sample.chargeClass !== "gpu" || from === null || to === null || from <= 0 || to <= 0) return notApplicable;
  const [priceBefore, priceNow] = [Number(costBefore) / from, Number(line.cost) / to];
  const byPrice = (priceNow - priceBefore) * to;
  const byHours = (to - from) * priceBefore;
  if (Math.abs(byPrice) > Math.abs(byHours)) {
    return words("reason.price", { before: { money: BigInt(Math.round(priceBefore)), currency }, now: { money: BigInt(Math.round(priceNow)), currency } });
  }
  return words("reason.hours", { hours: { number: to - from, digits: 0, signed: true } });
}

function hoursOf(rows: readonly ChargeRow[]): number | null {
  let total = 0;
  for (const { gpuHours } of rows) {
    if (gpuHours === null) return null;
    total += gpuHours;
  }
  return total;
}

/** Teams, then what belongs to none of them, so that the table closes to the total. */
function teams(gathered: Gathered, charges: ChargeFacts, hours: GpuHourFacts): TableBlock {
  const { currency } = charges;
  const hasPrevious = charges.previousRows !== null;
  const isUnused = ({ chargeClass }: ChargeRow): boolean => chargeClass === "unused-commitment";
  const previousRows = charges.previousRows ?? [];
  const factsOf = (keep: (line: ChargeRow) => boolean): ChargeFacts => ({
    ...charges,
    rows: charges.rows.filter(keep),
    previousRows: hasPrevious ? previousRows.filter(keep) : null,
  });
  // A part without rows in a period that has a bill cost nothing then: a true zero.
  const money = (facts: ChargeFacts): bigint => facts.rows.reduce((total, line) => total + costOf(line), 0n);
  const before = (facts: ChargeFacts): bigint => (facts.previousRows ?? []).reduce((total, line) => total + costOf(line), 0n);
  const spendCells = (facts: ChargeFacts, narrowedTo: Parameters<typeof refTo>[2], params: Readonly<Record<string, string>>): Cell[] => [
    shown(amount("spend", money(facts), currency, charges.billCoverage), refTo(gathered, "spend", narrowedTo, params)),
    hasPrevious ? shown(amount("spend-change", money(facts) - before(facts), currency), refTo(gathered, "spend-change", narrowedTo, params)) : { absent: "no-previous-period" },
  ];
  const gpuCells = (facts: GpuHourFacts, narrowedTo: Parameters<typeof refTo>[2]): Cell[] =>
    facts.rows.length === 0
      ? [notApplicable, notApplicable, notApplicable]
      : [
          shown(gpuUtilization.figure(facts), refTo(gathered, "gpu-utilization", narrowedTo)),
          shown(idleCost.figure(facts), refTo(gathered, "idle-cost", narrowedTo)),
          shown(usefulGpuHourCost.figure(facts), refTo(gathered, "useful-gpu-hour-cost", narrowedTo)),
        ];
  const names = distinctNames([...charges.rows, ...previousRows].filter((line) => !isUnused(line)).map(({ team }) => team).concat(hours.rows.map(({ team }) => team)));
  const rowOf = (team: string | null): { readonly cost: bigint; readonly row: Row } => {
    const facts = factsOf((line) => line.team === team && !isUnused(line));
    const ownHours = gathered.gpuHourFacts(hours.rows.filter((entry) => entry.team === team));
    const cells = [nameCell(team, "team.none"), ...spendCells(facts, { team: [team] }, { without: "unused-commitment" }), ...gpuCells(ownHours, { team: [team] })];
    return { cost: money(facts), row: row(team === null ? "not-allocated" : `team ${team}`, cells, team === null ? "muted" : "plain") };
  };
  const rows = names
    .filter((team) => team !== null)
    .map(rowOf)
    .sort((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : compareNames(a.row.id, b.row.id)))
    .map((entry) => entry.row);
  const unused = factsOf(isUnused);
  if (unused.rows.length > 0 || (unused.previousRows?.length ?? 0) > 0) {
    rows.push(row("unused-commitments", [words("row.unused-commitments"), ...spendCells(unused, {}, { chargeClass: "unused-commitment" }), notApplicable, notApplicable, notApplicable], "committed"));
  }
  if (names.includes(null)) rows.push(rowOf(null).row);
  const columns: Column[] = [
    column("team", "text", 1, message("column.team")),
    column("spend", "figure", 1, message("column.actual")),
    column("change", "figure", 2, message("column.change"), true),
    column("utilization", "figure", 1, message("column.utilization")),
    column("idle", "figure", 1, message("column.idle")),
    column("useful", "figure", 1, message("column.useful")),
  ];
  return {
    kind: "table",
    id: "teams",
    title: message("teams.title"),
    note: message("note.in-currency", { currency: { text: currency } }),
    chart: null,
    columns,
    rows,
    total: row("total", [
      words("row.total"),
      shown(spend.figure(charges), refTo(gathered, "spend")),
      hasPrevious ? shown(spendChange.figure(charges), refTo(gathered, "spend-change")) : { absent: "no-previous-period" },
      ...gpuCells(hours, {}),
    ]),
  };
}

function closing(gathered: Gathered, charges: ChargeFacts, hours: GpuHourFacts): NotesBlock {
  const [used, covered, unused] = [commitmentUtilization.figure(charges), commitmentCoverage.figure(charges), unusedCommitmentCost.figure(charges)];
  const commitmentLines: Message[] = [];
  if (used.value === null) commitmentLines.push(message("closing.commitments.none"));
  else {
    commitmentLines.push(message("closing.commitments.used", {
      used: { figure: used, explain: refTo(gathered, "commitment-utilization") },
      unused: { figure: unused, explain: refTo(gathered, "unused-commitment-cost") },
    }));
    commitmentLines.push(
      covered.value === null
        ? message("closing.commitments.coverage-unknown")
        : message("closing.commitments.coverage", { covered: { figure: covered, explain: refTo(gathered, "commitment-coverage") } }),
    );
  }
  const gpu = gpuSpend.figure(charges);
  const gpuLines: Message[] = [];
  if (gpu.value === null || gpu.value === 0n) gpuLines.push(message("closing.gpu.none"));
  else {
    const total = spend.figure(charges).value;
    const ratio = typeof total === "bigint" && typeof gpu.value === "bigint" ? share(gpu.value, total) : null;
    const figure = { figure: gpu, explain: refTo(gathered, "gpu-spend") };
    gpuLines.push(ratio === null ? message("closing.gpu.spend", { gpuSpend: figure }) : message("closing.gpu.spend-share", { gpuSpend: figure, ratio: { ratio } }));
  }
  const telemetryLines: Message[] = [];
  const byHours = telemetryCoverage.figure(hours);
  const byCost = telemetryCoverageByCost(hours);
  if (byHours.value === null) telemetryLines.push(message("closing.telemetry.no-gpu-hours"));
  else if (byHours.value === 0) telemetryLines.push(message("closing.telemetry.none", { cost: { figure: gpuHoursCost.figure(hours), explain: refTo(gathered, "gpu-hours-cost") } }));
  else {
    const hoursParam = { figure: byHours, explain: refTo(gathered, "telemetry-coverage") };
    telemetryLines.push(byCost === null ? message("closing.telemetry.by-hours", { hours: hoursParam }) : message("closing.telemetry.both", { hours: hoursParam, cost: { ratio: byCost } }));
    const unmatched = unmatchedGpuCost.figure(hours);
    if (typeof unmatched.value === "bigint" && unmatched.value !== 0n) {
      telemetryLines.push(message("closing.telemetry.unmatched", { cost: { figure: unmatched, explain: refTo(gathered, "unmatched-gpu-cost") } }));
    }
  }
  return {
    kind: "notes",
    id: "closing",
    notes: [
      { id: "commitments", title: message("closing.commitments.title"), tone: "committed", lines: commitmentLines },
      { id: "gpu", title: message("closing.gpu.title"), tone: "plain", lines: gpuLines },
      { id: "telemetry", title: message("closing.telemetry.title"), tone: "unknown", lines: telemetryLines },
      carbonNote(gathered),
    ],
  };
}

function costOfClass(rows: readonly ChargeRow[], chargeClass: ChargeClass): bigint {
  return rows.reduce((total, line) => (line.chargeClass === chargeClass ? total + costOf(line) : total), 0n);
}
