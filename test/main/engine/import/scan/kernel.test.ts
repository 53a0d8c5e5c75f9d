import fc from "fast-check";
import { expect, it } from "vitest";
import { kernelBytes } from "../../../../../main/engine/import/scan/kernel-bytes.ts";
import { createDecimalReader, READ } from "../../../../../main/engine/import/decimal.ts";
import { FIRST, LISTS, takeKernel } from "../../../../../main/engine/import/scan/kernel.ts";
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
  kernel.prepare({ ranges: Int32Array.from([0, 1, 3, 3]), lists: new Int32Array(0) });
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
  kernel.prepare({ ranges: Int32Array.from([0, 0]), lists: Int32Array.from([1, 6, 1, 9]) });
  const plain = createDecimalReader({ slots: 5, mark: ".", nullTexts: ["null"] });
  const written = fc.oneof(
    fc.tuple(fc.constantFrom("", "-", "+"), fc.bigInt({ min: 0n, max: 99_999_999_999n }), fc.stringMatching(/^\d{0,22}$/), fc.boolean()).map(([sign, whole, below, hasMark]) => `${sign}${whole}${hasMark ? `.${below}` : ""}`),
    fc.tuple(fc.integer({ min: 0, max: 9_999_999 }), fc.stringMatching(/^\d{9}$/), fc.constantFrom("5", "500000000", "500000001", "499999999", "000000000000")).map(([whole, upper, lower]) => `${whole}.${upper}${lower}`),
    fc.constantFrom("", ".", "-", "0", "-0", "-0.0", ".5", "5.", "1e5", "null", '"1.5"', " 1", "1.2.3", "4503598", "4503597.999999999", "12x"),
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
