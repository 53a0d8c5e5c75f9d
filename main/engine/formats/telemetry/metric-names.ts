/** Metric names of exporters: which counter of the ledger they are, in which unit, and how their values hold. Field notes 2.4, 4.3, 4.4. */
import type { TraceMetric } from "../../store/traces.ts";
import type { Quantity } from "./cells.ts";
import type { Holds, LogFormatJob } from "./format.ts";

export interface ExportedMetric {
  /** `memory-part`: only of use together with the others of `part`. `mig-mode`: 1 for a card that is split. `description`: its labels describe the device, its value nothing. */
  readonly metric: TraceMetric | "memory-total" | "memory-part" | "mig-mode" | "description";
  readonly quantity: Quantity;
  /** From the exported number to percent, MiB or W. Decided by the name, never by the size of the value. */
  readonly factor: number;
  readonly holds: Holds;
  /** The name alone does not say whether it is a percent or a ratio: the exporter's version does. */
  readonly scale?: "by-version";
  /** Which part of a card's memory it is: used, free and reserved add up to the whole. */
  readonly part?: "used" | "free" | "reserved";
  /** A total that only counts up: its readings say nothing alone. `factor` leads to joules. */
  readonly isCounter?: true;
  /** A reading of the moment, of use only where the mean over a while is not stated. */
  readonly isMomentary?: true;
  /** A label without which the name is something else. */
  readonly needs?: string;
}

const percent = { quantity: "percent", factor: 1, holds: "forward" } as const;
const ratio = { quantity: "percent", factor: 100, holds: "forward" } as const;
/** DCGM's profiling fields are averages over the collection interval that ends at the sample. */
const profiled = { quantity: "percent", factor: 100, holds: "backward" } as const;
const mebibytes = { quantity: "memory", factor: 1, holds: "forward" } as const;
const bytes = { quantity: "memory", factor: 1 / 1_048_576, holds: "forward" } as const;
const watts = { quantity: "power", factor: 1, holds: "forward" } as const;
const milliwatts = { quantity: "power", factor: 1 / 1000, holds: "forward" } as const;
/** Joules that only count up. What two readings differ by was drawn between them. */
const joules = { quantity: "power", factor: 1, holds: "backward", isCounter: true } as const;
const millijoules = { quantity: "power", factor: 1 / 1000, holds: "backward", isCounter: true } as const;

/**
 * Names across exporters and their versions. DCGM 4.6 renamed its fields, exporter 4.9 those of its default set with their units (MiB to
 * bytes, percent to ratio); as a rule the new name carries its unit. The exception is field 203: `DEV_GPU_UTIL_RATIO` is a whole percent in
 * DCGM 4.6 and a ratio in 4.7. An energy counter becomes the mean power between two of its readings (exporter-series.ts).
 */
export const exportedMetrics: Readonly<Record<string, ExportedMetric>> = {
  DCGM_FI_DEV_GPU_UTIL: { metric: "utilization", ...percent },
  DCGM_FI_DEV_GPU_UTIL_RATIO: { metric: "utilization", ...percent, scale: "by-version" },
  dcgm_gpu_utilization: { metric: "utilization", ...percent },
  nvidia_smi_utilization_gpu_ratio: { metric: "utilization", ...ratio },
  nvidia_smi_utilization_gpu: { metric: "utilization", ...percent },
  amd_rocm_smi_utilization_gpu: { metric: "utilization", ...percent },
  nvidia_gpu_duty_cycle: { metric: "utilization", ...percent },
  nv_gpu_utilization: { metric: "utilization", ...ratio },
  duty_cycle_gpu_node: { metric: "utilization", ...percent },
  duty_cycle: { metric: "utilization", ...percent, needs: "accelerator_id" },
  slurm_job_utilization_gpu: { metric: "utilization", ...percent, needs: "gpu" },

  DCGM_FI_DEV_FB_USED: { metric: "memory-used", ...mebibytes, part: "used" },
  DCGM_FI_DEV_FB_USED_BYTES: { metric: "memory-used", ...bytes, part: "used" },
  dcgm_fb_used: { metric: "memory-used", ...mebibytes },
  nvidia_smi_memory_used_bytes: { metric: "memory-used", ...bytes },
  nvidia_smi_memory_used: { metric: "memory-used", ...mebibytes },
  amd_rocm_smi_memory_used: { metric: "memory-used", ...bytes },
  nvidia_gpu_memory_used_bytes: { metric: "memory-used", ...bytes },
  nv_gpu_memory_used_bytes: { metric: "memory-used", ...bytes },
  memory_used_gpu_node: { metric: "memory-used", ...bytes },
  memory_used: { metric: "memory-used", ...bytes, needs: "accelerator_id" },
  slurm_job_memory_usage_gpu: { metric: "memory-used", ...bytes, needs: "gpu" },

  DCGM_FI_DEV_FB_TOTAL: { metric: "memory-total", ...mebibytes },
  DCGM_FI_DEV_FB_CAPACITY_BYTES: { metric: "memory-total", ...bytes },
  nvidia_smi_memory_total_bytes: { metric: "memory-total", ...bytes },
  nvidia_smi_memory_total: { metric: "memory-total", ...mebibytes },
  amd_rocm_smi_memory_total: { metric: "memory-total", ...bytes },
  nvidia_gpu_memory_total_bytes: { metric: "memory-total", ...bytes },
  nv_gpu_memory_total_bytes: { metric: "memory-total", ...bytes },
  memory_total_gpu_node: { metric: "memory-total", ...bytes },
  memory_total: { metric: "memory-total", ...bytes, needs: "accelerator_id" },
  DCGM_FI_DEV_FB_FREE: { metric: "memory-part", ...mebibytes, part: "free" },
  DCGM_FI_DEV_FB_FREE_BYTES: { metric: "memory-part", ...bytes, part: "free" },
  DCGM_FI_DEV_FB_RESERVED: { metric: "memory-part", ...mebibytes, part: "reserved" },
  DCGM_FI_DEV_FB_RESERVED_BYTES: { metric: "memory-part", ...bytes, part: "reserved" },

  DCGM_FI_DEV_POWER_USAGE: { metric: "power", ...watts },
  DCGM_FI_DEV_BOARD_POWER_WATTS: { metric: "power", ...watts },
  DCGM_FI_DEV_POWER_USAGE_INSTANT: { metric: "power", ...watts, isMomentary: true },
  DCGM_FI_DEV_BOARD_POWER_RAW_WATTS: { metric: "power", ...watts, isMomentary: true },
  dcgm_power_usage: { metric: "power", ...watts },
  nvidia_smi_power_draw_watts: { metric: "power", ...watts },
  nvidia_smi_power_draw: { metric: "power", ...watts },
  amd_rocm_smi_power_draw: { metric: "power", ...watts },
  nvidia_gpu_power_usage_milliwatts: { metric: "power", ...milliwatts },
  nv_gpu_power_usage: { metric: "power", ...watts },
  slurm_job_power_gpu: { metric: "power", ...milliwatts, needs: "gpu" },

  DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION: { metric: "counted-power", ...millijoules },
  DCGM_FI_DEV_GPU_ENERGY_JOULES_TOTAL: { metric: "counted-power", ...joules },
  dcgm_total_energy_consumption: { metric: "counted-power", ...millijoules },
  nv_energy_consumption: { metric: "counted-power", ...joules },

  DCGM_FI_PROF_GR_ENGINE_ACTIVE: { metric: "engine-active", ...profiled },
  DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO: { metric: "engine-active", ...profiled },
  DCGM_FI_PROF_SM_ACTIVE: { metric: "sm-active", ...profiled },
  DCGM_FI_PROF_SM_UTIL_RATIO: { metric: "sm-active", ...profiled },
  DCGM_FI_PROF_PIPE_TENSOR_ACTIVE: { metric: "tensor-active", ...profiled },
  DCGM_FI_PROF_TENSOR_UTIL_RATIO: { metric: "tensor-active", ...profiled },
  DCGM_FI_PROF_DRAM_ACTIVE: { metric: "dram-active", ...profiled },
  DCGM_FI_PROF_DRAM_UTIL_RATIO: { metric: "dram-active", ...profiled },

  nvidia_smi_mig_mode_current: { metric: "mig-mode", ...percent },
  nvidia_smi_gpu_info: { metric: "description", ...percent },
};

/** What a name means, or null. OpenMetrics puts `_total` behind the name of every counter. */
export function exportedMetric(name: string): ExportedMetric | null {
  if (Object.hasOwn(exportedMetrics, name)) return exportedMetrics[name] ?? null;
  const counter = name.endsWith("_total") ? name.slice(0, -6) : "";
  const found = Object.hasOwn(exportedMetrics, counter) ? exportedMetrics[counter] : undefined;
  return found?.isCounter === true ? found : null;
}

/** The metric that the person named for values that state none; null where what was given is no metric's name, a list of columns say. */
export function givenMetric({ columns }: Pick<LogFormatJob["options"], "columns">): string | null {
  const given = columns?.trim() ?? "";
  return exportedMetric(given) === null ? null : given;
}

/** Whether only an exporter that counts in base units (4.9 and newer) uses the name. */
export function isBaseUnitName(name: string): boolean {
  return /^DCGM_FI_DEV_(FB_\w+_BYTES|\w+_CLOCK_HERTZ|GPU_ENERGY_JOULES_TOTAL|MEMORY_UTIL_RATIO|ENC_UTIL_RATIO|DEC_UTIL_RATIO)$/.test(name);
}

/** Whether only an exporter before that uses it. */
export function isClassicUnitName(name: string): boolean {
  return /^DCGM_FI_DEV_(FB_USED|FB_FREE|FB_RESERVED|SM_CLOCK|MEM_CLOCK|MEM_COPY_UTIL|ENC_UTIL|DEC_UTIL|TOTAL_ENERGY_CONSUMPTION)$/.test(name);
}
