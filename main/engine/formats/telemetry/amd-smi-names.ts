/** What amd-smi calls what it measures, in every one of its outputs. */
import { scaledColumn } from "./cells.ts";
import type { QuantityColumn } from "./cells.ts";
import type { TableRole } from "./table-log.ts";

const mebibytes = scaledColumn("memory");
const watts = scaledColumn("power");
const percent = scaledColumn("percent");

/** Names of monitor, of metric and of older versions, in CSV and JSON alike. `mem` is a share of time or a temperature and never read. */
export function amdRole(name: string): readonly [TableRole, QuantityColumn?] | null {
  switch (name.toLowerCase()) {
    case "timestamp":
      return ["time"];
    case "hostname":
      return ["host"];
    case "uuid":
    case "gpu_uuid":
      return ["uuid"];
    case "bdf":
    case "gpu_bdf":
      return ["pci"];
    case "gpu":
      return ["index"];
    case "xcp":
      return ["partition"];
    case "market_name":
      return ["name"];
    case "gfx":
    case "gfx%":
    case "gfx_util":
    case "gfx_activity":
    case "gfx_usage":
      return ["utilization", percent];
    case "vram_used":
    case "used_vram":
    case "fb_used":
      return ["memory-used", mebibytes];
    case "vram_total":
    case "total_vram":
    case "fb_total":
      return ["memory-total", mebibytes];
    case "power":
    case "power_usage":
    case "socket_power":
    case "average_socket_power":
      return ["power", watts];
    default:
      return null;
  }
}

export function amdUuid(cell: string): string | null {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(cell) && !/^[0-]+$/.test(cell) ? cell : null;
}

export function isProcessTable(names: readonly string[]): boolean {
  return names.includes("gpu") && names.includes("pid") && names.includes("name");
}

