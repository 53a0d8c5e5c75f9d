/** What bill and telemetry do not tell each other, as sentences for the head of a report. */
import type { Message } from "../../../shared/contract/report.ts";
import type { GpuHourFacts } from "../metrics/gpu-hours-where-met.ts";
import { sumHours } from "../metrics/metric.ts";
import { resourceKey, unmatchedGpuCost, unmatchedRows } from "../metrics/unmatched-gpu-cost.ts";
import { message } from "./context.ts";
import { unbilledHosts } from "./fleet.ts";
import { refTo, type Gathered } from "./gather.ts";

/** Hosts with telemetry and no bill, and billed machines without any telemetry: how many, their GPU-hours, their money. */
export function unjoinedLines(gathered: Gathered, hours: GpuHourFacts): Message[] {
  const lines: Message[] = [];
  const hosts = unbilledHosts(gathered);
  if (hosts.length > 0) lines.push(message("context.hosts-without-bill", { count: { count: hosts.length }, hours: { number: sumHours(hosts.map(({ known }) => known)), digits: 0 } }));
  const unmatched = unmatchedRows(hours.rows);
  const cost = unmatchedGpuCost.figure(hours);
  if (unmatched.length > 0 && typeof cost.value === "bigint" && cost.value !== 0n) {
    lines.push(message("context.machines-without-log", {
      count: { count: new Set(unmatched.map(resourceKey)).size },
      hours: { number: sumHours(unmatched.map(({ gpuHours }) => gpuHours)), digits: 0 },
      cost: { figure: cost, explain: refTo(gathered, "unmatched-gpu-cost") },
    }));
  }
  return lines;
}
