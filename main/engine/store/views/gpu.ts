/** The rows of a table of the current generation of their day, all columns. */
function ofCurrentGeneration(table: string, columns: readonly string[]): string {
  return `CREATE TEMP VIEW ${table}_current AS
   SELECT ${columns.map((column) => `t.${column}`).join(", ")}
   FROM day_generation g
   JOIN ${table} t ON t.Day = g.Day AND t.Generation = g.Generation`;
}

export const gpuViews: readonly string[] = [
  ofCurrentGeneration("gpu_hour", [
    "Day", "HourStart", "DeviceId", "KnownSeconds", "UtilizationMean", "UtilizationPeak", "ActiveUtilizationSeconds", "ActiveSeconds",
    "HeldIdleSeconds", "DeadIdleSeconds", "IdleMemoryUnknownSeconds", "MemoryKnownSeconds", "MemoryShareMean", "MemoryShareP95",
    "MemorySharePeak", "PowerKnownSeconds", "EnergyWattHours",
  ]),
  ofCurrentGeneration("gpu_hour_counter", ["Day", "HourStart", "DeviceId", "Counter", "KnownSeconds", "Mean", "IsActivity"]),
  ofCurrentGeneration("idle_episode", [
    "Day", "DeviceId", "StartSecond", "EndSecond", "IdleSeconds", "HeldSeconds", "DeadSeconds", "UtilizationMean", "MemoryShareMean", "PowerMeanWatts",
  ]),
  ofCurrentGeneration("gpu_hour_cost", [
    "Day", "HourStart", "SeriesId", "GpuHours", "KnownGpuHours", "UsefulGpuHours", "IdleGpuHours", "MemoryKnownGpuHours",
    "MemoryUsedGpuHours", "EnergyWattHours", "EffectiveCostNanos", "EffectiveCostRest", "ProductiveCostNanos", "ProductiveCostRest",
    "BusyInefficientCostNanos", "BusyInefficientCostRest", "HeldIdleCostNanos", "HeldIdleCostRest", "DeadIdleCostNanos",
    "DeadIdleCostRest", "IdleMemoryUnknownCostNanos", "IdleMemoryUnknownCostRest", "UnknownCostNanos", "UnknownCostRest",
  ]),
  ofCurrentGeneration("gpu_cost_day", [
    "Day", "SeriesId", "HourCount", "GpuHours", "KnownGpuHours", "UsefulGpuHours", "IdleGpuHours", "MemoryKnownGpuHours", "MemoryUsedGpuHours",
    "PricedGpuHours", "PricedUsefulGpuHours", "EffectiveCostNanos", "EffectiveCostRest", "ProductiveCostNanos", "ProductiveCostRest",
    "BusyInefficientCostNanos", "BusyInefficientCostRest", "HeldIdleCostNanos", "HeldIdleCostRest", "DeadIdleCostNanos", "DeadIdleCostRest",
    "IdleMemoryUnknownCostNanos", "IdleMemoryUnknownCostRest", "UnknownCostNanos", "UnknownCostRest",
  ]),
  ofCurrentGeneration("gpu_series_day", ["Day", "Series"]),
  ofCurrentGeneration("gpu_device_day", ["Day", "DeviceId", "Hours"]),
  ofCurrentGeneration("gpu_activity_day", ["Day", "SeriesId", "Counter", "KnownGpuHours", "UsefulGpuHours"]),
  ofCurrentGeneration("gpu_energy_day", [
    "Day", "SeriesId", "GpuHours", "CounterGpuHours", "CounterMilliwattHours", "PowerGpuHours", "PowerMilliwattHours", "HeldIdleMilliwattHours",
    "DeadIdleMilliwattHours", "IdleMemoryUnknownMilliwattHours", "ModelGpuHours", "ModelUsefulGpuHours", "ModelHeldGpuHours", "ModelHeldUsefulGpuHours",
    "ModelDeadGpuHours", "ModelDeadUsefulGpuHours", "ModelIdleMemoryUnknownGpuHours", "ModelIdleMemoryUnknownUsefulGpuHours",
  ]),
];
