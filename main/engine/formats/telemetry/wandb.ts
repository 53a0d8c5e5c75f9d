/**
 * System metrics of Weights & Biases: the interface's CSV (`run - system/gpu.0.gpu`), the history's CSV and JSON lines. Times are those of
 * the run's clock, or seconds since it began. Field notes 7.2.
 */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { TraceMetric } from "../../store/traces.ts";
import type { Recognition } from "../format.ts";
import { readQuantityText, scaledColumn } from "./cells.ts";
import type { QuantityColumn } from "./cells.ts";
import type { BytesReader, Holds, LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { cutTrouble, isObject, jsonElements, textAt } from "./json-elements.ts";
import type { JsonPart } from "./json-elements.ts";
import { pollTimes } from "./poll-times.ts";
import { splitCells } from "./table-log.ts";
import { wideTable } from "./wide-table.ts";
import type { WideLayout, WideSeries } from "./wide-table.ts";

export const wandb: TelemetryFormat = { id: "wandb", recognize, open };

const metricColumn = /^(?:(.*) - )?system[./]gpu\.(\d{1,3})\.(gpu|memoryAllocatedBytes|powerWatts|smActive|pipeTensorActive|dramActive)$/;
const anyGpuColumn = /^(?:.* - )?system[./]gpu\.\d+\.\w+$/;
const anySystemColumn = /^(?:.* - )?system[./]\w/;
const clocks = ["_timestamp", "Wall Time"];
const runTimes = ["_runtime", "Relative Time (Process)", "Relative Time (Wall)"];

/** Shares of memory and of the power limit are left out: the amounts stand beside them. */
const meanings: Readonly<Record<string, readonly [TraceMetric, QuantityColumn, Holds]>> = {
  gpu: ["utilization", scaledColumn("percent"), "forward"],
  memoryAllocatedBytes: ["memory-used", scaledColumn("memory", 1 / 1_048_576), "forward"],
  powerWatts: ["power", scaledColumn("power"), "forward"],
  smActive: ["sm-active", scaledColumn("percent"), "backward"],
  pipeTensorActive: ["tensor-active", scaledColumn("percent"), "backward"],
  dramActive: ["dram-active", scaledColumn("percent"), "backward"],
};

function recognize({ head }: Sniffed): Recognition {
  const cells = splitCells(head.replace(/^\ufeff/, "").split(/\r?\n/, 1)[0] ?? "").map((cell) => cell.trim());
  const isTable = !/^\s*[{[]/.test(head) && cells.some((cell) => anyGpuColumn.test(cell) || anySystemColumn.test(cell)) && cells.some((cell) => [...clocks, ...runTimes, "Step"].includes(cell));
  const isRows = /^\s*[{[]/.test(head) && /"system[./]gpu\.\d+\.\w+"\s*:/.test(head) && /"_(timestamp|runtime)"\s*:/.test(head);
  const isHistory = isTable || isRows;
  return { formatId: wandb.id, score: isHistory ? 1 : 0, version: null, reasons: isHistory ? [{ code: "series-present", params: { columns: cells.find((cell) => anySystemColumn.test(cell)) ?? "system.gpu" } }] : [], missing: [] };
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const file = job.sniffed.name;
  let hasSeries = false;

  function seriesOf(host: string, index: number, kind: string): WideSeries | null {
    const [metric, column, holds] = meanings[kind] ?? [];
    if (metric === undefined || column === undefined || holds === undefined) return null;
    hasSeries = true;
    return { device: sink.series({ host, uuid: null, pciBusId: null, index }, [metric], holds), column };
  }

  function layoutOf(cells: readonly string[]): WideLayout | LedgerError | null {
    const found = cells.map((cell) => metricColumn.exec(cell));
    const runs = new Set(found.flatMap((match) => (match === null ? [] : (match[1] ?? ""))));
    // Several runs may have lain on several hosts: each has its own.
    const series = found.map((match) => (match === null ? null : seriesOf(runs.size > 1 && match[1] !== undefined ? match[1] : job.host, Number(match[2]), match[3] ?? "")));
    const clock = cells.findIndex((cell) => clocks.includes(cell));
    const time = clock >= 0 ? clock : cells.findIndex((cell) => runTimes.includes(cell));
    if (time < 0) return ledgerError("import.column-missing", { file, format: wandb.id, columns: runTimes[1] ?? "" });
    return { shape: "columns", time, timeIs: clock >= 0 ? "stamp" : "seconds", series };
  }

  function rowsReader(): BytesReader {
    const times = pollTimes(job, sink, 15_000);
    const known = new Map<string, WideSeries | null>();
    const values = new Float64Array(1);
    function take(row: JsonPart): LedgerError | null {
      sink.rowRead();
      const stamp = textAt(row, "_timestamp");
      const runtime = textAt(row, "_runtime");
      let isKept = false;
      for (const [key, value] of Object.entries(isObject(row) ? row : {})) {
        let series = known.get(key);
        if (series === undefined) {
          const match = metricColumn.exec(key);
          series = match === null ? null : seriesOf(job.host, Number(match[2]), match[3] ?? "");
          known.set(key, series);
        }
        if (series === null || typeof value !== "string") continue;
        values[0] = readQuantityText(series.column, value, sink);
        if (stamp !== null) isKept = times.stated(stamp, series.device, values) === "added" || isKept;
        else if (runtime !== null && Number(runtime) >= 0 && Number(runtime) < 1e8) {
          times.since(Number(runtime) * 1000, series.device, values);
          isKept = true;
        }
      }
      if (!isKept) sink.rowIgnored();
      return null;
    }
    const isElement = (path: readonly (string | number)[]): boolean => path.length === (/^\s*\[/.test(job.sniffed.head) ? 1 : 0);
    const elements = jsonElements(file, isElement, take);
    return {
      takes: "bytes",
      bytes: elements.bytes,
      end: () => cutTrouble(elements, file, () => sink.repaired("truncated-last-line")) ?? times.end(),
      hasGpuSeries: () => hasSeries,
      version: () => null,
    };
  }

  return ok(/^\s*[{[]/.test(job.sniffed.head) ? rowsReader() : wideTable(job, sink, { delimiter: ",", layoutOf, hasSeries: () => hasSeries }));
}
