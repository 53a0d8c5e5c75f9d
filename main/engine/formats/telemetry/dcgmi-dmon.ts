/** `dcgmi dmon`: short names behind `#Entity`, one row an entity, no time; the header comes again every screenful. */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { ok } from "../../../../shared/result.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { TraceMetric } from "../../store/traces.ts";
import type { Recognition } from "../format.ts";
import { readQuantityText, scaledColumn } from "./cells.ts";
import type { QuantityColumn } from "./cells.ts";
import type { LogFormatJob, LogReader, LogSink, TelemetryFormat } from "./format.ts";
import { normalizedIndex } from "./identity.ts";
import { deviceReadings, polledDevices } from "./polled-devices.ts";
import { setLineAside, textLines } from "./text-lines.ts";

export const dcgmiDmon: TelemetryFormat = { id: "dcgmi-dmon", recognize, open };

const defaultEveryMs = 1000;
const profiled = { metrics: ["engine-active", "sm-active", "tensor-active", "dram-active"], holds: "backward" } as const;

/** Short names of DCGM's fields (its field table), in the order of the two groups. */
const sources: readonly (readonly { readonly name: string; readonly metric: TraceMetric; readonly column: QuantityColumn }[])[] = [
  [
    { name: "GPUTL", metric: "utilization", column: scaledColumn("percent") },
    { name: "FBUSD", metric: "memory-used", column: scaledColumn("memory") },
    { name: "POWER", metric: "power", column: scaledColumn("power") },
  ],
  [
    { name: "GRACT", metric: "engine-active", column: scaledColumn("percent", 100) },
    { name: "SMACT", metric: "sm-active", column: scaledColumn("percent", 100) },
    { name: "TENSO", metric: "tensor-active", column: scaledColumn("percent", 100) },
    { name: "DRAMA", metric: "dram-active", column: scaledColumn("percent", 100) },
  ],
];

function recognize({ head }: Sniffed): Recognition {
  const header = head.split(/\r?\n/).map(headerNames).find((names) => names !== null) ?? null;
  return { formatId: dcgmiDmon.id, score: header === null ? 0 : 1, version: null, reasons: header === null ? [] : [{ code: "columns-present", params: { columns: ["Entity", ...header].join(", ") } }], missing: [] };
}

function headerNames(line: string): readonly string[] | null {
  const found = /^#\s*Entity\s+(\S.*)$/.exec(line.trim());
  return found === null ? null : (found[1] ?? "").split(/\s+/);
}

function open(job: LogFormatJob, sink: LogSink): Result<LogReader> {
  const devices = polledDevices(job, sink, { groups: [deviceReadings, profiled], everyMs: defaultEveryMs });
  let names: readonly string[] | null = null;
  let hasSeries = false;

  function line(text: string, number: number, isTerminated: boolean): LedgerError | null {
    const header = headerNames(text);
    if (header !== null) {
      if (!isTerminated) return null;
      if (names !== null) sink.repaired("repeated-header");
      names = header;
      hasSeries ||= sources.flat().some(({ name }) => header.includes(name));
      return null;
    }
    const row = /^\s*(GPU|GPU-I|GPU-CI|Switch|Link|CPU|Core)\s+(\d{1,3}|\S+)\s+(\S.*?)\s*$/.exec(text);
    if (row === null) devices.timeLine(text);
    if (row === null || names === null) return null;
    if (!isTerminated) {
      sink.repaired("truncated-last-line");
      return null;
    }
    const [, entity, id = "", rest = ""] = row;
    const cells = rest.split(/\s+/);
    if (entity !== "GPU") {
      sink.rowRead();
      sink.rowIgnored();
      // An instance's share is of the instance, not of its card.
      if (entity === "GPU-I" || entity === "GPU-CI") sink.repaired("mig-utilization-unknown");
      return null;
    }
    const index = normalizedIndex(id);
    if (cells.length !== names.length || index === null) {
      sink.rowRead();
      setLineAside(sink, text, number, { column: "Entity", value: `${entity} ${id}` }, cells.length === names.length ? "gpu-identity" : "column-count");
      return null;
    }
    const values = sources.map((group) => {
      const at = group.map(({ name }) => names?.indexOf(name) ?? -1);
      if (at.every((each) => each < 0)) return null;
      return Float64Array.from(group, ({ column }, index) => ((at[index] as number) < 0 ? Number.NaN : readQuantityText(column, cells[at[index] as number] ?? "", sink)));
    });
    return devices.take({ time: null, host: null, uuid: null, pciBusId: null, index, values }, text, number);
  }

  const lines = textLines(sink, line);
  return ok({ takes: "bytes", bytes: lines.bytes, end: () => lines.end() ?? devices.end(), hasGpuSeries: () => hasSeries, version: () => null });
}
