import fc from "fast-check";
import { expect, it } from "vitest";
import { kernelBytes } from "../../../../../main/engine/import/scan/kernel-bytes.ts";
import { FIRST, takeKernel } from "../../../../../main/engine/import/scan/kernel.ts";
import { kernelRecords, plainRecords } from "./plain-finder.ts";

it("is what scripts/kernel/kernel.as.ts compiles to", async () => {
  const { compileKernel } = (await import("../../../../../scripts/kernel.mjs")) as { compileKernel(): Promise<string> };
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
  kernel.setRanges(Int32Array.from([0, 1, 3, 3]));
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
