import type { CalculatorValue } from "../../../../shared/contract/calculators.ts";
import type { Message } from "../../../../shared/contract/report.ts";
import { toNumber, whole, type Rational } from "../../../../shared/domain/rational.ts";
import { ok } from "../../../../shared/result.ts";
import { stagedPath, type Stage } from "../staged-path.ts";
import { line, said, valued, valueOf, type Calculator } from "./given.ts";

const tones = { fits: "well", enter: "well", wait: "plain", unknown: "unknown" } as const;

/** From one GPU to a reserved cluster: a test to enter each stage, and what it costs. */
export const path: Calculator = {
  id: "path",
  work: (given) => {
    const stages = stagedPath({
      workHours: valueOf(given, "work-hours"),
      neededMemoryGigabytes: valueOf(given, "needed-memory"),
      gpuMemoryGigabytes: valueOf(given, "gpu-memory"),
      deadlineHours: valueOf(given, "deadline-hours"),
      nodeGpus: valueOf(given, "node-gpus"),
      nodeEfficiency: valueOf(given, "node-efficiency"),
      clusterGpus: valueOf(given, "cluster-gpus"),
      clusterEfficiency: valueOf(given, "cluster-efficiency"),
      efficiencyFloor: valueOf(given, "efficiency-floor") ?? whole(0),
      singleHourly: valueOf(given, "single-price"),
      nodeHourly: valueOf(given, "node-price"),
      clusterHourly: valueOf(given, "cluster-price"),
      reservedHourly: valueOf(given, "reserved-price"),
      monthHours: valueOf(given, "month-hours") ?? whole(730),
    });
    const current = stages.findLast(({ state }) => state === "enter" || state === "fits") ?? null;
    const isUnknown = current === null && stages.some(({ state }) => state === "unknown");
    return ok({
      lines: [
        line(given, "stage", current === null ? (isUnknown ? null : said("calc.path.none")) : said(`calc.path.stage-${current.id}`), "count", { isMain: true, needs: ["work-hours", "needed-memory", "gpu-memory", "deadline-hours"], why: "not-stated" }),
        line(given, "stage-cost", current?.monthly ?? null, "money", { needs: ["single-price", "node-price", "cluster-price"], why: "not-stated" }),
        line(given, "stage-hour", current?.perWorkHour ?? null, "rate", { needs: ["single-price", "node-price", "cluster-price"], why: "not-stated" }),
      ],
      table: {
        id: "path",
        columns: ["stage", "gpus", "entry-test", "wall-hours", "use", "cost", "state"],
        rows: stages.map((stage) => ({ id: stage.id, tone: tones[stage.state], cells: cellsOf(stage) })),
      },
      notes: current === null && !isUnknown ? [said("calc.path.note.none")] : [],
    });
  },
};

function cellsOf(stage: Stage): readonly (CalculatorValue | null)[] {
  return [
    { message: said(`calc.path.stage-${stage.id}`) },
    shown(stage.gpus, "count"),
    { message: testMessage(stage) },
    shown(stage.wallHours, "hours"),
    shown(stage.use, "ratio"),
    shown(stage.monthly, "money"),
    { message: said(`calc.path.state-${stage.state}`) },
  ];
}

function shown(value: Rational | null, unit: "count" | "hours" | "ratio" | "money"): CalculatorValue | null {
  return value === null ? null : valued(value, unit);
}

/** The test that decides: the first that fails, else the last. */
function testMessage({ tests }: Stage): Message {
  const deciding = tests.find(({ passes }) => passes === false) ?? tests.find(({ passes }) => passes === null) ?? tests.at(-1);
  if (deciding === undefined) return said("calc.path.test-none");
  const { test, has, needs, passes } = deciding;
  if (passes === null || has === null || needs === null) return said(`calc.path.test-${test}-unknown`);
  const isShare = test === "efficiency" || test === "use";
  const param = (value: Rational) => (isShare ? { ratio: toNumber(value) } : { number: toNumber(value), digits: 0 });
  return said(`calc.path.test-${test}-${passes ? "passed" : "failed"}`, { has: param(has), needs: param(needs) });
}
