import { describe, expect, it } from "vitest";
import { alertNotices } from "../../../main/app/alert-notices.ts";
import type { Notice } from "../../../main/app/alert-notices.ts";
import { wordsOf } from "../../../main/cli/words.ts";
import type { EventPayloads, LedgerEvent } from "../../../shared/contract/events.ts";
import { ok } from "../../../shared/result.ts";

type Raised = EventPayloads["alert.raised"];
const raised = (change: Partial<Raised> = {}): LedgerEvent => ({ name: "alert.raised", payload: { alert: 1, budget: 1, budgetName: "Vision", owner: "H. Su", period: "2026-09", type: "actual", percent: "100", value: "41200.5", amount: "41000", unit: "USD", ...change } });

/** What is shown for some events under some settings. */
async function said(events: readonly LedgerEvent[], settings: Readonly<Record<string, string>> = {}): Promise<Notice[]> {
  const shown: Notice[] = [];
  const works: (() => Promise<void>)[] = [];
  const hear = alertNotices({
    ask: () => Promise.resolve(ok(settings)),
    wordsOf,
    systemLanguage: "en",
    show: (notice) => void shown.push(notice),
    later: (work) => void works.push(work),
  });
  for (const event of events) hear(event);
  for (const work of works) await work();
  return shown;
}

describe("alerts on the desktop", () => {
  it("say what happened, what to do and who decides", async () => {
    expect(await said([raised()])).toEqual([{
      title: "Vision: a budget threshold is reached",
      body: "Vision has spent $41,200.50, 100 % or more of the $41,000.00 planned for September 2026. Find what grew in the review by team, then stop it or move budget; H. Su decides.",
    }]);
  });

  it("speak the language that the person chose", async () => {
    const [notice] = await said([raised({ type: "forecast", unit: "gpu-hours", value: "900", amount: "800" })], { "window.language": "zh-CN" });
    expect(notice?.title).toBe("Vision：预测将超出预算");
    expect(notice?.body).toContain("900 GPU 小时");
  });

  it("are silent where the person wants it so, and of anything else", async () => {
    expect(await said([raised()], { "notifications.budgets": "off" })).toEqual([]);
    expect(await said([{ name: "ledger.changed", payload: { revision: 2 } }])).toEqual([]);
  });

  it("are one notice where a posting crosses many budgets at once", async () => {
    const many = ["a", "b", "c", "d"].map((budgetName, index) => raised({ budgetName, budget: index + 1 }));
    expect(await said(many)).toEqual([{ title: "4 budgets need a decision", body: "a, b, c, d. Open Budgets, say why, and what is done about it." }]);
  });
});
