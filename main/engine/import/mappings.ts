/** Column mappings that the ledger keeps: by name, one a header. */
import { createHash } from "node:crypto";
import { anyMappingSchema, type AnyMapping, type SavedMapping } from "../../../shared/contract/mappings.ts";
import { headerKey } from "../formats/billing/mapped.ts";
import { prepared, query, readAll, readOne, type Db } from "../store/sql.ts";

interface MappingRow {
  readonly MappingId: number;
  readonly Name: string;
  readonly Mapping: string;
  readonly SavedAt: string | null;
  readonly LastUsedAt: string | null;
  readonly LastFile: string | null;
  readonly LastBatch: number | null;
}

/** The shape of a file: its header's names without case, punctuation and order. Files of one shape are read by one mapping. */
export function shapeOf(header: readonly string[]): string {
  return createHash("sha256").update(headerKey(header)).digest("hex").slice(0, 32);
}

/** In the order of their names. */
export function savedMappings(db: Db): readonly SavedMapping[] {
  return readAll(db, query<MappingRow>("MappingId", "Name", "Mapping", "SavedAt", "LastUsedAt", "LastFile", "LastBatch")`-- mappings.all
    SELECT MappingId, Name, Mapping, SavedAt, LastUsedAt, LastFile, LastBatch
    FROM column_mapping
    ORDER BY Name COLLATE NOCASE, Name`).flatMap((row) => savedIn(row) ?? []);
}

/** The mapping for files of a shape; null where there is none. */
export function savedMapping(db: Db, shape: string): SavedMapping | null {
  const found = readOne(db, query<MappingRow>("MappingId", "Name", "Mapping", "SavedAt", "LastUsedAt", "LastFile", "LastBatch")`-- mappings.of-shape
    SELECT MappingId, Name, Mapping, SavedAt, LastUsedAt, LastFile, LastBatch
    FROM column_mapping
    WHERE Header = ${shape}`);
  return found === null ? null : savedIn(found);
}

/** A mapping of another version that says what this one cannot read is as good as none. */
function savedIn({ MappingId, Name, Mapping, SavedAt, LastUsedAt, LastFile, LastBatch }: MappingRow): SavedMapping | null {
  const checked = anyMappingSchema.safeParse(parsed(Mapping));
  if (!checked.success) return null;
  const lastUse = LastUsedAt === null || LastFile === null || LastBatch === null ? null : { at: LastUsedAt, file: LastFile, batch: LastBatch };
  return { id: MappingId, name: Name, mapping: { ...checked.data, name: Name }, savedAt: SavedAt, lastUse };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Keeps a mapping for files of its header, inside the caller's transaction; the one kept for them before gives way. A name that another header's
 * mapping has gets a number. `was`: whether there was one for them, and another.
 */
export function keepMapping(db: Db, mapping: AnyMapping, at: string): { readonly name: string; readonly was: "new" | "changed" | "same" } {
  const shape = shapeOf(mapping.header);
  const before = savedMapping(db, shape);
  const name = freeName(db, mapping.name, shape);
  const kept = { ...mapping, name };
  if (before !== null && JSON.stringify(before.mapping) === JSON.stringify(anyMappingSchema.parse(kept))) return { name, was: "same" };
  prepared(db, "INSERT INTO column_mapping (Name, Header, Mapping, SavedAt) VALUES (?, ?, ?, ?) ON CONFLICT (Header) DO UPDATE SET Name = excluded.Name, Mapping = excluded.Mapping, SavedAt = excluded.SavedAt").run(name, shape, JSON.stringify(kept), at);
  return { name, was: before === null ? "new" : "changed" };
}

function freeName(db: Db, wanted: string, shape: string): string {
  const others = new Set(readAll(db, query<{ Name: string }>("Name")`-- mappings.names-of-others
    SELECT Name FROM column_mapping WHERE Header <> ${shape}`).map(({ Name }) => Name));
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? "" : ` (${number})`;
    const name = `${wanted.slice(0, 120 - ending.length)}${ending}`;
    if (!others.has(name)) return name;
  }
}

/** Notes that a file was posted by the mapping of its shape, inside the caller's transaction. */
export function noteUse(db: Db, shape: string, { at, file, batch }: { readonly at: string; readonly file: string; readonly batch: number }): void {
  prepared(db, "UPDATE column_mapping SET LastUsedAt = ?, LastFile = ?, LastBatch = ? WHERE Header = ?").run(at, file, batch, shape);
}

/** false: there is no such mapping. */
export function renameMapping(db: Db, id: number, name: string): boolean {
  return prepared(db, "UPDATE column_mapping SET Name = ? WHERE MappingId = ?").run(name, id).changes > 0;
}

export function removeMapping(db: Db, id: number): boolean {
  return prepared(db, "DELETE FROM column_mapping WHERE MappingId = ?").run(id).changes > 0;
}
