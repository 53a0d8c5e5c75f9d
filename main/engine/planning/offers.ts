/**
 * Offers for a need (model j, with e.6, e.7 and what a commitment leaves unused from model a). Pure: prices, facts and benchmarks are handed in.
 */
import {
  type AsicKind, type Benchmark, type BudgetTier, EU, type Link, type Need, type OfferLine, type OffersAnswer, type Payment, type PriceMode, type PriceOrigin, type PriceScope, precisions, type Precision, type RateBasis,
  type RejectedOffer, type RejectionReason, type Scaling, termHours, termMonths,
} from "../../../shared/contract/offers.ts";
import { compareIds } from "../../../shared/domain/money.ts";
import { compare, decimal, divide, floor, fromNumber, multiply, ONE, ratio, type Rational, subtract, toDecimal, toNumber, whole, ZERO } from "../../../shared/domain/rational.ts";
import { largestEfficient, parallelEfficiency } from "../metrics/model/work-per-dollar.ts";
import { type RatedOffer, rateOffers, type Requirement, type SelectableOffer, selectOffers, type Selection } from "./selection.ts";

/** One machine type in one region, bought in one way, with what is known of it. */
export interface Candidate {
  readonly provider: string;
  readonly instanceType: string;
  readonly region: string;
  readonly country: string | null;
  readonly location: string | null;
  readonly mode: PriceMode;
  readonly payment: Payment | null;
  readonly isConvertible: boolean;
  readonly scope: PriceScope;
  readonly currency: string;
  readonly pricePerHour: Rational;
  /** As it was stated, where it is converted. */
  readonly stated?: { readonly currency: string; readonly pricePerHour: Rational; readonly rate: string; readonly rateDay: string; readonly rateSource: string };
  readonly priceOrigin: PriceOrigin;
  readonly priceSource: string;
  readonly priceDate: string;
  readonly ageDays: number;
  readonly discountPercent: string | null;
  readonly isSuperseded: boolean;
  readonly acceleratorId: string | null;
  readonly accelerator: string;
  readonly asic: AsicKind | null;
  /** Of one machine; null where nobody states it. */
  readonly gpus: Rational | null;
  readonly memoryGb: Rational | null;
  readonly bandwidthTbs: Rational | null;
  readonly peakTflops: ReadonlyMap<Precision, Rational>;
  readonly gpuLink: Exclude<Link, "infiniband"> | null;
  readonly hasRdma: boolean;
  readonly isConfidential: boolean;
  /** Of one GPU with its part of the host. */
  readonly watts: Rational | null;
  readonly pue: Rational | null;
  readonly grid: { readonly grams: Rational; readonly year: number | null } | null;
}

export interface OffersAsked {
  readonly need: Need;
  readonly candidates: readonly Candidate[];
  readonly benchmarks: readonly Benchmark[];
  readonly tiers: readonly string[];
  readonly limit: number;
  readonly rejectedLimit: number;
}

/** Hours of the year that budgets and commitments are compared over. */
const YEAR_HOURS = whole(8760);
const EFFICIENCY_FLOOR = decimal("0.8");
const europeanUnion = new Set(["AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK"]);

/**
 * Ranks what fits and says why the rest does not.
 *
 * machines     as many of a type as reach the GPUs that must work together; their price is added up
 * rate         by the basis: own benchmarks first and the rest calibrated by them (measured), peak × MFU (effective), peak alone (peak)
 * shared       a part of a card has its part of the compute × (1 − virtualization loss), of the memory and of the bandwidth
 * committed    whole sets of machines are paid for the whole year: price ÷ (hours worked ÷ hours paid)
 * regions      of one machine bought one way only those stay that no other of its regions beats in price and grid intensity
 */
export function chooseOffers({ need, candidates, benchmarks, tiers, limit, rejectedLimit }: OffersAsked): OffersAnswer {
  const work = workOf(need);
  const ownBenchmarks = need.basis === "measured" ? benchmarks.filter((benchmark) => fitsWorkload(benchmark, need)) : [];
  const scaling = scalingOf(ownBenchmarks, () => "");
  const rejected: RejectedOffer[] = [];
  const others = new Map<string, { dearer: number; rejected: number }>();
  const kept: Prepared[] = [];
  for (const group of Map.groupBy(candidates.filter((candidate) => isAskedFor(candidate, need)), groupOf).values()) {
    const { chosen, dearer, notAllowed } = ofRegions(group, need);
    for (const candidate of chosen) {
      others.set(idOf(candidate), { dearer, rejected: notAllowed });
      const reasons = impossible(candidate, need);
      if (reasons.length > 0) rejected.push(rejectedOf(candidate, reasons, candidate.pricePerHour));
      else kept.push(prepare(candidate, need, ownBenchmarks, scaling));
    }
  }
  const requirement = requirementOf(need, work.tflopPerUnit);
  const first = rateOffers({ ...requirement, maximumJobCost: null }, kept.map(({ offer }) => offer));
  const { offers, selection } = withCommitments(kept, first, requirement);
  const preparedById = new Map(offers.map((prepared) => [prepared.offer.id, prepared]));
  for (const [id, reasons] of selection.rejected) {
    const prepared = preparedById.get(id);
    if (prepared !== undefined) rejected.push(rejectedOf(prepared.candidate, reasons, prepared.hourly));
  }
  const pareto = new Set(selection.pareto);
  const best = selection.ranking[0];
  const reference = best === undefined ? null : (preparedById.get(best.id) ?? null);
  const lines = selection.ranking.flatMap((rated) => {
    const prepared = preparedById.get(rated.id);
    return prepared === undefined || reference === null || best === undefined ? [] : [lineOf(rated, prepared, need, { rated: best, prepared: reference }, selection, pareto.has(rated.id), others.get(idOf(prepared.candidate)) ?? { dearer: 0, rejected: 0 })];
  });
  const listed = oneRegionEach(lines).map((line, index) => ({ ...line, rank: index + 1 }));
  const spelled = tiers.map((budget) => tierOf(budget, listed));
  const asics = need.task === "inference" ? asicsOf(listed) : [];
  const named = new Set([...spelled.flatMap(({ picks }) => picks.map(({ offer }) => offer)), ...asics.map(({ offer }) => offer)]);
  const shown = listed.filter(({ id, rank, isPareto: isFront }) => rank <= limit || isFront || named.has(id));
  const dates = lines.map(({ priceDate }) => priceDate).sort(compareIds);
  rejected.sort((a, b) => a.reasons.length - b.reasons.length || compareIds(a.id, b.id));
  const reasons: Partial<Record<RejectionReason, number>> = {};
  for (const reason of rejected.flatMap((offer) => offer.reasons)) reasons[reason] = (reasons[reason] ?? 0) + 1;
  return {
    need,
    currency: need.currency,
    per: work.per,
    tflopPerUnit: work.tflopPerUnit === null ? null : toDecimal(work.tflopPerUnit),
    mfuUsed: toNumber(selection.mfuUsed),
    mfuSource: need.basis === "peak" ? "peak" : selection.mfuSource,
    ranked: shown,
    rankedTotal: listed.length,
    rejected: rejected.slice(0, rejectedLimit),
    rejectedTotal: rejected.length,
    reasons,
    pareto: lines.filter(({ isPareto }) => isPareto).map(({ id }) => id),
    asics,
    bestGpu: lines.find(({ asic }) => asic === null)?.id ?? null,
    tiers: spelled,
    oldestPrice: dates[0] ?? null,
    newestPrice: dates.at(-1) ?? null,
  };
}

/** What one unit takes, and for how many units a cost is shown (model e.2 without its attention term, e.4). */
export function workOf({ task, billionParameters, tflopPerUnit, unit }: Need): { readonly tflopPerUnit: Rational | null; readonly per: number } {
  const per = /^tokens?$/i.test(unit) ? 1_000_000 : 1;
  if (tflopPerUnit !== null) return { tflopPerUnit: decimal(tflopPerUnit), per };
  if (task === "other" || billionParameters === null) return { tflopPerUnit: null, per };
  return { tflopPerUnit: divide(multiply(whole(task === "training" ? 6 : 2), decimal(billionParameters)), whole(1000)), per };
}

/** How each measured workload scales on each accelerator (model e.6), against the fewest GPUs that it was measured on. */
export function scalingOf(benchmarks: readonly Benchmark[], labelOf: (acceleratorId: string) => string): readonly Scaling[] {
  const groups = Map.groupBy(benchmarks.filter(({ gpus }) => Number.isInteger(gpus)), ({ workload, acceleratorId, unit }) => `${workload.toLowerCase()}\n${unit.toLowerCase()}\n${acceleratorId}`);
  return [...groups.values()].flatMap((all) => {
    const newest = [...Map.groupBy(all, ({ gpus }) => gpus).values()].flatMap((same) => same.toSorted((a, b) => compareIds(b.measuredOn, a.measuredOn) || b.id - a.id)[0] ?? []).sort((a, b) => a.gpus - b.gpus);
    const [fewest] = newest;
    if (fewest === undefined || newest.length < 2) return [];
    const ofOne = divide(decimal(fewest.unitsPerSecond), whole(fewest.gpus));
    const points = parallelEfficiency(ofOne, newest.map(({ gpus, unitsPerSecond }) => ({ gpus, throughput: decimal(unitsPerSecond) })));
    return [{
      workload: fewest.workload,
      acceleratorId: fewest.acceleratorId,
      accelerator: labelOf(fewest.acceleratorId),
      points: points.map(({ gpus, efficiency, speedup, costMultiplier }, index) => ({
        gpus, unitsPerSecond: newest[index]?.unitsPerSecond ?? "0", efficiency: efficiency === null ? null : toNumber(efficiency), speedup: speedup === null ? null : toNumber(speedup), costMultiplier: costMultiplier === null ? null : toNumber(costMultiplier),
      })),
      largestEfficient: largestEfficient(points, EFFICIENCY_FLOOR),
    }];
  });
}

interface Prepared {
  readonly candidate: Candidate;
  readonly offer: SelectableOffer;
  readonly machines: number;
  /** Of all machines, before what a commitment leaves unused. */
  readonly hourly: Rational;
  readonly rate: { readonly basis: RateBasis; readonly benchmark: OfferLine["benchmark"] } | null;
  readonly atOnce: number;
  readonly utilization: Rational;
}

const WORKLOAD = "need";
/** A region or a jurisdiction is allowed or not: the choice among offers need not know which of the two was asked for. */
const ALLOWED = "allowed";
const ELSEWHERE = "elsewhere";

function prepare(candidate: Candidate, need: Need, benchmarks: readonly Benchmark[], scaling: readonly Scaling[]): Prepared {
  const perMachine = candidate.gpus ?? ONE;
  const machines = need.gpus === null ? 1 : ceiling(divide(whole(need.gpus), perMachine));
  const isShared = compare(perMachine, ONE) < 0;
  // A part of a card is a smaller card.
  const share = isShared ? perMachine : ONE;
  const effective = isShared ? multiply(share, subtract(ONE, decimal(need.virtualizationLoss))) : ONE;
  const gpus = multiply(isShared ? ONE : perMachine, whole(machines));
  const hourly = multiply(candidate.pricePerHour, whole(machines));
  const measured = benchmarkFor(candidate, multiply(perMachine, whole(machines)), benchmarks, scaling);
  const offer: SelectableOffer = {
    // At a tie the shorter term comes first (maths.md 0.7): the choice among offers then goes by id.
    id: `${String(termMonths[candidate.mode] ?? 0).padStart(3, "0")} ${idOf(candidate)}`,
    priceHourly: hourly,
    gpus,
    memoryGigabytesPerGpu: candidate.memoryGb === null ? null : multiply(candidate.memoryGb, share),
    bandwidthTerabytesPerSecond: candidate.bandwidthTbs === null ? null : multiply(candidate.bandwidthTbs, share),
    interconnect: linkOf(candidate, machines, need.link),
    region: isAllowedPlace(candidate, need) ? ALLOWED : ELSEWHERE,
    isConfidential: candidate.isConfidential,
    tflopsDense: new Map([...candidate.peakTflops].map(([precision, peak]) => [precision, multiply(peak, effective)])),
    benchmarks: measured === null ? new Map() : new Map([[WORKLOAD, measured.unitsPerSecond]]),
    powerKilowatts: candidate.watts === null ? null : divide(multiply(candidate.watts, multiply(gpus, share)), whole(1000)),
    pue: candidate.pue,
    gridGramsPerKilowattHour: candidate.grid?.grams ?? null,
  };
  return { candidate, offer, machines, hourly, rate: measured, atOnce: 1, utilization: ONE };
}

/**
 * The benchmark that speaks for an offer: of this machine type before any with the accelerator, of this number of GPUs before the nearest; from
 * another number it is scaled by GPUs and, where the log shows it, by parallel efficiency.
 */
function benchmarkFor(candidate: Candidate, gpus: Rational, benchmarks: readonly Benchmark[], scaling: readonly Scaling[]): { readonly unitsPerSecond: Rational; readonly basis: RateBasis; readonly benchmark: OfferLine["benchmark"] } | null {
  const own = benchmarks.filter(({ acceleratorId, instanceType }) => acceleratorId === candidate.acceleratorId && (instanceType === null || instanceType.toLowerCase() === candidate.instanceType.toLowerCase()));
  const count = toNumber(gpus);
  const [best] = own.toSorted(
    (a, b) =>
      Math.abs(Math.log(a.gpus / count)) - Math.abs(Math.log(b.gpus / count)) ||
      Number(a.instanceType === null) - Number(b.instanceType === null) ||
      compareIds(b.measuredOn, a.measuredOn) ||
      b.id - a.id,
  );
  if (best === undefined) return null;
  const benchmark = { gpus: best.gpus, measuredOn: best.measuredOn, source: best.source };
  const measured = decimal(best.unitsPerSecond);
  if (best.gpus === count) return { unitsPerSecond: measured, basis: "benchmark", benchmark };
  const curve = scaling.find(({ acceleratorId }) => acceleratorId === candidate.acceleratorId)?.points ?? [];
  const efficiencyAt = (at: number): number => curve.filter((point) => point.gpus <= at).at(-1)?.efficiency ?? 1;
  const change = fromNumber(Number((efficiencyAt(count) / efficiencyAt(best.gpus)).toPrecision(12)));
  return { unitsPerSecond: multiply(multiply(measured, divide(gpus, fromNumber(best.gpus))), change), basis: "scaled", benchmark };
}

/** Between machines it is the network that counts; within one the link of its accelerators, and its network where that is what is asked for. */
function linkOf({ gpuLink, hasRdma }: Candidate, machines: number, asked: Link | null): Link | null {
  if (machines > 1) return hasRdma ? "infiniband" : "pcie";
  return asked === "infiniband" && hasRdma ? "infiniband" : gpuLink;
}

/** Second pass: a commitment pays for whole sets of machines through the year, whether the work fills it or not. */
function withCommitments(kept: readonly Prepared[], first: Pick<Selection, "ranking">, requirement: Requirement): { readonly offers: readonly Prepared[]; readonly selection: Selection } {
  const hours = new Map(first.ranking.map(({ id, jobHours }) => [id, jobHours]));
  const offers = kept.map((prepared): Prepared => {
    const worked = hours.get(prepared.offer.id);
    if (worked === undefined) return prepared;
    const atOnce = Math.max(1, ceiling(divide(worked, YEAR_HOURS)));
    if (termHours[prepared.candidate.mode] === null) return { ...prepared, atOnce };
    const utilization = divide(worked, multiply(YEAR_HOURS, whole(atOnce)));
    return { ...prepared, atOnce, utilization, offer: { ...prepared.offer, priceHourly: divide(prepared.hourly, utilization) } };
  });
  return { offers, selection: selectOffers(requirement, offers.map(({ offer }) => offer)) };
}

function requirementOf(need: Need, tflopPerUnit: Rational | null): Requirement {
  const optional = (text: string | null): Rational | null => (text === null ? null : decimal(text));
  return {
    precision: need.precision,
    workload: WORKLOAD,
    units: decimal(need.units),
    defaultMfu: need.basis === "peak" ? ONE : decimal(need.mfu),
    tflopPerUnit,
    calibrate: need.basis === "measured",
    minimumMemoryGigabytesPerGpu: optional(need.memoryGb),
    minimumTotalMemoryGigabytes: optional(need.totalMemoryGb),
    minimumBandwidthTerabytesPerSecond: optional(need.bandwidthTbs),
    minimumInterconnect: need.link,
    regions: need.regions.length === 0 && need.countries.length === 0 ? null : [ALLOWED],
    needsConfidential: need.confidential,
    maximumGridGramsPerKilowattHour: optional(need.maximumGrams),
    deadlineHours: optional(need.deadlineHours),
    maximumJobCost: optional(need.budget),
  };
}

/** What no machine of this kind is chosen from: the person narrowed it away, which is no rejection. */
function isAskedFor({ mode, provider, isConvertible }: Candidate, need: Need): boolean {
  return need.modes.includes(mode) && !isConvertible && (need.providers.length === 0 || need.providers.includes(provider));
}

/** What keeps an offer from being compared at all. */
function impossible(candidate: Candidate, need: Need): readonly RejectionReason[] {
  const checks: readonly (readonly [RejectionReason, boolean])[] = [
    ["currency", candidate.currency !== need.currency],
    ["size", candidate.gpus === null || candidate.acceleratorId === null],
    ["host-apart", candidate.scope === "accelerator" && candidate.asic === null],
    ["age", need.maximumAgeDays !== null && candidate.ageDays > need.maximumAgeDays],
  ];
  return checks.filter(([, fails]) => fails).map(([reason]) => reason);
}

function isAllowedPlace({ region, country }: Candidate, { regions, countries }: Need): boolean {
  if (regions.length > 0 && !regions.includes(region)) return false;
  return countries.length === 0 || (country !== null && (countries.includes(country) || (countries.includes(EU) && europeanUnion.has(country))));
}

/** Of one machine bought one way: the regions that no other beats, or the cheapest where none is allowed. */
function ofRegions(group: readonly Candidate[], need: Need): { readonly chosen: readonly Candidate[]; readonly dearer: number; readonly notAllowed: number } {
  const most = need.maximumGrams === null ? null : decimal(need.maximumGrams);
  const allowed = group.filter(
    (candidate) => candidate.currency === need.currency && isAllowedPlace(candidate, need) && (most === null || (candidate.grid !== null && compare(candidate.grid.grams, most) <= 0)) && (need.maximumAgeDays === null || candidate.ageDays <= need.maximumAgeDays),
  );
  const from = allowed.length === 0 ? group : allowed;
  const sorted = from.toSorted((a, b) => compare(a.pricePerHour, b.pricePerHour) || compareGrams(a, b) || compareIds(a.region, b.region));
  if (allowed.length === 0) return { chosen: sorted.slice(0, 1), dearer: 0, notAllowed: group.length - 1 };
  const chosen: Candidate[] = [];
  for (const candidate of sorted) if (chosen.every((better) => compareGrams(candidate, better) < 0)) chosen.push(candidate);
  return { chosen, dearer: allowed.length - chosen.length, notAllowed: group.length - allowed.length };
}

/** Emissions of a place a kWh of IT; unknown is the worst. */
function compareGrams(a: Candidate, b: Candidate): number {
  const grams = ({ grid, pue }: Candidate): Rational | null => (grid === null || pue === null ? null : multiply(grid.grams, pue));
  const [ofA, ofB] = [grams(a), grams(b)];
  if (ofA === null || ofB === null) return Number(ofA === null) - Number(ofB === null);
  return compare(ofA, ofB);
}

function lineOf(rated: RatedOffer, prepared: Prepared, need: Need, best: { readonly rated: RatedOffer; readonly prepared: Prepared }, selection: Selection, isPareto: boolean, otherRegions: OfferLine["otherRegions"]): OfferLine {
  const { candidate, offer, machines, hourly, rate, atOnce, utilization } = prepared;
  const gpus = multiply(candidate.gpus ?? ONE, whole(machines));
  const speed = (of: RatedOffer): Rational => divide(decimal(need.units), multiply(of.jobHours, whole(3600)));
  const perMoney = (amount: Rational | null): number | null => {
    const quotient = amount === null ? null : ratio(multiply(amount, gpus), hourly);
    return quotient === null ? null : toNumber(quotient);
  };
  const estimated: RateBasis = need.basis === "peak" ? "peak" : selection.mfuSource === "calibrated" ? "calibrated" : "assumed";
  return {
    ...nameOf(candidate),
    rank: 0,
    country: candidate.country,
    location: candidate.location,
    acceleratorId: candidate.acceleratorId ?? "",
    asic: candidate.asic,
    gpusPerMachine: toNumber(candidate.gpus ?? ONE),
    machines,
    memoryGb: numberOf(offer.memoryGigabytesPerGpu),
    totalMemoryGb: offer.memoryGigabytesPerGpu === null ? null : toNumber(multiply(offer.memoryGigabytesPerGpu, offer.gpus)),
    bandwidthTbs: numberOf(offer.bandwidthTerabytesPerSecond),
    link: candidate.gpuLink,
    hasRdma: candidate.hasRdma,
    isConfidential: candidate.isConfidential,
    currency: candidate.currency,
    pricePerHour: toDecimal(hourly),
    stated: candidate.stated === undefined ? null : { ...candidate.stated, pricePerHour: toDecimal(multiply(candidate.stated.pricePerHour, whole(machines))) },
    priceOrigin: candidate.priceOrigin,
    priceSource: candidate.priceSource,
    priceDate: candidate.priceDate,
    ageDays: candidate.ageDays,
    discountPercent: candidate.discountPercent,
    isSuperseded: candidate.isSuperseded,
    unitsPerSecond: toNumber(speed(rated)),
    rateBasis: rated.isEstimated ? estimated : (rate?.basis ?? estimated),
    benchmark: rated.isEstimated ? null : (rate?.benchmark ?? null),
    costPer: toDecimal(multiply(rated.costPerUnit, whole(workOf(need).per))),
    cost: toDecimal(rated.jobCost),
    hours: toNumber(rated.jobHours),
    atOnce,
    utilization: toNumber(utilization),
    carbonKg: rated.jobCarbonGrams === null ? null : toNumber(divide(rated.jobCarbonGrams, whole(1000))),
    gridGrams: numberOf(candidate.grid?.grams ?? null),
    gridYear: candidate.grid?.year ?? null,
    pue: numberOf(candidate.pue),
    isPareto,
    breakEvenSpeedUp: toNumber(ratio(offer.priceHourly, best.prepared.offer.priceHourly) ?? ZERO),
    speedUp: toNumber(divide(best.rated.jobHours, rated.jobHours)),
    tflopsPerMoney: Object.fromEntries(precisions.flatMap((precision) => { const peak = candidate.peakTflops.get(precision); const value = perMoney(peak ?? null); return value === null ? [] : [[precision, value]]; })),
    gbPerMoney: perMoney(candidate.memoryGb),
    gbsPerMoney: perMoney(candidate.bandwidthTbs === null ? null : multiply(candidate.bandwidthTbs, whole(1000))),
    otherRegions,
  };
}

/** Of one machine bought one way its cheapest region, and those that emit so much less that no offer beats them. */
function oneRegionEach(lines: readonly OfferLine[]): readonly OfferLine[] {
  const seen = new Set<string>();
  return lines.filter(({ provider, instanceType, mode, payment, isPareto }) => {
    const key = [provider, instanceType, mode, payment].join("\n");
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst || isPareto;
  });
}

/** The cheapest of each kind of accelerator that is no GPU, and what it would save beside the cheapest GPU. */
function asicsOf(lines: readonly OfferLine[]): OffersAnswer["asics"] {
  const gpu = lines.find(({ asic }) => asic === null);
  const seen = new Set<AsicKind>();
  return lines.flatMap(({ asic, id, cost }) => {
    if (asic === null || seen.has(asic)) return [];
    seen.add(asic);
    const saves = gpu === undefined ? null : subtract(decimal(gpu.cost), decimal(cost));
    const share = gpu === undefined || saves === null ? null : ratio(saves, decimal(gpu.cost));
    return [{ kind: asic, offer: id, savesAYear: saves === null ? null : toDecimal(saves), savesShare: share === null ? null : toNumber(share) }];
  });
}

/**
 * What a budget a year buys: on demand as many hours as it pays for, of a commitment whole sets of machines through the year.
 */
function tierOf(budget: string, lines: readonly OfferLine[]): BudgetTier {
  const money = decimal(budget);
  const bought = lines.map((line) => {
    const price = decimal(line.pricePerHour);
    const isCommitted = termHours[line.mode] !== null;
    const sets = floor(divide(money, multiply(price, YEAR_HOURS)));
    const hours = isCommitted ? multiply(whole(sets), YEAR_HOURS) : divide(money, price);
    const gpuHours = multiply(hours, multiply(fromNumber(line.gpusPerMachine), whole(line.machines)));
    return { line, isCommitted, hours: toNumber(hours), gpuHours: toNumber(gpuHours), units: toNumber(hours) * 3600 * line.unitsPerSecond, allYear: Number(sets) };
  });
  const pick = (kind: "any" | "free" | "committed", from: typeof bought): BudgetTier["picks"][number] => {
    const [most] = from.filter(({ units }) => units > 0).toSorted((a, b) => b.units - a.units || compareIds(a.line.id, b.line.id));
    return most === undefined ? { kind, offer: null, hours: 0, gpuHours: 0, units: 0, allYear: 0 } : { kind, offer: most.line.id, hours: most.hours, gpuHours: most.gpuHours, units: most.units, allYear: most.allYear };
  };
  return { budget, picks: [pick("any", bought), pick("free", bought.filter(({ isCommitted }) => !isCommitted)), pick("committed", bought.filter(({ isCommitted }) => isCommitted))] };
}

function rejectedOf(candidate: Candidate, reasons: readonly RejectionReason[], hourly: Rational): RejectedOffer {
  return { ...nameOf(candidate), reasons, pricePerHour: toDecimal(hourly), currency: candidate.currency };
}

function nameOf(candidate: Candidate): Pick<OfferLine, "id" | "provider" | "instanceType" | "region" | "mode" | "payment" | "accelerator"> {
  const { provider, instanceType, region, mode, payment, accelerator } = candidate;
  return { id: idOf(candidate), provider, instanceType, region, mode, payment, accelerator };
}

function idOf({ provider, instanceType, region, mode, payment }: Candidate): string {
  return [provider, instanceType, region, mode, ...(payment === null ? [] : [payment])].join(" ");
}

function groupOf({ provider, instanceType, mode, payment, scope }: Candidate): string {
  return [provider, instanceType, mode, payment, scope].join("\n");
}

function fitsWorkload({ workload, unit, precision }: Benchmark, need: Need): boolean {
  const plain = (text: string): string => text.trim().toLowerCase().replace(/s$/, "");
  return need.workload !== "" && plain(workload) === plain(need.workload) && plain(unit) === plain(need.unit) && (precision === null || precision === need.precision);
}

function numberOf(value: Rational | null): number | null {
  return value === null ? null : toNumber(value);
}

function ceiling(value: Rational): number {
  const below = floor(value);
  return Number(compare(whole(below), value) === 0 ? below : below + 1n);
}
