/** Tables with a column of times and a column for each series of a device, as dashboards and trackers export them. */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { readQuantityText } from "./cells.ts";
import type { QuantityColumn } from "./cells.ts";
import type { BytesReader, DeviceSeries, LogFormatJob, LogSink } from "./format.ts";
import { pollTimes } from "./poll-times.ts";
import { splitCells } from "./table-log.ts";
import { setLineAside, textLines } from "./text-lines.ts";

export interface WideSeries {
  readonly device: DeviceSeries;
  readonly column: QuantityColumn;
  /** Where the column alone does not say what a bare number is. */
  readonly read?: (cell: string) => number;
}

export type WideLayout =
  /** A column a series; null for what is not kept. `timeIs`: a stamp, or seconds since the run began. */
  | { readonly shape: "columns"; readonly time: number; readonly timeIs: "stamp" | "seconds"; readonly series: readonly (WideSeries | null)[] }
  /** A row a value, the series named in a cell. */
  | { readonly shape: "rows"; readonly time: number; readonly name: number; readonly value: number; readonly seriesOf: (name: string) => WideSeries | null | LedgerError }
  /** A row for the values of one device, which cells of its own name; the series in the order of `values`, asked once for each naming. */
  | { readonly shape: "labeled"; readonly time: number; readonly labels: readonly number[]; readonly values: readonly number[]; readonly seriesOf: (labels: readonly string[]) => readonly (WideSeries | null)[] };

/** `layoutOf`: the header's cells to a layout, or why it cannot be read, or null for a line before it. */
export function wideTable(job: LogFormatJob, sink: LogSink, { delimiter, layoutOf, hasSeries }: { readonly delimiter: string; readonly layoutOf: (cells: readonly string[]) => WideLayout | LedgerError | null; readonly hasSeries: () => boolean }): BytesReader {
  const times = pollTimes(job, sink, 1000);
  const values = new Float64Array(1);
  let layout: WideLayout | null = null;
  let width = 0;
  const named = new Map<string, WideSeries | null>();
  const labeled = new Map<string, readonly (WideSeries | null)[]>();

  function line(text: string, number: number, isTerminated: boolean): LedgerError | null {
    if (text.trim() === "" || /^\ufeff?sep=/i.test(text)) return null;
    const cells = splitCells(text, delimiter).map((cell) => cell.trim());
    if (layout === null) {
      const found = layoutOf(cells);
      if (found !== null && "code" in found) return found;
      layout = found;
      width = cells.length;
      return null;
    }
    if (!isTerminated) {
      sink.repaired("truncated-last-line");
      return null;
    }
    sink.rowRead();
    if (cells.length !== width) {
      setLineAside(sink, text, number, { column: "", value: text }, "column-count");
      return null;
    }
    const time = cells[layout.time] ?? "";
    if (layout.shape === "rows") return takeRow(layout, cells, time, text, number);
    if (layout.shape === "columns") return takeColumns(layout, cells, time, text, number);
    const naming = layout.labels.map((at) => cells[at] ?? "");
    const key = naming.join("\u0000");
    let each = labeled.get(key);
    if (each === undefined) labeled.set(key, (each = layout.seriesOf(naming)));
    const series: (WideSeries | null)[] = [];
    layout.values.forEach((at, index) => (series[at] = each[index] ?? null));
    return takeColumns({ shape: "columns", time: layout.time, timeIs: "stamp", series }, cells, time, text, number);
  }

  function takeColumns({ series, timeIs }: WideLayout & { readonly shape: "columns" }, cells: readonly string[], time: string, text: string, number: number): LedgerError | null {
    let isKept = false;
    for (let at = 0; at < cells.length; at++) {
      const each = series[at] ?? null;
      const cell = cells[at] ?? "";
      // An empty cell is no sample: series of different times share one column of times.
      if (each === null || cell === "") continue;
      isKept = true;
      const outcome = sample(each, time, timeIs, cell);
      if (outcome === "aside") {
        setLineAside(sink, text, number, { column: "Time", value: time }, "local-time");
        return null;
      }
      if (outcome !== null) return outcome;
    }
    if (!isKept) sink.rowIgnored();
    return null;
  }

  function takeRow({ name, value, seriesOf }: WideLayout & { readonly shape: "rows" }, cells: readonly string[], time: string, text: string, number: number): LedgerError | null {
    const key = cells[name] ?? "";
    let series = named.get(key);
    if (series === undefined) {
      const found = seriesOf(key);
      if (found !== null && "code" in found) return found;
      series = found;
      named.set(key, series);
    }
    const cell = cells[value] ?? "";
    if (series === null || cell === "") {
      sink.rowIgnored();
      return null;
    }
    const outcome = sample(series, time, "stamp", cell);
    if (outcome !== "aside") return outcome;
    setLineAside(sink, text, number, { column: "Time", value: time }, "local-time");
    return null;
  }

  function sample({ device, column, read }: WideSeries, time: string, timeIs: "stamp" | "seconds", cell: string): LedgerError | "aside" | null {
    const seconds = timeIs === "seconds" ? Number(time) : Number.NaN;
    if (timeIs === "seconds" && !(time !== "" && seconds >= 0 && seconds < 1e8)) return "aside";
    values[0] = read === undefined ? readQuantityText(column, cell, sink) : read(cell);
    if (timeIs === "seconds") {
      times.since(seconds * 1000, device, values);
      return null;
    }
    const outcome = times.stated(time, device, values);
    if (outcome === "zone-needed") return ledgerError("import.zone-needed", { file: job.sniffed.name });
    return outcome === "no-time" || outcome === "hour-skipped" ? "aside" : null;
  }

  const lines = textLines(sink, line);
  return { takes: "bytes", bytes: lines.bytes, end: () => lines.end() ?? times.end(), hasGpuSeries: hasSeries, version: () => null };
}
