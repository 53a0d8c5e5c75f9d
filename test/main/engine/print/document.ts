import type { FigureRef, ReportDocument } from "../../../../shared/contract/report.ts";
import { defaultIdlePolicy } from "../../../../shared/contract/report.ts";
import type { Figure } from "../../../../shared/domain/figure.ts";

export const ATTOS = 10n ** 18n;
export const ref: FigureRef = { metric: "spend", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: "USD" };
export const usd = (value: bigint | null): Figure => ({ metric: "spend", value, unit: "USD", basis: "billed", coverage: 1, ...(value === null ? { why: "no-bill" } : {}) });

/** Three thirds of a dollar: what is shown must still add up. One team is named like a spreadsheet formula. */
export const document: ReportDocument = {
  report: "review",
  request: { report: "review", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null },
  period: { start: "2026-09-01T00:00:00Z", end: "2026-10-01T00:00:00Z" },
  currency: "USD",
  otherCurrencies: ["EUR"],
  provenance: { ledgerName: "ours", isSample: false, revision: 1, completeUntil: "2026-10-01T00:00:00Z", lastImportAt: null, rowsSetAside: 2, telemetryCoverage: 0.5, idlePolicy: defaultIdlePolicy, sources: [] },
  title: { key: "app.name" },
  answer: { key: "print.other-currency", params: { currency: { money: ATTOS, currency: "USD" } } },
  context: [],
  blocks: [
    { kind: "figures", id: "tiles", title: null, tiles: [{ id: "spend", label: { key: "print.total" }, figure: usd(null), explain: ref, note: null, series: [] }] },
    {
      kind: "table",
      id: "teams",
      title: { key: "terminal.team" },
      note: null,
      chart: null,
      columns: [
        { id: "team", label: { key: "terminal.team" }, kind: "text", priority: 1 },
        { id: "cost", label: { key: "print.total" }, kind: "figure", priority: 1 },
      ],
      rows: ["=cmd|'x'!A1", "视觉", "c"].map((text, index) => ({ id: text, cells: [{ text }, { figure: usd(index === 2 ? ATTOS / 3n + 1n : ATTOS / 3n) }] })),
      total: { id: "total", cells: [{ message: { key: "print.total" } }, { figure: usd(ATTOS) }] },
    },
  ],
};
