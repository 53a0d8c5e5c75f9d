import type { ChargeClass, ChargeFacts, ChargeRow } from "../../main/engine/metrics/charges.ts";
import { billedShare } from "../../main/engine/metrics/bill-coverage.ts";
import type { GpuHourFacts, GpuHourRow } from "../../main/engine/metrics/gpu-hours-where-met.ts";
import { metrics } from "../../main/engine/metrics/index.ts";
import type { Bounds, Metric } from "../../main/engine/metrics/metric.ts";
import { elapsedSeconds } from "../../main/engine/metrics/model/civil-time.ts";
import { flopsPerDollar } from "../../main/engine/metrics/model/flops.ts";
import { idleEpisodes } from "../../main/engine/metrics/model/idle.ts";
import { holdForward } from "../../main/engine/metrics/model/segments.ts";
import { batchSize, hostRamCheck, slicePrice } from "../../main/engine/metrics/model/sizing.ts";
import { timeWeighted } from "../../main/engine/metrics/model/time-weighted.ts";
import { workPerDollar } from "../../main/engine/metrics/model/work-per-dollar.ts";
import { calculatorResults } from "./help-calculators.ts";
import { splitHour, type ObservedHour } from "../../main/engine/hours/hour-cost.ts";
import { offerMetrics, ownedVersusCloud, pricingMix, renewalCheck } from "../../main/engine/planning/offer.ts";
import { spotCost } from "../../main/engine/planning/spot.ts";
import { carbonWorked } from "./help-worked-carbon.ts";
import { commitmentsWorked } from "./help-worked-commitments.ts";
import { offersWorked } from "./help-worked-offers.ts";
import { bridge } from "../../main/engine/reports/bridge.ts";
import type { Figure, MetricId } from "../../shared/domain/figure.ts";
import { displayRound, formatAttos, formatFixed, parseAmount, roundHalfEven, sumAttos } from "../../shared/domain/money.ts";
import { decimal, toNumber, whole, type Rational } from "../../shared/domain/rational.ts";

/**
 * The results of the help's worked examples, in the order in which the page prints them, by page and section: recomputed by the
 * product's own functions from the numbers that the page states.
 */
export function workedResults(): Readonly<Record<string, readonly string[]>> {
  const machine = exampleMachine();
  const cut = exampleMachine({ isCut: true });
  const reserved = hourRow({ purchaseOption: "reservation", gpuHours: 16, knownGpuHours: 16, idleGpuHours: 16, costAttos: attos("40"), deadIdleAttos: attos("40") });
  const partly = hourRow({ gpuHours: 8, knownGpuHours: 6, usefulGpuHours: 3, pricedGpuHours: 8, pricedUsefulGpuHours: 3, costAttos: attos("16"), unknownAttos: attos("4") });
  const bill = [charge("gpu", "240"), charge("unused-commitment", "15"), charge("other", "1.25"), charge("tax", "20"), charge("credit", "-6.25")];
  const steps = bridge([line("A", "400", 100), line("B", "200", 100)], [line("A", "200", 50), line("B", "380", 200)]);
  const samples = [[0, 100], [10, 0], [20, 0], [30, 0], [40, 0], [50, 100]].map(([at = 0, value = 0]) => ({ at, value }));
  const useful = (rows: readonly GpuHourRow[]) => hourFigure("useful-gpu-hour-cost", rows);
  const ways: readonly MetricId[] = ["productive-cost", "busy-inefficient-cost", "held-idle-cost", "dead-idle-cost", "idle-memory-unknown-cost", "unknown-cost"];
  const saved = [charge("gpu", "240", { listAttos: attos("300"), effectiveWithListAttos: attos("240") })];
  const covered = charge("gpu", "90", { isCovered: 1, listAttos: attos("150"), effectiveWithListAttos: attos("90"), purchaseOption: "reservation" });
  const uncovered = charge("gpu", "100", { listAttos: attos("100"), effectiveWithListAttos: attos("100"), purchaseOption: "on-demand" });
  const spot = charge("gpu", "9", { listAttos: attos("30"), effectiveWithListAttos: attos("9"), purchaseOption: "spot" });
  const committed = [covered, uncovered, spot, charge("unused-commitment", "10")];
  const unobserved = hourRow({ resource: "r-2", seriesId: 2, gpuHours: 24, pricedGpuHours: 24, costAttos: attos("60"), unknownAttos: attos("60") });
  return {
    ...commitmentsWorked(),
    ...offersWorked(),
    ...carbonWorked(),
    "method#spend": [money(chargeFigure("spend", bill)), money(chargeFigure("gpu-spend", bill))],
    "method#bridge": [steps.volume, steps.mix, steps.price, steps.now - steps.before].map((amount, index) => signedCents(amount, index < 3)),
    "method#gpu-hours": [number(chargeFigure("gpu-hours", Array.from({ length: 24 }, () => charge("gpu", "10", { gpuHours: 4, rowsWithHours: 1 }))))],
    "method#utilization": [
      number(hourFigure("useful-gpu-hours", [machine])),
      percent(hourFigure("gpu-utilization", [machine])),
      percentOf(mean(samples.map((sample) => sample.value / 100))),
      percentOf(timeWeighted(holdForward(samples, 7200).map((segment) => ({ ...segment, value: segment.value / 100 })), { start: 0, end: 3600 }).meanKnown),
      percent(hourFigure("gpu-utilization", [partly])),
      percent(bounds("gpu-utilization", [partly]).low),
      percent(bounds("gpu-utilization", [partly]).high),
    ],
    "method#idle": [
      String(idleMinutes()),
      number(hourFigure("idle-gpu-hours", [machine])),
      money(hourFigure("idle-cost", [machine])),
      money(hourFigure("idle-cost", [machine, reserved])),
      money(hourFigure("idle-avoidable-cost", [machine, reserved])),
      money(hourFigure("idle-sunk-cost", [machine, reserved])),
      money(bounds("idle-cost", [{ ...machine, costAttos: machine.costAttos + attos("30"), unknownAttos: attos("30") }]).high),
    ],
    "method#memory": [
      percent(hourFigure("memory-occupancy", [hourRow({ gpuHours: 10, memoryKnownGpuHours: 10, memoryUsedGpuHours: 6 }), hourRow({ gpuHours: 30, memoryKnownGpuHours: 30, memoryUsedGpuHours: 6 })])),
      percent(hourFigure("memory-p95", [machine])),
      percent(hourFigure("memory-peak", [machine])),
    ],
    "method#four-ways": [...ways.map((way) => money(hourFigure(way, [machine]))), money(hourFigure("unknown-cost", [cut]))],
    "method#useful-gpu-hour": [
      money(useful([machine])),
      money(hourFigure("gpu-hour-price", [machine])),
      money(useful([partly])),
      money(bounds("useful-gpu-hour-cost", [partly]).low),
      money(bounds("useful-gpu-hour-cost", [partly]).high),
    ],
    "method#work-per-money": [
      number(hourFigure("flops-per-dollar-peak", [machine])),
      number(hourFigure("flops-per-dollar-effective", [machine])),
      plain(flopsPerDollar({ peakTflopsDense: whole(70), gpus: whole(1), priceHourly: decimal("2.5"), activity: null, mfu: decimal("0.25") }).achievedPflopPerDollar),
    ],
    "method#savings-rate": [percent(chargeFigure("effective-savings-rate", [...saved, charge("unused-commitment", "15")])), percent(chargeFigure("effective-savings-rate", saved))],
    "method#commitments": [percent(chargeFigure("commitment-utilization", committed)), money(chargeFigure("unused-commitment-cost", committed)), percent(chargeFigure("commitment-coverage", committed))],
    "method#coverage": [
      percent(hourFigure("telemetry-coverage", [cut])),
      percentOf(billedShare([{ provider: "A", firstDay: 0, lastDay: 29 }, { provider: "B", firstDay: 0, lastDay: 14 }], ["A", "B"], 0, 30)),
      money(hourFigure("unmatched-gpu-cost", [cut, unobserved])),
    ],
    ...claims(),
    ...calculatorResults(),
    "money#exactness": [formatAttos(sumAttos(Array.from({ length: 10 }, () => attos("0.1"))))],
    "money#rounding": [
      formatFixed(roundHalfEven(attos("0.125"), 2) / 10n ** 16n, 2),
      formatFixed(roundHalfEven(attos("0.375"), 2) / 10n ** 16n, 2),
      ...displayRound([{ id: "a", amount: attos("0.333333333333333333") }, { id: "b", amount: attos("0.333333333333333333") }, { id: "c", amount: attos("0.333333333333333334") }], 2).rows.map(({ minorUnits }) => formatFixed(minorUnits, 2)),
    ],
    "months-and-time#zones": [String((elapsedSeconds("Europe/Berlin", "2026-03-01T00:00:00", "2026-04-01T00:00:00") ?? NaN) / 3600)],
  };
}

function claims(): Record<string, readonly string[]> {
  const offer = (price: string) => ({ termMonths: 12, hours: whole(8760), upfront: whole(0), hourly: decimal(price), monthly: whole(0) });
  const onSpot = (instances: number) => {
    const cost = spotCost({ meanTimeHours: 24, instances, spotHourly: 0.15, onDemandHourly: 1, checkpointHours: 3 / 60, restartHours: 12 / 60, intervalHours: null, waitHours: 0, storagePerUsefulHour: 0, reserved: null });
    if (cost === null) throw new Error("spot has a cost here");
    return cost;
  };
  const images = workPerDollar([
    { id: "a100", priceHourly: decimal("2.1"), unitsPerSecond: decimal("1.23"), peakTflopsDense: whole(312) },
    { id: "h100", priceHourly: decimal("4.2"), unitsPerSecond: whole(2), peakTflopsDense: whole(989) },
  ]);
  if (images.rankingByPeak[0] !== "h100") throw new Error("by peak the H100 wins, the page says");
  const batch = (bytes: number) => batchSize({ gpuMemoryGigabytes: whole(80), reserveShare: whole(0), parameters: whole(7_000_000_000), bytesPerParameter: whole(bytes), gigabytesPerSample: decimal("0.9") });
  const host = hostRamCheck(whole(80), whole(8), whole(1024));
  const slice = slicePrice({ gpuPriceHourly: whole(4), computeShare: decimal("0.5"), memoryShare: decimal("0.5"), basis: "max", virtualizationLoss: decimal("0.4") });
  const renewal = renewalCheck({ renewalPrice: decimal("0.45"), newPrice: decimal("0.36"), migrationCost: whole(0), onDemandHourly: whole(1), expectedUsedHours: whole(1), alternatives: [] });
  const own = (hours: number) =>
    ownedVersusCloud({ capex: whole(1800), residual: whole(600), lifeMonths: whole(36), usedHoursPerMonth: whole(hours), powerKilowattsBusy: decimal("0.45"), powerKilowattsIdle: decimal("0.02"), poweredHoursPerMonth: whole(730), tariffPerKilowattHour: decimal("0.22"), fixedMonthly: whole(5), cloudHourly: decimal("0.69"), relativeSpeed: whole(1) });
  const ofOwn = (hours: number) => [cents(own(hours).ownedMonthly), cents(own(hours).cloudMonthly), percentOf(value(own(hours).savingShare))];
  return {
    "claims#load-60": [
      ...["0.6", "0.53"].map((price) => percentOf(value(offerMetrics(offer(price), whole(1), whole(1)).breakEvenUtilization))),
      ...["0.6", "1"].map((use) => percentOf(value(offerMetrics(offer("0.53"), whole(1), decimal(use)).savingShare))),
    ],
    "claims#checkpoint-85": [
      (onSpot(1).intervalHours * 60).toFixed(0),
      onSpot(1).overheadFactor.toFixed(3),
      percentOf(onSpot(1).savingShare),
      onSpot(64).overheadFactor.toFixed(1),
      percentOf(onSpot(64).savingShare, 1, true),
    ],
    "claims#mix-70": [percentOf(value(pricingMix([{ share: decimal("0.6"), discount: decimal("0.85") }, { share: decimal("0.4"), discount: decimal("0.47") }]).blendedSaving))],
    "claims#a100-h100": [...["a100", "h100"].map((id) => cents(images.unitsPerDollar.get(id) ?? null)), percentOf(value(images.advantageOfBest.get("h100") ?? null))],
    "claims#batch-size": [1, 2, 16].flatMap((bytes) => [plain(batch(bytes).weightsWithOverheadGigabytes), String(batch(bytes).batchSize)]),
    "claims#ram-twice": [thousands(plain(host.requiredGigabytes)), plain(host.ratio)],
    "claims#vgpu-40": [cents(slice.pricePerFullGpuEquivalent), percentOf(value(slice.penaltyVersusFullGpu))],
    "claims#renewal": [percentOf(value(renewal.renewalPremium))],
    "claims#local-card": [...ofOwn(160), ...ofOwn(20), value(own(160).breakEvenUsedHoursPerMonth).toFixed(1)],
  };
}

/** The day of the page's example machine through the function that splits each hour's cost; cut: its log stops at 18:00. */
function exampleMachine({ isCut = false }: { readonly isCut?: boolean } = {}): GpuHourRow {
  const none: ObservedHour = { known: 4, useful: 0, active: 0, activeUseful: 0, held: 0, dead: 0, idleMemoryUnknown: 0, memoryKnown: 4, memoryUsed: 0 };
  const observed = (hour: number): ObservedHour | null => {
    if (hour < 12) return { ...none, useful: 3.2, active: 4, activeUseful: 3.2 };
    if (hour < 18) return { ...none, held: 4, memoryUsed: 2.4 };
    return isCut ? null : { ...none, dead: 4 };
  };
  let day = hourRow({ purchaseOption: "on-demand" });
  for (let hour = 0; hour < 24; hour += 1) {
    for (const cost of splitHour([{ seriesId: 1, gpuHours: 4, effectiveAttos: attos("10") }], observed(hour))) {
      const [productive = 0n, busy = 0n, held = 0n, dead = 0n, memoryUnknown = 0n, unknown = 0n] = cost.parts ?? [];
      day = {
        ...day,
        hourCount: day.hourCount + 1,
        gpuHours: day.gpuHours + cost.gpuHours,
        knownGpuHours: day.knownGpuHours + cost.knownGpuHours,
        usefulGpuHours: day.usefulGpuHours + cost.usefulGpuHours,
        idleGpuHours: day.idleGpuHours + cost.idleGpuHours,
        pricedGpuHours: day.pricedGpuHours + cost.gpuHours,
        pricedUsefulGpuHours: day.pricedUsefulGpuHours + cost.usefulGpuHours,
        costAttos: day.costAttos + attos("10"),
        productiveAttos: day.productiveAttos + productive,
        busyInefficientAttos: day.busyInefficientAttos + busy,
        heldIdleAttos: day.heldIdleAttos + held,
        deadIdleAttos: day.deadIdleAttos + dead,
        idleMemoryUnknownAttos: day.idleMemoryUnknownAttos + memoryUnknown,
        unknownAttos: day.unknownAttos + unknown,
      };
    }
  }
  return day;
}

/** The table of GPU-Util under the idle rules, from 10:00 to 12:30. */
function idleMinutes(): number {
  const utilization = [80, 7, 2, 7, 12].map((level, index) => ({ start: index * 1800, end: (index + 1) * 1800, value: level }));
  const { episodes } = idleEpisodes(utilization, { start: 0, end: 9000 });
  if (episodes.length !== 1 || episodes[0]?.start !== 3600) throw new Error("idle from 11:00, the page says");
  return episodes[0].idleSeconds / 60;
}

function hourRow(given: Partial<GpuHourRow>): GpuHourRow {
  return {
    seriesId: 1, currency: "USD", provider: "A", account: null, team: null, service: null, region: null, gpuModel: "A10G", acceleratorId: "a10g", purchaseOption: null, resource: "r-1", hourCount: 0,
    gpuHours: 0, knownGpuHours: 0, usefulGpuHours: 0, idleGpuHours: 0, memoryKnownGpuHours: 0, memoryUsedGpuHours: 0, pricedGpuHours: 0, pricedUsefulGpuHours: 0,
    costAttos: 0n, productiveAttos: 0n, busyInefficientAttos: 0n, heldIdleAttos: 0n, deadIdleAttos: 0n, idleMemoryUnknownAttos: 0n, unknownAttos: 0n,
    counters: {},
    ...given,
  };
}

function charge(chargeClass: ChargeClass, amount: string, given: Partial<ChargeRow> = {}): ChargeRow {
  const cost = attos(amount);
  return {
    month: "2026-09", chargeClass, provider: "A", account: null, team: null, service: null, region: null, gpuModel: chargeClass === "gpu" ? "A10G" : null, purchaseOption: null, isCovered: 0, rowCount: 1,
    costAttos: cost, unstatedRows: 0, effectiveAttos: cost, listAttos: 0n, effectiveWithListAttos: 0n, gpuHours: null, rowsWithHours: 0, costWithHoursAttos: 0n,
    ...given,
  };
}
function line(team: string, amount: string, gpuHours: number): ChargeRow {
  return charge("gpu", amount, { team, gpuHours, rowsWithHours: 1 });
}

function hourFacts(rows: readonly GpuHourRow[]): GpuHourFacts {
  const level = { gpuModel: "A10G", host: "h" };
  return {
    currency: "USD",
    rows: rows.map((row) => ({ ...row, counters: row.knownGpuHours === 0 ? {} : { utilization: { knownGpuHours: row.knownGpuHours, usefulGpuHours: row.usefulGpuHours } } })),
    counter: "utilization",
    peakTflops: new Map([["a10g", 70]]),
    memoryLevels: () => [{ ...level, seconds: 90 * 3600, p95: 0.5, peak: 0.6 }, { ...level, seconds: 10 * 3600, p95: 0.8, peak: 0.92 }],
  };
}
function hourFigure(id: MetricId, rows: readonly GpuHourRow[]): Figure {
  return hourMetric(id).figure(hourFacts(rows));
}
function bounds(id: MetricId, rows: readonly GpuHourRow[]): Bounds {
  const found = hourMetric(id).bounds?.(hourFacts(rows));
  if (!found) throw new Error(`${id} has no range`);
  return found;
}
function hourMetric(id: MetricId): Metric<GpuHourFacts> {
  const found = metrics.get(id);
  if (found?.of !== "gpu-hours") throw new Error(`${id} is no metric of GPU-hours`);
  return found.metric;
}
function chargeFigure(id: MetricId, rows: readonly ChargeRow[]): Figure {
  const found = metrics.get(id);
  if (found?.of !== "charges") throw new Error(`${id} is no metric of charges`);
  const facts: ChargeFacts = { currency: "USD", basis: "EffectiveCost", rows, previousRows: null, billCoverage: 1 };
  return found.metric.figure(facts);
}

function attos(text: string): bigint {
  const parsed = parseAmount(text);
  if (parsed === null) throw new Error(`${text} is no amount`);
  return parsed.value;
}
function money({ value: amount }: Figure): string {
  if (typeof amount !== "bigint") throw new Error("no amount");
  return formatPadded(amount);
}
function signedCents(amount: bigint, withPlus: boolean): string {
  return amount < 0n ? `−${formatPadded(-amount)}` : `${withPlus ? "+" : ""}${formatPadded(amount)}`;
}
function formatPadded(amount: bigint): string {
  return thousands((Number(roundHalfEven(amount, 2) / 10n ** 16n) / 100).toFixed(2));
}
function cents(amount: Rational | null): string {
  return thousands(value(amount).toFixed(2));
}
function thousands(text: string): string {
  return text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ",");
}
function number({ value: amount }: Figure): string {
  return String(Math.round(Number(amount) * 1e6) / 1e6);
}
function percent({ value: ratio }: Figure): string {
  return percentOf(ratio === null ? null : Number(ratio));
}
/** Whole percents without a digit behind the point, unless it is asked for. */
function percentOf(ratio: number | null, digits = 1, isFixed = false): string {
  if (ratio === null) throw new Error("no ratio");
  const text = (Math.abs(ratio) * 100).toFixed(digits);
  return `${ratio < 0 ? "−" : ""}${isFixed ? text : text.replace(/\.0$/, "")}%`;
}
function plain(amount: Rational | null): string {
  return String(value(amount));
}
function value(amount: Rational | null): number {
  if (amount === null) throw new Error("unknown");
  return toNumber(amount);
}
function mean(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0) / values.length;
}
