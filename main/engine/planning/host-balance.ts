import { compare, multiply, ONE, ratio, type Rational } from "../../../shared/domain/rational.ts";
import { hostRamCheck } from "../metrics/model/sizing.ts";

export interface HostInputs {
  readonly gpus: Rational | null;
  readonly gpuMemoryGigabytes: Rational | null;
  readonly vcpus: Rational | null;
  /** What the data loader wants; the person's own number. */
  readonly vcpusPerGpu: Rational | null;
  readonly ramGigabytes: Rational | null;
  readonly nvmeGigabytes: Rational | null;
  /** Data and checkpoints that should lie on the machine. */
  readonly dataGigabytes: Rational | null;
  readonly nodes: Rational;
  readonly hasRdma: boolean | null;
}

export const hostChecks = ["vcpu", "ram", "nvme", "rdma"] as const;
export interface HostCheck {
  readonly id: (typeof hostChecks)[number];
  /** `well`, a warning, `unknown` where something is not stated, or no question at all: one node needs no network between nodes. */
  readonly state: "well" | "warn" | "unknown" | "plain";
  readonly has: Rational | null;
  readonly needs: Rational | null;
  /** Has ÷ GPUs; null where it is not known. */
  readonly perGpu: Rational | null;
  /** Host memory ÷ memory of the GPUs; null elsewhere. */
  readonly ratio: Rational | null;
}

/**
 * Whether a machine feeds its GPUs (model e.10 and beside it). Each is a warning, not a limit.
 *
 * vcpu   vCPUs ÷ GPUs against what the loader wants
 * ram    host memory against twice the memory of the GPUs; per GPU memory
 * nvme   local disks against what should lie on them
 * rdma   with more than one node, a network that reaches the GPUs' memory without the CPU
 */
export function hostBalance(inputs: HostInputs): readonly HostCheck[] {
  const { gpus, vcpus, vcpusPerGpu, ramGigabytes, gpuMemoryGigabytes, nvmeGigabytes, dataGigabytes, nodes, hasRdma } = inputs;
  const wanted = gpus === null || vcpusPerGpu === null ? null : multiply(gpus, vcpusPerGpu);
  const ram = gpus === null || gpuMemoryGigabytes === null || ramGigabytes === null ? null : hostRamCheck(gpuMemoryGigabytes, gpus, ramGigabytes);
  const isAlone = compare(nodes, ONE) <= 0;
  const perGpu = (amount: Rational | null): Rational | null => (gpus === null || amount === null ? null : ratio(amount, gpus));
  return [
    { id: "vcpu", state: stateOf(vcpus, wanted), has: vcpus, needs: wanted, perGpu: perGpu(vcpus), ratio: null },
    { id: "ram", state: ram === null ? "unknown" : ram.isEnough ? "well" : "warn", has: ramGigabytes, needs: ram?.requiredGigabytes ?? null, perGpu: perGpu(ramGigabytes), ratio: ram?.ratio ?? null },
    { id: "nvme", state: stateOf(nvmeGigabytes, dataGigabytes), has: nvmeGigabytes, needs: dataGigabytes, perGpu: perGpu(nvmeGigabytes), ratio: null },
    { id: "rdma", state: isAlone ? "plain" : hasRdma === null ? "unknown" : hasRdma ? "well" : "warn", has: null, needs: null, perGpu: null, ratio: null },
  ];
}

function stateOf(has: Rational | null, needs: Rational | null): HostCheck["state"] {
  if (has === null || needs === null) return "unknown";
  return compare(has, needs) >= 0 ? "well" : "warn";
}
