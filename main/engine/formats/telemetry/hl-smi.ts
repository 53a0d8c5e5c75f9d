/** `hl-smi -Q … -f csv` of Gaudi accelerators: nvidia-smi's manner with names of its own. Field notes 6.4. */
import { ok } from "../../../../shared/result.ts";
import { scaledColumn } from "./cells.ts";
import type { TelemetryFormat } from "./format.ts";
import { headerCell } from "./nvidia-smi-columns.ts";
import { layoutBy, recognizeTable, tableReader } from "./table-log.ts";
import type { TableTool } from "./table-log.ts";

const tool: TableTool = {
  id: "hl-smi",
  layoutOf(cells) {
    if (!cells.some((cell) => /^\s*(utilization|temperature)\.aip\b/.test(cell))) return null;
    return layoutBy(cells, (cell) => {
      switch (headerCell(cell).name) {
        case "timestamp":
          return ["time"];
        case "uuid":
          return ["uuid"];
        case "bus.id":
        case "pci.bus.id":
          return ["pci"];
        case "index":
        case "module.id":
          return ["index"];
        case "name":
          return ["name"];
        case "utilization.aip":
          return ["utilization", scaledColumn("percent")];
        case "memory.used":
          return ["memory-used", scaledColumn("memory")];
        case "memory.total":
          return ["memory-total", scaledColumn("memory")];
        case "power.draw":
          return ["power", scaledColumn("power")];
        default:
          return null;
      }
    }, []);
  },
  everyMs: 1000,
  uuid: (cell) => (/^[0-9a-z]{4}-hl[0-9a-z]+(-[0-9a-z]+)+$/.test(cell) ? cell : null),
};

export const hlSmi: TelemetryFormat = { id: tool.id, recognize: (sniffed) => recognizeTable(tool, sniffed), open: (job, sink) => ok(tableReader(tool, job, sink)) };
