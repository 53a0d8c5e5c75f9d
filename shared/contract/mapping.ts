import { z } from "zod";

/** What a column of a bill that no format knows may mean. */
export const mappedFields = [
  "start", "end", "billed", "effective", "list", "currency", "provider", "account", "subAccount", "subAccountName", "service", "description", "resource", "resourceName", "region", "sku",
  "category", "purchase", "quantity", "unit", "instanceType", "gpuModel", "gpuCount", "team", "tags",
] as const;
export type MappedField = (typeof mappedFields)[number];

/** What may be said once for all rows, where no column says it. */
export const constantFields = ["currency", "provider", "account", "subAccount", "service", "region", "unit", "gpuModel", "gpuCount", "team"] as const;
export type ConstantField = (typeof constantFields)[number];

const headerName = z.string().min(1).max(300);
const constant = z.string().min(1).max(200);

/**
 * How a bill that no format knows is to be read: data, kept in the ledger and used again for every file with the same header.
 * A field that neither a column nor a constant states is absent; `start`, `billed`, `currency` and `provider` must be stated.
 */
export const columnMappingSchema = z.strictObject({
  name: z.string().min(1).max(120),
  /** The header it was made for; a file with the same names, in any order, is read by it. */
  header: z.array(z.string().max(300)).min(1).max(1000).readonly(),
  columns: z.strictObject(Object.fromEntries(mappedFields.map((field) => [field, headerName.optional()])) as Record<MappedField, z.ZodOptional<z.ZodString>>),
  constants: z.strictObject(Object.fromEntries(constantFields.map((field) => [field, constant.optional()])) as Record<ConstantField, z.ZodOptional<z.ZodString>>),
  /** Minutes east of UTC of times that state no zone. */
  zoneMinutes: z.number().int().min(-14 * 60).max(14 * 60),
  /** How `03/04/2026` is to be read; null: as the file itself proves, or not at all. */
  dateOrder: z.enum(["month-first", "day-first"]).nullable(),
  /** What the start states: an instant or a day, or only a month. */
  startIs: z.enum(["instant", "month"]),
  /** Whether a day as end is the last one of the charge, or the one on which it was over. */
  endIs: z.enum(["instant", "last-day"]),
  /** null: the amounts do not tell (`1,234` may be either), and a person has to. */
  decimalMark: z.enum([".", ","]).nullable(),
  /** Whether amounts may have marks of thousands: `1,234.50`, `1.234,50`, `1 234,50`. */
  isGrouped: z.boolean(),
  /** What the quantity counts; null where it counts no time, or nobody said: then it buys no GPU-hours. */
  quantityIs: z.enum(["instance-hours", "gpu-hours"]).nullable(),
  /** Without a quantity: each row's machine was there from its start to its end. */
  hoursFromPeriod: z.boolean(),
  /** Words that stand for an empty cell. */
  emptyWords: z.array(z.string().min(1).max(40)).max(40).readonly(),
});
export type ColumnMapping = z.infer<typeof columnMappingSchema>;

/** Fields without which no charge can be kept apart from others: when, how much, in which currency, of whom. */
export const neededFields = ["start", "billed", "currency", "provider"] as const;

/** The needed fields that a mapping leaves open. */
export function openFields({ columns, constants, decimalMark }: Pick<ColumnMapping, "columns" | "constants" | "decimalMark">): readonly (MappedField | "decimalMark")[] {
  const open = neededFields.filter((field) => columns[field] === undefined && (constants as Readonly<Record<string, string | undefined>>)[field] === undefined);
  return decimalMark === null ? [...open, "decimalMark"] : open;
}

/** What a look at a file says of how it could be mapped. */
export interface MappingGuess {
  readonly file: string;
  readonly header: readonly string[];
  /** The first rows as they stand, at most 50. */
  readonly sample: readonly (readonly string[])[];
  readonly mapping: ColumnMapping;
  /** Fields for which several columns are as likely: nothing is chosen there. */
  readonly unsure: readonly { readonly field: MappedField | "endIs" | "quantityIs" | "decimalMark"; readonly columns: readonly string[] }[];
  /** Fields whose column was chosen by what stands in it, since its name says nothing. */
  readonly byValues: readonly MappedField[];
  /** Fields that must be stated and are not yet. */
  readonly missing: readonly (MappedField | "decimalMark")[];
  /** Whether it is one that the ledger remembers for this header. */
  readonly isSaved: boolean;
  /** The format that knows the file without any mapping. */
  readonly knownAs: string | null;
}
