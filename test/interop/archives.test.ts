import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../main/engine/serve.ts";
import { add, parseDecimal, toDecimal } from "../../shared/domain/rational.ts";
import type { Result } from "../../shared/result.ts";

const project = join(import.meta.dirname, "../..");
const sample = join(project, "../shared/samples/billing/aws-cur-legacy/koku_test_local_bucket.tar.gz");

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

describe.skipIf(!existsSync(sample))("an archive of a whole bucket (skipped where the samples are absent)", () => {
  it("is read chunk by chunk with its manifests, to the sum that another reader adds up", async () => {
    const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-bucket-"));
    const engine = createEngine({
      ledgerPath: null,
      userDataFolder: join(folder, "data"),
      resourcesFolder: join(project, "resources"),
      jobRunner: "inline",
      readerFile: new URL(`file://${join(project, "main/engine/import/reader.ts")}`),
      emit: () => undefined,
    });
    try {
      must(await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true }));
      const preview = must(await engine.ask("import.preview", { files: [sample], options: {} }));
      expect(preview.files.map(({ path, state, error }) => [path.slice(path.indexOf(" › ")), state, error])).toEqual([
        [" › koku-local/20180801-20180901/16e57707-f9e3-49be-8be6-b84e684b5194/koku-local-1.csv.gz", "ready", null],
        [" › koku-local/20180801-20180901/16e57707-f9e3-49be-8be6-b84e684b5194/koku-local-Manifest.json", "manifest", null],
        [" › koku-local/20180801-20180901/koku-local-Manifest.json", "manifest", null],
      ]);
      // The tar is walked by hand: 512 bytes of header, then the member.
      const tar = gunzipSync(readFileSync(sample));
      let chunk: Buffer | null = null;
      for (let at = 0; at + 512 <= tar.length; ) {
        const name = tar.toString("latin1", at, at + 100).replace(/\0.*$/s, "");
        const size = Number.parseInt(tar.toString("latin1", at + 124, at + 136).replace(/\0.*$/s, "").trim() || "0", 8);
        if (name.endsWith("koku-local-1.csv.gz")) chunk = tar.subarray(at + 512, at + 512 + size);
        at += 512 + Math.ceil(size / 512) * 512;
      }
      const rows: Record<string, string>[] = parse(gunzipSync(chunk ?? Buffer.alloc(0)), { columns: true });
      let sum = parseDecimal("0");
      for (const row of rows) {
        const cost = parseDecimal(row["lineItem/UnblendedCost"] ?? "");
        if (cost !== null && sum !== null) sum = add(sum, cost);
      }
      const [bill] = preview.files;
      expect(bill?.rowsRead).toBe(rows.length);
      expect(bill?.rowsSetAside).toBe(0);
      expect(bill?.totals["USD"]?.BilledCost).toBe(sum === null ? null : toDecimal(sum));
      must(await engine.ask("import.post", { plan: preview.plan }));
    } finally {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
