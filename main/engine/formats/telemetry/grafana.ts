/**
 * Tables that Grafana's panels export: a column of times and a column for each legend, or a row for each value; of a table panel, a column
 * for each label beside those of values. A legend is a label set, perhaps with its metric before it, or free text that numbers a GPU; the
 * person may name the metric for all of them. Field notes 4.7.
 */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import type { ReadOptions } from "../../../../shared/contract/methods.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import { readQuantityText } from "./cells.ts";
import { exporterLog, isOfGpu } from "./exporter-series.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { exportedMetric, givenMetric } from "./metric-names.ts";
import { labelsOfText } from "./prometheus-text.ts";
import { splitCells } from "./table-log.ts";
import { wideTable } from "./wide-table.ts";
import type { WideLayout, WideSeries } from "./wide-table.ts";

export const grafana: TelemetryFormat = { id: "grafana", recognize, open };

function recognize({ head, delimiter }: Sniffed, options: ReadOptions): Recognition {
  const { cells, hasSeparatorLine } = headerOf(head, delimiter);
  const legends = cells.slice(1);
  const isLong = cells.length === 3 && cells[0] === "Series" && cells[1] === "Time" && cells[2] === "Value";
  // Google's console writes a column of times as well, with its metrics' full names.
  const isWide = cells[0] === "Time" && legends.length > 0 && !legends.some((legend) => /\b(?:googleapis\.com|kubernetes\.io)\//.test(legend));
  const isTable = isWide && tableColumns(cells) !== null;
  const speaks = isTable || legends.some((legend) => /^[\w:]*\{.*\}$/.test(legend) || legendMetric(legend) !== null || /\bgpu[\s_#:-]*\d{1,3}\b/i.test(legend));
  const score = isLong || (isWide && (speaks || hasSeparatorLine)) ? 1 : isWide && (options.columns !== undefined || /^"/.test(head.trimStart())) ? 0.6 : 0;
  return { formatId: grafana.id, score, version: null, reasons: score === 0 ? [] : [{ code: "columns-present", params: { columns: cells.slice(0, 3).join(", ") } }], missing: [] };
}

function headerOf(head: string, delimiter: string): { readonly cells: readonly string[]; readonly hasSeparatorLine: boolean } {
  const lines = head.replace(/^\ufeff/, "").split(/\r?\n/);
  const hasSeparatorLine = /^sep=.$/i.test(lines[0] ?? "");
  return { cells: splitCells(lines[hasSeparatorLine ? 1 : 0] ?? "", delimiter).map((cell) => cell.trim()), hasSeparatorLine };
}

/** Labels of exporters that name a device; a table panel has them as columns. */
const deviceLabels = /^(?:exported_)?(?:uuid|gpu|gpu_uuid|index|minor_number|accelerator_id|pci_bus_id)$/i;

/** Which columns of a table panel are labels and which values: `Value`, `Value #A`, or a metric's name. Null where it is none. */
function tableColumns(cells: readonly string[]): { readonly labels: readonly number[]; readonly values: readonly number[] } | null {
  const places = cells.map((_, at) => at).slice(1);
  const values = places.filter((at) => /^Value(?: #[A-Z]+)?$/.test(cells[at] ?? "") || exportedMetric(cells[at] ?? "") !== null);
  const labels = places.filter((at) => !values.includes(at) && /^[a-zA-Z_]\w*$/.test(cells[at] ?? ""));
  return values.length > 0 && labels.some((at) => deviceLabels.test(cells[at] ?? "")) ? { labels, values } : null;
}

/** The exporters' name that a legend holds as a word of its own. */
function legendMetric(legend: string): string | null {
  return legend.split(/[^\w:]+/).find((word) => exportedMetric(word) !== null) ?? null;
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const { sniffed, options } = job;
  const log = exporterLog(job, sink);
  const given = givenMetric(options);

  function seriesOf(legend: string): WideSeries | null | LedgerError {
    const labelSet = /^([\w:]*)\{(.*)\}$/.exec(legend);
    const labels = labelSet === null ? textLabels(legend) : labelsOfText(labelSet[2] ?? "");
    if (labels === null) return null;
    const name = labelSet?.[1] || labels.get("__name__") || legendMetric(legend) || given;
    // Values of a GPU of which nothing says what they are: the person must.
    if (name === null || name === "") return isOfGpu(labels) ? ledgerError("import.metric-needed", { file: sniffed.name }) : null;
    return seriesBy(name, labels);
  }

  function seriesBy(name: string, labels: ReadonlyMap<string, string>): WideSeries | null {
    const series = log.seriesOf(name, labels);
    if (series === null || /^(memory-total|memory-part|mig-mode|description)$/.test(series.exported.metric)) return null;
    const { device, column, exported } = series;
    if (exported.scale !== "by-version") return { device, column };
    // A panel that formats its values says the unit; a bare number is scaled as the exporter's own.
    return { device, column, read: (cell) => (cell.includes("%") ? readQuantityText(column, cell, sink) : (log.value(series, 0, cell) ?? Number.NaN)) };
  }

  /** Of a table panel; a column that only says `Value` is what the label `__name__` or the person says. */
  function tableLayout(cells: readonly string[], { labels, values }: NonNullable<ReturnType<typeof tableColumns>>): WideLayout | LedgerError {
    const isNameless = values.some((at) => exportedMetric(cells[at] ?? "") === null) && !labels.some((at) => cells[at] === "__name__");
    if (isNameless && given === null) return ledgerError("import.metric-needed", { file: sniffed.name });
    return {
      shape: "labeled",
      time: 0,
      labels,
      values,
      seriesOf(naming) {
        const stated = new Map(labels.map((at, index) => [(cells[at] ?? "").toLowerCase(), naming[index] ?? ""]));
        return values.map((at) => {
          const name = exportedMetric(cells[at] ?? "") === null ? stated.get("__name__") || given : (cells[at] ?? "");
          return name === null ? null : seriesBy(name, stated);
        });
      },
    };
  }

  function layoutOf(cells: readonly string[]): WideLayout | LedgerError | null {
    if (cells[0] === "Series") return { shape: "rows", name: 0, time: 1, value: 2, seriesOf };
    const table = tableColumns(cells);
    if (table !== null) return tableLayout(cells, table);
    const again = cells.slice(1).find((legend, at) => legend !== "" && cells.indexOf(legend, at + 2) > 0);
    const series: (WideSeries | null)[] = [null];
    for (const legend of cells.slice(1)) {
      const each = seriesOf(legend);
      if (each !== null && "code" in each) return each;
      // Two columns of one name are two GPUs that nothing tells apart.
      if (each !== null && legend === again) return ledgerError("import.column-missing", { file: sniffed.name, format: grafana.id, columns: "Hostname, gpu" });
      series.push(each);
    }
    return { shape: "columns", time: 0, timeIs: "stamp", series };
  }

  return ok(wideTable(job, sink, { delimiter: sniffed.delimiter, layoutOf, hasSeries: log.hasSeries }));
}

/** `node3 GPU 0`: what stands before the GPU's number is its host. */
function textLabels(legend: string): Map<string, string> {
  const metric = legendMetric(legend);
  const rest = metric === null ? legend : legend.replace(metric, " ");
  const found = /^(.*?)[\s_\-/:.,]*\bgpu[\s_#:-]*(\d{1,3})\b/i.exec(rest);
  const labels = new Map<string, string>();
  if (found === null) return labels;
  const host = (found[1] ?? "").trim();
  if (/^[\w.-]+$/.test(host)) labels.set("hostname", host);
  labels.set("gpu", found[2] ?? "");
  return labels;
}
