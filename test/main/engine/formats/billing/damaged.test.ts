import { readdirSync, readFileSync, rmSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BillReading } from "../../../../../main/engine/import/bills.ts";
import { openMemoryLedger } from "../../../../../main/engine/store/open.ts";
import type { Result } from "../../../../../shared/result.ts";
import { fixtures, readInto } from "../../import/read-bill.ts";

/**
 * Every fixture of a bill cut at any byte, and with any byte turned: read or refused with a reason, never a crash, and each of its rows is either
 * posted or set aside. `GPU_LEDGER_THOROUGH=1` takes every byte; otherwise bytes at equal distances, and the last ones.
 */
const isThorough = process.env["GPU_LEDGER_THOROUGH"] === "1";
const patience = isThorough ? 3_600_000 : 60_000;
const PLACES = 12;
/** A byte becomes this one: a quote, a separator, a line end, a digit, a letter, none of a text, a bracket of JSON. */
const turned = Buffer.from('",\n;7x\u0000{}-');

let folder = "";
let ledger = openMemoryLedger();
let reads = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "damaged-"));
});
afterAll(() => {
  ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

async function read(content: Uint8Array, name: string): Promise<Result<BillReading>> {
  // What was read before is in the way of nothing, but it grows.
  if ((reads += 1) % 500 === 0) {
    ledger.close();
    ledger = openMemoryLedger();
  }
  const path = join(folder, name);
  writeFileSync(path, content);
  return readInto(ledger.db, path);
}

function expectAccounted(reading: Result<BillReading>, where: string): void {
  if (!reading.ok) expect(reading.error.code, where).toMatch(/^import\./);
  else expect(reading.value.rowsPosted + reading.value.rowsSetAside, where).toBe(reading.value.rowsRead);
}

function places(length: number): readonly number[] {
  const step = isThorough ? 1 : Math.max(1, Math.floor(length / PLACES));
  return Array.from({ length }, (_, at) => at).filter((at) => at % step === 0 || at >= length - 4);
}

const bills = readdirSync(fixtures).flatMap((provider) =>
  readdirSync(join(fixtures, provider))
    .filter((file) => !file.endsWith(".expected.json"))
    .map((file) => ({ file, name: `${provider}/${file}`, content: readFileSync(join(fixtures, provider, file)) })),
);

describe.each(bills)("$name", ({ file, content }) => {
  it("cut anywhere is read or refused, every row accounted for, and none comes from nowhere", async () => {
    const whole = await read(content, file);
    const most = whole.ok ? whole.value.rowsPosted : 0;
    for (const end of places(content.length)) {
      const reading = await read(content.subarray(0, end), file);
      expectAccounted(reading, `cut at ${end}`);
      // The row that is cut may have been set aside for a cell that is now gone.
      if (reading.ok) expect(reading.value.rowsPosted, `cut at ${end}`).toBeLessThanOrEqual(most + 1);
    }
  }, patience);

  it("with a byte turned is read or refused, and every row accounted for", async () => {
    for (const at of places(content.length)) {
      const damaged = Buffer.from(content);
      damaged[at] = turned[at % turned.length] as number;
      expectAccounted(await read(damaged, file), `byte ${at}`);
    }
  }, patience);
});
