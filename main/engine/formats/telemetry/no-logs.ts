/** Files about GPUs and clusters that are neither a log nor a bill, by what gives them away: so that their refusal can say what they are. */
import type { Sniffed } from "../../import/sniff.ts";

export type NoLog = "exporter-counters" | "api-description" | "trace-summary" | "header-alone" | "prometheus-refusal" | "nvidia-smi-screen" | "nvidia-smi-list";

/** What the file is; null for what nobody knows. Asked only of files that no format claims. */
export function knownNoLog({ head, header, sampleRecords, isWhole }: Sniffed): NoLog | null {
  if (/^\s*DCGM_\w+\s*,\s*(?:gauge|counter|label|histogram)\s*,/m.test(head)) return "exporter-counters";
  if (/^\s*\{/.test(head) && /"(?:swagger|openapi)"\s*:\s*"\d/.test(head)) return "api-description";
  if (/^\s*\{/.test(head) && /"status"\s*:\s*"error"/.test(head) && /"errorType"\s*:/.test(head)) return "prometheus-refusal";
  if (/^\|\s*NVIDIA-SMI\s+\S+\s+(?:Driver Version|KMD Version)/m.test(head)) return "nvidia-smi-screen";
  if (/^GPU \d+: .+ \(UUID: GPU-[0-9a-f-]+\)/im.test(head)) return "nvidia-smi-list";
  const names = header.map((cell) => cell.trim());
  if (names.includes("gpu_job_num") && names.includes("job_num")) return "trace-summary";
  const isHeader = names.length > 2 && names.every((name) => /^[A-Za-z_][\w ./()%[\]-]*$/.test(name));
  return isWhole && sampleRecords.length === 0 && isHeader ? "header-alone" : null;
}
