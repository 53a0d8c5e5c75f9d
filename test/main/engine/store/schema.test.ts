import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { viewStatements } from "../../../../main/engine/store/views/index.ts";
import { openMemoryLedger } from "../../../../main/engine/store/open.ts";

const golden = join(import.meta.dirname, "schema.golden.sql");

// Made anew with: GPU_LEDGER_GOLDEN=write npx vitest run test/main/engine/store/schema.test.ts
it("is the schema of the golden file, so that a review sees the tables change", () => {
  const { db } = openMemoryLedger();
  const tables = db.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name").pluck().all();
  const schema = [...tables, ...viewStatements].map((text) => `${text.trim()};\n`).join("\n");
  if (process.env["GPU_LEDGER_GOLDEN"] === "write" || !existsSync(golden)) writeFileSync(golden, schema);
  expect(schema).toBe(readFileSync(golden, "utf8"));
});
