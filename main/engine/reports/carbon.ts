/** What did it emit, and how sure are we? */
import { energyGrades, energyTiers, type CarbonAmounts, type CarbonFactorUse, type CarbonRow, type CarbonSpan } from "../../../shared/contract/carbon.ts";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { Block, Cell, FiguresBlock, Message, MessageParam, NotesBlock, ReportDocument, ReportRequest, TableBlock, Tile } from "../../../shared/contract/report.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { gradeOf } from "../carbon/rows.ts";
import { carbonCost, costOfMicrograms } from "../metrics/carbon-cost.ts";
import { carbonSums, energyBasis, energyFigure, factsOfWork, totalCoverage, totalMicrograms, whyNoEmissions, type CarbonFacts, type WorkDone } from "../metrics/carbon-facts.ts";
import { carbonPerGpuHour } from "../metrics/carbon-per-gpu-hour.ts";
import { carbonPerMoney } from "../metrics/carbon-per-money.ts";
import { carbonPerUnitOfWork } from "../metrics/carbon-per-unit-of-work.ts";
import { carbonPerUsefulGpuHour } from "../metrics/carbon-per-useful-gpu-hour.ts";
import { emissionsEmbodied } from "../metrics/emissions-embodied.ts";
import { emissionsLocation } from "../metrics/emissions-location.ts";
import { emissionsMarket } from "../metrics/emissions-market.ts";
import { emissionsTotal } from "../metrics/emissions-total.ts";
import { energyIdle } from "../metrics/energy-idle.ts";
import { energyKwh } from "../metrics/energy-kwh.ts";
import { energyMeasured } from "../metrics/energy-measured.ts";
import { figureOf, share, type Metric } from "../metrics/metric.ts";
import { waterLitres } from "../metrics/water-litres.ts";
import { carbonFacts, carbonSumsOf, gapsOf, workCounted } from "./carbon-rows.ts";
import { calculationTable, energyWeight, factorsTable, gapsTable, hoursCell } from "./carbon-tables.ts";
import { column, groupsBy, nameCell, notApplicable, row, shown, text, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { gather, provenanceOf, refTo, trendMonths, type Gathered } from "./gather.ts";

/** Prices of a tonne that the scenario puts in beside the company's own: inputs, not quotations. */
const SCENARIO_PRICES = ["50", "100", "200"];

export function readCarbon(context: ReportContext, request: ReportRequest): Result<ReportDocument> {
  const gathered = gather(context, request);
  if (gathered === null) return err(ledgerError("period.invalid", { text: request.period }));
  if (gathered.isEmpty) return err(ledgerError("report.no-data", { period: request.period }));
  const read = carbonSumsOf(context, gathered.asked);
  if (!read.ok) return read;
  const { rows, factors, settings } = read.value;
  const facts = carbonFacts(rows, gathered.currency, settings);
  const gaps = gapsOf(rows);
  const blocks: Block[] = [];
  if (rows.length > 0) {
    blocks.push(
      tiles(gathered, facts),
      splitTable(gathered, facts, "team", ({ team }) => team, "team.none"),
      splitTable(gathered, facts, "region", ({ region }) => region, "region.none"),
      splitTable(gathered, facts, "provider", ({ provider }) => provider, "provider.none"),
      splitTable(gathered, facts, "gpuModel", ({ gpuModel }) => gpuModel, "gpu.none"),
      scopes(facts),
      quality(facts),
      ranges(gathered, facts),
      intensities(gathered, facts),
      prices(gathered, facts),
      calculationTable(facts, factors),
      factorsTable(factors),
    );
    if (gaps.length > 0) blocks.push(gapsTable(gaps));
    blocks.push(notes(gathered, facts, factors));
  }
  return ok({
    report: "carbon",
    request,
    period: gathered.period,
    currency: gathered.currency,
    otherCurrencies: gathered.otherCurrencies,
    provenance: provenanceOf(gathered),
    title: message("carbon.title", { period: { period: request.period } }),
    answer: answer(gathered, facts),
    context: contextLines(gathered, facts),
    blocks,
  });
}

function answer(gathered: Gathered, facts: CarbonFacts): Message {
  const period: MessageParam = { period: gathered.asked.period };
  if (facts.rows.length === 0) return message("carbon.answer.no-gpu", { period });
  const sums = carbonSums(facts);
  const energy: MessageParam = { figure: energyKwh.figure(facts), explain: refTo(gathered, "energy-kwh") };
  if (sums.facilityMilliwattHours === null) return message("carbon.answer.no-energy", { period });
  if (sums.locationMicrograms === null || sums.locationSpan === null) return message("carbon.answer.no-factor", { period, energy });
  const span = sums.locationSpan;
  return message("carbon.answer.full", {
    period,
    energy,
    location: weight(span.central),
    low: weight(span.low),
    high: weight(span.high),
    market: sums.marketMicrograms === null ? { text: "—" } : weight(sums.marketMicrograms),
  });
}

/** Two significant digits, in tonnes or kilograms (model f.7: no headline says more than its factors do). */
function weight(micrograms: bigint): MessageParam {
  const kilo = Number(micrograms) / 1e9;
  const isTonnes = Math.abs(kilo) >= 1000;
  const value = isTonnes ? kilo / 1000 : kilo;
  const exponent = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  return { message: message(isTonnes ? "carbon.weight.tonnes" : "carbon.weight.kilograms", { amount: { number: Number(value.toPrecision(2)), digits: Math.max(0, 1 - exponent) } }) };
}

/** The closing note of other reports: emissions by place and by market, their range, and how much of the energy was measured. */
export function carbonNote(gathered: Gathered): NotesBlock["notes"][number] {
  const read = carbonSumsOf(gathered.context, gathered.asked);
  const facts = read.ok ? carbonFacts(read.value.rows, gathered.currency, read.value.settings) : null;
  const note = (tone: "plain" | "unknown", lines: readonly Message[]): NotesBlock["notes"][number] => ({ id: "carbon", title: message("monthly.carbon.title"), tone, lines });
  if (facts === null || facts.rows.length === 0) return note("unknown", [message("carbon.note.no-gpu")]);
  const { locationMicrograms: location, marketMicrograms: market, locationSpan: span } = carbonSums(facts);
  if (location === null || span === null || market === null) return note("unknown", [message("carbon.note.not-calculated")]);
  const line = message("carbon.note.emitted", { location: weight(location), low: weight(span.low), high: weight(span.high), market: weight(market), energy: { figure: energyKwh.figure(facts), explain: refTo(gathered, "energy-kwh") } });
  return note("plain", [line, measuredLine(gathered, facts)]);
}

function measuredLine(gathered: Gathered, facts: CarbonFacts): Message {
  const measured = energyMeasured.figure(facts);
  return message(measured.value === null ? "carbon.context.none-measured" : "carbon.context.measured", { ratio: { figure: measured, explain: refTo(gathered, "energy-measured") } });
}

function contextLines(gathered: Gathered, facts: CarbonFacts): Message[] {
  if (facts.rows.length === 0) return [];
  const sums = carbonSums(facts);
  const lines = [measuredLine(gathered, facts)];
  const idle = energyIdle.figure(facts);
  if (typeof idle.value === "number" && idle.value > 0) lines.push(message("carbon.context.idle", { energy: { figure: idle, explain: refTo(gathered, "energy-idle") } }));
  const located = share(sums.covered.location, sums.gpuHours);
  if (located !== null && located < 1) lines.push(message("carbon.context.location-covered", { ratio: { ratio: located } }));
  if (sums.covered.market < sums.gpuHours) lines.push(message(sums.covered.market === 0 ? "carbon.context.market-is-grid" : "carbon.context.market-partly", { ratio: { ratio: share(sums.covered.market, sums.gpuHours) ?? 0 } }));
  return lines;
}

function tiles(gathered: Gathered, facts: CarbonFacts): FiguresBlock {
  const months = trendMonths(gathered);
  const trend = months.map((month) => {
    const read = carbonSumsOf(gathered.context, { period: month, scope: gathered.asked.scope });
    return { at: month, facts: read.ok ? { ...facts, rows: read.value.rows } : null };
  });
  const tile = (metric: Metric<CarbonFacts>, note: Message | null): Tile => ({
    id: metric.id,
    label: message(`carbon.tile.${metric.id}`),
    figure: metric.figure(facts),
    explain: refTo(gathered, metric.id),
    note,
    series: trend.map(({ at, facts: of }) => ({ at, value: of === null || of.rows.length === 0 ? null : metric.figure(of).value })),
  });
  const range = (span: CarbonSpan | null): Message | null => (span === null ? null : message("carbon.tile.range", { low: weight(span.low), high: weight(span.high) }));
  const sums = carbonSums(facts);
  return {
    kind: "figures",
    id: "tiles",
    title: null,
    tiles: [
      tile(energyKwh, message("carbon.tile.measured", { ratio: { figure: energyMeasured.figure(facts) } })),
      tile(emissionsLocation, range(sums.locationSpan)),
      tile(emissionsMarket, sums.covered.market === 0 ? message("carbon.tile.market-is-grid") : message("carbon.tile.market-covered", { ratio: { ratio: share(sums.covered.market, sums.gpuHours) ?? 0 } })),
      tile(emissionsEmbodied, range(sums.embodiedMicrograms)),
      tile(carbonPerGpuHour, message("carbon.tile.location-embodied")),
    ],
  };
}

function splitTable(gathered: Gathered, facts: CarbonFacts, dimension: "team" | "region" | "provider" | "gpuModel", of: (entry: CarbonRow) => string | null, keyOfNone: string): TableBlock {
  const shownMetrics: readonly Metric<CarbonFacts>[] = [energyKwh, energyIdle, emissionsLocation, emissionsMarket, emissionsEmbodied, carbonPerGpuHour, energyMeasured];
  const cells = (part: CarbonFacts, scope: Scope): Cell[] => [
    hoursCell(carbonSums(part).gpuHours),
    ...shownMetrics.map((metric) => shown(metric.figure(part), refTo(gathered, metric.id, scope))),
    gradeCell(carbonSums(part)),
  ];
  return {
    kind: "table",
    id: `by-${dimension}`,
    title: message(`explain.by.${dimension}`),
    note: message("carbon.split.note"),
    chart: null,
    columns: [
      column("name", "text", 1, message(`column.${dimension === "gpuModel" ? "gpu" : dimension}`)),
      column("gpu-hours", "figure", 2, message("column.gpu-hours")),
      column("energy", "figure", 1, message("carbon.column.kwh")),
      column("idle", "figure", 2, message("carbon.column.idle-kwh")),
      column("location", "figure", 1, message("carbon.column.location")),
      column("market", "figure", 1, message("carbon.column.market")),
      column("embodied", "figure", 1, message("carbon.column.embodied")),
      column("per-hour", "figure", 1, message("carbon.column.per-hour")),
      column("measured", "figure", 2, message("carbon.column.measured")),
      column("grade", "text", 1, message("carbon.column.grade")),
    ],
    rows: groupsBy(facts.rows, of, energyWeight).map(({ key, rows }) => row(`${dimension} ${key}`, [nameCell(key, keyOfNone), ...cells({ ...facts, rows }, { [dimension]: [key] })])),
    total: row("total", [words("row.total"), ...cells(facts, {})]),
  };
}

function gradeCell({ tiers }: CarbonAmounts): Cell {
  const grade = gradeOf(tiers);
  return grade === null ? { absent: "no-energy" } : text(grade);
}

/** Scope 2 for hardware that the company runs itself, Scope 3 for the cloud's: location and market side by side. */
function scopes(facts: CarbonFacts): TableBlock {
  const cells = (part: CarbonFacts): Cell[] => [energyKwh, emissionsLocation, emissionsMarket, emissionsEmbodied].map((metric) => shown(metric.figure(part)));
  return {
    kind: "table",
    id: "scopes",
    title: message("carbon.scopes.title"),
    note: message("carbon.scopes.note"),
    chart: null,
    columns: [
      column("scope", "text", 1, message("carbon.column.scope")),
      column("energy", "figure", 1, message("carbon.column.kwh")),
      column("location", "figure", 1, message("carbon.column.location")),
      column("market", "figure", 1, message("carbon.column.market")),
      column("embodied", "figure", 1, message("carbon.column.embodied")),
    ],
    rows: groupsBy(facts.rows, ({ ghgScope }) => String(ghgScope), energyWeight).map(({ key, rows }) => row(`scope ${key}`, [words(`carbon.scope.${key}`), ...cells({ ...facts, rows })])),
    total: row("total", [words("row.total"), ...cells(facts)]),
  };
}

/** How the energy is known: measured, modeled, assumed, not at all. */
function quality(facts: CarbonFacts): TableBlock {
  const sums = carbonSums(facts);
  const all = sums.gpuMilliwattHours;
  const ratio = (energy: bigint): Cell => shown(figureOf("energy-gpu", all === null ? null : share(energy, all), "ratio", "derived", 1, "no-energy"));
  const rows = energyTiers.map((tier) => {
    const { gpuHours, milliwattHours } = sums.tiers[tier];
    const basis = tier === "counter" || tier === "power" ? "measured" : "assumed";
    return row(`grade ${energyGrades[tier]}`, [text(energyGrades[tier]), words(`carbon.grade.${tier}`), hoursCell(gpuHours), shown(energyFigure("energy-gpu", milliwattHours, basis, 1)), ratio(milliwattHours)]);
  });
  if (sums.powerUnknownGpuHours > 0) rows.push(row("grade unknown", [notApplicable, words("carbon.grade.unknown"), hoursCell(sums.powerUnknownGpuHours), { absent: "no-energy" }, notApplicable], "unknown"));
  return {
    kind: "table",
    id: "quality",
    title: message("carbon.quality.title"),
    note: message("carbon.quality.note"),
    chart: null,
    columns: [
      column("grade", "text", 1, message("carbon.column.grade")),
      column("how", "text", 1, message("carbon.column.how")),
      column("gpu-hours", "figure", 1, message("column.gpu-hours")),
      column("energy", "figure", 1, message("carbon.column.gpu-kwh")),
      column("share", "figure", 1, message("column.share")),
    ],
    rows,
    total: row("total", [words("row.total"), notApplicable, hoursCell(sums.gpuHours), shown(energyFigure("energy-gpu", all, energyBasis(sums), 1)), all === null ? { absent: "no-energy" } : ratio(all)]),
  };
}

/** Lows with lows, highs with highs: what the factors and the readings leave open (model f.7). */
function ranges(gathered: Gathered, facts: CarbonFacts): TableBlock {
  const shownMetrics: readonly Metric<CarbonFacts>[] = [emissionsLocation, emissionsMarket, emissionsEmbodied, emissionsTotal];
  return {
    kind: "table",
    id: "ranges",
    title: message("carbon.ranges.title"),
    note: message("carbon.ranges.note"),
    chart: null,
    columns: [
      column("figure", "text", 1, message("carbon.column.figure")),
      column("low", "figure", 1, message("carbon.column.low")),
      column("central", "figure", 1, message("carbon.column.central")),
      column("high", "figure", 1, message("carbon.column.high")),
    ],
    rows: shownMetrics.map((metric) => {
      const figure = metric.figure(facts);
      const bounds = metric.bounds?.(facts) ?? null;
      return row(metric.id, [words(`metric.${metric.id}.name`), shown(bounds?.low ?? figure), shown(figure, refTo(gathered, metric.id)), shown(bounds?.high ?? figure)]);
    }),
    total: null,
  };
}

/** Software carbon intensity by three units: contracts and offsets do not enter (model f.5). */
function intensities(gathered: Gathered, facts: CarbonFacts): TableBlock {
  const line = (metric: Metric<CarbonFacts>): ReturnType<typeof row> => {
    const inputs = metric.inputs(facts);
    const last = inputs.at(-1);
    return row(metric.id, [words(`metric.${metric.id}.name`), shown(metric.figure(facts), refTo(gathered, metric.id)), shown(emissionsTotal.figure(facts), refTo(gathered, "emissions-total")), last === undefined ? notApplicable : shown(last.figure)]);
  };
  const byWork = workCounted(gathered.context.ledger.db, gathered.months).map((work) => {
    const of = factsOfWork(facts, work);
    const [{ unit, team }] = work as [WorkDone];
    const [total, units] = carbonPerUnitOfWork.inputs(of);
    return row(`work ${JSON.stringify([unit, team])}`, [
      team === null ? words("carbon.intensity.work", { unit: { text: unit } }) : words("carbon.intensity.work-of-team", { unit: { text: unit }, team: { text: team } }),
      shown(carbonPerUnitOfWork.figure(of), refTo(gathered, "carbon-per-unit-of-work", {}, team === null ? { unit } : { unit, team })),
      total === undefined ? notApplicable : shown(total.figure),
      units === undefined ? notApplicable : shown(units.figure),
    ]);
  });
  return {
    kind: "table",
    id: "intensity",
    title: message("carbon.intensity.title"),
    note: message("carbon.intensity.note"),
    chart: null,
    columns: [
      column("unit", "text", 1, message("carbon.column.intensity")),
      column("value", "figure", 1, message("carbon.column.grams")),
      column("total", "figure", 1, message("carbon.column.location-embodied")),
      column("units", "figure", 1, message("carbon.column.units")),
    ],
    rows: [...[carbonPerGpuHour, carbonPerUsefulGpuHour, carbonPerMoney].map(line), ...byWork],
    total: null,
  };
}

/** What the emissions would cost at a price of carbon: the company's own, and three more to see how it moves. */
function prices(gathered: Gathered, facts: CarbonFacts): TableBlock {
  const sums = carbonSums(facts);
  const total = totalMicrograms(sums);
  const currency = facts.priceCurrency ?? gathered.currency ?? "";
  const own = facts.pricePerTonne;
  const line = (price: string, isOwn: boolean): ReturnType<typeof row> =>
    row(isOwn ? "own" : `scenario ${price}`, [
      words(isOwn ? "carbon.price.own" : "carbon.price.scenario"),
      shown(figureOf("carbon-cost", costOfMicrograms(1_000_000_000_000n, price), currency, "assumed", 1)),
      isOwn
        ? shown(carbonCost.figure(facts), refTo(gathered, "carbon-cost"))
        : shown(figureOf("carbon-cost", total === null ? null : costOfMicrograms(total, price), currency, "assumed", totalCoverage(sums), whyNoEmissions(sums))),
    ], isOwn ? "useful" : undefined);
  return {
    kind: "table",
    id: "price",
    title: message("carbon.price.title"),
    note: message("carbon.price.note", { currency: { text: currency } }),
    chart: null,
    columns: [
      column("name", "text", 1, message("carbon.column.price-kind")),
      column("price", "figure", 1, message("carbon.column.price")),
      column("cost", "figure", 1, message("carbon.column.price-cost")),
    ],
    rows: [...(own === null ? [] : [line(own, true)]), ...SCENARIO_PRICES.filter((price) => price !== own).map((price) => line(price, false))],
    total: null,
  };
}

/** How it was worked out, and what a reader must not overlook. */
function notes(gathered: Gathered, facts: CarbonFacts, factors: readonly CarbonFactorUse[]): NotesBlock {
  const grids = factors.filter(({ kind }) => kind === "grid");
  const kinds = new Set(grids.map(({ method, boundary, gases }) => JSON.stringify([method, boundary, gases])));
  const sums = carbonSums(facts);
  const method: Message[] = [message("carbon.notes.energy"), message("carbon.notes.host"), message("carbon.notes.market")];
  const lines: NotesBlock["notes"][number][] = [
    { id: "method", title: message("carbon.notes.method-title"), tone: "plain", lines: method },
    { id: "embodied", title: message("carbon.notes.embodied-title"), tone: "plain", lines: [message("carbon.notes.embodied")] },
  ];
  if (kinds.size > 1) {
    lines.push({ id: "mixed", title: message("carbon.notes.mixed-title"), tone: "unknown", lines: [message("carbon.notes.mixed", { kinds: { count: kinds.size } })] });
  }
  const water = waterLitres.figure(facts);
  const ratio: MessageParam = { ratio: share(sums.covered.water, sums.gpuHours) ?? 0 };
  lines.push({
    id: "water",
    title: message("carbon.notes.water-title"),
    tone: water.value === null ? "unknown" : "plain",
    lines: [water.value === null ? message("carbon.notes.no-water") : message("carbon.notes.water", { litres: { figure: water, explain: refTo(gathered, "water-litres") }, ratio })],
  });
  return { kind: "notes", id: "notes", notes: lines };
}
