import { amdSmi } from "./amd-smi.ts";
import { azureMonitor } from "./azure-monitor.ts";
import { cloudWatch } from "./cloudwatch.ts";
import { dcgmiDmon } from "./dcgmi-dmon.ts";
import type { TelemetryFormat } from "./format.ts";
import { gcpMonitoring } from "./gcp-monitoring.ts";
import { grafana } from "./grafana.ts";
import { hlSmi } from "./hl-smi.ts";
import { influx } from "./influx.ts";
import { mappedLog } from "./mapped-log.ts";
import { mlflow } from "./mlflow.ts";
import { npuSmi } from "./npu-smi.ts";
import { nvidiaSmiDmon } from "./nvidia-smi-dmon.ts";
import { nvidiaSmiPmon } from "./nvidia-smi-pmon.ts";
import { nvidiaSmiQueryText } from "./nvidia-smi-query-text.ts";
import { nvidiaSmiXml } from "./nvidia-smi-xml.ts";
import { nvidiaSmi } from "./nvidia-smi.ts";
import { openCost } from "./opencost.ts";
import { prometheusLines } from "./prometheus-lines.ts";
import { prometheusText } from "./prometheus-text.ts";
import { prometheus } from "./prometheus.ts";
import { rocmSmi } from "./rocm-smi.ts";
import { slurmSacct } from "./slurm-sacct.ts";
import { sonar } from "./sonar.ts";
import { tpuInfo } from "./tpu-info.ts";
import { wandb } from "./wandb.ts";
import { xpuSmi } from "./xpu-smi.ts";

/** Every telemetry format, in the order in which they are asked. */
export const telemetryFormats: readonly TelemetryFormat[] = [
  nvidiaSmi,
  nvidiaSmiDmon,
  nvidiaSmiPmon,
  nvidiaSmiXml,
  nvidiaSmiQueryText,
  dcgmiDmon,
  rocmSmi,
  amdSmi,
  xpuSmi,
  hlSmi,
  npuSmi,
  tpuInfo,
  sonar,
  prometheus,
  prometheusText,
  prometheusLines,
  grafana,
  influx,
  cloudWatch,
  gcpMonitoring,
  azureMonitor,
  slurmSacct,
  openCost,
  wandb,
  mlflow,
  mappedLog,
];
