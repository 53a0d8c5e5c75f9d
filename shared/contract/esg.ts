/** ESG packs: a folder or ZIP that an auditor can follow without the ledger. */
import { z } from "zod";
import { fileToken } from "./token.ts";

export const esgInputs = {
  list: z.strictObject({}),
  /** In the contract beside the scope of reports, which methods.ts adds. */
  export: {
    period: z.string().regex(/^\d{4}(-(0[1-9]|1[0-2])|-Q[1-4])?$/),
    language: z.enum(["en", "zh-CN"]),
    /** A folder, or a name that ends in .zip. */
    file: fileToken,
    by: z.string().trim().min(1).max(120).nullable(),
    /** The PDF of the report `esg` in base64, drawn by who can draw one; null: the pack is without it. */
    statement: z.string().max(64 * 1024 * 1024).nullable(),
  },
} as const;

/** What `pack.json` of a pack must hold for its folder to be one: the rest of it is for people. */
export const packListSchema = z.object({
  figuresSha256: z.string().regex(/^[0-9a-f]{64}$/),
  files: z.array(z.object({ name: z.string().max(60), sha256: z.string().regex(/^[0-9a-f]{64}$/) })).max(100),
});

export interface EsgExport {
  readonly file: string;
  readonly files: readonly string[];
  /** Number of the issue; null where the ledger could not be written. */
  readonly issue: number | null;
  /** The last issue has exactly these figures: it is this one. */
  readonly isSame: boolean;
  readonly sha256: string;
  readonly coveredDays: number;
  readonly days: number;
  readonly isFrozen: boolean;
  readonly hasStatement: boolean;
}

/** Newest first. */
export interface EsgIssue {
  readonly issue: number;
  readonly issuedAt: string;
  readonly issuedBy: string;
  readonly period: string;
  /** JSON of the scope it was narrowed to; `{}` for everything. */
  readonly boundary: string;
  readonly language: string;
  readonly sha256: string;
}
