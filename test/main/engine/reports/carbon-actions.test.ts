import { describe, expect, it } from "vitest";
import { carbonActions, type CarbonActionInputs } from "../../../../main/engine/reports/carbon-actions.ts";
import type { CarbonRow } from "../../../../shared/contract/carbon.ts";
import type { CleanerRegion } from "../../../../shared/contract/cleaner-regions.ts";
import type { ActionLine, FindingLine } from "../../../../shared/contract/teams.ts";

const KG = 1_000_000_000n;
const move: CleanerRegion = {
  provider: "AWS", gpuModel: "H100", instanceType: "p5.48xlarge", gpuHours: 1600, known: 3, nowMicrograms: 900n * KG, bestMicrograms: 300n * KG,
  now: { region: "us-east-1", country: "US", gramsPerKwh: "300", pricePerHour: "55.04", currency: "USD" }, best: { region: "eu-north-1", country: "SE", gramsPerKwh: "100", pricePerHour: "50.04", currency: "USD" },
};
/** 100 kg from 400 kWh, of which the GPUs drew 20 + 12 + 8 while idle. */
const row = {
  resource: "i-1", provider: "AWS", region: "us-east-1", gpuModel: "H100", instanceType: "p5.48xlarge", team: "vision", currency: "USD", locationMicrograms: 100n * KG, itMilliwattHours: 400_000_000n,
  heldIdleMilliwattHours: 20_000_000n, deadIdleMilliwattHours: 12_000_000n, idleMemoryUnknownMilliwattHours: 8_000_000n,
} as unknown as CarbonRow;
const finding = { key: '["idle","i-1"]', kind: "idle", resource: "i-1", team: "vision", owner: "Ana", expected: "41.5" } as unknown as FindingLine;
const inputs: CarbonActionInputs = { rows: [row], regions: [move], actions: { actions: [], findings: [finding] }, gpusOf: () => 8, hostOf: () => "node-1", months: 1 };

describe("what would emit less", () => {
  it("is a machine in a cleaner region, with its kilograms and what the lists say it saves", () => {
    // 900 − 300 kg; 5 an hour × 1,600 GPU-hours ÷ 8 GPUs.
    expect(carbonActions(inputs)[0]).toMatchObject({ kind: "region", region: "us-east-1", to: "eu-north-1", micrograms: 600n * KG, saving: "1000", currency: "USD", isTaken: false });
  });

  it("is idle time, by its share of the energy, with the saving and the person of its finding", () => {
    // 100 kg × 40 of 400 kWh.
    expect(carbonActions(inputs)[1]).toMatchObject({ kind: "idle", key: finding.key, resource: "i-1", resourceName: "node-1", owner: "Ana", micrograms: 10n * KG, saving: "41.5" });
  });

  it("is of a mean month, dearer where the lists say so, and without money where none is known", () => {
    const dear = { ...move, best: { ...move.best!, pricePerHour: "57.04" } };
    expect(carbonActions({ ...inputs, regions: [dear], months: 2 })[0]).toMatchObject({ micrograms: 300n * KG, saving: "-200" });
    const unpriced = carbonActions({ ...inputs, regions: [{ ...move, best: { ...move.best!, pricePerHour: null } }], actions: { actions: [], findings: [] } });
    expect(unpriced.map(({ saving, key }) => [saving, key])).toEqual([[null, '["carbon-region","AWS","us-east-1","H100","p5.48xlarge"]'], [null, finding.key]]);
    expect(carbonActions({ ...inputs, gpusOf: () => null })[0]?.saving).toBeNull();
  });

  it("leaves out what would emit nothing less, and rows without a factor", () => {
    expect(carbonActions({ ...inputs, regions: [{ ...move, best: null, bestMicrograms: null }], rows: [{ ...row, locationMicrograms: null }] })).toEqual([]);
    expect(carbonActions({ ...inputs, regions: [], rows: [{ ...row, heldIdleMilliwattHours: 0n, deadIdleMilliwattHours: 0n, idleMemoryUnknownMilliwattHours: 0n }, { ...row, resource: null }] })).toEqual([]);
  });

  it("says what stands in the register already", () => {
    // Once it is taken up the finding is gone, and its action says what it saves.
    const actions = [{ findingKey: finding.key, expected: "41.5", owner: "Bo" } as unknown as ActionLine];
    expect(carbonActions({ ...inputs, actions: { actions, findings: [] } }).map(({ kind, isTaken, saving, owner }) => [kind, isTaken, saving, owner])).toEqual([["region", false, "1000", null], ["idle", true, "41.5", "Bo"]]);
  });
});
