import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli, type CliStreams } from "../../../main/cli/index.ts";
import { focusBill } from "../engine/import/bills-of.ts";
import { connectionWith, startLocalAws, type LocalAws } from "../connect/local-aws.ts";

let folder = "";
let ledger = "";
let aws: LocalAws;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-terminal-"));
  ledger = join(folder, "mine.gpuledger");
  aws = await startLocalAws();
});
afterEach(async () => {
  await aws.close();
  rmSync(folder, { recursive: true, force: true });
});

async function terminal(words: readonly string[], streams: Partial<CliStreams> = {}): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const out: string[] = [];
  const told: string[] = [];
  const code = await runCli([...words, "--ledger", ledger], { out: (text) => out.push(text), err: (text) => told.push(text), environment: {}, connect: () => connectionWith(aws.environment), wait: () => Promise.resolve(), ...streams });
  return { code, out: out.join(""), err: told.join("") };
}

function fileOf(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe("pull aws", () => {
  const forecast = ["pull", "aws", "--period", new Date().toISOString().slice(0, 7), "--parts", "forecast"];

  it("says the price and sends nothing until it is agreed to", async () => {
    const refused = await terminal(forecast);
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("1 request to AWS at $0.01");
    expect(refused.err).toContain("connect.unconfirmed");
    const asked: string[] = [];
    const denied = await terminal(forecast, { confirm: (question) => Promise.resolve(asked.push(question) === 0) });
    expect([denied.code, asked]).toEqual([1, ["Send them now? [y/N]"]]);
    expect(aws.asked).toEqual([]);
  });

  it("answers in words and as data, and asks nothing twice", async () => {
    const { code, out, err } = await terminal([...forecast, "--yes"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^\d{4}-\d{2} {2}AWS foresees \$100\.50 \(\$90\.10 to \$111\.90\)\n/);
    expect(err).toContain("Done: 1 request sent, $0.01.");
    const again = await terminal([...forecast, "--json"]);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.out)).toMatchObject({ outcome: null, answers: { requestsSent: 1, price: "0.01", forecast: [{ mean: "100.5" }, {}, {}] } });
    expect(aws.asked).toHaveLength(1);
  });

  it("ends with 1 and the words of what AWS refused", async () => {
    aws.tell("GetCostForecast", () => ({ error: "AccessDeniedException", message: "not authorized" }));
    const { code, err } = await terminal([...forecast, "--yes"]);
    expect(code).toBe(1);
    expect(err).toContain("connect.access-denied: The profile “default” may not make the call ce:GetCostForecast.");
  });

  it.each([
    [["pull", "--period", "2026-09"], "use.missing"],
    [["pull", "azure", "--period", "2026-09"], "use.invalid"],
    [["pull", "aws"], "use.missing"],
    [["pull", "aws", "--period", "soon"], "period.invalid"],
    [["pull", "aws", "--period", "2026-09", "--parts", "everything"], "use.invalid"],
    [["pull", "aws", "--period", "2026-09", "--most", "0"], "use.invalid"],
  ])("is wrong use as %s", async (words, code) => {
    const { code: exit, err } = await terminal(words);
    expect([exit, err.split(":")[0]]).toEqual([2, code]);
  });
});

describe("reconcile, rates and totals --in", () => {
  it("take an invoice over, hold the month against it, and convert it by the rates of its days", async () => {
    const bill = fileOf("bill.csv", focusBill([{ day: "2026-09-01", cost: "108.32" }, { day: "2026-09-12", cost: "1" }]));
    expect((await terminal(["import", bill])).code).toBe(0);
    const invoices = fileOf("invoices.csv", "Month,Provider,Currency,Amount\n2026-09,AWS,USD,109.32\n");
    expect((await terminal(["reconcile", "import", invoices, "--preview"])).out).toContain("1 new");
    expect((await terminal(["reconcile", "--period", "2026-09"])).out).toContain("no invoice yet");
    await terminal(["reconcile", "import", invoices]);
    const reconciled = await terminal(["reconcile", "--period", "2026-09"]);
    expect(reconciled.out).toContain("invoice $109.32  ledger $109.32  difference $0.00  unexplained $0.00  reconciled");
    expect(JSON.parse((await terminal(["reconcile", "--period", "2026-09", "--json"])).out)).toMatchObject({ lines: [{ provider: "AWS", isReconciled: true }] });

    const rates = fileOf("rates.csv", "Date,USD\n2026-09-01,1.0832\n");
    expect((await terminal(["rates", "import", rates])).out).toContain("1 new");
    expect((await terminal(["rates"])).out).toContain("EUR/USD  1.0832 on 2026-09-01");
    const totals = await terminal(["totals", "--period", "2026-09", "--in", "eur", "--by", "provider"]);
    expect(totals.out.split("\n").map((line) => line.split("\t").slice(0, 3))).toEqual([["Provider", "In", "BilledCost"], ["AWS", "EUR", "100"], ["Total", "EUR", "100"], [""]]);
    expect(totals.err).toContain("1 day in USD has no rate (2026-09-12): 1 USD is in no total here.");
  });
});
