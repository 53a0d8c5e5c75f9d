/** Tables that the carbon report and the explanation of its figures share: how each line was worked out, on which factors, and what is missing. */
import type { CarbonFactorUse, CarbonFactorUseKind, CarbonGap, CarbonRow } from "../../../shared/contract/carbon.ts";
import type { Cell, Row, TableBlock } from "../../../shared/contract/report.ts";
import type { MetricId } from "../../../shared/domain/figure.ts";
import { carbonSums, energyFigure, type CarbonFacts } from "../metrics/carbon-facts.ts";
import { emissionsEmbodied } from "../metrics/emissions-embodied.ts";
import { emissionsLocation } from "../metrics/emissions-location.ts";
import { emissionsMarket } from "../metrics/emissions-market.ts";
import { energyGpu } from "../metrics/energy-gpu.ts";
import { energyHost } from "../metrics/energy-host.ts";
import { energyKwh } from "../metrics/energy-kwh.ts";
import { figureOf } from "../metrics/metric.ts";
import { column, groupsBy, nameCell, notApplicable, row, shown, text, words } from "./cells.ts";
import { message } from "./context.ts";

/** Hours as a cell. */
export function hoursCell(gpuHours: number): Cell {
  return shown(figureOf("gpu-hours", gpuHours, "gpu-hours", "billed", 1));
}

/** One line for everything that rests on the same factors: multiplied out, each line can be recomputed on paper. */
export function calculationTable(facts: CarbonFacts, factors: readonly CarbonFactorUse[]): TableBlock {
  const byKey = new Map(factors.map((factor) => [factor.key, factor]));
  const keyOf = ({ provider, region, gpuModel, instanceType, factors: own }: CarbonRow): string => JSON.stringify([provider, region, gpuModel, instanceType, own.pue ?? null, own.grid ?? null, own.contract ?? null, own.residual ?? null]);
  const rows = groupsBy(facts.rows, keyOf, energyWeight).map(({ key, rows: lines }, index): Row => {
    const part = { ...facts, rows: lines };
    const sample = lines[0] as CarbonRow;
    const factor = (kind: CarbonFactorUseKind): Cell => {
      const used = byKey.get(sample.factors[kind] ?? "");
      return used === undefined ? { absent: kind === "grid" ? "no-grid-factor" : "not-applicable" } : text(used.value);
    };
    return row(`line ${key}`, [
      text(String(index + 1)),
      nameCell(sample.region, "region.none"),
      nameCell(sample.gpuModel, "gpu.none"),
      nameCell(sample.provider, "provider.none"),
      nameCell(sample.instanceType, "carbon.machine.none"),
      hoursCell(carbonSums(part).gpuHours),
      shown(energyGpu.figure(part)),
      shown(energyHost.figure(part)),
      factor("pue"),
      shown(energyKwh.figure(part)),
      factor("grid"),
      shown(emissionsLocation.figure(part)),
      sample.factors.contract === undefined && sample.factors.residual === undefined ? notApplicable : factor(sample.factors.contract === undefined ? "residual" : "contract"),
      shown(emissionsMarket.figure(part)),
      factor("embodied"),
      shown(emissionsEmbodied.figure(part)),
    ]);
  });
  return {
    kind: "table",
    id: "calculation",
    title: message("carbon.calculation.title"),
    note: message("carbon.calculation.note"),
    chart: null,
    columns: [
      column("line", "text", 1, message("carbon.column.line")),
      column("region", "text", 1, message("column.region")),
      column("model", "text", 1, message("column.gpu")),
      column("provider", "text", 2, message("column.provider")),
      column("machine", "mono", 3, message("carbon.column.machine")),
      column("gpu-hours", "figure", 1, message("column.gpu-hours")),
      column("gpu", "figure", 2, message("carbon.column.gpu-kwh")),
      column("host", "figure", 2, message("carbon.column.host-kwh")),
      column("pue", "figure", 1, message("carbon.column.pue")),
      column("energy", "figure", 1, message("carbon.column.kwh")),
      column("grid", "figure", 1, message("carbon.column.grid")),
      column("location", "figure", 1, message("carbon.column.location")),
      column("contract", "figure", 3, message("carbon.column.contract")),
      column("market", "figure", 2, message("carbon.column.market")),
      column("kilograms", "figure", 3, message("carbon.column.embodied-kg")),
      column("embodied", "figure", 2, message("carbon.column.embodied")),
    ],
    rows,
    total: row("total", [
      words("row.total"), notApplicable, notApplicable, notApplicable, notApplicable, hoursCell(carbonSums(facts).gpuHours), shown(energyGpu.figure(facts)), shown(energyHost.figure(facts)), notApplicable,
      shown(energyKwh.figure(facts)), notApplicable, shown(emissionsLocation.figure(facts)), notApplicable, shown(emissionsMarket.figure(facts)), notApplicable, shown(emissionsEmbodied.figure(facts)),
    ]),
  };
}

/** The lines and the factors of one figure, as wide as the panel beside it: what it does not rest on stays in the exports. */
export function linesOf(metric: MetricId, facts: CarbonFacts, factors: readonly CarbonFactorUse[]): TableBlock[] {
  const { columns, kinds } = restsOn[metric] ?? restsOn["emissions-location"] ?? { columns: [], kinds: [] };
  return [
    narrowed(calculationTable(facts, factors), ["region", "model", ...columns]),
    narrowed(factorsTable(factors.filter(({ kind }) => kinds.includes(kind))), ["kind", "subject", "value", "unit"]),
  ];
}

const energyKinds: readonly CarbonFactorUseKind[] = ["gpu-power", "host-power", "pue"];
const ofPlace = { columns: ["energy", "grid", "location"], kinds: [...energyKinds, "grid"] } as const;
const ofTotal = { columns: ["energy", "grid", "location", "embodied"], kinds: [...energyKinds, "grid", "embodied"] } as const;
const ofGpu = { columns: ["gpu-hours", "gpu"], kinds: ["gpu-power"] } as const;
const restsOn: Partial<Readonly<Record<MetricId, { readonly columns: readonly string[]; readonly kinds: readonly CarbonFactorUseKind[] }>>> = {
  "energy-kwh": { columns: ["gpu", "host", "pue", "energy"], kinds: energyKinds },
  "energy-gpu": ofGpu,
  "energy-idle": ofGpu,
  "energy-held-idle": ofGpu,
  "energy-measured": ofGpu,
  "energy-host": { columns: ["gpu-hours", "host"], kinds: ["host-power"] },
  "emissions-location": ofPlace,
  "emissions-market": { columns: ["energy", "grid", "contract", "market"], kinds: [...energyKinds, "grid", "contract", "residual"] },
  "emissions-embodied": { columns: ["gpu-hours", "kilograms", "embodied"], kinds: ["embodied"] },
  "emissions-total": ofTotal,
  "carbon-per-gpu-hour": ofTotal,
  "carbon-per-useful-gpu-hour": ofTotal,
  "carbon-per-unit-of-work": ofTotal,
  "carbon-per-money": ofTotal,
  "carbon-cost": ofTotal,
  "water-litres": { columns: ["gpu", "host"], kinds: ["gpu-power", "host-power", "water"] },
};

function narrowed(block: TableBlock, shownColumns: readonly string[]): TableBlock {
  const columns = block.columns.map((each) => ({ ...each, priority: shownColumns.includes(each.id) ? (1 as const) : (3 as const) }));
  const label = columns.findIndex(({ priority }) => priority === 1);
  const total = block.total === null ? null : { ...block.total, cells: block.total.cells.map((cell, index) => (index === label ? words("row.total") : cell)) };
  return { ...block, columns, total };
}

/** Every factor with its source: an own one first where it beat a shipped one. */
export function factorsTable(factors: readonly CarbonFactorUse[]): TableBlock {
  return {
    kind: "table",
    id: "factors",
    title: message("carbon.factors.title"),
    note: message("carbon.factors.note"),
    chart: null,
    columns: [
      column("line", "text", 1, message("carbon.column.line")),
      column("kind", "text", 1, message("carbon.column.factor")),
      column("subject", "text", 1, message("carbon.column.subject")),
      column("value", "figure", 1, message("carbon.column.value")),
      column("unit", "text", 1, message("carbon.column.unit")),
      column("range", "text", 2, message("carbon.column.range")),
      column("year", "text", 1, message("carbon.column.year")),
      column("used-for", "text", 3, message("carbon.column.used-for")),
      column("step", "text", 1, message("carbon.column.step")),
      column("boundary", "text", 2, message("carbon.column.boundary")),
      column("energy", "figure", 2, message("carbon.column.rests-on")),
      column("source", "text", 3, message("carbon.column.source")),
      column("licence", "text", 3, message("carbon.column.licence")),
      column("retrieved", "text", 3, message("carbon.column.retrieved")),
      column("beats", "text", 3, message("carbon.column.beats")),
    ],
    rows: factors.map((factor, index) =>
      row(factor.key, [
        text(`F${index + 1}`),
        words(`carbon.factor.${factor.kind}`),
        factor.subject === "" ? text("*") : ofReference(factor.subject),
        text(factor.value),
        words(`carbon.unit.${factor.kind}`),
        factor.low === null || factor.high === null ? notApplicable : text(`${factor.low} – ${factor.high}`),
        factor.year === null ? notApplicable : text(String(factor.year)),
        text(String(factor.usedForYear)),
        words(`carbon.step.${factor.step}`),
        kindCell([factor.boundary, factor.method, factor.gases].filter((part) => part !== null)),
        shown(energyFigure("energy-kwh", factor.facilityMilliwattHours, "derived", 1)),
        ofReference(factor.source),
        factor.licence === "" ? notApplicable : text(factor.licence),
        factor.retrieved === null ? notApplicable : text(factor.retrieved),
        factor.beats === null ? notApplicable : { message: message("carbon.factor.beats", { value: { text: factor.beats.value }, source: { reference: factor.beats.source } }) },
      ], factor.origin === "own" ? "useful" : undefined),
    ),
    total: null,
  };
}

/** A text of the reference tables, in the words of the reader's language. */
function ofReference(reference: string): Cell {
  return { message: message("carbon.factor.reference", { text: { reference } }) };
}

/** Boundary, method and gases of a factor, as far as it states them. */
function kindCell(parts: readonly string[]): Cell {
  const [first, second, third] = parts.map((reference) => ({ reference }));
  if (first === undefined) return notApplicable;
  if (second === undefined) return { message: message("carbon.factor.reference", { text: first }) };
  return { message: third === undefined ? message("carbon.factor.kinds-2", { first, second }) : message("carbon.factor.kinds-3", { first, second, third }) };
}

/** What is not calculated, or rests on a stand-in, and why. */
export function gapsTable(gaps: readonly CarbonGap[]): TableBlock {
  return {
    kind: "table",
    id: "gaps",
    title: message("carbon.gaps.title"),
    note: message("carbon.gaps.note"),
    chart: null,
    columns: [
      column("reason", "text", 1, message("carbon.column.gap")),
      column("subject", "text", 1, message("carbon.column.subject")),
      column("provider", "text", 2, message("column.provider")),
      column("gpu-hours", "figure", 1, message("column.gpu-hours")),
      column("todo", "text", 1, message("carbon.column.todo")),
    ],
    rows: gaps.map((gap) =>
      row(JSON.stringify([gap.reason, gap.provider, gap.subject]), [
        words(`carbon.gap.${gap.reason}`),
        nameCell(gap.subject, "carbon.gap.no-subject"),
        nameCell(gap.provider, "provider.none"),
        hoursCell(gap.gpuHours),
        words(`carbon.gap-todo.${gap.reason}`),
      ], "unknown"),
    ),
    total: null,
  };
}

/** The largest energy first; what has none by its hours. */
export function energyWeight({ itMilliwattHours, gpuHours }: CarbonRow): bigint {
  return itMilliwattHours ?? BigInt(Math.round(gpuHours));
}

