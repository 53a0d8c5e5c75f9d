/** `nvidia-smi dmon`, with `-o D`, `T`, both or neither: a header behind `#`, its units behind another, columns apart by blanks. */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { Recognition } from "../format.ts";
import { quantityColumn, readQuantity, text } from "./cells.ts";
import type { Quantity, QuantityColumn } from "./cells.ts";
import type { DeviceSeries, LogFormatJob, LogReader, LogRecord, LogSink, TelemetryFormat } from "./format.ts";
import { normalizedIndex } from "./identity.ts";
import { pollTimes } from "./poll-times.ts";

export const nvidiaSmiDmon: TelemetryFormat = { id: "nvidia-smi-dmon", recognize, open };

/** dmon's own default spacing, for files that state no time. */
const defaultSpacingMs = 1000;

function recognize(sniffed: Sniffed): Recognition {
  const header = sniffed.head.split(/\r?\n/).map(headerNames).find((names) => names !== null);
  const isDmon = header !== undefined && header !== null && !header.includes("pid");
  return { formatId: nvidiaSmiDmon.id, score: isDmon ? 1 : 0, version: null, reasons: isDmon ? [{ code: "columns-present", params: { columns: header.join(", ") } }] : [], missing: [] };
}

/** `# gpu    pwr  gtemp …` or `#Date  Time  gpu …`; the units below it (`# Idx  W  C`) are none. */
function headerNames(line: string): readonly string[] | null {
  if (!line.startsWith("#")) return null;
  const names = line.slice(1).trim().toLowerCase().split(/\s+/);
  return names.includes("gpu") && /^(gpu|date|time)$/.test(names[0] ?? "") ? names : null;
}

interface Layout {
  readonly names: readonly string[];
  readonly date: number;
  readonly time: number;
  readonly gpu: number;
  /** In the order of `sampled`. */
  readonly columns: readonly { readonly at: number; readonly column: QuantityColumn }[];
}

/** `sm` is the share of time with a kernel, the same counter as utilization.gpu, not SM activity; `fb` is memory used, MB meaning MiB. */
const sampled = ["utilization", "memory-used", "power"] as const;
const sources: readonly (readonly [name: string, quantity: Quantity])[] = [["sm", "percent"], ["fb", "memory"], ["pwr", "power"]];

function layoutOf(names: readonly string[]): Layout {
  return {
    names,
    date: names.indexOf("date"),
    time: names.indexOf("time"),
    gpu: names.indexOf("gpu"),
    columns: sources.map(([name, quantity]) => ({ at: names.indexOf(name), column: quantityColumn(quantity, null, false) as QuantityColumn })),
  };
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const file = job.sniffed.name;
  let layout: Layout | null = null;
  let hasSeries = false;
  const devices = new Map<number, DeviceSeries>();
  const times = pollTimes(job, sink, defaultSpacingMs);
  const values = new Float64Array(sampled.length);
  const inPoll = new Set<number>();

  function record(record: LogRecord): LedgerError | null {
    const line = text(record.bytes, record.from, record.to);
    if (line.trim() === "") return null;
    if (line.startsWith("#")) {
      const names = headerNames(line);
      if (names === null || (!record.isTerminated && layout !== null)) return null;
      if (layout !== null) sink.repaired("repeated-header");
      layout = layoutOf(names);
      hasSeries ||= layout.columns.some(({ at }) => at >= 0);
      return null;
    }
    if (layout === null) return null;
    const cells = line.trim().split(/\s+/);
    // dmon ends each line with a blank; a last line without one may have lost the end of its last value.
    const isCut = !record.isTerminated && !/\s$/.test(line);
    if (cells.length !== layout.names.length || isCut) {
      if (!record.isTerminated) {
        sink.repaired("truncated-last-line");
        return null;
      }
      sink.rowRead();
      sink.setAside(record, "", line, "column-count");
      return null;
    }
    sink.rowRead();
    const gpuText = cells[layout.gpu] ?? "";
    const gpu = normalizedIndex(gpuText);
    if (gpu === null) {
      sink.setAside(record, "gpu", gpuText, "gpu-identity");
      return null;
    }
    layout.columns.forEach(({ at, column }, index) => {
      values[index] = at < 0 ? Number.NaN : cellQuantity(column, cells[at] ?? "");
    });
    if (layout.time < 0) {
      if (inPoll.has(gpu)) {
        inPoll.clear();
        times.nextPoll();
      }
      inPoll.add(gpu);
      times.timeless(seriesOf(gpu), values);
      return null;
    }
    const time = cells[layout.time] ?? "";
    const written = layout.date < 0 ? time : `${(cells[layout.date] ?? "").replace(/^(\d{4})(\d{2})(\d{2})$/, "$1/$2/$3")} ${time}`;
    const outcome = times.stated(written, seriesOf(gpu), values);
    if (outcome === "zone-needed") return ledgerError("import.zone-needed", { file });
    if (outcome === "hour-skipped" || outcome === "no-time") sink.setAside(record, layout.date < 0 ? "Time" : "Date", written, "local-time");
    return null;
  }

  function seriesOf(gpu: number): DeviceSeries {
    let series = devices.get(gpu);
    if (series === undefined) {
      series = sink.series({ host: job.host, uuid: null, pciBusId: null, index: gpu }, sampled, "forward");
      devices.set(gpu, series);
    }
    return series;
  }

  function cellQuantity(column: QuantityColumn, cell: string): number {
    const bytes = encoder.encode(cell);
    return readQuantity(column, bytes, 0, bytes.length, sink);
  }

  return ok({ takes: "records", record, end: times.end, hasGpuSeries: () => hasSeries, version: () => null });
}

const encoder = new TextEncoder();
