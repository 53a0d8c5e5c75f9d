/** A company small enough to be reckoned in the head: August and September 2026, two teams, one bill a provider and month. */
import { join } from "node:path";
import { loadReference } from "../../../../main/engine/reference/load.ts";
import type { ReportContext } from "../../../../main/engine/reports/index.ts";
import { encodeGpuChargeHours } from "../../../../main/engine/store/gpu-charge-hours.ts";
import type { OpenLedger } from "../../../../main/engine/store/open.ts";
import type { ReportId, ReportRequest } from "../../../../shared/contract/report.ts";
import type { Series } from "../../../../shared/domain/charge.ts";
import { addDevice, addGpuHourCosts, addGpuHours, ledgerWith, seriesOf, type CellSpec } from "../ledger-with.ts";

const h100: Partial<Series> = { x_GpuModel: "H100", x_AcceleratorId: "nvidia-h100-sxm5-80gb", x_PurchaseOption: "on-demand", x_Team: "vision", ServiceName: "Amazon EC2", ResourceId: "i-0aaa", RegionId: "us-east-1", x_InstanceType: "p5.48xlarge" };
const a100: Partial<Series> = {
  x_GpuModel: "A100", x_AcceleratorId: "nvidia-a100-sxm4-40gb", x_PurchaseOption: "savings-plan", x_Team: "language", ServiceName: "Amazon EC2", ResourceId: "i-0bbb",
  CommitmentDiscountId: "sp-1", CommitmentDiscountStatus: "Used", RegionId: "eu-west-1",
};
const l4: Partial<Series> = { x_GpuModel: "L4", x_AcceleratorId: "nvidia-l4", x_PurchaseOption: "spot", x_Team: "language", ServiceName: "Compute Engine", ResourceId: "projects/p/vm-l4" };
const storage: Partial<Series> = { ServiceName: "Amazon S3", x_PurchaseOption: "on-demand" };
const unused: Partial<Series> = { ServiceName: "Amazon EC2", CommitmentDiscountId: "sp-1", CommitmentDiscountStatus: "Unused", x_PurchaseOption: "savings-plan" };
const tax: Partial<Series> = { ChargeCategory: "Tax", ServiceName: "Amazon EC2" };

const cell = (day: string, series: Partial<Series>, cost: string, list: string | null, GpuHours: number | null = null): CellSpec => ({ day, series, cost, ListCost: list, GpuHours });

/**
 * August: H100 10 h for 100, A100 20 h for 40 (list 80), storage 10, unused 5, tax 7: 162.
 * September: H100 12 h for 132, A100 20 h for 40 (list 80), L4 8 h for 4 (list 8), storage 12, unused 8, tax 9: 205.
 * Of September's GPU time the H100 is observed whole (6 useful hours), the A100 half (5 useful), the L4 not at all.
 */
export function company(): OpenLedger {
  const ledger = ledgerWith({
    deliveries: [
      {
        month: "2026-08", firstDay: "2026-08-01", lastDay: "2026-08-31", file: "aws-2026-08.csv",
        cells: [
          cell("2026-08-03", h100, "100", "100", 10), cell("2026-08-03", a100, "40", "80", 20), cell("2026-08-03", storage, "10", "10"),
          cell("2026-08-03", unused, "5", "0"), cell("2026-08-31", tax, "7", "7"),
        ],
      },
      {
        month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-30", file: "aws-2026-09.csv",
        cells: [
          cell("2026-09-22", h100, "132", "132", 12), cell("2026-09-22", a100, "40", "80", 20), cell("2026-09-22", storage, "12", "12"),
          cell("2026-09-22", unused, "8", "0"), cell("2026-09-30", tax, "9", "9"),
        ],
      },
      { provider: "Google Cloud", billingAccount: "GC-1", month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-30", file: "gcp-2026-09.csv", cells: [cell("2026-09-22", l4, "4", "8", 8)] },
    ],
  });
  for (const [id, month] of [[1, "162"], [2, "201"], [3, "4"]] as const) {
    ledger.db.prepare("UPDATE delivery SET Totals = ? WHERE DeliveryId = ?").run(JSON.stringify({ USD: { BilledCost: month, EffectiveCost: month, ListCost: null, ContractedCost: month } }), id);
  }
  const aws = { ProviderName: "AWS", BillingAccountId: "111122223333" };
  const google = { ProviderName: "Google Cloud", BillingAccountId: "GC-1" };
  billHours(ledger, 2, { ...aws, ...h100 });
  billHours(ledger, 2, { ...aws, ...a100 });
  billHours(ledger, 3, { ...google, ...l4 });
  addGpuHourCosts(ledger, [
    {
      hour: "2026-09-22T08:00:00Z", series: { ...aws, ...h100 }, GpuHours: 12, KnownGpuHours: 12, UsefulGpuHours: 6, IdleGpuHours: 4, MemoryKnownGpuHours: 12, MemoryUsedGpuHours: 3,
      EnergyWattHours: 6000, EffectiveCost: "132", ProductiveCost: "66", BusyInefficientCost: "22", HeldIdleCost: "33", DeadIdleCost: "11",
    },
    {
      hour: "2026-09-22T08:00:00Z", series: { ...aws, ...a100 }, GpuHours: 20, KnownGpuHours: 10, UsefulGpuHours: 5, IdleGpuHours: 2.5,
      EffectiveCost: "40", ProductiveCost: "10", BusyInefficientCost: "5", DeadIdleCost: "5", UnknownCost: "20",
    },
    { hour: "2026-09-22T08:00:00Z", series: { ...google, ...l4 }, GpuHours: 8, EffectiveCost: "4", UnknownCost: "4" },
  ]);
  const [first, second] = [addDevice(ledger.db, { host: "i-0aaa", index: 0 }), addDevice(ledger.db, { host: "i-0aaa", index: 1 })];
  const third = addDevice(ledger.db, { host: "i-0bbb", gpuModel: "A100", memoryTotalMiB: 40_960 });
  const unbilled = addDevice(ledger.db, { host: "lab-3", gpuModel: "L4", memoryTotalMiB: 23_034 });
  const seen = { KnownSeconds: 3600, MemoryKnownSeconds: 3600, MemoryShareMean: 0.25, MemoryShareP95: 0.5, MemorySharePeak: 0.75 };
  addGpuHours(ledger, [
    { hour: "2026-09-22T08:00:00Z", device: first, ...seen, UtilizationMean: 0.5, ActiveSeconds: 2400, HeldIdleSeconds: 1200 },
    { hour: "2026-09-22T08:00:00Z", device: second, ...seen, UtilizationMean: 0.5, ActiveSeconds: 2400, HeldIdleSeconds: 1200 },
    { hour: "2026-09-22T08:00:00Z", device: third, KnownSeconds: 1800, UtilizationMean: 0.5, ActiveSeconds: 900, DeadIdleSeconds: 900 },
    { hour: "2026-09-22T09:00:00Z", device: unbilled, ...seen, UtilizationMean: 0.75, ActiveSeconds: 3600 },
  ]);
  const episode = ledger.db.prepare("INSERT INTO idle_episode VALUES (?, 1, ?, ?, ?, ?, ?, ?, 0.002, ?, ?)");
  const at = (time: string): number => Date.parse(`2026-09-22T${time}Z`) / 1000;
  const day = Math.floor(at("00:00:00") / 86_400);
  for (const device of [first, second]) episode.run(day, device, at("08:10:00"), at("08:30:00"), 1200, 1200, 0, 0.4, 90);
  episode.run(day, third, at("08:00:00"), at("08:15:00"), 900, 0, 900, null, null);
  return ledger;
}

/** A resource takes part in joining hosts when a posted bill has hours of it; what the hours came to is put in directly. */
export function billHours(ledger: OpenLedger, deliveryId: number, series: Partial<Series>): void {
  ledger.db.prepare("INSERT INTO gpu_charge_hours (DeliveryId, SeriesId, Month, Hours) VALUES (?, ?, '2026-09', ?)").run(deliveryId, seriesOf(ledger.db, series), encodeGpuChargeHours([]));
}

const loaded = loadReference(join(import.meta.dirname, "../../../../resources/reference"));
if (!loaded.ok) throw new Error(loaded.error.code);
export const reference = loaded.value;

export function contextOf(ledger: OpenLedger): ReportContext {
  return { ledger, reference, now: () => new Date("2026-10-06T09:12:00Z") };
}

export function requestOf(report: ReportId, change: Partial<ReportRequest> = {}): ReportRequest {
  return { report, period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null, ...change };
}
