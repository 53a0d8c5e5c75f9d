/** Column mappings of bills and of logs alike: given with an import, kept in a ledger by name, and passed on as a file. */
import { z } from "zod";
import { logMappingSchema, type LogMapping } from "./log-mapping.ts";
import { columnMappingSchema, type ColumnMapping } from "./mapping.ts";

export type AnyMapping = ColumnMapping | LogMapping;
export const anyMappingSchema: z.ZodType<AnyMapping> = z.union([logMappingSchema, columnMappingSchema]);

/** What a mapping is called: by it the terminal and people know it. */
export const mappingName = z.string().trim().min(1).max(120);

export function isLogMapping(mapping: AnyMapping): mapping is LogMapping {
  return "kind" in mapping;
}

export interface SavedMapping {
  readonly id: number;
  readonly name: string;
  readonly mapping: AnyMapping;
  /** null: saved by a version that did not note it. */
  readonly savedAt: string | null;
  /** The last posting of a file that it read; null: none since it is noted. */
  readonly lastUse: { readonly at: string; readonly file: string; readonly batch: number } | null;
}

/** What an import of mappings did with each, by the name it is kept under. */
export interface MappingsImport {
  readonly mappings: readonly { readonly name: string; readonly was: "new" | "changed" | "same" }[];
  readonly revision: number;
}

/** A file of mappings, as they are exported; the terminal prints one mapping in the same way. */
const mappingsFile = z.object({ mappings: z.array(anyMappingSchema).min(1).max(500) });

/**
 * The mappings that a JSON text holds: an export of them, what `gpu-ledger mapping FILE` prints, one mapping alone, or a list of either. Where it holds none, the
 * part of it that does not fit.
 */
export function mappingsIn(text: string): { readonly mappings: readonly AnyMapping[] } | { readonly wrongAt: string } {
  let stated: unknown;
  try {
    stated = JSON.parse(text);
  } catch {
    return { wrongAt: "JSON" };
  }
  // A list of what the terminal printed, put together by hand.
  if (Array.isArray(stated)) stated = { mappings: (stated as readonly unknown[]).map(unwrapped) };
  const has = (name: string): boolean => typeof stated === "object" && stated !== null && Object.hasOwn(stated, name);
  if (has("mappings")) {
    const several = mappingsFile.safeParse(stated);
    return several.success ? several.data : { wrongAt: pathOf(several.error) };
  }
  const alone = unwrapped(stated);
  // By what it says it is, so that what is wrong with it is told of that.
  const isLog = typeof alone === "object" && alone !== null && Object.hasOwn(alone, "kind");
  const one = (isLog ? logMappingSchema : columnMappingSchema).safeParse(alone);
  return one.success ? { mappings: [one.data] } : { wrongAt: pathOf(one.error) };
}

/** `gpu-ledger mapping FILE` prints the mapping among other facts of the file. */
function unwrapped(stated: unknown): unknown {
  return typeof stated === "object" && stated !== null && Object.hasOwn(stated, "mapping") ? (stated as { readonly mapping: unknown }).mapping : stated;
}

/** Where it went wrong. */
function pathOf({ issues }: z.core.$ZodError): string {
  const path = issues[0]?.path.join(".") ?? "";
  return path === "" ? "mapping" : path;
}
