import { describe, expect, it } from "vitest";
import { explainFigure, readReport } from "../../../../main/engine/reports/index.ts";
import { reportIds } from "../../../../shared/contract/report.ts";
import { parseGolden, writeGolden } from "../../../golden/golden.ts";
import { company, contextOf, requestOf } from "./company.ts";

/** Made anew with `npx vitest run test/main/engine/reports/golden.test.ts -u`; the diff is the change in behavior. */
describe("golden documents", () => {
  it.each(reportIds)("%s", async (report) => {
    const document = readReport(contextOf(company()), requestOf(report));
    if (!document.ok) throw new Error(document.error.code);
    await expect(writeGolden(document.value)).toMatchFileSnapshot(`../../../golden/${report}.json`);
    expect(parseGolden(writeGolden(document.value))).toEqual(document.value);
  });

  it("explain", async () => {
    const explanation = explainFigure(contextOf(company()), { metric: "useful-gpu-hour-cost", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null });
    if (!explanation.ok) throw new Error(explanation.error.code);
    await expect(writeGolden(explanation.value)).toMatchFileSnapshot("../../../golden/explain.json");
  });

  it("reads the same from the same ledger twice", () => {
    const context = contextOf(company());
    for (const report of reportIds) expect(readReport(context, requestOf(report))).toEqual(readReport(context, requestOf(report)));
  });
});
