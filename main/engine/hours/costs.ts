/**
 * Works out `gpu_hour_cost` of a run of days, and by day and series their energy and what each counter measured. Some days at a time, so that
 * memory stays small however long the bill is; each piece is written in the order of its keys.
 */
import { encodeGpuSeriesDay, type SeriesOfDay } from "../store/gpu-series-day.ts";
import { splitAttos, type Db, type SqlValue } from "../store/sql.ts";
import { hourCounters, type HourCounter } from "./activity.ts";
import { addToUnseen, chargesOf, piecesOf, type ChargesOfDays, type DayOwners, type UnseenCharges } from "./charges.ts";
import { energyFactNames, noEnergy, splitEnergy, type ChargeEnergy, type EnergyFacts } from "./energy.ts";
import { splitCounter, splitHour, type ChargeHour, type HourCost } from "./hour-cost.ts";
import { countersOf, type CounterSums, type ObservedSum } from "./observed.ts";
import { insertRows, type RowsOf } from "./rows.ts";
import type { WorkControl } from "./work-out.ts";

const HOURS_A_DAY = 24;
const ATTOS_A_NANO = 1_000_000_000n;

export interface CostsOfRun {
  readonly run: readonly number[];
  readonly generation: number;
  readonly owners: DayOwners;
  /** What the machines of the bill were seen to do: by resource, its id in small letters, and hour. */
  readonly resources: ReadonlyMap<string, ReadonlyMap<number, ObservedSum>>;
  readonly control: WorkControl;
}

/** Stops between two pieces when it is cancelled: what was written belongs to a generation that nobody sees. */
export function workOutCosts(db: Db, costs: CostsOfRun): void {
  const isCancelled = (): boolean => costs.control.isCancelled();
  for (const days of piecesOf(db, costs.run)) {
    const charges = chargesOf(db, days, costs.owners, costs.resources, isCancelled);
    if (isCancelled()) return;
    workOutPiece(db, costs, days, charges);
  }
}

function workOutPiece(db: Db, { generation, resources, control }: CostsOfRun, days: readonly number[], { unseen, seen }: ChargesOfDays): void {
  const sums: DaySums = { series: new Map<number, Map<number, SeriesDay>>(), activity: new Map<string, ActivityDay>() };
  const seenRows = splitSeen(seen, resources, sums);
  const rows = inOrder(days, unseen, seenRows);
  for (const row of rows) if (row >= 0) addUnseen(sums, unseen, row);
  const standAside = (): void => control.standAside();
  insertRows(db, HOUR_COSTS, rows.length, (values, index) => {
    const row = rows[index] as number;
    if (row >= 0) fillUnseen(values, generation, unseen, row);
    else fillSeen(values, generation, seenRows[-1 - row] as SeenRow);
  }, standAside);
  const series = [...sums.series.values()].flatMap((ofDay) => [...ofDay.values()]).sort((a, b) => a.day - b.day || a.seriesId - b.seriesId);
  insertRows(db, COST_DAYS, series.length, (values, index) => fillCostDay(values, generation, series[index] as SeriesDay), standAside);
  const ofDays = [...Map.groupBy(series, ({ day }) => day)];
  insertRows(db, SERIES_DAYS, ofDays.length, (values, index) => {
    const [day, list] = ofDays[index] as [number, SeriesDay[]];
    values.push(day, generation, encodeGpuSeriesDay(list.map(seriesOfDay)));
  }, standAside);
  insertRows(db, ENERGY_DAYS, series.length, (values, index) => fillEnergy(values, generation, series[index] as SeriesDay), standAside);
  const activity = [...sums.activity.values()].sort((a, b) => a.day - b.day || a.seriesId - b.seriesId);
  insertRows(db, ACTIVITY_DAYS, activity.length, (values, index) => fillActivity(values, generation, activity[index] as ActivityDay), standAside);
}

/** A row of `gpu_hour_cost` of a resource that was seen. */
interface SeenRow {
  readonly hour: number;
  readonly cost: HourCost;
  readonly wattHours: number | null;
}

/** What each charge of a resource that was seen bought, hour by hour; energy and counters are added to the sums of its days. */
function splitSeen(seen: ChargesOfDays["seen"], resources: CostsOfRun["resources"], sums: DaySums): SeenRow[] {
  const rows: SeenRow[] = [];
  for (const [resource, hours] of seen) {
    const observed = resources.get(resource);
    for (const [hour, charges] of hours) {
      const observedHour = observed?.get(hour) ?? null;
      const day = Math.floor(hour / HOURS_A_DAY);
      const energy = splitEnergy(charges, observedHour?.energy ?? null);
      splitHour(charges, observedHour).forEach((cost, index) => {
        const ofCharge = energy[index] as ChargeEnergy;
        rows.push({ hour, cost, wattHours: measuredWattHours(ofCharge) });
        addSeen(sums, day, hour, cost, ofCharge);
      });
      if (observedHour !== null) addActivity(sums, day, charges, countersOf(observedHour));
    }
  }
  return rows;
}

/**
 * The rows of some days by hour and series: a number is an element of the unseen charges, or -1 - the place of a seen row. Unseen charges of
 * the same series and hour are added up.
 */
function inOrder(days: readonly number[], unseen: UnseenCharges, seenRows: readonly SeenRow[]): number[] {
  const firstHour = (days[0] as number) * HOURS_A_DAY;
  const byHour: number[][] = Array.from({ length: days.length * HOURS_A_DAY }, () => []);
  unseen.hour.forEach((hour, row) => byHour[hour - firstHour]?.push(row));
  seenRows.forEach(({ hour }, place) => byHour[hour - firstHour]?.push(-1 - place));
  const seriesOf = (row: number): number => (row >= 0 ? (unseen.seriesId[row] as number) : (seenRows[-1 - row] as SeenRow).cost.seriesId);
  const rows: number[] = [];
  for (const ofHour of byHour) {
    ofHour.sort((one, other) => seriesOf(one) - seriesOf(other) || one - other);
    const first = rows.length;
    for (const row of ofHour) {
      const before = rows.at(-1);
      // A series is of one resource, which was seen or was not.
      if (before !== undefined && rows.length > first && seriesOf(before) === seriesOf(row)) addToUnseen(unseen, before, row);
      else rows.push(row);
    }
  }
  return rows;
}

// Sums of days

interface DaySums {
  /** day → series */
  readonly series: Map<number, Map<number, SeriesDay>>;
  readonly activity: Map<string, ActivityDay>;
}

/** What the hours of a series add up to in a UTC day. Hours are whole billionths, so that their order changes nothing; money is exact. */
interface SeriesDay {
  readonly day: number;
  readonly seriesId: number;
  hourCount: number;
  gpuHours: number;
  /** Hours whose cost the bill states, and of them the useful ones. */
  pricedGpuHours: number;
  pricedUsefulGpuHours: number;
  /** null where the bill states none. */
  effectiveAttos: bigint | null;
  /** GPU-hours billed in each of the day's hours; a refund is none. */
  readonly ran: Float64Array;
  /** null: nothing was seen of it, and all of its cost is unknown. */
  seen: SeenSums | null;
}
interface SeenSums {
  /** The five ways in which hours were seen, in the order of their columns. */
  readonly hours: number[];
  /** The six parts of the cost as `HourCost` has them; null where the bill states none. */
  parts: readonly bigint[] | null;
  /** Energy in milliwatt-hours. */
  readonly energy: EnergyFacts;
}

function seriesDay({ series }: DaySums, day: number, seriesId: number): SeriesDay {
  let ofDay = series.get(day);
  if (ofDay === undefined) series.set(day, (ofDay = new Map<number, SeriesDay>()));
  let sum = ofDay.get(seriesId);
  if (sum === undefined) ofDay.set(seriesId, (sum = { day, seriesId, hourCount: 0, gpuHours: 0, pricedGpuHours: 0, pricedUsefulGpuHours: 0, effectiveAttos: null, ran: new Float64Array(HOURS_A_DAY), seen: null }));
  return sum;
}

function addUnseen(sums: DaySums, { hour, seriesId, gpuHours, nanos, rest }: UnseenCharges, row: number): void {
  const cost = nanos[row] ?? null;
  const at = hour[row] as number;
  addHour(seriesDay(sums, Math.floor(at / HOURS_A_DAY), seriesId[row] as number), at, gpuHours[row] as number, cost === null ? null : cost * ATTOS_A_NANO + BigInt(rest[row] as number));
}

function addSeen(sums: DaySums, day: number, hour: number, cost: HourCost, energy: ChargeEnergy): void {
  const sum = seriesDay(sums, day, cost.seriesId);
  addHour(sum, hour, cost.gpuHours, cost.effectiveAttos);
  const seen = (sum.seen ??= { hours: [0, 0, 0, 0, 0], parts: null, energy: noEnergy() });
  [cost.knownGpuHours, cost.usefulGpuHours, cost.idleGpuHours, cost.memoryKnownGpuHours, cost.memoryUsedGpuHours].forEach((hours, way) => {
    seen.hours[way] = (seen.hours[way] as number) + billionths(hours);
  });
  if (cost.parts !== null) {
    const before = seen.parts;
    seen.parts = before === null ? cost.parts : cost.parts.map((part, index) => part + (before[index] as bigint));
    sum.pricedUsefulGpuHours += billionths(cost.usefulGpuHours);
  }
  for (const name of energyFactNames) seen.energy[name] += isMilliwattHours(name) ? energy[name] : billionths(energy[name]);
}

function addHour(sum: SeriesDay, hour: number, gpuHours: number, effectiveAttos: bigint | null): void {
  sum.hourCount += 1;
  if (gpuHours > 0) sum.ran[hour % HOURS_A_DAY] = gpuHours;
  sum.gpuHours += billionths(gpuHours);
  if (effectiveAttos === null) return;
  sum.pricedGpuHours += billionths(gpuHours);
  sum.effectiveAttos = (sum.effectiveAttos ?? 0n) + effectiveAttos;
}

/** What one counter measured of a series in a UTC day, in GPU-hours as whole billionths so that their order changes nothing. */
interface ActivityDay {
  readonly day: number;
  readonly seriesId: number;
  readonly counter: HourCounter;
  known: number;
  useful: number;
}

function addActivity({ activity }: DaySums, day: number, charges: readonly ChargeHour[], counters: CounterSums): void {
  for (const counter of hourCounters) {
    const measured = counters[counter];
    if (measured === undefined) continue;
    splitCounter(charges, measured).forEach(({ known, useful }, index) => {
      if (known === 0) return;
      const { seriesId } = charges[index] as ChargeHour;
      const key = `${day} ${seriesId} ${counter}`;
      let sum = activity.get(key);
      if (sum === undefined) activity.set(key, (sum = { day, seriesId, counter, known: 0, useful: 0 }));
      sum.known += billionths(known);
      sum.useful += billionths(useful);
    });
  }
}

function billionths(hours: number): number {
  return Math.round(hours * 1e9);
}

/** What counters and power samples say of an hour; null where nothing was measured. */
function measuredWattHours({ counterHours, counterWattHours, powerHours, powerWattHours }: ChargeEnergy): number | null {
  return counterHours + powerHours === 0 ? null : (counterWattHours + powerWattHours) / 1000;
}

function isMilliwattHours(name: (typeof energyFactNames)[number]): boolean {
  return name.endsWith("WattHours");
}

// Rows

const COSTS = ["EffectiveCost", "UnknownCost", "ProductiveCost", "BusyInefficientCost", "HeldIdleCost", "DeadIdleCost", "IdleMemoryUnknownCost"].flatMap((cost) => [`${cost}Nanos`, `${cost}Rest`]);

const HOUR_COSTS: RowsOf = {
  table: "gpu_hour_cost",
  columns: [
    "Day", "Generation", "HourStart", "SeriesId", "GpuHours", "KnownGpuHours", "UsefulGpuHours", "IdleGpuHours", "MemoryKnownGpuHours", "MemoryUsedGpuHours", "EnergyWattHours", ...COSTS,
  ],
};

/** Nothing was seen of it: all of its cost is unknown, and the other five parts are 0, or not stated as the cost is not. */
function fillUnseen(values: SqlValue[], generation: number, { hour, seriesId, gpuHours, nanos, rest }: UnseenCharges, row: number): void {
  const at = hour[row] as number;
  const cost = nanos[row] ?? null;
  const below = cost === null ? null : (rest[row] as number);
  const part = cost === null ? null : 0;
  values.push(Math.floor(at / HOURS_A_DAY), generation, at, seriesId[row] as number, gpuHours[row] as number, 0, 0, 0, 0, 0, null, cost, below, cost, below, part, part, part, part, part, part, part, part, part, part);
}

function fillSeen(values: SqlValue[], generation: number, { hour, cost, wattHours }: SeenRow): void {
  values.push(
    Math.floor(hour / HOURS_A_DAY), generation, hour, cost.seriesId, cost.gpuHours, cost.knownGpuHours, cost.usefulGpuHours, cost.idleGpuHours,
    cost.memoryKnownGpuHours, cost.memoryUsedGpuHours, wattHours,
  );
  fillCosts(values, cost.effectiveAttos, cost.parts);
}

/** The cost and its six parts, the unknown one first. */
function fillCosts(values: SqlValue[], effectiveAttos: bigint | null, parts: readonly bigint[] | null): void {
  const [productive = null, busy = null, held = null, dead = null, idleMemoryUnknown = null, unknown = null] = parts ?? [];
  for (const attos of [effectiveAttos, unknown, productive, busy, held, dead, idleMemoryUnknown]) {
    if (attos === null) values.push(null, null);
    else {
      const { nanos, rest } = splitAttos(attos);
      values.push(nanos, rest);
    }
  }
}

const COST_DAYS: RowsOf = {
  table: "gpu_cost_day",
  columns: [
    "Day", "Generation", "SeriesId", "HourCount", "PricedGpuHours", "PricedUsefulGpuHours",
    "GpuHours", "KnownGpuHours", "UsefulGpuHours", "IdleGpuHours", "MemoryKnownGpuHours", "MemoryUsedGpuHours", ...COSTS,
  ],
};

function fillCostDay(values: SqlValue[], generation: number, { day, seriesId, hourCount, gpuHours, pricedGpuHours, pricedUsefulGpuHours, effectiveAttos, seen }: SeriesDay): void {
  values.push(day, generation, seriesId, hourCount, pricedGpuHours / 1e9, pricedUsefulGpuHours / 1e9, gpuHours / 1e9);
  for (const hours of seen?.hours ?? [0, 0, 0, 0, 0]) values.push(hours / 1e9);
  fillCosts(values, effectiveAttos, partsOf(effectiveAttos, seen));
}

/** Of what was not seen all is unknown. */
function partsOf(effectiveAttos: bigint | null, seen: SeenSums | null): readonly bigint[] | null {
  return effectiveAttos === null ? null : (seen?.parts ?? [0n, 0n, 0n, 0n, 0n, effectiveAttos]);
}

const SERIES_DAYS: RowsOf = { table: "gpu_series_day", columns: ["Day", "Generation", "Series"] };

/** The day's roll-up of a series in the words of its codec: the useful hours that are priced stand last among the seen. */
function seriesOfDay({ seriesId, hourCount, gpuHours, pricedGpuHours, pricedUsefulGpuHours, effectiveAttos, seen, ran }: SeriesDay): SeriesOfDay {
  return { seriesId, hourCount, gpuHours, pricedGpuHours, effectiveAttos, ran, seen: seen === null ? null : { hours: [...seen.hours, pricedUsefulGpuHours], parts: partsOf(effectiveAttos, seen) } };
}

const ENERGY_DAYS: RowsOf = {
  table: "gpu_energy_day",
  columns: [
    "Day", "Generation", "SeriesId", "GpuHours", "CounterGpuHours", "CounterMilliwattHours", "PowerGpuHours", "PowerMilliwattHours",
    "HeldIdleMilliwattHours", "DeadIdleMilliwattHours", "IdleMemoryUnknownMilliwattHours", "ModelGpuHours", "ModelUsefulGpuHours",
    "ModelHeldGpuHours", "ModelHeldUsefulGpuHours", "ModelDeadGpuHours", "ModelDeadUsefulGpuHours", "ModelIdleMemoryUnknownGpuHours",
    "ModelIdleMemoryUnknownUsefulGpuHours",
  ],
};

/** The facts stand in the order of their columns. */
function fillEnergy(values: SqlValue[], generation: number, { day, seriesId, gpuHours, seen }: SeriesDay): void {
  values.push(day, generation, seriesId, gpuHours / 1e9);
  for (const name of energyFactNames) values.push(seen === null ? 0 : isMilliwattHours(name) ? BigInt(seen.energy[name]) : seen.energy[name] / 1e9);
}

const ACTIVITY_DAYS: RowsOf = { table: "gpu_activity_day", columns: ["Day", "Generation", "SeriesId", "Counter", "KnownGpuHours", "UsefulGpuHours"] };

function fillActivity(values: SqlValue[], generation: number, { day, seriesId, counter, known, useful }: ActivityDay): void {
  values.push(day, generation, seriesId, counter, known / 1e9, useful / 1e9);
}
