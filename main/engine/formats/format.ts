import type { Expected } from "../../../shared/contract/errors.ts";
import type { DatasetKind, MoneyColumn, Series } from "../../../shared/domain/charge.ts";
import type { GpuChargeEvidence, GpuRecognition } from "../reference/charge.ts";

/**
 * A billing format is a table: its tell-tale columns and, for every column of a charge that the ledger stores, where the value comes from.
 * The scanner compiles it (import/fold.ts): dimension cells run once a new series, money cells are sums and differences of columns chosen
 * once a series, so no function of a format runs for every row.
 */
export interface BillingFormat {
  readonly id: string;
  /** Columns that give the format away, each with the names it may go by; compared after `canonicalName`. */
  readonly telltale: readonly (readonly string[])[];
  /** What a bill of this format cannot do without, each with the names it may go by; a file without them is refused, naming them. */
  readonly required: readonly (readonly string[])[];
  /** Other datasets of the same family, by a column that only they have: named when such a file is refused. */
  readonly relatives: readonly { readonly name: string; readonly column: string }[];
  /** The version that the columns speak of, or null where the format has none. */
  readonly version: (columns: ReadonlySet<string>) => string | null;
  readonly datasetKind: (columns: ReadonlySet<string>, facts: SurveyFacts) => DatasetKind;
  /** Where the rows of one file belong to several datasets, which compete with others of their kind: which ones it speaks for, and the one of a row. */
  readonly datasets?: { readonly kinds: (facts: SurveyFacts) => readonly DatasetKind[]; readonly ofRow: DimensionCell<DatasetKind> };
  /** What a delivery covers: all of its billing account and period, or the accounts and days it holds. */
  readonly covers: "account-and-period" | "what-it-holds";
  /**
   * Of reports that come many a day, each with rows of its own: the number in a file's name. Deliveries compete only with those of the same
   * number, and those of files without one among each other.
   */
  readonly reportNumber?: (fileName: string) => string | null;
  /** What a row's cost is the product of, where the source says so: held against each other when the person asks (quality/prices.ts). */
  readonly unitPrices?: readonly UnitPriceRule[];
  /** Words that mean nothing was stated, besides an empty cell. */
  readonly nullTexts: readonly string[];
  /**
   * Of them, those that may stand where the amount of the bill should: what programs write, without it. Another one there is a number that
   * cannot be read, and its row is set aside (billing.md, trap 5).
   */
  readonly nullAmounts?: readonly string[];
  /** The name that a header cell stands for, before names are compared; as it stands where the format has no such rule. */
  readonly headerName?: (name: string) => string;
  /** What no single row tells, looked for over the whole file before its rows are folded. */
  readonly survey?: FileSurvey;
  /** The month, since year 0, in which an instant is billed, where rows do not say their billing period; the UTC month without it. */
  readonly monthOf?: (seconds: number) => number;
  /** The zone of times that state none; UTC without it. */
  readonly zone?: FormatZone;
  readonly charge: ChargeTable;
}

/** Columns of a cost, its unit price and its quantity, each with the names it may go by. */
export interface UnitPriceRule {
  readonly cost: readonly string[];
  readonly unitPrice: readonly string[];
  readonly quantity: readonly string[];
}

/** A zone without summer time, and the repair that counts the rows whose times were read in it; null where the person said so. */
export interface FormatZone {
  readonly secondsEast: number;
  readonly repair: string | null;
}

/**
 * A look at some columns of every row, before the fold: what it finds out is asked for by `row.fact(name)`, kept with the file, and one
 * speaks to the fold itself: `dateOrder`. (The reader adds two, `missingLastCells` and `records`.)
 */
export interface FileSurvey {
  /** Columns it looks at, each with the names it may go by. */
  readonly columns: readonly (readonly string[])[];
  readonly begin: (columns: ReadonlySet<string>) => SurveyInProgress;
}

export interface SurveyInProgress {
  /** The texts of the survey's columns, null where nothing is stated. false: nothing more to find out, the scan may end. */
  row(texts: readonly (string | null)[]): boolean;
  finish(): SurveyFinding;
}

/** What the survey found out; what was assumed for want of proof, as a repair of every row; or why the file cannot be read. */
export type SurveyFinding =
  | { readonly facts: SurveyFacts; readonly assumed: readonly string[] }
  | { readonly trouble: "dates-ambiguous"; readonly column: string; readonly value: string }
  | { readonly trouble: "datasets-mixed"; readonly datasets: string };

export type SurveyFacts = Readonly<Record<string, string | undefined>> & {
  /** `json`: the rows were objects, so that a row of one cell was none. */
  readonly records?: string;
  /** Cells that every row of the file has fewer than its header: the last columns state nothing. */
  readonly missingLastCells?: string;
  readonly dateOrder?: DateOrder;
};

/** How `03/04/2026` is to be read. Dates that begin with the year are always taken. */
export type DateOrder = "month-first" | "day-first";

/** Worked out by the fold itself: what a rule of ours adds, and the length of a charge longer than a day. */
type FoldedColumn = "x_Correction" | "x_PeriodSeconds";

export type ChargeTable = {
  readonly [K in Exclude<keyof Series, FoldedColumn>]: DimensionCell<Series[K]>;
} & {
  readonly [K in MoneyColumn]: MoneyCell;
} & {
  readonly ConsumedQuantity: QuantityCell;
  readonly PricingQuantity: QuantityCell;
  readonly ChargePeriodStart: TimeCell;
  readonly ChargePeriodEnd: TimeCell;
  readonly BillingPeriodStart: TimeCell;
  readonly BillingPeriodEnd: TimeCell;
  /** GPU-hours that one unit of a quantity buys; null where the charge buys none or the count is not known. */
  readonly GpuHours: DimensionCell<GpuHoursRule | null>;
  /** Rules of ours that mend a charge by a cell beside it; null for none. */
  readonly correction: DimensionCell<CorrectionName | null>;
  /** What may give away a GPU; cells that want the answer call `row.gpu()`. */
  readonly gpu: DimensionCell<GpuChargeEvidence | null>;
};

export type CorrectionName = "purchase-effective-cost";

export interface GpuHoursRule {
  readonly quantity: "ConsumedQuantity" | "PricingQuantity";
  readonly hoursAUnit: number;
}

/** Once a new series: from the texts of its columns to a value, or to the trouble that sets its rows aside. */
export interface DimensionCell<T> {
  /** Names of source columns; those absent from the file read as null. A name ending in `*` stands for every column that begins so. */
  readonly columns: readonly string[];
  readonly read: (row: DimensionRow) => T | CellTrouble;
}

/** The dimensions of a series as the file states them. */
export interface DimensionRow {
  /** The text of the first of these columns that states anything; null where none does. */
  text(...columns: string[]): string | null;
  /** Whether the file has the column at all. */
  has(column: string): boolean;
  /** Columns that begin so, under their names as the file spells them, with what they state. */
  startingWith(prefix: string): readonly { readonly name: string; readonly value: string }[];
  /** What the recognition made of the table's `gpu` cell. */
  gpu(): GpuRecognition | null;
  /** Counts a repair for every row of the series. */
  repaired(name: string): void;
  /** What the format's survey of the whole file found out; null for what it did not. */
  fact(name: string): string | null;
}

export interface CellTrouble {
  readonly trouble: Expected;
  readonly column: string;
  readonly value: string;
}

export function trouble(expected: Expected, column: string, value: string): CellTrouble {
  return { trouble: expected, column, value };
}

export function isTrouble(value: unknown): value is CellTrouble {
  return typeof value === "object" && value !== null && "trouble" in value;
}

/** Adds or takes off one source column. */
export interface MoneyTerm {
  /** The first of them that the row states is taken: a net twin before the plain column. */
  readonly columns: readonly string[];
  readonly sign: 1 | -1;
  /** The amounts that a cell holds as a list, as decimal texts, all added; null where it cannot be read. Without it a cell is one amount. */
  readonly amounts?: (text: string) => readonly string[] | null;
  /** Columns of a quantity that the amount is a price of: their product, rounded once to the atto. */
  readonly times?: readonly string[];
  /** Instead of columns: the hours of the charge period. A quantity only. */
  readonly isPeriodHours?: boolean;
  /** An empty cell adds nothing as long as another term of the sum is stated; otherwise it makes the cost unknown. */
  readonly isOptional: boolean;
}

/** Which sum a series takes. `null`: the source states no such cost. An empty list: it is 0 by the format's own rules. */
export interface MoneyCell {
  readonly choose: DimensionCell<string>;
  readonly sums: Readonly<Record<string, readonly MoneyTerm[] | null>>;
}

export type QuantityCell = MoneyCell;

export interface TimeCell {
  readonly columns: readonly string[];
  /**
   * What the cell states besides an instant: the last day of a period, which ends as the next one begins, a month (`202609`), or a range of
   * two instants in one cell.
   */
  readonly states?: "last-day" | "month" | "month-end" | "range-start" | "range-end";
  /**
   * Asked where a row states nothing here, down the chain. An end counts only from the link of its chain that the start came from: the end of
   * a month is not that of a charge that began on its third.
   */
  readonly otherwise?: TimeCell;
}

/** Words for nothing that databases and statistics programs write into a cell that states nothing. */
export const nothingWritten: readonly string[] = ["NULL", "\\N", "None", "NaN", "nil", "<NA>", "<null>", "(null)"];
/** The same, with those of people and spreadsheets. */
export const nothingStated: readonly string[] = [...nothingWritten, "NA", "N/A", "#N/A", "-", "--", "—", "——"];

/** Header names are compared without case, spaces and punctuation: `lineItem/UnblendedCost` is `line_item_unblended_cost`. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

// Cells

const always: DimensionCell<string> = { columns: [], read: () => "always" };

/** The text as it stands, or null. */
export function optional(...columns: string[]): DimensionCell<string | null> {
  return { columns, read: (row) => row.text(...columns) };
}

/** A text that must be stated. */
export function required(expected: Expected, ...columns: string[]): DimensionCell<string> {
  return { columns, read: (row) => row.text(...columns) ?? trouble(expected, columns[0] ?? "", "") };
}

/** A currency's code, or the name of a virtual one; three letters in capitals. */
export function currency(...columns: string[]): DimensionCell<string> {
  return {
    columns,
    read: (row) => {
      const stated = row.text(...columns)?.trim() ?? "";
      if (!/^\p{L}[\p{L}\p{N} ._-]{0,39}$/u.test(stated)) return trouble("currency", columns[0] ?? "", stated);
      return /^[a-z]{3}$/i.test(stated) ? stated.toUpperCase() : stated;
    },
  };
}

/** One of the allowed values, compared without case; the allowed spelling is kept. */
export function oneOf<T extends string>(allowed: readonly T[], expected: Expected, ...columns: string[]): DimensionCell<T> {
  return {
    columns,
    read: (row) => {
      const stated = row.text(...columns);
      const found = stated === null ? undefined : allowed.find((value) => value.toLowerCase() === stated.trim().toLowerCase());
      return found ?? trouble(expected, columns[0] ?? "", stated ?? "");
    },
  };
}

/** A value of its own rule, from the columns it names. */
export function derived<T>(columns: readonly string[], read: (row: DimensionRow) => T | CellTrouble): DimensionCell<T> {
  return { columns, read };
}

/** What the source does not say. */
export function absent(): DimensionCell<null> {
  return { columns: [], read: () => null };
}

export function constant<T>(value: T): DimensionCell<T> {
  return { columns: [], read: () => value };
}

/** One column, by the first of its names that the file has. */
export function money(...columns: string[]): MoneyCell {
  return { choose: always, sums: { always: [plus(...columns)] } };
}

/** A sum a case of a dimension; a case that is not listed takes `otherwise`. */
export function moneyBy(choose: DimensionCell<string>, sums: Readonly<Record<string, readonly MoneyTerm[] | null>> & { readonly otherwise: readonly MoneyTerm[] | null }): MoneyCell {
  return { choose, sums };
}

export function noMoney(): MoneyCell {
  return { choose: always, sums: { always: null } };
}

export function plus(...columns: string[]): MoneyTerm {
  return { columns, sign: 1, isOptional: false };
}
export function plusIfStated(...columns: string[]): MoneyTerm {
  return { columns, sign: 1, isOptional: true };
}
export function minus(...columns: string[]): MoneyTerm {
  return { columns, sign: -1, isOptional: false };
}

export function utcTime(...columns: string[]): TimeCell {
  return { columns };
}
export function lastDay(...columns: string[]): TimeCell {
  return { columns, states: "last-day" };
}

/** A time, and where a row has none, the cells to ask one after another. */
export function firstTime(first: TimeCell, ...others: readonly TimeCell[]): TimeCell {
  const [next, ...rest] = others;
  return next === undefined ? first : { ...first, otherwise: firstTime(next, ...rest) };
}

/** The hours of the charge period as a quantity, for what is charged by the time it is there; unknown where a row states its day or month alone. */
export function periodHours(): MoneyTerm {
  return { columns: [], sign: 1, isPeriodHours: true, isOptional: false };
}

// Recognition

/** How sure a format is of a file, and why. Codes are worded at the edge. */
export interface Recognition {
  readonly formatId: string;
  /** 0 to 1: 0 is no; the surest format wins, a tie is the person's to settle. */
  readonly score: number;
  readonly version: string | null;
  readonly reasons: readonly { readonly code: string; readonly params: Readonly<Record<string, string>> }[];
  /** Columns the format cannot do without and the file lacks, by their first name. */
  readonly missing: readonly string[];
}

/** What a header says of a format. */
export function recognizeBill(format: BillingFormat, header: readonly string[]): Recognition {
  const columns = columnsOf(format, header);
  const hasAny = (names: readonly string[]): boolean => names.some((name) => columns.has(canonicalName(name)));
  const present = format.telltale.filter(hasAny);
  const missing = format.required.filter((names) => !hasAny(names)).map((names) => names[0] ?? "");
  return {
    formatId: format.id,
    score: present.length / format.telltale.length,
    version: format.version(columns),
    reasons: [{ code: "columns-present", params: { columns: present.map((names) => names[0] ?? "").join(", ") } }],
    missing,
  };
}

/** A header's names as the format compares them. */
export function columnsOf(format: BillingFormat, header: readonly string[]): ReadonlySet<string> {
  return new Set(header.map((name) => columnName(format, name)));
}

export function columnName({ headerName }: BillingFormat, name: string): string {
  return canonicalName(headerName === undefined ? name : headerName(name));
}

/** Which columns of a file the format's table looks at; the others need not be decoded. */
export function wantedColumns(format: BillingFormat, { header }: { readonly header: readonly string[] }): boolean[] {
  const { charge, datasets, survey } = format;
  const cells: readonly (DimensionCell<unknown> | MoneyCell | TimeCell)[] = [...Object.values(charge), ...(datasets === undefined ? [] : [datasets.ofRow])];
  const names = [...format.required.flat(), ...(survey?.columns.flat() ?? [])];
  for (const cell of cells) {
    if ("columns" in cell) {
      names.push(...cell.columns);
      let next = (cell as TimeCell).otherwise;
      for (; next !== undefined; next = next.otherwise) names.push(...next.columns);
    } else {
      names.push(...cell.choose.columns);
      for (const terms of Object.values(cell.sums)) for (const { columns, times = [] } of terms ?? []) names.push(...columns, ...times);
    }
  }
  const whole = new Set(names.filter((name) => !name.endsWith("*")).map(canonicalName));
  const beginnings = names.filter((name) => name.endsWith("*")).map(canonicalName);
  return header.map((name) => {
    const canonical = columnName(format, name);
    return whole.has(canonical) || beginnings.some((beginning) => canonical.startsWith(beginning));
  });
}
