import type { TelemetryFormat } from "./format.ts";
import { nvidiaSmiDmon } from "./nvidia-smi-dmon.ts";
import { nvidiaSmi } from "./nvidia-smi.ts";
import { prometheusLines } from "./prometheus-lines.ts";
import { prometheusText } from "./prometheus-text.ts";
import { prometheus } from "./prometheus.ts";

/** Every telemetry format, in the order in which they are asked. */
export const telemetryFormats: readonly TelemetryFormat[] = [nvidiaSmi, nvidiaSmiDmon, prometheus, prometheusText, prometheusLines];
