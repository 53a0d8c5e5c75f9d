import { describe, expect, it } from "vitest";
import { decimal, toDecimal, whole, ZERO } from "../../../../shared/domain/rational.ts";
import { stagedPath, type PathInputs } from "../../../../main/engine/planning/staged-path.ts";

const inputs: PathInputs = {
  workHours: whole(500), neededMemoryGigabytes: whole(60), gpuMemoryGigabytes: whole(80), deadlineHours: whole(720),
  nodeGpus: whole(8), nodeEfficiency: decimal("0.9"), clusterGpus: whole(32), clusterEfficiency: decimal("0.8"), efficiencyFloor: decimal("0.7"),
  singleHourly: whole(3), nodeHourly: whole(3), clusterHourly: whole(4), reservedHourly: whole(2), monthHours: whole(730),
};
const states = (change: Partial<PathInputs>) => stagedPath({ ...inputs, ...change }).map(({ state }) => state);

describe("the way from one GPU to a reserved cluster", () => {
  it("stays on one GPU while the work fits", () => expect(states({})).toEqual(["fits", "wait", "wait", "wait"]));

  it("enters a node for memory or time, if it is efficient enough", () => {
    expect(states({ neededMemoryGigabytes: whole(200) })).toEqual(["wait", "enter", "wait", "wait"]);
    expect(states({ workHours: whole(2000) })).toEqual(["wait", "enter", "wait", "wait"]);
    expect(states({ workHours: whole(2000), nodeEfficiency: decimal("0.6") })).toEqual(["wait", "wait", "wait", "wait"]);
  });

  it("reserves only above the break-even, committed ÷ on-demand price", () => {
    // 32 GPUs at 80 %: 10,240 hours of work take 400 h, 54.8 % of 730; 2 ÷ 4 is 50 %.
    expect(states({ workHours: whole(10_240) })).toEqual(["wait", "wait", "enter", "enter"]);
    expect(states({ workHours: whole(10_240), reservedHourly: decimal("2.5") })).toEqual(["wait", "wait", "enter", "wait"]);
  });

  it("pays for what the hours lose: work ÷ efficiency × price, the reserved for all hours", () => {
    const [single, node, , reserved] = stagedPath(inputs);
    expect(toDecimal(single?.monthly ?? ZERO)).toBe("1500");
    expect(Number(toDecimal(node?.monthly ?? ZERO))).toBeCloseTo(1500 / 0.9, 9);
    expect(toDecimal(reserved?.monthly ?? ZERO)).toBe("46720");
  });

  it("knows no stage where a number is missing", () => expect(states({ neededMemoryGigabytes: null })).toEqual(["unknown", "unknown", "unknown", "unknown"]));
});
