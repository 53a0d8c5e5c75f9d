// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { EmissionsCompareAnswer, EmissionsPreview } from "../../../shared/contract/provider-emissions.ts";
import { ok } from "../../../shared/result.ts";
import { CarbonBlocks } from "../../../renderer/carbon/Carbon.tsx";
import { CarbonActions } from "../../../renderer/carbon/CarbonActions.tsx";
import { CleanerRegions } from "../../../renderer/carbon/CleanerRegions.tsx";
import { OwnFactors } from "../../../renderer/carbon/OwnFactors.tsx";
import { ProviderReports } from "../../../renderer/carbon/ProviderReports.tsx";
import { parseGolden } from "../../golden/golden.ts";
import { showWindow } from "../window.tsx";

const { blocks } = parseGolden(readFileSync(join(import.meta.dirname, "../../golden/carbon.json"), "utf8"));
const request = { report: "carbon", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: "USD" } as const;
afterEach(cleanup);

describe.each(["en", "zh-CN"] as const)("the Carbon screen, in %s", (language) => {
  it("draws every block of the report once", () => {
    const { container, missing } = showWindow(<CarbonBlocks blocks={blocks} />, { language });
    const tables = blocks.filter(({ kind }) => kind === "table");
    expect(container.querySelectorAll("table.statement").length).toBe(tables.length);
    expect(container.querySelectorAll(".tile").length).toBe(5);
    expect(missing).toEqual([]);
  });
});

const compared: EmissionsCompareAnswer = {
  period: "2026-09",
  without: ["Microsoft"],
  providers: [{
    provider: "AWS", reports: [], months: ["2026-09"], monthsMissing: ["2026-08"], lagDays: 18, hasScopes: true,
    methods: [
      { method: "location", reportMicrograms: 1_000_000_000n, ledgerMicrograms: 600_000_000n, differenceMicrograms: -400_000_000n, steps: [{ step: "scopes-beyond", micrograms: -150_000_000n, details: [], gpuHours: null }, { step: "not-calculated", micrograms: null, details: [], gpuHours: 12 }, { step: "rest", micrograms: -250_000_000n, details: [], gpuHours: null }] },
      { method: "market", reportMicrograms: null, ledgerMicrograms: 600_000_000n, differenceMicrograms: null, steps: [] },
    ],
  }],
};
const preview: EmissionsPreview = {
  file: "carbon.csv", sha256: "abc", format: "aws-carbon-emissions", provider: "AWS", rowsRead: 2, rows: 1, rowsOutdated: 0, rowsSetAside: 1, accounts: [], modelVersions: [], sameAs: null,
  setAside: [{ file: "carbon.csv", line: 3, column: "total_mbm_emissions_value", value: "-2", reason: "not-negative" }],
  months: [{ month: "2026-09", amounts: { locationMicrograms: 1_000_000_000n, marketMicrograms: null }, was: null }],
};

describe("providers' own reports", () => {
  it("go step by step from the provider's figure to ours, and say what is not stated", async () => {
    showWindow(<ProviderReports request={request} isReadOnly={false} />, { answers: { "provider-emissions.compare": ok(compared), "provider-emissions.list": ok({ reports: [] }) } });
    const table = await screen.findByRole("table", { name: "AWS" });
    expect(within(table).getAllByRole("row").map(({ textContent }) => textContent)).toEqual([
      "location-based", "The provider's report1.00", "less its scope 1 and 3−0.15", "GPU-hours without a figure12 GPU-hours", expect.stringMatching(/^what is left.*−0.25$/), "The ledger's figure: electricity of GPUs and their hosts0.60",
    ]);
    expect(screen.getByText(/It states no market-based figure/).textContent).toContain("It lacks August 2026.");
    expect(screen.getByText("Without a report: Microsoft.")).toBeTruthy();
  });

  it("are previewed before they are imported, with what is set aside and why", async () => {
    const { asked } = showWindow(<ProviderReports request={request} isReadOnly={false} />, {
      answers: { "provider-emissions.compare": ok({ ...compared, providers: [] }), "provider-emissions.list": ok({ reports: [] }), "files.choose": ok([{ token: "t", name: "carbon.csv" }]), "provider-emissions.preview": ok(preview), "provider-emissions.import": ok({ ...preview, report: 1, revision: 2 }) },
    });
    fireEvent.click(await screen.findByText("Import a provider's report"));
    const form = await screen.findByRole("dialog");
    expect(form.textContent).toContain("line 3, total_mbm_emissions_value is “-2”, but an amount of 0 or more was expected");
    fireEvent.click(within(form).getByText("Import"));
    await waitFor(() => expect(asked.find(({ name }) => name === "provider-emissions.import")?.input).toEqual({ file: "t", sha256: "abc", by: null }));
  });
});

describe("factors of one's own", () => {
  it("change closed months only when that is said outright", async () => {
    const difference = { month: "2026-08", isClosed: true, energyBefore: 1n, energyAfter: 1n, locationBefore: 2_000_000_000n, locationAfter: 1_000_000_000n, marketBefore: null, marketAfter: null, embodiedBefore: null, embodiedAfter: null };
    const { asked } = showWindow(<OwnFactors isReadOnly={false} />, {
      answers: { "factors.list": ok({ factors: [] }), "files.choose": ok([{ token: "t", name: "own.csv" }]), "factors.import": ok({ file: "own.csv", added: 1, same: 0, setAside: [], differences: [difference], revision: 2 }) },
    });
    fireEvent.click(await screen.findByText("Import factors"));
    const form = await screen.findByRole("dialog");
    const take = within(form).getByText<HTMLButtonElement>("Import");
    expect(take.disabled).toBe(true);
    fireEvent.click(within(form).getByRole("checkbox"));
    fireEvent.click(take);
    await waitFor(() => expect(asked.filter(({ name }) => name === "factors.import").at(-1)?.input).toEqual({ file: "t", isPreview: false, restate: true, by: null }));
  });
});

describe("what would emit less", () => {
  it("stands with its kilograms and money, and is taken up into the register", async () => {
    const line = { key: "k1", kind: "region", provider: "AWS", gpuModel: "H100", instanceType: "p5.48xlarge", region: "us-east-1", to: "eu-north-1", resource: null, resourceName: null, team: null, owner: null, micrograms: 600_000_000_000n, saving: "-200", currency: "USD", isTaken: false } as const;
    const idle = { ...line, key: "k2", kind: "idle", to: null, resource: "i-1", resourceName: "node-1", micrograms: 10_000_000_000n, saving: "41.5", isTaken: true } as const;
    const { asked } = showWindow(<CarbonActions period="2026-09" currency="USD" isReadOnly={false} />, { answers: { "carbon.actions": ok({ period: "2026-09", lines: [line, idle] }), "action.save": ok({ id: 1 }) } });
    const rows = within(await screen.findByRole("table")).getAllByRole("row").map((row) => [...row.querySelectorAll("th, td")].map(({ textContent }) => textContent));
    expect(rows[1]).toEqual(["Move p5.48xlarge from us-east-1 to eu-north-1", "", "600", "\u2212$200.00", "Take up"]);
    expect(rows[2]).toEqual(["Stop node-1 while it idles", "", "10.0", "$41.50", "taken up"]);
    fireEvent.click(screen.getByRole("button", { name: /^Take up/ }));
    await waitFor(() => expect(asked.find(({ name }) => name === "action.save")?.input).toMatchObject({
      action: { findingKey: "k1", kind: "carbon", subject: "Move p5.48xlarge from us-east-1 to eu-north-1: 600 kg CO2e less a month", expected: null, currency: "USD", note: "Costs $200.00 a month more by the price lists." },
    }));
  });
});

describe("cleaner regions", () => {
  it("say how much less, at which price, and of which machines nothing is known", async () => {
    const line = { provider: "Microsoft", gpuModel: "A100", instanceType: "Standard_NC96ads_A100_v4", gpuHours: 40, known: 3, nowMicrograms: 2_000_000_000_000n, bestMicrograms: 500_000_000_000n, now: { region: "westeurope", country: "NL", gramsPerKwh: "288", pricePerHour: "10", currency: "USD" }, best: { region: "swedencentral", country: "SE", gramsPerKwh: "24", pricePerHour: "11", currency: "USD" } };
    const unknown = { ...line, provider: "CoreWeave", known: 0, best: null, bestMicrograms: null };
    showWindow(<CleanerRegions period="2026-09" scope={{}} />, { answers: { "carbon.regions": ok({ period: "2026-09", need: "anywhere", lines: [line, unknown] }) } });
    const table = await screen.findByRole("table");
    expect(within(table).getAllByRole("row")[1]?.textContent).toContain("swedencentral SE242,0001,500+10.0");
    expect(screen.getByText(/1,500 kg less/)).toBeTruthy();
    expect(screen.getByText(/No list says.*CoreWeave A100 westeurope/)).toBeTruthy();
  });
});
