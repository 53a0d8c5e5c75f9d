import type { PurchaseOption } from "../../../../shared/domain/charge.ts";
import { divideHalfEven } from "../../../../shared/domain/rational.ts";
import { committedOptions } from "../gpu-hours-where-met.ts";
import type { TimeWindow } from "./segments.ts";

/** One charge of a machine in one hour (since 1970-01-01T00:00Z): GPU-hours billed, and their effective cost in attos where it is stated. */
export interface MachineHour {
  readonly hour: number;
  readonly gpuHours: number;
  readonly costAttos: bigint | null;
  readonly purchaseOption: PurchaseOption | null;
}

export interface StopSaving {
  readonly seconds: number;
  /** Of billed hours; at most what each hour billed. */
  readonly gpuHours: number;
  readonly savedAttos: bigint;
  readonly sunkAttos: bigint;
  readonly unclearAttos: bigint;
}

/**
 * What a machine of `gpus` GPUs would not have cost had it been off in some stretches (seconds since 1970; in order, without overlap).
 *
 * hour      off GPU-hours = off seconds ÷ 3600 × GPUs, at most the GPU-hours that the hour bills
 * money     each charge's effective cost × off ÷ billed GPU-hours, rounded once to the atto
 * worth     on demand and spot are saved, commitments are sunk, anything else is unclear and claimed by nobody
 */
export function stopSaving(off: readonly TimeWindow[], gpus: number, hours: readonly MachineHour[]): StopSaving {
  const secondsOf = new Map<number, number>();
  let seconds = 0;
  for (const { start, end } of off) {
    seconds += end - start;
    for (let hour = Math.floor(start / 3600); hour * 3600 < end; hour += 1) {
      secondsOf.set(hour, (secondsOf.get(hour) ?? 0) + Math.min(end, (hour + 1) * 3600) - Math.max(start, hour * 3600));
    }
  }
  const billed = new Map<number, number>();
  for (const { hour, gpuHours } of hours) if (gpuHours > 0) billed.set(hour, (billed.get(hour) ?? 0) + gpuHours);
  let [gpuHours, savedAttos, sunkAttos, unclearAttos] = [0, 0n, 0n, 0n];
  for (const [hour, within] of secondsOf) gpuHours += Math.min((within / 3600) * gpus, billed.get(hour) ?? 0);
  for (const charge of hours) {
    const [within, all] = [secondsOf.get(charge.hour), billed.get(charge.hour)];
    if (within === undefined || all === undefined || charge.costAttos === null) continue;
    const whole = BigInt(Math.round(all * MICROS));
    const part = BigInt(Math.round(Math.min((within / 3600) * gpus, all) * MICROS));
    const attos = divideHalfEven(charge.costAttos * part, whole);
    if (charge.purchaseOption === "on-demand" || charge.purchaseOption === "spot") savedAttos += attos;
    else if (charge.purchaseOption !== null && committedOptions.has(charge.purchaseOption)) sunkAttos += attos;
    else unclearAttos += attos;
  }
  return { seconds, gpuHours, savedAttos, sunkAttos, unclearAttos };
}

/** Microseconds of a GPU-hour. */
const MICROS = 3.6e9;
