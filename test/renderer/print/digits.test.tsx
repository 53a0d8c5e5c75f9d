// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { wordsOf } from "../../../main/cli/words.ts";
import { printerOf } from "../../../main/engine/print/index.ts";
import { hashOfFigures } from "../../../main/engine/print/hash.ts";
import { readReport } from "../../../main/engine/reports/index.ts";
import { keepBudget } from "../../../main/engine/teams/budgets.ts";
import { OnePage } from "../../../renderer/print/Paper.tsx";
import { ReviewBlocks } from "../../../renderer/reports/review/Review.tsx";
import { defaultThresholds } from "../../../shared/contract/teams.ts";
import type { ReportDocument, TableBlock } from "../../../shared/contract/report.ts";
import type { Language } from "../../../shared/i18n/index.ts";
import { readSheets } from "../../main/engine/print/sheets.ts";
import { company, contextOf, requestOf } from "../../main/engine/reports/company.ts";
import { opened } from "../../main/engine/reports/look.ts";
import { showWindow } from "../window.tsx";

/** The month of a small company whose amounts do not end in whole cents, with budgets over it. */
function monthly(): ReportDocument {
  const ledger = company();
  ledger.db.exec("UPDATE charge_month SET EffectiveCostRest = EffectiveCostRest + 1, EffectiveCostNanos = EffectiveCostNanos + 3330000");
  for (const team of [null, "vision"]) {
    keepBudget(ledger.db, { id: null, parent: null, name: team ?? "All", level: "team", kind: "money", currency: "USD", basis: "EffectiveCost", span: "month", scope: team === null ? {} : { team: [team] }, owner: null, thresholds: [...defaultThresholds], months: { "2026-09": "200" } });
  }
  return opened(readReport(contextOf(ledger), requestOf("monthly")));
}

/** Amounts of a row's texts in their order: `1,234.50`, with a minus where they have one. */
function amountsIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => (/^[+\u2212-]?[\d,]+\.\d{2}$/.test(text.trim()) ? [text.trim().replace("+", "").replace("\u2212", "-")] : []));
}

function rowsOf(table: Element | null): string[][] {
  return [...(table?.querySelectorAll("tbody tr, tfoot tr") ?? [])].map((row) => amountsIn([...row.querySelectorAll("td:not(.plot)")].map(({ textContent }) => textContent)));
}

afterEach(cleanup);

describe.each(["en", "zh-CN"] as const)("one document on the screen, on paper and in a workbook, in %s", (language: Language) => {
  it("shows equal digits in every row of every table", async () => {
    const document = monthly();
    const words = await wordsOf(language);
    const tables = document.blocks.filter((block): block is TableBlock => block.kind === "table");
    expect(tables.map(({ id }) => id)).toEqual(expect.arrayContaining(["bridge", "movers", "teams"]));

    const screen = showWindow(<ReviewBlocks blocks={document.blocks} />, { language });
    const onScreen = tables.map(({ rows }) => rowsOf([...screen.container.querySelectorAll("tr[data-row]")].find((row) => row.getAttribute("data-row") === rows[0]?.id)?.closest("table") ?? null));
    cleanup();
    const paper = render(<OnePage document={document} words={words} hash={hashOfFigures(document)} density={20} />);
    const onPaper = tables.map(({ id }) => rowsOf(paper.container.querySelector(`.block-${id} table`)));
    const printed = await printerOf("xlsx")?.print(document, words);
    if (!(printed instanceof Uint8Array)) throw new Error("a workbook is bytes");
    const sheets = await readSheets(printed);
    const two = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    const inWorkbook = tables.map(({ title }) => {
      const sheet = sheets.find(({ name }) => name === words.text(title).slice(0, 31));
      return (sheet?.rows.slice(1) ?? []).map((row) => row.flatMap((cell) => (typeof cell === "object" && cell.format.includes("#,##0.00") ? [two.format(cell.number)] : [])));
    });

    expect(onScreen.flat(2).length).toBeGreaterThan(30);
    expect(onPaper).toEqual(onScreen);
    expect(inWorkbook).toEqual(onScreen);
  });
});
