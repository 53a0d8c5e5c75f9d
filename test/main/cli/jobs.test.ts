import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCli } from "../../../main/cli/index.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-cli-jobs-"));
  writeFileSync(join(folder, "sacct.txt"), `JobID|User|Account|JobName|Start|End|Elapsed|NodeList|AllocTRES
1|ann|vision|train|2026-09-01T00:00:00|2026-09-01T01:00:00|01:00:00|gpu[01-02]|gres/gpu:h100=16,gres/gpu=16
2|bob|speech|slice|2026-09-01T02:00:00|2026-09-01T02:30:00|00:30:00|gpu03|gres/gpu:1g.10gb=1
`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(...words: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  let out = "";
  const code = await runCli([...words, "--ledger", join(folder, "own.gpuledger")], { out: (text) => (out += text), err: () => undefined, environment: {} });
  return { code, out };
}

it("prints the jobs of a period in both languages, and what is not known as a dash", async () => {
  expect((await run("import", join(folder, "sacct.txt"))).code).toBe(1);
  expect((await run("import", join(folder, "sacct.txt"), "--timezone", "UTC")).code).toBe(0);

  const english = (await run("jobs", "--period", "2026-09", "--by", "user", "--lang", "en")).out.trimEnd().split("\n").map((line) => line.split("\t"));
  expect(english.map(([key, jobs, hours, , utilization]) => [key, jobs, hours, utilization])).toEqual([
    ["User", "Jobs", "GPU-hours held", "Utilization"],
    ["ann", "1", "16.00", "—"],
    ["bob", "1", "—", "—"],
    ["Total", "2", "16.00", "—"],
  ]);
  expect((await run("jobs", "--period", "2026-09", "--lang", "zh-CN")).out).toContain("占用卡时");
  expect(JSON.parse((await run("jobs", "--period", "2026-09", "--json")).out)).toMatchObject({ by: "job", total: { jobs: 2, gpuHours: 16, gpuHoursCoverage: 0.5, cost: null } });
  expect((await run("jobs", "--period", "2026-08", "--lang", "en")).out).toBe("No job held GPUs in this period, as far as imports say.\n");
  expect((await run("jobs", "--period", "2026-09", "--by", "nobody")).code).toBe(2);
});
