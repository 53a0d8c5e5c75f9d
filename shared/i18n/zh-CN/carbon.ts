import type { carbon as en } from "../en/carbon.ts";

export const carbon: Record<keyof typeof en, string> = {
  "format.aws-carbon-emissions": "AWS 碳排放导出",
  "format.google-carbon-footprint": "Google 碳足迹导出",
  "format.microsoft-cloud-emissions": "Microsoft 云排放导出",
  "format.azure-carbon-optimization": "Azure 碳优化导出",
};
