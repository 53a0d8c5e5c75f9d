/** Metric names of exporters: which counter of the ledger they are, in which unit, and how their values hold. Field notes 2.4, 4.3, 4.4. */
import type { TraceMetric } from "../../store/traces.ts";
import type { Quantity } from "./cells.ts";
import type { Holds } from "./format.ts";

export interface ExportedMetric {
  readonly metric: TraceMetric | "memory-total";
  readonly quantity: Quantity;
  /** From the exported number to percent, MiB or W. Decided by the name, never by the size of the value. */
  readonly factor: number;
  readonly holds: Holds;
}

const percent = { quantity: "percent", factor: 1, holds: "forward" } as const;
const ratio = { quantity: "percent", factor: 100, holds: "forward" } as const;
/** DCGM's profiling fields are averages over the collection interval that ends at the sample. */
const profiled = { quantity: "percent", factor: 100, holds: "backward" } as const;
const mebibytes = { quantity: "memory", factor: 1, holds: "forward" } as const;
const bytes = { quantity: "memory", factor: 1 / 1_048_576, holds: "forward" } as const;
const watts = { quantity: "power", factor: 1, holds: "forward" } as const;

/** DCGM 4.6 renamed its fields: the name with `_RATIO` of field 203 is still a whole percent, those of the 1000s are ratios. */
export const exportedMetrics: Readonly<Record<string, ExportedMetric>> = {
  DCGM_FI_DEV_GPU_UTIL: { metric: "utilization", ...percent },
  DCGM_FI_DEV_GPU_UTIL_RATIO: { metric: "utilization", ...percent },
  dcgm_gpu_utilization: { metric: "utilization", ...percent },
  nvidia_smi_utilization_gpu_ratio: { metric: "utilization", ...ratio },
  nvidia_gpu_duty_cycle: { metric: "utilization", ...percent },
  nv_gpu_utilization: { metric: "utilization", ...ratio },

  DCGM_FI_DEV_FB_USED: { metric: "memory-used", ...mebibytes },
  dcgm_fb_used: { metric: "memory-used", ...mebibytes },
  nvidia_smi_memory_used_bytes: { metric: "memory-used", ...bytes },
  nvidia_gpu_memory_used_bytes: { metric: "memory-used", ...bytes },
  nv_gpu_memory_used_bytes: { metric: "memory-used", ...bytes },

  DCGM_FI_DEV_FB_TOTAL: { metric: "memory-total", ...mebibytes },
  nvidia_smi_memory_total_bytes: { metric: "memory-total", ...bytes },
  nvidia_gpu_memory_total_bytes: { metric: "memory-total", ...bytes },
  nv_gpu_memory_total_bytes: { metric: "memory-total", ...bytes },

  DCGM_FI_DEV_POWER_USAGE: { metric: "power", ...watts },
  DCGM_FI_DEV_BOARD_POWER_WATTS: { metric: "power", ...watts },
  dcgm_power_usage: { metric: "power", ...watts },
  nvidia_smi_power_draw_watts: { metric: "power", ...watts },
  nvidia_gpu_power_usage_milliwatts: { metric: "power", quantity: "power", factor: 1 / 1000, holds: "forward" },
  nv_gpu_power_usage: { metric: "power", ...watts },

  DCGM_FI_PROF_SM_ACTIVE: { metric: "sm-active", ...profiled },
  DCGM_FI_PROF_SM_UTIL_RATIO: { metric: "sm-active", ...profiled },
  DCGM_FI_PROF_PIPE_TENSOR_ACTIVE: { metric: "tensor-active", ...profiled },
  DCGM_FI_PROF_TENSOR_UTIL_RATIO: { metric: "tensor-active", ...profiled },
  DCGM_FI_PROF_DRAM_ACTIVE: { metric: "dram-active", ...profiled },
  DCGM_FI_PROF_DRAM_UTIL_RATIO: { metric: "dram-active", ...profiled },
};
