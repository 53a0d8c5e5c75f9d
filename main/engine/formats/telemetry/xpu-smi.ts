/** `xpu-smi dump` of Intel GPUs: padded cells, mostly with the time of day alone. Tiles are parts of a GPU and left out. Field notes 6.3. */
import { ok } from "../../../../shared/result.ts";
import { scaledColumn } from "./cells.ts";
import type { TelemetryFormat } from "./format.ts";
import { layoutBy, recognizeTable, tableReader } from "./table-log.ts";
import type { TableTool } from "./table-log.ts";

const tool: TableTool = {
  id: "xpu-smi",
  layoutOf(cells) {
    const names = cells.map((cell) => cell.trim());
    if (names[0] !== "Timestamp" || names[1] !== "DeviceId") return null;
    return layoutBy(cells, (name) => {
      if (name === "Timestamp") return ["time"];
      if (name === "DeviceId") return ["index"];
      if (name === "GPU Utilization (%)") return ["utilization", scaledColumn("percent")];
      if (name === "GPU Power (W)") return ["power", scaledColumn("power")];
      return name === "GPU Memory Used (MiB)" ? ["memory-used", scaledColumn("memory")] : null;
    }, ["time", "index"]);
  },
  everyMs: 1000,
  isForeign(cells, { names }) {
    const tile = names.indexOf("TileId");
    return tile >= 0 && /^\d+$/.test((cells[tile] ?? "").trim()) ? "mig-utilization-unknown" : false;
  },
};

export const xpuSmi: TelemetryFormat = { id: tool.id, recognize: (sniffed) => recognizeTable(tool, sniffed), open: (job, sink) => ok(tableReader(tool, job, sink)) };
