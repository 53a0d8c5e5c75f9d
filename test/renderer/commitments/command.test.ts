import { expect, it } from "vitest";
import { parseCommandLine } from "../../../main/cli/arguments.ts";
import { planInputsOf } from "../../../main/cli/plan.ts";
import { planOptions } from "../../../renderer/commitments/command.ts";
import { commandOf } from "../../../renderer/reports/command.ts";
import { defaultPlanInputs, type PlanInputs } from "../../../shared/contract/plan.ts";

const asked: PlanInputs = {
  pool: '["AWS","us-east-1","H100","p5.48xlarge","USD"]', weeks: 4, leavesOutOneOffs: false, leavesOutIdle: true, leavesOutSpot: true, netsExisting: false, renewsExpiring: true, onDemandHourly: "3.75", lotGpus: "8", maximumGpus: "64",
  growthPercentAMonth: -1.5, declinePercentAYear: 10, discountPercentAYear: 12, spotPercent: 30, migrationCost: "5000", acceptsOldPrices: true, option: "quote 0", gpus: "40",
  quotes: [
    { kind: "commitment", termMonths: 36, payment: "partial-upfront", upfront: "1000", hourly: "1.72", monthly: null, isConvertible: true, quotedOn: "2026-09-01", note: null },
    { kind: "subscription", termMonths: 1, payment: "no-upfront", upfront: null, hourly: null, monthly: "2100", isConvertible: false, quotedOn: null, note: null },
  ],
};

it("copies a command that asks in the terminal what the window asks", () => {
  for (const inputs of [asked, defaultPlanInputs, { ...defaultPlanInputs, leavesOutSpot: false, leavesOutOneOffs: false }]) {
    const line = parseCommandLine(["plan", "--ledger", "l.gpuledger", ...planOptions(inputs)]);
    if (!line.ok) throw new Error(line.error.code);
    expect(planInputsOf(line.value, defaultPlanInputs)).toEqual({ ok: true, value: inputs });
  }
});

it("says nothing that stands at its default", () => {
  const request = { report: "commitments", period: "2026-09", scope: { provider: ["AWS"] }, basis: "EffectiveCost", currency: null, plan: { ...defaultPlanInputs, weeks: 4 } } as const;
  expect(commandOf(request, { ledgerName: "x.gpuledger", language: "en", isPackaged: true })).toBe("gpu-ledger --headless plan --ledger x.gpuledger --period 2026-09 --lookback 28 --scope provider=AWS --lang en");
});

it("refuses what is no price, no percentage and no window", () => {
  const read = (...words: string[]) => {
    const line = parseCommandLine(["plan", "--ledger", "l.gpuledger", ...words]);
    return line.ok ? planInputsOf(line.value, defaultPlanInputs) : line;
  };
  for (const words of [["--lookback", "30"], ["--on-demand", "cheap"], ["--growth", "fast"], ["--leave-out", "weekends"], ["--quote", "barter,12"], ["--quote", "commitment,0,hourly=1"], ["--quote", "commitment,12,hourly=free"]]) {
    expect(read(...words)).toMatchObject({ ok: false, error: { code: "use.invalid", params: { option: words[0] } } });
  }
  expect(read("--lookback", "13w")).toMatchObject({ ok: true, value: { weeks: 13 } });
});
