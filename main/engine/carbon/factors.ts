/**
 * Which factor a row of GPU-hours rests on. The order is stated, and the step that found it goes with the factor: the person's own, the very
 * region, its subregion or province, the country, the provider's average, the industry's. A year uses the newest factor that is not
 * younger than it. Where no step finds one there is none: nothing is filled in.
 */
import type { CarbonFactorStep, CarbonFactorUnit, CarbonFactorUseKind, CarbonSettings } from "../../../shared/contract/carbon.ts";
import { add, compare, decimal, divide, fromNumber, larger, multiply, smaller, toDecimal, ZERO, type Rational } from "../../../shared/domain/rational.ts";

interface Provenance {
  readonly source: string;
  readonly licence: string;
  readonly retrieved: string;
}
/** The shipped tables, as `reference/load.ts` reads them. */
export interface CarbonReference {
  readonly regions: readonly (Provenance & { readonly provider: string; readonly region: string; readonly country: string; readonly egridSubregion: string | null; readonly chinaProvince: string | null })[];
  readonly gridIntensity: readonly (Provenance & {
    readonly zone: string; readonly zoneName: string; readonly country: string | null; readonly year: number; readonly gco2ePerKwh: number;
    readonly gasScope: string; readonly method: string; readonly boundary: string;
  })[];
  readonly efficiency: readonly (Provenance & {
    readonly provider: string; readonly region: string; readonly year: number | null; readonly pue: number | null; readonly wueLitresPerKwh: number | null; readonly kind: string;
  })[];
  readonly embodied: readonly (Provenance & {
    readonly subject: string; readonly subjectKind: string; readonly acceleratorId: string | null; readonly kgco2e: number | null; readonly lifetimeHours: number | null;
  })[];
  readonly hostPower: readonly (Provenance & { readonly component: string; readonly watts: number; readonly wattsLow: number; readonly wattsHigh: number })[];
  readonly accelerators: readonly (Provenance & { readonly id: string; readonly family: string; readonly label: string; readonly tdpW: number | null; readonly idleW: number | null })[];
  readonly machineTypes: readonly (Provenance & { readonly provider: string; readonly instanceType: string; readonly acceleratorCount: number | null; readonly vcpu: number | null; readonly memoryGib: number | null })[];
}

/** What a person brings: `value` in the unit of the kind; `work` is how many units of work a month did, of the team that `subject` names. */
export const ownFactorKinds = ["grid", "residual", "contract", "pue", "water", "gpu-power", "host-power", "embodied", "work"] as const;
export type OwnFactorKind = (typeof ownFactorKinds)[number];
export interface OwnFactor {
  readonly id: number;
  readonly kind: OwnFactorKind;
  /** As bills spell them; null for any. */
  readonly provider: string | null;
  readonly region: string | null;
  /** Grid zone, accelerator or machine type; null for any. */
  readonly subject: string | null;
  readonly fromMonth: string | null;
  readonly toMonth: string | null;
  readonly value: string;
  readonly low: string | null;
  readonly high: string | null;
  readonly share: string | null;
  readonly method: string | null;
  readonly boundary: string | null;
  readonly gases: string | null;
  readonly source: string;
  readonly licence: string | null;
  readonly retrieved: string | null;
}

export interface Factor {
  readonly key: string;
  readonly kind: CarbonFactorUseKind;
  readonly subject: string;
  readonly value: Rational;
  readonly low: Rational;
  readonly high: Rational;
  readonly unit: CarbonFactorUnit;
  readonly year: number | null;
  readonly usedForYear: number;
  readonly method: string | null;
  readonly boundary: string | null;
  readonly gases: string | null;
  readonly share: Rational | null;
  readonly source: string;
  readonly licence: string;
  readonly retrieved: string | null;
  readonly origin: "own" | "shipped";
  readonly step: CarbonFactorStep;
  readonly beats: { readonly value: string; readonly source: string } | null;
}

/** Of what a factor is looked for. `providerId` is the reference's name of the provider, null for one it does not know. */
export interface Place {
  readonly provider: string | null;
  readonly providerId: string | null;
  readonly region: string | null;
  readonly month: string;
}
export interface Hardware extends Place {
  readonly acceleratorId: string | null;
  readonly gpuModel: string | null;
  readonly instanceType: string | null;
}
/** A card's watts: at no load and at full load. `low` and `high` of the factor are what the card may draw in hours that nobody saw. */
export interface GpuPower {
  readonly factor: Factor;
  readonly idleWatts: Rational;
  readonly fullWatts: Rational;
}

/** Grid factors older than this are passed over for the next step. */
const OLDEST_GRID_YEARS = 5;
/** Share of the rated maximum that a card draws at no load, where its row states none: the mean of the cards that do (reference README). */
const IDLE_SHARE = decimal("0.11");
/** Hours of use that making the hardware is shared over: 4 years, as the Cloud Carbon Footprint coefficients do; 6 and 3 years bound it. */
export const LIFETIME_HOURS = { low: decimal("52560"), central: decimal("35040"), high: decimal("26280") } as const;
/** Cards of this rated power and over sit eight in a server made for them; below, in a plain server. */
const EIGHT_GPU_SERVER_WATTS = 300;
const GPUS_A_SERVER = decimal("8");

export interface FactorBook {
  grid(place: Place): Factor | null;
  /** Contracts in force; shares above the whole are cut in the order of the list. */
  contracts(place: Place): readonly Factor[];
  residual(place: Place): Factor | null;
  pue(place: Place): Factor | null;
  water(place: Place): Factor | null;
  gpuPower(hardware: Hardware): GpuPower | null;
  /** Watts a GPU of the host around it. */
  hostPower(hardware: Hardware): Factor | null;
  /** kg CO2e a GPU, its part of the server included. */
  embodied(hardware: Hardware): Factor | null;
  /** Whether the region is in the list of regions, or an own factor names it. */
  zonesOf(place: Place): readonly string[];
}

export function factorBook(reference: CarbonReference, own: readonly OwnFactor[], settings: CarbonSettings): FactorBook {
  const index = indexOf(reference);
  const owned = new Set(settings.ownedProviders.map((name) => name.toLowerCase()));
  const isOwned = (place: Place): boolean => place.provider !== null && owned.has(place.provider.toLowerCase());

  function zonesOf({ providerId, region }: Place): string[] {
    const row = providerId === null || region === null ? undefined : index.region.get(`${providerId} ${region.toLowerCase()}`);
    if (row === undefined) return [];
    const zones = [];
    if (row.egridSubregion !== null) zones.push(`EGRID:${row.egridSubregion}`);
    if (row.chinaProvince !== null) zones.push(`CN-PROV:${row.chinaProvince}`);
    zones.push(row.country);
    return zones;
  }

  /** The person's factor that is most about the place: its region, then its zone or hardware, then its provider, then any; the newest of equals. */
  function ownOf(kind: OwnFactorKind, place: Place, subjects: readonly string[]): OwnFactor[] {
    const wanted = subjects.map((subject) => subject.toLowerCase());
    const scored = own.flatMap((factor) => {
      if (factor.kind !== kind || !holdsIn(factor, place.month)) return [];
      if (factor.provider !== null && factor.provider.toLowerCase() !== place.provider?.toLowerCase() && factor.provider.toLowerCase() !== place.providerId) return [];
      if (factor.region !== null && factor.region.toLowerCase() !== place.region?.toLowerCase()) return [];
      if (factor.subject !== null && !wanted.includes(factor.subject.toLowerCase())) return [];
      return [{ factor, score: (factor.region === null ? 0 : 4) + (factor.subject === null ? 0 : 2) + (factor.provider === null ? 0 : 1) }];
    });
    return scored.sort((a, b) => b.score - a.score || b.factor.id - a.factor.id).map(({ factor }) => factor);
  }

  function shippedGrid(place: Place): Factor | null {
    const year = yearOf(place.month);
    const zones = zonesOf(place);
    const known = zones.flatMap((zone) => index.grid.get(zone) ?? []);
    const country = zones.at(-1);
    const others = country === undefined ? [] : (index.gridOfCountry.get(country) ?? []);
    for (const zone of zones) {
      const isCountry = zone === country;
      const rows = [...(index.grid.get(zone) ?? []), ...(isCountry ? others : [])].filter(
        (row) => row.year <= year && year - row.year <= OLDEST_GRID_YEARS && (settings.gridChoice === "nearest" || row.boundary === "life-cycle"),
      );
      const row = newest(rows);
      if (row === null) continue;
      // What sources say of the same place in the same or a neighbouring year bounds the factor.
      const around = [row, ...known, ...others].filter((other) => Math.abs(other.year - row.year) <= 2).map(({ gco2ePerKwh }) => fromNumber(gco2ePerKwh));
      return {
        ...shipped("grid", row, year),
        key: `grid ${row.zone} ${row.year} ${year}`,
        subject: row.zone === row.zoneName || row.zone.startsWith("EGRID") ? row.zone : `${row.zone} ${row.zoneName}`,
        value: fromNumber(row.gco2ePerKwh),
        low: around.reduce(smaller),
        high: around.reduce(larger),
        unit: "g/kWh",
        year: row.year,
        method: row.method,
        boundary: row.boundary,
        gases: row.gasScope,
        step: isCountry ? "country" : "subregion",
      };
    }
    return null;
  }

  function shippedEfficiency(kind: "pue" | "water", place: Place): Factor | null {
    const year = yearOf(place.month);
    const provider = isOwned(place) ? "on-premises" : (place.providerId ?? "any-cloud");
    const of = (row: CarbonReference["efficiency"][number]): number | null => (kind === "pue" ? row.pue : row.wueLitresPerKwh);
    const known = index.efficiency.filter((row) => of(row) !== null && (row.year === null || row.year <= year));
    const steps: readonly (readonly [CarbonFactorStep, (row: CarbonReference["efficiency"][number]) => boolean])[] = [
      ["region", (row) => row.provider === provider && row.kind === "region" && row.region === place.region?.toLowerCase()],
      ["fleet", (row) => row.provider === provider && row.kind === "fleet-average"],
      ["fleet", (row) => row.provider === provider && row.kind === "tool-default"],
      ["industry", (row) => row.kind === "industry-average" && row.provider === (provider === "on-premises" ? provider : "any-cloud")],
    ];
    for (const [step, fits] of steps) {
      const row = newest(known.filter(fits));
      if (row === null) continue;
      const value = fromNumber(of(row) as number);
      const around = (step === "industry" ? index.efficiency.filter((other) => of(other) !== null) : index.efficiency.filter((other) => of(other) !== null && (step === "region" ? fits(other) : other.provider === provider)))
        .map((other) => fromNumber(of(other) as number));
      return {
        ...shipped(kind, row, year),
        key: `${kind} ${row.provider} ${row.region} ${row.year ?? ""} ${year} ${row.kind}`,
        subject: `${row.provider} ${row.region}`,
        value,
        low: [value, ...around].reduce(smaller),
        high: [value, ...around].reduce(larger),
        unit: kind === "pue" ? "ratio" : "L/kWh",
        year: row.year,
        method: row.kind,
        step,
      };
    }
    return null;
  }

  function shippedPower({ acceleratorId, gpuModel, month }: Hardware): Factor | null {
    const one = acceleratorId === null ? undefined : index.accelerator.get(acceleratorId);
    // A bill that names the family alone leaves the part open: the most any of them draws, and the range says the least.
    const isOne = one !== undefined && one.tdpW !== null;
    const parts = isOne ? [one] : reference.accelerators.filter(({ family, tdpW }) => family === (one?.family ?? gpuModel) && tdpW !== null);
    const first = parts[0];
    if (first === undefined) return null;
    const most = parts.reduce((a, b) => ((b.tdpW as number) > (a.tdpW as number) ? b : a), first);
    const full = fromNumber(most.tdpW as number);
    const idles = parts.map((part) => (part.idleW === null ? multiply(fromNumber(part.tdpW as number), IDLE_SHARE) : fromNumber(part.idleW)));
    return {
      ...shipped("gpu-power", most, yearOf(month)),
      key: `gpu-power ${isOne ? one.id : `family ${most.family}`} ${yearOf(month)}`,
      subject: isOne ? one.label : most.family,
      value: full,
      low: idles.reduce(smaller),
      high: full,
      unit: "W",
      year: null,
      step: isOne ? "accelerator" : "generic",
    };
  }

  function shippedHostPower({ providerId, instanceType, month }: Hardware): Factor | null {
    const type = providerId === null || instanceType === null ? undefined : index.machineType.get(`${providerId} ${instanceType.toLowerCase()}`);
    const [vcpu, memory, network] = ["vcpu", "memory-gib", "network-per-gpu"].map((component) => reference.hostPower.find((row) => row.component === component));
    if (type === undefined || type.acceleratorCount === null || type.vcpu === null || type.memoryGib === null || vcpu === undefined || memory === undefined || network === undefined) return null;
    const count = fromNumber(type.acceleratorCount);
    const watts = (pick: (row: CarbonReference["hostPower"][number]) => number): Rational =>
      add(
        divide(add(multiply(fromNumber(type.vcpu as number), fromNumber(pick(vcpu))), multiply(fromNumber(type.memoryGib as number), fromNumber(pick(memory)))), count),
        compare(count, GPUS_A_SERVER) >= 0 ? fromNumber(pick(network)) : ZERO,
      );
    return {
      ...shipped("host-power", vcpu, yearOf(month)),
      key: `host-power ${type.provider} ${type.instanceType} ${yearOf(month)}`,
      subject: type.instanceType,
      value: watts((row) => row.watts),
      low: watts((row) => row.wattsLow),
      high: watts((row) => row.wattsHigh),
      unit: "W",
      year: null,
      method: `${type.vcpu} vCPU, ${type.memoryGib} GiB, ${type.acceleratorCount} GPU`,
      step: "machine-type",
    };
  }

  function shippedEmbodied(hardware: Hardware): Factor | null {
    const card = reference.embodied.find((row) => row.subjectKind === "card" && row.acceleratorId !== null && row.acceleratorId === hardware.acceleratorId && row.kgco2e !== null);
    const generic = reference.embodied.filter((row) => row.subjectKind === "card" && row.acceleratorId === null && row.kgco2e !== null);
    const servers = reference.embodied.filter((row) => row.subjectKind === "server" && row.kgco2e !== null).sort((a, b) => (a.kgco2e as number) - (b.kgco2e as number));
    const base = card ?? generic.find(({ lifetimeHours }) => lifetimeHours !== null) ?? generic[0];
    const [plain, large] = [servers[0], servers.at(-1)];
    if (base === undefined || plain === undefined || large === undefined) return null;
    const cards = [...generic, ...reference.embodied.filter((row) => row.subjectKind === "card" && row.kgco2e !== null)].map(({ kgco2e }) => fromNumber(kgco2e as number));
    const part = (row: typeof plain): Rational => divide(fromNumber(row.kgco2e as number), GPUS_A_SERVER);
    const watts = gpuPower(hardware)?.fullWatts ?? null;
    const server = watts !== null && compare(watts, fromNumber(EIGHT_GPU_SERVER_WATTS)) >= 0 ? large : plain;
    const value = add(fromNumber(base.kgco2e as number), part(server));
    return {
      ...shipped("embodied", base, yearOf(hardware.month)),
      key: `embodied ${base.subject} ${server.subject} ${yearOf(hardware.month)}`,
      subject: base.subject,
      method: `+ 1/8 ${server.subject}`,
      value,
      low: cards.reduce(smaller),
      high: add(cards.reduce(larger), part(large)),
      unit: "kg",
      year: null,
      source: `${base.source}; ${server.source}`,
      step: card === undefined ? "generic" : "accelerator",
    };
  }

  function gpuPower(hardware: Hardware): GpuPower | null {
    const factor = won("gpu-power", hardware, hardwareNames(hardware), () => shippedPower(hardware));
    if (factor === null) return null;
    return { factor, fullWatts: factor.value, idleWatts: idleOf(factor, hardware) };
  }

  /** Watts at no load: an own factor's low end, else what the card's row says or 11 % of its maximum. */
  function idleOf(factor: Factor, { acceleratorId }: Hardware): Rational {
    if (factor.origin === "own") return compare(factor.low, factor.value) < 0 ? factor.low : multiply(factor.value, IDLE_SHARE);
    const idle = acceleratorId === null ? null : (index.accelerator.get(acceleratorId)?.idleW ?? null);
    return idle === null ? multiply(factor.value, IDLE_SHARE) : fromNumber(idle);
  }

  /** An own factor beats the shipped one, and says which it beat. */
  function won(kind: Exclude<OwnFactorKind, "work">, place: Place, subjects: readonly string[], find: () => Factor | null): Factor | null {
    const mine = ownOf(kind, place, subjects)[0];
    const found = find();
    return mine === undefined ? found : ownAsFactor(mine, kind, place, found);
  }

  const remembered = new Map<string, unknown>();
  function once<T>(kind: string, place: Place | Hardware, find: () => T): T {
    const key = `${kind} ${place.provider ?? "-"} ${place.region ?? "-"} ${place.month} ${"acceleratorId" in place ? `${place.acceleratorId ?? "-"} ${place.gpuModel ?? "-"} ${place.instanceType ?? "-"}` : ""}`;
    if (!remembered.has(key)) remembered.set(key, find());
    return remembered.get(key) as T;
  }

  return {
    grid: (place) => once("grid", place, () => won("grid", place, zoneNames(zonesOf(place)), () => shippedGrid(place))),
    contracts: (place) => once("contracts", place, () => ownOf("contract", place, zoneNames(zonesOf(place))).map((factor) => ownAsFactor(factor, "contract", place, null))),
    residual: (place) => once("residual", place, () => won("residual", place, zoneNames(zonesOf(place)), () => null)),
    pue: (place) => once("pue", place, () => won("pue", place, [], () => shippedEfficiency("pue", place))),
    water: (place) => once("water", place, () => won("water", place, [], () => shippedEfficiency("water", place))),
    gpuPower: (hardware) => once("gpu-power", hardware, () => gpuPower(hardware)),
    hostPower: (hardware) => once("host-power", hardware, () => won("host-power", hardware, hardwareNames(hardware), () => shippedHostPower(hardware))),
    embodied: (hardware) => once("embodied", hardware, () => won("embodied", hardware, hardwareNames(hardware), () => shippedEmbodied(hardware))),
    zonesOf,
  };
}

interface Index {
  readonly region: ReadonlyMap<string, CarbonReference["regions"][number]>;
  readonly grid: ReadonlyMap<string, readonly CarbonReference["gridIntensity"][number][]>;
  /** Of a country as a whole from other sources than its own zone name: Ember's. */
  readonly gridOfCountry: ReadonlyMap<string, readonly CarbonReference["gridIntensity"][number][]>;
  readonly efficiency: readonly CarbonReference["efficiency"][number][];
  readonly accelerator: ReadonlyMap<string, CarbonReference["accelerators"][number]>;
  readonly machineType: ReadonlyMap<string, CarbonReference["machineTypes"][number]>;
}
const indexes = new WeakMap<CarbonReference, Index>();

function indexOf(reference: CarbonReference): Index {
  let index = indexes.get(reference);
  if (index === undefined) {
    indexes.set(
      reference,
      (index = {
        region: new Map(reference.regions.map((row) => [`${row.provider} ${row.region.toLowerCase()}`, row])),
        grid: Map.groupBy(reference.gridIntensity, ({ zone }) => zone),
        gridOfCountry: Map.groupBy(reference.gridIntensity.filter(({ zone, country }) => country !== null && zone.startsWith("EMBER:")), ({ country }) => country as string),
        efficiency: reference.efficiency,
        accelerator: new Map(reference.accelerators.map((row) => [row.id, row])),
        machineType: new Map(reference.machineTypes.map((row) => [`${row.provider} ${row.instanceType.toLowerCase()}`, row])),
      }),
    );
  }
  return index;
}

function shipped(kind: CarbonFactorUseKind, { source, licence, retrieved }: Provenance, usedForYear: number) {
  return { kind, usedForYear, source, licence, retrieved, origin: "shipped", method: null, boundary: null, gases: null, share: null, beats: null } as const;
}

function ownAsFactor(own: OwnFactor, kind: CarbonFactorUseKind, place: Place, beaten: Factor | null): Factor {
  const value = decimal(own.value);
  return {
    key: `${kind} own ${own.id} ${yearOf(place.month)}`,
    kind,
    subject: [own.provider, own.region, own.subject].filter((part) => part !== null).join(" "),
    value,
    low: own.low === null ? value : decimal(own.low),
    high: own.high === null ? value : decimal(own.high),
    unit: factorUnits[kind],
    year: own.fromMonth === null ? null : yearOf(own.fromMonth),
    usedForYear: yearOf(place.month),
    method: own.method,
    boundary: own.boundary,
    gases: own.gases,
    share: own.share === null ? null : decimal(own.share),
    source: own.source,
    licence: own.licence ?? "",
    retrieved: own.retrieved,
    origin: "own",
    step: "own",
    beats: beaten === null ? null : { value: toDecimal(beaten.value), source: beaten.source },
  };
}

export const factorUnits: Readonly<Record<CarbonFactorUseKind, CarbonFactorUnit>> = {
  "gpu-power": "W", "host-power": "W", pue: "ratio", grid: "g/kWh", contract: "g/kWh", residual: "g/kWh", embodied: "kg", water: "L/kWh",
};

function zoneNames(zones: readonly string[]): string[] {
  return zones.flatMap((zone) => (zone.includes(":") ? [zone, zone.slice(zone.indexOf(":") + 1)] : [zone]));
}

function hardwareNames({ acceleratorId, gpuModel, instanceType }: Hardware): string[] {
  return [acceleratorId, gpuModel, instanceType].filter((name) => name !== null);
}

function holdsIn({ fromMonth, toMonth }: OwnFactor, month: string): boolean {
  return (fromMonth === null || fromMonth <= month) && (toMonth === null || month <= toMonth);
}

function newest<T extends { readonly year: number | null }>(rows: readonly T[]): T | null {
  return rows.reduce<T | null>((best, row) => (best === null || (row.year ?? 0) > (best.year ?? 0) ? row : best), null);
}

function yearOf(month: string): number {
  return Number(month.slice(0, 4));
}
