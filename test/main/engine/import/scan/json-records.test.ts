import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createJsonCutter, flattened, jsonLayoutOf } from "../../../../../main/engine/import/scan/json-records.ts";
import { openMemoryLedger } from "../../../../../main/engine/store/open.ts";
import { fileWith, fixtures, readInto, readingOf } from "../read-bill.ts";

const lines = join(fixtures, "gcp/detailed-json-lines.jsonl");
const array = join(fixtures, "focus/usage-only-array.json");

describe("JSON records", () => {
  it("are flattened by path, digits kept, escapes resolved, what is null or empty left out", () => {
    expect([...(flattened('{"a": {"b": 1.10, "c": "x\\u0041"}, "d": [{"e": 1}], "f": null, "g": "", "h": true}') ?? [])]).toEqual([
      ["a.b", "1.10"], ["a.c", "xA"], ["a", '{"b": 1.10, "c": "x\\u0041"}'], ["d", '[{"e": 1}]'], ["h", "true"],
    ]);
  });

  it.each(['{"a": 1', '{"a": 01}', '{"a": [1,}', "{a: 1}", '{"a": 1} {', '"a"', '{"a": "x\ny"}', '{"a": NaN}'])("%s is no record", (text) => {
    expect(flattened(text)).toBeNull();
  });

  it.each([
    ['{"a":1}\n{"a":2}\n', "lines"],
    ['{"a":1}', "lines"],
    ['{\n "a":1\n}\n{"a":2}', "document"],
    ['[{"a":1}]', "document"],
    ["[1, 2]", null],
    ["a,b\n{,1\n", null],
  ])("%j lies as %s", (text, layout) => {
    expect(jsonLayoutOf(text)).toBe(layout);
  });

  it.each([["lines", lines], ["document", array]] as const)("come out the same whatever pieces they come in (%s)", (layout, path) => {
    const bytes = readFileSync(path);
    const cut = (size: number): unknown[] => {
      const cutter = createJsonCutter(layout);
      const records = [];
      for (let at = 0; at < bytes.length; at += size) records.push(...cutter.take(bytes.subarray(at, at + size)));
      return [...records, ...cutter.end()];
    };
    const whole = cut(bytes.length);
    expect(whole).toHaveLength(layout === "lines" ? 4 : 2);
    for (const size of [1, 2, 3, 7, 64, 1000]) expect(cut(size)).toEqual(whole);
  });

  it("are a bill as good as a table, wherever the file is cut: whole records count, a broken one is set aside", async () => {
    const bytes = readFileSync(lines);
    const { totals } = await readingOf(lines);
    expect(totals["USD"]?.BilledCost).toBe("46.450000000000000001");
    for (let end = 0; end <= bytes.length; end += 211) {
      const ledger = openMemoryLedger();
      const reading = await readInto(ledger.db, fileWith(bytes.subarray(0, end), "cut.jsonl"));
      ledger.close();
      if (!reading.ok) continue;
      const { rowsRead, rowsPosted, rowsSetAside } = reading.value;
      expect(rowsPosted + rowsSetAside).toBe(rowsRead);
      expect(["39.950000000000000001", "44.950000000000000001", "46.450000000000000001"]).toContain(reading.value.totals["USD"]?.BilledCost);
    }
  });

  it("may state a column for the first time far behind the first records", async () => {
    const record = (extra: string): string => `{"billing_account_id":"1","service":{"description":"Compute Engine"},"sku":{"description":"Core"},"usage_start_time":"2026-09-01T00:00:00Z","cost":0.5,"currency":"USD","cost_type":"regular","labels":[{"key":"x","value":"${"y".repeat(100)}"}]${extra}}`;
    const text = [...Array.from({ length: 2000 }, () => record("")), record(',"credits":[{"amount":-0.25,"type":"PROMOTION"}]')].join("\n");
    expect((await readingOf(fileWith(text, "late.json"))).totals["USD"]).toMatchObject({ BilledCost: "1000.25" });
  });
});
