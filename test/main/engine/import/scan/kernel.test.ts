import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kernelBytes } from "../../../../../main/engine/import/scan/kernel-bytes.ts";
import { createDecimalReader, READ } from "../../../../../main/engine/import/decimal.ts";
import type { Kernel, RowPlan } from "../../../../../main/engine/import/scan/kernel.ts";
import { FIRST, LISTS, PLACE_UNIT, ROW_END, ROW_END_EMPTY, ROW_END_READ, ROW_END_ZONELESS, ROW_FLAGS, ROW_HASH_A, ROW_HASH_B, ROW_LINES, ROW_ODD, ROW_PLACE, ROW_SLOTS, ROW_START, ROW_START_READ, ROW_START_ZONELESS, ROW_STATES, rowSize, SLACK, takeKernel } from "../../../../../main/engine/import/scan/kernel.ts";
import { createUtcTimeReader, TIME_READ } from "../../../../../main/engine/import/utc-time.ts";
import type { FoundRecord } from "./plain-finder.ts";
import { kernelRecords, plainRecords } from "./plain-finder.ts";

it("is what scripts/kernel/kernel.as.ts compiles to", async () => {
  const { compileKernel } = await import("../../../../../scripts/kernel.mjs");
  expect(await compileKernel()).toBe(kernelBytes);
}, 60_000);

it("finds the records and fields that the plain reading finds, in any bytes, whatever the buffer's size", async () => {
  const piece = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(",", '"', "\n", "\r\n", '""', '",', ',"', '"\n', "\r", "a") }, fc.stringMatching(/^[a-z]{0,40}$/), fc.constantFrom("资源", "x".repeat(15), "y".repeat(16), "z".repeat(17), ",".repeat(20), '"'.repeat(17)));
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 60 }), fc.constantFrom(",", ";", "\t", "|"), fc.constantFrom(16, 33, 64, 4096), async (pieces, delimiter, bufferSize) => {
      const bytes = Buffer.from(pieces.join("").replaceAll(",", delimiter));
      expect(await kernelRecords(bytes, delimiter.charCodeAt(0), bufferSize)).toEqual(plainRecords(bytes, delimiter.charCodeAt(0)));
    }),
    { numRuns: 2000 },
  );
});

it("hashes what lies in the ranges and nothing else, at any length and place", () => {
  const kernel = takeKernel(4096);
  const hashOf = (cells: readonly string[], pad: number): string => {
    const text = Buffer.from(`${"#".repeat(pad)}${cells.join(",")}\n`);
    kernel.bytes.fill(10, FIRST, FIRST + 4096);
    kernel.bytes.set(text, FIRST);
    kernel.findRecord(FIRST + pad, FIRST + text.length, 44, true);
    kernel.hashRanges(FIRST + pad, 2);
    return `${kernel.answer[0]} ${kernel.answer[1]}`;
  };
  kernel.prepare({ ranges: Int32Array.from([0, 1, 3, 3]), lists: new Int32Array(0), rows: null });
  const cell = fc.stringMatching(/^[a-c]{0,20}$/);
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(fc.tuple(cell, cell, cell, cell), fc.integer({ min: 0, max: 20 }), (cells, pad) => {
      const hash = hashOf(cells, pad);
      // Neither where the record lies nor the cell between the ranges matters.
      expect(hashOf([cells[0], cells[1], `${cells[2]}?`, cells[3]], 7)).toBe(hash);
      const key = `${cells[0]},${cells[1]}|${cells[3]}`;
      expect(seen.get(hash) ?? key).toBe(key);
      seen.set(hash, key);
    }),
    { numRuns: 3000 },
  );
  expect(seen.size).toBeGreaterThan(1000);
});

it("reads every decimal that it takes as the plain reader does, and leaves it the others", () => {
  const kernel = takeKernel(4096);
  kernel.prepare({ ranges: Int32Array.from([0, 0]), lists: Int32Array.from([1, 6, 1, 9]), rows: null });
  const plain = createDecimalReader({ slots: 5, mark: ".", nullTexts: ["null"] });
  const written = fc.oneof(
    fc.tuple(fc.constantFrom("", "-", "+"), fc.bigInt({ min: 0n, max: 99_999_999_999n }), fc.stringMatching(/^\d{0,22}$/), fc.boolean()).map(([sign, whole, below, hasMark]) => `${sign}${whole}${hasMark ? `.${below}` : ""}`),
    fc.tuple(fc.integer({ min: 0, max: 9_999_999 }), fc.stringMatching(/^\d{9}$/), fc.constantFrom("5", "500000000", "500000001", "499999999", "000000000000")).map(([whole, upper, lower]) => `${whole}.${upper}${lower}`),
    fc.tuple(fc.constantFrom("", "-", "+"), fc.integer({ min: 0, max: 9_999_999 }), fc.stringMatching(/^\d{0,9}$/), fc.constantFrom("e", "E"), fc.integer({ min: -24, max: 9 })).map(([sign, whole, below, letter, power]) => `${sign}${whole}.${below}${letter}${power}`),
    fc.tuple(fc.integer({ min: 0, max: 9999 }), fc.stringMatching(/^\d{6,12}$/)).map(([whole, below]) => `"${whole}.${below}"`),
    fc.constantFrom("", ".", "-", "0", "-0", "-0.0", ".5", "5.", "1e5", "null", '"1.5"', '""', '"', '"-"', " 1", '" 1"', "1.2.3", "4503598", "4503597.999999999", "12x", "1E-9", "1.5E-18", "1.5E-19", "-2.5e-9", "3.5e+2", "1e", "1e-", "1e-100", "0e5", "1.2345678x", "1.23456789"),
  );
  let taken = 0;
  fc.assert(
    fc.property(written, fc.integer({ min: 0, max: 40 }), (text, pad) => {
      const record = Buffer.from(`${"#".repeat(pad)},${text},x\n`);
      kernel.bytes.fill(10, FIRST, FIRST + 4096);
      kernel.bytes.set(record, FIRST);
      kernel.findRecord(FIRST, FIRST + record.length, 44, true);
      if (kernel.answer[1] !== 3) return;
      kernel.readDecimals(FIRST, LISTS, 2, 46);
      for (const [slot, read] of [[3, plain.money], [4, plain.quantity]] as const) {
        const expected = read(kernel.bytes, FIRST + pad + 1, FIRST + pad + 1 + text.length, slot);
        const state = kernel.states[slot];
        if (text === "") expect(state).toBe(0);
        else if (state === READ) {
          taken += 1;
          expect([expected, kernel.nanos[slot]]).toEqual([READ, plain.nanos[slot]]);
          if (slot === 3) expect(kernel.rests[slot]).toBe(plain.rest[slot]);
        } else expect(state).toBe(2);
      }
    }),
    { numRuns: 4000 },
  );
  expect(taken).toBeGreaterThan(2000);
});

describe("rows, many at a time", () => {
  const columns = 5;
  const plan: RowPlan = { columns, mark: 46, startColumn: 1, endColumn: 2, cells: Int32Array.from([3, 0, 4, 2, 4, 5]), slots: 2 };
  const kernel = takeKernel(1 << 16);
  const plain = createDecimalReader({ slots: 2, mark: ".", nullTexts: [] });
  const clock = createUtcTimeReader([]);

  const word = fc.oneof(fc.stringMatching(/^[a-z]{0,12}$/), fc.constantFrom('"a,b"', '"a\nb"', '"say ""so"""', "resource of some length, no", 'inch 5"', '"x"y', "资源"));
  const time = fc.oneof(
    { weight: 4, arbitrary: fc.date({ min: new Date("1970-01-01T00:00:00Z"), max: new Date("2099-12-31T23:59:59Z"), noInvalidDate: true }).map((date) => `${date.toISOString().slice(0, 19)}Z`) },
    fc.constantFrom("", "2026-09-01", "2026-09-01 08:00:00", "2026-09-01T08:00:00.123Z", '"2026-09-01T08:00:00Z"', "2026-02-29T00:00:00Z", "2024-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2000-02-29T23:59:59Z", "2026-13-01T00:00:00Z", "2026-09-31T00:00:00Z", "2026-09-01T24:00:00Z", "2026-09-01t08:00:00z", "2026-09-01T08:00:00+08:00", "1969-12-31T00:00:00Z", "2026-09-01T08:00:60Z", "2026/09/01 8:00", "20260901", "2026-09-0xT00:00:00Z", "202a-09-01T00:00:00Z"),
  );
  const decimal = fc.oneof(fc.integer({ min: -5000, max: 5_000_000 }).map(String), fc.tuple(fc.integer({ min: 0, max: 99 }), fc.stringMatching(/^\d{0,20}$/)).map(([whole, below]) => `${whole}.${below}`), fc.constantFrom("", "1.5E-7", '"0.5"', "NULL", "-", "1e400"));
  const row = fc.tuple(word, time, time, decimal, decimal).map((cells) => cells.join(","));
  const line = fc.oneof({ weight: 8, arbitrary: row }, fc.constantFrom("", "a,b", ",,,,", ",,,,,", ",".repeat(300), '"', '"open, and\nnever closed', 'a"b,"c\nd",,,', '"a"",",b,,,', "\r"));
  const file = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n")).map(([text, end]) => text + end), { maxLength: 40 }).map((lines) => Buffer.from(lines.join("")));

  it("are the records that the plain reading finds, and each cell what the plain readers read", () => {
    let taken = 0;
    fc.assert(
      fc.property(file, fc.integer({ min: 0, max: 70 }), (text, pad) => {
        const from = FIRST + pad;
        const limit = from + text.length;
        kernel.bytes.set(text, from);
        kernel.bytes.fill(10, limit, limit + SLACK);
        const tables = { ranges: Int32Array.from([0, 0, 3, 4]), lists: new Int32Array(0), rows: plan };
        kernel.prepare(tables);
        const records = plainRecords(text, 44);
        let known = 0;
        let at = from;
        let line = 1;
        for (;;) {
          const count = kernel.readRows(at, limit, 44);
          const [next = 0, lines = 0] = kernel.answer;
          for (let index = 0; index < count; index += 1) {
            checkRow(kernel, index, from, line, records[known]);
            if (((kernel.rowInts[index * rowSize(plan) * 2 + ROW_FLAGS] as number) & ROW_ODD) === 0) taken += 1;
            known += 1;
          }
          at = next;
          line += lines;
          if (count === 0) break;
        }
        // What is left is the record that no line end closes; that the rest is blank lines alone says the same of them.
        expect(records.length - known).toBe(plainRecords(text.subarray(at - from), 44).length);
        expect(records.length - known).toBeLessThanOrEqual(1);
        expect(line).toBe(1 + text.subarray(0, at - from).filter((byte) => byte === 10).length);
      }),
      { numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(5000);
  });

  function checkRow(read: Kernel, index: number, from: number, line: number, record: FoundRecord | undefined): void {
    if (record === undefined) throw new Error("a row more than the plain reading finds");
    const numbersAt = index * rowSize(plan);
    const ints = read.rowInts.slice(numbersAt * 2, numbersAt * 2 + 8);
    const numbers = read.rowNumbers.slice(numbersAt, numbersAt + rowSize(plan));
    expect([(ints[ROW_PLACE] as number) - from, line + (ints[ROW_LINES] as number), record.isUnterminated]).toEqual([record.start, record.line, false]);
    const flags = ints[ROW_FLAGS] as number;
    expect((flags & ROW_ODD) !== 0).toBe(record.ends.length !== columns);
    if ((flags & ROW_ODD) !== 0) return;
    const start = (column: number): number => from + (column === 0 ? record.start : (record.ends[column - 1] as number) + 1);
    const end = (column: number): number => from + (record.ends[column] as number);

    for (const [column, read1, zoneless, empty, at] of [[1, ROW_START_READ, ROW_START_ZONELESS, 0, ROW_START], [2, ROW_END_READ, ROW_END_ZONELESS, ROW_END_EMPTY, ROW_END]] as const) {
      const state = clock.read(read.bytes, start(column), end(column));
      if ((flags & read1) !== 0) {
        expect([state, clock.seconds, clock.isZoneless]).toEqual([TIME_READ, numbers[at], (flags & zoneless) !== 0]);
      } else if (start(column) === end(column)) {
        if (empty !== 0) expect(flags & empty).toBe(empty);
      } else {
        expect(flags & empty).toBe(0);
        expect([Math.floor((numbers[at] as number) / PLACE_UNIT), (numbers[at] as number) % PLACE_UNIT]).toEqual([start(column), end(column) - start(column)]);
      }
    }
    // Slot 0 is column 3, or 4 where that is empty; slot 1 is column 4 as a quantity.
    for (const [slot, column] of [[0, start(3) === end(3) ? 4 : 3], [1, 4]] as const) {
      const state = ((ints[ROW_STATES] as number) >> (slot * 2)) & 3;
      const at = ROW_SLOTS + slot * 2;
      if (start(column) === end(column)) expect(state).toBe(0);
      else if (state === READ) {
        const expected = (slot === 0 ? plain.money : plain.quantity)(read.bytes, start(column), end(column), slot);
        expect([expected, plain.nanos[slot], slot === 0 ? plain.rest[slot] : 0]).toEqual([READ, numbers[at], numbers[at + 1]]);
      } else expect([state, numbers[at], numbers[at + 1]]).toEqual([2, start(column), end(column)]);
    }
    const rows = [ints[ROW_HASH_A], ints[ROW_HASH_B]];
    // The record found by itself hashes to the same.
    read.findRecord(from + record.start, from + record.start + (record.ends.at(-1) as number) - record.start + 2, 44, true);
    read.hashRanges(from + record.start, 2);
    expect([read.answer[0], read.answer[1]]).toEqual(rows);
  }
});
