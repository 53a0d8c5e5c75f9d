import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { differences } from "../../../../main/engine/vectors/compare.ts";
import { runVectors } from "../../../../main/engine/vectors/index.ts";

describe("comparing answers", () => {
  it("allows a decimal one part in a billion, or a billionth", () => {
    expect(differences("1000000000.9", "1000000000")).toEqual([]);
    expect(differences("1000000002", "1000000000")).toHaveLength(1);
    expect(differences("0.000000001", "0")).toEqual([]);
    expect(differences(0.30000000000000004, "0.3")).toEqual([]);
  });

  it("allows nothing where a key is exact, and for everything that is no decimal", () => {
    expect(differences({ a: "1.0", b: "1.0" }, { a: "1", b: "1" }, ["a"])).toEqual(['a: got "1.0", want "1"']);
    expect(differences({ a: { c: "1.0" } }, { a: { c: "1" } }, ["*"])).toHaveLength(1);
    expect(differences([1, true, null, "x"], [1, true, null, "x"])).toEqual([]);
    for (const [got, want] of [[1.0000000001, 1], [0, null], ["0", null], [null, "0"], ["NaN", "0"], [false, 0], ["x", "y"], [[1], [1, 2]], [{}, []]]) expect(differences(got, want)).toHaveLength(1);
  });

  it("wants the same keys", () => {
    expect(differences({ a: null }, { b: null })).toEqual(["b: missing, want null", "a: not expected, got null"]);
  });
});

describe("running vector files", () => {
  const folders: string[] = [];
  afterEach(async () => {
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
  });

  async function run(files: Readonly<Record<string, string>>): Promise<readonly [number, readonly string[]]> {
    const folder = await mkdtemp(join(tmpdir(), "vectors-"));
    folders.push(folder);
    await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)));
    const lines: string[] = [];
    const code = await runVectors(folder, (line) => lines.push(line));
    return [code, lines];
  }
  const file = (...vectors: readonly object[]) => JSON.stringify({ schema: 1, model: "x", vectors });
  const power = (id: string, power_w: string) => ({ id, fn: "gpu_power", in: { utilisation: "0.5", idle_w: "100", max_w: "300" }, out: { power_w } });

  it("counts, names what failed and what is not built, and fails if anything did", async () => {
    const unreadable = { id: "x-3", fn: "gpu_power", in: {}, out: { power_w: null } };
    expect(await run({ "x.json": file(power("x-1", "200"), power("x-2", "201"), { id: "x-4", fn: "unheard_of", in: {}, out: {} }, unreadable) })).toEqual([
      1,
      [
        'FAIL x-2 gpu_power: power_w: got "200", want "201"',
        "FAIL x-3 gpu_power: threw idle_w is undefined, not a number",
        "SKIP unheard_of (x.json): not built yet, 1 skipped",
        "1 passed, 2 failed, 1 skipped",
      ],
    ]);
  });

  it("says that there is no such folder", async () => {
    const lines: string[] = [];
    expect(await runVectors("no-such-folder", (line) => lines.push(line))).toBe(1);
    expect(lines).toEqual(["no such folder: no-such-folder"]);
  });

  it("passes over what is no vector file", async () => {
    expect(await run({ "a.json": "{", "b.json": '{"schema":2,"vectors":[]}', "c.txt": "x", "d.json": file(power("x-1", "200")) })).toEqual([0, ["1 passed, 0 failed, 0 skipped"]]);
  });
});
