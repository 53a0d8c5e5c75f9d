import type { GpuRecognition } from "../../reference/charge.ts";
import type { GpuHoursRule } from "../format.ts";

/** Hours in one of a unit: `Hrs`, `GPU-Hours`, `100 Hours`, `seconds`; null for what is no time. */
export function hoursOfUnit(unit: string | null): number | null {
  const match = unit === null ? null : /^\s*(\d+)?\s*(?:(?:gpu|instance|accelerator|node|vm|machine)[ -]?)?(hours?|hrs?|h|minutes?|mins?|seconds?|secs?|s)\s*$/i.exec(unit);
  if (match === null) return null;
  const count = match[1] === undefined ? 1 : Number(match[1]);
  const letter = (match[2] ?? "h").charAt(0).toLowerCase();
  return letter === "h" ? count : letter === "m" ? count / 60 : count / 3600;
}

/** GPU-hours of a row that a recognition was made of: the first quantity in a unit of time, times the accelerators it stands for. */
export function gpuHoursRule(
  recognition: GpuRecognition | null,
  quantities: readonly { readonly quantity: GpuHoursRule["quantity"]; readonly unit: string | null }[],
): GpuHoursRule | null {
  if (recognition === null || recognition.gpuCount === null || recognition.hoursMeaning === "none") return null;
  for (const { quantity, unit } of quantities) {
    const hours = hoursOfUnit(unit);
    if (hours !== null) return { quantity, hoursAUnit: hours * recognition.gpuCount };
  }
  return null;
}
