import { stringify } from "csv-stringify/sync";
import writeWorkbook from "write-excel-file/node";
import type { Row as SheetRow } from "write-excel-file/node";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { jobFigure, jobFigureIds, mostJobLines, type JobFigureId, type JobLine } from "../../../shared/contract/jobs.ts";
import { roundedAlone } from "../../../shared/contract/table.ts";
import { dash, type Words } from "../../../shared/contract/words.ts";
import { minorDigits } from "../../../shared/domain/currency.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { harmless } from "../print/csv.ts";
import { jobsPage, type JobsAsked, type LinesAsked } from "./table.ts";

/** More rows than a person can use in a workbook; a CSV takes any number. */
const MOST_IN_A_WORKBOOK = 200_000;

/**
 * All lines with their total, as a file. Hours and amounts are exact in CSV; in a workbook amounts are numbers rounded as the screen shows them, and
 * stand as exact decimals in text in its last columns. What is not known is empty in CSV and a dash in a workbook.
 * errors  pivot.too-many-rows
 */
export async function jobsSheet(question: JobsAsked, asked: Omit<LinesAsked, "offset" | "limit">, as: "csv" | "xlsx", words: Words): Promise<Result<string | Uint8Array>> {
  const first = await jobsPage(question, { ...asked, offset: 0, limit: 0 });
  const { count, currency, total, by } = first;
  if (as === "xlsx" && count > MOST_IN_A_WORKBOOK) return err(ledgerError("pivot.too-many-rows", { rows: count, most: MOST_IN_A_WORKBOOK }));
  const facts = by === "job" ? jobFacts : groupFacts;
  const figures = jobFigureIds.map((id) => ({ id, head: headOf(id, currency, words) }));
  const shares = ["telemetryCoverage", "costCoverage"] as const;
  const head = [words.say(`jobs.by.${by}`), ...facts.map(({ key }) => words.say(key)), ...figures.map((figure) => figure.head), ...shares.map((name) => words.say(`jobs.${name}`))];
  const lines = async function* (): AsyncGenerator<JobLine> {
    for (let offset = 0; offset < count; offset += mostJobLines) yield* (await jobsPage(question, { ...asked, offset, limit: mostJobLines })).lines;
  };
  const texts = (line: JobLine, key: string): string[] => [key, ...facts.map(({ of }) => of(line) ?? "")].map(harmless);
  if (as === "csv") {
    const pieces = [stringify([head], { record_delimiter: "\r\n" })];
    const cells = (line: JobLine, key: string): string[] => [...texts(line, key), ...figures.map(({ id }) => exactText(line, id, currency)), ...shares.map((name) => String(line[name]))];
    for await (const line of lines()) pieces.push(stringify([cells(line, line.key ?? "")], { record_delimiter: "\r\n" }));
    pieces.push(stringify([cells(total, words.say("print.total"))], { record_delimiter: "\r\n" }));
    return ok(pieces.join(""));
  }
  const amounts = figures.filter(({ id }) => isAmount(id));
  const heads = [...head, ...amounts.map((figure) => words.say("print.exact-of", { column: figure.head }))];
  const cells = (line: JobLine, key: string): SheetRow => [
    ...texts(line, key).map((value) => ({ value, type: String })),
    ...figures.map(({ id }) => cellOf(line, id, currency)),
    ...shares.map((name) => ({ value: line[name], type: Number, format: "0.0%" })),
    ...amounts.map(({ id }) => ({ value: exactText(line, id, currency), type: String, align: "right" as const })),
  ];
  const rows: SheetRow[] = [heads.map((value, index) => ({ value, fontWeight: "bold", ...(index > facts.length ? { align: "right" as const } : {}) }))];
  for await (const line of lines()) rows.push(cells(line, line.key ?? ""));
  rows.push([...cells(total, words.say("print.total"))].map((cell) => (typeof cell === "object" && cell !== null && "value" in cell ? { ...cell, fontWeight: "bold" as const } : cell)));
  const workbook: Buffer = await writeWorkbook([{ sheet: words.say("jobs.title"), data: rows, columns: heads.map((_, index) => ({ width: index > head.length ? 30 : 20 })) }]).toBuffer();
  return ok(new Uint8Array(workbook));
}

interface Fact {
  readonly key: string;
  readonly of: (line: JobLine) => string | null;
}
const groupFacts: readonly Fact[] = [{ key: "jobs.count", of: ({ jobs }) => String(jobs) }];
const jobFacts: readonly Fact[] = [
  { key: "jobs.name", of: ({ name }) => name },
  { key: "jobs.by.team", of: ({ team }) => team },
  { key: "jobs.by.user", of: ({ user }) => user },
  { key: "jobs.by.partition", of: ({ partition }) => partition },
  { key: "jobs.state", of: ({ state }) => state },
  { key: "jobs.hosts", of: ({ hosts, hostCount }) => (hostCount > hosts.length ? `${hosts.join(" ")} …${hostCount}` : hosts.join(" ")) },
  { key: "column.gpus", of: ({ gpus }) => (gpus === null ? null : String(gpus)) },
  { key: "jobs.start", of: ({ startSecond }) => instantOf(startSecond) },
  { key: "jobs.end", of: ({ endSecond }) => instantOf(endSecond) },
];

function instantOf(second: number | null): string | null {
  return second === null ? null : new Date(second * 1000).toISOString().replace(".000Z", "Z");
}

function isAmount(id: JobFigureId): boolean {
  return id.startsWith("cost") || id === "idleCost" || id === "usefulGpuHourCost";
}

function headOf(id: JobFigureId, currency: string | null, words: Words): string {
  const way = id.includes(".") ? { way: words.say(`jobs.way.${id.slice(id.indexOf(".") + 1)}`) } : undefined;
  const name = way === undefined ? words.say(`jobs.figure.${id}`) : words.say(id.startsWith("hours") ? "jobs.figure.hours" : "jobs.figure.way-cost", way);
  return isAmount(id) && currency !== null ? `${name} ${currency}` : name;
}

function exactText(line: JobLine, id: JobFigureId, currency: string | null): string {
  const { value } = jobFigure(line, id, currency);
  return value === null ? "" : typeof value === "bigint" ? formatAttos(value) : String(value);
}

function cellOf(line: JobLine, id: JobFigureId, currency: string | null): { value: number; type: typeof Number; format: string } | { value: string; type: typeof String; align: "right" } {
  const { value } = jobFigure(line, id, currency);
  if (value === null) return { value: dash, type: String, align: "right" };
  if (typeof value === "number") return { value, type: Number, format: id === "utilization" ? "0.0%" : "#,##0.00" };
  const digits = minorDigits(currency ?? "");
  return { value: Number(formatAttos(roundedAlone(value, currency ?? ""))), type: Number, format: `#,##0${digits === 0 ? "" : `.${"0".repeat(digits)}`}` };
}
