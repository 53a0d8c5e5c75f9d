import type { BillingFormat } from "../format.ts";
import { constant, derived, money, nothingStated, optional, trouble, utcTime } from "../format.ts";
import { gpuHoursRule } from "./hours.ts";
import { perHourTable } from "./runpod.ts";

/**
 * Vast.ai charges as its interface answers them (docs.vast.ai, "search invoices"), as JSON or as a table of the same names; USD.
 *
 * payments  stand among the charges where both were asked for. They pay for what the charges cost, so they are set aside, never added.
 * hours     the quantity of a GPU charge counts hours of the instance, and nothing says how many GPUs it has: GPU-hours are known only
 *           where columns `gpu_name` and `num_gpus` were added
 */
export const vast: BillingFormat = {
  id: "vast",
  telltale: [["instance_id"], ["rate"], ["quantity"], ["timestamp"], ["description"], ["amount"]],
  required: [["amount"], ["timestamp"], ["instance_id"], ["rate"]],
  relatives: [],
  version: () => null,
  datasetKind: () => "cash-and-accrual",
  covers: "what-it-holds",
  nullTexts: nothingStated,
  charge: {
    ...perHourTable("Vast.ai", ["instance_id"]),
    ServiceName: constant("GPU rental"),
    ChargeCategory: derived(["type"], (row) => {
      const type = row.text("type") ?? "charge";
      return /^charge|^instance|^volume|^serverless|^[ivs]$/i.test(type.trim()) ? "Usage" : trouble("charge-category", "type", type);
    }),
    ChargeDescription: derived(["description"], (row) => kindOf(row.text("description"))),
    SkuId: optional("gpu_name"),
    ConsumedUnit: derived(["description"], (row) => (isGpuCharge(row.text("description")) ? "Hours" : null)),
    x_LineItemType: optional("type"),
    BilledCost: money("amount"),
    EffectiveCost: money("amount"),
    ConsumedQuantity: money("quantity"),
    ChargePeriodStart: utcTime("timestamp"),
    ChargePeriodEnd: utcTime("end_timestamp"),
    GpuHours: derived(["description", "gpu_name", "num_gpus"], (row) => (isGpuCharge(row.text("description")) ? gpuHoursRule(row.gpu(), [{ quantity: "ConsumedQuantity", unit: "Hours" }]) : null)),
    gpu: derived(["description", "gpu_name", "num_gpus"], (row) =>
      isGpuCharge(row.text("description")) && row.text("gpu_name") !== null ? { provider: "Vast.ai", chargeCategory: "Usage", gpuModel: row.text("gpu_name"), gpuCount: row.text("num_gpus") } : null,
    ),
  },
};

function isGpuCharge(description: string | null): boolean {
  return /\bgpu\b/i.test(description ?? "");
}

/** `Instance 123 GPU charge: hours * $/hr` without what differs from row to row. */
function kindOf(description: string | null): string | null {
  return description === null ? null : description.replace(/^instance\s+\d+\s+/i, "").replace(/:.*$/, "").trim();
}
