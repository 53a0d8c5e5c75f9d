import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { countVectors } from "../../main/engine/vectors/index.ts";

const folder = join(import.meta.dirname, "../../../shared/vectors");

// Shared test vectors lie beside the project where it is developed; a clone by itself does not have them.
it.skipIf(!existsSync(folder))("passes every shared test vector (skipped where ../shared/vectors is absent)", async () => {
  const lines: string[] = [];
  const counts = await countVectors(folder, (line) => lines.push(line));
  expect(lines).toEqual([]);
  expect(counts.failed + counts.skipped).toBe(0);
  expect(counts.passed).toBeGreaterThan(0);
});
