/** Units that factors are stated in, and what one of each is in the unit we keep: exact fractions, so that nothing is rounded on the way in. */
import { decimal, multiply, type Rational } from "../../../shared/domain/rational.ts";
import type { OwnFactorKind } from "./factors.ts";

const intensity: Readonly<Record<string, string>> = {
  "g/kwh": "1", "g/mwh": "0.001", "kg/kwh": "1000", "kg/mwh": "1", "t/mwh": "1000", "t/gwh": "1", "kg/gwh": "0.001", "lb/mwh": "0.45359237", "lb/kwh": "453.59237",
};
const watts: Readonly<Record<string, string>> = { w: "1", kw: "1000" };

const units: Readonly<Record<Exclude<OwnFactorKind, "work">, Readonly<Record<string, string>>>> = {
  grid: intensity,
  residual: intensity,
  contract: intensity,
  pue: { ratio: "1", "": "1" },
  water: { "l/kwh": "1", "m3/mwh": "1", "l/mwh": "0.001", "gal/kwh": "3.785411784" },
  "gpu-power": watts,
  "host-power": watts,
  embodied: { kg: "1", t: "1000", g: "0.001" },
};

/** The value in the kind's own unit; null where the unit is none of the kind. `kg CO2e per MWh`, `kgCO2/MWh` and `kg/MWh` are the same. */
export function inOwnUnit(kind: OwnFactorKind, value: Rational, unit: string): Rational | null {
  // Work is counted in whatever the person counts it in.
  if (kind === "work") return unit.trim() === "" ? null : value;
  const factor = units[kind][plainUnit(unit)];
  return factor === undefined ? null : multiply(value, decimal(factor));
}

/** What a person may write for a kind. */
export function unitsOf(kind: OwnFactorKind): string[] {
  if (kind === "work") return ["1M tokens", "1k images", "requests"];
  return Object.keys(units[kind]).filter((unit) => unit !== "").map((unit) => unit.replace("kwh", "kWh").replace("mwh", "MWh").replace("gwh", "GWh").replace(/^l\//, "L/").replace(/^w$/, "W").replace(/^kw$/, "kW"));
}

function plainUnit(unit: string): string {
  return unit
    .toLowerCase()
    .replaceAll("₂", "2")
    .replace(/\bper\b/g, "/")
    .replace(/co2(e|eq|-eq)?/g, "")
    .replace(/\s+/g, "")
    .replace(/^tonnes?|^mt(?=\/)/, "t")
    .replace(/^lbs/, "lb")
    .replace(/^litres?|^liters?/, "l")
    .replaceAll("m³", "m3");
}
