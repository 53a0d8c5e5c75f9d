import type { TelemetryFormat } from "./format.ts";
import { nvidiaSmi } from "./nvidia-smi.ts";

/** Every telemetry format, in the order in which they are asked. */
export const telemetryFormats: readonly TelemetryFormat[] = [nvidiaSmi];
