import type { ChargeFacts, ChargeRow } from "./charges.ts";
import { figureOf, sumStated, type Metric } from "./metric.ts";

/**
 * What GPU time cost: usage recognized as buying accelerators (instance type, SKU or description), by billing month.
 *
 * unit      the currency
 * formula   Σ cost of usage with a GPU model; not commitments left unused, purchases, taxes or credits
 * unknown   `null` when no such charge states the cost; no GPU charge at all is a true zero
 */
export const gpuSpend: Metric<ChargeFacts> = {
  id: "gpu-spend",
  needs: "charges",
  addsUp: true,
  figure: (facts) => {
    const gpu = facts.rows.filter(isGpu);
    const attos = gpu.length === 0 && facts.rows.length > 0 ? 0n : sumStated(gpu.map(({ costAttos }) => costAttos));
    return figureOf("gpu-spend", attos, facts.currency, "billed", facts.billCoverage, facts.rows.length === 0 ? "no-bill" : "not-stated");
  },
  inputs: (facts) => [{ label: "metric.gpu-spend.name", figure: gpuSpend.figure(facts) }],
};

export function isGpu({ chargeClass }: ChargeRow): boolean {
  return chargeClass === "gpu";
}
