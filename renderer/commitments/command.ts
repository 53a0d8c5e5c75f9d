import type { PlanInputs, Quote } from "../../shared/contract/plan.ts";
import { defaultPlanInputs } from "../../shared/contract/plan.ts";

/** The options of the terminal's `plan` that ask what the window asks; those that stand at their defaults are left out. */
export function planOptions(inputs: PlanInputs): readonly string[] {
  const differs = (key: keyof PlanInputs): boolean => inputs[key] !== defaultPlanInputs[key];
  const out = [...(inputs.leavesOutSpot ? ["spot"] : []), ...(inputs.leavesOutOneOffs ? ["one-offs"] : []), ...(inputs.leavesOutIdle ? ["idle"] : [])];
  const text = (option: string, value: string | null): readonly string[] => (value === null ? [] : [`--${option}`, value]);
  const number = (option: string, key: "growthPercentAMonth" | "declinePercentAYear" | "discountPercentAYear" | "spotPercent"): readonly string[] => (differs(key) ? [`--${option}=${inputs[key]}`] : []);
  return [
    ...text("pool", inputs.pool),
    ...(differs("weeks") ? ["--lookback", String(inputs.weeks * 7)] : []),
    ...(differs("leavesOutSpot") || differs("leavesOutOneOffs") || differs("leavesOutIdle") ? ["--leave-out", out.length === 0 ? "none" : out.join(",")] : []),
    ...text("on-demand", inputs.onDemandHourly),
    ...text("lot", inputs.lotGpus),
    ...text("max", inputs.maximumGpus),
    ...(differs("migrationCost") ? ["--migration", inputs.migrationCost] : []),
    ...number("growth", "growthPercentAMonth"),
    ...number("decline", "declinePercentAYear"),
    ...number("discount", "discountPercentAYear"),
    ...number("spot", "spotPercent"),
    ...(inputs.quotes.length === 0 ? [] : ["--quote", inputs.quotes.map(quoteText).join(";")]),
    ...text("option", inputs.option),
    ...text("gpus", inputs.gpus),
    ...(inputs.renewsExpiring ? ["--renewed"] : []),
    ...(inputs.netsExisting ? [] : ["--not-netted"]),
    ...(inputs.acceptsOldPrices ? ["--old-prices"] : []),
  ];
}

function quoteText({ kind, termMonths, payment, upfront, hourly, monthly, isConvertible, quotedOn }: Quote): string {
  const amounts = ([["hourly", hourly], ["upfront", upfront], ["monthly", monthly]] as const).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
  return [kind, String(termMonths), payment, ...amounts, ...(isConvertible ? ["convertible"] : []), ...(quotedOn === null ? [] : [`on=${quotedOn}`])].join(",");
}
