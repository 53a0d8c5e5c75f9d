/** Amounts, prices, shares and counts of a plan as figures, and the small facts that several parts of it say. */
import type { PriceSource } from "../../../shared/contract/plan.ts";
import type { Basis, Figure, MetricId, Unit } from "../../../shared/domain/figure.ts";
import { dayOf } from "../../../shared/domain/period.ts";
import { divideHalfEven, parseDecimal, rational, type Rational, toNumber } from "../../../shared/domain/rational.ts";
import { figureOf } from "../metrics/metric.ts";
import type { PoolKey, Window } from "./baseline.ts";

export function attosOf({ numerator, denominator }: Rational): bigint {
  return divideHalfEven(numerator * 10n ** 18n, denominator);
}

/** A present value is worked out in doubles: to the hundredth of a cent it is exact enough, and says so as an assumption. */
export function attosOfNumber(value: number): bigint {
  const text = parseDecimal(value.toFixed(6));
  return text === null ? 0n : attosOf(text);
}

export function moneyFigure(attos: bigint | null, currency: string, basis: Basis): Figure {
  return figureOf("spend", attos, currency, basis, 1, "not-stated");
}

export function priceFigure(price: Rational, currency: string, basis: Basis): Figure {
  return figureOf("gpu-hour-price", attosOf(price), `${currency}/gpu-hour`, basis, 1);
}

export function ratioFigure(metric: MetricId, share: Rational | null, why: Figure["why"] = "no-denominator"): Figure {
  return figureOf(metric, share === null ? null : toNumber(share), "ratio", "derived", 1, why);
}

export function numberFigure(metric: MetricId, value: number | null, unit: Unit, basis: Basis): Figure {
  return figureOf(metric, value, unit, basis, 1, "not-stated");
}

export function gpuFigure(gpus: Rational, basis: Basis = "derived"): Figure {
  const value = toNumber(gpus);
  return numberFigure("gpu-hours", value, Number.isInteger(value) ? "count" : "gpus", basis);
}

/** Attos over GPU-hours as a price, to the atto. */
export function hourly(attos: bigint, gpuHours: number): Rational {
  return rational(divideHalfEven(attos * 1_000_000_000n, BigInt(Math.round(gpuHours * 1e9))), 10n ** 18n);
}

export function datedSource(kind: PriceSource["kind"], date: string | null, source: string | null, window: Window): PriceSource {
  const day = date === null ? null : dayOf(`${date}T00:00:00Z`);
  return { kind, date, ageDays: day === null ? null : Math.max(0, window.end - day), isOld: day !== null && day < window.start, source };
}

export function nameOfPool({ provider, region, gpuModel, instanceType }: PoolKey): string {
  return [provider, gpuModel, instanceType, region].filter((part) => part !== null).join(" · ");
}

export function dayParam(day: string | null): { readonly instant: string; readonly precision: "day" } {
  return { instant: `${day ?? "1970-01-01"}T00:00:00Z`, precision: "day" };
}
