/** What would emit less, as things to do, from what is known already: cleaner regions, energy while idle, the stop rule replayed. */
import type { CarbonAction } from "../../../shared/contract/carbon-actions.ts";
import type { CarbonRow } from "../../../shared/contract/carbon.ts";
import type { CleanerRegion } from "../../../shared/contract/cleaner-regions.ts";
import type { ActionsAnswer, FindingLine } from "../../../shared/contract/teams.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import { decimal, divide, divideHalfEven, fromNumber, multiply, subtract, whole } from "../../../shared/domain/rational.ts";

export interface CarbonActionInputs {
  readonly rows: readonly CarbonRow[];
  readonly regions: readonly CleanerRegion[];
  /** Findings and the register of the same period. */
  readonly actions: Pick<ActionsAnswer, "actions" | "findings">;
  /** GPUs of a machine type; null where no table has it. */
  readonly gpusOf: (provider: string, instanceType: string) => number | null;
  readonly hostOf: (resource: string) => string | null;
  /** Months of the period: a figure is of a mean month. */
  readonly months: number;
}

/**
 * region      emitted − (energy of the IT × PUE × grid of the cleaner region), as `cleanerRegions` works out; money: (list price here − there)
 *             × GPU-hours ÷ GPUs of the machine
 * idle        emitted × (energy of its GPUs while idle ÷ energy of the IT), row by row; money: what the stop rule, replayed, would have saved
 * left out    what would emit nothing less, and machines that no resource names
 */
export function carbonActions({ rows, regions, actions, gpusOf, hostOf, months }: CarbonActionInputs): CarbonAction[] {
  const taken = new Map(actions.actions.map((action) => [action.findingKey, action]));
  const findings = new Map(actions.findings.flatMap((finding) => (finding.kind === "idle" && finding.resource !== null ? [[finding.resource, finding] as const] : [])));
  const moves = regions.flatMap((line) => moveOf(line, gpusOf, months) ?? []);
  const byResource = Map.groupBy(rows.filter(({ resource }) => resource !== null), ({ resource }) => resource as string);
  const stops = [...byResource].flatMap(([resource, own]) => stopOf(resource, own, findings.get(resource) ?? null, hostOf(resource), months) ?? []);
  return [...moves, ...stops]
    .map((line): CarbonAction => {
      // A finding that was taken up is no finding any more: its action says what it saves and whose it is.
      const action = taken.get(line.key);
      return action === undefined ? { ...line, isTaken: false } : { ...line, saving: line.saving ?? action.expected, owner: line.owner ?? action.owner, isTaken: true };
    })
    .sort((a, b) => (a.micrograms > b.micrograms ? -1 : a.micrograms < b.micrograms ? 1 : a.key < b.key ? -1 : 1));
}

type Line = Omit<CarbonAction, "isTaken">;

function moveOf({ provider, gpuModel, instanceType, gpuHours, now, best, nowMicrograms, bestMicrograms }: CleanerRegion, gpusOf: CarbonActionInputs["gpusOf"], months: number): Line | null {
  const less = bestMicrograms === null ? 0n : nowMicrograms - bestMicrograms;
  if (best === null || less <= 0n) return null;
  const gpus = instanceType === null ? null : gpusOf(provider, instanceType);
  const isPriced = gpus !== null && gpus > 0 && now.pricePerHour !== null && best.pricePerHour !== null && now.currency === best.currency;
  const saving = isPriced ? multiply(subtract(decimal(now.pricePerHour ?? ""), decimal(best.pricePerHour ?? "")), divide(divide(fromNumber(gpuHours), fromNumber(gpus)), whole(months))) : null;
  return {
    key: JSON.stringify(["carbon-region", provider, now.region, gpuModel, instanceType]), kind: "region", provider, gpuModel, instanceType, region: now.region, to: best.region,
    resource: null, resourceName: null, team: null, owner: null, micrograms: divideHalfEven(less, BigInt(months)),
    saving: saving === null ? null : formatAttos(divideHalfEven(saving.numerator * 10n ** 18n, saving.denominator)), currency: isPriced ? now.currency : null,
  };
}

function stopOf(resource: string, rows: readonly CarbonRow[], finding: FindingLine | null, host: string | null, months: number): Line | null {
  const emitted = rows.reduce((sum, { locationMicrograms, itMilliwattHours, heldIdleMilliwattHours, deadIdleMilliwattHours, idleMemoryUnknownMilliwattHours }) => {
    const idle = heldIdleMilliwattHours + deadIdleMilliwattHours + idleMemoryUnknownMilliwattHours;
    return locationMicrograms === null || itMilliwattHours === null || itMilliwattHours <= 0n ? sum : sum + divideHalfEven(locationMicrograms * idle, itMilliwattHours);
  }, 0n);
  const [first] = rows;
  if (first === undefined || emitted <= 0n) return null;
  return {
    key: JSON.stringify(["idle", resource]), kind: "idle", provider: first.provider, gpuModel: first.gpuModel, instanceType: first.instanceType, region: first.region, to: null,
    resource, resourceName: host, team: finding?.team ?? first.team, owner: finding?.owner ?? null, micrograms: divideHalfEven(emitted, BigInt(months)), saving: finding?.expected ?? null, currency: first.currency,
  };
}
