import { z } from "zod";

/** What a column of a log that no format knows may mean. Counters are different things and stay apart. */
export const logFields = [
  "time", "host", "uuid", "pci", "index", "name", "memoryTotal", "utilization", "engineActive", "smActive", "tensorActive", "dramActive", "memoryUsed", "power",
] as const;
export type LogField = (typeof logFields)[number];

/** Fields that hold a measurement; at least one must be stated. */
export const logMeasures = ["utilization", "engineActive", "smActive", "tensorActive", "dramActive", "memoryUsed", "power"] as const satisfies readonly LogField[];

/** What a bare number of a measurement is. A cell that states its own unit goes by it. */
export const logUnits = ["percent", "ratio", "MiB", "GiB", "MB", "GB", "bytes", "share", "W", "mW", "kW"] as const;
export type LogUnit = (typeof logUnits)[number];

const headerName = z.string().min(1).max(300);
const activityUnit = z.enum(["percent", "ratio"]).optional();
const memoryUnit = z.enum(["MiB", "GiB", "MB", "GB", "bytes"]).optional();

/**
 * How a log that no format knows is to be read: data, kept in the ledger and used again for every file with the same header.
 * Units are those of bare numbers; a field without a unit is in percent, MiB or W.
 */
export const logMappingSchema = z.strictObject({
  kind: z.literal("log"),
  name: z.string().min(1).max(120),
  /** The header it was made for; a file with the same names, in any order, is read by it. */
  header: z.array(z.string().max(300)).min(1).max(1000).readonly(),
  columns: z.strictObject(Object.fromEntries(logFields.map((field) => [field, headerName.optional()])) as Record<LogField, z.ZodOptional<z.ZodString>>),
  units: z.strictObject({
    utilization: activityUnit, engineActive: activityUnit, smActive: activityUnit, tensorActive: activityUnit, dramActive: activityUnit,
    memoryUsed: z.enum(["MiB", "GiB", "MB", "GB", "bytes", "share"]).optional(),
    memoryTotal: memoryUnit,
    power: z.enum(["W", "mW", "kW"]).optional(),
  }),
  /** Whether activities are means up to their time, as profiling counters and per-minute means are, rather than readings that hold from it. */
  isMeanUpTo: z.boolean(),
});
export type LogMapping = z.infer<typeof logMappingSchema>;

/** What a look at a file says of how it could be read as a log. */
export interface LogMappingGuess {
  readonly file: string;
  readonly header: readonly string[];
  readonly sample: readonly (readonly string[])[];
  readonly mapping: LogMapping;
  /** Fields for which several columns are as likely, or whose unit nothing states: nothing is chosen there. */
  readonly unsure: readonly { readonly field: LogField; readonly columns: readonly string[] }[];
  /** Fields whose column was chosen by what stands in it, since its name says nothing. */
  readonly byValues: readonly LogField[];
  readonly isSaved: boolean;
  readonly knownAs: string | null;
}
