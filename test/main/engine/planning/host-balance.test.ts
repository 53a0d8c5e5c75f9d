import { describe, expect, it } from "vitest";
import { ONE, toDecimal, whole, ZERO } from "../../../../shared/domain/rational.ts";
import { hostBalance, type HostInputs } from "../../../../main/engine/planning/host-balance.ts";

const inputs: HostInputs = { gpus: whole(8), gpuMemoryGigabytes: whole(80), vcpus: whole(96), vcpusPerGpu: whole(8), ramGigabytes: whole(1024), nvmeGigabytes: whole(3840), dataGigabytes: whole(2000), nodes: ONE, hasRdma: null };
const states = (change: Partial<HostInputs>) => Object.fromEntries(hostBalance({ ...inputs, ...change }).map(({ id, state }) => [id, state]));

describe("whether a machine feeds its GPUs", () => {
  it("warns of memory under twice that of the GPUs", () => {
    const ram = hostBalance(inputs).find(({ id }) => id === "ram");
    expect(ram?.state).toBe("warn");
    expect([ram?.needs, ram?.ratio, ram?.perGpu].map((value) => toDecimal(value ?? ZERO))).toEqual(["1280", "1.6", "128"]);
    expect(states({ ramGigabytes: whole(1280) })["ram"]).toBe("well");
  });

  it("asks for a network between nodes only where there are several", () => {
    expect(states({})["rdma"]).toBe("plain");
    expect(states({ nodes: whole(2) })["rdma"]).toBe("unknown");
    expect(states({ nodes: whole(2), hasRdma: false })["rdma"]).toBe("warn");
    expect(states({ nodes: whole(2), hasRdma: true })["rdma"]).toBe("well");
  });

  it("never takes the unknown for well", () => {
    expect(states({ gpus: null, vcpus: null, ramGigabytes: null, nvmeGigabytes: null })).toEqual({ vcpu: "unknown", ram: "unknown", nvme: "unknown", rdma: "plain" });
    expect(states({ vcpusPerGpu: null })["vcpu"]).toBe("unknown");
  });
});
