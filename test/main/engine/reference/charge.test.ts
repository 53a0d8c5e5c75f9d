import { describe, expect, it } from "vitest";
import { acceleratorById } from "../../../../main/engine/reference/catalog.ts";
import { type GpuChargeEvidence, gpuHoursOf, type GpuRecognition, recognizeGpuCharge } from "../../../../main/engine/reference/charge.ts";
import { reference } from "./shared.ts";

/** provider, evidence, then model, accelerator id, count, hours, step. */
type Case = readonly [GpuChargeEvidence, string, string | null, number | null, GpuRecognition["hoursMeaning"], GpuRecognition["step"]];

const aws = (rest: GpuChargeEvidence): GpuChargeEvidence => ({ provider: "AWS", ...rest });
const azure = (rest: GpuChargeEvidence): GpuChargeEvidence => ({ provider: "Microsoft", ...rest });
const google = (rest: GpuChargeEvidence): GpuChargeEvidence => ({ provider: "Google Cloud", ...rest });

const cases: readonly Case[] = [
  // AWS: usage type, product attribute, first word of the description
  [aws({ usageType: "USW2-BoxUsage:p4d.24xlarge" }), "A100", "nvidia-a100-sxm4-40gb", 8, "instance-hours", "instance-type"],
  [aws({ usageType: "BoxUsage:p4de.24xlarge" }), "A100", "nvidia-a100-sxm4-80gb", 8, "instance-hours", "instance-type"],
  [aws({ usageType: "USE1-BoxUsage:p5.48xlarge" }), "H100", "nvidia-h100-sxm5-80gb", 8, "instance-hours", "instance-type"],
  [aws({ instanceType: "p5.4xlarge" }), "H100", "nvidia-h100-sxm5-80gb", 1, "instance-hours", "instance-type"],
  [aws({ instanceType: "p5e.48xlarge" }), "H200", "nvidia-h200-sxm", 8, "instance-hours", "instance-type"],
  [aws({ instanceType: "p5en.48xlarge" }), "H200", "nvidia-h200-sxm", 8, "instance-hours", "instance-type"],
  [aws({ instanceType: "p6-b200.48xlarge" }), "B200", "nvidia-b200-sxm", 8, "instance-hours", "instance-type"],
  [aws({ skuMeter: "BoxUsage:p6-b300.48xlarge" }), "B300", "nvidia-b300-sxm", 8, "instance-hours", "instance-type"],
  [aws({ instanceType: "p6e-gb200.36xlarge" }), "GB200", "nvidia-gb200", 4, "instance-hours", "instance-type"],
  [aws({ usageType: "EUW1-BoxUsage:p3.2xlarge" }), "V100", "nvidia-v100-sxm2-16gb", 1, "instance-hours", "instance-type"],
  [aws({ usageType: "APN1-BoxUsage:p3dn.24xlarge" }), "V100", "nvidia-v100-sxm2-32gb", 8, "instance-hours", "instance-type"],
  [aws({ instanceType: "p2.16xlarge" }), "K80", "nvidia-k80", 16, "instance-hours", "instance-type"],
  [aws({ instanceType: "g3s.xlarge" }), "M60", "nvidia-m60", 1, "instance-hours", "instance-type"],
  [aws({ instanceType: "g4dn.12xlarge" }), "T4", "nvidia-t4", 4, "instance-hours", "instance-type"],
  [aws({ instanceType: "g4dn.metal" }), "T4", "nvidia-t4", 8, "instance-hours", "instance-type"],
  [aws({ instanceType: "g4ad.16xlarge" }), "V520", "amd-radeon-pro-v520", 4, "instance-hours", "instance-type"],
  [aws({ instanceType: "g5.xlarge" }), "A10G", "nvidia-a10g", 1, "instance-hours", "instance-type"],
  [aws({ instanceType: "g5.48xlarge" }), "A10G", "nvidia-a10g", 8, "instance-hours", "instance-type"],
  [aws({ instanceType: "g5g.16xlarge" }), "T4G", "nvidia-t4g", 2, "instance-hours", "instance-type"],
  [aws({ instanceType: "g6.24xlarge" }), "L4", "nvidia-l4", 4, "instance-hours", "instance-type"],
  [aws({ instanceType: "g6f.large" }), "L4", "nvidia-l4", 0.125, "instance-hours", "instance-type"],
  [aws({ instanceType: "gr6f.4xlarge" }), "L4", "nvidia-l4", 0.5, "instance-hours", "instance-type"],
  [aws({ instanceType: "g6e.48xlarge" }), "L40S", "nvidia-l40s", 8, "instance-hours", "instance-type"],
  [aws({ instanceType: "g7e.12xlarge" }), "RTX PRO 6000", "nvidia-rtx-pro-6000-server", 2, "instance-hours", "instance-type"],
  [aws({ instanceType: "g7.24xlarge" }), "RTX PRO 4500", "nvidia-rtx-pro-4500", 4, "instance-hours", "instance-type"],
  [aws({ instanceType: "trn1.32xlarge" }), "Trainium", "aws-trainium1", 16, "instance-hours", "instance-type"],
  [aws({ instanceType: "trn2.48xlarge" }), "Trainium2", "aws-trainium2", 16, "instance-hours", "instance-type"],
  [aws({ instanceType: "inf1.24xlarge" }), "Inferentia", "aws-inferentia1", 16, "instance-hours", "instance-type"],
  [aws({ instanceType: "inf2.48xlarge" }), "Inferentia2", "aws-inferentia2", 12, "instance-hours", "instance-type"],
  [aws({ instanceType: "dl1.24xlarge" }), "Gaudi", "intel-gaudi1", 8, "instance-hours", "instance-type"],
  [aws({ usageType: "USW2-Train:ml.p4d.24xlarge" }), "A100", "nvidia-a100-sxm4-40gb", 8, "instance-hours", "instance-type"],
  [aws({ usageType: "USE1-Host:ml.g5.2xlarge" }), "A10G", "nvidia-a10g", 1, "instance-hours", "instance-type"],
  [aws({ usageType: "Notebk:ml.inf2.xlarge" }), "Inferentia2", "aws-inferentia2", 1, "instance-hours", "instance-type"],
  [aws({ chargeDescription: "p4d.24xlarge Linux/UNIX Spot Instance-hour in US West (Oregon)" }), "A100", "nvidia-a100-sxm4-40gb", 8, "instance-hours", "instance-type"],
  [aws({ chargeDescription: "$1.624 per On Demand Linux g5.4xlarge Instance Hour" }), "A10G", "nvidia-a10g", 1, "instance-hours", "description"],
  [aws({ chargeDescription: "$1.14 per On Demand Linux g3.4xlarge Instance Hour" }), "M60", "nvidia-m60", 1, "instance-hours", "description"],
  [aws({ usageType: "USW2-UnusedBox:p5.48xlarge" }), "H100", "nvidia-h100-sxm5-80gb", 8, "instance-hours", "instance-type"],
  [aws({ usageType: "USW2-Reservation:p5.48xlarge" }), "H100", "nvidia-h100-sxm5-80gb", 8, "none", "instance-type"],
  [aws({ usageType: "HostBoxUsage:g4dn.metal" }), "T4", "nvidia-t4", 8, "none", "instance-type"],
  [aws({ usageType: "USE2-CapacityBlockFee:p5.48xlarge", lineItemType: "Fee" }), "H100", "nvidia-h100-sxm5-80gb", 8, "none", "instance-type"],
  [aws({ usageType: "HostUsage:p3" }), "V100", "nvidia-v100-sxm2-16gb", null, "instance-hours", "family-unknown-size"],
  [aws({ usageType: "BoxUsage:p7.48xlarge" }), "p7", null, null, "instance-hours", "family-unknown-size"],
  [aws({ instanceType: "g5.96xlarge" }), "A10G", "nvidia-a10g", null, "instance-hours", "family-unknown-size"],
  [aws({ instanceType: "p5.48xlarge", lineItemType: "SavingsPlanNegation" }), "H100", "nvidia-h100-sxm5-80gb", 8, "none", "instance-type"],
  [aws({ usageType: "USW2-BoxUsage:g4dn.xlarge", serviceName: "Amazon Elastic MapReduce" }), "T4", "nvidia-t4", 1, "none", "instance-type"],
  [aws({ skuDetails: { InstanceType: "p4d.24xlarge", GpuCount: 8 }, pricingUnit: "Hours" }), "A100", "nvidia-a100-sxm4-40gb", 8, "instance-hours", "explicit"],
  [aws({ skuDetails: { InstanceType: "g4dn.xlarge", GpuCount: "1" } }), "T4", "nvidia-t4", 1, "instance-hours", "explicit"],
  [aws({ skuDetails: { InstanceType: "p9.48xlarge", GpuCount: 16 } }), "p9", null, 16, "instance-hours", "explicit"],
  // Azure: sizes, meters, series
  [azure({ instanceType: "Standard_ND96isr_H100_v5" }), "H100", "nvidia-h100-sxm5-80gb", 8, "instance-hours", "instance-type"],
  [azure({ skuDetails: { ServiceType: "Standard_NC24ads_A100_v4" } }), "A100", "nvidia-a100-pcie-80gb", 1, "instance-hours", "instance-type"],
  [azure({ skuMeter: "NC24ads A100 v4" }), "A100", "nvidia-a100-pcie-80gb", 1, "instance-hours", "sku-text"],
  [azure({ skuMeter: "ND96isr H100 v5 Spot" }), "H100", "nvidia-h100-sxm5-80gb", 8, "instance-hours", "sku-text"],
  [azure({ skuMeter: "NC24rs v3 Low Priority" }), "V100", "nvidia-v100-pcie-16gb", 4, "instance-hours", "sku-text"],
  [azure({ skuMeter: "NC40ads H100 v5" }), "H100", "nvidia-h100-nvl-94gb", 1, "instance-hours", "sku-text"],
  [azure({ instanceType: "STANDARD_NV6ads_A10_v5" }), "A10", "nvidia-a10", 1 / 6, "instance-hours", "instance-type"],
  [azure({ instanceType: "Standard_NV12ads_A10_v5" }), "A10", "nvidia-a10", 1 / 3, "instance-hours", "instance-type"],
  [azure({ instanceType: "Standard_NC4as_T4_v3" }), "T4", "nvidia-t4", 1, "instance-hours", "instance-type"],
  [azure({ instanceType: "Standard_ND96is_MI300X_v5" }), "MI300X", "amd-mi300x", 8, "instance-hours", "instance-type"],
  [azure({ instanceType: "Standard_ND128isr_NDR_GB200_v6" }), "GB200", "nvidia-gb200", 4, "instance-hours", "instance-type"],
  [azure({ instanceType: "Standard_NV4as_v4" }), "MI25", "amd-mi25", 0.125, "instance-hours", "instance-type"],
  [azure({ instanceType: "Standard_NC24r" }), "K80", "nvidia-k80", 4, "instance-hours", "instance-type"],
  [azure({ instanceType: "Standard_ND192isr_B300_v7" }), "B300", "nvidia-b300-sxm", null, "instance-hours", "family-unknown-size"],
  [azure({ instanceType: "Standard_ND500x_v9" }), "ND v9", null, null, "instance-hours", "family-unknown-size"],
  [azure({ skuDescription: "Virtual Machines NCadsA100v4 Series" }), "A100", "nvidia-a100-pcie-80gb", null, "instance-hours", "family-unknown-size"],
  [azure({ chargeDescription: "Reserved VM Instance, Standard_ND96isr_H100_v5, US East, 3 Years", chargeCategory: "Purchase" }), "H100", "nvidia-h100-sxm5-80gb", 8, "none", "description"],
  [azure({ instanceType: "Standard_NC8lds_xl_RTXPRO6000BSE_v6" }), "RTX PRO 6000", "nvidia-rtx-pro-6000-server", null, "instance-hours", "instance-type"],
  // Google: the accelerator is a SKU row of its own
  [google({ skuDescription: "Nvidia Tesla A100 GPU running in Americas" }), "A100", "nvidia-a100-sxm4-40gb", 1, "gpu-hours", "sku-text"],
  [google({ skuDescription: "Nvidia Tesla A100 80GB GPU running in Netherlands" }), "A100", "nvidia-a100-sxm4-80gb", 1, "gpu-hours", "sku-text"],
  [google({ skuDescription: "Nvidia H100 80GB GPU running in Americas", instanceType: "a3-highgpu-8g" }), "H100", "nvidia-h100-sxm5-80gb", 1, "gpu-hours", "sku-text"],
  [google({ skuDescription: "Nvidia H100 80GB Mega GPU running in Iowa" }), "H100", "nvidia-h100-sxm5-80gb", 1, "gpu-hours", "sku-text"],
  [google({ skuDescription: "Nvidia H100 80GB Plus GPU attached to Spot Preemptible VMs running in Americas" }), "H100", "nvidia-h100-sxm5-80gb", 1, "gpu-hours", "sku-text"],
  [google({ skuDescription: "Nvidia L4 GPU running in Singapore" }), "L4", "nvidia-l4", 1, "gpu-hours", "sku-text"],
  [google({ skuDescription: "Nvidia Tesla T4 GPU attached to Spot Preemptible VMs running in Belgium" }), "T4", "nvidia-t4", 1, "gpu-hours", "sku-text"],
  [google({ skuDescription: "Nvidia Tesla P100 GPU running in Americas" }), "P100", "nvidia-p100-pcie-16gb", 1, "gpu-hours", "sku-text"],
  [google({ skuDescription: "A4 Nvidia B200 (1 gpu slice) running in Columbus" }), "B200", "nvidia-b200-sxm", 1, "gpu-hours", "sku-text"],
  [google({ skuDescription: "DWS Calendar Mode A4 Nvidia B200 (1 gpu slice)" }), "B200", "nvidia-b200-sxm", 1, "gpu-hours", "sku-text"],
  [google({ skuDescription: "RTX 6000 96GB running in Americas" }), "RTX PRO 6000", "nvidia-rtx-pro-6000-server", 1, "gpu-hours", "sku-text"],
  [google({ skuDescription: "Commitment v1: Nvidia H100 80GB GPU in Americas for 1 Year" }), "H100", "nvidia-h100-sxm5-80gb", 1, "none", "sku-text"],
  [google({ skuDescription: "Nvidia R100 GPU running in Americas" }), "R100", null, 1, "gpu-hours", "sku-text"],
  [google({ skuDescription: "A2 Instance Core running in Americas" }), "A100", null, null, "none", "sku-text"],
  [google({ skuDescription: "A3Plus Instance Ram running in Americas" }), "H100", "nvidia-h100-sxm5-80gb", null, "none", "sku-text"],
  [google({ skuDescription: "A3 Instance Core running in Americas", instanceType: "a3-highgpu-8g" }), "H100", "nvidia-h100-sxm5-80gb", 8, "none", "instance-type"],
  [google({ instanceType: "a2-ultragpu-2g" }), "A100", "nvidia-a100-sxm4-80gb", 2, "instance-hours", "instance-type"],
  [google({ instanceType: "a2-megagpu-16g" }), "A100", "nvidia-a100-sxm4-40gb", 16, "instance-hours", "instance-type"],
  [google({ instanceType: "g4-standard-6" }), "RTX PRO 6000", "nvidia-rtx-pro-6000-server", 0.125, "instance-hours", "instance-type"],
  [google({ skuDescription: "TpuV5e running in Americas", pricingUnit: "hour" }), "TPU v5e", "google-tpu-v5e", 1, "gpu-hours", "sku-text"],
  [google({ skuDescription: "A3 Instance Ram running in Americas", skuDetails: { InstanceType: "a3-highgpu-8g", GpuCount: 8 } }), "H100", "nvidia-h100-sxm5-80gb", 8, "none", "explicit"],
  [google({ chargeDescription: "training machine", instanceType: "a3-highgpu-8g" }), "H100", "nvidia-h100-sxm5-80gb", 8, "instance-hours", "instance-type"],
  [azure({ chargeDescription: "Reserved VM Instance, Standard_ND96isr_H100_v5, US East, 3 Years", chargeCategory: "Usage", commitmentDiscountStatus: "Unused" }), "H100", "nvidia-h100-sxm5-80gb", 8, "instance-hours", "description"],
  // Oracle, China, GPU clouds
  [{ provider: "Oracle", instanceType: "BM.GPU.H100.8" }, "H100", "nvidia-h100-sxm5-80gb", 8, "instance-hours", "instance-type"],
  [{ provider: "Oracle", instanceType: "BM.GPU.A100-v2.8" }, "A100", "nvidia-a100-sxm4-80gb", 8, "instance-hours", "instance-type"],
  [{ provider: "Oracle", chargeDescription: "VM.GPU3.2 in Frankfurt" }, "V100", "nvidia-v100-sxm2-16gb", 2, "instance-hours", "description"],
  [{ provider: "Oracle", instanceType: "BM.GPU.H200.4" }, "H200", "nvidia-h200-sxm", 4, "instance-hours", "instance-type"],
  [{ provider: "Oracle", skuDescription: "Compute - GPU - H100", pricingUnit: "GPU Per Hour" }, "H100", "nvidia-h100-sxm5-80gb", 1, "gpu-hours", "sku-text"],
  [{ provider: "Alibaba Cloud", instanceType: "ecs.gn7i-c8g1.2xlarge" }, "A10", "nvidia-a10", 1, "instance-hours", "instance-type"],
  [{ provider: "阿里云", instanceType: "ecs.gn7-c12g1.6xlarge" }, "A100", "nvidia-a100-sxm4-40gb", 2, "instance-hours", "instance-type"],
  [{ provider: "Alibaba Cloud", chargeDescription: "实例规格:ecs.gn6v-c8g1.16xlarge;CPU:64" }, "V100", "nvidia-v100-sxm2-16gb", 8, "instance-hours", "description"],
  [{ provider: "Alibaba Cloud", instanceType: "ecs.ebmgn8is.32xlarge" }, "L20", "nvidia-l20", null, "instance-hours", "family-unknown-size"],
  [{ provider: "腾讯云", skuDescription: "GN10Xp.20XLARGE320" }, "V100", "nvidia-v100-sxm2-32gb", 8, "instance-hours", "sku-text"],
  [{ provider: "Tencent Cloud", instanceType: "GT4.41XLARGE948" }, "A100", "nvidia-a100-sxm4-40gb", 8, "instance-hours", "instance-type"],
  [{ provider: "Tencent Cloud", skuDescription: "GPU计算型GN10Xp" }, "V100", "nvidia-v100-sxm2-32gb", null, "instance-hours", "family-unknown-size"],
  [{ provider: "Baidu AI Cloud", instanceType: "ebc.gn7s.c208m1024.8l20" }, "L20", "nvidia-l20", 8, "instance-hours", "instance-type"],
  [{ provider: "Huawei Cloud", instanceType: "p2s.2xlarge.8" }, "V100", "nvidia-v100-pcie-32gb", null, "instance-hours", "family-unknown-size"],
  [{ provider: "Lambda", instanceType: "gpu_8x_h100_sxm5" }, "H100", "nvidia-h100-sxm5-80gb", 8, "instance-hours", "instance-type"],
  [{ provider: "Lambda", instanceType: "gpu_4x_h100_sxm5" }, "H100", "nvidia-h100-sxm5-80gb", 4, "instance-hours", "instance-type"],
  [{ provider: "CoreWeave", instanceType: "gd-8xh100ib-i128" }, "H100", "nvidia-h100-sxm5-80gb", 8, "instance-hours", "instance-type"],
  [{ provider: "RunPod", gpuModel: "NVIDIA H100 80GB HBM3" }, "H100", "nvidia-h100-sxm5-80gb", null, "instance-hours", "explicit"],
  [{ provider: "RunPod", gpuModel: "AMD Instinct MI300X OAM", gpuCount: 2 }, "MI300X", "amd-mi300x", 2, "instance-hours", "explicit"],
  [{ provider: "RunPod", skuDescription: "1x_A100-80GB_SECURE" }, "A100", null, 1, "instance-hours", "sku-text"],
  [{ provider: "Small Host", chargeDescription: "8x NVIDIA H200 server" }, "H200", "nvidia-h200-sxm", 8, "instance-hours", "description"],
  [{ provider: "Small Host", skuDescription: "RTX 4090 GPU", consumedUnit: "GPU-hours" }, "RTX 4090", "nvidia-rtx-4090", 1, "gpu-hours", "sku-text"],
  [{ provider: null, instanceType: "g5.xlarge" }, "A10G", "nvidia-a10g", 1, "instance-hours", "instance-type"],
];

describe("recognizeGpuCharge", () => {
  it.each(cases.map((row) => [JSON.stringify(row[0]), ...row] as const))("reads %s", (_name, evidence, model, acceleratorId, gpuCount, hoursMeaning, step) => {
    const found = recognizeGpuCharge(reference, evidence);
    expect(found).toMatchObject({ model, acceleratorId, gpuCount, hoursMeaning, step, unknownSize: gpuCount === null && hoursMeaning !== "none" });
    if (acceleratorId !== null) expect(acceleratorById(reference, acceleratorId)?.family).toBe(model);
  });

  it.each(
    [
      aws({ usageType: "BoxUsage:m7g.large" }),
      aws({ instanceType: "c7gn.4xlarge" }),
      aws({ instanceType: "hpc7g.16xlarge" }),
      aws({ instanceType: "t4g.micro", chargeDescription: "$0.0084 per On Demand Linux t4g.micro Instance Hour" }),
      aws({ instanceType: "f1.2xlarge" }),
      aws({ instanceType: "f2.12xlarge" }),
      aws({ instanceType: "vt1.3xlarge" }),
      aws({ instanceType: "im4gn.large" }),
      aws({ instanceType: "x2gd.medium" }),
      aws({ usageType: "EBSOptimized:g3s.xlarge" }),
      aws({ usageType: "SoftwareUsage:g5.xlarge" }),
      aws({ serviceName: "AWS Marketplace", chargeDescription: "NVIDIA AI Enterprise software on g5.xlarge" }),
      aws({ usageType: "USW2-DataTransfer-Out-Bytes", chargeDescription: "$0.09 per GB data transfer" }),
      aws({ usageType: "InstanceUsage:db.r6g.large" }),
      aws({ usageType: "NodeUsage:cache.m6g.large" }),
      aws({}),
      azure({ instanceType: "Standard_NP10s" }),
      azure({ instanceType: "Standard_D4s_v5" }),
      azure({ skuMeter: "E8-4s v4" }),
      azure({ skuMeter: "P10 LRS Disk", skuDescription: "Premium SSD Managed Disks" }),
      azure({ skuMeter: "A2 v2" }),
      azure({ skuMeter: "P4 Disks" }),
      azure({ serviceName: "Bandwidth", instanceType: "Standard_ND96isr_H100_v5" }),
      azure({ serviceName: "Virtual Machines Licenses", instanceType: "Standard_NC24ads_A100_v4" }),
      google({ skuDescription: "N2 Instance Core running in Americas" }),
      google({ skuDescription: "E2 Instance Ram running in Americas" }),
      google({ skuDescription: "Network Internet Egress from Americas to China", instanceType: "a3-highgpu-8g" }),
      google({ skuDescription: "Licensing Fee for NVIDIA RTX Virtual Workstation (GPU cost)" }),
      google({ skuDescription: "SSD backed Local Storage" }),
      { provider: "Oracle", skuDescription: "Standard - E5", consumedUnit: "OCPU Hours" },
      { provider: "Alibaba Cloud", instanceType: "ecs.g7.2xlarge" },
      { provider: "Tencent Cloud", instanceType: "S5.MEDIUM4" },
      { provider: "Huawei Cloud", instanceType: "Si2.large.2" },
      { provider: "Lambda", chargeDescription: "Persistent storage" },
      { provider: "Some SaaS", chargeDescription: "Plan A2, seat P4" },
    ].map((evidence) => [JSON.stringify(evidence), evidence] as const),
  )("leaves %s alone", (_name, evidence) => {
    expect(recognizeGpuCharge(reference, evidence)).toBeNull();
  });

  it("tells how the hours were bought and whether anybody used them", () => {
    const hint = (evidence: GpuChargeEvidence) => {
      const found = recognizeGpuCharge(reference, evidence);
      return [found?.purchaseHint, found?.unusedReservation];
    };
    expect(hint(aws({ usageType: "USW2-SpotUsage:p4d.24xlarge" }))).toEqual(["spot", false]);
    expect(hint(aws({ chargeDescription: "$1.624 per On Demand Linux g5.4xlarge Instance Hour" }))).toEqual(["on-demand", false]);
    expect(hint(aws({ usageType: "UnusedBox:p5.48xlarge" }))).toEqual(["reserved", true]);
    expect(hint(azure({ skuMeter: "NC24rs v3 Low Priority" }))).toEqual(["spot", false]);
    expect(hint(azure({ skuMeter: "ND96isr H100 v5", commitmentDiscountStatus: "Unused" }))).toEqual(["reserved", true]);
    expect(hint(google({ skuDescription: "DWS Calendar Mode A4 Nvidia B200 (1 gpu slice)" }))).toEqual(["reserved", false]);
    expect(hint(google({ skuDescription: "Spot Preemptible Nvidia L4 GPU running in Iowa" }))).toEqual(["spot", false]);
    expect(hint(aws({ instanceType: "g5.xlarge" }))).toEqual([null, false]);
  });

  it("counts GPU-hours from one row of an instance-hour: hours times cards, once, and never from a fee", () => {
    const hours = (evidence: GpuChargeEvidence) => {
      const found = recognizeGpuCharge(reference, evidence);
      return found === null ? "no GPU" : gpuHoursOf(found, 3);
    };
    expect(hours(aws({ usageType: "BoxUsage:p5.48xlarge" }))).toBe(24);
    expect(hours(google({ skuDescription: "Nvidia H100 80GB GPU running in Americas", instanceType: "a3-highgpu-8g" }))).toBe(3);
    expect(hours(google({ skuDescription: "A3 Instance Core running in Americas", instanceType: "a3-highgpu-8g" }))).toBe(0);
    expect(hours(aws({ usageType: "CapacityBlockFee:p5.48xlarge" }))).toBe(0);
    expect(hours(aws({ usageType: "BoxUsage:p7.48xlarge" }))).toBeNull();
    expect(hours(azure({ instanceType: "Standard_NV6ads_A10_v5" }))).toBe(0.5);
  });

  it("gives the same answer whatever the letter case of an Azure size and the spaces of its meter", () => {
    const spellings = ["Standard_ND96isr_H100_v5", "standard_nd96isr_h100_v5", "ND96isr H100 v5", "ND96ISR_H100_V5"];
    const found = spellings.map((instanceType) => recognizeGpuCharge(reference, azure({ instanceType })));
    expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  it("recognizes every machine type of its own table, by its own provider", () => {
    const providers = { aws: "AWS", azure: "Microsoft", gcp: "Google", oracle: "Oracle", alibaba: "Alibaba", tencent: "Tencent", lambda: "Lambda", coreweave: "CoreWeave" } as const;
    const wrong = reference.instanceTypes.filter((type) => {
      const provider = providers[type.provider as keyof typeof providers];
      const found = recognizeGpuCharge(reference, { provider, instanceType: type.instanceType });
      return found?.acceleratorId !== type.acceleratorId || found.gpuCount !== type.acceleratorCount;
    });
    expect(wrong.map(({ instanceType }) => instanceType)).toEqual([]);
  });
});
