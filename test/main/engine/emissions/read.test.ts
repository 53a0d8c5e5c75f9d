import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEmissions } from "../../../../main/engine/emissions/read.ts";
import { recognizeBilling } from "../../../../main/engine/formats/index.ts";
import { sniff } from "../../../../main/engine/import/sniff.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures/emissions");
const files = readdirSync(fixtures).filter((name) => !name.endsWith(".expected.json"));
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-emissions-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a provider's emissions report", () => {
  it.each(files)("%s reads as expected", async (name) => {
    const read = await readEmissions(join(fixtures, name));
    const text = JSON.stringify(read.ok ? { ...read.value, sha256: undefined, format: read.value.format.id } : read, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value), 2);
    await expect(`${text}\n`).toMatchFileSnapshot(join(fixtures, `${name}.expected.json`));
  });

  it("counts a month that is stated in two model versions once, in the newer one", async () => {
    const read = await readEmissions(join(fixtures, "aws-carbon-emissions.csv"));
    expect(read.ok && { outdated: read.value.rowsOutdated, ireland: read.value.lines.find(({ regionId }) => regionId === "eu-west-1")?.location }).toEqual({ outdated: 1, ireland: 2_000_000_000_000n });
  });

  it("reads the same from a gz", async () => {
    const text = "usage_month,billing_account_id,carbon_footprint_total_kgCO2e.location_based\n2026-09-01,A,1.5\n";
    writeFileSync(join(folder, "footprint.csv.gz"), gzipSync(text));
    const read = await readEmissions(join(folder, "footprint.csv.gz"));
    expect(read).toMatchObject({ ok: true, value: { lines: [{ month: "2026-09", location: 1_500_000_000n, market: null, scope1: null }] } });
  });

  it("is never taken for a bill", async () => {
    for (const name of ["aws-carbon-emissions.csv", "google-carbon-footprint.csv", "microsoft-cloud-emissions.csv"]) {
      const sniffed = await sniff(join(fixtures, name));
      expect(sniffed.ok && recognizeBilling(sniffed.value)).toMatchObject({ ok: false, error: { code: "emissions.no-bill" } });
    }
  });
});
