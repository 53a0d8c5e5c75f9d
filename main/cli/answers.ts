import { relative } from "node:path";
import { placeOf } from "../engine/import/scan/archive.ts";
import type { BatchSummary, FileReport, MoneyTotals, TotalsTable } from "../../shared/contract/methods.ts";
import { moneyColumns } from "../../shared/domain/charge.ts";
import type { Words } from "../../shared/i18n/format.ts";
import type { CommandLine } from "./arguments.ts";
import type { CliStreams } from "./index.ts";
import { sentences } from "../../shared/contract/words.ts";

const SHOWN_SET_ASIDE = 5;

/** Prints what became of each file and returns the exit code: 1 when a path that was named gave nothing. */
export function importReport(line: CommandLine, files: readonly FileReport[], words: Words, streams: CliStreams, named: readonly string[]): number {
  for (const file of files) if (file.error !== null) streams.err(`${file.error.code}: ${sentences(Object.values(words.error(file.error)), words.language)}\n`);
  if (line.flags.has("json")) {
    streams.out(`${JSON.stringify({ files: files.map((file) => jsonFile(file, words)) }, null, 2)}\n`);
  } else {
    streams.out(`${files.flatMap((file) => fileLines(file, words)).join("\n")}\n`);
  }
  const gaveSomething = (path: string): boolean => files.some((file) => file.state !== "refused" && (file.path === path || placeOf(file.path).file === path || isInside(path, file.path)));
  return named.every(gaveSomething) ? 0 : 1;
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..");
}

/** One file of `import --json`, in the order and with the names of the terminal's contract. */
function jsonFile(file: FileReport, words: Words): unknown {
  const { path, kind, format, version, error, rowsRead, rowsPosted, rowsSetAside, setAside, repairs, periods, totals, corrections, devices, coverage, batch } = file;
  return {
    path,
    kind,
    format,
    version,
    state: file.state === "no-gpu-series" || file.state === "manifest" || file.state === "older" ? "unchanged" : file.state,
    error: error === null ? null : { ...error, ...words.error(error) },
    rowsRead,
    rowsPosted,
    rowsSetAside,
    setAside: setAside.map(({ line, column, value, reason }) => ({ line, column, value, reason })),
    repairs,
    periods,
    totals,
    corrections,
    devices,
    coverage,
    batch,
  };
}

function fileLines(file: FileReport, words: Words): string[] {
  const name = file.path;
  const format = file.format === null ? words.say("terminal.unknown") : [file.format, file.version].filter((part) => part !== null).join(" ");
  if (file.state === "refused" && file.error !== null) return [words.say("terminal.refused", { file: name, ...words.error(file.error) })];
  if (file.state === "unchanged") return [file.batch === null && file.sameAs !== null ? words.say("terminal.same-as", { file: name, other: file.sameAs }) : words.say("terminal.unchanged", { file: name })];
  if (file.state === "manifest") return [words.say("terminal.manifest", { file: name })];
  if (file.state === "older") return [words.say("terminal.older", { file: name })];
  if (file.state === "no-gpu-series") return [words.say("terminal.no-gpu-series", { file: name, format })];
  if (file.rowsRead === 0) return [words.say("terminal.no-rows", { file: name, format })];
  const counts = { file: name, format, rows: words.count(file.rowsRead), posted: words.count(file.rowsPosted), aside: words.count(file.rowsSetAside) };
  const lines = [words.say(file.state === "ready" ? "terminal.ready" : "terminal.posted", file.state === "ready" ? { ...counts, rows: counts.posted } : counts)];
  if (file.sameAs !== null) lines.push(words.say("terminal.same-bytes", { other: file.sameAs }));
  for (const [currency, totals] of Object.entries(file.totals)) lines.push(words.say("terminal.total", { currency, ...costs(totals, words) }));
  for (const [currency, totals] of Object.entries(file.corrections)) lines.push(words.say("terminal.correction", { currency, ...costs(totals, words) }));
  if (file.kind === "telemetry" && file.devices > 0) {
    lines.push(words.say("terminal.devices", { devices: words.count(file.devices), coverage: file.coverage === null ? words.say("terminal.unknown") : words.ratio(file.coverage) }));
  }
  for (const row of file.setAside.slice(0, SHOWN_SET_ASIDE)) {
    lines.push(words.say("terminal.set-aside", { line: String(row.line), column: row.column, value: row.value, reason: words.say(`expected.${row.reason}`) }));
  }
  if (file.rowsSetAside > SHOWN_SET_ASIDE) lines.push(words.say("terminal.set-aside-more", { count: file.rowsSetAside - SHOWN_SET_ASIDE }));
  for (const [repair, number] of Object.entries(file.repairs)) lines.push(words.say("terminal.repair", { repair: words.say(`imports.repair.${repair}`), number: words.count(number) }));
  return lines;
}

function costs(totals: MoneyTotals, words: Words): Record<string, string> {
  const unknown = words.say("terminal.unknown");
  return { billed: totals.BilledCost ?? unknown, effective: totals.EffectiveCost ?? unknown, contracted: totals.ContractedCost ?? unknown, list: totals.ListCost ?? unknown };
}

/** Exact totals as tab-separated lines, so that they can be cut and pasted; beside each the share of the rows that state it. */
export function totalsText(table: TotalsTable, words: Words): string {
  const [first] = table.rows;
  if (first === undefined) return `${words.say("terminal.no-totals")}\n`;
  const dimensions = (["month", "provider", "service", "team"] as const).filter((name) => first[name] !== undefined);
  const unknown = words.say("terminal.unknown");
  const head = [...dimensions.map((name) => words.say(`terminal.${name}`)), words.say("terminal.currency"), words.say("terminal.rows"), ...moneyColumns.flatMap((column) => [column, words.say("terminal.rows-stating")])];
  const rows = table.rows.map((row) => [
    ...dimensions.map((name) => row[name] ?? "—"),
    row.currency,
    String(row.rows),
    ...moneyColumns.flatMap((column) => [row[column] ?? unknown, shareOfRows(row.coverage[column], words)]),
  ]);
  return `${[head, ...rows].map((cells) => cells.join("\t")).join("\n")}\n`;
}

/** What is nearly all is never shown as all. */
function shareOfRows(share: number, words: Words): string {
  return share === 1 ? words.ratio(1) : words.ratio(Math.floor(share * 1000) / 1000, { digits: 1 });
}

export function batchesText(batches: readonly BatchSummary[], words: Words): string {
  if (batches.length === 0) return `${words.say("terminal.no-batches")}\n`;
  const lines = batches.map(({ batch, importedAt, state, format, version, rowsPosted, files }) =>
    words.say("terminal.batch", {
      batch: String(batch),
      when: words.instant(importedAt, "minute"),
      state: words.say(`terminal.batch-${state}`),
      format: [format, version].filter((part) => part !== null).join(" "),
      rows: words.count(rowsPosted),
      files: files.join(", "),
    }),
  );
  return `${lines.join("\n")}\n`;
}
