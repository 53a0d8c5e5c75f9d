import { describe, expect, it } from "vitest";
import { gather } from "../../../../main/engine/reports/gather.ts";
import { actionsOf, keepAction, storedActions } from "../../../../main/engine/teams/actions.ts";
import { rightsizings } from "../../../../main/engine/teams/rightsizing.ts";
import type { ActionInput } from "../../../../shared/contract/teams.ts";
import { formatAttos } from "../../../../shared/domain/money.ts";
import { addDevice, addGpuHourCosts, addGpuHours, ledgerWith } from "../ledger-with.ts";
import { billHours, contextOf } from "../reports/company.ts";
import { DOLLAR } from "../reports/look.ts";

const h100 = { ProviderName: "AWS", BillingAccountId: "111122223333", x_Team: "vision", ResourceId: "i-0aaa", x_GpuModel: "H100", x_AcceleratorId: "nvidia-h100-sxm5-80gb", x_PurchaseOption: "on-demand" as const, ServiceName: "EC2" };

/** A machine with one H100 for an hour of $10, its memory and use as given. */
function gatheredWith({ memory, use, option = "on-demand", known = 1 }: { readonly memory: number | null; readonly use: number; readonly option?: "on-demand" | "commitment"; readonly known?: number }) {
  const series = { ...h100, x_PurchaseOption: option };
  const ledger = ledgerWith({ deliveries: [{ provider: "AWS", month: "2026-09", cells: [{ day: "2026-09-22", cost: "10", series, GpuHours: 1 }] }] });
  billHours(ledger, 1, series);
  addGpuHourCosts(ledger, [{ hour: "2026-09-22T08:00:00Z", series, GpuHours: 1, KnownGpuHours: known, UsefulGpuHours: use, IdleGpuHours: 0.2, EffectiveCost: "10", ProductiveCost: "8", DeadIdleCost: "2" }]);
  const device = addDevice(ledger.db, { host: "i-0aaa", index: 0 });
  addGpuHours(ledger, [{ hour: "2026-09-22T08:00:00Z", device, KnownSeconds: 3600, MemoryKnownSeconds: memory === null ? 0 : 3600, MemoryShareMean: memory, MemoryShareP95: memory, MemorySharePeak: memory, UtilizationMean: use, ActiveSeconds: 3600 }]);
  const gathered = gather(contextOf(ledger), { period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null });
  if (gathered === null) throw new Error("a month is a period");
  return { ledger, gathered };
}

describe("machines that could be smaller", () => {
  it("are those whose memory and work fit a slice of the card, for the part of the card that is left", () => {
    // 8 GB of 80 with a tenth to spare, and 10 % of the compute: a seventh by compute slices, an eighth by memory.
    const [found] = rightsizings(gatheredWith({ memory: 0.1, use: 0.1 }).gathered);
    expect(found).toMatchObject({ resource: "i-0aaa", host: "i-0aaa", team: "vision", to: "MIG 1g.10gb", cost: 10n * DOLLAR });
    expect(Number(formatAttos(found?.saving ?? 0n))).toBeGreaterThan(8);
    expect(found !== undefined && found.saving < found.cost).toBe(true);
  });

  it("are none where memory or work fill the card, where nobody looked, or where a term is paid anyway", () => {
    expect(rightsizings(gatheredWith({ memory: 0.9, use: 0.1 }).gathered)).toEqual([]);
    expect(rightsizings(gatheredWith({ memory: 0.1, use: 0.95 }).gathered)).toEqual([]);
    expect(rightsizings(gatheredWith({ memory: null, use: 0.1 }).gathered)).toEqual([]);
    expect(rightsizings(gatheredWith({ memory: 0.1, use: 0.1, known: 0.5 }).gathered)).toEqual([]);
    expect(rightsizings(gatheredWith({ memory: 0.1, use: 0.1, option: "commitment" }).gathered)).toEqual([]);
  });
});

describe("the register of actions", () => {
  const action = (change: Partial<ActionInput>): ActionInput => ({ id: null, findingKey: null, kind: "other", subject: "s", resource: null, team: null, owner: "Ana", dueOn: "2026-10-15", state: "open", currency: "USD", expected: null, realised: null, note: null, ...change });

  it("counts what overlaps on a machine once, and never more than the machine costs", () => {
    const { ledger, gathered } = gatheredWith({ memory: 0.1, use: 0.1 });
    const { findings, identified } = actionsOf(gathered, "2026-09");
    expect(findings.map(({ kind }) => kind).sort()).toEqual(["idle", "rightsizing"]);
    // Nothing of it was replayed, so nothing is claimed; and it says why.
    expect(findings.find(({ kind }) => kind === "idle")).toMatchObject({ expected: null, notReplayed: { why: "no-log", gpusSeen: 0 } });
    expect(findings.find(({ kind }) => kind === "rightsizing")?.notReplayed).toBeNull();
    const largest = findings.find(({ kind }) => kind === "rightsizing")?.expected;
    expect(identified).toBe(largest);
    keepAction(ledger.db, action({ resource: "i-0aaa", expected: "99" }), "2026-10-01T00:00:00Z");
    expect(actionsOf(gathered, "2026-09").identified).toBe("10");
  });

  it("measures what a done action saved, once bills cover the month after; what a person wrote counts before it", () => {
    const month = (label: string, cost: string) => ({ provider: "AWS", month: label, firstDay: `${label}-01`, lastDay: `${label}-28`, cells: [{ day: `${label}-05`, cost, series: h100 }] });
    const ledger = ledgerWith({ deliveries: [month("2026-07", "10"), month("2026-08", "6"), { ...month("2026-09", "4"), lastDay: "2026-09-30" }] });
    const id = keepAction(ledger.db, action({ kind: "rightsizing", resource: "i-0aaa", state: "done" }), "2026-08-10T00:00:00Z");
    expect(storedActions(ledger)).toMatchObject([{ id, measured: "6" }]);
    const realised = (): string | null => {
      const gathered = gather(contextOf(ledger), { period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null });
      return gathered === null ? null : actionsOf(gathered, "2026-09").realised;
    };
    expect(realised()).toBe("6");
    keepAction(ledger.db, action({ id, kind: "rightsizing", resource: "i-0aaa", state: "done", realised: "5.5" }), "2026-10-02T00:00:00Z");
    expect(realised()).toBe("5.5");
  });
});
