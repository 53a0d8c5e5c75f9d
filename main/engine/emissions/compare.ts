/** Why a provider's own figure and the ledger's differ: boundary, months, and what is left. Pure: rows in, steps out. */
import type { EmissionsComparison, EmissionsGapStep, EmissionsMethodComparison } from "../../../shared/contract/provider-emissions.ts";
import { plus } from "../formats/emissions/index.ts";
import { canonicalName } from "../formats/format.ts";
import type { ShownEmissions } from "./store.ts";

/** What the ledger works out for GPU-hours of one provider: a month, account, region and service. Micrograms; null: not calculated. */
export interface LedgerEmissions {
  readonly month: string;
  readonly account: string | null;
  readonly region: string | null;
  readonly service: string | null;
  readonly gpuHours: number;
  readonly location: bigint | null;
  readonly market: bigint | null;
  /** GPU-hours with a location-based figure. */
  readonly coveredGpuHours: number;
}

/** Names that providers' reports and their bills have for the service that machines are rented under. */
const machineServices = new Set(["amazonec2", "amazonelasticcomputecloud", "ec2", "elasticcomputecloud", "computeengine", "virtualmachines", "virtualmachine", "virtualmachinescalesets"].map(canonicalName));
const named = 5;

/**
 * The provider's figure, step by step, to the ledger's: report + Σ steps = ledger, to the microgram.
 *
 * scopes     what the report states beyond its scope 2 is taken off: the ledger's operational figure holds electricity alone
 * boundary   then accounts, regions and services without GPU-hours, each of what is left; a step whose names the two sides do not share
 *            is not taken, as nothing could be told apart by it
 * months     the ledger's figure of months that the report does not hold yet
 * rest       what then differs, in the same accounts, regions, services and months: machines without GPUs, other factors and shares
 */
export function compareEmissions(name: string, periodMonths: readonly string[], lines: readonly ShownEmissions[], ledger: readonly LedgerEmissions[]): EmissionsComparison {
  const months = [...new Set(lines.map(({ month }) => month))].sort();
  const known = periodMonths.filter((month) => ledger.some((row) => row.month === month));
  const reports = new Map(lines.map(({ report, file, format }) => [report, { report, file, format, modelVersions: [...new Set(lines.flatMap((line) => (line.report === report ? (line.modelVersion ?? []) : [])))].sort() }]));
  return {
    provider: name,
    reports: [...reports.values()].sort((a, b) => a.report - b.report),
    months,
    monthsMissing: known.filter((month) => !months.includes(month)),
    lagDays: lagOf(lines, months.at(-1)),
    hasScopes: lines.length > 0 && lines.every(({ scope2Location, scope2Market }) => scope2Location !== null || scope2Market !== null),
    methods: (["location", "market"] as const).map((method) => ofMethod(method, months, lines, ledger)),
  };
}

function ofMethod(method: "location" | "market", months: readonly string[], lines: readonly ShownEmissions[], ledger: readonly LedgerEmissions[]): EmissionsMethodComparison {
  const report = total(lines.map((line) => line[method]));
  const own = total(ledger.map((row) => row[method]));
  const uncovered = ledger.reduce((hours, row) => hours + row.gpuHours - row.coveredGpuHours, 0);
  if (report === null || own === null) return { method, reportMicrograms: report, ledgerMicrograms: own, differenceMicrograms: null, steps: [] };
  const steps: EmissionsMethodComparison["steps"][number][] = [];
  const add = (step: EmissionsGapStep, micrograms: bigint | null, details: readonly string[] = [], gpuHours: number | null = null): void => {
    if (micrograms !== 0n) steps.push({ step, micrograms, details, gpuHours });
  };
  const scope2 = method === "location" ? "scope2Location" : "scope2Market";
  const counted = lines.flatMap((line) => (line[method] === null ? [] : [{ ...line, stated: line[method], amount: line[scope2] ?? line[method] }]));
  add("scopes-beyond", counted.reduce((sum, { stated, amount }) => sum + amount - stated, 0n));
  let left = counted;
  for (const { step, nameOf, hasGpus } of boundaries(ledger)) {
    const isIn = (line: ShownEmissions): boolean => nameOf(line) === null || hasGpus(nameOf(line) ?? "");
    // Names of which none is known here are other names, not other places.
    if (!left.some((line) => nameOf(line) !== null && isIn(line))) continue;
    const out = left.filter((line) => !isIn(line));
    const byName = new Map<string, bigint>();
    for (const line of out) byName.set(nameOf(line) ?? "", (byName.get(nameOf(line) ?? "") ?? 0n) + line.amount);
    const largest = [...byName].sort(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1)).map(([key]) => key);
    add(step, -out.reduce((sum, { amount }) => sum + amount, 0n), largest.length > named ? [...largest.slice(0, named), "…"] : largest);
    left = left.filter(isIn);
  }
  const missing = ledger.filter((row) => !months.includes(row.month));
  add("months-missing", total(missing.map((row) => row[method])) ?? 0n, [...new Set(missing.map(({ month }) => month))].sort());
  if (uncovered > 1e-9) add("not-calculated", null, [], uncovered);
  add("rest", own - report - steps.reduce((sum, { micrograms }) => sum + (micrograms ?? 0n), 0n));
  return { method, reportMicrograms: report, ledgerMicrograms: own, differenceMicrograms: own - report, steps };
}

interface Boundary {
  readonly step: EmissionsGapStep;
  readonly nameOf: (line: ShownEmissions) => string | null;
  readonly hasGpus: (name: string) => boolean;
}

function boundaries(ledger: readonly LedgerEmissions[]): readonly Boundary[] {
  const known = (of: (row: LedgerEmissions) => string | null): ReadonlySet<string> => new Set(ledger.flatMap((row) => (of(row) === null ? [] : [nameKey(of(row) ?? "")])));
  const [accounts, regions, services] = [known(({ account }) => account), known(({ region }) => region), known(({ service }) => service)];
  return [
    { step: "accounts-without-gpus", nameOf: ({ account }) => account, hasGpus: (text) => accounts.has(nameKey(text)) },
    { step: "regions-without-gpus", nameOf: ({ region }) => region, hasGpus: (text) => regions.has(nameKey(text)) },
    { step: "services-without-gpus", nameOf: ({ service }) => service, hasGpus: (text) => services.has(nameKey(text)) },
  ];
}

/** `East US` and `eastus` are one region; `AmazonEC2` and `Amazon Elastic Compute Cloud` one service. */
function nameKey(text: string): string {
  const key = canonicalName(text);
  return machineServices.has(key) ? "machines" : key;
}

function total(amounts: readonly (bigint | null)[]): bigint | null {
  return amounts.reduce<bigint | null>((sum, amount) => plus(sum, amount), null);
}

/** Days between the end of the last month and when the provider worked it out. */
function lagOf(lines: readonly ShownEmissions[], last: string | undefined): number | null {
  if (last === undefined) return null;
  const instants = lines.filter(({ month }) => month === last).flatMap(({ refreshedAt }) => {
    const at = refreshedAt === null ? NaN : Date.parse(refreshedAt.trim().replace(" ", "T"));
    return Number.isNaN(at) ? [] : [at];
  });
  if (instants.length === 0) return null;
  const [year = 0, month = 0] = last.split("-").map(Number);
  const days = Math.floor((Math.max(...instants) - Date.UTC(year, month, 1)) / 86_400_000);
  return days < 0 ? null : days;
}
