import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { answerOf } from "../../../errors/world.ts";

const resourcesFolder = join(import.meta.dirname, "../../../../resources");
let folder = "";
let engine: Engine;

/** Ten hours of an Azure machine with four A100 in the Netherlands, and of one that no list sells. */
const head = "ProviderName,BillingAccountId,SubAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency,BilledCost,EffectiveCost,ListCost,ContractedCost,ConsumedQuantity,ConsumedUnit,PricingQuantity,PricingUnit,ServiceName,RegionId,ResourceId,ChargeDescription";
const hour = (at: number, provider: string, region: string, machine: string): string =>
  [provider, "1", "a", "2026-09-01T00:00:00Z", "2026-10-01T00:00:00Z", `2026-09-01T0${at}:00:00Z`, at === 9 ? "2026-09-01T10:00:00Z" : `2026-09-01T0${at + 1}:00:00Z`, "Usage", "USD", "10", "10", "10", "10", "1", "Hours", "1", "Hours", "Virtual Machines", region, `vm-${provider}-${machine}`, machine].join(",");
const tens = Array.from({ length: 10 }, (_, at) => at);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-regions-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: folder, resourcesFolder, jobRunner: "inline", emit: () => undefined });
  answerOf(await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true }));
  writeFileSync(join(folder, "bill.csv"), `${[head, ...tens.map((at) => hour(at, "Microsoft", "westeurope", "Standard_NC96ads_A100_v4"))].join("\n")}\n`);
  const { plan } = answerOf(await engine.ask("import.preview", { files: [join(folder, "bill.csv")], options: {} }));
  answerOf(await engine.ask("import.post", { plan }));
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("cleaner regions", () => {
  it("name the one with the least PUE × grid among those that sell the machine, and what it would have saved", async () => {
    const { lines } = answerOf(await engine.ask("carbon.regions", { period: "2026-09", scope: {}, need: "anywhere" }));
    const { total } = answerOf(await engine.ask("carbon.read", { period: "2026-09", scope: {} }));
    const [line] = lines;
    expect(line).toMatchObject({ provider: "Microsoft", gpuModel: "A100", now: { region: "westeurope", country: "NL" }, gpuHours: 40, nowMicrograms: total.locationMicrograms });
    expect(Number(line?.best?.gramsPerKwh)).toBeLessThan(Number(line?.now.gramsPerKwh));
    // 1 kWh of IT energy is 1e6 mWh, and mWh × g/kWh is micrograms.
    expect(Number(line?.bestMicrograms)).toBeCloseTo(Number(total.itMilliwattHours) * Number(line?.best?.gramsPerKwh), -1);
    expect(Number(line?.nowMicrograms)).toBeCloseTo(Number(total.itMilliwattHours) * Number(line?.now.gramsPerKwh), -1);
  });

  it("stay within the country where that is needed, and keep to clouds that are open to the account", async () => {
    const within = answerOf(await engine.ask("carbon.regions", { period: "2026-09", scope: {}, need: "country" })).lines;
    expect(within[0]?.best ?? null).toBeNull();
    const anywhere = answerOf(await engine.ask("carbon.regions", { period: "2026-09", scope: {}, need: "anywhere" })).lines;
    expect(anywhere.flatMap(({ best }) => best?.region ?? []).filter((region) => /gov|china|^cn-/.test(region))).toEqual([]);
  });

  it("are things to do, with the price difference of the machine's hours", async () => {
    const [line] = answerOf(await engine.ask("carbon.regions", { period: "2026-09", scope: {}, need: "anywhere" })).lines;
    const { lines } = answerOf(await engine.ask("carbon.actions", { period: "2026-09", currency: null }));
    const [action] = lines;
    expect(lines.filter(({ kind }) => kind === "region")).toHaveLength(1);
    expect(action).toMatchObject({ kind: "region", region: "westeurope", to: line?.best?.region, micrograms: (line?.nowMicrograms ?? 0n) - (line?.bestMicrograms ?? 0n), isTaken: false });
    // Ten hours of a machine.
    expect(Number(action?.saving)).toBeCloseTo((Number(line?.now.pricePerHour) - Number(line?.best?.pricePerHour)) * 10, 9);
    expect(action?.currency).toBe("USD");
  });
});
