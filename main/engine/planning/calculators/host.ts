import { ONE, toNumber } from "../../../../shared/domain/rational.ts";
import { ok } from "../../../../shared/result.ts";
import { hostBalance } from "../host-balance.ts";
import { line, said, valued, valueOf, type Calculator } from "./given.ts";

const units = { vcpu: "count", ram: "gb-only", nvme: "gb-only", rdma: "count" } as const;

/** Whether a machine feeds its GPUs: processors, memory, local disks, network between nodes. */
export const host: Calculator = {
  id: "host",
  work: (given) => {
    const machine = given.facts.machine ?? null;
    const rdma = given.choices.get("rdma") ?? null;
    const checks = hostBalance({
      gpus: valueOf(given, "gpus"),
      gpuMemoryGigabytes: valueOf(given, "gpu-memory"),
      vcpus: valueOf(given, "vcpus"),
      vcpusPerGpu: valueOf(given, "vcpus-per-gpu"),
      ramGigabytes: valueOf(given, "ram"),
      nvmeGigabytes: valueOf(given, "nvme"),
      dataGigabytes: valueOf(given, "data"),
      nodes: valueOf(given, "nodes") ?? ONE,
      hasRdma: rdma === null ? null : rdma === "yes",
    });
    const warned = checks.filter(({ state }) => state === "warn").length;
    const unknown = checks.filter(({ state }) => state === "unknown").length;
    const ram = checks.find(({ id }) => id === "ram");
    return ok({
      lines: [
        line(given, "verdict", said(warned > 0 ? "calc.host.verdict-warn" : unknown > 0 ? "calc.host.verdict-unknown" : "calc.host.verdict-well", { number: { number: warned > 0 ? warned : unknown } }), "count", { isMain: true }),
        line(given, "ram-ratio", ram?.ratio ?? null, "multiple", { needs: ["gpus", "gpu-memory", "ram"] }),
      ],
      table: {
        id: "host",
        columns: ["check", "has", "needs", "per-gpu", "state"],
        rows: checks.map(({ id, state, has, needs, perGpu }) => ({
          id,
          tone: state,
          cells: [
            { message: said(`calc.host.check-${id}`) },
            has === null ? null : valued(has, units[id]),
            needs === null ? null : valued(needs, units[id]),
            perGpu === null ? null : valued(perGpu, id === "vcpu" ? "number" : "gb-only"),
            { message: said(`calc.host.state-${state}`) },
          ],
        })),
      },
      notes: [
        ...(machine === null ? [] : [said("calc.host.note.machine", { name: { text: machine.name } })]),
        ...checks.filter(({ state, id }) => state === "warn" && id !== "rdma").map(({ id, has, needs }) => said(`calc.host.note.${id}`, { has: { number: has === null ? 0 : toNumber(has), digits: 0 }, needs: { number: needs === null ? 0 : toNumber(needs), digits: 0 } })),
        ...checks.filter(({ state, id }) => state === "warn" && id === "rdma").map(() => said("calc.host.note.rdma")),
      ],
    });
  },
};
