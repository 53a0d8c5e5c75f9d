/**
 * Providers' own emissions reports: imports of their own kind, never among bills. Amounts are whole micrograms of CO2e, as everywhere in
 * carbon; null is what a report does not state.
 */
import { z } from "zod";
import { fileToken } from "./token.ts";
import type { SetAsideRow } from "./methods.ts";

const who = z.string().trim().min(1).max(120).nullable();
const reportId = z.number().int().positive();
const periodLabel = z.string().regex(/^\d{4}(-(0[1-9]|1[0-2])|-Q[1-4])?$/);

export const providerEmissionsInputs = {
  preview: z.strictObject({ file: fileToken }),
  /** `sha256` of the preview: a file that has changed since is refused. */
  import: z.strictObject({ file: fileToken, sha256: z.string().max(80).nullable(), by: who }),
  toggle: z.strictObject({ report: reportId, by: who }),
  compare: z.strictObject({ period: periodLabel }),
} as const;

export interface EmissionsAmounts {
  /** All scopes the report holds. */
  readonly locationMicrograms: bigint | null;
  readonly marketMicrograms: bigint | null;
}

/** One provider's report, as a file brought it. */
export interface EmissionsReport {
  readonly report: number;
  readonly state: "posted" | "undone";
  readonly format: string;
  /** As bills spell it. */
  readonly provider: string;
  readonly file: string;
  readonly sha256: string;
  readonly importedAt: string;
  readonly importedBy: string;
  readonly firstMonth: string;
  readonly lastMonth: string;
  readonly rows: number;
  readonly rowsSetAside: number;
  /** A month of it shows: no newer report of the provider, payer and month took its place. */
  readonly isShown: boolean;
  readonly amounts: EmissionsAmounts;
}

export interface EmissionsPreview {
  readonly file: string;
  readonly sha256: string;
  readonly format: string;
  readonly provider: string;
  readonly rowsRead: number;
  readonly rows: number;
  /** Rows of an older model version of a month that the file states again; the newest counts. */
  readonly rowsOutdated: number;
  readonly setAside: readonly SetAsideRow[];
  readonly rowsSetAside: number;
  readonly months: readonly {
    readonly month: string;
    readonly amounts: EmissionsAmounts;
    /** What shows now and would be replaced; null: nothing yet. */
    readonly was: (EmissionsAmounts & { readonly report: number }) | null;
  }[];
  readonly accounts: readonly string[];
  readonly modelVersions: readonly string[];
  /** The report that holds the same bytes already and is not undone; importing it again changes nothing. */
  readonly sameAs: number | null;
}

/** Steps from the provider's report to the ledger's own figure. The amounts of `steps` add up: report + Σ steps = ledger. */
export const emissionsGapSteps = [
  "scopes-beyond", // the report's scope 1 and 3, which the ledger's operational figure does not hold
  "accounts-without-gpus", // whole accounts in which the ledger knows no GPU-hours
  "regions-without-gpus",
  "services-without-gpus", // services other than those that GPUs are billed under
  "months-missing", // months the report does not hold yet: the ledger's figure of them
  "not-calculated", // the ledger's GPU-hours without a figure have none to add; amount is null, hours say how many
  "rest", // the same accounts, regions and services: CPU-only machines in them, other factors, other allocation
] as const;
export type EmissionsGapStep = (typeof emissionsGapSteps)[number];

export interface EmissionsComparison {
  readonly provider: string;
  /** Reports that show in the period. */
  readonly reports: readonly { readonly report: number; readonly file: string; readonly format: string; readonly modelVersions: readonly string[] }[];
  /** Months of the period that the report holds, and those that the ledger has GPU-hours of and the report lacks. */
  readonly months: readonly string[];
  readonly monthsMissing: readonly string[];
  /** Days from the end of the last month it holds until the provider worked it out, where it says so. */
  readonly lagDays: number | null;
  /** Whether the report states its scopes apart, so that scope 2 alone can be compared. */
  readonly hasScopes: boolean;
  readonly methods: readonly EmissionsMethodComparison[];
}
export interface EmissionsMethodComparison {
  readonly method: "location" | "market";
  /** null: the report does not state this method. */
  readonly reportMicrograms: bigint | null;
  /** Operational, GPUs with their hosts, of the same provider and the whole period. */
  readonly ledgerMicrograms: bigint | null;
  readonly differenceMicrograms: bigint | null;
  readonly steps: readonly { readonly step: EmissionsGapStep; readonly micrograms: bigint | null; readonly details: readonly string[]; readonly gpuHours: number | null }[];
}
export interface EmissionsCompareAnswer {
  readonly period: string;
  readonly providers: readonly EmissionsComparison[];
  /** Providers with GPU-hours in the period of whom no report was imported. */
  readonly without: readonly string[];
}
