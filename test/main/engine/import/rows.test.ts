import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { noControl } from "../../../../main/engine/import/control.ts";
import { commitFlip, prepareFlip } from "../../../../main/engine/import/post.ts";
import { rereadRows } from "../../../../main/engine/import/rows.ts";
import { workOutDays } from "../../../../main/engine/hours/work-out.ts";
import { openMemoryLedger } from "../../../../main/engine/store/open.ts";
import type { OpenLedger } from "../../../../main/engine/store/open.ts";
import { defaultIdlePolicy } from "../../../../shared/contract/report.ts";
import { fileWith, fixtures, newBatch, readInto, shippedReference } from "./read-bill.ts";

const text = readFileSync(join(fixtures, "focus/traits-1.2.csv"), "utf8");

async function posted(path: string): Promise<OpenLedger> {
  const ledger = openMemoryLedger();
  const batch = newBatch(ledger.db);
  const reading = await readInto(ledger.db, path, { batch });
  if (!reading.ok) throw new Error(reading.error.code);
  const prepared = prepareFlip(ledger.db, { withBatches: [batch], withoutBatches: [] }, { policy: defaultIdlePolicy, control: noControl, workOutDays });
  if (!prepared.ok) throw new Error(prepared.error.code);
  commitFlip(ledger, prepared.value, "2026-10-01T00:00:00Z");
  return ledger;
}

function seriesOf(ledger: OpenLedger, description: string): number[] {
  return ledger.db.prepare<[string], { SeriesId: number }>("SELECT SeriesId FROM series WHERE ChargeDescription = ? AND x_Correction IS NULL").all(description).map(({ SeriesId }) => SeriesId);
}
const always = { firstDay: 0, lastDay: 100_000, offset: 0, limit: 50 };

describe("showing the rows behind a cell", () => {
  it.each([
    ["a file as it is", (): string => fileWith(text)],
    ["a gz", (): string => fileWith(gzipSync(text), "bill.csv.gz")],
    ["UTF-16", (): string => fileWith(Buffer.from(`\uFEFF${text}`, "utf16le"))],
    ["UTF-8 with a mark", (): string => fileWith(`\uFEFF${text}`)],
  ])("names file, line and cells: %s", async (_, file) => {
    const ledger = await posted(file());
    const page = await rereadRows(ledger.db, { ...always, seriesIds: seriesOf(ledger, "p5.48xlarge, on demand") }, shippedReference());
    const value = (row: number, column: string): unknown => page.rows[row]?.values[page.columns.indexOf(column)];
    expect(page).toMatchObject({ total: 2, missing: [], rows: [{ line: 2 }, { line: 3 }] });
    expect([value(0, "BilledCost"), value(1, "BilledCost"), value(1, "ChargeCategory"), value(0, "SubAccountName")]).toEqual(["98.32", "49.16", "usage", 'research "lab"']);
    expect(page.columns).not.toContain("ChargeClass");
    ledger.close();
  });

  it.each([
    ["azure/enterprise-actual.csv", [2, 3, 4, 5, 6, 7]],
    ["azure/customer-agreement-dates-undecided.csv", [2, 3, 4]],
    ["gcp/detailed-json-lines.jsonl", [1, 3, 4]],
    ["focus/usage-only-array.json", [2, 9]],
    ["focus/lite-four-columns.csv", [2, 3]],
    ["oci/gpu-shapes.csv", [2, 3, 4, 5, 6]],
  ])("finds every row of %s again", async (name, lines) => {
    const ledger = await posted(join(fixtures, name));
    const seriesIds = ledger.db.prepare<[], { SeriesId: number }>("SELECT SeriesId FROM series").all().map(({ SeriesId }) => SeriesId);
    const page = await rereadRows(ledger.db, { ...always, seriesIds }, shippedReference());
    expect(page).toMatchObject({ total: lines.length, missing: [] });
    expect(page.rows.map(({ line }) => line)).toEqual(lines);
    ledger.close();
  });

  it("pages, and keeps to the days asked for", async () => {
    const ledger = await posted(fileWith(text));
    const seriesIds = ledger.db.prepare<[], { SeriesId: number }>("SELECT SeriesId FROM series").all().map(({ SeriesId }) => SeriesId);
    const lines = async (request: Partial<typeof always>): Promise<number[]> => (await rereadRows(ledger.db, { ...always, ...request, seriesIds }, shippedReference())).rows.map(({ line }) => line);
    expect(await lines({})).toEqual([2, 3, 4, 6, 7, 8, 9, 10, 11]);
    expect(await lines({ offset: 3, limit: 2 })).toEqual([6, 7]);
    const day = Date.parse("2026-09-02") / 86_400_000;
    expect(await lines({ firstDay: day, lastDay: day })).toEqual([4, 6]);
    ledger.close();
  });

  it("finds rows in the second block of a large file without reading the first", async () => {
    const [header = "", ...records] = text.split(/\n(?=AWS,)/);
    const filler = (records[7] ?? "").replace("10.01", "0.01");
    const rows = Array.from({ length: 14_000 }, () => filler.replace("VAT", "x".repeat(300)));
    const path = fileWith([header, ...rows, records[0] ?? ""].join("\n"));
    const ledger = await posted(path);
    const blocks = ledger.db.prepare<[], { SeriesIds: Buffer }>("SELECT SeriesIds FROM source_block ORDER BY Block").all();
    expect(blocks.map(({ SeriesIds }) => SeriesIds.length / 4)).toEqual([1, 2]);
    const page = await rereadRows(ledger.db, { ...always, seriesIds: seriesOf(ledger, "p5.48xlarge, on demand") }, shippedReference());
    expect(page.rows).toMatchObject([{ line: 14_002 }]);
    ledger.close();
  });

  it("says when the file is gone, or is no longer what it was", async () => {
    const path = fileWith(text);
    const ledger = await posted(path);
    const ask = async (): Promise<unknown> => (await rereadRows(ledger.db, { ...always, seriesIds: seriesOf(ledger, "VAT") }, shippedReference())).missing;
    writeFileSync(path, text.replace("10.01", "99.99"));
    expect(await ask()).toEqual([{ code: "rows.file-changed", params: { file: "bill.csv" } }]);
    appendFileSync(path, "\n");
    expect(await ask()).toEqual([{ code: "rows.file-changed", params: { file: "bill.csv" } }]);
    renameSync(path, `${path}.old`);
    expect(await ask()).toEqual([{ code: "rows.file-missing", params: { file: "bill.csv" } }]);
    ledger.close();
  });
});
