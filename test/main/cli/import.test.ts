import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runCli } from "../../../main/cli/index.ts";
import { zipOf } from "../engine/import/archives-of.ts";
import { focusBill, smiLog } from "../engine/import/bills-of.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-cli-import-"));
  writeFileSync(join(folder, "bill.csv"), focusBill([{ day: "2026-09-01", cost: "98.32", resource: "i-0abc", description: "p5.48xlarge instance hours" }]));
  writeFileSync(join(folder, "smi.csv"), smiLog("2026-09-01", [0, 50, 80]));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function imported(...more: string[]): Promise<string> {
  let said = "";
  const code = await runCli(["import", join(folder, "bill.csv"), join(folder, "smi.csv"), "--timezone", "UTC", "--ledger", join(folder, "own.gpuledger"), ...more], { out: () => undefined, err: (text) => (said += text), environment: {} });
  expect(code).toBe(0);
  return said;
}

it("says which hosts of a log are joined to no billed machine, and what to do", async () => {
  expect(await imported()).toContain("smi is joined to no billed machine");
});

it("says nothing of hosts that are joined", async () => {
  expect(await imported("--host", "i-0abc")).toBe("");
});

it("of an archive ends with 0, and says in words what it mended", async () => {
  const log = smiLog("2026-09-01", [0, 50, 80]);
  const archive = join(folder, "logs.zip");
  writeFileSync(archive, zipOf([{ name: "node-a.csv", bytes: `${log}${log}` }]));
  let said = "";
  const code = await runCli(["import", archive, "--timezone", "UTC", "--ledger", join(folder, "own.gpuledger")], { out: (text) => (said += text), err: () => undefined, environment: {} });
  expect(code).toBe(0);
  expect(said).toContain("Header line repeated inside the file: 1");
});
