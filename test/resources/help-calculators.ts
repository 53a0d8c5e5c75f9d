import { calculators } from "../../main/engine/planning/calculators/index.ts";
import { readFields, type Facts } from "../../main/engine/planning/calculators/given.ts";
import { hostBalance } from "../../main/engine/planning/host-balance.ts";
import { billingGranularity, type BusyDevice } from "../../main/engine/planning/billing-granularity.ts";
import { meanTimeToInterruption } from "../../main/engine/planning/interruptions.ts";
import { selectionOutcome } from "../../main/engine/planning/vendor-selection.ts";
import { stagedPath } from "../../main/engine/planning/staged-path.ts";
import { selectionSteps, type CalculatorId, type CalculatorLine, type SelectionStep, type VendorSelection } from "../../shared/contract/calculators.ts";
import { decimal, ONE, rational, toNumber, whole, ZERO, type Rational } from "../../shared/domain/rational.ts";

/** The results of the help page of the calculators, by section, in the order in which the page prints them. */
export function calculatorResults(): Readonly<Record<string, readonly string[]>> {
  const batch = run("batch", { "gpu-memory": "80", parameters: "7B", "bytes-per-parameter": "2", "sample-memory": "0.9" });
  const training = (mfu: string) => run("training", { parameters: "7B", tokens: "2T", "peak-tflops": "989", mfu, gpus: "256", "gpu-price": "2.5" });
  const serving = run("serving", { price: "3.6", "tokens-per-second": "1000", load: "25", "api-price": "2" });
  const spot = run("spot", { "mean-time": "24", "spot-price": "1.8", "on-demand-price": "12", checkpoint: "3", restart: "12" });
  const serverless = run("serverless", { requests: "500k", "request-seconds": "1.2", "second-rate": "0.0014", "request-fee": "0", "replica-price": "2.5", "replica-rate": "0.8" });
  const owned = run("owned", { capex: "1800", residual: "600", "life-months": "36", "used-hours": "160", "busy-kw": "0.45", "idle-kw": "0.02", "powered-hours": "730", tariff: "0.22", upkeep: "5", "cloud-price": "0.69" });
  const [vcpu, ram] = hostBalance({ gpus: whole(8), gpuMemoryGigabytes: whole(80), vcpus: whole(96), vcpusPerGpu: whole(8), ramGigabytes: whole(1024), nvmeGigabytes: null, dataGigabytes: null, nodes: ONE, hasRdma: null });
  const mig = run("slice", { "gpu-price": "4" }, { profile: { text: "1g", computeShare: rational(14n, 108n), memoryShare: rational(1n, 8n), count: 7 } });
  const half = run("slice", { "gpu-price": "4", "compute-share": "50", "memory-share": "50", loss: "40" });
  const [, node, , reserved] = stagedPath({
    workHours: whole(1400), neededMemoryGigabytes: whole(120), gpuMemoryGigabytes: whole(80), deadlineHours: whole(720), nodeGpus: whole(8), nodeEfficiency: decimal("0.92"), clusterGpus: whole(32), clusterEfficiency: decimal("0.78"),
    efficiencyFloor: decimal("0.7"), singleHourly: whole(3), nodeHourly: decimal("3.4"), clusterHourly: decimal("3.8"), reservedHourly: decimal("2.1"), monthHours: whole(730),
  });
  const busy = (seconds: number, hours: number): BusyDevice => ({ busySeconds: whole(seconds), busyHours: whole(hours), starts: ONE, share: ONE });
  const granularity = billingGranularity({ devices: [busy(1800, 1), busy(5400, 2)], monthHours: whole(720), secondHourly: whole(4), hourHourly: whole(3), monthly: whole(1440), startSeconds: ZERO });
  const outcome = selectionOutcome(exampleSelection(), null);
  return {
    "calculators#batch": [batch("weights").toFixed(1), batch("free").toFixed(1), String(batch("batch-size"))],
    "calculators#training": [thousands(training("40")("flop"), 0), thousands(training("40")("gpu-hours"), 0), training("40")("wall-hours").toFixed(1), thousands(training("40")("cost"), 2), thousands(training("20")("cost"), 2)],
    "calculators#serving": [serving("usage-based").toFixed(2), serving("allocation-based").toFixed(2), percent(serving("break-even-load"))],
    "calculators#spot": [
      spot("interval-exact").toFixed(1), spot("interval-young").toFixed(1), spot("overhead").toFixed(3), spot("cost-per-useful-hour").toFixed(2), percent(spot("saving")), percent(spot("needs-price")),
      String(meanTimeToInterruption([{ hours: 300, wasInterrupted: false }]).atLeastHours),
    ],
    "calculators#granularity": [
      ...[granularity.billedBySecond, granularity.billedByHour, granularity.billedByMonth].map((hours) => thousands(toNumber(hours), 0)),
      ...[granularity.bySecond, granularity.byHour, granularity.byMonth].map((cost) => thousands(known(cost), 2)),
      percent(known(granularity.breakEvenUse)),
    ],
    "calculators#serverless": [serverless("serverless-monthly").toFixed(2), thousands(serverless("always-on-monthly"), 2), thousands(serverless("break-even-requests"), 0)],
    "calculators#owned": [owned("owned-monthly").toFixed(2), owned("cloud-monthly").toFixed(2), percent(owned("saving")), owned("break-even-hours").toFixed(1), owned("claim-hours").toFixed(1)],
    "calculators#host": [String(known(vcpu?.perGpu)), String(known(ram?.ratio)), thousands(known(ram?.needs), 0)],
    "calculators#slice": [percent(mig("effective")), percent(mig("stranded")), half("full-equivalent").toFixed(2), percent(half("penalty"))],
    "calculators#path": [known(node?.wallHours).toFixed(1), thousands(known(node?.monthly), 2), percent(known(reserved?.tests[0]?.needs)), percent(known(reserved?.use))],
    "calculators#vendors": [
      ...outcome.vendors.map(({ score }) => score ?? ""),
      String(Number(outcome.ties.find(({ step }) => step === "benchmark")?.weight)),
      percent(Number(outcome.vendors[0]?.quotes[0]?.discount)),
    ],
  };
}

/** A calculator over what the page states; gives its results by their ids. */
function run(id: CalculatorId, typed: Readonly<Record<string, string>>, facts: Facts = {}): (line: string) => number {
  const read = readFields(id, typed);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const worked = calculators[id].work({ currency: "USD", values: read.value.values, choices: read.value.choices, facts });
  if (!worked.ok) throw new Error(JSON.stringify(worked.error));
  return (line) => numberOf(worked.value.lines.find((each) => each.id === line));
}

function numberOf(line: CalculatorLine | undefined): number {
  if (line === undefined || line.shown === null || "message" in line.shown) throw new Error(`no number: ${line?.id ?? ""}`);
  return Number(line.shown.value);
}

function exampleSelection(): VendorSelection {
  const each = <T>(of: (index: number) => T): Record<SelectionStep, T> => Object.fromEntries(selectionSteps.map((step, index) => [step, of(index)])) as Record<SelectionStep, T>;
  const vendor = (name: string, scores: readonly string[], quotes: VendorSelection["vendors"][number]["quotes"]) => ({ name, steps: each((index) => ({ score: scores[index] ?? null, evidence: "", source: "", foundOn: null })), quotes });
  return {
    id: 1, changedAt: "", name: "example", currency: "USD", workload: "", weights: each((index) => ["35", "20", "15", "15", "15"][index] ?? "0"), minimums: each(() => null), pilot: null, decision: { vendor: null, reason: "", by: "" },
    vendors: [vendor("first", ["8", "7", "9", "6", "8"], [{ item: "machine", list: "27.2", quoted: "19.58", validUntil: null }]), vendor("second", ["9", "7", "6", "7", "6"], [])],
  };
}

function known(value: Rational | null | undefined): number {
  if (value === null || value === undefined) throw new Error("not known");
  return toNumber(value);
}

function thousands(value: number, digits: number): string {
  return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1).replace(/\.0$/, "")}%`;
}
