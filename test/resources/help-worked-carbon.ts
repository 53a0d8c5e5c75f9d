import { factorBook, type CarbonReference, type OwnFactor } from "../../main/engine/carbon/factors.ts";
import { carbonRow, type EnergyRow } from "../../main/engine/carbon/rows.ts";
import { carbonPerGpuHour } from "../../main/engine/metrics/carbon-per-gpu-hour.ts";
import { defaultCarbonSettings } from "../../shared/contract/carbon.ts";
import { reference } from "../main/engine/reports/company.ts";

/** The example machine of the help page on carbon, by the product's own functions from the numbers that the page states. */
export function carbonWorked(): Readonly<Record<string, readonly string[]>> {
  const machine = energyRow({
    provider: "Microsoft", region: "westeurope", gpuModel: "A100", acceleratorId: "nvidia-a100-pcie-80gb", instanceType: "Standard_NC96ads_A100_v4",
    gpuHours: 4, powerHours: 3, powerMilliwattHours: 777_777,
  });
  const modeled = energyRow({ provider: "AWS", region: "us-east-1", gpuModel: "H100", acceleratorId: "nvidia-h100-sxm5-80gb", gpuHours: 8, modelHours: 8, modelUsefulHours: 2 });
  const row = rowOf(machine, "azure", []);
  const bought = rowOf(machine, "azure", [
    own({ id: 1, kind: "contract", region: "westeurope", value: "12", share: "0.6" }),
    own({ id: 2, kind: "residual", subject: "NL", value: "480" }),
  ]);
  const perHour = carbonPerGpuHour.figure({ currency: "EUR", rows: [row], pricePerTonne: null, priceCurrency: null, work: [] }).value;
  return {
    "carbon#energy": [kilo(row.gpuMilliwattHours), kilo(row.hostMilliwattHours), kilo(row.facilityMilliwattHours), kilo(rowOf(modeled, "aws", []).gpuMilliwattHours)],
    "carbon#emissions": [grams(row.locationMicrograms), grams(bought.marketMicrograms)],
    "carbon#embodied": [grams(row.embodiedMicrograms?.central ?? null)],
    "carbon#intensity": [Number(perHour).toFixed(1)],
  };
}

function rowOf(row: EnergyRow, providerId: string, factors: readonly OwnFactor[]) {
  const tables = reference.carbonTables();
  if (!tables.ok) throw new Error(tables.error.code);
  const all: CarbonReference = { ...tables.value, accelerators: reference.accelerators, machineTypes: reference.instanceTypes };
  return carbonRow(row, { costAttos: null, knownGpuHours: 0, usefulGpuHours: 0 }, factorBook(all, factors, defaultCarbonSettings), defaultCarbonSettings, providerId);
}

function energyRow(over: Partial<EnergyRow>): EnergyRow {
  return {
    month: "2026-09", seriesId: 1, provider: null, account: null, team: null, service: null, region: null, gpuModel: null, acceleratorId: null, instanceType: null, purchaseOption: null, resource: null,
    currency: "EUR", gpuHours: 0, counterHours: 0, counterMilliwattHours: 0, powerHours: 0, powerMilliwattHours: 0, heldMilliwattHours: 0, deadMilliwattHours: 0, idleMemoryUnknownMilliwattHours: 0,
    modelHours: 0, modelUsefulHours: 0, modelHeldHours: 0, modelHeldUsefulHours: 0, modelDeadHours: 0, modelDeadUsefulHours: 0, modelIdleMemoryUnknownHours: 0, modelIdleMemoryUnknownUsefulHours: 0, ...over,
  };
}

function own(over: Pick<OwnFactor, "id" | "kind" | "value"> & Partial<OwnFactor>): OwnFactor {
  return { provider: null, region: null, subject: null, fromMonth: null, toMonth: null, low: null, high: null, share: null, method: null, boundary: null, gases: null, source: "the page", licence: null, retrieved: null, ...over };
}

function kilo(milliwattHours: bigint | null): string {
  return (Number(milliwattHours) / 1e6).toFixed(6);
}

function grams(micrograms: bigint | null): string {
  return (Number(micrograms) / 1e6).toFixed(1);
}
