import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { acceleratorById } from "../../../../main/engine/reference/catalog.ts";
import { recognizeDevice } from "../../../../main/engine/reference/device.ts";
import { reference, sharedFile } from "./shared.ts";

/** printed name, total memory in MiB, then model, accelerator id, share. */
type Case = readonly [string, number | null, string | null, string | null, number | null];

const cases: readonly Case[] = [
  ["NVIDIA A100-SXM4-40GB", null, "A100", "nvidia-a100-sxm4-40gb", 1],
  ["A100-SXM4-40GB", 40536, "A100", "nvidia-a100-sxm4-40gb", 1],
  ["NVIDIA A100-SXM4-80GB", 81920, "A100", "nvidia-a100-sxm4-80gb", 1],
  ["NVIDIA A100-PCIE-40GB", null, "A100", "nvidia-a100-pcie-40gb", 1],
  ["NVIDIA A100 80GB PCIe", null, "A100", "nvidia-a100-pcie-80gb", 1],
  ["NVIDIA A100-SXM-64GB", 65536, "A100", "nvidia-a100-sxm4-64gb", 1],
  ["NVIDIA A100-PG509-200", null, "A100", "nvidia-a100-sxm4-40gb", 1],
  ["NVIDIA A100-SXM...", null, "A100", null, 1],
  ["NVIDIA A100-SXM...", 81920, "A100", "nvidia-a100-sxm4-80gb", 1],
  ["A100", null, "A100", null, 1],
  ["NVIDIA A800-SXM4-80GB", null, "A800", "nvidia-a800-sxm4-80gb", 1],
  ["NVIDIA A800 80GB PCIe", null, "A800", "nvidia-a800-pcie-80gb", 1],
  ["NVIDIA A30", 24576, "A30", "nvidia-a30", 1],
  ["NVIDIA A40", 46068, "A40", "nvidia-a40", 1],
  ["NVIDIA A10", 23028, "A10", "nvidia-a10", 1],
  ["NVIDIA A10G", 23028, "A10G", "nvidia-a10g", 1],
  ["NVIDIA A10M", null, "A10M", "nvidia-a10m", 1],
  ["NVIDIA A16", null, "A16", "nvidia-a16", 1],
  ["NVIDIA A2", null, "A2", "nvidia-a2", 1],
  ["NVIDIA H100 80GB HBM3", 81559, "H100", "nvidia-h100-sxm5-80gb", 1],
  ["NVIDIA H100 PCIe", 81559, "H100", "nvidia-h100-pcie-80gb", 1],
  ["NVIDIA H100 NVL", 95830, "H100", "nvidia-h100-nvl-94gb", 1],
  ["NVIDIA H100", null, "H100", null, 1],
  ["NVIDIA H100", 65247, "H100", "nvidia-h100-sxm5-64gb", 1],
  ["NVIDIA H800", null, "H800", "nvidia-h800-sxm5", 1],
  ["NVIDIA H800 PCIe", null, "H800", "nvidia-h800-pcie", 1],
  ["NVIDIA H800 NVL", null, "H800", "nvidia-h800-nvl", 1],
  ["NVIDIA H20", null, "H20", "nvidia-h20-96gb", 1],
  ["NVIDIA H20-3e", null, "H20", "nvidia-h20-141gb", 1],
  ["NVIDIA H200", 143771, "H200", "nvidia-h200-sxm", 1],
  ["NVIDIA H200 NVL", 143771, "H200", "nvidia-h200-nvl", 1],
  ["NVIDIA GH200 480GB", 97871, "GH200", "nvidia-gh200-96gb", 1],
  ["NVIDIA GH200 480GB", null, "GH200", null, 1],
  ["NVIDIA GH200 144G HBM3e", null, "GH200", "nvidia-gh200-144gb", 1],
  ["NVIDIA B200", 183359, "B200", "nvidia-b200-sxm", 1],
  ["NVIDIA B300 SXM6 AC", 275040, "B300", "nvidia-b300-sxm", 1],
  ["NVIDIA GB200", 189471, "GB200", "nvidia-gb200", 1],
  ["NVIDIA GB300", 284208, "GB300", "nvidia-gb300", 1],
  ["NVIDIA L4", 23034, "L4", "nvidia-l4", 1],
  ["NVIDIA L20", null, "L20", "nvidia-l20", 1],
  ["NVIDIA L40", null, "L40", "nvidia-l40", 1],
  ["NVIDIA L40S", 46068, "L40S", "nvidia-l40s", 1],
  ["NVIDIA RTX A6000", null, "RTX A6000", "nvidia-rtx-a6000", 1],
  ["NVIDIA RTX A5000", null, "RTX A5000", "nvidia-rtx-a5000", 1],
  ["NVIDIA RTX 6000 Ada Generation", null, "RTX 6000 Ada", "nvidia-rtx-6000-ada", 1],
  ["NVIDIA RTX 4000 SFF Ada Generation", null, "RTX 4000 SFF Ada", "nvidia-rtx-4000-sff-ada", 1],
  ["NVIDIA RTX PRO 6000 Blackwell Server Edition", null, "RTX PRO 6000", "nvidia-rtx-pro-6000-server", 1],
  ["NVIDIA RTX PRO 6000 Blackwell Workstation Edition", null, "RTX PRO 6000", "nvidia-rtx-pro-6000-ws", 1],
  ["NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", null, "RTX PRO 6000", "nvidia-rtx-pro-6000-max-q", 1],
  ["Quadro RTX 6000", null, "Quadro RTX 6000", "nvidia-quadro-rtx-6000", 1],
  ["Tesla T4", 15360, "T4", "nvidia-t4", 1],
  ["NVIDIA T4G", null, "T4G", "nvidia-t4g", 1],
  ["Tesla P100-PCIE-16GB", null, "P100", "nvidia-p100-pcie-16gb", 1],
  ["Tesla P40", null, "P40", "nvidia-p40", 1],
  ["Tesla P4", null, "P4", "nvidia-p4", 1],
  ["Tesla V100-SXM2-16GB", null, "V100", "nvidia-v100-sxm2-16gb", 1],
  ["Tesla V100-SXM2-32GB", null, "V100", "nvidia-v100-sxm2-32gb", 1],
  ["Tesla V100-SXM3-32GB", 32510, "V100", "nvidia-v100-sxm3-32gb", 1],
  ["Tesla V100-PCIE-32GB", null, "V100", "nvidia-v100-pcie-32gb", 1],
  ["Tesla K80", 11441, "K80", "nvidia-k80", 1],
  ["Tesla K20m", null, "K20", "nvidia-k20m", 1],
  ["GRID K520", null, "K520", "nvidia-k520", 1],
  ["NVIDIA GeForce RTX 3090", null, "RTX 3090", "nvidia-rtx-3090", 1],
  ["NVIDIA GeForce RTX 4090", null, "RTX 4090", "nvidia-rtx-4090", 1],
  ["NVIDIA GeForce RTX 4090 D", null, "RTX 4090D", "nvidia-rtx-4090d", 1],
  ["NVIDIA GeForce RTX 5090", null, "RTX 5090", "nvidia-rtx-5090", 1],
  ["GeForce RTX 2080 Ti", null, "RTX 2080 Ti", "nvidia-rtx-2080-ti", 1],
  ["NVIDIA GeForce RTX 2080 SUPER", null, "RTX 2080 SUPER", "nvidia-rtx-2080-super", 1],
  ["GeForce GTX 1070 Ti", null, "GTX 1070 Ti", "nvidia-gtx-1070-ti", 1],
  // vGPU: memory of the profile ÷ memory of the board
  ["GRID A100-40C", 40960, "A100", null, 1],
  ["GRID A100-10C", 10240, "A100", null, 0.25],
  ["GRID A100D-40C", null, "A100", null, 0.5],
  ["GRID A100D-1-20C", null, "A100", null, 0.25],
  ["GRID A100-1-5C", null, "A100", null, 1 / 7],
  ["GRID T4-16Q", null, "T4", "nvidia-t4", 1],
  ["GRID T4-4Q", null, "T4", "nvidia-t4", 0.25],
  ["NVIDIA L40S-48Q", null, "L40S", "nvidia-l40s", 1],
  ["NVIDIA A10-6Q", null, "A10", "nvidia-a10", 0.25],
  // MIG and Kubernetes labels
  ["NVIDIA-H100-NVL-MIG-1g.12gb", null, "H100", "nvidia-h100-nvl-94gb", 12 / 94],
  ["NVIDIA A100-SXM4-40GB MIG 1g.5gb", null, "A100", "nvidia-a100-sxm4-40gb", 14 / 108],
  ["NVIDIA-A100-SXM4-80GB-MIG-3g.40gb", null, "A100", "nvidia-a100-sxm4-80gb", 0.5],
  ["NVIDIA A30 MIG 1g.6gb", null, "A30", "nvidia-a30", 0.25],
  ["NVIDIA-H200-MIG-1g.35gb", null, "H200", "nvidia-h200-sxm", 35 / 141],
  ["Tesla-T4-SHARED", null, "T4", "nvidia-t4", 1],
  // AMD, Intel, Habana, Ascend, Google
  ["AMD Instinct MI300X", 196592, "MI300X", "amd-mi300x", 1],
  ["AMD Instinct MI300X OAM", null, "MI300X", "amd-mi300x", 1],
  ["Instinct MI210", null, "MI210", "amd-mi210", 1],
  ["Arcturus GL-XL [Instinct MI100]", null, "MI100", "amd-mi100", 1],
  ["Vega 20 [Radeon Pro VII/Radeon Instinct MI50 32GB]", null, "MI50", "amd-mi50-32gb", 1],
  ["Aldebaran/MI200 [Instinct MI250X/MI250]", 65520, "MI250X", null, 1],
  ["AMD Instinct MI250X", 65520, "MI250X", "amd-mi250x", 0.5],
  ["Navi 22 [Radeon RX 6700/6700 XT / 6800M]", null, "RX 6700 XT", "amd-radeon-rx-6700-xt", 1],
  ["Intel(R) Data Center GPU Max 1100", null, "Max 1100", "intel-max-1100", 1],
  ["HL-205", 32768, "Gaudi", "intel-gaudi1", 1],
  ["HL-225", null, "Gaudi 2", "intel-gaudi2", 1],
  ["HL-325L", null, "Gaudi 3", "intel-gaudi3", 1],
  ["910B", null, "Ascend 910B", "huawei-ascend-910b", 1],
  ["910B4", 32768, "Ascend 910B", "huawei-ascend-910b4", 1],
  ["310P3", null, "Ascend 310P", "huawei-ascend-310p", 1],
  ["310", null, "Ascend 310", "huawei-ascend-310", 1],
  ["nvidia-tesla-a100", null, "A100", "nvidia-a100-sxm4-40gb", 1],
  ["nvidia-a100-80gb", null, "A100", "nvidia-a100-sxm4-80gb", 1],
  ["nvidia-h100-mega-80gb", null, "H100", "nvidia-h100-sxm5-80gb", 1],
  ["NVIDIA_H100_80GB", null, "H100", "nvidia-h100-sxm5-80gb", 1],
  ["nvidia-h200-141gb", null, "H200", "nvidia-h200-sxm", 1],
  ["NVIDIA_TESLA_T4", null, "T4", "nvidia-t4", 1],
  ["nvidia-l4", null, "L4", "nvidia-l4", 1],
  ["tpu-v5-lite-podslice", null, "TPU v5e", "google-tpu-v5e", 1],
];

describe("recognizeDevice", () => {
  it.each(cases)("reads %s with %s MiB", (name, memoryTotalMiB, model, acceleratorId, share) => {
    const found = recognizeDevice(reference, { name, memoryTotalMiB });
    expect(found).toMatchObject({ model, acceleratorId });
    expect(found.share).toBeCloseTo(share ?? NaN, 9);
    if (acceleratorId !== null) expect(acceleratorById(reference, acceleratorId)?.family).toBe(model);
  });

  it.each(["0x740c", "0x1002", "", "Unknown", "NVIDIA A1000000", "llvmpipe", "H10", "B2", "NVIDIA R100", "A100000", "L4000", "server 310 rack", "MIG 1g.10gb"])("does not guess at %s", (name) => {
    expect(recognizeDevice(reference, { name, memoryTotalMiB: 81920 })).toMatchObject({ acceleratorId: null, model: null });
  });

  it("finds each accelerator under each of its own names", () => {
    const lost = reference.accelerators.flatMap(({ id, family, names }) =>
      names.filter((name) => {
        const found = recognizeDevice(reference, { name, memoryTotalMiB: null });
        return found.acceleratorId !== id && found.acceleratorId !== null ? !sharesName(name, id) : found.model === null || (found.acceleratorId === id && found.model !== family);
      }),
    );
    expect(lost).toEqual([]);
  });

  const headers = sharedFile("samples/telemetry/nvidia-smi-csv/nge-h100-load-query-gpu.csv");
  it.skipIf(headers === null)("reads the device of a real nvidia-smi capture (skipped without ../shared)", () => {
    const capture = readFileSync(headers ?? "", "utf8");
    const name = /NVIDIA H100[^,]*/.exec(capture)?.[0] ?? "";
    expect(recognizeDevice(reference, { name, memoryTotalMiB: 81559 })).toMatchObject({ acceleratorId: "nvidia-h100-sxm5-80gb", reason: "name" });
  });
});

/** A name that stands at several parts may bring back another of them. */
function sharesName(name: string, id: string): boolean {
  const found = recognizeDevice(reference, { name, memoryTotalMiB: null }).acceleratorId;
  return reference.accelerators.filter((part) => part.id === id || part.id === found).every(({ names }) => names.some((one) => one.toUpperCase() === name.toUpperCase()));
}
