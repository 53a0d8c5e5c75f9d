import { describe, expect, it } from "vitest";
import { sortDeliveries, type FileLook } from "../../../../main/engine/import/deliveries.ts";
import { manifestOf, type Manifest } from "../../../../main/engine/import/manifest.ts";

const A = "16e57707-f9e3-49be-8be6-b84e684b5194";
const B = "26e57707-f9e3-49be-8be6-b84e684b5195";

function manifest(json: unknown): Manifest {
  const found = manifestOf(JSON.stringify(json));
  if (found === null) throw new Error("no manifest");
  return found;
}
const cur = (assemblyId: string, keys: readonly string[], isVersioned = true): Manifest =>
  manifest({
    assemblyId, account: "000000000001", reportName: "r", billingPeriod: { start: "20260901T000000.000Z", end: "20261001T000000.000Z" },
    reportKeys: keys.map((key) => `/r/20260901-20261001/${isVersioned ? `${assemblyId}/` : ""}${key}`), columns: [], bucket: "b",
  });
const bill = (path: string, modifiedMs = 0): FileLook => ({ path, format: "aws-cur", manifest: null, modifiedMs });
const list = (path: string, of: Manifest, modifiedMs = 0): FileLook => ({ path, format: null, manifest: of, modifiedMs });

/** What becomes of each file: the number of its set, or why it is not read. */
function told(files: readonly FileLook[]): Record<string, unknown> {
  const { sets, manifests, older, incomplete } = sortDeliveries(files);
  return Object.fromEntries(
    files.map(({ path }, index) => {
      const lacks = incomplete.get(index);
      if (manifests.has(index)) return [path, "manifest"];
      if (older.has(index)) return [path, "older"];
      if (lacks !== undefined) return [path, `lacks ${lacks.part} of ${lacks.parts}`];
      const set = sets.findIndex((each) => each.includes(index));
      return [path, set === -1 ? "alone" : `set ${set}`];
    }),
  );
}

describe("deliveries of many files", () => {
  it("takes the assembly that the month's manifest names, whole, and leaves older ones out", () => {
    const m = "r/20260901-20261001";
    expect(
      told([
        bill(`${m}/${A}/r-1.csv.gz`, 5), bill(`${m}/${A}/r-2.csv.gz`, 5), list(`${m}/${A}/r-Manifest.json`, cur(A, ["r-1.csv.gz", "r-2.csv.gz"]), 5),
        bill(`${m}/${B}/r-1.csv.gz`, 1), bill(`${m}/${B}/r-2.csv.gz`, 1), list(`${m}/${B}/r-Manifest.json`, cur(B, ["r-1.csv.gz", "r-2.csv.gz"]), 1),
        list(`${m}/r-Manifest.json`, cur(B, ["r-1.csv.gz", "r-2.csv.gz"]), 1),
      ]),
    ).toEqual({
      [`${m}/${A}/r-1.csv.gz`]: "older", [`${m}/${A}/r-2.csv.gz`]: "older", [`${m}/${A}/r-Manifest.json`]: "manifest",
      [`${m}/${B}/r-1.csv.gz`]: "set 0", [`${m}/${B}/r-2.csv.gz`]: "set 0", [`${m}/${B}/r-Manifest.json`]: "manifest", [`${m}/r-Manifest.json`]: "manifest",
    });
  });

  it("reads the newest assembly that is whole, and names the part that a newer one lacks", () => {
    expect(told([bill(`m/${A}/r-1.csv`, 1), list(`m/${A}/r-Manifest.json`, cur(A, ["r-1.csv"]), 1), bill(`m/${B}/r-1.csv`, 2), list(`m/${B}/r-Manifest.json`, cur(B, ["r-1.csv", "r-2.csv"]), 2)])).toEqual({
      [`m/${A}/r-1.csv`]: "alone", [`m/${A}/r-Manifest.json`]: "manifest", [`m/${B}/r-1.csv`]: "lacks r-2.csv of 2", [`m/${B}/r-Manifest.json`]: "manifest",
    });
  });

  it("leaves out a run that no manifest speaks of, beside one of which one does", () => {
    const m = "r/20260901-20261001";
    expect(told([bill(`${m}/${A}/r-1.csv`, 9), bill(`${m}/${B}/r-1.csv`, 1), list(`${m}/r-Manifest.json`, cur(B, ["r-1.csv"]))])).toEqual({ [`${m}/${A}/r-1.csv`]: "older", [`${m}/${B}/r-1.csv`]: "alone", [`${m}/r-Manifest.json`]: "manifest" });
  });

  it("reads a Data Exports folder: one manifest a period, the newest run by its time", () => {
    const run = (time: string, id: string): string => `e/data/BILLING_PERIOD=2026-09/${time}-${id}`;
    const early = run("2026-10-01T01:00:00.000Z", A);
    const late = run("2026-10-02T01:00:00.000Z", B);
    const late1 = `${late}/e-00001.csv.gz`;
    const late2 = `${late}/e-00002.csv.gz`;
    const spoken = manifest({ executionId: B, exportArn: "arn:aws:bcm-data-exports:us-east-1:000000000001:export/e", dataFiles: [`s3://bucket/${late1}`, `s3://bucket/${late2}`] });
    expect(told([bill(`${early}/e-00001.csv.gz`), bill(late1), bill(late2), list("e/metadata/BILLING_PERIOD=2026-09/e-Manifest.json", spoken)])).toMatchObject({ [`${early}/e-00001.csv.gz`]: "older", [late1]: "set 0", [late2]: "set 0" });
    // Without a manifest the folders tell; a run with a gap in its numbers is not whole.
    expect(told([bill(`${early}/e-00001.csv.gz`), bill(late1), bill(late2)])).toEqual({ [`${early}/e-00001.csv.gz`]: "older", [late1]: "set 0", [late2]: "set 0" });
    expect(told([bill(`${early}/e-00001.csv.gz`), bill(late2)])).toEqual({ [`${early}/e-00001.csv.gz`]: "alone", [late2]: "lacks e-00001.csv.gz of 2" });
    // Another period is another delivery.
    expect(told([bill(late1), bill(`e/data/BILLING_PERIOD=2026-08/2026-09-01T01:00:00.000Z-${A}/e-00001.csv.gz`)])).toEqual({ [late1]: "alone", [`e/data/BILLING_PERIOD=2026-08/2026-09-01T01:00:00.000Z-${A}/e-00001.csv.gz`]: "alone" });
  });

  it("takes the newest Azure run of a period, a type at a time, with the type for its rows", () => {
    const azure = (type: string, runId: string, submittedTime: string, blobName: string): Manifest =>
      manifest({ manifestVersion: "2024-04-01", exportConfig: { exportName: `x-${type}`, resourceId: "/Subscriptions/1", type }, runInfo: { runId, submittedTime, startDate: "2026-09-01T00:00:00", endDate: "2026-09-30T00:00:00" }, blobs: [{ blobName, byteCount: 1 }] });
    const place = (type: string, time: string, id: string): string => `x-${type}/20260901-20260930/${time}/${id}`;
    const files = [
      bill(`${place("ActualCost", "202610010100", A)}/part_0_0001.csv`), list(`${place("ActualCost", "202610010100", A)}/manifest.json`, azure("ActualCost", A, "2026-10-01T01:00:00Z", `p/${place("ActualCost", "202610010100", A)}/part_0_0001.csv`)),
      bill(`${place("ActualCost", "202610020100", B)}/part_0_0001.csv`), list(`${place("ActualCost", "202610020100", B)}/manifest.json`, azure("ActualCost", B, "2026-10-02T01:00:00Z", `p/${place("ActualCost", "202610020100", B)}/part_0_0001.csv`)),
      bill(`${place("AmortizedCost", "202610010100", A)}/part_0_0001.csv`), list(`${place("AmortizedCost", "202610010100", A)}/manifest.json`, azure("AmortizedCost", A, "2026-10-01T01:00:00Z", `p/${place("AmortizedCost", "202610010100", A)}/part_0_0001.csv`)),
    ];
    expect(Object.values(told(files))).toEqual(["older", "manifest", "alone", "manifest", "alone", "manifest"]);
    expect([...sortDeliveries(files).datasets]).toEqual([[2, "ActualCost"], [4, "AmortizedCost"]]);
  });

  it("says nothing of JSON that lists no files", () => {
    for (const text of ["", "{", "[]", "null", "{}", '{"reportKeys":[]}', '{"reportKeys":"x"}', '{"blobs":[{}],"runInfo":{}}', '{"dataFiles":[1,null]}', '{"__proto__":{"reportKeys":["x"]}}']) {
      const found = manifestOf(text);
      expect(found === null || found.keys.length >= 0).toBe(true);
      if (found !== null) expect(found.kind).toBe("azure-export");
    }
  });
});
