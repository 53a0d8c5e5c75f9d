import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ReadOptions } from "../../../../../shared/contract/methods.ts";
import { telemetryFormats } from "../../../../../main/engine/formats/telemetry/index.ts";
import { openMemoryLedger } from "../../../../../main/engine/store/open.ts";
import { devicesOf, readText } from "../../import/read-log.ts";

/**
 * Every fixture cut at any byte, and with bytes changed: read or refused, never a crash, and nothing that the whole does not say. Whatever
 * states no time moves with the end of its file, so values are compared and not their times. `GPU_LEDGER_THOROUGH=1` cuts at every byte; else
 * a day cuts a twentieth of them and its last sixteen, another twentieth each day, so that three weeks cut at every byte of a short file.
 * `GPU_LEDGER_CUT_FROM=N` begins at that byte, to cut as on another day.
 */
const isThorough = process.env["GPU_LEDGER_THOROUGH"] === "1";
const cutFrom = Number(process.env["GPU_LEDGER_CUT_FROM"] ?? Math.floor(Date.now() / 86_400_000));
const patience = isThorough ? 600_000 : 20_000;
const root = join(import.meta.dirname, "../../../../fixtures/telemetry");
/** Where a cut file rightly says what the whole does not: a mean over fewer samples, a card whose second part has not come yet. */
const otherwiseWhenCut = new Set(["nvidia-smi/one-gpu-unnamed.csv", "amd-smi/partitions.csv"]);
const ledger = openMemoryLedger();
afterAll(() => ledger.close());
function emptied(): typeof ledger {
  ledger.db.exec("DELETE FROM gpu_trace; DELETE FROM device; DELETE FROM batch");
  return ledger;
}
const fixtures = telemetryFormats
  .flatMap(({ id }) => {
    const folder = join(root, id);
    return readdirSync(folder)
      .filter((file) => !file.endsWith(".expected.json"))
      .map((file) => ({ name: `${id}/${file}`, file, content: readFileSync(join(folder, file)), options: (JSON.parse(readFileSync(join(folder, file.replace(/\.[a-z]+$/, ".expected.json")), "utf8")) as { readonly options: ReadOptions }).options }));
  });

describe.each(fixtures)("$name", ({ name, file, content, options }) => {
  it.skipIf(otherwiseWhenCut.has(name))("cut anywhere says nothing that the whole does not say", async () => {
    const whole = await valuesOf(content, options, file);
    const step = isThorough ? 1 : Math.max(1, Math.floor(content.length / 20));
    const lengths = Array.from({ length: content.length }, (_, length) => length).filter((length) => length > 0 && ((length + cutFrom) % step === 0 || length > content.length - 16));
    for (const length of lengths) {
      const read = await readText(emptied(), content.subarray(0, length), options, file);
      for (const { key, traces } of read.ok ? devicesOf(ledger) : []) {
        for (const [metric, segments] of Object.entries(traces)) {
          for (const [, , value] of segments) expect(isSaid(whole.get(`${key} ${metric}`), value), `${length} (GPU_LEDGER_CUT_FROM=${cutFrom}): ${key} ${metric} ${value}`).toBe(true);
        }
      }
    }
  }, patience);

  it("with bytes changed is read or refused, and every value lies within bounds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat({ max: content.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 }), async (flips) => {
        const broken = Uint8Array.from(content);
        for (const [at, byte] of flips) broken[at] = byte;
        const read = await readText(emptied(), broken, options, file);
        if (!read.ok) return;
        expect(read.value.rowsPosted + read.value.rowsSetAside).toBeLessThanOrEqual(read.value.rowsRead);
        for (const { traces } of devicesOf(ledger)) {
          for (const [metric, segments] of Object.entries(traces)) {
            const most = metric === "memory-used" ? 1_048_576 : metric === "power" || metric === "counted-power" ? 3000 : 100;
            for (const [, , value] of segments) expect(value >= 0 && value <= most).toBe(true);
          }
        }
      }),
      { numRuns: isThorough ? 100 : 10 },
    );
  }, patience);
});

async function valuesOf(content: Uint8Array, options: ReadOptions, file: string): Promise<ReadonlyMap<string, readonly number[]>> {
  const read = await readText(emptied(), content, options, file);
  const values = new Map<string, readonly number[]>();
  if (read.ok) for (const { key, traces } of devicesOf(ledger)) for (const [metric, segments] of Object.entries(traces)) values.set(`${key} ${metric}`, segments.map(([, , value]) => value));
  return values;
}

/** The value itself, or a mean of ten seconds between two of them. */
function isSaid(values: readonly number[] | undefined, value: number): boolean {
  if (values === undefined || values.length === 0) return false;
  return value >= Math.min(...values) - 1e-3 && value <= Math.max(...values) + 1e-3;
}
