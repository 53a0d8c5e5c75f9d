/** Column mappings that the ledger remembers, one a header, in its settings. */
import { createHash } from "node:crypto";
import { logMappingSchema, type LogMapping } from "../../../shared/contract/log-mapping.ts";
import { columnMappingSchema, type ColumnMapping } from "../../../shared/contract/mapping.ts";
import { headerKey } from "../formats/billing/mapped.ts";
import { query, readAll, readOne, type Db } from "../store/sql.ts";

const PREFIX = "column-mapping.";
const LOG_PREFIX = "log-mapping.";

/** The same for logs. */
export function saveLogMapping(db: Db, mapping: LogMapping): void {
  db.prepare("INSERT INTO setting (Key, Value) VALUES (?, ?) ON CONFLICT (Key) DO UPDATE SET Value = excluded.Value").run(keyOf(mapping.header, LOG_PREFIX), JSON.stringify(mapping));
}

export function savedLogMapping(db: Db, header: readonly string[]): LogMapping | null {
  const found = readOne(db, query<{ Value: string }>("Value")`-- mappings.of-log-header
    SELECT Value FROM setting WHERE Key = ${keyOf(header, LOG_PREFIX)}`);
  if (found === null) return null;
  try {
    const checked = logMappingSchema.safeParse(JSON.parse(found.Value));
    return checked.success ? checked.data : null;
  } catch {
    return null;
  }
}

/** Keeps a mapping for files with its header; the one kept before for the same names gives way. */
export function saveMapping(db: Db, mapping: ColumnMapping): void {
  db.prepare("INSERT INTO setting (Key, Value) VALUES (?, ?) ON CONFLICT (Key) DO UPDATE SET Value = excluded.Value").run(keyOf(mapping.header), JSON.stringify(mapping));
}

/** The mapping for files with this header, in whatever order; null where there is none. */
export function savedMapping(db: Db, header: readonly string[]): ColumnMapping | null {
  const found = readOne(db, query<{ Value: string }>("Value")`-- mappings.of-header
    SELECT Value FROM setting WHERE Key = ${keyOf(header)}`);
  return found === null ? null : parsed(found.Value);
}

export function savedMappings(db: Db): readonly ColumnMapping[] {
  return readAll(db, query<{ Value: string }>("Value")`-- mappings.all
    SELECT Value FROM setting WHERE Key GLOB 'column-mapping.*' ORDER BY Key`)
    .map(({ Value }) => parsed(Value))
    .filter((mapping) => mapping !== null);
}

function keyOf(header: readonly string[], prefix = PREFIX): string {
  return `${prefix}${createHash("sha256").update(headerKey(header)).digest("hex").slice(0, 32)}`;
}

/** A mapping of another version that says what this one cannot read is as good as none. */
function parsed(text: string): ColumnMapping | null {
  try {
    const checked = columnMappingSchema.safeParse(JSON.parse(text));
    return checked.success ? checked.data : null;
  } catch {
    return null;
  }
}
